// The parts of bodies in formulas: top.Q[3,3], top.at(0, 0, 1), top.omega.x, lambda_top.rigid[1,2].
#include "scope.hpp"

#include "body_frame.hpp"
#include "joint_formulas.hpp"

#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace libration {

namespace {

struct BodyName {
    const Body* body = nullptr;
    std::string_view prefix;
};

BodyName body_of(const Model& model, std::string_view name) {
    for (const std::string_view prefix : {"", "p_", "v_", "lambda_"}) {
        if (!name.starts_with(prefix)) {
            continue;
        }
        const auto found = model.body_numbers.find(std::string(name.substr(prefix.size())));
        if (found != model.body_numbers.end()) {
            return {&model.bodies[found->second], prefix};
        }
    }
    return {};
}

std::vector<std::string> parts_of(const BodyName& name) {
    const auto& body = *name.body;
    const bool planar = body.kind == BodyKind::planar;
    if (name.prefix == "lambda_") {
        return planar ? std::vector<std::string>{} : std::vector<std::string>{"rigid"};
    }
    std::vector<std::string> parts;
    if (planar) {
        parts.emplace_back("angle");
    } else if (name.prefix != "p_" || !body.turned) {
        parts.emplace_back("Q");
    }
    if (body.turned) {
        parts.emplace_back("P");
    }
    if (body.centre) {
        parts.emplace_back("r");
    }
    if (name.prefix.empty()) {
        parts.insert(parts.end(), {"omega", "L"});
        if (!planar) {
            parts.emplace_back("quaternion");
        }
    }
    if (name.prefix != "p_") {
        parts.emplace_back("at");
        std::ranges::transform(body.points, std::back_inserter(parts), &BodyPoint::name);
        std::ranges::transform(body.frames, std::back_inserter(parts), &BodyMark::name);
    }
    return parts;
}

Value vector_of(std::span<const Expression> components) { return {{components.begin(), components.end()}}; }

bool is_matrix(std::string_view part) { return part == "Q" || part == "P" || part == "rigid"; }

void require_shape(std::string_view full, const Member& wanted, const Body& body) {
    if (wanted.indices.size() != (is_matrix(wanted.name) ? 2U : 0U)) {
        throw std::invalid_argument(is_matrix(wanted.name)
                                        ? fmt::format("write {}[i,j] with two indices from 1 to 3", full)
                                        : fmt::format("{} takes no index", full));
    }
    if (wanted.arguments.size() != (wanted.name == "at" ? body.dimension() : 0U)) {
        throw std::invalid_argument(
            wanted.name != "at" ? fmt::format("{} takes no arguments", full)
            : body.dimension() == 2
                ? fmt::format("write {}(x, y) with the two coordinates of a point in the planar body", full)
                : fmt::format("write {}(x, y, z) with the three coordinates of a point in the body", full));
    }
    if (!wanted.part.empty() && wanted.part != "axis") {
        throw std::invalid_argument(
            fmt::format("'{}' has no '{}'; .axis is its direction in the world", full, wanted.part));
    }
}

void require_determined(bool determined, const Body& body) {
    if (!determined) {
        throw std::invalid_argument(undetermined_rotation(body.name));
    }
}

// Of what is fixed in the body.
Vector3 velocity_of(const BodyFrame& frame, const Vector3& arm, bool is_point, const Model& model) {
    Matrix3 turning;
    Vector3 moving{};
    std::ranges::transform(frame.axes, turning.begin(), [&](const Expression& e) { return rate_of(e, model); });
    if (is_point) {
        std::ranges::transform(frame.centre, moving.begin(), [&](const Expression& e) { return rate_of(e, model); });
    }
    return moving + product(turning, arm);
}

// A direction or a point, and with the prefix v_ its velocity.
Value place_of(const BodyName& name, const Vector3& local, bool is_point, const Model& model) {
    const auto frame = frame_of(*name.body);
    require_determined(is_point ? frame.determines_point(local) : frame.determines_direction(local), *name.body);
    const auto arm = is_point ? local - frame.com : local;
    const auto world = name.prefix == "v_" ? velocity_of(frame, arm, is_point, model)
                       : is_point          ? frame.point(local)
                                           : frame.direction(local);
    return vector_of(std::span(world).first(name.body->dimension()));
}

Value entry_of(const BodyName& name, bool principal, std::size_t i, std::size_t j, const Model& model) {
    const auto& body = *name.body;
    const bool coordinate = principal == body.turned && std::ranges::find(body.columns, j) != body.columns.end();
    if (coordinate) {
        return {{column_symbols(body, name.prefix)[3 * i + j]}};
    }
    if (name.prefix == "p_") {
        throw std::invalid_argument(fmt::format("the {} body {} has no momentum in column {} of its axes, which is no "
                                                "coordinate; {}.L is its angular momentum",
                                                body.kind == BodyKind::flat ? "flat" : "slender", body.name, j + 1,
                                                body.name));
    }
    Vector3 local{};
    if (principal) {
        local = {body.principal[j], body.principal[3 + j], body.principal[6 + j]};
    } else {
        local[j] = 1;
    }
    return {{place_of(name, local, false, model).components[i]}};
}

Value omega_of(const Body& body, const Model& model) {
    if (body.kind == BodyKind::planar) {
        return {{symbol("v_" + body_coordinate_name(body, body.first))}};
    }
    const auto frame = frame_of(body);
    require_determined(!frame.along, body);
    if (body.kind == BodyKind::spatial) {
        const auto omega = angular_velocity(column_symbols(body), column_symbols(body, "v_"));
        return vector_of(body.turned ? product(body.principal, omega) : omega);
    }
    Matrix3 rates;
    std::ranges::transform(frame.axes, rates.begin(), [&](const Expression& e) { return rate_of(e, model); });
    return vector_of(angular_velocity(frame.axes, rates));
}

Value angular_momentum_of(const Body& body) {
    if (body.kind == BodyKind::planar) {
        return {{symbol("p_" + body_coordinate_name(body, body.first))}};
    }
    const auto Q = column_symbols(body), P = column_symbols(body, "p_");
    if (body.kind == BodyKind::spatial) {
        return vector_of(angular_momentum(Q, P));
    }
    Vector3 L{};
    for (const auto j : body.columns) {
        L = L + cross({Q[j], Q[3 + j], Q[6 + j]}, {P[j], P[3 + j], P[6 + j]});
    }
    return vector_of(L);
}

Value quaternion_value(const Body& body) {
    const auto frame = frame_of(body);
    require_determined(!frame.along, body);
    return vector_of(quaternion_of(frame.axes));
}

Value multiplier_of_body(const Body& body, std::string_view full, std::size_t i, std::size_t j) {
    for (const auto column : {i, j}) {
        if (std::ranges::find(body.columns, column) == body.columns.end()) {
            throw std::invalid_argument(fmt::format("column {} of the axes of {} is no coordinate and has no "
                                                    "constraint",
                                                    column + 1, body.name));
        }
    }
    return {{symbol(fmt::format("{}[{},{}]", full, std::min(i, j) + 1, std::max(i, j) + 1))}};
}

}  // namespace

