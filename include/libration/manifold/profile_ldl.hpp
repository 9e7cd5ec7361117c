// L D L^T of a symmetric positive definite matrix stored by rows from the first nonzero entry to the diagonal. A full matrix
// is dense, a chain is tridiagonal, and both are this code. In place, no pivot search, no allocation.
#pragma once

#include <libration/scalar/scalar.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace libration {

class Profile {
  public:
    Profile() = default;
    // first[i] <= i: the first column of row i.
    explicit Profile(std::vector<std::size_t> first) : first_(std::move(first)) {
        start_.push_back(0);
        for (std::size_t i = 0; i < first_.size(); ++i) {
            start_.push_back(start_.back() + (i - first_[i] + 1));
        }
    }
    [[nodiscard]] std::size_t rows() const { return first_.size(); }
    [[nodiscard]] std::size_t entries() const { return start_.empty() ? 0 : start_.back(); }
    [[nodiscard]] std::size_t first(std::size_t i) const { return first_[i]; }
    [[nodiscard]] std::size_t place(std::size_t i, std::size_t j) const { return start_[i] + (j - first_[i]); }

  private:
    std::vector<std::size_t> first_, start_;
};

// On entry `a` is the matrix; on return L below the diagonal and 1/D on it. Returns the smallest D_i / A_ii: the squared
// sine of the angle between a row and those before it, a measure of rank without units.
template <class S>
Real<S> factor(const Profile& profile, std::span<S> a) {
    Real<S> smallest = lit<Real<S>>(1);
    for (std::size_t i = 0; i < profile.rows(); ++i) {
        const std::size_t from = profile.first(i);
        for (std::size_t j = from; j < i; ++j) {
            S sum = a[profile.place(i, j)];
            for (std::size_t k = std::max(from, profile.first(j)); k < j; ++k) {
                sum = mad(-a[profile.place(i, k)], a[profile.place(j, k)], sum);
            }
            a[profile.place(i, j)] = sum;
        }
        S& diagonal = a[profile.place(i, i)];
        const S before = diagonal;
        S pivot = before;
        for (std::size_t j = from; j < i; ++j) {
            S& entry = a[profile.place(i, j)];
            const S scaled = entry * a[profile.place(j, j)];
            pivot = mad(-entry, scaled, pivot);
            entry = scaled;
        }
        // A pivot that is not a number must not hide behind a comparison: once met, it stays.
        const Real<S> ratio = real_part(pivot) / real_part(before);
        smallest = select(less(smallest, ratio), smallest, ratio) + (smallest - smallest);
        diagonal = lit<S>(1) / pivot;
    }
    return smallest;
}

template <class S>
void solve(const Profile& profile, std::span<const S> a, std::span<S> x) {
    for (std::size_t i = 0; i < profile.rows(); ++i) {
        for (std::size_t j = profile.first(i); j < i; ++j) {
            x[i] = mad(-a[profile.place(i, j)], x[j], x[i]);
        }
    }
    for (std::size_t i = 0; i < profile.rows(); ++i) {
        x[i] = x[i] * a[profile.place(i, i)];
    }
    for (std::size_t i = profile.rows(); i-- > 0;) {
        for (std::size_t j = profile.first(i); j < i; ++j) {
            x[j] = mad(-a[profile.place(i, j)], x[i], x[j]);
        }
    }
}

}  // namespace libration
