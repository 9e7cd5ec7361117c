// RATTLE for separable H; without constraints it is the Stormer-Verlet method.
//
//     p_n+1/2 = p_n - h/2 (U_q(q_n) + G(q_n)^T lambda_n)
//     q_n+1   = q_n + h M^-1 p_n+1/2,                          0 = g(q_n+1)
//     p_n+1   = p_n+1/2 - h/2 (U_q(q_n+1) + G(q_n+1)^T mu_n),  0 = G(q_n+1) M^-1 p_n+1        [HLW03 (6.12); CHL (6)]
//
// One force, one Jacobian and one factorisation a step: what is known at q_n+1 serves the second half of this step and
// the first half of the next.
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/manifold/manifold.hpp>
#include <libration/methods/kick_drift.hpp>

#include <utility>

namespace libration {

template <class S>
class RattleStepper final : public Stepper<S> {
  public:
    explicit RattleStepper(System<S>& system)
        : system_(&system), matrix_(constraint_matrix(system)), kick_drift_(system, *matrix_), q_(system.dimension()),
          p_(system.dimension()), half_(system.dimension()), q1_(system.dimension()), p1_(system.dimension()),
          here_(system, *matrix_), there_(system, *matrix_), history_(system.constraints()),
          lambda_(system.constraints(), lit<S>(0)), mu_(system.constraints(), lit<S>(0)),
          w_(system.dimension(), lit<S>(0)), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {}

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        clock_ = {node.t, lit<S>(0), h};
        q_.assign(node.q, node.q_low);
        p_.assign(node.p, {});
        evaluations_ = {};
        here_.evaluate(*system_, *matrix_, node.t, q_.high, p_.high, evaluations_);
        exact_multipliers<S>(*system_, *matrix_, here_, node.t, q_.high, p_.high, lambda_);
        history_.clear();
        history_.push(lambda_);
    }

    StepReport<S> advance() override {
        const S h = clock_[2];
        const S half_step = lit<S>(1, 2) * h;
        const S t1 = clock_[0] + (clock_[1] + lit<S>(1)) * h;
        next_evaluations_ = evaluations_;
        history_.predict(lambda_);
        const auto report = kick_drift_.run(t1, q_, p_, here_, half_step, h, lambda_, half_, q1_, next_evaluations_);

        there_.evaluate(*system_, *matrix_, t1, q1_.high, half_.high, next_evaluations_);
        add_scaled<S>(half_, S(-half_step), there_.force, p1_);
        project();
        // Where the iteration did not arrive, the pivot says nothing about the motion.
        const Real<S> one = lit<Real<S>>(1);
        const Real<S> pivot = select(equal(report.converged, one), there_.pivot, one);
        return {report.converged, report.residual, pivot, total_size(q1_, p1_)};
    }

    void accept() override {
        std::swap(q_, q1_);
        std::swap(p_, p1_);
        std::swap(here_, there_);
        history_.push(lambda_);
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return q1_.high; }

    Node<S> trial_node() override {
        return {clock_[0] + (clock_[1] + lit<S>(1)) * clock_[2], q1_.high, q1_.low, p1_.high};
    }

    Node<S> node() override { return {clock_[0] + clock_[1] * clock_[2], q_.high, q_.low, p_.high}; }

    void visit(MemoryVisitor<S>& visitor) override {
        visitor.array("clock", clock_);
        visitor.array("q", q_.high);
        visitor.array("q_low", q_.low);
        visitor.array("p", p_.high);
        visitor.array("p_low", p_.low);
        here_.visit(visitor);
        history_.visit(visitor);
        visitor.array("evaluations", evaluations_.count);
    }

    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    // The hidden constraint is linear in mu: one solve is exact, iterating would only add round-off. [HLW03 (6.12)]
    void project() {
        if (mu_.empty()) {
            return;
        }
        system_->velocity(clock_[0], q1_.high, p1_.high, w_);
        apply_jacobian<S>(system_->pattern(), there_.G, w_, mu_);
        matrix_->solve(there_.A, mu_);
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed<S>(system_->pattern(), there_.G, mu_, w_);
        add_scaled<S>(p1_, lit<S>(-1), w_, half_);  // half_ has served
        std::swap(half_, p1_);
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    KickDrift<S> kick_drift_;
    PairVector<S> q_, p_, half_, q1_, p1_;
    PositionData<S> here_, there_;
    MultiplierHistory<S> history_;
    std::vector<S> lambda_, mu_, w_;
    std::array<S, 3> clock_;  // t0, steps done, h
    Evaluations<S> evaluations_, next_evaluations_;
};

// Compiled once, in src/methods/rattle.cpp.
#define LIBRATION_EXTERN(scalar) extern template class RattleStepper<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
