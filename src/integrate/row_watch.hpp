// Of redundant constraints: whether the rows that are carried stay well-conditioned along a motion, and whether those
// that are not carried hold.
#pragma once

#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include <memory>
#include <optional>
#include <string>

namespace libration {

// At nodes whose number is a multiple of this, rows that are not carried are looked at; and at the last one.
inline constexpr std::int64_t steps_between_looks = 16;

class RowWatch {
  public:
    // `system` of the model, which may carry some of its rows; both must outlive the watch.
    RowWatch(const Model& model, System<double>& system);

    // False where all rows are carried.
    [[nodiscard]] bool needed() const { return whole_ != nullptr; }
    // The smallest squared sine of the rows carried.
    double pivot(const Node<double>& node);
    // The rows that are to be carried from this node on, if they are others: where the step from it to `trial` (which
    // need not be a state) meets small pivots, and other rows offer much larger ones. A pure function of both. Where
    // `trial` is known not to be the motion, the velocity of the node says where the step leads.
    std::optional<std::vector<std::size_t>> better_rows(const Node<double>& node, const Node<double>& trial,
                                                        bool is_motion = true);
    // The squared length of a step in the metric of the masses, which are diagonal, if the velocities at its ends
    // explain it: at most twice what the faster one makes in this time.
    std::optional<double> explained_length(const Node<double>& node, const Node<double>& trial);
    // Rows that are not carried and miss zero by more than rounding and accepted data explain; nothing if they hold.
    std::optional<std::string> contradiction(const Node<double>& node);

  private:
    using Rows = std::vector<std::size_t>;

    std::optional<Rows> choice_at(const Node<double>& node);

    const Model* model_;
    System<double>* system_;
    std::unique_ptr<System<double>> whole_;
};

// The model with the rows that suit the step between two nodes, for who did not follow the run there.
Model with_rows_of_step(const Model& model, const Node<double>& from, const Node<double>& to);

}  // namespace libration
