// Higher derivatives of one term of a model, summed over its instances into dense matrices and vectors of the whole
// model. Differentiated is the small expression that all instances share, not their sum: models of many instances stay
// cheap.
#pragma once

#include "term_hessian.hpp"

#include <libration/expression/differentiate.hpp>

namespace libration {

template <class S>
class TermDerivatives {
  public:
    TermDerivatives(const Term& term, const ParameterValues<S>& given)
        : uses_time_(term.uses_time), instances_(term, given), hessian_(term, given) {
        const auto& kernel = term.formula.kernel;
        auto inputs = TermInstances<S>::inputs(term);
        const auto direction = fresh_symbols("direction", term.slots.size());
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

    [[nodiscard]] unsigned part() const { return hessian_.part(); }
    [[nodiscard]] std::size_t instances() const { return instances_.count(); }

    // matrix += sum over instances k of weight[k] f_k,qq; no weights: all are 1. dimension x dimension, row-major.
    void add_hessian(const S& t, std::span<const S> q, std::span<const S> weight, std::span<S> matrix) {
        hessian_.add_to(t, q, weight, matrix);
    }

    // vector += 2 sum over instances k of weight[k] f_k,qt
    void add_twice_mixed(const S& t, std::span<const S> q, std::span<const S> weight, std::span<S> vector) {
        for (std::size_t k = 0; k < instances() && uses_time_; ++k) {
            const auto* index = instances_.load(mixed_, k, t, q);
            const S factor = lit<S>(2) * weight[k];
            mixed_.run([&](std::size_t s, std::size_t, const S& value) {
                vector[index[s]] = mad(factor, value, vector[index[s]]);
            });
        }
    }

    // vector += sum over instances k of weight[k] times the gradient by q of f_k,qq(v, v) + 2 f_k,qt v + f_k,tt
    void add_third(const S& t, std::span<const S> q, std::span<const S> weight, std::span<const S> v,
                   std::span<S> vector) {
        for (std::size_t k = 0; k < instances(); ++k) {
            const auto* index = instances_.load(third_, k, t, q);
            for (std::size_t s = 0; s < instances_.slots(); ++s) {
                third_.input(instances_.added() + s) = v[index[s]];
            }
            third_.run([&](std::size_t s, std::size_t, const S& value) {
                vector[index[s]] = mad(weight[k], value, vector[index[s]]);
            });
        }
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        hessian_.visit_tapes(visitor);
        for (auto* tape : {&third_, &mixed_}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    bool uses_time_;
    TermInstances<S> instances_;
    TermHessian<S> hessian_;
    SparseTape<S> third_, mixed_;
};

}  // namespace libration
