// RATTLE for separable H; without constraints it is the Störmer-Verlet method.
//
//     p_n+1/2 = p_n - h/2 (U_q(q_n) + G(q_n)^T lambda_n)
//     q_n+1   = q_n + h M^-1 p_n+1/2,                          0 = g(q_n+1)
//     p_n+1   = p_n+1/2 - h/2 (U_q(q_n+1) + G(q_n+1)^T mu_n),  0 = G(q_n+1) M^-1 p_n+1 + g_t  [HLW03 (6.12); CHL (6)]
//
// One force, one Jacobian and one factorization per step: what is known at q_n+1 serves the second half of this step
// and the first half of the next.
#pragma once

#include "branch_judge.hpp"
#include "kick_drift.hpp"
#include "manifold/rank.hpp"
#include "multiplier_slots.hpp"
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

#include <optional>
#include <utility>

namespace libration {

template <class S>
class RattleMap final : public Map<S> {
  public:
    explicit RattleMap(System<S>& system)
        : system_(&system), matrix_(constraint_matrix(system)), kick_drift_(system, *matrix_),
          multipliers_(system.constraints(), KickDrift<S>::depth), mu_(system.constraints(), lit<S>(0)),
          w_(system.dimension(), lit<S>(0)) {}

    void reserve(std::size_t slots) override { multipliers_.reserve(slots); }

    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        z.owed = lit<S>(0);
        kick_drift_.evaluate(t, z.q.high, z.p.high, z.at, evaluations);
        multipliers_.forget();
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S half_step = lit<S>(1, 2) * step.h;
        const auto lambda = multipliers_.current(step.slot);
        const bool first = !multipliers_.knows(step.slot);
        expect(step, z0, lambda);
        const auto run = kick_drift_.run(step.t1, z0.q, z0.p, z0.at, {S(z0.owed + half_step), half_step}, step.h,
                                         lambda, z1.p, z1.q, evaluations);
        z1.owed = half_step;
        MapReport<S> report{run.converged, run.residual, lit<Real<S>>(1)};
        if (step.ending != Ending::position) {
            kick_drift_.evaluate(step.t1, z1.q.high, z1.p.high, z1.at, evaluations);
            // Where the iteration did not arrive, the pivot says nothing about the motion.
            const Real<S> one = lit<Real<S>>(1);
            report.pivot = select(equal(report.converged, one), z1.at.pivot, one);
            if constexpr (OneTrajectory<S>) {
                if (equal(run.converged, one) ? nearly_dependent(z0.at, z1.at) : may_become_dependent(z0.at)) {
                    follow_motion(step, z0, z1, report, evaluations);
                }
            } else {  // who can branch looks closer
                report.converged = select(nearly_dependent(z0.at, z1.at), lit<Real<S>>(0), report.converged);
            }
        }
        if (first && step.slot == 0 && step.ending == Ending::inner) {
            scale(lit<S>(2), lambda);  // for the prediction: from the next step on they make up for an owed kick
        }
        if (step.ending == Ending::on_manifold) {
            pay(z1);
            if (!mu_.empty()) {
                find_correction(step.t1, z1.q.high, z1.p.high, z1.at);
                add_scaled<S>(z1.p, lit<S>(-1), w_, z1.p);
            }
        }
        return report;
    }

    // The next kick takes up what the hidden constraint would have corrected. [Reich 1996, (27)]
    [[nodiscard]] bool ends_late() const override { return true; }
    void momentum_on_manifold(const S& t, const State<S>& z, std::span<S> p) override {
        const S owed = -z.owed;
        for (std::size_t j = 0; j < p.size(); ++j) {
            p[j] = z.p.high[j] + mad(owed, z.at.force[j], z.p.low[j]);
        }
        if (!mu_.empty()) {
            // What owes nothing was given, or ended, on the manifold and stays as it is.
            const auto is_there = equal(real_part(z.owed), lit<Real<S>>(0));
            find_correction(t, z.q.high, p, z.at);
            for (std::size_t j = 0; j < p.size(); ++j) {
                const S projected = z.p.high[j] + (mad(owed, z.at.force[j], z.p.low[j]) - w_[j]);
                p[j] = select(is_there, z.p.high[j], projected);
            }
        }
    }

    void accept() override { multipliers_.accept(); }
    void visit(MemoryVisitor<S>& visitor) override { multipliers_.visit(visitor); }

  private:
    // The multipliers to start from.
    void expect(const Substep<S>& step, const State<S>& z0, std::span<S> lambda) {
        if (multipliers_.knows(step.slot)) {
            multipliers_.predict(step.slot);
        } else if (!kick_drift_.knows_all()) {
            // They act for as long as the force does, that of the owed kick included.
            guess(step.t, z0, lambda);
            scale(S((z0.owed + lit<S>(1, 2) * step.h) / (lit<S>(1, 2) * step.h)), lambda);
        }
    }

