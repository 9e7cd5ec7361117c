// What round-off allows of the stages of a step: the unit in which their residuals are measured.
//
// Rounding of g of the size f, its floor, makes noise of the size (A0 Ahat0)^-1 f / h^2 in the multipliers, hence in
// the momenta (across the manifold) and positions of the stages. The floor of an increment is its own rounding plus
// this noise. Increments are compared in coordinates weighted by the square root of the mass, the largest of them sets
// the floor: a coordinate that happens to rest is not asked for more than the others.
#pragma once

#include "manifold/constraint_matrix.hpp"
#include "manifold/solve.hpp"
#include "stage_scheme.hpp"
#include <libration/kit/map.hpp>

namespace libration {

template <class S>
class StageFloors {
  public:
    StageFloors(System<S>& system, const StageScheme& scheme, bool constrained)
        : system_(&system), matrix_(constraint_matrix(system)), constrained_(constrained),
          rows_(constrained ? system.constraints() : 0, lit<S>(0)), solved_(rows_),
          noise_q_(system.dimension(), lit<S>(0)), noise_p_(system.dimension(), lit<S>(0)),
          size_(system.dimension(), lit<S>(0)), weight_(system.dimension(), lit<S>(1)) {
        const auto inverse_masses = system.inverse_masses();
        for (std::size_t k = 0; k < inverse_masses.size(); ++k) {
            weight_[k] = sqrt(inverse_masses[k]);
        }
        if (constrained) {
            find_amplification(scheme);
        }
    }

    // `force_size`: the sum of the magnitudes of forces and reactions over the stages, even where they cancel;
    // `velocities`: of the stages one after another.
    void find(const Substep<S>& step, const State<S>& z0, std::span<const S> force_size,
              std::span<const S> velocities) {
        const std::size_t d = size_.size(), stages = velocities.size() / d;
        const S eps = from_real<S>(epsilon<S>()), h = magnitude(step.h), eps_h = eps * h;
        for (std::size_t k = 0; k < d; ++k) {
            size_[k] = lit<S>(0);
            for (std::size_t j = 0; j < stages; ++j) {
                size_[k] = size_[k] + magnitude(velocities[j * d + k]);
            }
        }
        if (constrained_) {
            find_noise(step, z0, force_size);
        }
        momentum_ = lit<S>(0);
        position_ = lit<S>(0);
        for (std::size_t k = 0; k < d; ++k) {
            momentum_ = larger_parts(momentum_, S(weight_[k] * mad(eps_h, force_size[k], noise_p_[k])));
            position_ = larger_parts(position_, S(mad(eps_h, size_[k], noise_q_[k]) / weight_[k]));
        }
    }

    // Residuals in floors.
    [[nodiscard]] Real<S> of_momentum(std::span<const S> residual) const {
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t k = 0; k < residual.size(); ++k) {
            worst = worse(worst, floors(S(weight_[k] * residual[k]), momentum_));
        }
        return worst;
    }
    [[nodiscard]] Real<S> of_position(std::span<const S> residual) const {
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t k = 0; k < residual.size(); ++k) {
            worst = worse(worst, floors(S(residual[k] / weight_[k]), position_));
        }
        return worst;
    }
    // The same where noise of its own is known of each component.
    [[nodiscard]] Real<S> of_momentum(std::span<const S> residual, std::span<const S> noise) const {
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t k = 0; k < residual.size(); ++k) {
            worst = worse(worst, floors(S(weight_[k] * residual[k]), mad(weight_[k], noise[k], momentum_)));
        }
        return worst;
    }
    [[nodiscard]] Real<S> of_position(std::span<const S> residual, std::span<const S> noise) const {
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t k = 0; k < residual.size(); ++k) {
            worst = worse(worst, floors(S(residual[k] / weight_[k]), S(noise[k] / weight_[k] + position_)));
        }
        return worst;
    }
    [[nodiscard]] Real<S> of_constraints(std::span<const S> residual) const {
        return largest_in_floors<S>(residual, rows_);
    }

    // Convergence is linear: 34 digits at a large step take more than a hundred passes. The amplification may keep the
    // residual from coming down further; then the iteration may stop because it stagnates.
    [[nodiscard]] IterationControl control() const {
        return {.max_passes = 200, .stagnation = 64 * amplification_, .patience = 8, .correct_last = true};
    }

  private:
    void find_noise(const Substep<S>& step, const State<S>& z0, std::span<const S> force_size) {
        const S h = magnitude(step.h);
        const auto& pattern = system_->pattern();
        // What a step adds to q: the way of the velocity, and that of forces and reactions.
        system_->solve_mass(step.t, z0.q.high, z0.p.high, force_size, noise_q_);
        for (std::size_t k = 0; k < size_.size(); ++k) {
            noise_q_[k] = h * mad(h, magnitude(noise_q_[k]), size_[k]) / weight_[k];
        }
        const S least = least_size<S>(noise_q_);
        for (std::size_t k = 0; k < size_.size(); ++k) {
            noise_q_[k] = mad(weight_[k], larger_parts(noise_q_[k], least), held_size(z0.q.high[k]));
        }
        constraint_floors<S>(pattern, z0.at.G, noise_q_, z0.at.rounding, rows_);
        std::copy(rows_.begin(), rows_.end(), solved_.begin());
        matrix_->solve(z0.at.A, solved_);
        for (auto& value : solved_) {
            value = magnitude(value);
        }
        std::fill(noise_p_.begin(), noise_p_.end(), lit<S>(0));
        add_transposed_sizes<S>(pattern, z0.at.G, solved_, noise_p_);
        system_->solve_mass(step.t, z0.q.high, z0.p.high, noise_p_, noise_q_);
        S p_factor = amplification_p_ / h;
        if constexpr (!std::is_same_v<S, Real<S>>) {  // a step that has a tangent makes that of 1/h negative
            p_factor = magnitude(p_factor);
        }
        for (std::size_t k = 0; k < noise_p_.size(); ++k) {
            noise_p_[k] = p_factor * noise_p_[k];
            noise_q_[k] = amplification_q_ * magnitude(noise_q_[k]);
        }
    }

    // How much rounding of g at the stages, as it passes through (A0 Ahat0)^-1, moves momenta and positions of the
    // stages.
    void find_amplification(const StageScheme& scheme) {
        const auto inverse = scheme.inverse_coupling();
        const std::size_t s = scheme.q.stages, r = scheme.rows.size();
        Wide p = 1, q = 1;
        std::vector<Wide> of_stage(s, Wide{0});
        for (std::size_t i = 0; i < s; ++i) {
            for (std::size_t k = 0; k < r * r; ++k) {
                of_stage[i] += wide_abs(scheme.p.a(i, scheme.columns[k / r])) * wide_abs(inverse[k]);
            }
            p = std::max(p, of_stage[i]);
        }
        for (std::size_t i = 0; i < s; ++i) {
            Wide sum = 0;
            for (std::size_t j = 0; j < s; ++j) {
                sum += wide_abs(scheme.q.a(i, j)) * of_stage[j];
            }
            q = std::max(q, sum);
        }
        amplification_ = static_cast<std::int64_t>(q) + 1;
        amplification_p_ = as_scalar<S>(p);
        amplification_q_ = as_scalar<S>(q);
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    bool constrained_;
    std::vector<S> rows_, solved_, noise_q_, noise_p_, size_, weight_;
    S momentum_ = lit<S>(0), position_ = lit<S>(0);
    std::int64_t amplification_ = 1;
    S amplification_p_ = lit<S>(1), amplification_q_ = lit<S>(1);
};

}  // namespace libration
