// The step of a SPARK method.
#include "methods/spark_map.hpp"

#include "spark_domain.hpp"
#include "spark_follow.hpp"
#include "spark_structured.hpp"

#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include "methods/attempts.hpp"
#include "methods/strayed.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Where a matrix with all derivatives was worth its price, it is not asked before so many steps whether it still is.
constexpr std::int64_t steps_between_trials = 256;
// Full Newton takes some four passes, each with a matrix of its own.
constexpr std::int64_t most_simplified_passes = 16;

}  // namespace

template <class S>
SparkMap<S>::SparkMap(System<S>& system, std::size_t stages)
    : system_(&system), treatment_(libration::treatment(system.properties().terms)), matrix_(constraint_matrix(system)),
      projection_(system, *matrix_), stages_(system, stages), unknowns_(layout().unknowns()), judge_(system),
      before_(system, *matrix_), after_(before_), chosen_(layout().unknowns(), zero()), inside_(chosen_),
      tried_(chosen_), unused_(chosen_), correction_(chosen_), guessed_(chosen_), sum_(system.dimension(), zero()),
      part_(sum_), row_(layout().multipliers(), zero()), reactions_(stages * system.dimension(), zero()),
      moved_(reactions_) {
    noise_p_ = noise_q_ = sum_;
    for (const auto& x : spark_scheme(treatment(), stages, Direction::forward).inverse_coupling) {
        inverse_coupling_.push_back(as_scalar<S>(x));
    }
    const auto& properties = system.properties();
    if constexpr (OneTrajectory<S>) {
        if (properties.nonholonomic > 0) {
            rolling_end_.emplace(system);
        }
        has_newton_ = has_spark_matrix(properties, layout().unknowns());
        if (!has_newton_ && (properties.reactions_in_forces || properties.nonholonomic > 0)) {
            throw InputError(fmt::format(
                "spark({}) has {} unknowns per step for this model; with {} and masses that are not constant and "
                "diagonal at most {} are supported, and 128 coordinates; use fewer stages, a smaller model, or "
                "coordinates with constant masses, such as rigid bodies and joints",
                stages, layout().unknowns(),
                properties.nonholonomic > 0 ? "nonholonomic constraints" : "forces that depend on multipliers",
                most_spark_unknowns));
        }
        newton_first_ = has_newton_ && needs_newton(properties, treatment());
    }
    may_be_stiff_ = declares_stiff_terms(treatment());
    tries_structured_ = may_be_stiff_ && !needs_newton(properties, treatment());
}

template <class S>
void SparkMap<S>::prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) {
    unknowns_.forget();
    newton_steps_left_ = next_newton_steps_left_ = full_steps_left_ = next_full_steps_left_ = 0;
    if (layout().constraints > 0) {
        z.at.evaluate_constraints(*system_, *matrix_, t, z.q.high, z.p.high, evaluations);
    }
}

template <class S>
MapReport<S> SparkMap<S>::apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) {
    const auto x = unknowns_.current(step.slot);
    if (step.again) {
        rescale_increments(x.first(layout().first_multiplier()), step.h, last_h_);
    } else if (unknowns_.knows(step.slot)) {
        unknowns_.predict(step.slot);
    } else {
        guess(step, z0, x, evaluations);
    }
    stages_.choose_direction(step.h);
    if constexpr (OneTrajectory<S>) {
        return apply_any_way(step, z0, z1, x, evaluations);
    } else {
        return apply_structured(step, z0, z1, x, evaluations);
    }
}

template <class S>
MapReport<S> SparkMap<S>::apply_structured(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                                           Evaluations<S>& evaluations) {
    const auto iteration = solve_structured(step, z0, x, evaluations);
    auto report = end(step, z0, z1, x, iteration, evaluations);
    if (layout().constraints > 0) {
        const auto doubtful = either(nearly_dependent(z0.at, z1.at), may_pass_dependence(z0.at));
        report.converged = select(doubtful, lit<Real<S>>(0), report.converged);
    }
    return report;
}

