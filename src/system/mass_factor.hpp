// The matrix M of a kinetic energy, dense and factored without a search for pivots, which lanes could not make.
//
// That suits positive definite matrices. The one of an augmented system, [[M, G^T], [G, 0]], is neither definite nor
// has it pivots at all where masses are zero, but
//
//     [[K, G^T], [G, 0]] (v, w) = (a + G^T gamma b, b),     K = M + G^T gamma G,     gamma > 0 diagonal,
//
// has the solution of [[M, G^T], [G, 0]] (v, w) = (a, b), and K is positive definite under (10): the pivots are
// positive first and negative then, and any order of elimination is stable enough. [Jay 1998, (10), (13); Vanderbei
// 1995 on quasidefinite matrices]
#pragma once

#include "dense.hpp"
#include "model/augmented.hpp"

namespace libration {

// log2 of gamma for each constraint, such that M and gamma G^T G are of one size where there is mass, at the initial
// values of an augmented model.
std::vector<int> mass_balance(const Model& augmented_model);

template <class S>
class MassFactor {
  public:
    MassFactor() = default;
    explicit MassFactor(const Model& model)
        : n_(model.dimension), added_(added_coordinates(model)), matrix_(n_ * n_, lit<S>(0)),
          G_(added_ * (n_ - added_), lit<S>(0)) {
        for (const int exponent : added_ > 0 ? mass_balance(model) : std::vector<int>{}) {
            S gamma = lit<S>(1);
            for (int k = 0; k < (exponent < 0 ? -exponent : exponent); ++k) {
                gamma = gamma * (exponent < 0 ? lit<S>(1, 2) : lit<S>(2));
            }
            gamma_.push_back(gamma);
        }
    }

    [[nodiscard]] std::size_t added() const { return added_; }
    // Row-major; the lower triangle is to be filled before `factor`, which uses it up.
    [[nodiscard]] std::span<S> matrix() { return matrix_; }

    void factor() {
        if (added_ > 0) {
            complete();
        }
        factor_ldl<S>(n_, matrix_);
    }

    // x becomes M^-1 x.
    void solve(std::span<S> x) const {
        const std::size_t d = n_ - added_;
        for (std::size_t k = 0; k < added_; ++k) {
            for (std::size_t i = 0; i < d; ++i) {
                x[i] = mad(S(gamma_[k] * G_[k * d + i]), x[d + k], x[i]);
            }
        }
        solve_ldl<S>(n_, matrix_, x);
    }

    // The pivots of K and those of G K^-1 G^T, each as a part of the diagonal entry that it comes from; of augmented
    // systems.
    void relative_pivots(std::span<S> pivots) const {
        const std::size_t d = n_ - added_;
        for (std::size_t i = 0; i < n_; ++i) {
            const S pivot = i < d ? matrix_[i * n_ + i] : S(-matrix_[i * n_ + i]);
            S diagonal = i < d ? pivot : lit<S>(0);
            for (std::size_t j = 0; j < (i < d ? i : d); ++j) {
                diagonal = mad(S(matrix_[i * n_ + j] * matrix_[i * n_ + j]), matrix_[j * n_ + j], diagonal);
            }
            pivots[i] = pivot / diagonal;
        }
    }

  private:
    // Keeps G and turns M into K.
    void complete() {
        const std::size_t d = n_ - added_;
        for (std::size_t k = 0; k < added_; ++k) {
            for (std::size_t i = 0; i < d; ++i) {
                G_[k * d + i] = matrix_[(d + k) * n_ + i];
            }
        }
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                for (std::size_t k = 0; k < added_; ++k) {
                    matrix_[i * n_ + j] = mad(S(gamma_[k] * G_[k * d + i]), G_[k * d + j], matrix_[i * n_ + j]);
                }
            }
        }
    }

    std::size_t n_ = 0, added_ = 0;
    std::vector<S> matrix_, G_, gamma_;
};

}  // namespace libration
