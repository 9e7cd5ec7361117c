// The iteration with frozen forces. A part of spark_map.cpp.
#pragma once

#include "methods/spark_map.hpp"

#include <algorithm>

namespace libration {

// Where terms may be stiff: beyond this many passes a matrix with all derivatives is worth its price.
inline constexpr int most_structured_passes = 40;

template <class S>
IterationReport<Real<S>> SparkMap<S>::solve_structured(const Substep<S>& step, const State<S>& z0, std::span<S> x,
                                                       Evaluations<S>& evaluations) {
    std::ranges::fill(stages_.momentum_noise(), zero());
    std::ranges::fill(stages_.position_noise(), zero());
    auto control = stages_.floors().control();
    if (tries_structured_ && (has_newton_ || !OneTrajectory<S>)) {
        control.max_passes = most_structured_passes;
    }
    const auto report = iterate(control, x, std::span<S>(correction_), [&](std::span<const S> now, std::span<S> dx) {
        stages_.evaluate(step, z0, now);
        const auto worst = stages_.residuals(step, z0, now, dx);
        correct_structured(step, z0, dx);
        return worst;
    });
    count(Way::structured, report, evaluations);
    return report;
}

// dy_i = ry_i - h sum_k a_ik G^T dLambda_k, then dz_i = rz_i + h sum_j a_ij H_pp dy_j
template <class S>
void SparkMap<S>::correct_structured(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
    const std::size_t s = layout().stages;
    if (layout().constraints > 0) {
        find_multipliers(step, z0, dx);
        std::fill(reactions_.begin(), reactions_.end(), zero());
        for (std::size_t i = 0; i < layout().stages_with_multipliers; ++i) {
            add_transposed<S>(system_->pattern(), z0.at.G, layout().multipliers(dx, i), stage(reactions_, i));
        }
        for (std::size_t i = 0; i < s; ++i) {
            stages_.mixed_sum(treatment().reaction, i, reactions_, sum_);
            const auto dy = layout().y(dx, i);
            for (std::size_t k = 0; k < dy.size(); ++k) {
                dy[k] = mad(S(-step.h), sum_[k], dy[k]);
            }
        }
    }
    for (std::size_t i = 0; i < s; ++i) {
        system_->solve_mass(step.t, z0.q.high, z0.p.high, layout().y(dx, i), stage(moved_, i));
    }
    for (std::size_t i = 0; i < s; ++i) {
        stages_.mixed_sum(treatment().position, i, moved_, sum_);
        const auto dz = layout().z(dx, i);
        for (std::size_t k = 0; k < dz.size(); ++k) {
            dz[k] = mad(step.h, sum_[k], dz[k]);
        }
    }
}

// h^2 (A_IIIA A_w x G H_pp G^T) dLambda = g + h G H_pp sum_j a_ij ry_j
template <class S>
void SparkMap<S>::find_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
    const std::size_t r = layout().stages - 1, m = layout().constraints,
                      increments = dx.size() - layout().stages_with_multipliers * m;
    for (std::size_t i = 1; i <= r; ++i) {
        stages_.constraint_weights().stage_sum(i, dx.subspan(increments / 2, increments / 2), sum_);
        for (auto& value : sum_) {
            value = step.h * value;
        }
        system_->solve_mass(step.t, z0.q.high, z0.p.high, sum_, part_);
        apply_jacobian<S>(system_->pattern(), z0.at.G, part_, row_);
        const auto rows = stages_.constraint_rows(i);
        for (std::size_t l = 0; l < m; ++l) {
            rows[l] = rows[l] + row_[l];
        }
        matrix_->solve(z0.at.A, rows);
    }
    const S scale = lit<S>(1) / (step.h * step.h);
    for (std::size_t k = 0; k < r; ++k) {
        const auto delta = layout().multipliers(dx, k);
        for (std::size_t l = 0; l < m; ++l) {
            S sum = inverse_coupling_[k * r] * stages_.constraint_rows(1)[l];
            for (std::size_t i = 1; i < r; ++i) {
                sum = mad(inverse_coupling_[k * r + i], stages_.constraint_rows(i + 1)[l], sum);
            }
            delta[l] = scale * sum;
        }
    }
    if (layout().solves_hidden()) {
        find_last_multipliers(step, z0, dx);
    }
}

// h sum_k b_k dLambda_k = (G H_pp G^T)^-1 G v1
template <class S>
void SparkMap<S>::find_last_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
    const std::size_t last = layout().stages - 1;
    const auto& weights = stages_.constraint_weights();
    const auto rows = stages_.hidden_rows(), delta = layout().multipliers(dx, last);
    matrix_->solve(z0.at.A, rows);
    for (std::size_t l = 0; l < rows.size(); ++l) {
        S sum = rows[l] / step.h;
        for (std::size_t k = 0; k < last; ++k) {
            sum = mad(S(-weights.a(last, k)), layout().multipliers(dx, k)[l], sum);
        }
        delta[l] = sum / weights.a(last, last);
    }
}

}  // namespace libration
