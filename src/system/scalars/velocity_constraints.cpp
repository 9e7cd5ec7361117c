// Programs of the nonholonomic constraints of a model and of their derivatives.
#include "system/velocity_constraints.hpp"
#include "model/model_values.hpp"
#include "scalar/second_order.hpp"

#include <array>
#include <unordered_set>

namespace libration {

namespace {

// The derivatives of `values` by `symbols` as a dense matrix: places and expressions of the entries.
struct Derivatives {
    std::vector<std::size_t> place;
    std::vector<Expression> value;
    Derivatives(std::span<const Expression> values, const Symbols& symbols) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto row = gradient(values[i], symbols);
            for (std::size_t j = 0; j < row.size(); ++j) {
                if (!row[j].is_constant(0)) {
                    place.push_back(i * symbols.size() + j);
                    value.push_back(row[j]);
                }
            }
        }
    }
};

// Zero wherever it is defined. Simplification keeps products such as 0*(a/b), because b might be zero.
bool vanishes(const Expression& expression) {
    std::unordered_set<Expression> zeros;
    for (const auto& e : sorted_nodes(std::array{expression})) {
        const auto zero = [&](std::size_t i) { return zeros.contains(e.arguments()[i]); };
        const bool sum = e.is(Op::add) || e.is(Op::subtract);
        if (e.is_constant(0) || (sum && zero(0) && zero(1)) || (e.is(Op::multiply) && (zero(0) || zero(1))) ||
            ((e.is(Op::divide) || e.is(Op::negate)) && zero(0))) {
            zeros.insert(e);
        }
    }
    return zeros.contains(expression);
}

}  // namespace

template <class S>
VelocityConstraints<S>::VelocityConstraints(const Model& model, const ParameterValues<S>& given)
    : count_(model.nonholonomic.size()) {
    const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
    const Symbols nothing(v.size(), Expression(0));
    const auto mu = fresh_symbols("mu", count_);
    std::vector<Expression> k, rates;
    Expression reaction(0);  // K^T mu is its gradient by v
    for (std::size_t i = 0; i < count_; ++i) {
        k.push_back(model.nonholonomic[i].equation.value);
        auto rate = gradient(k[i], std::array{time_symbol()})[0];
        const auto slopes = gradient(k[i], q);
        for (std::size_t j = 0; j < q.size(); ++j) {
            rate = slopes[j].is_constant(0) ? rate : rate + slopes[j] * v[j];
        }
        rates.push_back(rate);
        const auto K = gradient(k[i], v);
        const bool linear = std::ranges::none_of(K, [&](const auto& slope) { return depends_on(slope, v); });
        without_work_ = without_work_ && linear && vanishes(substitute(k[i], v, nothing));
        reaction = reaction + mu[i] * k[i];
    }
    values_ = WholeTape<S>(k, {q, v}, given);
    rates_ = WholeTape<S>(rates, {q, v}, given);
    const Derivatives by_v(k, v), by_q(k, q);
    by_velocity_ = {by_v.place, WholeTape<S>(by_v.value, {q, v}, given)};
    by_position_ = {by_q.place, WholeTape<S>(by_q.value, {q, v}, given)};
    const auto forces = gradient(reaction, v);
    const Derivatives force_by_q(forces, q), force_by_v(forces, v);
    reaction_by_position_ = {force_by_q.place, WholeTape<S>(force_by_q.value, {q, v, mu}, given)};
    reaction_by_velocity_ = {force_by_v.place, WholeTape<S>(force_by_v.value, {q, v, mu}, given)};
}

#define LIBRATION_INSTANTIATE(scalar) template class VelocityConstraints<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
