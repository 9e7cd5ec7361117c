// The constrained kick and drift that SHAKE and RATTLE share.
//
//     p' = p - f U_q(q) - k G(q)^T lambda      q' = q + h M^-1 p'      0 = g(q')
//
// f and k are the kicks: h/2 or h, and f may make up for what the last step owed. lambda enters q' linearly with
// derivative -h k M^-1 G^T, so the residual has the derivative -h k G(q') M^-1 G(q)^T, for which the factored A(q)
// stands in. [HLW03 (6.11); CHL (5), (6)]
//
// The step is made once with the predicted multipliers. What the iteration finds is the change d of them, which moves
// q' by -h k M^-1 G^T d: small, so that a pass adds it to what is there and costs little.
//
// The multipliers of free rigid bodies come from the matrix equation of the step; where there are no other constraints,
// neither G nor A is needed.
#pragma once

#include "kick_floors.hpp"
#include "manifold/constraint_matrix.hpp"
#include "manifold/dense_lu.hpp"
#include "manifold/rigid_bodies.hpp"
#include "manifold/transposed_product.hpp"
#include <libration/kit/sparse_product.hpp>
#include <libration/kit/state.hpp>

namespace libration {

template <class S>
class KickDrift {
  public:
    // Of the history from which its users predict multipliers: six predict the next ones to some tens of floors.
    static constexpr std::size_t depth = 6;

    KickDrift(System<S>& system, ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), bodies_(system), floors_(system, bodies_),
          transposed_(system.pattern(), system.dimension()), w_(system.dimension(), lit<S>(0)),
          v_(system.inverse_masses().empty() ? system.dimension() : 0, lit<S>(0)),
          scratch_(system.constraints(), lit<S>(0)), change_(scratch_),
          predicted_p_(system.constraints() > 0 ? system.dimension() : 0), predicted_q_(predicted_p_) {}
    // Its parts refer to each other.
    KickDrift(const KickDrift&) = delete;
    KickDrift& operator=(const KickDrift&) = delete;

