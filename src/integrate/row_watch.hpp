// Of redundant constraints: whether the rows that are carried stay well-conditioned along a motion.
#pragma once

#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include <memory>
#include <optional>

namespace libration {

// At nodes whose number is a multiple of this, rows are looked at.
inline constexpr std::int64_t steps_between_looks = 16;

class RowWatch {
  public:
    // `system` of the model, which may carry some of its rows; both must outlive the watch.
    RowWatch(const Model& model, System<double>& system);

    // False where all rows are carried.
    [[nodiscard]] bool needed() const { return whole_ != nullptr; }
    // The rows of now were chosen here.
    void begin(const Node<double>& node);
    // The rows that are to be carried from this node on, if they are others: where the smallest pivot of those carried
    // is far below the one at the last decision, and other rows offer a much larger one. A pure function of the node
    // and of the memory. `always`: whatever the last decision was.
    std::optional<std::vector<std::size_t>> better_rows(const Node<double>& node, bool always = false);
    // The memory.
    void visit(MemoryVisitor<double>& visitor) { visitor.array("carried_pivot", std::span(&reference_, 1)); }

  private:
    const Model* model_;
    System<double>* system_;
    std::unique_ptr<System<double>> whole_;
    double reference_ = 1;  // the smallest pivot at the last decision
};

}  // namespace libration