bool ModelScope::has_members(std::string_view name) const {
    return body_of(*model_, name).body != nullptr || joint_of(*model_, name) != nullptr;
}

std::size_t ModelScope::matrix_index(const Expression& index, std::string_view matrix) const {
    if (depends_on_index(index)) {
        throw std::invalid_argument(
            fmt::format("the indices of {} are numbers or indices of a sum, not those of a `for` range", matrix));
    }
    const auto k = integer(index);
    if (k < 1 || k > 3) {
        throw std::invalid_argument(
            fmt::format("the index {} of {} does not exist; indices run from 1 to 3", k, matrix));
    }
    return static_cast<std::size_t>(k - 1);
}

std::string_view ModelScope::example_part(std::string_view name) const {
    const auto found = body_of(*model_, name);
    return found.prefix == "lambda_"                    ? "rigid[1,2]"
           : found.body->kind == BodyKind::planar       ? "angle"
           : found.body->turned && found.prefix == "p_" ? "P[3,3]"
                                                        : "Q[3,3]";
}

bool ModelScope::has_parts(std::string_view name, std::string_view member) const {
    const auto found = body_of(*model_, name);
    return found.body != nullptr && found.prefix != "p_" && found.prefix != "lambda_" &&
           std::ranges::find(found.body->frames, member, &BodyMark::name) != found.body->frames.end();
}

