// A running method whose steps are machine code. The ordinary method is kept: it takes the first steps, those
// that the code refuses, and it reads nodes from the memory. Same bits, same memory: checkpoints of one are checkpoints
// of the other.
#pragma once

#include "codegen/machine_code.hpp"
#include "expression/tape.hpp"
#include "flat_memory.hpp"
#include "recorded_step.hpp"
#include "scalar/aligned.hpp"

#include <memory>

namespace libration {

class GeneratedStepper final : public Stepper<double> {
  public:
    // `ordinary` may be in the middle of its run.
    GeneratedStepper(std::unique_ptr<Stepper<double>> ordinary, const RecordedStep& step,
                     std::shared_ptr<const StepCode> code);

    using Stepper<double>::start;
    void start(const Node<double>& node, const double& h) override;
    StepReport<double> advance() override;
    void accept() override;
    [[nodiscard]] std::span<const double> pivot_position() const override { return ordinary_->pivot_position(); }
    Node<double> trial_node() override;
    Node<double> node() override;
    void visit(MemoryVisitor<double>& visitor) override;
    bool turn_round() override;
    [[nodiscard]] const Evaluations<double>& evaluations() const override;

    // Takes and accepts up to this many steps at once, whose nodes no observer needs, and stops before the first one
    // that is not good: advance() then says why. Returns how many; `worst` grows to the largest residual.
    std::int64_t leap(std::int64_t steps, double& worst);
    // The same of a step that was recorded with a watcher: `watched` are its numbers, in the order of its visit, before
    // and then after.
    std::int64_t leap(std::int64_t steps, double& worst, std::span<const std::span<double>> watched);
    [[nodiscard]] bool watches() const { return watched_ > 0; }

  private:
    enum class Holds { nothing, state, trial };  // what of ours the memory of the ordinary method shows now

    // Neighbours in an array of the memory, one after another in ours.
    struct Piece {
        std::size_t array, first, count;
    };

    double* state() { return memory_[current_].data(); }
    double* other() { return memory_[1 - current_].data(); }
    // Takes the state from the ordinary method, if its integers are those of the recorded step.
    bool enter();
    void leave();
    void show(Holds what) const;

    std::unique_ptr<Stepper<double>> ordinary_;
    std::shared_ptr<const StepCode> code_;
    std::vector<std::int64_t> integers_;
    std::vector<Piece> fixed_, changing_;
    std::size_t changing_count_, watched_;
    Tape<double> prepare_;  // fixed entries -> constants of the code
    AlignedVector<double> constants_;
    std::array<AlignedVector<double>, 2> memory_;  // before and after a step; the state is in [current_]
    mutable FlatMemory<double> places_;
    std::size_t current_ = 0;
    bool in_code_ = false;  // where the state is: in memory_, or with the ordinary method
    bool trial_in_code_ = false;
    mutable Holds shown_ = Holds::nothing;
};

}  // namespace libration
