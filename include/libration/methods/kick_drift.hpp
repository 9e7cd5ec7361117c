// The constrained kick and drift that SHAKE and RATTLE share.
//
//     p' = p - k (U_q(q) + G(q)^T lambda)      q' = q + h M^-1 p'      0 = g(q')
//
// k is the kick (h/2 or h). lambda enters q' linearly with derivative -h k M^-1 G^T, so the residual has the derivative
// -h k G(q') M^-1 G(q)^T, for which the factored A(q) stands in. [HLW03 (6.11); CHL (5), (6)]
//
// The multipliers of free rigid bodies come from the matrix equation of the step; where there are no other constraints,
// neither G nor A is needed.
#pragma once

#include <libration/manifold/constraint_matrix.hpp>
#include <libration/manifold/rigid_bodies.hpp>
#include <libration/manifold/solve.hpp>
#include <libration/manifold/sparse_product.hpp>
#include <libration/methods/state.hpp>
#include <libration/scalar/reduce.hpp>

namespace libration {

template <class S>
class KickDrift {
  public:
    KickDrift(System<S>& system, ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), bodies_(system), w_(system.dimension(), lit<S>(0)),
          v_(system.inverse_masses().empty() ? system.dimension() : 0, lit<S>(0)),
          scratch_(system.constraints(), lit<S>(0)), floor_(system.constraints(), lit<S>(0)) {
        for (const auto& inverse : system.inverse_masses()) {
            weight_.push_back(sqrt(magnitude(inverse)));
        }
    }

    // With its rigid bodies the system has all its constraints: run() then reads of `at_q` the force alone, and no prediction.
    [[nodiscard]] bool knows_all() const { return bodies_.complete(); }

    // Finds at q what run() reads.
    void evaluate(const S& t, std::span<const S> q, std::span<const S> p, PositionData<S>& at,
                  Evaluations<S>& evaluations) {
        at.evaluate_force(*system_, t, q, p, evaluations);
        if (!knows_all()) {
            at.evaluate_constraints(*system_, *matrix_, t, q, p, evaluations);
        }
    }

    // sum += G(q)^T lambda
    void add_reaction(std::span<const S> q, const PositionData<S>& at_q, std::span<const S> lambda,
                      std::span<S> sum) const {
        if (knows_all()) {
            bodies_.add_transposed(q, lambda, sum);
        } else {
            add_transposed<S>(system_->pattern(), at_q.G, lambda, sum);
        }
    }

    // mu with G(q) M^-1 (M v - G^T mu) + g_t = 0
    void find_hidden_multipliers(const S& t, std::span<const S> q, const PositionData<S>& at_q, std::span<const S> v,
                                 std::span<S> mu) {
        if (knows_all()) {
            bodies_.apply_jacobian(q, v, mu);
        } else {
            apply_jacobian<S>(system_->pattern(), at_q.G, v, mu);
        }
        if (system_->properties().moving_constraints) {
            system_->constraint_rate(t, q, scratch_);
            for (std::size_t i = 0; i < mu.size(); ++i) {
                mu[i] = mu[i] + scratch_[i];
            }
        }
        solve(at_q, mu);
    }

    // `lambda` holds the prediction on entry and the solution on return; p1 and q1 are written.
    IterationReport<Real<S>> run(const S& t1, const PairVector<S>& q, const PairVector<S>& p,
                                 const PositionData<S>& at_q, const S& kick, const S& h, std::span<S> lambda,
                                 PairVector<S>& p1, PairVector<S>& q1, Evaluations<S>& evaluations) {
        using R = Real<S>;
        IterationReport<R> report{lit<R>(0), lit<R>(0), lit<R>(1)};
        if (!lambda.empty()) {
            bodies_.multipliers(q.high, p.high, at_q.force, kick, h, lambda);
            find_floors(t1, q, p, at_q, kick, h, lambda);
            const S scale = lit<S>(1) / (kick * h);
            report = solve_constraints<S>(
                {.correct_last = true}, lambda, scratch_, floor_,
                [&](std::span<const S> x, std::span<S> residual) {
                    move(t1, q, p, at_q, kick, h, x, p1, q1);
                    if (knows_all()) {
                        bodies_.constraint(q1.high, q1.low, residual);
                    } else {
                        system_->constraint(t1, q1.high, q1.low, residual);
                    }
                },
                [&](std::span<S> residual) {
                    solve(at_q, residual);
                    tuned<S>([&]() LIBRATION_TUNED {
                        for (auto& value : residual) {
                            value = scale * value;
                        }
                    });
                });
            evaluations.add(Evaluations<S>::constraint, from_real<S>(report.passes));
            evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(report.passes));
        }
        move(t1, q, p, at_q, kick, h, lambda, p1, q1);
        return report;
    }

