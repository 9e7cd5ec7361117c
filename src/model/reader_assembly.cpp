// Sections of a model file: assembly.
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// What is held is a property of the pose.
constexpr Visible for_held_values{.coordinates = true,
                                  .without_velocities = "what `[assembly]` holds is a formula of coordinates; it moves "
                                                        "positions, and then projects velocities"};

}  // namespace

void ModelReader::read_held(const Document& value, AssemblyChoices& choices) {
    auto scope = draft_.scope(for_held_values);
    const auto held = value_of(value, scope, "the value held by `[assembly]`");
    const auto& model = draft_.model();
    for (std::size_t k = 0; k < held.components.size(); ++k) {
        const auto& component = held.components[k];
        const auto said = value.kind == Document::Kind::text ? value.text : to_string(component);
        const auto used = symbols_of(std::array{component});
        if (std::ranges::none_of(used, [&](const auto& s) { return model.coordinate_number(s.text()).has_value(); })) {
            value.fail(fmt::format("'{}' contains no coordinate, so that there is nothing to hold", said));
        }
        const auto part = held.components.size() == 1 ? std::string() : fmt::format(".{}", "xyz"[k % 3]);
        choices.hold.push_back({said + part, component, value.place});
    }
}

void ModelReader::read_assembly() {
    const auto* section = document_.find("assembly");
    if (section == nullptr) {
        return;
    }
    section->allow_only(std::array<std::string, 3>{"hold", "branch", "snap"}, "`[assembly]`");
    if (const auto* snap = section->find("snap"); snap != nullptr && draft_.model().joints.empty()) {
        snap->fail("'snap' in `[assembly]` aligns axes of joints, and the model has no joints; remove it");
    }
    AssemblyChoices choices;
    choices.snap = draft_.alignment().most;
    choices.aligned = draft_.alignment().changes;
    choices.place = section->key_place;
    if (const auto* hold = section->find("hold")) {
        if (hold->kind == Document::Kind::list) {
            for (const auto& item : hold->items) {
                read_held(item, choices);
            }
        } else {
            read_held(*hold, choices);
        }
    }
    if (const auto* branch = section->find("branch")) {
        if (branch->kind != Document::Kind::integer || branch->integer < 1) {
            branch->fail("'branch' in `[assembly]` is the number of one of the ways to close: 1, 2, ...");
        }
        choices.branch = static_cast<std::size_t>(branch->integer);
    }
    draft_.model().assembly = std::move(choices);
}

}  // namespace libration