    // With its rigid bodies the system has all its constraints: run() then reads of `at_q` the force alone, and no
    // prediction.
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
                                 const PositionData<S>& at_q, const Kick<S>& kick, const S& h, std::span<S> lambda,
                                 PairVector<S>& p1, PairVector<S>& q1, Evaluations<S>& evaluations) {
        using R = Real<S>;
        if (lambda.empty()) {
            move(t1, q, p, at_q, kick, h, lambda, p1, q1);
            return {lit<R>(0), lit<R>(0), lit<R>(1)};
        }
        bodies_.multipliers(q.high, p.high, at_q.force, kick.force, kick.reaction, h, lambda);
        move(t1, q, p, at_q, kick, h, lambda, predicted_p_, predicted_q_);
        floors_.find(t1, q, p, at_q, kick, h, lambda, predicted_p_.high);
        const S response = -(kick.reaction * h), scale = lit<S>(1) / (kick.reaction * h);
        const auto evaluate = [&](const PairVector<S>& position, std::span<S> residual) {
            if (knows_all()) {
                bodies_.constraint(position.high, position.low, residual);
            } else {
                system_->constraint(t1, position.high, position.low, residual);
            }
        };
        const auto correct = [&](std::span<S> residual) {
            solve(at_q, residual);
            tuned<S>([&]() LIBRATION_TUNED {
                for (auto& value : residual) {
                    value = scale * value;
                }
            });
        };
        // The first correction is made without asking: the prediction knows the multipliers to the rounding of those
        // before at best.
        evaluate(predicted_q_, change_);
        const R before = floors_.largest(change_);
        correct(change_);
        const auto report = iterate(
            {.correct_last = true, .foresee = true}, std::span(change_), std::span(scratch_),
            [&](std::span<const S> x, std::span<S> residual) {
                shift_position(t1, q, at_q, response, x, q1);
                evaluate(q1, residual);
                const R worst = floors_.largest(residual);
                correct(residual);
                return worst;
            },
            &before);
        evaluations.add(Evaluations<S>::constraint, from_real<S>(report.passes));
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(report.passes));
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t i = 0; i < lambda.size(); ++i) {
                lambda[i] = lambda[i] + change_[i];
            }
        });
        shift(t1, q, at_q, kick.reaction, response, p1, q1);
        return report;
    }

    // After run(), the same once more with Newton's method: the derivative -h k G(q') M^-1 G(q)^T is that of each pass.
    // `lambda` holds the multipliers to start from.
    IterationReport<Real<S>> run_newton(const S& t1, const PairVector<S>& q, const PairVector<S>& p,
                                        const PositionData<S>& at_q, const Kick<S>& kick, const S& h,
                                        std::span<S> lambda, PairVector<S>& p1, PairVector<S>& q1,
                                        Evaluations<S>& evaluations) requires OneTrajectory<S> {
        const std::size_t m = lambda.size();
        matrix_of_pass_.resize(m * m, lit<S>(0));
        pivots_.resize(m);
        jacobian_.resize(at_q.G.size(), lit<S>(0));
        move(t1, q, p, at_q, kick, h, lambda, predicted_p_, predicted_q_);
        const S response = -(kick.reaction * h), scale = lit<S>(1) / (kick.reaction * h);
        std::fill(change_.begin(), change_.end(), lit<S>(0));
        const auto report = iterate({.max_passes = 40, .patience = 3, .correct_last = true}, std::span(change_),
                                    std::span(scratch_), [&](std::span<const S> x, std::span<S> residual) {
                                        shift_position(t1, q, at_q, response, x, q1);
                                        system_->constraint(t1, q1.high, q1.low, residual);
                                        const auto worst = floors_.largest(residual);
                                        linearise(t1, q, at_q, q1);
                                        solve_dense<S>(matrix_of_pass_, pivots_, residual);
                                        for (auto& value : residual) {
                                            value = scale * value;
                                        }
                                        return worst;
                                    });
        evaluations.add(Evaluations<S>::constraint, from_real<S>(report.passes));
        evaluations.add(Evaluations<S>::jacobian, from_real<S>(report.passes));
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(report.passes));
        for (std::size_t i = 0; i < m; ++i) {
            lambda[i] = lambda[i] + change_[i];
        }
        shift(t1, q, at_q, kick.reaction, response, p1, q1);
        return report;
    }
    // p1 of the step with the multipliers that the last run() or run_newton() started from.
    [[nodiscard]] std::span<const S> predicted_momentum() const { return predicted_p_.high; }

  private:
    // G(q1) M^-1 G(q)^T, factored
    void linearise(const S& t1, const PairVector<S>& q, const PositionData<S>& at_q,
                   const PairVector<S>& q1) requires OneTrajectory<S> {
        const std::size_t m = change_.size();
        unit_.assign(m, lit<S>(0));
        column_.resize(m, lit<S>(0));
        velocity_.resize(w_.size(), lit<S>(0));
        system_->jacobian(t1, q1.high, jacobian_);
        for (std::size_t j = 0; j < m; ++j) {
            unit_[j] = lit<S>(1);
            std::fill(w_.begin(), w_.end(), lit<S>(0));
            add_transposed<S>(system_->pattern(), at_q.G, unit_, w_);
            unit_[j] = lit<S>(0);
            system_->solve_mass(t1, q.high, predicted_p_.high, w_, velocity_);
            apply_jacobian<S>(system_->pattern(), jacobian_, velocity_, column_);
            for (std::size_t i = 0; i < m; ++i) {
                matrix_of_pass_[i * m + j] = column_[i];
            }
        }
        factor_dense<S>(matrix_of_pass_, pivots_);
    }

    // A(q)^-1
    void solve(const PositionData<S>& at_q, std::span<S> rows) const {
        if (knows_all()) {
            bodies_.solve(rows);
        } else {
            matrix_->solve(at_q.A, rows);
        }
    }

    // sum = G(q)^T lambda
    void react(std::span<const S> q, const PositionData<S>& at_q, std::span<const S> lambda, std::span<S> sum) const {
        if (knows_all()) {
            std::fill(sum.begin(), sum.end(), lit<S>(0));
            bodies_.add_transposed(q, lambda, sum);
        } else {
            transposed_.apply<S>(at_q.G, lambda, sum);
        }
    }

    void move(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q,
              const Kick<S>& kick, const S& h, std::span<const S> lambda, PairVector<S>& p1, PairVector<S>& q1) {
        if (const auto inverse = system_->inverse_masses(); !inverse.empty()) {
            for_reactions(q.high, at_q, lambda,
                          [&](std::size_t j, std::size_t count, const S* reaction) LIBRATION_TUNED {
                              kick_and_drift(count, S(-kick.force), S(-kick.reaction), h, at_q.force.data() + j,
                                             reaction, inverse.data() + j, p.high.data() + j, p.low.data() + j,
                                             q.high.data() + j, q.low.data() + j, p1.high.data() + j, p1.low.data() + j,
                                             q1.high.data() + j, q1.low.data() + j);
                          });
            return;
        }
        react(q.high, at_q, lambda, w_);
        for (std::size_t j = 0; j < w_.size(); ++j) {
            w_[j] = mad(kick.reaction, w_[j], S(kick.force * at_q.force[j]));
        }
        add_scaled<S>(p, lit<S>(-1), w_, p1);
        system_->velocity(t1, q.high, p1.high, v_);
        add_scaled<S>(q, h, v_, q1);
    }

    // Calls body(first, count, G^T lambda from there on) for blocks of coordinates.
    template <class Body>
    void for_reactions(std::span<const S> q, const PositionData<S>& at_q, std::span<const S> lambda, Body body) {
        if (knows_all()) {
            react(q, at_q, lambda, w_);
            tuned<S>([&]() LIBRATION_TUNED { body(0, w_.size(), static_cast<const S*>(w_.data())); });
        } else {
            transposed_.for_blocks<S>(at_q.G, lambda, body);
        }
    }

    // Kick and drift in one loop, for a diagonal mass. As parameters, pointers are known not to overlap.
    LIBRATION_INLINE static void kick_and_drift(std::size_t d, const S force_kick, const S reaction_kick, const S h,
                                                const S* __restrict force, const S* __restrict reaction,
                                                const S* __restrict inverse_mass, const S* __restrict p_high,
                                                const S* __restrict p_low, const S* __restrict q_high,
                                                const S* __restrict q_low, S* __restrict p1_high, S* __restrict p1_low,
                                                S* __restrict q1_high, S* __restrict q1_low) {
        for (std::size_t j = 0; j < d; ++j) {
            const S kick = mad(reaction_kick, reaction[j], S(force_kick * force[j]));
            const auto momentum = add_small(p_high[j], p_low[j], kick);
            const auto position = add_small(q_high[j], q_low[j], S(S(h * inverse_mass[j]) * momentum.high));
            p1_high[j] = momentum.high;
            p1_low[j] = momentum.low;
            q1_high[j] = position.high;
            q1_low[j] = position.low;
        }
    }

    // q1 = predicted q1 + response M^-1 G^T change
    void shift_position(const S& t1, const PairVector<S>& q, const PositionData<S>& at_q, const S& response,
                        std::span<const S> change, PairVector<S>& q1) {
        if (const auto inverse = system_->inverse_masses(); !inverse.empty()) {
            for_reactions(q.high, at_q, change,
                          [&](std::size_t j, std::size_t count, const S* reaction) LIBRATION_TUNED {
                              add_products(count, response, inverse.data() + j, reaction, predicted_q_.high.data() + j,
                                           predicted_q_.low.data() + j, q1.high.data() + j, q1.low.data() + j);
                          });
            return;
        }
        react(q.high, at_q, change, w_);
        system_->solve_mass(t1, q.high, predicted_p_.high, w_, v_);
        add_scaled<S>(predicted_q_, response, v_, q1);
    }

    // The same with the final change, and p1 = predicted p1 - kick G^T change.
    void shift(const S& t1, const PairVector<S>& q, const PositionData<S>& at_q, const S& kick, const S& response,
               PairVector<S>& p1, PairVector<S>& q1) {
        const auto inverse = system_->inverse_masses();
        if (inverse.empty()) {
            shift_position(t1, q, at_q, response, change_, q1);
            add_scaled<S>(predicted_p_, S(-kick), w_, p1);
            return;
        }
        for_reactions(q.high, at_q, change_, [&](std::size_t j, std::size_t count, const S* reaction) LIBRATION_TUNED {
            add_products(count, response, inverse.data() + j, reaction, predicted_q_.high.data() + j,
                         predicted_q_.low.data() + j, q1.high.data() + j, q1.low.data() + j);
            add_multiples(count, S(-kick), reaction, predicted_p_.high.data() + j, predicted_p_.low.data() + j,
                          p1.high.data() + j, p1.low.data() + j);
        });
    }
    LIBRATION_INLINE static void add_products(std::size_t count, const S factor, const S* __restrict a,
                                              const S* __restrict b, const S* __restrict high, const S* __restrict low,
                                              S* __restrict to_high, S* __restrict to_low) {
        for (std::size_t j = 0; j < count; ++j) {
            const auto sum = add_small(high[j], low[j], S(S(factor * a[j]) * b[j]));
            to_high[j] = sum.high;
            to_low[j] = sum.low;
        }
    }
    LIBRATION_INLINE static void add_multiples(std::size_t count, const S factor, const S* __restrict a,
                                               const S* __restrict high, const S* __restrict low, S* __restrict to_high,
                                               S* __restrict to_low) {
        for (std::size_t j = 0; j < count; ++j) {
            const auto sum = add_small(high[j], low[j], S(factor * a[j]));
            to_high[j] = sum.high;
            to_low[j] = sum.low;
        }
    }

    System<S>* system_;
    ConstraintMatrix<S>* matrix_;
    RigidBodies<S> bodies_;
    KickFloors<S> floors_;
    TransposedProduct transposed_;
    std::vector<S> w_, v_, scratch_, change_;
    PairVector<S> predicted_p_, predicted_q_;  // the step with the predicted multipliers
    // Of run_newton(), made where it is needed first.
    std::vector<S> matrix_of_pass_, jacobian_, unit_, column_, velocity_;
    std::vector<std::size_t> pivots_;
};

}  // namespace libration
