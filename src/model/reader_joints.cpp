// Sections of a model file: [[joint]].
#include "couplings.hpp"
#include "joint_places.hpp"
#include "joint_types.hpp"
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

const std::string* text_in(const Document& block, const char* key) {
    const auto* value = block.find(key);
    return value != nullptr && value->kind == Document::Kind::text ? &value->text : nullptr;
}

bool is_coupling_block(const Document& block) {
    const auto* type = text_in(block, "type");
    return type != nullptr && coupling_type(*type) != nullptr;
}

std::vector<std::string> joint_keys(const Document& block) {
    if (!is_coupling_block(block)) {
        return {"name", "type",   "between", "at",    "axis",   "axes", "normal", "length",
                "zero", "motion", "turns",   "pitch", "radius", "on",   "slides"};
    }
    const auto& kind = *coupling_type(*text_in(block, "type"));
    std::vector<std::string> keys{"name", "type", "of", "between", std::string(kind.factor_key)};
    if (kind.has_offset) {
        keys.emplace_back("offset");
    }
    return keys;
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

void ModelReader::refuse_key_of_another_type(const Document& block) {
    const auto* type = text_in(block, "type");
    for (const auto& [key, owner] : {std::pair("pitch", "screw"), std::pair("radius", "rolling"),
                                     std::pair("on", "rolling"), std::pair("slides", "rolling")}) {
        if (const auto* value = block.find(key); value != nullptr && type != nullptr && *type != owner) {
            value->fail(fmt::format("a {} joint has no '{}'; remove it, or use type = \"{}\"", *type, key, owner));
        }
    }
}

void ModelReader::read_joint(const Document& block, const std::string& name) {
    const auto where = fmt::format("the joint {}", name);
    refuse_key_of_another_type(block);
    const auto& type = require(block, "type", Document::Kind::text, where);
    const auto& between = require(block, "between", Document::Kind::list, where);
    if (between.items.size() != 2 ||
        std::ranges::any_of(between.items, [](const Document& item) { return item.kind != Document::Kind::text; })) {
        between.fail(fmt::format("'between' of {} names two ends, such as [\"ground\", \"crank\"] or [\"crank.pin\", "
                                 "\"rod.eye\"]",
                                 where));
    }
    const auto end = [&](std::size_t k) { return numbered(between.items[k], "an end of " + where); };
    JointProperties given{name, type.text, {end(0), end(1)}};
    given.place = block.find("name")->place;
    given.between_places = {between.items[0].place, between.items[1].place};
    plane_ = is_in_plane(given);
    auto constant = draft_.scope({});
    for (const auto& [key, target, place] :
         {std::tuple("length", &given.length, &given.length_place), std::tuple("zero", &given.zero, &given.zero_place),
          std::tuple("pitch", &given.factor, &given.factor_place),
          std::tuple("radius", &given.factor, &given.factor_place)}) {
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
    if (const auto* value = block.find("on")) {
        given.on = vector_in_space(*value, constant, fmt::format("'on' of {}", where));
        given.on_place = value->place;
    }
    if (const auto* value = block.find("slides")) {
        given.slides = require(block, "slides", Document::Kind::boolean, where).boolean;
        given.slides_place = value->place;
    }
    if (block.find("turns") != nullptr) {
        given.turns = require(block, "turns", Document::Kind::boolean, where).boolean;
    }
    given.turns = given.turns || used_angles_.contains(name) ||
                  used_angle_families_.contains(std::string_view(name).substr(0, name.find('[')));
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
            const bool is_normal_of_plane = found->rolls() && std::string_view(key) == "normal";
            value->fail(fmt::format("a {} joint has no '{}'{}", given.type, key,
                                    found->axes_key.empty()
                                        ? std::string("; remove it")
                                        : fmt::format("; write '{}'", is_normal_of_plane ? "on" : found->axes_key)));
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
    find_used_angles();
    // The joints that couplings name may stand below them.
    for (const bool couplings : {false, true}) {
        for (const auto& block : blocks->items) {
            refuse_joint_key(block);
            if (is_coupling_block(block) == couplings) {
                for_each_member(block, "`[[joint]]`", joint_keys(block), true, [&](const std::string& name) {
                    couplings ? read_coupling(block, name) : read_joint(block, name);
                });
            }
        }
    }
}

void ModelReader::read_coupling(const Document& block, const std::string& name) {
    const auto& type = require(block, "type", Document::Kind::text, "`[[joint]]`");
    const auto& kind = *coupling_type(type.text);
    const std::string key(kind.factor_key);
    const auto where = fmt::format("the {} {}", type.text, name);
    if (const auto* between = block.find("between")) {
        between->fail(
            fmt::format("{} is not between bodies but between joints; write 'of' with the names of two joints", where));
    }
    const auto& of = require(block, "of", Document::Kind::list, where);
    if (of.items.size() != 2 ||
        std::ranges::any_of(of.items, [](const Document& item) { return item.kind != Document::Kind::text; })) {
        of.fail(fmt::format("'of' of {} names two joints, such as [\"input\", \"output\"]", where));
    }
    JointProperties given{.name = name, .type = type.text, .between = {}};
    given.place = block.find("name")->place;
    given.of = {numbered(of.items[0], "'of' of " + where), numbered(of.items[1], "'of' of " + where)};
    given.of_places = {of.items[0].place, of.items[1].place};
    auto constant = draft_.scope({});
    for (const auto& [k, target, place] : {std::tuple(key, &given.factor, &given.factor_place),
                                           std::tuple(std::string("offset"), &given.offset, &given.offset_place)}) {
        if (const auto* value = block.find(k)) {
            *target = formula(*value, constant, fmt::format("'{}' of {}", k, where));
            *place = value->place;
        }
    }
    draft_.add_joint(std::move(given));
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
