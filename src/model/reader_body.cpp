// Sections of a model file: [[body]].
#include "body_exclusion.hpp"
#include "reader.hpp"

#include "memory.hpp"

#include <fmt/format.h>

namespace libration {

void ModelReader::read_bodies() {
    const auto* blocks = document_.find("body");
    if (blocks == nullptr) {
        return;
    }
    const auto* dynamics = document_.find("dynamics");
    for (const auto& [key, what] :
         {std::pair{"kinetic", "the kinetic energy"}, std::pair{"hamiltonian", "the hamiltonian"}}) {
        if (const auto* whole = dynamics != nullptr ? dynamics->find(key) : nullptr) {
            whole->fail(body_exclusion(what));
        }
    }
    if (const auto* field = document_.find("field")) {
        field->fail(body_exclusion("a `[field]`"));
    }
    require_memory({static_cast<double>(draft_.model().dimension) + 12.0 * static_cast<double>(blocks->items.size()),
                    bytes_a_coordinate, "coordinates"},
                   "the model, with its bodies", blocks->place);
    const std::vector<std::string> keys{"name",        "inertia", "fixed",    "mass",  "planar", "com",   "position",
                                        "orientation", "angle",   "velocity", "omega", "points", "frames"};
    for (const auto& block : blocks->items) {
        for_each_member(block, "`[[body]]`", keys, false, [&](const std::string& name) { read_body(block, name); });
    }
    if (draft_.model().dimension == 0) {
        blocks->fail("the model has no coordinates: the ranges of all families of bodies are empty");
    }
}

void ModelReader::read_body(const Document& block, const std::string& name) {
    const auto where = fmt::format("the body {}", name);
    BodyProperties given;
    given.name = name;
    given.place = block.find("name")->place;
    for (const auto& [key, flag] : {std::pair("fixed", &given.fixed), std::pair("planar", &given.planar)}) {
        if (block.find(key) != nullptr) {
            *flag = require(block, key, Document::Kind::boolean, where).boolean;
        }
    }
    read_inertia(block, given, where);
    auto scope = draft_.scope({});
    if (const auto* mass = block.find("mass")) {
        given.mass = formula(*mass, scope, "the mass of " + where);
        given.mass_place = mass->place;
    }
    const std::size_t n = given.planar ? 2 : 3;
    if (const auto* com = block.find("com")) {
        given.com_place = com->place;
        given.com = constants(block, "com", n, where);
    }
    read_body_places(block, given, where);
    read_body_start(block, given, where);
    draft_.add_body(given);
}

void ModelReader::read_inertia(const Document& block, BodyProperties& given, const std::string& where) {
    const auto what = "the inertia of " + where;
    auto scope = draft_.scope({});
    const auto* inertia = block.find("inertia");
    if (given.planar && inertia != nullptr && inertia->kind != Document::Kind::list) {
        given.inertia_place = inertia->place;
        given.inertia.push_back(formula(*inertia, scope, what));
        return;
    }
    inertia = &require(block, "inertia", Document::Kind::list, where);
    given.inertia_place = inertia->place;
    for (const auto& item : inertia->items) {
        if (item.kind != Document::Kind::list) {
            given.inertia.push_back(formula(item, scope, what));
            continue;
        }
        if (inertia->items.size() != 3 || item.items.size() != 3) {
            item.fail(fmt::format("{} is the list of its three principal moments, e.g. [2, 1.5, 1], or a symmetric "
                                  "matrix, a list of three rows of three numbers",
                                  what));
        }
        for (const auto& entry : item.items) {
            given.inertia.push_back(formula(entry, scope, what));
        }
    }
}

std::array<Expression, 3> ModelReader::place_in_body(const Document& value, bool planar, const std::string& where) {
    const std::size_t n = planar ? 2 : 3;
    if (value.kind != Document::Kind::list || value.items.size() != n) {
        value.fail(fmt::format("{} must be a list of {} numbers", where, n));
    }
    auto scope = draft_.scope({});
    std::array<Expression, 3> place{};
    for (std::size_t k = 0; k < n; ++k) {
        place[k] = formula(value.items[k], scope, where);
    }
    return place;
}

void ModelReader::read_body_places(const Document& block, BodyProperties& given, const std::string& where) {
    if (block.find("points") != nullptr) {
        for (const auto& [name, at] : require(block, "points", Document::Kind::table, where).entries) {
            given.points.push_back({name,
                                    place_in_body(at, given.planar, fmt::format("the point {}.{}", given.name, name)),
                                    at.key_place});
        }
    }
    if (block.find("frames") == nullptr) {
        return;
    }
    for (const auto& [name, frame] : require(block, "frames", Document::Kind::table, where).entries) {
        const auto what = fmt::format("the frame {}.{}", given.name, name);
        if (frame.kind != Document::Kind::table) {
            frame.fail(fmt::format("{} must be a table such as {{ at = [0, 0, 0], axis = [0, 0, 1] }}", what));
        }
        frame.allow_only(
            given.planar ? std::vector<std::string>{"at", "x"} : std::vector<std::string>{"at", "axis", "x"}, what);
        BodyMark mark{name, {}, {0, 0, 1}, std::nullopt, frame.key_place};
        if (const auto* at = frame.find("at")) {
            mark.at = place_in_body(*at, given.planar, what + " at");
        }
        if (const auto* axis = frame.find("axis")) {
            mark.axis = place_in_body(*axis, false, what + " axis");
        }
        if (const auto* x = frame.find("x")) {
            mark.x = place_in_body(*x, given.planar, what + " x");
        }
        given.frames.push_back(std::move(mark));
    }
}

void ModelReader::read_body_start(const Document& block, BodyProperties& given, const std::string& where) {
    const std::size_t n = given.planar ? 2 : 3;
    BodyStart start;
    start.in_body = true;
    start.place = given.place;
    bool found = false;
    for (const auto* key : {"position", "orientation", "angle", "velocity", "omega"}) {
        if (const auto* value = block.find(key)) {
            start.place = value->place;
            found = true;
        }
    }
    if (!found) {
        return;
    }
    start.position = constants(block, "position", n, where);
    start.velocity = constants(block, "velocity", n, where);
    start.omega = angular_velocity_of(block, given.planar, where);
    auto scope = draft_.scope({});
    if (const auto* angle = block.find("angle")) {
        start.place = angle->place;
        start.angle = formula(*angle, scope, where + " angle");
    }
    if (const auto* orientation = block.find("orientation")) {
        start.place = orientation->place;
        start.orientation = read_orientation(*orientation, where);
    }
    given.start = std::move(start);
}

}  // namespace libration
