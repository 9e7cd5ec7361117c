// CHOLMOD as a back end agrees with our own factorisation; without it the request is refused.
#include "sparse_samples.hpp"

#include <libration/manifold/cholmod_matrix.hpp>
#include <libration/manifold/supernodal_constraint_matrix.hpp>
#include <libration/model/builder.hpp>
#include <libration/system/term_system.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

constexpr std::size_t rods = 60;

Model chain() { return Model::load("chain", {{"n", std::to_string(rods)}}); }

// A bent chain, so that no coupling vanishes.
std::vector<double> bent() {
    std::vector<double> q;
    for (std::size_t k = 0; k < rods; ++k) {
        q.push_back(std::sin(static_cast<double>(k * k)));
        q.push_back(-static_cast<double>(k + 1));
    }
    return q;
}

std::vector<double> jacobian(TermSystem<double>& system, const std::vector<double>& q) {
    std::vector<double> G(system.pattern().entries());
    system.jacobian(0, q, G);
    return G;
}

void compare(const Model& model, const std::vector<double>& q) {
    TermSystem<double> system(model);
    const auto matrix = make_cholmod_matrix(system);
    SupernodalConstraintMatrix<double> ours(system);
    const auto G = jacobian(system, q);
    std::vector<double> a(matrix->entries(), 7.0), b(ours.entries()), x(system.constraints());
    matrix->assemble(system, 0, q, {}, G, a);
    ours.assemble(system, 0, q, {}, G, b);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::cos(static_cast<double>(i));
    }
    auto y = x;
    EXPECT_GT(matrix->factor(a), 0.01);
    ours.factor(b);
    ours.solve(b, y);
    // The factor is in the values and nowhere else: a copy solves, also after another factorisation.
    const auto copy = a;
    std::vector<double> other(matrix->entries());
    auto doubled = G;
    for (auto& entry : doubled) {
        entry *= 2;
    }
    matrix->assemble(system, 0, q, {}, doubled, other);
    EXPECT_GT(matrix->factor(other), 0.01);
    matrix->solve(copy, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        // Relative pivots above 0.01 bound the condition by some 1e3.
        EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + std::abs(y[i]))) << i;
    }
}

TEST(Cholmod, agrees_with_our_own) {
    compare(chain(), bent());
    compare(samples::full_mass(), {0.6, 0.7, 0.1, 0.5});
}

TEST(Cholmod, reports_the_pivot) {
    TermSystem<double> system(chain());
    const auto matrix = make_cholmod_matrix(system);
    const auto q = bent();
    auto G = jacobian(system, q);
    std::vector<double> values(matrix->entries());
    auto straight = q;  // hanging straight down: D_k / A_kk = (k + 1) / (2 k), whichever end is eliminated first
    for (std::size_t k = 0; k < rods; ++k) {
        straight[2 * k] = 0;
    }
    matrix->assemble(system, 0, straight, {}, jacobian(system, straight), values);
    const double pivot = matrix->factor(values);
    EXPECT_GT(pivot, 0.5 / rods);
    EXPECT_LT(pivot, 0.6);
    std::fill(G.begin() + 2, G.begin() + 6, 0.0);  // one rod has no direction: A is singular
    matrix->assemble(system, 0, q, {}, G, values);
    EXPECT_EQ(matrix->factor(values), 0);
    G[3] = std::numeric_limits<double>::quiet_NaN();
    matrix->assemble(system, 0, q, {}, G, values);
    EXPECT_TRUE(std::isnan(matrix->factor(values)));
}

}  // namespace
}  // namespace libration
