// Families of bodies and joints on their way into a model.
#include "draft.hpp"
#include "dynamics.hpp"
#include "family_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace libration {

namespace {

bool is_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

void Draft::require_free_member(const std::string& name, const Place& place, bool joints) const {
    const auto member = indexed_name(name);
    if (!member) {
        require_free(name, place);
        return;
    }
    if (!member->rest.empty() || !std::ranges::all_of(member->indices, is_integer)) {
        refuse(place, fmt::format("the name '{}' cannot be used: behind the name stand numbers in brackets, as in "
                                  "{}[1]",
                                  name, member->base));
    }
    const auto family = model_.families.find(member->base);
    if (family == model_.families.end()) {
        require_free(member->base, place);
        return;
    }
    const auto& [are_joints, indices, members, first, last] = family->second;
    if (are_joints != joints) {
        refuse(place, fmt::format("the name '{}' cannot be used: {} are {} already", name, member->base,
                                  are_joints ? "joints" : "bodies"));
    }
    if (indices != member->indices.size()) {
        refuse(place,
               fmt::format("the name '{}' has {} {}, but {} has {}; all names of a family have as many", name,
                           member->indices.size(), member->indices.size() == 1 ? "index" : "indices", first, indices));
    }
    if ((joints ? model_.joint_numbers : model_.body_numbers).contains(name)) {
        refuse(place, fmt::format("two {} are named {}; give each its own index", joints ? "joints" : "bodies", name));
    }
}

void Draft::note_member(const std::string& name, bool joints) {
    const auto member = indexed_name(name);
    if (!member) {
        return;
    }
    auto& family =
        model_.families.try_emplace(member->base, MemberFamily{joints, member->indices.size(), 0, name, name})
            .first->second;
    ++family.members;
    family.last = name;
    family.first = family.members == 1 ? name : family.first;
}

void Draft::add_empty_family(const std::string& name, std::size_t indices, const Place& place, bool joints) {
    if (!model_.families.contains(name)) {
        require_free(name, place);
        model_.families.emplace(name, MemberFamily{joints, indices, 0, {}, {}});
    }
}

void Draft::bind(const Instances& all, std::size_t k) {
    bound_.clear();
    for (std::size_t c = 0; c < all.names.size(); ++c) {
        bound_.emplace_back(all.names[c], all.columns[c][k]);
    }
}

}  // namespace libration
