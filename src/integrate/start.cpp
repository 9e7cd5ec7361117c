// Checking where a run starts.
#include "start.hpp"
#include "force_checks.hpp"
#include "model/carried.hpp"
#include "model/check_joints.hpp"
#include "model/half_turns.hpp"
#include "model/model_values.hpp"
#include "rolling_checks.hpp"
#include "row_words.hpp"

#include "manifold/rank.hpp"
#include "system/external_check.hpp"
#include "system/term_kernel.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/sparse_product.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr double tolerance = 1e-10;

// Largest |row| and whether every row is small against the sizes of its terms.
struct RowCheck {
    double largest = 0;
    std::size_t row = 0;
    bool small = true;
    bool finite = true;
};

RowCheck check_rows(const SparsePattern& pattern, std::span<const double> G, std::span<const double> rows,
                    std::span<const double> sizes, double common_size) {
    RowCheck check;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double scale = 0;
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            scale += std::abs(G[e]) * std::max(std::abs(sizes[pattern.column[e]]), common_size);
        }
        const double size = std::abs(rows[i]);
        check.finite = check.finite && std::isfinite(size);
        check.small = check.small && size <= tolerance * std::max(scale, 1e-3);
        if (!(size <= check.largest)) {
            check.largest = size;
            check.row = i;
        }
    }
    return check;
}

double largest_speed(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

}  // namespace

Consistency consistency(System<double>& system, double t, std::span<const double> q, std::span<const double> p) {
    Consistency result;
    const std::size_t m = system.constraints();
    if (m == 0) {
        return result;
    }
    std::vector<double> G(system.pattern().entries()), rows(m), v(system.dimension());
    system.jacobian(t, q, G);
    system.constraint(t, q, rows);
    const auto position = check_rows(system.pattern(), G, rows, q, 0);
    system.velocity(t, q, p, v);
    apply_jacobian<double>(system.pattern(), G, v, rows);
    std::vector<double> rate(m);
    system.constraint_rate(t, q, rate);
    for (std::size_t i = 0; i < m; ++i) {
        rows[i] += rate[i];
    }
    const auto hidden = check_rows(system.pattern(), G, rows, v, largest_speed(v));
    result.position = position.largest;
    result.position_row = position.row;
    result.hidden = hidden.largest;
    result.hidden_row = hidden.row;
    result.consistent = position.small && hidden.small;
    result.finite = position.finite && hidden.finite;
    return result;
}

namespace {

bool is_dependent(const Dependence& found) { return found.rows.size() < 2 || found.sine < exact_sine; }

}  // namespace

std::string rank_fault(const Model& model, System<double>& system, double t, std::span<const double> q, double close) {
    constexpr std::size_t most_sets = 8;
    const auto found = dependent_constraints(system, t, q, most_sets, close);
    if (found.empty()) {
        return {};
    }
    const auto dependent = std::ranges::count_if(found, is_dependent);
    std::string text;
    if (dependent > 0) {
        text = fmt::format("  {} of {} constraints are independent\n",
                           model.constraint_rows - static_cast<std::size_t>(dependent), model.constraint_rows);
    }
    for (std::size_t k = 0; k < std::min(found.size(), most_sets); ++k) {
        const auto& rows = found[k].rows;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 8); ++i) {
            names.push_back(model.constraint_name(rows[i]));
        }
        if (rows.size() > names.size()) {
            names.push_back(fmt::format("... ({} more)", rows.size() - names.size()));
        }
        const auto joints = rows.size() > names.size() ? joints_of_rows(model, rows) : std::vector<std::string>();
        const auto words = joints.empty() ? fmt::format("{}", fmt::join(names, ", ")) : names_of_set(model, rows);
        if (rows.size() == 1) {
            text += fmt::format("  the gradient of {} vanishes there\n", names[0]);
        } else if (is_dependent(found[k])) {
            text += fmt::format("  {} are linearly dependent\n", words);
        } else {
            text += fmt::format("  {} are nearly dependent: the sine of the angle between their gradients is {:.1e}\n",
                                words, found[k].sine);
        }
    }
    if (found.size() > most_sets) {
        text += fmt::format("  and {} more sets\n", found.size() - most_sets);
    }
    return text;
}

