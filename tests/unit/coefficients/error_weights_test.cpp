// Weights of error estimates: known tables, what they annihilate, symmetry, scale.
#include "coefficients/error_weights.hpp"
#include "coefficients/tableau.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace libration {
namespace {

std::vector<double> nodes_of(Family family, std::size_t stages) {
    std::vector<double> nodes;
    for (const auto& node : tableau(family, stages).c) {
        nodes.push_back(high(node));
    }
    return nodes;
}

void expect_weights(const ErrorWeights& found, const std::vector<double>& wanted, int order) {
    EXPECT_EQ(found.order, order);
    ASSERT_EQ(found.weights.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_NEAR(high(found.weights[i]), wanted[i], 1e-16) << i;
    }
}

TEST(ErrorWeights, are_those_known_for_two_and_three_stages) {
    const auto two = nodes_of(Family::lobatto_a, 2), three = nodes_of(Family::lobatto_a, 3);
    expect_weights(error_weights(two, Parity::antisymmetric), {0.5, -0.5}, 1);
    expect_weights(error_weights(three, Parity::symmetric), {1.0 / 6, -2.0 / 6, 1.0 / 6}, 2);
    expect_weights(error_weights(three, Parity::antisymmetric), {1.0 / 6, 0, -1.0 / 6}, 1);
    EXPECT_EQ(natural_parity(2), Parity::antisymmetric);
    EXPECT_EQ(natural_parity(3), Parity::symmetric);
}

TEST(ErrorWeights, have_their_parity_order_and_scale_for_many_stages) {
    for (const auto family : {Family::lobatto_a, Family::gauss}) {
        for (const std::size_t s : {2U, 3U, 4U, 5U, 6U, 9U, 20U}) {
            for (const auto parity : {Parity::symmetric, Parity::antisymmetric}) {
                if (s == 2 && parity == Parity::symmetric) {
                    continue;
                }
                const auto label = std::string(name(family)) + ", s = " + std::to_string(s);
                const auto nodes = nodes_of(family, s);
                const auto found = error_weights(nodes, parity);
                const bool natural = parity == natural_parity(s);
                EXPECT_EQ(found.order, static_cast<int>(s) - (natural ? 1 : 2)) << label;
                EXPECT_NEAR(high(found.weights[0] / tableau(family, s).b[0]), 1, 1e-14) << label;
                Wide size{0};
                for (std::size_t i = 0; i < s; ++i) {
                    const Wide mirrored = found.weights[s - 1 - i];
                    EXPECT_TRUE(found.weights[i] == (parity == Parity::symmetric ? mirrored : -mirrored)) << label;
                    size += wide_abs(found.weights[i]);
                }
                // Polynomials of a degree below p~, about the middle; that of degree p~ is seen.
                for (int degree = 0; degree <= found.order; ++degree) {
                    Wide sum{0};
                    for (std::size_t i = 0; i < s; ++i) {
                        sum += found.weights[i] * static_cast<Wide>(std::pow(2 * nodes[i] - 1, degree));
                    }
                    const double share = std::abs(high(sum / size));
                    if (degree < found.order) {
                        EXPECT_LT(share, 1e-15) << label << ", degree " << degree;
                    } else {
                        EXPECT_GT(share, std::pow(0.4, degree)) << label << ", degree " << degree;
                    }
                }
            }
        }
    }
}

TEST(ErrorWeights, of_two_stages_are_not_symmetric) {
    EXPECT_THROW(error_weights(nodes_of(Family::gauss, 2), Parity::symmetric), InputError);
}

}  // namespace
}  // namespace libration