template <class S>
typename SparkMap<S>::Way SparkMap<S>::way() const {
    if (treatment().full_newton && has_newton_) {
        return Way::full;
    }
    const bool newton = newton_first_ || (tries_structured_ && newton_steps_left_ > 0);
    return !newton ? Way::structured : full_steps_left_ > 0 ? Way::full : Way::simplified;
}

template <class S>
MapReport<S> SparkMap<S>::apply_any_way(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                                        Evaluations<S>& evaluations) requires OneTrajectory<S> {
    std::copy(x.begin(), x.end(), guessed_.begin());
    auto latest = way();
    auto iteration = solve(latest, step, z0, x, evaluations);
    bool solved = equal(iteration.converged, lit<Real<S>>(1));
    bool left_domain = !solved && !is_finite(iteration.residual);
    next_newton_steps_left_ = std::max<std::int64_t>(0, newton_steps_left_ - 1);
    next_full_steps_left_ = std::max<std::int64_t>(0, full_steps_left_ - 1);
    const auto try_again = [&](Way next) {
        latest = next;
        std::copy(guessed_.begin(), guessed_.end(), x.begin());
        iteration = solve(next, step, z0, x, evaluations);
        solved = equal(iteration.converged, lit<Real<S>>(1));
        left_domain = left_domain && !solved;
    };
    if (has_newton_ && tries_structured_ && latest == Way::structured && !solved) {
        next_newton_steps_left_ = steps_between_trials;
        try_again(Way::simplified);
    }
    if (latest == Way::simplified && less(lit<Real<S>>(most_simplified_passes), iteration.passes)) {
        next_full_steps_left_ = steps_between_trials;
    }
    if (has_newton_ && latest != Way::full && !solved) {
        try_again(Way::full);
    }
    auto report = end(step, z0, z1, x, iteration, evaluations);
    if (left_domain) {
        report = keep_to_domain(step, z0, z1, x, evaluations).value_or(report);
    }
    const bool arrived = equal(report.converged, lit<Real<S>>(1));
    const std::size_t half = layout().first_multiplier() / 2;
    const auto has_strayed = [&] {
        return arrived && has_jumped(judge_, step, z0, z1) &&
               has_surprised(judge_, z0, std::span<const S>(x).subspan(half, half),
                             std::span<const S>(guessed_).subspan(half, half));
    };
    if (has_newton_ && layout().constraints > 0 && layout().nonholonomic == 0 &&
        (nearly_dependent(z0.at, z1.at) || has_strayed())) {
        report = follow(step, z0, z1, x, guessed_, arrived, evaluations);
    }
    return report;
}

template <class S>
MapReport<S> SparkMap<S>::end(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<const S> x,
                              const IterationReport<Real<S>>& iteration, Evaluations<S>& evaluations) {
    stages_.evaluate(step, z0, x);
    stages_.end_position(step, z0, z1.q);
    stages_.end_momentum(step, z0, z1.p);
    last_h_ = step.h;
    MapReport<S> report{iteration.converged, iteration.residual, lit<Real<S>>(1)};
    z1.at.standing.follow(z0.at.standing);
    finish(step, z0, z1, report, evaluations);
    return report;
}

template <class S>
StageSlopes<S> SparkMap<S>::slopes() const {
    const auto& weights = stages_.constraint_weights();
    const std::size_t last = layout().stages - 1;
    slopes_p_.assign(stages_.momentum_slopes().begin(), stages_.momentum_slopes().end());
    if (layout().constraints > 0 && !layout().solves_hidden()) {
        add_last_reaction<S>(projection_.kick(), S(last_h_ * weights.a(last, last)),
                             std::span(slopes_p_).last(layout().dimension));
    }
    return {layout().stages, stages_.velocities(), slopes_p_};
}

