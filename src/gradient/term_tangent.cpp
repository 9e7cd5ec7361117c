// The program of a term's second derivatives.
#include "term_tangent.hpp"

#include "system/whole_tape.hpp"
#include <libration/expression/differentiate.hpp>

namespace libration {

TermTangent::TermTangent(const Term& term, std::size_t dimension, const ParameterValues<double>& given)
    : instances_(term.formula.instances), width_(term.formula.parameters.size()), uses_time_(term.uses_time),
      table_(instance_parameter_table(term.formula, given)) {
    const std::size_t all = term.slots.size();
    std::vector<std::size_t> order, parameters;
    for (std::size_t s = 0; s < all; ++s) {
        (term.indices[s] < dimension ? order : parameters).push_back(s);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t s) { return term.indices[s]; });
    x_slots_ = order.size();
    std::vector<Expression> x, theta, ones(parameters.size(), Expression(1)), direction;
    for (const auto s : order) {
        x.push_back(term.slots[s]);
        direction.push_back(fresh_symbol("direction"));
    }
    // A table for those that move together is short.
    std::vector<std::uint32_t> indices;
    const auto columns = [&](std::span<const std::size_t> slots) {
        indices.clear();
        for (std::size_t k = 0; k < instances_; ++k) {
            for (const auto s : slots) {
                indices.push_back(term.indices[k * all + s]);
            }
        }
        std::vector<std::size_t> in_order(slots.size());
        std::iota(in_order.begin(), in_order.end(), std::size_t{0});
        return CoordinateTable(indices, in_order);
    };
    x_ = columns(order);
    for (const auto s : parameters) {
        theta.push_back(term.slots[s]);
        theta_.push_back(columns(std::array{s}));
    }
    const auto& kernel = term.formula.kernel;
    const auto along = libration::directional_derivative(kernel, x, direction);
    auto outputs = gradient(along, x);
    for (const auto& list : {gradient(along, theta), gradient(kernel, theta)}) {
        outputs.insert(outputs.end(), list.begin(), list.end());
    }
    for (auto& output : outputs) {
        output = substitute(output, theta, ones);
    }
    auto inputs = x;
    for (const auto& parameter : term.formula.parameters) {
        inputs.push_back(parameter.symbol);
    }
    if (uses_time_) {
        inputs.push_back(time_symbol());
    }
    inputs.insert(inputs.end(), direction.begin(), direction.end());
    tape_ = BlockTape<double>(compile(outputs, inputs, given.symbols), given.values, instances_);
}

void TermTangent::load(double t, std::span<const double> q, std::span<const double> direction, std::size_t first,
                       std::size_t count) {
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

}  // namespace libration
