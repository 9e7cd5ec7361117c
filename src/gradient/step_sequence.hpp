// The steps of a run whose tangents are taken: all of one size, or those that an adaptive run chose, held fixed.
#pragma once

#include <cstdint>
#include <vector>

namespace libration {

class StepSequence {
  public:
    // All of the size h, from `start` on.
    StepSequence(double start, double h) : start_(start), h_(h) {}
    // From each of these times to the next; at least one.
    explicit StepSequence(std::vector<double> nodes);

    [[nodiscard]] bool is_constant() const { return nodes_.empty(); }
    // Of the first step; of an adaptive run without steps 0.
    [[nodiscard]] double first() const { return h_; }
    // Of a node: 0, 1, ...
    [[nodiscard]] double time(std::int64_t node) const;
    // Of the step that leads to this node: 1, 2, ...
    [[nodiscard]] double size(std::int64_t node) const;
    // How many steps lead to a time: a whole number at a node. Before the start and after the end as if the first and
    // the last step were continued.
    [[nodiscard]] double place(double t) const;

  private:
    double start_, h_;
    std::vector<double> nodes_;
};

}  // namespace libration