namespace {

// The first term that is not a finite number at q, with its place; empty if all are.
constexpr std::string_view no_slope =
    "\nThe value is finite, the derivative is not, as that of a root or of a distance at 0: the ends of a spring with "
    "a "
    "length meet there, and its force has no direction. Start elsewhere, or give it the length 0.";

std::string undefined_term(const Term& term, const std::string& what, const std::string& state, double t,
                           std::span<const double> q, const ParameterValues<double>& given) {
    TermKernel<double> kernel(term, given, TermKind::potential);
    std::vector<double> values(kernel.instances()), sizes(kernel.instances());
    kernel.values(t, q, {}, values);
    kernel.differentiate(t, q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t s = 0; s < kernel.slots(); ++s) {
                sizes[first + l] += std::abs(slopes(s)[l]);
            }
        }
    });
    for (std::size_t k = 0; k < kernel.instances(); ++k) {
        const double value = values[k];
        if (!std::isfinite(value) || !std::isfinite(sizes[k])) {
            std::string where;
            for (std::size_t c = 0; term.origin && c < term.origin->names.size(); ++c) {
                where += fmt::format(" {} = {}", term.origin->names[c], term.origin->columns[c][k]);
            }
            const bool only_slope = std::isfinite(value);
            return point_at(term.place,
                            fmt::format("{} or its derivative is not a finite number {} (value {}{}{}){}", what, state,
                                        value, where.empty() ? "" : ", at", where, only_slope ? no_slope : ""));
        }
    }
    return {};
}

bool all_finite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

// The first equation of a field that is not a finite number.
std::string undefined_equation(const Model& model, const std::string& state, std::span<const double> force,
                               std::span<const double> v) {
    for (std::size_t k = 0; k < v.size(); ++k) {
        const bool of_q = !std::isfinite(v[k]);
        if (of_q || !std::isfinite(force[k])) {
            return point_at((of_q ? model.field->q : model.field->v)[k].place,
                            fmt::format("the field {} of {} is not a finite number {}", of_q ? "q" : "v",
                                        model.coordinate_name(k), state));
        }
    }
    return {};
}

}  // namespace

std::string undefined_formula(const Model& model, System<double>& system, double t, std::span<const double> q,
                              std::span<const double> p, const std::string& state) {
    std::vector<double> force(system.dimension()), v(system.dimension()), g(system.constraints()),
        G(system.pattern().entries());
    system.force_gradient(t, q, p, force);
    system.velocity(t, q, p, v);
    system.constraint(t, q, g);
    system.jacobian(t, q, G);
    if (std::isfinite(system.energy(t, q, p)) && all_finite(force) && all_finite(v) && all_finite(g) && all_finite(G)) {
        return {};
    }
    if (model.field) {
        return undefined_equation(model, state, force, v);
    }
    const auto given = parameter_values<double>(model);
    for (const auto& term : model.potential) {
        if (auto fault = undefined_term(term, "the potential", state, t, q, given); !fault.empty()) {
            return fault;
        }
    }
    for (const auto& constraint : model.constraints) {
        if (auto fault = undefined_term(constraint.term, "the constraint " + constraint.name, state, t, q, given);
            !fault.empty()) {
            return fault;
        }
    }
    for (const auto& [whole, what] :
         {std::pair{&model.hamiltonian, "the hamiltonian"}, std::pair{&model.kinetic, "the kinetic energy"}}) {
        if (*whole) {
            return point_at((*whole)->place,
                            fmt::format("{} or its derivative is not a finite number {}", what, state));
        }
    }
    return {};
}

namespace {

bool jacobian_is_finite(System<double>& system, double t, std::span<const double> q) {
    std::vector<double> G(system.pattern().entries());
    system.jacobian(t, q, G);
    return all_finite(G);
}

// A matrix that is no rotation violates rows of joints, too, but is the cause.
std::string orientation_fault(const Model& model, std::span<const double> q, const Consistency& found) {
    for (const auto& body : model.bodies) {
        if (body.kind != BodyKind::spatial) {
            continue;
        }
        const auto Q = q.subspan(body.first, 9);
        double off = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const double product = Q[i] * Q[j] + Q[3 + i] * Q[3 + j] + Q[6 + i] * Q[6 + j];
                off = std::max(off, std::abs(product - (i == j ? 1 : 0)));
            }
        }
        if (off > tolerance && off >= found.position / 2) {
            return point_at(body.place,
                            fmt::format("the initial orientation of the body {} is not a rotation: its axes deviate "
                                        "from perpendicular unit vectors by {:.3g}\n"
                                        "Correct the matrix, give a quaternion, or let `project` move it to the "
                                        "nearest rotation.",
                                        body.name, off));
        }
    }
    return {};
}

// Redundant constraints would have been left out before.
bool could_be_carried(const Model& model) {
    return model.carry_redundant && !model.singular_mass && !model.external && !model.field;
}

std::string rank_faults(const Model& model, System<double>& system, std::span<const double> q, double t) {
    if (const auto dependent = rank_fault(model, system, t, q); !dependent.empty()) {
        return "some constraints are redundant at the initial values:\n" + dependent +
               (dependent.find("vanishes") != std::string::npos
                    ? "Write the constraint so that its gradient does not vanish where it holds (g instead of g^2), or "
                      "choose other initial values."
                : could_be_carried(model)
                    ? "They are independent at positions nearby: this one is singular. Start where they are "
                      "independent."
                : !model.carry_redundant
                    ? "Remove one constraint of each set, start where they are independent, or let `[dynamics] "
                      "redundant = \"carry\"` carry an independent set."
                    : "Remove one constraint of each set, or start where they are independent.");
    }
    // What a step would refuse is refused here: rows that are independent, but by less than the pivots can show.
    if (const auto close = rank_fault(model, system, t, q, rank_tolerance); !close.empty()) {
        return fmt::format("some constraints are too close to dependent at the initial values for double precision:\n{}"
                           "A step needs at least {:.0e}. The constraints are independent, so the model needs all of "
                           "them: choose other initial values, or rewrite them so that their gradients differ (for "
                           "example, replace one of them by the difference of the two).",
                           close, std::sqrt(rank_tolerance));
    }
    return {};
}

}  // namespace

