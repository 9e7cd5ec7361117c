// Where bodies start: from position and orientation of the user's frame to coordinates.
#include "body_start.hpp"

#include "draft.hpp"
#include "dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

double determinant(const std::array<double, 9>& Q) {
    return Q[0] * (Q[4] * Q[8] - Q[5] * Q[7]) - Q[1] * (Q[3] * Q[8] - Q[5] * Q[6]) + Q[2] * (Q[3] * Q[7] - Q[4] * Q[6]);
}

void require_proper(const std::string& name, const std::array<double, 9>& Q, const Place& place) {
    if (const double det = determinant(Q); det < 0) {
        refuse(place, fmt::format("the initial Q of {} has determinant {:.6g}: it is a reflection, not a rotation. A "
                                  "rotation has determinant 1; change the sign of a row or a column",
                                  name, det));
    }
}

// Columns that are no coordinates are in no constraint, which would show this.
void require_orthogonal(const Body& body, const std::array<double, 9>& Q, const Place& place) {
    constexpr double accepted = 1e-10;  // as of constraints
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const double product = Q[i] * Q[j] + Q[3 + i] * Q[3 + j] + Q[6 + i] * Q[6 + j];
            if (!(std::abs(product - (i == j ? 1 : 0)) <= accepted)) {
                refuse(place, fmt::format("the initial orientation of {} is not a rotation: the product of its columns "
                                          "{} and {} is {:.6g} instead of {}",
                                          body.name, j + 1, i + 1, product, i == j ? 1 : 0));
            }
        }
    }
}

std::span<const Expression> orientation_values(const BodyStart& start) {
    return start.in_body ? start.orientation.values : start.Q.empty() ? start.quaternion : start.Q;
}

}  // namespace

std::vector<InitialValue> start_values(const Body& body) {
    using Kind = InitialValue::Kind;
    const auto& start = *body.start;
    std::vector<InitialValue> all;
    const auto set = [&](Kind kind, std::size_t coordinate, const Expression& value) {
        all.push_back({kind, {value, 1, {}}, {static_cast<std::uint32_t>(coordinate)}});
    };
    const auto frame = start_frame_of(body);
    const auto omega = start_omega_of(body);
    const bool turns = !start.omega.empty();
    if (body.kind == BodyKind::planar) {
        set(Kind::position, body.first, start.angle.value_or(0));
        if (turns) {
            set(Kind::velocity, body.first, omega[2]);
        }
    } else {
        const auto Q = body.turned ? product(frame.axes, body.principal) : frame.axes;
        const auto V = spin(Q, body.turned ? product(transposed(body.principal), omega) : omega);
        const std::size_t width = body.columns.size();
        for (const auto kind : {Kind::position, Kind::velocity}) {
            for (std::size_t k = 0; (kind == Kind::position || turns) && k < 3 * width; ++k) {
                const auto entry = k / width * 3 + body.columns[k % width];
                set(kind, body.first + k, kind == Kind::position ? Q[entry] : V[entry]);
            }
        }
    }
    const bool offset =
        std::ranges::any_of(body.com, [](const Expression& component) { return !component.is_constant(0); });
    const auto& given = start.in_body ? start.velocity : start.v;
    Vector3 v{};
    std::ranges::copy(given, v.begin());
    if (start.in_body && offset && turns) {
        v = v + product(frame.axes, cross(omega, body.com));
    }
    for (std::size_t k = 0; body.centre && k < body.dimension(); ++k) {
        set(Kind::position, *body.centre + k, frame.centre[k]);
    }
    for (std::size_t k = 0; body.centre && k < body.dimension(); ++k) {
        if (!given.empty() || (start.in_body && offset && turns)) {
            set(Kind::velocity, *body.centre + k, v[k]);
        }
    }
    return all;
}

