// Times of nodes, and back.
#include "step_sequence.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace libration {

StepSequence::StepSequence(std::vector<double> nodes)
    : start_(nodes.front()), h_(nodes.size() > 1 ? nodes[1] - nodes[0] : 0), nodes_(std::move(nodes)) {}

double StepSequence::time(std::int64_t node) const {
    if (is_constant()) {
        return start_ + static_cast<double>(node) * h_;
    }
    assert(node >= 0 && static_cast<std::size_t>(node) < nodes_.size());
    return nodes_[static_cast<std::size_t>(node)];
}

double StepSequence::size(std::int64_t node) const { return is_constant() ? h_ : time(node) - time(node - 1); }

double StepSequence::place(double t) const {
    if (is_constant()) {
        return (t - start_) / h_;
    }
    if (nodes_.size() == 1) {
        return 0;
    }
    const double sign = h_ > 0 ? 1 : -1;
    const auto after = std::ranges::upper_bound(nodes_, sign * t, {}, [&](double node) { return sign * node; });
    const auto last = static_cast<std::int64_t>(nodes_.size()) - 1;
    const auto node = std::clamp<std::int64_t>(after - nodes_.begin() - 1, 0, last - 1);
    return static_cast<double>(node) + (t - time(node)) / size(node + 1);
}

}  // namespace libration
