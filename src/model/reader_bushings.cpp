// Sections of a model file: [[bushing]].
#include "bushing.hpp"
#include "family_names.hpp"
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

const std::vector<std::string> bushing_keys{
    "name", "between", "at", "stiffness", "rotational_stiffness", "damping", "rotational_damping", "part"};

}  // namespace

BushingProperties ModelReader::bushing_of(const Document& block, const std::string& name) {
    const auto* given_name = block.find("name");
    BushingProperties given;
    given.name = name;
    given.place = given_name == nullptr ? block.place : given_name->place;
    const auto where = fmt::format("the bushing '{}'", given.name);
    const auto& between = require(block, "between", Document::Kind::list, where);
    if (between.items.size() != 2 || between.items[0].kind != Document::Kind::text ||
        between.items[1].kind != Document::Kind::text) {
        between.fail(fmt::format("'between' of {} names two ends, such as [\"ground\", \"engine\"] or "
                                 "[\"frame.seat\", \"engine.foot\"]",
                                 where));
    }
    const auto end = [&](std::size_t k) { return numbered(between.items[k], "an end of " + where); };
    given.between = {end(0), end(1)};
    given.between_places = {between.items[0].place, between.items[1].place};
    auto constant = draft_.scope({});
    if (const auto* at = block.find("at")) {
        given.at = vector_in_space(*at, constant, fmt::format("'at' of {}", where));
        given.at_place = at->place;
    }
    const std::array numbers{
        std::pair("stiffness", &given.stiffness), std::pair("rotational_stiffness", &given.rotational_stiffness),
        std::pair("damping", &given.damping), std::pair("rotational_damping", &given.rotational_damping)};
    for (std::size_t kind = 0; kind < numbers.size(); ++kind) {
        const auto& [key, target] = numbers[kind];
        if (const auto* value = block.find(key)) {
            *target = value_of(*value, constant, fmt::format("'{}' of {}", key, where)).components;
            given.number_places[kind] = value->place;
        }
    }
    return given;
}

Bushing ModelReader::read_bushing(const Document& block, const BushingProperties& given) {
    auto bushing = make_bushing(draft_, given);
    const auto* part = block.find("part");
    if (bushing.energy) {
        auto scope = draft_.scope({.coordinates = true});
        draft_.model().potential.push_back(scope.term(*bushing.energy, std::make_shared<Instances>(), block.place));
        if (part != nullptr) {
            draft_.model().potential.back().part = part_of(*part);
        }
    } else if (part != nullptr) {
        part->fail(
            fmt::format("'part' of the bushing '{}' needs an energy, which it has not without stiffness", given.name));
    }
    return bushing;
}

// The dampers of a family are one force.
void ModelReader::read_bushings() {
    const auto* blocks = document_.find("bushing");
    for (const auto& block : blocks == nullptr ? std::vector<Document>{} : blocks->items) {
        const std::string where = "`[[bushing]]`";
        if (block.find("for") == nullptr) {  // so that a misspelt key is not taken for a table of indices
            block.allow_only(bushing_keys, where);
        }
        const auto all = instances(block, where, bushing_keys);
        const auto name = block.find("name") == nullptr ? fmt::format("bushing{}", bushings_.size() + 1)
                                                        : require(block, "name", Document::Kind::text, where).text;
        auto& [force, family] = bushings_.emplace_back();
        force.name = name;
        force.place = block.find("name") == nullptr ? block.place : block.find("name")->place;
        for (std::size_t k = 0; k < all->count; ++k) {
            draft_.bind(*all, k);
            const auto bushing = read_bushing(block, bushing_of(block, member_name(name, *all, k)));
            family.dampers.insert(family.dampers.end(), bushing.dampers.begin(), bushing.dampers.end());
        }
        draft_.unbind();
    }
}

// Forces come after constraints, for they may contain multipliers.
void ModelReader::read_bushing_dampers() {
    for (const auto& [force, family] : bushings_) {
        add_bushing_dampers(draft_, force, family);
    }
}

}  // namespace libration
