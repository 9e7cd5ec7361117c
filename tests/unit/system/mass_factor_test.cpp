// L D L^T of mass matrices, definite or augmented, without a search for pivots.
#include "system/mass_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// M = diag(m, m, 0), G = [[1, 0, -c], [0, 1, -s]]: at every angle, and with masses and lengths of very different sizes.
TEST(MassFactor, solves_the_augmented_system) {
    for (const auto& [m, l] :
         {std::pair{"1", "1"}, std::pair{"1e8", "1"}, std::pair{"1e-8", "1"}, std::pair{"1", "1e5"}}) {
        const auto model = augmented(Model::load("pendulum-redundant", {{"m", m}, {"l", l}}));
        MassFactor<double> factor(model);
        ASSERT_EQ(factor.added(), 2U);
        for (const double angle : {0.0, 0.5, std::acos(-1) / 2, 2.5}) {
            const double mass = std::stod(m), c = std::stod(l) * std::cos(angle), s = std::stod(l) * std::sin(angle);
            const std::vector<double> M{mass, 0,  0, 1, 0,  0, mass, 0, 0, 1,  0, 0, 0,
                                        -c,   -s, 1, 0, -c, 0, 0,    0, 1, -s, 0, 0};
            std::copy(M.begin(), M.end(), factor.matrix().begin());
            factor.factor();
            std::vector<double> pivots(5);
            factor.relative_pivots(pivots);
            for (const double pivot : pivots) {
                EXPECT_GT(pivot, 1e-3) << m << ' ' << l << ' ' << angle;
            }
            const std::vector<double> side{0.3, -0.7, 0.2, 0.5, -0.4};
            auto x = side;
            factor.solve(x);
            // A small residual of every row, against the largest velocity and the largest of the other unknowns.
            const double v = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
            const double w = std::max(std::abs(x[3]), std::abs(x[4]));
            for (std::size_t i = 0; i < 5; ++i) {
                double sum = -side[i], size = std::abs(side[i]);
                for (std::size_t j = 0; j < 5; ++j) {
                    sum += M[i * 5 + j] * x[j];
                    size += std::abs(M[i * 5 + j]) * (j < 3 ? v : w);
                }
                EXPECT_LT(std::abs(sum), 1e-14 * size) << m << ' ' << l << ' ' << angle << ' ' << i;
            }
        }
    }
}

TEST(MassFactor, shows_what_is_lost_by_its_pivots) {
    MassFactor<double> factor(augmented(Model::load("pendulum-redundant")));
    std::vector<double> pivots(5);
    const auto find = [&](const std::vector<double>& M) {
        std::copy(M.begin(), M.end(), factor.matrix().begin());
        factor.factor();
        factor.relative_pivots(pivots);
    };
    // No constraint holds the third coordinate: K has no third pivot.
    find({1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    EXPECT_GT(pivots[1], 0.1);
    EXPECT_FALSE(pivots[2] > 1e-14);
    // Both constraints hold the same: K is regular, G K^-1 G^T is not.
    find({1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0});
    EXPECT_GT(pivots[2], 0.1);
    EXPECT_GT(pivots[3], 0.1);
    EXPECT_FALSE(pivots[4] > 1e-14);
}

}  // namespace
}  // namespace libration
