// Implicit Runge-Kutta methods for z' = f(t, z), z = (q, p), f = (H_p, -H_q) or a field. No constraints.
//
//     z_i = h sum_j a_ij f(t + c_j h, z_0 + z_j)        z_1 = z_0 + h sum_j b_j f(t + c_j h, z_0 + z_j)
//
// The unknowns are the increments z_i, which have less round-off than the stages; they are solved for to round-off,
// since what an iteration leaves has a direction and adds up. [Hairer-McLachlan-Razakarivony 2008] Small systems with
// dense derivatives: Newton's method with the matrix I - h A (x) f_z(z_0), as good for stiff systems. All others:
// fixed-point iteration.
#pragma once

#include "attempts.hpp"
#include "manifold/dense_lu.hpp"
#include "multiplier_slots.hpp"
#include "stage_weights.hpp"
#include <libration/kit/iterate.hpp>
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

namespace libration {

// Beyond this many unknowns the dense factorisation costs more than it saves.
inline constexpr std::size_t most_newton_unknowns = 400;

// Whether each stage needs only those before it.
inline bool is_explicit(const Tableau& tableau) {
    for (std::size_t i = 0; i < tableau.stages; ++i) {
        for (std::size_t j = i; j < tableau.stages; ++j) {
            if (tableau.a(i, j) != 0) {
                return false;
            }
        }
    }
    return true;
}

template <class S>
class RungeKuttaMap final : public Map<S> {
  public:
    RungeKuttaMap(System<S>& system, Family family, std::size_t stages)
        : RungeKuttaMap(system, tableau(family, stages)) {}

    RungeKuttaMap(System<S>& system, const Tableau& tableau)
        : system_(&system), weights_(tableau), n_(2 * system.dimension()), unknowns_(tableau.stages * n_),
          explicit_(is_explicit(tableau)),
          newton_(!explicit_ && system.properties().dense_derivatives && unknowns_ <= most_newton_unknowns),
          past_(explicit_ ? 0 : unknowns_), z_(n_, lit<S>(0)), sum_(n_, lit<S>(0)), noise_(n_, lit<S>(0)),
          f_(unknowns_, lit<S>(0)), correction_(unknowns_, lit<S>(0)), J_(newton_ ? n_ * n_ : 0, lit<S>(0)),
          matrix_(newton_ ? unknowns_ * unknowns_ : 0, lit<S>(0)), pivots_(newton_ ? unknowns_ : 0) {}

    void reserve(std::size_t slots) override { past_.reserve(slots); }
    void prepare(const S&, State<S>&, Evaluations<S>&) override { past_.forget(); }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const auto report = explicit_ ? run_explicit(step, z0, evaluations) : solve(step, z0, evaluations);
        weights_.step(z0.q, step.h, f_, n_, 0, z1.q);
        weights_.step(z0.p, step.h, f_, n_, n_ / 2, z1.p);
        last_h_ = step.h;
        return {report.converged, report.residual, lit<Real<S>>(1)};
    }

    void accept() override { past_.accept(); }
    void visit(MemoryVisitor<S>& visitor) override { past_.visit(visitor); }

    [[nodiscard]] StageSlopes<S> slopes() const override {
        const std::size_t d = n_ / 2, stages = weights_.stages();
        slopes_.resize(stages * n_, lit<S>(0));
        for (std::size_t i = 0; i < stages; ++i) {
            for (std::size_t k = 0; k < d; ++k) {
                slopes_[i * d + k] = f_[i * n_ + k];
                slopes_[(stages + i) * d + k] = f_[i * n_ + d + k];
            }
        }
        const auto all = std::span<const S>(slopes_);
        return {stages, all.first(stages * d), all.last(stages * d)};
    }

  private:
    // Both leave f of the stages in f_.
    IterationReport<Real<S>> solve(const Substep<S>& step, const State<S>& z0, Evaluations<S>& evaluations) {
        if (step.again) {
            rescale_increments(past_.current(step.slot), step.h, last_h_);
        } else {
            past_.predict(step.slot);  // zero where nothing is known
        }
        const auto increments = past_.current(step.slot);
        linearise(step, z0, evaluations);
        const auto report = iterate(control(), increments, std::span<S>(correction_),
                                    [&](std::span<const S> x, std::span<S> dx) { return pass(step, z0, x, dx); });
        const S passes = from_real<S>(report.passes), stages = lit<S>(static_cast<std::int64_t>(weights_.stages()));
        evaluations.add(Evaluations<S>::force, stages * (lit<S>(1) + passes));
        evaluations.add(Evaluations<S>::newton_iterations, passes);
        return report;
    }

