// Second derivatives of one term of an extended model along a direction in the coordinates of the model: block by block
// of its instances, in double precision.
#pragma once

#include "expression/block_tape.hpp"
#include "expression/tape_visitor.hpp"
#include "model/model_values.hpp"
#include "system/coordinate_table.hpp"

namespace libration {

class TermTangent {
  public:
    // `dimension`: of the model; coordinates from there on stand for parameters, and are 1.
    TermTangent(const Term& term, std::size_t dimension, const ParameterValues<double>& given);

    [[nodiscard]] std::size_t instances() const { return instances_; }
    [[nodiscard]] std::size_t slots() const { return x_slots_; }          // coordinates of the model
    [[nodiscard]] std::size_t parameter_slots() const { return theta_.size(); }
    [[nodiscard]] std::uint32_t coordinate(std::size_t instance, std::size_t slot) const { return x_(instance, slot); }
    [[nodiscard]] std::uint32_t parameter(std::size_t instance, std::size_t slot) const {
        return theta_[slot](instance, 0);
    }

    // Calls visit(first, count): then curvature(s)[l] is the derivative to slot s along the direction of the slope to
    // q, of instance first + l; slope(s)[l] that to the parameter of a slot.
    template <class Visit>
    void along(double t, std::span<const double> q, std::span<const double> direction, Visit visit) {
        for (std::size_t first = 0; first < instances_; first += tape_.lanes()) {
            const std::size_t count = std::min(tape_.lanes(), instances_ - first);
            load(t, q, direction, first, count);
            tape_.run(count);
            visit(first, count);
        }
    }
    [[nodiscard]] const double* curvature(std::size_t slot) const { return tape_.output(slot); }
    [[nodiscard]] const double* parameter_curvature(std::size_t slot) const { return tape_.output(x_slots_ + slot); }
    [[nodiscard]] const double* parameter_slope(std::size_t slot) const {
        return tape_.output(x_slots_ + theta_.size() + slot);
    }

    void visit_tapes(TapeVisitor<double>& visitor) { visitor.block(tape_, instances_); }

  private:
    void load(double t, std::span<const double> q, std::span<const double> direction, std::size_t first,
              std::size_t count);

    std::size_t instances_, width_, x_slots_ = 0;
    bool uses_time_;
    CoordinateTable x_;
    std::vector<CoordinateTable> theta_;  // one for each slot: neighbors differ in other ways than those of x
    std::vector<double> table_;           // [instance][parameter]
    BlockTape<double> tape_;
};

}  // namespace libration
