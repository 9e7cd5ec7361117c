// A method on a model with angles that count turns: the angles at the last node are part of its memory.
//
//     angle_n+1 = the branch of atan2(s, c) at node n+1 that is nearest to angle_n
//
// Stages take the branch that is nearest to angle_n, too. Where a step turns by more than half a turn, that is the
// wrong one, and nothing at the nodes shows it; so a step fails if it turns by more than a quarter, or if the rate at
// its end says that it did. Methods whose nodes are known late evaluate forces so many steps ahead of the last node;
// then the quarter is for all of them together.
#pragma once

#include "system/windings.hpp"
#include <libration/kit/stepper.hpp>

#include <memory>
#include <utility>

namespace libration {

inline constexpr double most_turned = 1.5707963267948966;  // in one step and those by which the nodes are late

template <class S>
class WindingStepper final : public Stepper<S> {
  public:
    WindingStepper(System<S>& system, std::unique_ptr<Stepper<S>> method, int lag)
        : system_(&system), method_(std::move(method)), limit_(from_double<Real<S>>(most_turned / (lag + 1))),
          memory_(count() + 1, lit<S>(0)), next_(memory_), v_(system.dimension(), lit<S>(0)),
          rates_(count(), lit<S>(0)) {}

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        windings().refer_to(node.turns);
        windings().angles(node.t, node.q, std::span(memory_).first(count()));
        memory_.back() = node.t;
        refer();
        method_->start(node, h);
    }

    StepReport<S> advance() override {
        refer();
        auto report = method_->advance();
        const auto trial = method_->trial_node();
        const auto angles = std::span(next_).first(count());
        windings().angles(trial.t, trial.q, angles);
        system_->velocity(trial.t, trial.q, trial.p, v_);
        windings().rates(trial.t, trial.q, v_, rates_);
        next_.back() = trial.t;
        const S h = trial.t - memory_.back();
        for (std::size_t k = 0; k < count(); ++k) {
            const Real<S> turned = absv(real_part(S(angles[k] - memory_[k])));
            const Real<S> expected = absv(real_part(S(rates_[k] * h)));
            const auto counted = both(less_equal(turned, limit_), less_equal(expected, limit_));
            report.converged = select(counted, report.converged, -absv(report.converged));
        }
        return report;
    }

    void accept() override {
        method_->accept();
        memory_ = next_;
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return method_->pivot_position(); }
    Node<S> trial_node() override { return with_turns(method_->trial_node()); }
    Node<S> node() override { return with_turns(method_->node()); }

    void visit(MemoryVisitor<S>& visitor) override {
        method_->visit(visitor);
        visitor.array("turns", memory_);
    }

    bool turn_round() override { return method_->turn_round(); }
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return method_->evaluations(); }

  private:
    [[nodiscard]] Windings<S>& windings() const { return *system_->windings(); }
    [[nodiscard]] std::size_t count() const { return windings().count(); }
    // A visitor may have changed the memory, and another trajectory may have used the system.
    void refer() { windings().refer_to(std::span<const S>(memory_).first(count())); }
    Node<S> with_turns(Node<S> node) {
        refer();
        node.turns = std::span<const S>(memory_).first(count());
        return node;
    }

    System<S>* system_;
    std::unique_ptr<Stepper<S>> method_;
    Real<S> limit_;
    std::vector<S> memory_, next_;  // the angles and the time of the last node
    std::vector<S> v_, rates_;
};

// The method itself where no angle counts turns.
template <class S>
std::unique_ptr<Stepper<S>> counting_turns(System<S>& system, std::unique_ptr<Stepper<S>> method, int lag) {
    if (system.windings() == nullptr) {
        return method;
    }
    return std::make_unique<WindingStepper<S>>(system, std::move(method), lag);
}

}  // namespace libration