  private:
    // A(q)^-1
    void solve(const PositionData<S>& at_q, std::span<S> rows) const {
        if (knows_all()) {
            bodies_.solve(rows);
        } else {
            matrix_->solve(at_q.A, rows);
        }
    }

    void move(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q, const S& kick,
              const S& h, std::span<const S> lambda, PairVector<S>& p1, PairVector<S>& q1) {
        std::copy(at_q.force.begin(), at_q.force.end(), w_.begin());
        add_reaction(q.high, at_q, lambda, w_);
        if (const auto inverse = system_->inverse_masses(); !inverse.empty()) {
            kick_and_drift(inverse, q, p, kick, h, p1, q1);
            return;
        }
        add_scaled<S>(p, S(-kick), w_, p1);
        system_->velocity(t1, q.high, p1.high, v_);
        add_scaled<S>(q, h, v_, q1);
    }

    // The same in one loop, for a diagonal mass.
    void kick_and_drift(std::span<const S> inverse_mass, const PairVector<S>& q, const PairVector<S>& p, const S& kick,
                        const S& h, PairVector<S>& p1, PairVector<S>& q1) {
        tuned<S>([&]() LIBRATION_TUNED {
            kick_and_drift(w_.size(), S(-kick), h, w_.data(), inverse_mass.data(), p.high.data(), p.low.data(),
                           q.high.data(), q.low.data(), p1.high.data(), p1.low.data(), q1.high.data(), q1.low.data());
        });
    }
    // As parameters, pointers are known not to overlap.
    LIBRATION_INLINE static void kick_and_drift(std::size_t d, const S kick, const S h, const S* __restrict w,
                                                const S* __restrict inverse_mass, const S* __restrict p_high,
                                                const S* __restrict p_low, const S* __restrict q_high,
                                                const S* __restrict q_low, S* __restrict p1_high, S* __restrict p1_low,
                                                S* __restrict q1_high, S* __restrict q1_low) {
        for (std::size_t j = 0; j < d; ++j) {
            const auto momentum = add(p_high[j], p_low[j], S(kick * w[j]));
            const auto position = add(q_high[j], q_low[j], S(h * S(inverse_mass[j] * momentum.high)));
            p1_high[j] = momentum.high;
            p1_low[j] = momentum.low;
            q1_high[j] = position.high;
            q1_low[j] = position.low;
        }
    }

    // What is added to q in this step: the way of the momentum and of the kick by forces and by multipliers, each by its size
    // even where they cancel; coordinates that rest count with the others.
    void find_floors(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q,
                     const S& kick, const S& h, std::span<const S> lambda) {
        const auto& pattern = system_->pattern();
        const std::size_t d = w_.size();
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        if (knows_all()) {
            bodies_.add_transposed_sizes(q.high, lambda, w_);
        } else {
            add_transposed_sizes<S>(pattern, at_q.G, lambda, w_);
        }
        const auto inverse = system_->inverse_masses();
        const S kick_size = magnitude(kick), step_size = magnitude(h);
        if (!inverse.empty()) {
            // Compared in coordinates weighted by the square root of the mass: a light one moves far.
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t j = 0; j < d; ++j) {
                    const S moved = mad(kick_size, w_[j] + magnitude(at_q.force[j]), magnitude(p.high[j]));
                    w_[j] = step_size * (weight_[j] * moved);
                }
            });
            const S least = least_size<S>(w_);
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t j = 0; j < d; ++j) {
                    w_[j] = mad(weight_[j], larger_parts(w_[j], least), held_size(q.high[j]));
                }
            });
        } else {
            for (std::size_t j = 0; j < d; ++j) {
                w_[j] = mad(kick_size, w_[j] + magnitude(at_q.force[j]), magnitude(p.high[j]));
            }
            system_->velocity(t1, q.high, w_, v_);
            const S least = least_size<S>(v_);
            for (std::size_t j = 0; j < d; ++j) {
                w_[j] = mad(step_size, larger_parts(magnitude(v_[j]), least), held_size(q.high[j]));
            }
        }
        if (knows_all()) {
            bodies_.floors(q.high, w_, floor_);
        } else {
            constraint_floors<S>(pattern, at_q.G, w_, at_q.rounding, floor_);
        }
    }

    System<S>* system_;
    ConstraintMatrix<S>* matrix_;
    RigidBodies<S> bodies_;
    std::vector<S> w_, v_, scratch_, floor_;
    std::vector<S> weight_;  // 1/sqrt(m), where the mass is diagonal
};

}  // namespace libration
