// Sections of a model file: [[bushing]].
#include "bushing.hpp"
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

BushingProperties ModelReader::bushing_of(const Document& block, std::size_t number) {
    block.allow_only(std::array<std::string, 8>{"name", "between", "at", "stiffness", "rotational_stiffness", "damping",
                                                "rotational_damping", "part"},
                     "`[[bushing]]`");
    const auto* name = block.find("name");
    BushingProperties given;
    given.name = name == nullptr ? fmt::format("bushing{}", number)
                                 : require(block, "name", Document::Kind::text, "`[[bushing]]`").text;
    given.place = name == nullptr ? block.place : name->place;
    const auto where = fmt::format("the bushing '{}'", given.name);
    const auto& between = require(block, "between", Document::Kind::list, where);
    if (between.items.size() != 2 || between.items[0].kind != Document::Kind::text ||
        between.items[1].kind != Document::Kind::text) {
        between.fail(fmt::format("'between' of {} names two ends, such as [\"ground\", \"engine\"] or "
                                 "[\"frame.seat\", \"engine.foot\"]",
                                 where));
    }
    given.between = {between.items[0].text, between.items[1].text};
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

void ModelReader::read_bushings() {
    const auto* blocks = document_.find("bushing");
    for (const auto& block : blocks == nullptr ? std::vector<Document>{} : blocks->items) {
        const auto given = bushing_of(block, bushings_.size() + 1);
        const auto bushing = make_bushing(draft_, given);
        const auto* part = block.find("part");
        if (bushing.energy) {
            auto scope = draft_.scope({.coordinates = true});
            draft_.model().potential.push_back(scope.term(*bushing.energy, std::make_shared<Instances>(), block.place));
            if (part != nullptr) {
                draft_.model().potential.back().part = part_of(*part);
            }
        } else if (part != nullptr) {
            part->fail(fmt::format("'part' of the bushing '{}' needs an energy, which it has not without stiffness",
                                   given.name));
        }
        bushings_.emplace_back(given, bushing);
    }
}

// Forces come after constraints, for they may contain multipliers.
void ModelReader::read_bushing_dampers() {
    for (const auto& [given, bushing] : bushings_) {
        add_bushing_dampers(draft_, given, bushing);
    }
}

}  // namespace libration
