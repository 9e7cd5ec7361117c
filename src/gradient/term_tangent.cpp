// The program of a term's second derivatives.
#include "term_tangent.hpp"

#include "system/whole_tape.hpp"
#include <libration/expression/differentiate.hpp>

namespace libration {

namespace {

// From one instance to the next, of all slots; 0: it varies.
std::size_t stride_of(std::span<const std::uint32_t> indices, std::size_t slots) {
    for (std::size_t k = slots; k < indices.size(); ++k) {
        if (indices[k] <= indices[k - slots] || indices[k] - indices[k - slots] != indices[slots] - indices[0]) {
            return 0;
        }
    }
    return slots > 0 && indices.size() > slots ? indices[slots] - indices[0] : 0;
}

}  // namespace

TermTangent::TermTangent(const Term& term, std::size_t dimension, const ParameterValues<double>& given)
    : instances_(term.formula.instances), width_(term.formula.parameters.size()), dimension_(dimension),
      uses_time_(term.uses_time), table_(instance_parameter_table(term.formula, given)) {
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
    x_stride_ = stride_of(indices, order.size());
    for (const auto s : parameters) {
        theta.push_back(term.slots[s]);
        theta_.push_back(columns(std::array{s}));
        theta_stride_.push_back(stride_of(indices, 1));
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
    scratch_.resize(tape_.lanes());
}

}  // namespace libration
