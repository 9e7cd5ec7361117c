// Higher derivatives of one term of a model, summed over its instances into dense matrices and vectors of the whole model.
// Differentiated is the small expression that all instances share, not their sum: models of many instances stay cheap.
#pragma once

#include "sparse_tape.hpp"

#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>
#include <libration/system/whole_tape.hpp>

namespace libration {

template <class S>
class TermDerivatives {
  public:
    TermDerivatives(const Term& term, const ParameterValues<S>& given)
        : part_(term.part), slots_(term.slots.size()), width_(term.formula.parameters.size()),
          instances_(term.formula.instances), indices_(term.indices),
          table_(instance_parameter_table(term.formula, given)) {
        const auto& kernel = term.formula.kernel;
        auto inputs = term.slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        inputs.push_back(time_symbol());
        hessian_ = SparseTape<S>(lower_hessian(kernel, term.slots), inputs, given);
        const auto direction = fresh_symbols("direction", slots_);
        const auto first = directional_derivative(kernel, term.slots, direction);
        const auto second = directional_derivative(first, term.slots, direction);
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

    // vector += sum over instances k of weight[k] f_k,qqq(v, v)
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
    std::vector<std::uint32_t> indices_;
    std::vector<S> table_;
    SparseTape<S> hessian_, third_;
};

}  // namespace libration
