// The parts of bodies in formulas: top.Q[3,3], top.at(0, 0, 1), top.omega.x, lambda_top.rigid[1,2].
#include "joint_formulas.hpp"
#include "scope.hpp"

#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
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
        const auto found = std::ranges::find(model.bodies, name.substr(prefix.size()), &Body::name);
        if (found != model.bodies.end()) {
            return {&*found, prefix};
        }
    }
    return {};
}

std::vector<std::string> parts_of(const BodyName& name) {
    if (name.prefix == "lambda_") {
        return {"rigid"};
    }
    std::vector<std::string> parts{"Q"};
    if (name.body->centre) {
        parts.emplace_back("r");
    }
    if (name.prefix.empty()) {
        parts.insert(parts.end(), {"at", "omega", "L", "quaternion"});
    }
    return parts;
}

template <std::size_t n>
Value vector_of(const std::array<Expression, n>& components) {
    return {{components.begin(), components.end()}};
}

void require_shape(std::string_view full, const Member& wanted) {
    const bool matrix = wanted.name == "Q" || wanted.name == "rigid";
    if (wanted.indices.size() != (matrix ? 2U : 0U)) {
        throw std::invalid_argument(matrix ? fmt::format("write {}[i,j] with two indices from 1 to 3", full)
                                           : fmt::format("{} takes no index", full));
    }
    if (wanted.arguments.size() != (wanted.name == "at" ? 3U : 0U)) {
        throw std::invalid_argument(
            wanted.name == "at"
                ? fmt::format("write {}(x, y, z) with the three coordinates of a point in the body", full)
                : fmt::format("{} takes no arguments", full));
    }
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

Value ModelScope::member(std::string_view name, const Member& wanted) {
    if (const auto* joint = joint_of(*model_, name)) {
        return joint_member(*joint, name, wanted);
    }
    const auto found = body_of(*model_, name);
    const auto& [body, prefix] = found;
    const auto full = fmt::format("{}.{}", name, wanted.name);
    const auto parts = parts_of(found);
    if (std::ranges::find(parts, wanted.name) == parts.end()) {
        const bool fixed_centre = wanted.name == "r" && !body->centre && prefix != "lambda_";
        throw std::invalid_argument(
            fixed_centre ? fmt::format("the body {0} is fixed at the origin and has no centre {0}.r; {0}.at(x, y, z) "
                                       "is the position of one of its points",
                                       body->name)
                         : fmt::format("'{}' has no '{}'{}", name, wanted.name, suggestion(wanted.name, parts)));
    }
    const auto require_visible = [&](bool visible, std::string_view what) {
        if (!visible) {
            throw std::invalid_argument(fmt::format("{} depends on the {} and cannot be used here", full, what));
        }
    };
    const bool momenta = prefix == "p_" || wanted.name == "L";
    const bool velocities = prefix == "v_" || wanted.name == "omega";
    require_visible(!momenta || visible_.momenta, "momenta");
    require_visible(!velocities || visible_.velocities, "velocities");
    require_visible(prefix != "lambda_" || visible_.multipliers, "multipliers");
    require_visible(!prefix.empty() || visible_.coordinates, "coordinates");
    require_shape(full, wanted);
    if (prefix == "lambda_") {
        const auto i = matrix_index(wanted.indices[0], full), j = matrix_index(wanted.indices[1], full);
        return {{symbol(fmt::format("{}[{},{}]", full, std::min(i, j) + 1, std::max(i, j) + 1))}};
    }
    const auto symbols = body_symbols(*body, prefix);
    if (wanted.name == "Q") {
        const auto i = matrix_index(wanted.indices[0], full), j = matrix_index(wanted.indices[1], full);
        return {{symbols.Q[3 * i + j]}};
    }
    if (wanted.name == "r") {
        return {symbols.r};
    }
    if (wanted.name == "at") {
        return {symbols.at({wanted.arguments[0], wanted.arguments[1], wanted.arguments[2]})};
    }
    if (wanted.name == "omega") {
        return vector_of(angular_velocity(symbols.Q, body_symbols(*body, "v_").Q));
    }
    if (wanted.name == "L") {
        return vector_of(angular_momentum(symbols.Q, body_symbols(*body, "p_").Q));
    }
    return vector_of(quaternion_of(symbols.Q));
}

}  // namespace libration
