// The coefficients of a Runge-Kutta method over a scalar, and the sums that they make of stage values.
//
// Rounded coefficients would be a slightly different method, at every step the same: the error of energy would grow
// like the time instead of its root. So each is carried as double plus correction. [Hairer-McLachlan-Razakarivony 2008]
#pragma once

#include "coefficients/tableau.hpp"
#include <libration/kit/state.hpp>
#include <libration/kit/tuned.hpp>

#include <span>
#include <vector>

namespace libration {

template <class S>
class StageWeights {
  public:
    explicit StageWeights(const Tableau& tableau) : stages_(tableau.stages) {
        for (std::size_t i = 0; i <= stages_; ++i) {  // the last row is b
            for (std::size_t j = 0; j < stages_; ++j) {
                const Wide value = i < stages_ ? tableau.a(i, j) : tableau.b[j];
                high_.push_back(as_scalar<S>(value));
                low_.push_back(carries_all ? lit<S>(0) : from_double<S>(low(value)));
            }
        }
        for (const auto& node : tableau.c) {
            nodes_.push_back(as_scalar<S>(node));
        }
    }

    [[nodiscard]] std::size_t stages() const { return stages_; }
    [[nodiscard]] const S& a(std::size_t row, std::size_t column) const { return high_[row * stages_ + column]; }
    [[nodiscard]] const S& c(std::size_t stage) const { return nodes_[stage]; }

    // Takes the coefficients of one of two methods with the same nodes and weights.
    void choose(const Mask<S>& first, const StageWeights& one, const StageWeights& other) {
        for (std::size_t k = 0; k < stages_ * stages_; ++k) {
            high_[k] = select(first, one.high_[k], other.high_[k]);
            low_[k] = select(first, one.low_[k], other.low_[k]);
        }
    }

    // sum = sum_j a_ij x_j, where x holds the vectors of all stages one after the other
    void stage_sum(std::size_t row, std::span<const S> x, std::span<S> sum) const {
        const std::size_t n = sum.size();
        const S* high = high_.data() + row * stages_;
        const S* low = low_.data() + row * stages_;
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t k = 0; k < n; ++k) {
                S total = low[0] * x[k];
                if constexpr (!carries_all) {  // small terms first
                    for (std::size_t j = 1; j < stages_; ++j) {
                        total = mad(low[j], x[j * n + k], total);
                    }
                }
                for (std::size_t j = 0; j < stages_; ++j) {
                    total = mad(high[j], x[j * n + k], total);
                }
                sum[k] = total;
            }
        });
    }
    // sum = sum_j b_j x_j
    void step_sum(std::span<const S> x, std::span<S> sum) const { stage_sum(stages_, x, sum); }

    // to = from + h sum_j b_j x_j, where component k of `from` is component first + k of every x_j, of which each has
    // n. Products and sums keep what they round, h and all: these few operations a step would otherwise give the energy
    // a drift.
    void step(const PairVector<S>& from, const S& h, std::span<const S> x, std::size_t n, std::size_t first,
              PairVector<S>& to) const {
        const S* b = high_.data() + stages_ * stages_;
        const S* b_low = low_.data() + stages_ * stages_;
        for (std::size_t k = 0; k < from.high.size(); ++k) {
            S sum = lit<S>(0), rest = lit<S>(0);
            for (std::size_t j = 0; j < stages_; ++j) {
                const S& value = x[j * n + first + k];
                const S product = b[j] * value;
                const auto total = add(sum, lit<S>(0), product);
                sum = total.high;
                rest = rest + (total.low + mad(b_low[j], value, mad(b[j], value, S(-product))));
            }
            const S increment = h * sum;
            const auto moved = add(from.high[k], lit<S>(0), increment);
            const S small = moved.low + (from.low[k] + mad(h, rest, mad(h, sum, S(-increment))));
            const auto result = add(moved.high, lit<S>(0), small);
            to.high[k] = result.high;
            to.low[k] = result.low;
        }
    }

    // sum = sum_j |a_ij| |x_j|: how large the terms are
    void stage_sizes(std::size_t row, std::span<const S> x, std::span<S> sum) const {
        const std::size_t n = sum.size();
        for (std::size_t k = 0; k < n; ++k) {
            S total = magnitude(a(row, 0)) * magnitude(x[k]);
            for (std::size_t j = 1; j < stages_; ++j) {
                total = mad(magnitude(a(row, j)), magnitude(x[j * n + k]), total);
            }
            sum[k] = total;
        }
    }
    void step_sizes(std::span<const S> x, std::span<S> sum) const { stage_sizes(stages_, x, sum); }

  private:
    static constexpr bool carries_all = std::is_same_v<Real<S>, Wide>;

    std::size_t stages_;
    std::vector<S> high_, low_, nodes_;
};

}  // namespace libration
