// Sections of a model file: [[joint]].
#include "joint_places.hpp"
#include "joint_types.hpp"
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Whether a formula may contain the angle of a joint: then its turns are counted.
bool mentions_angle(const Document& value, const std::string& joint) {
    const auto angle = joint + ".angle";
    const auto in = [&](const std::string& text) { return text.find(angle) != std::string::npos; };
    if (value.kind == Document::Kind::text) {
        return in(value.text);
    }
    if (value.kind == Document::Kind::expression) {
        const auto symbols = symbols_of(std::array{value.expression});
        return std::ranges::any_of(symbols, [&](const Expression& s) { return in(s.text()); });
    }
    return std::ranges::any_of(value.items, [&](const Document& item) { return mentions_angle(item, joint); }) ||
           std::ranges::any_of(value.entries, [&](const auto& entry) {
               return in(entry.first) || mentions_angle(entry.second, joint);
           });
}

// A spring about the axis of a joint contains its angle without naming it.
bool has_spring(const Document& document, const std::string& joint) {
    const auto* springs = document.find("spring");
    return springs != nullptr && std::ranges::any_of(springs->items, [&](const Document& spring) {
               const auto* name = spring.find("joint");
               return name != nullptr && name->text == joint;
           });
}

}  // namespace

// Three components, or two in the plane z = 0.
std::array<Expression, 3> ModelReader::vector_in_space(const Document& value, Scope& scope, const std::string& what) {
    const auto components = value_of(value, scope, what).components;
    if (components.size() != 2 && components.size() != 3) {
        value.fail(fmt::format("{} must be a vector of three numbers, [x, y, z]", what));
    }
    if (components.size() == 2 && plane_ == false) {
        value.fail(fmt::format("{} has two components, but it is in space; write three, such as [{}, {}, 0]", what,
                               to_string(components[0]), to_string(components[1])));
    }
    return {components[0], components[1], components.size() == 3 ? components[2] : Expression(0)};
}

std::vector<std::array<Expression, 3>> ModelReader::vectors_in_space(const Document& value, Scope& scope,
                                                                     const std::string& what) {
    std::vector<std::array<Expression, 3>> vectors;
    if (!is_table_of_tuples(value)) {
        return {vector_in_space(value, scope, what)};
    }
    for (const auto& item : value.items) {
        vectors.push_back(vector_in_space(item, scope, what));
    }
    return vectors;
}

// What joints of other programs have.
void ModelReader::refuse_joint_key(const Document& block) {
    for (const auto& [key, instead] :
         {std::pair("limits", "a joint has no stops, because impacts are out of scope, see docs/limits.md; a steep "
                              "`[potential]` term of the angle, or an event that ends the run, may serve"),
          std::pair("friction",
                    "dry friction in joints is out of scope, see docs/limits.md; smooth friction is a load: "
                    "`[[forces]]` with joint and value, or a `[[damper]]`"),
          std::pair("damping", "write a `[[damper]]` with joint and coefficient"),
          std::pair("stiffness", "write a `[[spring]]` with joint and stiffness")}) {
        if (const auto* value = block.find(key)) {
            throw InputError(value->key_place, fmt::format("unknown key '{}' in `[[joint]]`: {}", key, instead),
                             std::string_view(key).size());
        }
    }
}

void ModelReader::read_joint(const Document& block) {
    refuse_joint_key(block);
    block.allow_only(std::array<std::string, 11>{"name", "type", "between", "at", "axis", "axes", "normal", "length",
                                                 "zero", "motion", "turns"},
                     "`[[joint]]`");
    const auto& name = require(block, "name", Document::Kind::text, "`[[joint]]`");
    const auto where = fmt::format("the joint {}", name.text);
    const auto& type = require(block, "type", Document::Kind::text, where);
    const auto& between = require(block, "between", Document::Kind::list, where);
    if (between.items.size() != 2 ||
        std::ranges::any_of(between.items, [](const Document& item) { return item.kind != Document::Kind::text; })) {
        between.fail(fmt::format("'between' of {} names two ends, such as [\"ground\", \"crank\"] or [\"crank.pin\", "
                                 "\"rod.eye\"]",
                                 where));
    }
    JointProperties given{name.text, type.text, {between.items[0].text, between.items[1].text}};
    given.place = name.place;
    given.between_places = {between.items[0].place, between.items[1].place};
    plane_ = is_in_plane(given);
    auto constant = draft_.scope({});
    for (const auto& [key, target, place] : {std::tuple("length", &given.length, &given.length_place),
                                             std::tuple("zero", &given.zero, &given.zero_place)}) {
        if (const auto* value = block.find(key)) {
            *target = formula(*value, constant, fmt::format("'{}' of {}", key, where));
            *place = value->place;
        }
    }
    if (const auto* value = block.find("motion")) {
        auto timed = draft_.scope({.time = true});
        given.motion = formula(*value, timed, fmt::format("'motion' of {}", where));
        given.motion_place = value->place;
    }
    if (const auto* value = block.find("at")) {
        given.at = vectors_in_space(*value, constant, fmt::format("'at' of {}", where));
        given.at_place = value->place;
    }
    if (block.find("turns") != nullptr) {
        given.turns = require(block, "turns", Document::Kind::boolean, where).boolean;
    }
    given.turns = given.turns || mentions_angle(document_, name.text) || has_spring(document_, name.text);
    read_joint_axes(block, type, given);
    draft_.add_joint(std::move(given));
    plane_.reset();
}

// Whether an end is a planar body; nothing: no end is a body, which is said later.
std::optional<bool> ModelReader::is_in_plane(const JointProperties& given) {
    std::optional<bool> plane;
    for (const auto& end : given.between) {
        const auto& bodies = draft_.model().bodies;
        const auto body = std::ranges::find(bodies, end.substr(0, end.find('.')), &Body::name);
        if (body != bodies.end()) {
            plane = plane.value_or(false) || is_planar(*body);
        }
    }
    return plane;
}

// Each type has its own word for its directions.
void ModelReader::read_joint_axes(const Document& block, const Document& type, JointProperties& given) {
    const auto types = joint_types();
    const auto found = std::ranges::find(types, given.type, &JointType::name);
    if (found == types.end()) {
        type.fail(unknown_joint_type(given.type, given.name));
    }
    auto constant = draft_.scope({});
    for (const auto* key : {"axis", "axes", "normal"}) {
        const auto* value = block.find(key);
        if (value == nullptr) {
            continue;
        }
        if (found->axes_key != key) {
            value->fail(fmt::format("a {} joint has no '{}'{}", given.type, key,
                                    found->axes_key.empty() ? std::string("; remove it")
                                                            : fmt::format("; write '{}'", found->axes_key)));
        }
        given.axes = vectors_in_space(*value, constant, fmt::format("'{}' of the joint {}", key, given.name));
        given.axes_place = value->place;
    }
}

void ModelReader::read_joints() {
    const auto* blocks = document_.find("joint");
    if (blocks == nullptr) {
        return;
    }
    read_snap();
    for (const auto& block : blocks->items) {
        read_joint(block);
    }
}

void ModelReader::read_snap() {
    const auto* assembly = document_.find("assembly");
    const auto* snap = assembly != nullptr ? assembly->find("snap") : nullptr;
    if (snap != nullptr) {
        auto scope = draft_.scope({});
        draft_.set_snap(formula(*snap, scope, "'snap' in `[assembly]`"), snap->place);
    }
}

}  // namespace libration
