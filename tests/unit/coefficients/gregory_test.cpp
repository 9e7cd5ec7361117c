// Gregory's corrections fulfil what defines them.
#include "coefficients/gregory.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// 1 node: the trapezoidal rule; 2 and 3 nodes where there are no more: Simpson's rule.
TEST(Gregory, first_rules_are_known) {
    EXPECT_EQ(gregory_corrections(1), (std::vector<double>{-0.5}));
    const auto three = gregory_corrections(3);
    EXPECT_NEAR(1 + three[0] + three[2], 1.0 / 3, 1e-16);
    EXPECT_NEAR(1 + 2 * three[1], 4.0 / 3, 2e-16);
}

TEST(Gregory, polynomials_of_lower_degree_are_integrated_exactly_and_others_not) {
    for (int count = 1; count <= 10; ++count) {
        const auto corrections = gregory_corrections(count);
        ASSERT_EQ(corrections.size(), static_cast<std::size_t>(count));
        for (const int last : {count > 1 ? count - 1 : 1, 12, 25}) {
            // In the unit interval, so that all powers have the same size. Sums of up to 26 terms.
            const auto error = [&](int degree) {
                double sum = 0;
                for (int n = 0; n <= last; ++n) {
                    double weight = 1;
                    for (const int from_end : {n, last - n}) {
                        weight += from_end < count ? corrections[static_cast<std::size_t>(from_end)] : 0;
                    }
                    sum += weight * std::pow(static_cast<double>(n) / last, degree) / last;
                }
                return std::abs(sum * (degree + 1) - 1);
            };
            for (int degree = 0; degree < count; ++degree) {
                EXPECT_LT(error(degree), 1e-14) << count << " nodes, degree " << degree << ", " << last;
            }
            EXPECT_GT(error(count + 2), 1e-13) << count;
        }
    }
}

}  // namespace
}  // namespace libration
