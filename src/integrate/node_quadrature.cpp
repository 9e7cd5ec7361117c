#include "node_quadrature.hpp"

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t nodes_of_constant_steps = NodeQuadrature::most_nodes, nodes_of_varying_steps = 5;

}  // namespace

std::vector<double> interval_weights(std::span<const double> nodes, double a, double b) {
    const std::size_t n = nodes.size();
    // In units of the interval, from its end: numbers of the order of n.
    const double unit = b - a;
    std::vector<double> x;
    for (const double t : nodes) {
        x.push_back((t - b) / unit);
    }
    std::vector<double> weights;
    for (std::size_t i = 0; i < n; ++i) {
        // Coefficients of the Lagrange polynomial of node i, the constant one first.
        std::vector<double> coefficients{1};
        double denominator = 1;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) {
                continue;
            }
            coefficients.push_back(0);
            for (std::size_t k = coefficients.size() - 1; k > 0; --k) {
                coefficients[k] = coefficients[k - 1] - x[j] * coefficients[k];
            }
            coefficients[0] *= -x[j];
            denominator *= x[i] - x[j];
        }
        double integral = 0;
        for (std::size_t k = 0; k < n; ++k) {
            integral += coefficients[k] / static_cast<double>(k + 1) * (k % 2 == 0 ? 1 : -1);  // of x^k from -1 to 0
        }
        weights.push_back(unit * integral / denominator);
    }
    return weights;
}

NodeQuadrature::NodeQuadrature(bool constant_steps)
    : nodes_(constant_steps ? nodes_of_constant_steps : nodes_of_varying_steps) {
    if (constant_steps) {
        std::vector<double> equal;
        for (std::size_t k = 0; k < nodes_; ++k) {
            equal.push_back(static_cast<double>(k));
        }
        weights_ = interval_weights(equal, equal[nodes_ - 2], equal[nodes_ - 1]);
    }
}

std::vector<NodeQuadrature::Value> NodeQuadrature::first_values(std::size_t count) const {
    const auto nodes = std::span(t_).last(count), values = std::span(value_).last(count);
    std::vector<Value> known{{nodes[0], 0}};
    for (std::size_t k = 1; k < count; ++k) {
        const auto weights = interval_weights(nodes, nodes[k - 1], nodes[k]);
        double change = 0;
        for (std::size_t i = 0; i < count; ++i) {
            change += weights[i] * values[i];
        }
        known.push_back({nodes[k], known.back().integral + change});
    }
    return known;
}

std::span<const NodeQuadrature::Value> NodeQuadrature::add(double t, double value) {
    std::ranges::copy(std::span(t_).subspan(1), t_.begin());
    std::ranges::copy(std::span(value_).subspan(1), value_.begin());
    t_.back() = t;
    value_.back() = value;
    ++count_;
    known_.clear();
    const auto needed = static_cast<std::int64_t>(nodes_);
    if (count_ < needed) {
        return known_;
    }
    if (count_ == needed) {
        known_ = first_values(nodes_);
        sum_ = {known_.back().integral, 0};
        return known_;
    }
    const auto nodes = std::span(t_).last(nodes_), values = std::span(value_).last(nodes_);
    const double before = nodes[nodes_ - 2];
    const auto varying = weights_.empty() ? interval_weights(nodes, before, t) : std::vector<double>();
    double change = 0;
    for (std::size_t i = 0; i < nodes_; ++i) {
        change += (weights_.empty() ? varying[i] : (t - before) * weights_[i]) * values[i];
    }
    const double increment = change - sum_[1], sum = sum_[0] + increment;
    sum_ = {sum, (sum - sum_[0]) - increment};
    known_.push_back({t, sum});
    return known_;
}

std::vector<NodeQuadrature::Value> NodeQuadrature::rest() const {
    const auto needed = static_cast<std::int64_t>(nodes_);
    return count_ == 0        ? std::vector<Value>()
           : count_ >= needed ? std::vector<Value>{{t_.back(), sum_[0]}}
                              : first_values(static_cast<std::size_t>(count_));
}

void NodeQuadrature::visit(MemoryVisitor<double>& visitor) {
    visitor.array("quadrature_t", t_);
    visitor.array("quadrature_values", value_);
    visitor.array("quadrature_sum", sum_);
    visitor.integer("quadrature_nodes", count_);
}

}  // namespace libration
