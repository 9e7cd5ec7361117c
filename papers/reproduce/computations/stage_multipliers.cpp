// Multipliers of the last stage, taken for those of the node: what a Runge-Kutta method that ends with its last stage
// gives for lambda by itself, before any formula such as [Jay 1996, (3.1f)] makes them better. Arguments:
//   model, methods, steps   as for runs; one-step methods whose last stage is at the end of the step
//   at                      the time
//   reference               the exact multipliers there
// Numbers of the method number i, i = 1, 2, ...: error_i (largest of all components, for each step), order_i. Curves:
// error_i.
#include "reproduce/computations/list.hpp"

#include "integrate/start.hpp"
#include "manifold/dense_lu.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// lambda of p' = -H_q - G^T lambda, from p': the normal equations of a consistent system.
std::vector<double> multipliers_of(System<double>& system, double t, const State<double>& z,
                                   std::span<const double> slope) {
    const std::size_t d = system.dimension(), m = system.constraints();
    const auto& pattern = system.pattern();
    std::vector<double> gradient(d), entries(pattern.entries()), rounding(pattern.entries()), G(m * d, 0.0);
    system.force_gradient(t, z.q.high, z.p.high, gradient);
    system.jacobian(t, z.q.high, entries, rounding);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            G[i * d + pattern.column[e]] = entries[e];
        }
    }
    std::vector<double> matrix(m * m, 0.0), lambda(m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < d; ++k) {
            lambda[i] -= G[i * d + k] * (slope[k] + gradient[k]);
            for (std::size_t j = 0; j < m; ++j) {
                matrix[i * m + j] += G[i * d + k] * G[j * d + k];
            }
        }
    }
    std::vector<std::size_t> pivots(m);
    factor_dense<double>(matrix, pivots);
    solve_dense<double>(matrix, pivots, lambda);
    return lambda;
}

std::vector<double> last_stage(const Model& model, System<double>& system, const Method& chosen, double h, double at) {
    const auto start = start_state<double>(model, system);
    const auto matrix = constraint_matrix(system);
    const auto map = make_map<double>(chosen, system);
    map->reserve(1);
    State<double> z(system, *matrix), z1(system, *matrix);
    Evaluations<double> evaluations;
    z.q.assign(start.q, {});
    z.p.assign(start.p, {});
    map->prepare(0, z, evaluations);
    const auto steps = std::lround(at / h);
    for (long n = 0; n < steps; ++n) {
        const double t = static_cast<double>(n) * h;
        if (map->apply({t, t + h, h}, z, z1, evaluations).converged != 1) {
            throw InputError(fmt::format("{}, h = {}: step {} failed", chosen.name(), h, n + 1));
        }
        map->accept();
        std::swap(z, z1);
    }
    const auto slopes = map->slopes();
    if (slopes.stages == 0 || slopes.p.size() != slopes.stages * system.dimension()) {
        throw InputError(fmt::format("{} does not expose its stages", chosen.name()));
    }
    return multipliers_of(system, at, z, slopes.p.last(system.dimension()));
}

}  // namespace

Computed stage_multipliers(const ComputationArguments& arguments) {
    const auto model = Model::load(arguments.text("model"));
    const auto system = make_system<double>(model);
    const auto steps = arguments.numbers("steps"), exact = arguments.numbers("reference");
    if (exact.size() != system->constraints()) {
        throw InputError(fmt::format("the reference has {} values, and there are {} multipliers", exact.size(),
                                     system->constraints()));
    }
    Computed result;
    int number = 0;
    for (const auto& spec : arguments.texts("methods")) {
        const auto chosen = method(spec);
        if (!chosen.is_map()) {
            throw InputError(fmt::format("{} is not a one-step method", spec));
        }
        std::vector<double> errors, orders;
        for (const double h : steps) {
            const auto lambda = last_stage(model, *system, chosen, h, arguments.number("at"));
            double largest = 0;
            for (std::size_t i = 0; i < lambda.size(); ++i) {
                largest = std::max(largest, std::abs(lambda[i] - exact[i]));
            }
            errors.push_back(largest);
        }
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            orders.push_back(std::log(errors[i] / errors[i + 1]) / std::log(steps[i] / steps[i + 1]));
        }
        ++number;
        result.curves[fmt::format("error_{}", number)] = {spec, steps, errors, plot::Style::line_and_points};
        result.numbers[fmt::format("error_{}", number)] = std::move(errors);
        result.numbers[fmt::format("order_{}", number)] = std::move(orders);
    }
    return result;
}

}  // namespace libration