void ModelScope::require_known_part(std::string_view name, const Member& wanted) const {
    const auto found = body_of(*model_, name);
    const auto& [body, prefix] = found;
    const auto parts = parts_of(found);
    if (std::ranges::find(parts, wanted.name) == parts.end()) {
        const bool fixed_centre = wanted.name == "r" && !body->centre && prefix != "lambda_";
        throw std::invalid_argument(
            fixed_centre ? fmt::format("the body {0} is fixed at the origin and has no centre {0}.r; {0}.at(x, y, z) "
                                       "is the position of one of its points",
                                       body->name)
                         : fmt::format("'{}' has no '{}'{}", name, wanted.name, suggestion(wanted.name, parts)));
    }
    const auto full = fmt::format("{}.{}", name, wanted.name);
    const auto require = [&](bool visible, std::string_view what) {
        if (!visible) {
            throw std::invalid_argument(fmt::format("{} depends on the {} and cannot be used here", full, what));
        }
    };
    const bool momenta = prefix == "p_" || wanted.name == "L";
    const bool velocities = prefix == "v_" || wanted.name == "omega";
    require(!momenta || visible_.momenta, "momenta");
    require(!velocities || visible_.velocities, "velocities");
    require(prefix != "lambda_" || visible_.multipliers, "multipliers");
    require(!prefix.empty() || visible_.coordinates, "coordinates");
    require_shape(full, wanted, *body);
}

Value ModelScope::member(std::string_view name, const Member& wanted) {
    if (const auto* joint = joint_of(*model_, name)) {
        return joint_member(*joint, name, wanted);
    }
    require_known_part(name, wanted);
    const auto found = body_of(*model_, name);
    const auto& body = *found.body;
    if (is_matrix(wanted.name)) {
        const auto full = fmt::format("{}.{}", name, wanted.name);
        const auto i = matrix_index(wanted.indices[0], full), j = matrix_index(wanted.indices[1], full);
        return wanted.name == "rigid" ? multiplier_of_body(body, full, i, j)
                                      : entry_of(found, wanted.name == "P", i, j, *model_);
    }
    if (wanted.name == "r") {
        return {centre_symbols(body, found.prefix)};
    }
    if (wanted.name == "angle") {
        return {{symbol(fmt::format("{}{}", found.prefix, body_coordinate_name(body, body.first)))}};
    }
    if (wanted.name == "at") {
        Vector3 local{};
        std::ranges::copy(wanted.arguments, local.begin());
        return place_of(found, local, true, *model_);
    }
    if (wanted.name == "omega") {
        return omega_of(body, *model_);
    }
    if (wanted.name == "L") {
        return angular_momentum_of(body);
    }
    if (wanted.name == "quaternion") {
        return quaternion_value(body);
    }
    if (const auto point = std::ranges::find(body.points, wanted.name, &BodyPoint::name); point != body.points.end()) {
        return place_of(found, point->at, true, *model_);
    }
    const auto& frame = *std::ranges::find(body.frames, wanted.name, &BodyMark::name);
    return wanted.part.empty() ? place_of(found, frame.at, true, *model_)
                               : place_of(found, unit(frame.axis), false, *model_);
}

}  // namespace libration
