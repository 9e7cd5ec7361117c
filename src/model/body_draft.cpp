// Rigid bodies on their way into a model: moments of inertia, rows, initial values.
#include "model_values.hpp"

#include "body_exclusion.hpp"
#include "draft.hpp"
#include "dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Moments come as decimal numbers: differences this small, relative to the moments, are rounding.
constexpr double flat = 1e-12;

void check_thickness(const BodyProperties& given, std::size_t k, double d, double scale) {
    const std::size_t a = (k + 1) % 3 + 1, b = (k + 2) % 3 + 1;
    if (std::abs(d) <= flat * scale) {
        refuse(given.inertia_place,
               fmt::format(
                   "{0} is a flat body: d_{1} = (I_{2} + I_{3} - I_{1})/2 = 0, so the kinetic energy does not depend "
                   "on column {1} of Q. Describe it by two points at distance 1 on its axes {2} and {3}, with the "
                   "masses d_{2} and d_{3}, or make it a little thicker: I_{1} below I_{2} + I_{3}",
                   given.name, k + 1, std::min(a, b), std::max(a, b)));
    }
    if (d < 0) {
        refuse(
            given.inertia_place,
            fmt::format("no body has these moments of inertia: I_{1} is larger than I_{2} + I_{3} (d_{1} = {0:.6g}); "
                        "each moment of {4} must be less than the sum of the other two",
                        d, k + 1, std::min(a, b), std::max(a, b), given.name));
    }
}

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

// Three rows of one shape: column a dot column b, minus `value`.
Constraint rigid_rows_of(const Body& body, std::size_t first, const Expression& value) {
    const bool diagonal = first == 0;
    Term term;
    term.place = body.place;
    Expression kernel = -value;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto a = symbol(fmt::format("Q[{},a]", i + 1));
        const auto b = diagonal ? a : symbol(fmt::format("Q[{},b]", i + 1));
        term.slots.push_back(a);
        if (!diagonal) {
            term.slots.push_back(b);
        }
        kernel += a * b;
    }
    Instances origin{{"a", "b"}, std::vector<IndexColumn>(2), 3, {}};
    for (std::size_t row = first; row < first + 3; ++row) {
        const auto [a, b] = rigid_rows[row];
        for (std::size_t i = 0; i < 3; ++i) {
            term.indices.push_back(static_cast<std::uint32_t>(body.first + 3 * i + a));
            if (!diagonal) {
                term.indices.push_back(static_cast<std::uint32_t>(body.first + 3 * i + b));
            }
        }
        origin.columns[0].push_back(static_cast<std::int64_t>(a + 1));
        origin.columns[1].push_back(static_cast<std::int64_t>(b + 1));
    }
    term.formula = {kernel, 3, {}};
    term.origin = std::make_shared<const Instances>(std::move(origin));
    return {std::move(term), body.name + ".rigid", true, false, 0};
}

}  // namespace

std::string body_exclusion(std::string_view what) {
    return fmt::format("bodies have their own kinetic energy and constraints, and {} would have to contain both; "
                       "remove it and give masses and a potential, or write the bodies as coordinates of your own",
                       what);
}

double Draft::number(const Expression& constant, const std::string& what, const Place& place) {
    (void)numbers();
    const auto given = parameter_values<double>(model_);
    for (const auto& s : symbols_of(std::array{constant})) {
        if (std::ranges::find(given.symbols, s) == given.symbols.end()) {
            refuse(place, fmt::format("{} uses '{}', which is not a parameter; it must be constant", what, s.text()));
        }
    }
    note_number(constant);
    return Tape<double>(compile(std::array{constant}, {}, given.symbols), given.values).output(0);
}

void Draft::add_body(const BodyProperties& given) {
    require_free(given.name, given.place);
    if (given.inertia.size() != 3) {
        refuse(given.inertia_place,
               fmt::format("the inertia of {} has {} entries; it needs the three principal moments", given.name,
                           given.inertia.size()));
    }
    const auto positive = [&](const Expression& value, const std::string& what, const Place& place) {
        const double x = number(value, fmt::format("{} of {}", what, given.name), place);
        if (!(x > 0) || !std::isfinite(x)) {
            refuse(place, fmt::format("{} of {} is {}; it must be positive and finite", what, given.name, x));
        }
        return x;
    };
    double scale = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        scale = std::max(
            scale, positive(given.inertia[k], fmt::format("the moment of inertia I_{}", k + 1), given.inertia_place));
    }
    Body body{given.name, model_.dimension, 0, std::nullopt, {}, given.place};
    std::ranges::copy(given.inertia, body.inertia.begin());
    body.mass = given.mass;
    for (std::size_t k = 0; k < 3; ++k) {
        body.d[k] = (given.inertia[(k + 1) % 3] + given.inertia[(k + 2) % 3] - given.inertia[k]) / 2;
        check_thickness(given, k, number(body.d[k], "the inertia", given.inertia_place), scale);
    }
    if (given.mass) {
        positive(*given.mass, "the mass", given.mass_place);
    }
    if (!given.fixed) {
        if (!given.mass) {
            refuse(given.place,
                   fmt::format("the body {} is free and needs a mass; add mass = ..., or fixed = true if one "
                               "of its points is fixed at the origin",
                               given.name));
        }
        body.centre = model_.dimension;
        body.first += 3;
        body_masses_.push_back({single_formula(*given.mass), 3, given.mass_place});
    }
    for (std::size_t k = 0; k < 9; ++k) {
        body_masses_.push_back({single_formula(body.d[k % 3]), 1, given.inertia_place});
    }
    model_.dimension = body.first + 9;
    model_.bodies.push_back(std::move(body));
}