    // Near positions where constraints become dependent the frozen matrix leads to a wrong solution, or to none;
    // Newton's method leads to that which continues the motion. See branch_judge.hpp.
    void follow_motion(const Substep<S>& step, const State<S>& z0, State<S>& z1, MapReport<S>& report,
                       Evaluations<S>& evaluations) requires OneTrajectory<S> {
        using R = Real<S>;
        const R one = lit<R>(1);
        const bool solved = equal(report.converged, one);
        if (mu_.empty() || kick_drift_.knows_all() || mu_.size() > most_followed_constraints) {
            return;
        }
        if (!judge_) {
            judge_.emplace(*system_);
            before_p_.assign(w_.size(), lit<S>(0));
            after_p_ = before_p_;
            start_ = best_lambda_ = mu_;
        }
        const auto lambda = multipliers_.current(step.slot);
        std::optional<Strangeness<R>> best;
        const auto consider = [&] {
            if (!less(from_double<R>(rank_tolerance), report.pivot)) {
                report.pivot = lit<R>(0);  // the rank is lost there: no state to look at, and the loop will say so
                return true;
            }
            const auto found = look(step, z0, z1);
            if (!best || less(found.worst(), best->worst())) {
                best = found;
                std::copy(lambda.begin(), lambda.end(), best_lambda_.begin());
            }
            return found.is_motion();
        };
        if (solved && consider()) {
            return;
        }
        // Multipliers grow without bounds as such a position comes near, and change their sign there: those of the
        // steps before say nothing about the next. The reaction is smooth, and the exact multipliers of the state know
        // it.
        expect_from_state(step, z0, lambda);
        if (solve(step, z0, z1, report, evaluations) && consider()) {
            return;
        }
        expect(step, z0, lambda);
        if (solve(step, z0, z1, report, evaluations) && consider()) {
            return;
        }
        if (best) {
            std::copy(best_lambda_.begin(), best_lambda_.end(), lambda.begin());
            static_cast<void>(solve(step, z0, z1, report, evaluations));
        }
        if (!best || !best->is_bearable()) {
            report.converged = lit<R>(0);
        }
    }

    // The step from the multipliers that are there, by Newton's method.
    bool solve(const Substep<S>& step, const State<S>& z0, State<S>& z1, MapReport<S>& report,
               Evaluations<S>& evaluations) requires OneTrajectory<S> {
        const S half_step = lit<S>(1, 2) * step.h;
        const auto run = kick_drift_.run_newton(step.t1, z0.q, z0.p, z0.at, {S(z0.owed + half_step), half_step}, step.h,
                                                multipliers_.current(step.slot), z1.p, z1.q, evaluations);
        z1.at.standing.follow(z0.at.standing);
        kick_drift_.evaluate(step.t1, z1.q.high, z1.p.high, z1.at, evaluations);
        const bool solved = equal(run.converged, lit<Real<S>>(1));
        report = {run.converged, run.residual, solved ? z1.at.pivot : lit<Real<S>>(1)};
        return solved;
    }

    // The multipliers of the exact solution, and those that the node still takes from the momentum.
    void expect_from_state(const Substep<S>& step, const State<S>& z0, std::span<S> lambda) {
        const S half_step = lit<S>(1, 2) * step.h;
        momentum_on_manifold(step.t, z0, before_p_);
        std::copy(mu_.begin(), mu_.end(), start_.begin());
        exact_multipliers<S>(*system_, *matrix_, z0.at, step.t, z0.q.high, before_p_, w_, mu_, lambda);
        for (std::size_t i = 0; i < lambda.size(); ++i) {
            lambda[i] = lambda[i] + start_[i] / half_step;
        }
    }

    Strangeness<Real<S>> look(const Substep<S>& step, const State<S>& z0,
                              const State<S>& z1) requires OneTrajectory<S> {
        momentum_on_manifold(step.t, z0, before_p_);
        momentum_on_manifold(step.t1, z1, after_p_);
        const auto jump = judge_->jump({step.t, z0.q.high, {}, before_p_}, {step.t1, z1.q.high, {}, after_p_});
        for (std::size_t k = 0; k < w_.size(); ++k) {
            before_p_[k] = z1.p.high[k] - z0.p.high[k];
            after_p_[k] = kick_drift_.predicted_momentum()[k] - z0.p.high[k];
        }
        return {judge_->surprise(z0.p.high, before_p_, after_p_), jump};
    }

    static void scale(const S& factor, std::span<S> x) {
        for (auto& value : x) {
            value = factor * value;
        }
    }
    void guess(const S& t, const State<S>& z, std::span<S> lambda) {
        exact_multipliers<S>(*system_, *matrix_, z.at, t, z.q.high, z.p.high, w_, mu_, lambda);
    }

    // w = G^T mu, by which p misses the hidden constraint. It is linear in mu: one solve is exact, iterating would only
    // add round-off. [HLW03 (6.12)]
    void find_correction(const S& t, std::span<const S> q, std::span<const S> p, const PositionData<S>& at) {
        system_->velocity(t, q, p, w_);
        kick_drift_.find_hidden_multipliers(t, q, at, w_, mu_);
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        kick_drift_.add_reaction(q, at, mu_, w_);
    }

    // The second half of the kick by the force, where the next step does not make it together with its own.
    static void pay(State<S>& z) {
        add_scaled<S>(z.p, S(-z.owed), z.at.force, z.p);
        z.owed = lit<S>(0);
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    KickDrift<S> kick_drift_;
    MultiplierSlots<S> multipliers_;
    std::vector<S> mu_, w_;
    std::optional<BranchJudge<S>> judge_;  // made where it is needed first, with the momenta that it looks at
    std::vector<S> before_p_, after_p_, start_, best_lambda_;
};

// Compiled once, in src/methods/rattle.cpp.
#define LIBRATION_EXTERN(scalar) extern template class RattleMap<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
