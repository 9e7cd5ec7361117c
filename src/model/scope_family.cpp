// Members of families of bodies and joints in formulas: link[3], hinge[i].
#include "family_names.hpp"
#include "scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace libration {

bool ModelScope::is_family(std::string_view name) const { return family_of(*model_, name) != nullptr; }

std::string ModelScope::family_member(std::string_view name, std::span<const Expression> indices) {
    const auto& family = *family_of(*model_, name);
    if (indices.size() != family.indices) {
        throw std::invalid_argument(fmt::format("{} has {} {}, such as {}", name, family.indices,
                                                family.indices == 1 ? "index" : "indices",
                                                family.members > 0 ? family.first : fmt::format("{}[1]", name)));
    }
    std::vector<std::int64_t> numbers;
    for (const auto& index : indices) {
        if (depends_on_index(index)) {
            throw std::invalid_argument(
                fmt::format("the index of {} must be a number here, not '{}'", name, to_string(index)));
        }
        numbers.push_back(integer(index));
    }
    auto member = member_name(name, numbers);
    if (!has_members(member)) {
        throw std::invalid_argument(no_such_member(family, member));
    }
    return member;
}

}  // namespace libration
