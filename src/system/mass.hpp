// A constant mass, diagonal or full, over one scalar.
#pragma once

#include "model/model_values.hpp"
#include <libration/kit/reduce.hpp>
#include <libration/kit/tuned.hpp>
#include <libration/model/model.hpp>

namespace libration {

template <class S>
class ConstantMass {
  public:
    ConstantMass() = default;
    ConstantMass(const Model& model, const ParameterValues<S>& given) : dimension_(model.dimension) {
        for (const auto& block : model.mass.diagonal) {
            for (const auto& value : instance_values(block.value, given)) {
                diagonal_.insert(diagonal_.end(), block.repeat, value);
                inverse_.insert(inverse_.end(), block.repeat, lit<S>(1) / value);
            }
        }
        for (const auto& entry : model.mass.matrix) {
            matrix_.push_back(
                Tape<S>(compiled(given.programs.get(), std::array{entry}, {}, given.symbols), given.values).output(0));
        }
        if (!matrix_.empty()) {
            diagonal_.clear();
            inverse_.clear();
            scratch_.assign(dimension_, lit<S>(0));
            factor();
        }
    }

    [[nodiscard]] std::span<const S> inverse_masses() const { return inverse_; }

    void apply(std::span<const S> v, std::span<S> p) const {
        for (std::size_t i = 0; i < dimension_; ++i) {
            if (matrix_.empty()) {
                p[i] = diagonal_[i] * v[i];
                continue;
            }
            S sum = matrix_[i * dimension_] * v[0];
            for (std::size_t j = 1; j < dimension_; ++j) {
                sum = mad(matrix_[i * dimension_ + j], v[j], sum);
            }
            p[i] = sum;
        }
    }

    // p^T M^-1 p
    S product(std::span<const S> p) {
        S result = lit<S>(0);
        if (!matrix_.empty()) {
            solve(p, scratch_);
        }
        tuned<S>([&]() LIBRATION_TUNED {
            result = sum_of<S>(dimension_, [&](std::size_t i) LIBRATION_TUNED {
                return S(p[i] * (matrix_.empty() ? S(inverse_[i] * p[i]) : scratch_[i]));
            });
        });
        return result;
    }

    void solve(std::span<const S> p, std::span<S> v) const {
        const std::size_t d = dimension_;
        if (matrix_.empty()) {
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t i = 0; i < d; ++i) {
                    v[i] = inverse_[i] * p[i];
                }
            });
            return;
        }
        for (std::size_t i = 0; i < d; ++i) {
            v[i] = p[i];
            for (std::size_t j = 0; j < i; ++j) {
                v[i] = mad(-factor_[i * d + j], v[j], v[i]);
            }
        }
        for (std::size_t i = d; i-- > 0;) {
            v[i] = v[i] / factor_[i * d + i];
            for (std::size_t j = i + 1; j < d; ++j) {
                v[i] = mad(-factor_[j * d + i], v[j], v[i]);
            }
        }
    }

  private:
    // M = L D L^T, L below the diagonal, D on it. Positive definite, so no pivoting is needed.
    void factor() {
        const std::size_t d = dimension_;
        factor_ = matrix_;
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t i = j + 1; i < d; ++i) {
                const S multiplier = factor_[i * d + j] / factor_[j * d + j];
                for (std::size_t k = j + 1; k <= i; ++k) {
                    factor_[i * d + k] = mad(-multiplier, factor_[k * d + j], factor_[i * d + k]);
                }
            }
            for (std::size_t i = j + 1; i < d; ++i) {
                factor_[i * d + j] = factor_[i * d + j] / factor_[j * d + j];
            }
        }
    }

    std::size_t dimension_ = 0;
    std::vector<S> diagonal_, inverse_, matrix_, factor_, scratch_;
};

}  // namespace libration
