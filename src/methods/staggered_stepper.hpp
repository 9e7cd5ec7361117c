// SHAKE, and without constraints the staggered leapfrog: positions at full, momenta at half steps.
//
//     p_n+1/2 = p_n-1/2 - h (U_q(q_n) + G(q_n)^T lambda_n)
//     q_n+1   = q_n + h M^-1 p_n+1/2,      0 = g(q_n+1)                       [HLW03 (1.7), (6.10); CHL (5)]
//     p_n     = (p_n-1/2 + p_n+1/2) / 2    = M (q_n+1 - q_n-1) / 2h
//
// p_n is known one step late: lag 1. The first kick is half as long and starts from p_0.
#pragma once

#include "kick_drift.hpp"
#include "manifold/manifold.hpp"
#include "manifold/multiplier_history.hpp"
#include <libration/kit/scalars.hpp>

#include <utility>

namespace libration {

template <class S>
class StaggeredStepper final : public Stepper<S> {
  public:
    explicit StaggeredStepper(System<S>& system)
        : system_(&system), matrix_(constraint_matrix(system)), kick_drift_(system, *matrix_), q_(system.dimension()),
          p_(system.dimension()), q1_(system.dimension()), p1_(system.dimension()), node_q_(system.dimension()),
          node_p_(system.dimension(), lit<S>(0)), next_node_p_(system.dimension(), lit<S>(0)), here_(system, *matrix_),
          history_(system.constraints(), KickDrift<S>::depth),
          lambda_(system.constraints(), lit<S>(0)), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {}

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        clock_ = {node.t, lit<S>(0), h};
        q_.assign(node.q, node.q_low);
        p_.assign(node.p, {});
        node_q_ = q_;
        node_p_ = p_.high;
        next_node_p_ = node_p_;
        evaluations_ = {};
        here_.evaluate(*system_, *matrix_, node.t, q_.high, p_.high, evaluations_);
        evaluations_ = {};  // advance() evaluates here once more, and counts it
        std::vector<S> v(q_.high.size(), lit<S>(0)), rows(lambda_.size(), lit<S>(0));
        exact_multipliers<S>(*system_, *matrix_, here_, node.t, q_.high, p_.high, v, rows, lambda_);
        history_.clear();
        history_.push(lambda_);
        half_kick_ = 1;
    }

    StepReport<S> advance() override {
        const S h = clock_[2];
        const S t = clock_[0] + clock_[1] * h, t1 = clock_[0] + (clock_[1] + lit<S>(1)) * h;
        next_evaluations_ = evaluations_;
        kick_drift_.evaluate(t, q_.high, p_.high, here_, next_evaluations_);
        history_.predict(lambda_);
        const S kick = half_kick_ != 0 ? lit<S>(1, 2) * h : h;
        const auto report = kick_drift_.run(t1, q_, p_, here_, {kick, kick}, h, lambda_, p1_, q1_, next_evaluations_);
        for (std::size_t j = 0; j < node_p_.size() && half_kick_ == 0; ++j) {
            next_node_p_[j] = lit<S>(1, 2) * ((p_.high[j] + p1_.high[j]) + (p_.low[j] + p1_.low[j]));
        }
        return {report.converged, report.residual, here_.pivot, total(q1_, p1_)};
    }

    void accept() override {
        node_q_ = q_;
        if (half_kick_ == 0) {
            std::swap(node_p_, next_node_p_);
        }
        std::swap(q_, q1_);
        std::swap(p_, p1_);
        half_kick_ = 0;
        history_.push(lambda_);
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return q_.high; }

    Node<S> trial_node() override { return {clock_[0] + clock_[1] * clock_[2], q_.high, q_.low, next_node_p_}; }

    Node<S> node() override {
        const S number = half_kick_ != 0 ? clock_[1] : clock_[1] - lit<S>(1);
        return {clock_[0] + number * clock_[2], node_q_.high, node_q_.low, node_p_};
    }

    void visit(MemoryVisitor<S>& visitor) override {
        visitor.array("clock", clock_);
        visitor.array("q", q_.high);
        visitor.array("q_low", q_.low);
        visitor.array("p", p_.high);
        visitor.array("p_low", p_.low);
        visitor.array("node_q", node_q_.high);
        visitor.array("node_q_low", node_q_.low);
        visitor.array("node_p", node_p_);
        history_.visit(visitor);
        visitor.array("evaluations", evaluations_.count);
        visitor.integer("half_kick", half_kick_);
    }

    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    KickDrift<S> kick_drift_;
    PairVector<S> q_, p_, q1_, p1_, node_q_;  // p_ is p_n-1/2, or p_0 before the first step
    std::vector<S> node_p_, next_node_p_;
    PositionData<S> here_;
    MultiplierHistory<S> history_;
    std::vector<S> lambda_;
    std::array<S, 3> clock_;  // t0, steps done, h
    Evaluations<S> evaluations_, next_evaluations_;
    std::int64_t half_kick_ = 1;
};

// Compiled once, in src/methods/shake.cpp.
#define LIBRATION_EXTERN(scalar) extern template class StaggeredStepper<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
