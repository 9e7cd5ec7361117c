// A one-step map with adaptive step size.
//
// Reversible control: every step solves err(h) = target for h, together with its stages. The estimate is the same for
// the step back, so the step back has the same length, and a symmetric map stays symmetric. [Jay 1998, section 9] That
// is as exact as h is: the equation is solved to the round-off of err. Standard control: a step whose error is too
// large is repeated with a smaller one, and the next step is predicted from the last; it is not time-reversible.
#pragma once

#include "branch_judge.hpp"
#include "step_control.hpp"
#include <libration/kit/map.hpp>

#include <memory>
#include <string>

namespace libration {

template <class S>
class AdaptiveStepper final : public Stepper<S> {
  public:
    AdaptiveStepper(System<S>& system, std::unique_ptr<Map<S>> map, StepControl control);

    using Stepper<S>::start;
    // h: a first guess; its sign is the direction.
    void start(const Node<S>& node, const S& h) override;
    StepReport<S> advance() override;
    void accept() override;

    [[nodiscard]] std::span<const S> pivot_position() const override { return z1_.q.high; }
    Node<S> trial_node() override { return {t1_.high, z1_.q.high, z1_.q.low, z1_.p.high}; }
    Node<S> node() override { return {clock_[0], z_.q.high, z_.q.low, z_.p.high}; }
    void visit(MemoryVisitor<S>& visitor) override;
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

    [[nodiscard]] const AdaptiveOptions& options() const { return control_.options; }
    // The length of the step that advance() tried last; after start(), the first guess.
    [[nodiscard]] const S& trial_step() const { return h_; }
    // Of the steps that were accepted: lengths without sign. What was tried and thrown away, because the equations of
    // the step could not be solved, or because its error was too large.
    [[nodiscard]] S smallest_step() const { return clock_[4]; }
    [[nodiscard]] S largest_step() const { return clock_[5]; }
    [[nodiscard]] std::int64_t rejected() const { return rejected_; }
    // Reversible control: steps whose size is not reversible. That is tested, along with each step
    // but the last, because err(h) can have its target at several lengths.
    [[nodiscard]] std::int64_t not_reversed() const { return not_reversed_; }
    // Why the last advance() found no step although the equations could be solved; empty: no such trouble.
    [[nodiscard]] const std::string& fault() const { return fault_; }

  private:
    struct Attempt {
        bool solved;
        S error, noise;  // of the estimate: its round-off
        MapReport<S> report;
    };

    Attempt attempt(const S& length);
    void estimate(Attempt& result);
    void add_ends();
    StepReport<S> solve_length();
    StepReport<S> control_length();
    bool way_back_agrees();
    [[nodiscard]] S target() const { return from_double<S>(control_.target); }
    StepReport<S> report_of(const Attempt& attempt) const;
    StepReport<S> give_up(const Attempt& last, std::string reason);
    [[nodiscard]] bool too_short(const S& length) const;

    System<S>* system_;
    BranchJudge<S> judge_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::unique_ptr<Map<S>> map_;
    StepControl control_;
    std::vector<S> weights_;
    State<S> z_, z1_, back_;
    std::array<S, 6> clock_;  // t as a pair, first guess of the next step, last step, smallest, largest
    std::int64_t made_ = 0, rejected_ = 0, next_rejected_ = 0, not_reversed_ = 0, next_not_reversed_ = 0;
    Compensated<S> t1_;
    S h_, next_guess_;
    bool again_ = false;  // the last attempt of this step was solved
    bool looking_back_ = false;
    std::string fault_;
    std::vector<S> q_slopes_, p_slopes_;  // of a one-stage method: start, stage, end
    Evaluations<S> evaluations_, next_evaluations_;
};

// Compiled once, in src/methods/adaptive_stepper.cpp.
extern template class AdaptiveStepper<double>;
#ifdef LIBRATION_HAS_QUAD
extern template class AdaptiveStepper<Quad>;
#endif

}  // namespace libration
