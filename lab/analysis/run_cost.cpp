// Operations from evaluations.
#include "run_cost.hpp"

#include "codegen/tape_code.hpp"
#include "manifold/constraint_matrix.hpp"

#include <algorithm>

namespace libration {

namespace {

// What surrounds a step, and an evaluation, whatever the model is.
constexpr double around_step = 200, around_evaluation = 120;
// With a mass matrix that depends on q, per coordinate.
constexpr double kinetic_coordinate = 100;
// A function that cannot be counted: one of Python, say.
constexpr double untraced_function = 5e4;
// Steps of Newton's method with sparse blocks, per unknown of all stages.
constexpr double sparse_unknown = 3000;

}  // namespace

RunCost::RunCost(System<double>& system) : properties_(system.properties()) {
    TapeCode programs;
    system.visit_tapes(programs);
    evaluation_ = around_evaluation + 0.9 * programs.work() + (properties_.untraced.empty() ? 0 : untraced_function);
    evaluation_ += properties_.separable ? 0 : kinetic_coordinate * static_cast<double>(system.dimension());
    const auto d = static_cast<double>(system.dimension()), m = static_cast<double>(system.constraints());
    const double factor = m > 0 ? static_cast<double>(constraint_matrix(system)->entries()) : 0;
    solution_ = 4 * factor + 4 * static_cast<double>(system.pattern().entries()) + 2 * d;
    factorization_ = 100 + (m > 0 ? 2 * factor * factor / m : 0);
    unknowns_ = d + m + static_cast<double>(properties_.nonholonomic);
}

// Newton's method on all stages at once: each pass evaluates the force at each stage.
double RunCost::dense_operations(const Method& method, const EvaluationCounts& counts) const {
    if (method.lanes(properties_) || counts.factorizations == 0) {
        return 0;
    }
    const auto passes = static_cast<double>(std::max<std::int64_t>(1, counts.newton_iterations));
    const double stages = std::clamp(static_cast<double>(counts.force) / passes - 0.4, 1.0, 16.0);
    const double n = stages * unknowns_ * (properties_.forced || properties_.nonholonomic > 0 ? 1 : 2);
    const bool sparse = properties_.couplings || !properties_.dense_derivatives || properties_.forced;
    const double elimination = sparse ? std::min(n * n * n / 3, sparse_unknown * n) : n * n * n / 3;
    return static_cast<double>(counts.factorizations) * elimination +
           passes * (sparse ? std::min(n * n, sparse_unknown) : n * n);
}

double RunCost::operations(const Method& method, double steps, const EvaluationCounts& counts) const {
    const auto evaluations = static_cast<double>(counts.force + counts.constraint + counts.jacobian);
    return around_step * steps + evaluation_ * evaluations + solution_ * static_cast<double>(counts.newton_iterations) +
           factorization_ * static_cast<double>(counts.factorizations) + dense_operations(method, counts);
}

}  // namespace libration
