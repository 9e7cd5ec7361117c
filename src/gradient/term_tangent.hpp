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
    [[nodiscard]] std::size_t lanes() const { return tape_.lanes(); }
    [[nodiscard]] std::size_t slots() const { return x_slots_; }  // coordinates of the model
    [[nodiscard]] std::size_t parameter_slots() const { return theta_.size(); }
    [[nodiscard]] std::uint32_t coordinate(std::size_t instance, std::size_t slot) const { return x_(instance, slot); }
    // Of a slot that stands for a parameter, too.
    [[nodiscard]] std::uint32_t parameter(std::size_t instance, std::size_t slot) const {
        return theta_[slot](instance, 0);
    }
    // Space for one block.
    [[nodiscard]] double* scratch() { return scratch_.data(); }

    // row[l] = x[coordinate], and x[coordinate] += row[l], of a slot of instance first + l
    LIBRATION_INLINE void load(std::size_t slot, std::size_t first, std::size_t count, const double* x,
                               double* row) const {
        x_.load(slot, first, count, x, row);
    }
    LIBRATION_INLINE void add_to_coordinates(std::size_t slot, std::size_t first, std::size_t count,
                                             const double* __restrict row, double* __restrict x) const {
        add_to(x_, x_stride_, slot, first, count, row, x);
    }
    // `x`: without the coordinates of the model
    LIBRATION_INLINE void add_to_parameters(std::size_t slot, std::size_t first, std::size_t count,
                                            const double* __restrict row, double* __restrict x) const {
        add_to(theta_[slot], theta_stride_[slot], 0, first, count, row, x - dimension_);
    }

    // Calls visit(first, count): then curvature(s)[l] is the derivative to slot s along the direction of the slope to
    // q, of instance first + l; slope(s)[l] that to the parameter of a slot.
    template <class Visit>
    void along(double t, std::span<const double> q, std::span<const double> direction, Visit visit) {
        tuned<double>([&]() LIBRATION_TUNED {
            for (std::size_t first = 0; first < instances_; first += tape_.lanes()) {
                const std::size_t count = std::min(tape_.lanes(), instances_ - first);
                load_inputs(t, q, direction, first, count);
                tape_.run(count);
                visit(first, count);
            }
        });
    }
    [[nodiscard]] const double* curvature(std::size_t slot) const { return tape_.output(slot); }
    [[nodiscard]] const double* parameter_curvature(std::size_t slot) const { return tape_.output(x_slots_ + slot); }
    [[nodiscard]] const double* parameter_slope(std::size_t slot) const {
        return tape_.output(x_slots_ + theta_.size() + slot);
    }

    void visit_tapes(TapeVisitor<double>& visitor) { visitor.block(tape_, instances_); }

  private:
    LIBRATION_INLINE static void add_to(const CoordinateTable& table, std::size_t stride, std::size_t slot,
                                        std::size_t first, std::size_t count, const double* __restrict row,
                                        double* __restrict x) {
        switch (stride) {  // the compiler vectorizes strides that it knows
            case 1: return add_strided<1>(row, count, x + table(first, slot));
            case 2: return add_strided<2>(row, count, x + table(first, slot));
            case 3: return add_strided<3>(row, count, x + table(first, slot));
            default:
                for (std::size_t l = 0; l < count; ++l) {
                    x[table(first + l, slot)] += row[l];
                }
        }
    }
    template <std::size_t stride>
    LIBRATION_INLINE static void add_strided(const double* __restrict row, std::size_t count, double* __restrict x) {
        for (std::size_t l = 0; l < count; ++l) {
            x[l * stride] += row[l];
        }
    }
    LIBRATION_INLINE void load_inputs(double t, std::span<const double> q, std::span<const double> direction,
                                      std::size_t first, std::size_t count) {
        const std::size_t after = x_slots_ + width_ + (uses_time_ ? 1 : 0);
        for (std::size_t s = 0; s < x_slots_; ++s) {
            if (tape_.reads(s)) {
                x_.load(s, first, count, q.data(), tape_.input(s));
            }
            if (tape_.reads(after + s)) {
                x_.load(s, first, count, direction.data(), tape_.input(after + s));
            }
        }
        for (std::size_t k = 0; k < width_; ++k) {
            if (tape_.reads(x_slots_ + k)) {
                double* row = tape_.input(x_slots_ + k);
                for (std::size_t l = 0; l < count; ++l) {
                    row[l] = table_[(first + l) * width_ + k];
                }
            }
        }
        if (uses_time_ && tape_.reads(x_slots_ + width_)) {
            std::fill_n(tape_.input(x_slots_ + width_), count, t);
        }
    }

    std::size_t instances_, width_, dimension_, x_slots_ = 0;
    bool uses_time_;
    CoordinateTable x_;
    std::vector<CoordinateTable> theta_;     // one for each slot: neighbors differ in other ways than those of x
    std::size_t x_stride_ = 0;               // from one instance to the next; 0: it varies
    std::vector<std::size_t> theta_stride_;  // likewise
    std::vector<double> table_;              // [instance][parameter]
    BlockTape<double> tape_;
    std::vector<double> scratch_;
};

}  // namespace libration
