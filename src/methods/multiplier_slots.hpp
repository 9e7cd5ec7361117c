// The multipliers of each application of a map within a step: history, prediction, and those of the step that is being
// computed.
#pragma once

#include "manifold/multiplier_history.hpp"

namespace libration {

template <class S>
class MultiplierSlots {
  public:
    // `depth`: see MultiplierHistory.
    explicit MultiplierSlots(std::size_t size, std::size_t depth = 4) : size_(size), depth_(depth) {}

    void reserve(std::size_t slots) {
        slots_.assign(slots, {MultiplierHistory<S>(size_, depth_), std::vector<S>(size_, lit<S>(0))});
    }
    void forget() {
        for (auto& slot : slots_) {
            slot.history.clear();
        }
    }
    [[nodiscard]] bool knows(std::size_t slot) const { return slots_[slot].history.filled() > 0; }
    // The multipliers that the step will use; to be predicted or set, then solved for.
    std::span<S> current(std::size_t slot) { return slots_[slot].multipliers; }
    std::span<S> predict(std::size_t slot) {
        slots_[slot].history.predict(slots_[slot].multipliers);
        return slots_[slot].multipliers;
    }
    void predict(std::size_t slot, std::span<S> into) const { slots_[slot].history.predict(into); }
    // Takes the current ones as the past of this slot.
    void remember(std::size_t slot) { slots_[slot].history.push(slots_[slot].multipliers); }
    void accept() {
        for (auto& slot : slots_) {
            slot.history.push(slot.multipliers);
        }
    }
    template <class Visitor>
    void visit(Visitor& visitor) {
        for (auto& slot : slots_) {
            slot.history.visit(visitor);
        }
    }

  private:
    struct Slot {
        MultiplierHistory<S> history;
        std::vector<S> multipliers;
    };
    std::size_t size_, depth_;
    std::vector<Slot> slots_;
};

}  // namespace libration
