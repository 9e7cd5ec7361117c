// Dense factorisation: backward error, pivoting, singular matrices, tangents.
#include "manifold/dense_lu.hpp"

#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace libration {
namespace {

std::vector<double> random_numbers(std::size_t size, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<double> numbers;
    for (std::size_t k = 0; k < size; ++k) {
        numbers.push_back(std::normal_distribution<double>(0, 1)(random));
    }
    return numbers;
}

template <class S>
std::vector<S> convert(const std::vector<double>& x) {
    std::vector<S> result;
    for (const double value : x) {
        result.push_back(from_double<S>(value));
    }
    return result;
}

// |A x - b| / (|A| |x| eps) in the largest row sum. Elimination is backward stable: of the size of n at most, as long
// as pivots do not grow, which random matrices do not make them do. [Higham 2002, ch. 9]
template <class S>
double residual_in_round_offs(std::size_t n, std::span<const S> A, std::span<const S> x, std::span<const S> b) {
    S residual = lit<S>(0), size = residual, largest = residual;
    for (std::size_t i = 0; i < n; ++i) {
        S sum = -b[i], row = lit<S>(0);
        for (std::size_t j = 0; j < n; ++j) {
            sum = sum + A[i * n + j] * x[j];
            row = row + absv(A[i * n + j]);
        }
        residual = maxv(residual, absv(sum));
        size = maxv(size, row);
        largest = maxv(largest, absv(x[i]));
    }
    return to_double(residual / (size * largest * epsilon<S>()));
}

template <class S>
void expect_small_residuals() {
    for (const std::size_t n : {1U, 2U, 3U, 10U, 60U}) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            const auto A = convert<S>(random_numbers(n * n, seed)), b = convert<S>(random_numbers(n, seed + 100));
            auto factors = A, x = b;
            std::vector<std::size_t> pivots(n);
            const auto smallest = factor_dense<S>(factors, pivots);
            EXPECT_GT(smallest, lit<S>(1, 1000000)) << n;
            EXPECT_LE(smallest, lit<S>(1)) << n;
            solve_dense<S>(factors, pivots, x);
            EXPECT_LT(residual_in_round_offs<S>(n, A, x, b), static_cast<double>(n)) << n << ' ' << seed;
        }
    }
}

TEST(DenseLu, solves_to_round_off) {
    expect_small_residuals<double>();
#ifdef LIBRATION_HAS_QUAD
    expect_small_residuals<Quad>();
#endif
}

// Without pivoting the first divides by zero and the second gives x = (0, 1).
TEST(DenseLu, small_pivots_are_avoided) {
    for (const double corner : {0.0, 1e-20}) {
        std::vector<double> A{corner, 1, 1, 1}, x{1, 2};
        std::vector<std::size_t> pivots(2);
        EXPECT_EQ(factor_dense<double>(A, pivots), 1);
        solve_dense<double>(A, pivots, x);
        EXPECT_EQ(x, (std::vector<double>{1, 1}));
    }
}

TEST(DenseLu, the_smallest_pivot_tells_singular_matrices) {
    std::vector<std::size_t> pivots(3);
    std::vector<double> dependent{1, 2, 3, 4, 5, 6, 7, 8, 9};
    EXPECT_LT(factor_dense<double>(dependent, pivots), 1e-15);
    std::vector<double> column{1, 0, 3, 4, 0, 6, 7, 0, 10};
    EXPECT_FALSE(factor_dense<double>(column, pivots) > 0);
    std::vector<double> not_finite{1, 2, 3, 4, std::nan(""), 6, 7, 8, 10};
    EXPECT_FALSE(factor_dense<double>(not_finite, pivots) > 0);
    // Columns in other units are as good as before.
    std::vector<double> units{1e-30, 2, 3, 4e-30, 5, 6, 7e-30, 8, 10};
    EXPECT_GT(factor_dense<double>(units, pivots), 0.05);
    EXPECT_EQ(factor_dense<double>({}, {}), 1);
}

// x' = A^-1 (b' - A' x): the tangents of the solution against a solve of their own.
TEST(DenseLu, dual_numbers_give_the_tangents_of_the_solution) {
    const std::size_t n = 8;
    const auto A = random_numbers(n * n, 1), dA = random_numbers(n * n, 2), b = random_numbers(n, 3),
               db = random_numbers(n, 4);
    auto dual_A = convert<Dual<double>>(A), dual_x = convert<Dual<double>>(b);
    for (std::size_t k = 0; k < n * n; ++k) {
        dual_A[k].tangent[2] = dA[k];
    }
    for (std::size_t k = 0; k < n; ++k) {
        dual_x[k].tangent[2] = db[k];
    }
    std::vector<std::size_t> pivots(n);
    factor_dense<Dual<double>>(dual_A, pivots);
    solve_dense<Dual<double>>(dual_A, pivots, dual_x);
    auto factors = A, x = b;
    factor_dense<double>(factors, pivots);
    solve_dense<double>(factors, pivots, x);
    auto dx = db;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            dx[i] -= dA[i * n + j] * x[j];
        }
    }
    solve_dense<double>(factors, pivots, dx);
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(dual_x[i].value, x[i], 1e-12);
        EXPECT_NEAR(dual_x[i].tangent[2], dx[i], 1e-11);
        EXPECT_EQ(dual_x[i].tangent[1], 0);
    }
}

static_assert(OneTrajectory<Dual<Dual<double>>> && !OneTrajectory<Pack>);

}  // namespace
}  // namespace libration
