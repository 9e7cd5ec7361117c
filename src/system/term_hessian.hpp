// Second derivatives of one term of a model, instance by instance. Differentiated is the small expression that all
// instances share.
#pragma once

#include "sparse_tape.hpp"

#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/model/model.hpp>

namespace libration {

// The inputs of a program of a term: slots, values of the instance, time; then what the program adds.
template <class S>
class TermInstances {
  public:
    TermInstances(const Term& term, const ParameterValues<S>& given)
        : slots_(term.slots.size()), width_(term.formula.parameters.size()), count_(term.formula.instances),
          indices_(term.indices), table_(instance_parameter_table(term.formula, given)) {}

    static std::vector<Expression> inputs(const Term& term) {
        auto inputs = term.slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        inputs.push_back(time_symbol());
        return inputs;
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t slots() const { return slots_; }
    // The first input that a program adds.
    [[nodiscard]] std::size_t added() const { return slots_ + width_ + 1; }
    // The numbers of the coordinates of instance k.
    [[nodiscard]] const std::uint32_t* coordinates(std::size_t k) const { return indices_.data() + k * slots_; }
    const std::uint32_t* load(SparseTape<S>& tape, std::size_t k, const S& t, std::span<const S> q) const {
        const auto* index = coordinates(k);
        for (std::size_t s = 0; s < slots_; ++s) {
            tape.input(s) = q[index[s]];
        }
        for (std::size_t j = 0; j < width_; ++j) {
            tape.input(slots_ + j) = table_[k * width_ + j];
        }
        tape.input(slots_ + width_) = t;
        return index;
    }

  private:
    std::size_t slots_, width_, count_;
    std::vector<std::uint32_t> indices_;
    std::vector<S> table_;
};

template <class S>
class TermHessian {
  public:
    TermHessian(const Term& term, const ParameterValues<S>& given)
        : part_(term.part == 0 ? slow_part : term.part), instances_(term, given),
          tape_(lower_hessian(term.formula.kernel, term.slots), TermInstances<S>::inputs(term), given) {}

    [[nodiscard]] unsigned part() const { return part_; }  // a potential that is not split is slow
    [[nodiscard]] std::size_t instances() const { return instances_.count(); }

    // visit(k, row, column): the coordinates of the entries that are not identically zero, one for each pair of slots.
    template <class Visit>
    void for_each_place(Visit visit) const {
        for (std::size_t k = 0; k < instances(); ++k) {
            const auto* index = instances_.coordinates(k);
            for (const auto& place : tape_.places()) {
                visit(k, index[place.row], index[place.column]);
            }
        }
    }
    // visit(k, value), in the same order: what f_k,qq has at that place and at its mirror image. Where two slots are
    // one coordinate, both lie on the diagonal.
    template <class Visit>
    void run(const S& t, std::span<const S> q, Visit visit) {
        for (std::size_t k = 0; k < instances(); ++k) {
            const auto* index = instances_.load(tape_, k, t, q);
            tape_.run([&](std::size_t a, std::size_t b, const S& value) {
                visit(k, a != b && index[a] == index[b] ? S(value + value) : value);
            });
        }
    }
    // matrix += sum over instances k of weight[k] f_k,qq; no weights: all are 1. dimension x dimension, row-major.
    void add_to(const S& t, std::span<const S> q, std::span<const S> weight, std::span<S> matrix) {
        for (std::size_t k = 0; k < instances(); ++k) {
            const auto* index = instances_.load(tape_, k, t, q);
            tape_.run([&](std::size_t a, std::size_t b, const S& value) {
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
    void visit_tapes(TapeVisitor<S>& visitor) { tape_.visit_tapes(visitor); }

  private:
    unsigned part_;
    TermInstances<S> instances_;
    SparseTape<S> tape_;
};

}  // namespace libration
