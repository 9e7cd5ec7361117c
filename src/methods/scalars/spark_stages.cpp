// Evaluation of the stages of a SPARK step.
#include "methods/spark_stages.hpp"

#include <algorithm>

namespace libration {

namespace {

template <class S>
SparkLayout layout_of(const System<S>& system, const Treatment& how, std::size_t stages) {
    const auto nonholonomic = system.properties().nonholonomic;
    bool all = system.properties().reactions_in_forces || nonholonomic > 0;
    for (const auto direction : {Direction::forward, Direction::backward}) {
        all = all || !last_multiplier_is_separate(how, spark_scheme(how, stages, direction));
    }
    return {stages, system.dimension(), system.constraints(),
            reaction_count(system) == 0 ? 0 : (all ? stages : stages - 1), nonholonomic};
}

std::vector<std::size_t> mixes_with_direction(const SparkScheme& forward, const SparkScheme& backward) {
    std::vector<std::size_t> mixes;
    for (std::size_t mix = 0; mix < forward.mixes.size(); ++mix) {
        if (forward.mixes[mix].A != backward.mixes[mix].A) {
            mixes.push_back(mix);
        }
    }
    return mixes;
}

}  // namespace

template <class S>
SparkStages<S>::SparkStages(System<S>& system, std::size_t stages)
    : system_(&system), treatment_(libration::treatment(system.properties().terms)), terms_(system),
      layout_(layout_of(system, treatment_, stages)), entries_(system.pattern().entries()),
      starts_at_start_(treatment().position == ComponentMixes(0)), mixes_(momentum_mixes(treatment())),
      forward_(spark_scheme(treatment(), stages, Direction::forward)),
      backward_(spark_scheme(treatment(), stages, Direction::backward)), chosen_(forward_),
      directed_(mixes_with_direction(spark_scheme(treatment(), stages, Direction::forward),
                                     spark_scheme(treatment(), stages, Direction::backward))),
      constraint_(tableau(Family::lobatto_a, stages)), rolling_(system, constraint_),
      floors_(system, lobatto_scheme(stages), system.constraints() > 0), V_(stages * system.dimension(), zero()),
      sum_(system.dimension(), zero()), part_(sum_), force_size_(sum_), noise_p_(sum_), noise_q_(sum_),
      no_multipliers_(reaction_count(system), zero()), slopes_(treatment().mixes.size(), V_), total_(V_),
      G_(stages * entries_, zero()), G_end_(entries_, zero()), rows_(stages * system.constraints(), zero()),
      row_(system.constraints(), zero()), v1_(sum_), Q_(sum_.size()), P_(sum_.size()), q1_(sum_.size()),
      p1_(sum_.size()) {}

template <class S>
void SparkStages<S>::evaluate(const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
    std::fill(force_size_.begin(), force_size_.end(), zero());
    rolling_.begin();
    for (std::size_t i = 0; i < layout_.stages; ++i) {
        evaluate_stage(step, z0, x, i);
    }
    if (layout_.constraints > 0) {
        evaluate_constraints(step, z0);
    }
    if (layout_.nonholonomic > 0) {
        evaluate_rolling(step, z0);
    }
}

template <class S>
void SparkStages<S>::evaluate_stage(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::size_t i) {
    const S t = time(step, i);
    add_scaled<S>(z0.q, lit<S>(1), layout_.z(x, i), Q_);
    add_scaled<S>(z0.p, lit<S>(1), layout_.y(x, i), P_);
    const auto v = stage(V_, i);
    system_->velocity(t, Q_.high, P_.high, v);
    if (i == 0 && starts_at_start_) {
        std::ranges::copy(z0.at.G, jacobian(0).begin());
    } else if (i < layout_.stages_with_multipliers) {
        system_->jacobian(t, Q_.high, jacobian(i));
    }
    terms_.slopes(
        {t, Q_.high, P_.high, v, multipliers(x, i), jacobian(i)}, [&](std::size_t w) { return stage(slopes_[w], i); },
        force_size_);
    if (layout_.nonholonomic > 0) {
        rolling_.add_stage(i, t, Q_.high, v);
    }
}

template <class S>
void SparkStages<S>::evaluate_constraints(const Substep<S>& step, const State<S>& z0) {
    for (std::size_t i = 1; i + 1 < layout_.stages; ++i) {
        constraint_.stage_sum(i, V_, sum_);
        add_scaled<S>(z0.q, step.h, sum_, q1_);
        system_->constraint(time(step, i), q1_.high, q1_.low, constraint_rows(i));
    }
    end_position(step, z0, q1_);
    system_->constraint(step.t1, q1_.high, q1_.low, constraint_rows(layout_.stages - 1));
    if (layout_.solves_hidden()) {
        end_momentum(step, z0, p1_);
        system_->velocity(step.t1, q1_.high, p1_.high, v1_);
        system_->jacobian(step.t1, q1_.high, G_end_);
        apply_jacobian<S>(system_->pattern(), G_end_, v1_, hidden_rows());
        system_->constraint_rate(step.t1, q1_.high, row_);
        for (std::size_t l = 0; l < row_.size(); ++l) {
            hidden_rows()[l] = hidden_rows()[l] + row_[l];
        }
    }
}

template <class S>
void SparkStages<S>::evaluate_rolling(const Substep<S>& step, const State<S>& z0) {
    if (layout_.constraints == 0) {  // otherwise the end is known already
        end_position(step, z0, q1_);
        end_momentum(step, z0, p1_);
        system_->velocity(step.t1, q1_.high, p1_.high, v1_);
    }
    rolling_.set_end(step.t1, q1_.high, v1_);
}

template <class S>
void SparkStages<S>::end_momentum(const Substep<S>& step, const State<S>& z0, PairVector<S>& p) {
    std::ranges::copy(slopes_[mixes_[0]], total_.begin());
    for (std::size_t n = 1; n < mixes_.size(); ++n) {
        const auto& slopes = slopes_[mixes_[n]];
        for (std::size_t k = 0; k < total_.size(); ++k) {
            total_[k] = total_[k] + slopes[k];
        }
    }
    constraint_.step(z0.p, step.h, total_, layout_.dimension, 0, p);
}

template <class S>
void SparkStages<S>::mixed_sum(const ComponentMixes& mixes, std::size_t i, std::span<const S> X, std::span<S> sum) {
    const auto& with = coefficients();
    if (mixes.uniform()) {
        with.mixes[mixes[0]].stage_sum(i, X, sum);
        return;
    }
    for (std::size_t w = 0; w < with.mixes.size(); ++w) {
        with.mixes[w].stage_sum(i, X, part_);
        for (std::size_t k = 0; k < layout_.dimension; ++k) {
            if (mixes[k] == w) {
                sum[k] = part_[k];
            }
        }
    }
}

template <class S>
Real<S> SparkStages<S>::residuals(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx) {
    const auto& with = coefficients();
    find_floors(step, z0);
    Real<S> worst = lit<Real<S>>(0);
    for (std::size_t i = 0; i < layout_.stages; ++i) {
        const auto rz = layout_.z(dx, i), ry = layout_.y(dx, i);
        mixed_sum(treatment().position, i, V_, rz);
        with.mixes[mixes_[0]].stage_sum(i, slopes_[mixes_[0]], ry);
        for (std::size_t n = 1; n < mixes_.size(); ++n) {
            with.mixes[mixes_[n]].stage_sum(i, slopes_[mixes_[n]], part_);
            for (std::size_t k = 0; k < layout_.dimension; ++k) {
                ry[k] = ry[k] + part_[k];
            }
        }
        for (std::size_t k = 0; k < layout_.dimension; ++k) {
            rz[k] = mad(step.h, rz[k], S(-layout_.z(x, i)[k]));
            ry[k] = mad(step.h, ry[k], S(-layout_.y(x, i)[k]));
        }
        worst = worse(worst, floors_.of_position(rz, noise_q_));
        worst = worse(worst, floors_.of_momentum(ry, noise_p_));
    }
    for (std::size_t i = 1; i < layout_.stages && layout_.constraints > 0; ++i) {
        worst = worse(worst, floors_.of_constraints(constraint_rows(i)));
    }
    if (layout_.nonholonomic > 0) {
        worst = worse(worst, rolling_residual(step));
    }
    return layout_.solves_hidden() ? worse(worst, hidden_residual(step)) : worst;
}

template <class S>
S SparkStages<S>::speed_at_end(const Substep<S>& step) {
    system_->solve_mass(step.t1, q1_.high, p1_.high, force_size_, part_);
    S size = zero();
    for (std::size_t k = 0; k < layout_.dimension; ++k) {
        size = larger_parts(size, S(magnitude(v1_[k]) + magnitude(V_[k]) + magnitude(step.h) * magnitude(part_[k])));
    }
    system_->solve_mass(step.t1, q1_.high, p1_.high, noise_p_, part_);
    return size;
}

template <class S>
Real<S> SparkStages<S>::rolling_residual(const Substep<S>& step) {
    const S speed = speed_at_end(step);
    return rolling_.residual(q1_.high, speed, part_);
}

// In units of the rounding of G v, where v is known to the digits of itself and of what the step adds to it, and not
// better than the noise of stiff terms allows.
template <class S>
Real<S> SparkStages<S>::hidden_residual(const Substep<S>& step) {
    const auto& pattern = system_->pattern();
    const S size = speed_at_end(step);
    for (std::size_t i = 0; i < layout_.constraints; ++i) {
        S sum = zero(), noise = zero();
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            sum = mad(magnitude(G_end_[e]), size, sum);
            noise = mad(magnitude(G_end_[e]), magnitude(part_[pattern.column[e]]), noise);
        }
        row_[i] = mad(from_real<S>(epsilon<S>()), sum, noise);
    }
    return largest_in_floors<S>(hidden_rows(), row_);
}

template <class S>
StagePoint<S> SparkStages<S>::start_point(const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
    system_->velocity(step.t, z0.q.high, z0.p.high, v1_);
    return {step.t, z0.q.high, z0.p.high, v1_, multipliers(x, 0), z0.at.G};
}

template <class S>
StagePoint<S> SparkStages<S>::stage_point(const Substep<S>& step, const State<S>& z0, std::span<const S> x,
                                          std::size_t i) {
    add_scaled<S>(z0.q, lit<S>(1), layout_.z(x, i), Q_);
    add_scaled<S>(z0.p, lit<S>(1), layout_.y(x, i), P_);
    if (i >= layout_.stages_with_multipliers && layout_.constraints > 0) {
        system_->jacobian(time(step, i), Q_.high, jacobian(i));
    }
    return {time(step, i), Q_.high, P_.high, stage(V_, i), multipliers(x, i), jacobian(i)};
}

#define LIBRATION_INSTANTIATE(scalar) template class SparkStages<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
