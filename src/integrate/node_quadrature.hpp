// The integral over time of a quantity that is known at the nodes of a run.
//
// Over each step it is the integral of the polynomial through the last nodes: with constant steps through 8 of them,
// the formula of Adams and Moulton of order 8. The weights that a node gets from all steps add up to the step size, so
// that errors of the polynomials do not accumulate.
#pragma once

#include <libration/kit/stepper.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace libration {

// Weights w with sum w_i f(nodes_i) = the integral from a to b of the polynomial through all f(nodes_i). Nodes are
// distinct.
std::vector<double> interval_weights(std::span<const double> nodes, double a, double b);

class NodeQuadrature {
  public:
    // If the step size varies, 5 nodes: a polynomial of high degree through uneven nodes may oscillate.
    explicit NodeQuadrature(bool constant_steps);

    struct Value {
        double t, integral;
    };
    // The next node; the first call begins. Returns the nodes whose integral becomes known by it: none before there are
    // enough nodes, then all of them, then one at a time. Valid until the next call.
    std::span<const Value> add(double t, double value);
    // Of a run that ends here: the newest node, or all, by the polynomial through all there are, if none is known yet.
    [[nodiscard]] std::vector<Value> rest() const;
    void visit(MemoryVisitor<double>& visitor);

    static constexpr std::size_t most_nodes = 8;

  private:
    [[nodiscard]] std::vector<Value> first_values(std::size_t count) const;

    std::size_t nodes_;
    std::vector<double> weights_;                   // of the last interval if all are equal, for the length 1
    std::array<double, most_nodes> t_{}, value_{};  // the last ones, the newest at the end
    std::array<double, 2> sum_{};                   // the integral up to the newest, and what rounding dropped from it
    std::int64_t count_ = 0;
    std::vector<Value> known_;
};

}  // namespace libration