// The first guess of all: the tangent, with the multipliers of the exact solution. [Jay 1996, (3.1f)] Momenta of stiff
// systems stay where they are: their tangent may point anywhere.
template <class S>
void SparkMap<S>::guess(const Substep<S>& step, const State<S>& z0, std::span<S> x, Evaluations<S>& evaluations) {
    const std::span<S> v = part_;
    std::fill(x.begin(), x.end(), zero());
    system_->velocity(step.t, z0.q.high, z0.p.high, v);
    system_->force_gradient(step.t, z0.q.high, z0.p.high, sum_);
    evaluations.add(Evaluations<S>::force);
    for (auto& slope : sum_) {
        slope = -slope;
    }
    Manifold<S>(*system_).multipliers(step.t, z0.q.high, z0.p.high, row_);
    for (std::size_t i = 0; i < layout().stages_with_multipliers; ++i) {
        std::copy(row_.begin(), row_.end(), layout().multipliers(x, i).begin());
    }
    if (auto* forces = system_->forces()) {
        forces->add_to(step.t, z0.q.high, v, row_, sum_);
    }
    for (auto& value : row_) {
        value = -value;
    }
    if (layout().constraints > 0) {
        add_transposed<S>(system_->pattern(), z0.at.G, row_, sum_);
    }
    for (std::size_t i = 0; i < layout().stages; ++i) {
        const S ch = stages_.constraint_weights().c(i) * step.h;
        for (std::size_t k = 0; k < v.size(); ++k) {
            layout().z(x, i)[k] = ch * v[k];
            layout().y(x, i)[k] = may_be_stiff_ || newton_first_ ? zero() : S(ch * sum_[k]);
        }
    }
}

template <class S>
IterationReport<Real<S>> SparkMap<S>::solve(Way way, const Substep<S>& step, const State<S>& z0, std::span<S> x,
                                            Evaluations<S>& evaluations) requires OneTrajectory<S> {
    if (way == Way::structured) {
        return solve_structured(step, z0, x, evaluations);
    }
    std::ranges::fill(stages_.momentum_noise(), zero());
    std::ranges::fill(stages_.position_noise(), zero());
    auto control = stages_.floors().control();
    if (way == Way::simplified) {
        linearise(step, z0, x, true);
        control.max_passes = 60;
    } else {
        control.max_passes = 40;
        control.patience = 3;
    }
    const auto report = iterate(control, x, std::span<S>(correction_), [&](std::span<const S> now, std::span<S> dx) {
        stages_.evaluate(step, z0, now);
        if (renews_matrix(way)) {
            linearise(step, z0, now, false);
        }
        const auto worst = stages_.residuals(step, z0, now, dx);
        correct_newton(dx);
        if (way == Way::damped) {
            shorten_into_domain(step, z0, now, dx, evaluations);
        }
        return worst;
    });
    count(way, report, evaluations);
    return report;
}

template <class S>
SparkMatrix<S>& SparkMap<S>::newton() requires OneTrajectory<S> {
    if (!newton_) {
        newton_ = make_spark_matrix(*system_, layout());
    }
    return *newton_;
}

template <class S>
void SparkMap<S>::linearise(const Substep<S>& step, const State<S>& z0, std::span<const S> x,
                            bool same) requires OneTrajectory<S> {
    for (std::size_t i = 0; i < (same ? 1 : layout().stages); ++i) {
        newton().linearise(i, same ? stages_.start_point(step, z0, x) : stages_.stage_point(step, z0, x, i));
    }
    newton().assemble({step.h, &stages_.coefficients().mixes, &stages_.constraint_weights(), &stages_.rolling(), same});
    newton().noise(z0.q.high, z0.p.high, noise_p_, noise_q_);
    const S eps_h = from_real<S>(epsilon<S>()) * magnitude(step.h);
    for (std::size_t k = 0; k < layout().dimension; ++k) {
        stages_.momentum_noise()[k] = eps_h * noise_p_[k];
        stages_.position_noise()[k] = eps_h * noise_q_[k];
    }
}

