// Higher derivatives of one term of a model, summed over its instances into dense matrices and vectors of the whole
// model. Differentiated is the small expression that all instances share, not their sum: models of many instances stay
// cheap.
#pragma once

#include "sparse_tape.hpp"

#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>

namespace libration {

template <class S>
class TermDerivatives {
  public:
    TermDerivatives(const Term& term, const ParameterValues<S>& given)
        : part_(term.part), slots_(term.slots.size()), width_(term.formula.parameters.size()),
          instances_(term.formula.instances), uses_time_(term.uses_time), indices_(term.indices),
          table_(instance_parameter_table(term.formula, given)) {
        const auto& kernel = term.formula.kernel;
        auto inputs = term.slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        inputs.push_back(time_symbol());
        hessian_ = SparseTape<S>(lower_hessian(kernel, term.slots), inputs, given);
        const auto direction = fresh_symbols("direction", slots_);
        auto moving = term.slots, along = direction;
        if (uses_time_) {
            mixed_ = SparseTape<S>(column(gradient(derivative(kernel, time_symbol()), term.slots)), inputs, given);
            moving.push_back(time_symbol());
            along.emplace_back(1);
        }
        const auto first = directional_derivative(kernel, moving, along);
        const auto second = directional_derivative(first, moving, along);
        inputs.insert(inputs.end(), direction.begin(), direction.end());
        third_ = SparseTape<S>(column(gradient(second, term.slots)), inputs, given);
    }

    [[nodiscard]] unsigned part() const { return part_; }
    [[nodiscard]] std::size_t instances() const { return instances_; }

    // matrix += sum over instances k of weight[k] f_k,qq; no weights: all are 1. dimension x dimension, row-major.
    void add_hessian(const S& t, std::span<const S> q, std::span<const S> weight, std::span<S> matrix) {
        for (std::size_t k = 0; k < instances_; ++k) {
            const auto* index = load(hessian_, k, t, q);
            hessian_.run([&](std::size_t a, std::size_t b, const S& value) {
                const S part = weight.empty() ? value : S(weight[k] * value);
                S& below = matrix[index[a] * q.size() + index[b]];
                below = below + part;
                if (a != b) {
                    S& above = matrix[index[b] * q.size() + index[a]];
                    above = above + part;
                }
            });
        }
    }

    // vector += 2 sum over instances k of weight[k] f_k,qt
    void add_twice_mixed(const S& t, std::span<const S> q, std::span<const S> weight, std::span<S> vector) {
        for (std::size_t k = 0; k < instances_ && uses_time_; ++k) {
            const auto* index = load(mixed_, k, t, q);
            const S factor = lit<S>(2) * weight[k];
            mixed_.run([&](std::size_t s, std::size_t, const S& value) {
                vector[index[s]] = mad(factor, value, vector[index[s]]);
            });
        }
    }

    // vector += sum over instances k of weight[k] times the gradient by q of f_k,qq(v, v) + 2 f_k,qt v + f_k,tt
    void add_third(const S& t, std::span<const S> q, std::span<const S> weight, std::span<const S> v,
                   std::span<S> vector) {
        for (std::size_t k = 0; k < instances_; ++k) {
            const auto* index = load(third_, k, t, q);
            for (std::size_t s = 0; s < slots_; ++s) {
                third_.input(slots_ + width_ + 1 + s) = v[index[s]];
            }
            third_.run([&](std::size_t s, std::size_t, const S& value) {
                vector[index[s]] = mad(weight[k], value, vector[index[s]]);
            });
        }
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        for (auto* tape : {&hessian_, &third_, &mixed_}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    // The numbers of the coordinates of instance k.
    const std::uint32_t* load(SparseTape<S>& tape, std::size_t k, const S& t, std::span<const S> q) const {
        const auto* index = indices_.data() + k * slots_;
        for (std::size_t s = 0; s < slots_; ++s) {
            tape.input(s) = q[index[s]];
        }
        for (std::size_t j = 0; j < width_; ++j) {
            tape.input(slots_ + j) = table_[k * width_ + j];
        }
        tape.input(slots_ + width_) = t;
        return index;
    }

    unsigned part_;
    std::size_t slots_, width_, instances_;
    bool uses_time_;
    std::vector<std::uint32_t> indices_;
    std::vector<S> table_;
    SparseTape<S> hessian_, third_, mixed_;
};

}  // namespace libration
