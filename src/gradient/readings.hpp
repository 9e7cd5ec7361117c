// Where a run is read: formulas of the state at nodes and between them, and the weight that each value has in the
// derivative of the loss.
//
// A point is so much time after a node, as dense output finds it (integrate/dense_steps.hpp). With c_r the derivative
// of the loss by the value of row r, the gradient of every loss is the sum over rows of c_r times the gradient of its
// formula at its point: of a formula of the end, of measurements, of integrals, and of states at events.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace libration {

struct Reading {
    std::size_t formula = 0;
    std::size_t row = 0;
    double weight = 1;     // c_r
    double curvature = 0;  // the second derivative of the loss by the value of the row, of losses that sum up rows
};

struct ReadPoint {
    std::int64_t step = 0;  // of the node
    double elapsed = 0;     // since the node; 0: the node itself
    double t = 0;
    std::vector<double> q, p;  // the state there
    std::vector<Reading> readings;
};

class Readings {
  public:
    Readings() = default;
    // In any order.
    explicit Readings(std::vector<ReadPoint> points);
    // The same at all nodes, with weights times those of a quadrature (coefficients/gregory.hpp) with nodes `unit`
    // apart.
    Readings(std::int64_t steps, std::vector<Reading> each, std::vector<double> corrections, double unit);

    // The first node that is not before `step`, and the last one that is not after it, where there is something to
    // read, there or before the next node.
    [[nodiscard]] std::optional<std::int64_t> next(std::int64_t step) const;
    [[nodiscard]] std::optional<std::int64_t> last(std::int64_t step) const;
    // What there is from this node to the next, in the order of time. At all nodes: without states, and valid until
    // the next call.
    std::span<const ReadPoint> from(std::int64_t step);
    [[nodiscard]] bool every_node() const { return steps_ >= 0; }
    // Of the quadrature.
    [[nodiscard]] double node_weight(std::int64_t step) const;
    // One more at the last node.
    void add_at_end(const Reading& reading) { at_end_.push_back(reading); }
    void set_each(std::vector<Reading> each) { each_ = std::move(each); }

    [[nodiscard]] const std::vector<ReadPoint>& points() const { return points_; }
    [[nodiscard]] bool between_nodes() const;
    // Only these rows.
    [[nodiscard]] Readings of_rows(std::span<const std::size_t> rows) const;

  private:
    std::vector<ReadPoint> points_;
    std::int64_t steps_ = -1;
    std::vector<Reading> each_, at_end_;
    std::vector<double> corrections_;
    double unit_ = 0;
};

// The first formula at one node.
Readings node_reading(const ReadPoint& node);

}  // namespace libration
