// Sections of a model file: [[body]] and the initial values of bodies.
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
    for (const auto& block : blocks->items) {
        block.allow_only(std::array<std::string, 4>{"name", "inertia", "fixed", "mass"}, "`[[body]]`");
        const auto& name = require(block, "name", Document::Kind::text, "`[[body]]`");
        const auto where = fmt::format("the body {}", name.text);
        BodyProperties given;
        given.name = name.text;
        given.place = name.place;
        const auto& inertia = require(block, "inertia", Document::Kind::list, where);
        given.inertia_place = inertia.place;
        auto scope = draft_.scope({});
        for (const auto& item : inertia.items) {
            if (item.kind == Document::Kind::list) {
                item.fail("the inertia of a body is the list of its three principal moments, e.g. [2, 1.5, 1]; choose "
                          "the body axes along the principal axes");
            }
            given.inertia.push_back(formula(item, scope, "the inertia of " + where));
        }
        if (block.find("fixed") != nullptr) {
            given.fixed = require(block, "fixed", Document::Kind::boolean, where).boolean;
        }
        if (const auto* mass = block.find("mass")) {
            given.mass = formula(*mass, scope, "the mass of " + where);
            given.mass_place = mass->place;
        }
        draft_.add_body(given);
    }
}

std::vector<Expression> ModelReader::constants(const Document& block, const std::string& key, std::size_t wanted,
                                               const std::string& where) {
    const auto* list = block.find(key);
    if (list == nullptr) {
        return {};
    }
    if (list->kind != Document::Kind::list || list->items.size() != wanted) {
        list->fail(fmt::format("{} {} must be a list of {} numbers; it has {}", where, key, wanted,
                               list->kind == Document::Kind::list ? std::to_string(list->items.size()) : "none"));
    }
    auto scope = draft_.scope({});
    std::vector<Expression> all;
    for (const auto& item : list->items) {
        all.push_back(formula(item, scope, fmt::format("{} {}", where, key)));
    }
    return all;
}

void ModelReader::read_initial_body(const Body& body, const Document& block) {
    const auto where = fmt::format("`[initial.{}]`", body.name);
    if (block.kind != Document::Kind::table) {
        block.fail(fmt::format("{} must be a table with Q or quaternion, and omega", where));
    }
    block.allow_only(std::array<std::string, 5>{"Q", "quaternion", "omega", "r", "v"}, where);
    const auto* matrix = block.find("Q");
    const auto* quaternion = block.find("quaternion");
    if (matrix != nullptr && quaternion != nullptr) {
        quaternion->fail(fmt::format("give either Q or the quaternion of {}, not both", body.name));
    }
    if (matrix == nullptr && quaternion == nullptr) {
        block.fail(
            fmt::format("{} needs the orientation: Q = [[...], [...], [...]] or quaternion = [w, x, y, z]", where));
    }
    for (const auto* key : {"r", "v"}) {
        if (const auto* value = body.centre ? nullptr : block.find(key)) {
            value->fail(
                fmt::format("the body {} is fixed at the origin; its centre has no {}, remove it", body.name, key));
        }
    }
    if (body.centre && block.find("r") == nullptr) {
        block.fail(fmt::format("{} needs r = [x, y, z], where the centre of the free body starts", where));
    }
    BodyStart start;
    start.place = (matrix != nullptr ? matrix : quaternion)->place;
    if (matrix != nullptr) {
        if (matrix->kind != Document::Kind::list || matrix->items.size() != 3) {
            matrix->fail(fmt::format("{} Q must be a list of three rows of three numbers", where));
        }
        auto scope = draft_.scope({});
        for (const auto& row : matrix->items) {
            if (row.kind != Document::Kind::list || row.items.size() != 3) {
                row.fail(fmt::format("{} Q must be a list of three rows of three numbers", where));
            }
            for (const auto& item : row.items) {
                start.Q.push_back(formula(item, scope, where + " Q"));
            }
        }
    }
    start.quaternion = constants(block, "quaternion", 4, where);
    start.omega = constants(block, "omega", 3, where);
    start.r = constants(block, "r", 3, where);
    start.v = constants(block, "v", 3, where);
    draft_.start_body(body, start);
}

}  // namespace libration