    IterationReport<Real<S>> run_explicit(const Substep<S>& step, const State<S>& z0, Evaluations<S>& evaluations) {
        std::fill(f_.begin(), f_.end(), lit<S>(0));
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            const auto increment = std::span<S>(correction_).subspan(i * n_, n_);
            weights_.stage_sum(i, f_, increment);  // what f_ still holds of later stages has the weight zero
            for (auto& value : increment) {
                value = step.h * value;
            }
            evaluate_stage(i, step, z0, correction_);
        }
        evaluations.add(Evaluations<S>::force, lit<S>(static_cast<std::int64_t>(weights_.stages())));
        using R = Real<S>;
        return {lit<R>(0), lit<R>(0), lit<R>(1)};
    }

    // Without derivatives the noise of f is not known: its floor is set low, and the iteration ends where it stagnates.
    [[nodiscard]] IterationControl control() const {
        return {.max_passes = 200, .stagnation = newton_ ? 64 : 64 * fixed_point_share};
    }

    // The factored I - h A (x) J at the start of the step, and the round-off of f there.
    void linearise(const Substep<S>& step, const State<S>& z0, Evaluations<S>& evaluations) {
        const std::size_t d = n_ / 2;
        if (!newton_) {
            for (std::size_t k = 0; k < n_; ++k) {
                const S& value = k < d ? z0.q.high[k] : z0.p.high[k - d];
                noise_[k] = lit<S>(1, fixed_point_share) * magnitude(value);
            }
            return;
        }
        system_->field_jacobian(step.t, z0.q.high, z0.p.high, J_);
        const S size = magnitude(step.h);
        for (std::size_t k = 0; k < n_; ++k) {
            S sum = lit<S>(0);
            for (std::size_t l = 0; l < n_; ++l) {
                sum = mad(magnitude(J_[k * n_ + l]), magnitude(l < d ? z0.q.high[l] : z0.p.high[l - d]), sum);
            }
            noise_[k] = size * sum;
        }
        const std::size_t stages = weights_.stages();
        for (std::size_t i = 0; i < stages; ++i) {
            for (std::size_t j = 0; j < stages; ++j) {
                const S factor = -(step.h * weights_.a(i, j));
                for (std::size_t k = 0; k < n_; ++k) {
                    S* row = matrix_.data() + (i * n_ + k) * unknowns_ + j * n_;
                    for (std::size_t l = 0; l < n_; ++l) {
                        row[l] = i == j && k == l ? mad(factor, J_[k * n_ + l], lit<S>(1)) : factor * J_[k * n_ + l];
                    }
                }
            }
        }
        factor_dense<S>(matrix_, pivots_);
        evaluations.add(Evaluations<S>::factorizations);
    }

    // The residual of the increments x in floors, and what Newton's method adds to them.
    Real<S> pass(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx) {
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            evaluate_stage(i, step, z0, x);
        }
        const S eps = from_real<S>(epsilon<S>()), size = magnitude(step.h);
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t i = 0; i < weights_.stages(); ++i) {
            const auto sum = dx.subspan(i * n_, n_);
            weights_.stage_sum(i, f_, sum);
            weights_.stage_sizes(i, f_, sum_);
            for (std::size_t k = 0; k < n_; ++k) {
                sum[k] = mad(step.h, sum[k], S(-x[i * n_ + k]));
                worst = worse(worst, floors(sum[k], S(eps * mad(size, sum_[k], noise_[k]))));
            }
        }
        if (newton_) {
            solve_dense<S>(matrix_, pivots_, dx);
        }
        return worst;
    }

    void evaluate_stage(std::size_t i, const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
        const std::size_t d = n_ / 2;
        const S* increment = x.data() + i * n_;
        for (std::size_t j = 0; j < d; ++j) {
            z_[j] = z0.q.high[j] + (z0.q.low[j] + increment[j]);
            z_[d + j] = z0.p.high[j] + (z0.p.low[j] + increment[d + j]);
        }
        const auto q = std::span<const S>(z_).first(d), p = std::span<const S>(z_).last(d);
        const auto f = std::span<S>(f_).subspan(i * n_, n_);
        const S t = mad(weights_.c(i), step.h, step.t);
        system_->velocity(t, q, p, f.first(d));
        system_->force_gradient(t, q, p, f.last(d));
        for (auto& value : f.last(d)) {
            value = -value;
        }
    }

    static constexpr std::int64_t fixed_point_share = 16;

    System<S>* system_;
    StageWeights<S> weights_;
    std::size_t n_, unknowns_;
    bool explicit_, newton_;
    MultiplierSlots<S> past_;  // increments of the last steps
    std::vector<S> z_, sum_, noise_, f_, correction_, J_, matrix_;
    std::vector<std::size_t> pivots_;
    S last_h_ = lit<S>(1);
    mutable std::vector<S> slopes_;
};

// Compiled once, in src/methods/runge_kutta_map.cpp.
#define LIBRATION_EXTERN(scalar) extern template class RungeKuttaMap<scalar>;
LIBRATION_FOR_SINGLE_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