void Draft::require_start_sizes(const Body& body, const BodyStart& start) const {
    const auto require_size = [&](const std::vector<Expression>& list, std::size_t wanted, std::string_view what) {
        if (list.size() != wanted) {
            refuse(start.place,
                   fmt::format("{} of the body {} has {} entries; it needs {}", what, body.name, list.size(), wanted));
        }
    };
    if (!body.centre && (!start.r.empty() || !start.v.empty())) {
        refuse(start.place,
               fmt::format("the body {} is fixed at the origin; its centre has no r and no v, remove them", body.name));
    }
    if (!body.centre && (!start.position.empty() || !start.velocity.empty())) {
        refuse(start.place,
               fmt::format("the body {} is fixed at the origin; remove its position and velocity", body.name));
    }
    const std::size_t n = body.dimension();
    if (body.kind == BodyKind::planar) {
        if (!start.Q.empty() || !start.quaternion.empty() || start.orientation.form != Orientation::Form::identity) {
            refuse(start.place,
                   fmt::format("the body {} is planar; give its angle instead of an orientation", body.name));
        }
    } else if (start.angle) {
        refuse(start.place, fmt::format("the body {} is not planar; give its orientation, not an angle", body.name));
    } else if (!start.in_body && start.Q.empty() == start.quaternion.empty()) {
        refuse(start.place, fmt::format("the orientation of the body {} is given {}; give either Q or a quaternion",
                                        body.name, start.Q.empty() ? "no times" : "twice"));
    }
    if (!start.quaternion.empty()) {
        require_size(start.quaternion, 4, "the quaternion");
    }
    if (!start.Q.empty()) {
        require_size(start.Q, 9, "Q");
    }
    if (!start.omega.empty()) {
        require_size(start.omega, n == 2 ? 1 : 3, "omega");
    }
    if (body.centre && !start.in_body) {
        require_size(start.r, n, "the centre r");
    }
    for (const auto& [list, what] : {std::pair(&start.v, "the velocity v"), std::pair(&start.position, "the position"),
                                     std::pair(&start.velocity, "the velocity")}) {
        if (!list->empty()) {
            require_size(*list, n, what);
        }
    }
}

void Draft::require_start_orientation(const Body& body, const BodyStart& start) {
    const auto values = orientation_values(start);
    if (values.empty()) {
        return;
    }
    const bool in_body = start.in_body;
    const auto form = start.orientation.form;
    const bool quaternion = in_body ? form == Orientation::Form::quaternion : start.Q.empty();
    const bool axis = in_body && form == Orientation::Form::axis;
    if ((quaternion || axis) && std::ranges::all_of(values.first(axis ? 3 : 4), [&](const Expression& component) {
            return number(component, axis ? "the axis" : "the quaternion", start.place) == 0;
        })) {
        refuse(start.place,
               axis ? fmt::format("the axis of the orientation of {} is zero; [0, 0, 1] is that of z", body.name)
                    : fmt::format("the quaternion of {} is zero, which is not a rotation; [1, 0, 0, 0] is the identity",
                                  body.name));
    }
    if (in_body ? form == Orientation::Form::matrix : !start.Q.empty()) {
        std::array<double, 9> Q{};
        std::ranges::transform(values, Q.begin(), [&](const Expression& q) { return number(q, "Q", start.place); });
        require_proper(body.name, Q, start.place);
        if (body.kind != BodyKind::spatial) {
            require_orthogonal(body, Q, start.place);
        }
    }
}

void Draft::settle_start(const Body& body, const BodyStart& start) {
    require_start_sizes(body, start);
    require_start_orientation(body, start);
    model_.bodies[model_.body_numbers.at(body.name)].start = start;
}

void Draft::place_start(const Body& body) { std::ranges::move(start_values(body), std::back_inserter(model_.initial)); }

void Draft::start_body(const Body& body, const BodyStart& start) {
    if (body.start) {
        refuse(start.place,
               fmt::format("the start of the body {0} is given twice: in `[[body]]` and in `[initial.{0}]`; "
                           "remove one of them",
                           body.name));
    }
    settle_start(body, start);
    place_start(body);
}

void check_orientations(const Model& model, std::span<const double> q) {
    for (const auto& body : model.bodies) {
        if (body.kind != BodyKind::spatial) {
            continue;
        }
        std::array<double, 9> Q{};
        std::copy_n(q.begin() + static_cast<std::ptrdiff_t>(body.first), 9, Q.begin());
        require_proper(body.name, Q, body.place);
    }
}

}  // namespace libration
