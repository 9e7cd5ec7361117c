// Where bodies start: orientations, and [initial.NAME].
#include "reader.hpp"

#include <fmt/format.h>

namespace libration {

std::vector<Expression> ModelReader::angular_velocity_of(const Document& block, bool planar, const std::string& where) {
    const auto* omega = block.find("omega");
    if (!planar || omega == nullptr) {
        return constants(block, "omega", 3, where);
    }
    if (omega->kind == Document::Kind::list) {
        omega->fail(fmt::format("{} omega must be a number, because the body is planar", where));
    }
    auto scope = draft_.scope({});
    return {formula(*omega, scope, where + " omega")};
}

std::vector<Expression> ModelReader::matrix_of(const Document& value, const std::string& where) {
    if (value.kind != Document::Kind::list || value.items.size() != 3) {
        value.fail(fmt::format("{} must be a list of three rows of three numbers", where));
    }
    auto scope = draft_.scope({});
    std::vector<Expression> entries;
    for (const auto& row : value.items) {
        if (row.kind != Document::Kind::list || row.items.size() != 3) {
            row.fail(fmt::format("{} must be a list of three rows of three numbers", where));
        }
        for (const auto& item : row.items) {
            entries.push_back(formula(item, scope, where));
        }
    }
    return entries;
}

Orientation ModelReader::read_orientation(const Document& value, const std::string& where) {
    using Form = Orientation::Form;
    constexpr std::string_view forms = "it is a quaternion [w, x, y, z], a matrix of three rows, { axis = [0, 0, 1], "
                                       "angle = \"pi/6\" }, { euler = \"zxz\", angles = [...] } or { rpy = [...] }";
    const auto what = where + " orientation";
    if (is_table_of_tuples(value)) {
        return {Form::matrix, matrix_of(value, what)};
    }
    auto scope = draft_.scope({});
    const auto formulas = [&](const Document& list, std::size_t wanted) {
        if (list.kind != Document::Kind::list || list.items.size() != wanted) {
            list.fail(fmt::format("{} cannot be read: {}", what, forms));
        }
        std::vector<Expression> all;
        for (const auto& item : list.items) {
            all.push_back(formula(item, scope, what));
        }
        return all;
    };
    if (value.kind != Document::Kind::table) {
        return {Form::quaternion, formulas(value, 4)};
    }
    const auto *axis = value.find("axis"), *euler = value.find("euler"), *rpy = value.find("rpy");
    if ((axis != nullptr) + (euler != nullptr) + (rpy != nullptr) != 1) {
        value.fail(fmt::format("{} cannot be read: {}", what, forms));
    }
    if (rpy != nullptr) {
        value.allow_only(std::array<std::string, 1>{"rpy"}, what);
        return {Form::rpy, formulas(*rpy, 3)};
    }
    if (axis != nullptr) {
        value.allow_only(std::array<std::string, 2>{"axis", "angle"}, what);
        auto values = formulas(*axis, 3);
        const auto* angle = value.find("angle");
        if (angle == nullptr) {
            value.fail(fmt::format("{} needs the angle by which it turns about the axis", what));
        }
        values.push_back(formula(*angle, scope, what));
        return {Form::axis, std::move(values)};
    }
    value.allow_only(std::array<std::string, 2>{"euler", "angles"}, what);
    const auto& sequence = require(value, "euler", Document::Kind::text, what).text;
    if (sequence.size() != 3 || sequence.find_first_not_of("xyz") != std::string::npos || sequence[0] == sequence[1] ||
        sequence[1] == sequence[2]) {
        euler->fail(
            fmt::format("{}: '{}' is not a sequence of axes of the body such as \"zxz\" or \"zyx\"", what, sequence));
    }
    return {Form::euler, formulas(require(value, "angles", Document::Kind::list, what), 3), sequence};
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

void ModelReader::read_body_starts() {
    const auto* section = document_.find("initial");
    const bool whole =
        section != nullptr && lists_all(*section) && section->find("q")->items.size() == draft_.model().dimension;
    for (const auto& body : draft_.model().bodies) {
        const auto* block = section != nullptr ? section->find(body.name) : nullptr;
        if (block != nullptr) {
            if (body.start) {
                block->fail(fmt::format("the start of the body {} is given twice: here and in its `[[body]]`; remove "
                                        "one of them",
                                        body.name));
            }
            read_initial_body(body, *block);
        } else if (whole && body.start) {
            section->find("q")->fail(
                fmt::format("q lists all coordinates, and the start of the body {} is given in its "
                            "`[[body]]`, too; remove one of them",
                            body.name));
        } else if (!whole && !body.start) {
            BodyStart start;
            start.in_body = true;
            start.place = body.place;
            draft_.settle_start(body, start);
        }
    }
}

void ModelReader::read_initial_body(const Body& body, const Document& block) {
    const auto where = fmt::format("`[initial.{}]`", body.name);
    if (block.kind != Document::Kind::table) {
        block.fail(fmt::format("{} must be a table with Q or quaternion, and omega", where));
    }
    if (body.kind == BodyKind::planar) {
        read_initial_planar(body, block);
        return;
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
        start.Q = matrix_of(*matrix, where + " Q");
    }
    start.quaternion = constants(block, "quaternion", 4, where);
    start.omega = constants(block, "omega", 3, where);
    start.r = constants(block, "r", 3, where);
    start.v = constants(block, "v", 3, where);
    draft_.settle_start(body, start);
}

void ModelReader::read_initial_planar(const Body& body, const Document& block) {
    const auto where = fmt::format("`[initial.{}]`", body.name);
    block.allow_only(body.centre ? std::vector<std::string>{"r", "angle", "v", "omega"}
                                 : std::vector<std::string>{"angle", "omega"},
                     where);
    if (body.centre && block.find("r") == nullptr) {
        block.fail(fmt::format("{} needs r = [x, y], where the centre of the planar body starts", where));
    }
    auto scope = draft_.scope({});
    BodyStart start;
    start.place = block.place;
    start.r = constants(block, "r", 2, where);
    start.v = constants(block, "v", 2, where);
    start.omega = angular_velocity_of(block, true, where);
    if (const auto* angle = block.find("angle")) {
        start.angle = formula(*angle, scope, where + " angle");
    }
    draft_.settle_start(body, start);
}

}  // namespace libration
