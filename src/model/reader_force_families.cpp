// Sections of a model file: on which coordinates a force acts, for every index of a `for`.
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <unordered_map>

namespace libration {

namespace {

constexpr Visible for_forces{.coordinates = true, .velocities = true, .multipliers = true, .time = true};

// " with i = 3, j = 4"; nothing without indices.
std::string instance_text(const Instances& all, std::size_t k) {
    std::string text;
    for (std::size_t c = 0; c < all.names.size(); ++c) {
        text += fmt::format("{}{} = {}", c == 0 ? " with " : ", ", all.names[c], all.columns[c][k]);
    }
    return text;
}

}  // namespace

// A family is written out, one formula a coordinate: terms on the same one add up.
void ModelReader::add_force_components(Force& force, const std::string& key, const Document& value,
                                       const std::shared_ptr<const Instances>& all) {
    const auto what = fmt::format("the force '{}' on {}", force.name, key);
    auto scope = draft_.scope(for_forces, all->names);
    if (all->count == 0 && value.text.find("lambda_") == std::string::npos) {
        static_cast<void>(value_of(value, scope, what));  // names must be known all the same
    }
    std::unordered_map<std::size_t, std::size_t> known;
    for (std::size_t c = 0; c < force.on.size(); ++c) {
        known.emplace(force.on[c].coordinate, c);
    }
    for (std::size_t k = 0; k < all->count; ++k) {
        for (std::size_t c = 0; c < all->names.size(); ++c) {
            scope.bind(all->names[c], all->columns[c][k]);
        }
        const auto where = what + instance_text(*all, k);
        const auto coordinates = force_coordinates(key, value.key_place, scope, where);
        const auto values = value_of(value, scope, where).components;
        if (values.size() != coordinates.size()) {
            value.fail(fmt::format("{} has {} component{} for {} coordinate{}", where, values.size(),
                                   values.size() == 1 ? "" : "s", coordinates.size(),
                                   coordinates.size() == 1 ? "" : "s"));
        }
        for (std::size_t c = 0; c < values.size(); ++c) {
            const auto [same, is_new] = known.emplace(coordinates[c], force.on.size());
            if (is_new || all->names.empty()) {  // a coordinate that is given twice without a family is refused later
                force.on.push_back({coordinates[c], {values[c], value.place}});
            } else {
                force.on[same->second].value.value += values[c];
            }
        }
    }
}

std::vector<std::size_t> ModelReader::force_coordinates(const std::string& key, const Place& place, ModelScope& scope,
                                                        const std::string& what) const {
    // Numbers in brackets are read leniently.
    const auto number = draft_.model().coordinate_number(key);
    if (key.find('[') == std::string::npos || (number && draft_.model().coordinate_name(*number) == key)) {
        return {draft_.coordinate(key, place)};
    }
    std::vector<std::size_t> numbers;
    for (const auto& component : parse_value(key, scope, inside_key(place), what).components) {
        numbers.push_back(draft_.coordinate(to_string(component), place));
    }
    return numbers;
}

}  // namespace libration