std::string redundancy_fault(const Model& model, System<double>& system, std::span<const double> q,
                             std::span<const double> p, double t) {
    if (!jacobian_is_finite(system, t, q)) {
        return {};
    }
    auto fault = rank_faults(model, system, q, t);
    return !fault.empty() ? fault : rolling_rank_fault(model, system, t, q, p);
}

namespace {

std::string violated(const Model& model, System<double>& system, const Consistency& found, double t) {
    const bool moving = system.properties().moving_constraints;
    // Rows that an augmented system adds have no names.
    const auto name = [&](std::size_t row) {
        return model.with_all_rows().constraint_name(model.singular_mass ? row % model.constraint_rows : row);
    };
    return fmt::format("the initial values do not satisfy the constraints{}: largest |g| = {:.3g} ({}), largest "
                       "|{}| = {:.3g} ({})",
                       moving ? fmt::format(" at t = {}", t) : "", found.position, name(found.position_row),
                       moving ? "G v + g_t" : "G v", found.hidden, name(found.hidden_row));
}

// A start that violates dependent rows says nothing about whether they are redundant. A gradient that vanishes is a
// fault of the formula wherever it is.
std::string violated_and_dependent(const Model& model, System<double>& system, const Consistency& found,
                                   std::span<const double> q, double t, const std::string& rank) {
    const auto sets = rank_fault(model, system, t, q);
    if (sets.empty() || sets.find("vanishes") != std::string::npos) {
        return rank;
    }
    return violated(model, system, found, t) +
           fmt::format("\nTheir gradients are dependent there:\n{}If these are meant to be redundant, correct the data "
                       "so that all hold at the start; otherwise start where they are independent. `[assembly]` closes "
                       "the loops of a rough pose.",
                       sets);
}

}  // namespace

std::string start_fault(const Model& model, System<double>& system, std::span<const double> q,
                        std::span<const double> p, double t) {
    if (model.external) {
        std::vector<double> v(system.dimension());
        system.velocity(t, q, p, v);
        if (auto check = check_external_derivatives(model, q, v); !check.fault.empty()) {
            return std::move(check.fault);
        }
    }
    const auto undefined = undefined_formula(model, system, t, q, p, "at the initial values");
    // With singular masses, velocities are no numbers where constraints are redundant: that is said first.
    if (!undefined.empty() && !(model.singular_mass && jacobian_is_finite(system, t, q))) {
        return undefined;
    }
    const auto whole = model.carried ? make_system<double>(model.carried->whole) : nullptr;
    const auto found = consistency(whole ? *whole : system, t, q, p);
    if (auto fault = rank_faults(model, system, q, t); !fault.empty()) {
        return found.consistent || !could_be_carried(model) ? fault
                                                            : violated_and_dependent(model, system, found, q, t, fault);
    }
    if (!undefined.empty()) {
        return undefined;
    }
    if (auto fault = rolling_rank_fault(model, system, t, q, p); !fault.empty()) {
        return fault;
    }
    if (auto fault = motion_fault(model, t, q); !fault.empty()) {
        return fault;
    }
    if (auto fault = HalfTurns(model).fault(t, q); !fault.empty()) {
        return fault;
    }
    if (!found.consistent && model.singular_mass && found.hidden_row >= model.constraint_rows) {
        return fmt::format("the initial momenta are not M v for any velocity v that the constraints allow: they "
                           "deviate by {:.3g} times the gradient of {}\n"
                           "Give velocities instead, or let `project` move the momenta to the nearest consistent ones.",
                           found.hidden, model.constraint_name(found.hidden_row - model.constraint_rows));
    }
    if (auto fault = orientation_fault(model, q, found); !fault.empty() && !found.consistent) {
        return fault;
    }
    constexpr double touching = 1e-10;  // as for all rows; the velocity is what is wrong otherwise
    if (!found.consistent && found.position > touching) {
        if (auto fault = contact_fault(model.with_all_rows(), found.position_row, t, q); !fault.empty()) {
            return fault;
        }
    }
    if (!found.consistent) {
        return violated(model, system, found, t) +
               "\nCorrect them, or let `project` move them to the nearest consistent state; "
               "`[assembly]` closes the loops of a rough pose.";
    }
    if (auto fault = rolling_fault(model, system, t, q, p); !fault.empty()) {
        return fault;
    }
    return force_fault(model, system, t, q, p);
}

}  // namespace libration