template <class S>
void SparkMap<S>::correct_newton(std::span<S> dx) requires OneTrajectory<S> {
    for (std::size_t i = 0; i < layout().stages_with_multipliers; ++i) {
        const auto rows = stages_.constraint_rows(i + 1), side = layout().multipliers(dx, i);
        for (std::size_t l = 0; l < rows.size(); ++l) {
            side[l] = -rows[l];
        }
        for (std::size_t l = 0; l < layout().nonholonomic; ++l) {
            side[rows.size() + l] = -stages_.rolling().rows(i)[l];
        }
    }
    newton().solve(dx);
}

// Leaves in z1.at what the next step needs.
template <class S>
void SparkMap<S>::finish(const Substep<S>& step, const State<S>& z0, State<S>& z1, MapReport<S>& report,
                         Evaluations<S>& evaluations) {
    if constexpr (OneTrajectory<S>) {
        if (layout().nonholonomic > 0) {
            finish_rolling(step, z1, report, evaluations);
            return;
        }
    }
    if (layout().constraints == 0) {
        return;
    }
    z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
    const auto arrived = equal(report.converged, lit<Real<S>>(1));
    stages_.find_floors(step, z0);  // of x: in lanes, the last pass belonged to the slowest
    report.residual =
        select(arrived, stages_.floors().of_constraints(stages_.constraint_rows(layout().stages - 1)), report.residual);
    // Where G v1 = 0 is one of the equations, it is solved as well as the noise of stiff terms allows; this takes the
    // rest away.
    if (step.ending == Ending::on_manifold) {
        report.join(projection_.momentum(step.t1, z1, evaluations));
    }
    // Where the iteration did not arrive, the pivot says nothing about the motion.
    report.pivot = select(arrived, z1.at.pivot, lit<Real<S>>(1));
}

// All conditions are among the equations already. Where the rounding of q1 spoils k, p1 is moved onto all of them at
// once.
template <class S>
void SparkMap<S>::finish_rolling(const Substep<S>& step, State<S>& z1, MapReport<S>& report,
                                 Evaluations<S>& evaluations) requires OneTrajectory<S> {
    z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
    if (!equal(report.converged, lit<Real<S>>(1))) {
        return;  // the pivot says nothing about the motion
    }
    report.pivot = rolling_end_->least_angle(step.t1, z1.q.high, z1.p.high);
    if (step.ending == Ending::on_manifold && less(from_double<Real<S>>(rank_tolerance), report.pivot) &&
        stages_.end_is_rough(step)) {
        std::ranges::copy(z1.p.high, sum_.begin());
        rolling_end_->project_momentum(step.t1, z1.q.high, sum_);
        for (std::size_t k = 0; k < sum_.size(); ++k) {
            const auto moved = add(z1.p.high[k], z1.p.low[k], S(sum_[k] - z1.p.high[k]));
            z1.p.high[k] = moved.high;
            z1.p.low[k] = moved.low;
        }
    }
}

template <class S>
void SparkMap<S>::count(Way way, const IterationReport<Real<S>>& iteration, Evaluations<S>& evaluations) {
    const S passes = lit<S>(1) + from_real<S>(iteration.passes);
    const S stages = lit<S>(static_cast<std::int64_t>(layout().stages));
    evaluations.add(Evaluations<S>::force, passes * stages);
    if (layout().constraints > 0) {
        evaluations.add(Evaluations<S>::constraint, passes * (stages - lit<S>(1)));
        const auto jacobians = layout().stages_with_multipliers - (stages_.starts_at_start() ? 1 : 0);
        evaluations.add(Evaluations<S>::jacobian, passes * lit<S>(static_cast<std::int64_t>(jacobians)));
    }
    evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(iteration.passes));
    if (way != Way::structured) {
        evaluations.add(Evaluations<S>::factorizations, renews_matrix(way) ? passes : lit<S>(1));
    }
}

#define LIBRATION_INSTANTIATE(scalar) template class SparkMap<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