void Draft::add_rigid_rows() {
    add_joint_rows();
    for (; bodies_with_rows_ < model_.bodies.size(); ++bodies_with_rows_) {
        auto& body = model_.bodies[bodies_with_rows_];
        body.first_row = model_.constraint_rows;
        add_constraint(rigid_rows_of(body, 0, 1));
        add_constraint(rigid_rows_of(body, 3, 0));
    }
}

void Draft::start_body(const Body& body, const BodyStart& start) {
    const auto require_size = [&](const std::vector<Expression>& list, std::size_t wanted, std::string_view what) {
        if (list.size() != wanted) {
            refuse(start.place,
                   fmt::format("{} of the body {} has {} entries; it needs {}", what, body.name, list.size(), wanted));
        }
    };
    if (start.Q.empty() == start.quaternion.empty()) {
        refuse(start.place, fmt::format("the orientation of the body {} is given {}; give either Q or a quaternion",
                                        body.name, start.Q.empty() ? "no times" : "twice"));
    }
    if (!body.centre && (!start.r.empty() || !start.v.empty())) {
        refuse(start.place,
               fmt::format("the body {} is fixed at the origin; its centre has no r and no v, remove them", body.name));
    }
    std::array<Expression, 9> Q;
    if (start.Q.empty()) {
        require_size(start.quaternion, 4, "the quaternion");
        if (std::ranges::all_of(start.quaternion,
                                [&](const Expression& q) { return number(q, "the quaternion", start.place) == 0; })) {
            refuse(start.place,
                   fmt::format("the quaternion of {} is zero, which is not a rotation; [1, 0, 0, 0] is the identity",
                               body.name));
        }
        Q = rotation_of({start.quaternion[0], start.quaternion[1], start.quaternion[2], start.quaternion[3]});
    } else {
        require_size(start.Q, 9, "Q");
        std::ranges::copy(start.Q, Q.begin());
        std::array<double, 9> values{};
        std::ranges::transform(Q, values.begin(), [&](const Expression& q) { return number(q, "Q", start.place); });
        require_proper(body.name, values, start.place);
    }
    std::ranges::find(model_.bodies, body.name, &Body::name)->start = start;
    const auto set = [&](InitialValue::Kind kind, std::size_t first, std::span<const Expression> values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            model_.initial.push_back({kind, single_formula(values[k]), {static_cast<std::uint32_t>(first + k)}});
        }
    };
    set(InitialValue::Kind::position, body.first, Q);
    if (!start.omega.empty()) {
        require_size(start.omega, 3, "omega");
        set(InitialValue::Kind::velocity, body.first, spin(Q, {start.omega[0], start.omega[1], start.omega[2]}));
    }
    if (body.centre) {
        require_size(start.r, 3, "the centre r");
        set(InitialValue::Kind::position, *body.centre, start.r);
        if (!start.v.empty()) {
            require_size(start.v, 3, "the velocity v");
            set(InitialValue::Kind::velocity, *body.centre, start.v);
        }
    }
}

void Draft::finish_bodies() {
    add_rigid_rows();
    if (model_.bodies.empty()) {
        return;
    }
    if (model_.kinetic) {
        refuse(model_.kinetic->place, body_exclusion("the kinetic energy"));
    }
    if (model_.hamiltonian) {
        refuse(model_.hamiltonian->place, body_exclusion("the hamiltonian"));
    }
    if (model_.field) {
        refuse(model_.field->place, body_exclusion("a `[field]`"));
    }
    if (!model_.mass.matrix.empty()) {
        refuse(model_.mass.place,
               "a mass matrix and bodies exclude each other; give the masses of the plain coordinates "
               "as a number or a list");
    }
    model_.mass.diagonal.insert(model_.mass.diagonal.end(), body_masses_.begin(), body_masses_.end());
}

void check_orientations(const Model& model, std::span<const double> q) {
    for (const auto& body : model.bodies) {
        std::array<double, 9> Q{};
        std::copy_n(q.begin() + static_cast<std::ptrdiff_t>(body.first), 9, Q.begin());
        require_proper(body.name, Q, body.place);
    }
}

}  // namespace libration
