// G^T lambda by coordinates against the product by rows, and the rows that count as links.
#include "unit/manifold/frames.hpp"

#include "manifold/linked_rows.hpp"
#include "manifold/transposed_product.hpp"
#include <libration/kit/reduce.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

using namespace frames;

SparsePattern point_pattern(const Frame& frame, std::size_t run) {
    SparsePattern pattern;
    for (const auto& bond : frame.bonds) {
        for (const auto point : {std::min(bond[0], bond[1]), std::max(bond[0], bond[1])}) {
            for (std::size_t c = 0; c < run; ++c) {
                pattern.column.push_back(static_cast<std::uint32_t>(run * point + c));
            }
        }
        pattern.row_start.push_back(pattern.column.size());
    }
    pattern.run = run;
    return pattern;
}

// Several lengths of chains: shorter than a block, longer, with a point where a third rod hangs, and one that nobody
// touches.
std::vector<Frame> frames_with_and_without_links() {
    auto branched = chain(70);
    branched.bonds.push_back({35, 71});
    branched.points = 73;
    return {chain(1), chain(3), chain(20),   chain(200),
            branched, ring(40), ring(3),     renumbered(chain(61), 3),
            star(9),  net(6),   tree(80, 5), both(chain(20), ring(12))};
}

std::vector<double> waves(std::size_t size, double frequency) {
    std::vector<double> result(size);
    for (std::size_t k = 0; k < size; ++k) {
        result[k] = std::sin(frequency * static_cast<double>(k + 1));
    }
    return result;
}

TEST(TransposedProduct, has_the_bits_of_the_product_by_rows) {
    for (const std::size_t run : {1, 2, 3}) {
        for (const auto& frame : frames_with_and_without_links()) {
            const auto pattern = point_pattern(frame, run);
            const std::size_t dimension = run * frame.points;
            const auto G = waves(pattern.entries(), 0.7), lambda = waves(pattern.rows(), 1.3);
            std::vector<double> by_rows(dimension, 0.0), sizes_by_rows(by_rows);
            add_transposed<double>(pattern, G, lambda, by_rows);
            add_transposed_sizes<double>(pattern, G, lambda, sizes_by_rows);

            const TransposedProduct product(pattern, dimension);
            std::vector<double> result(dimension, 99.0), sizes(result);
            product.apply<double>(G, lambda, result);
            std::size_t next = 0;
            product.for_size_blocks<double>(
                G, lambda, [&](std::size_t first, std::size_t count, const double* sums) LIBRATION_TUNED {
                    EXPECT_EQ(first, next);
                    next = first + count;
                    for (std::size_t l = 0; l < count; ++l) {
                        sizes[first + l] = sums[l];
                    }
                });
            EXPECT_EQ(next, dimension);
            EXPECT_EQ(result, by_rows) << pattern.rows() << " rows, run " << run;
            EXPECT_EQ(sizes, sizes_by_rows) << pattern.rows() << " rows, run " << run;
        }
    }
}

TEST(LinkedRows, are_those_between_consecutive_points) {
    for (const std::size_t run : {1, 2, 3}) {
        const auto found = find_linked_rows(point_pattern(chain(20), run));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].first, 0U);
        EXPECT_EQ(found[0].end, 20U);
        EXPECT_EQ(found[0].column, 0U);
        // The rod that closes a ring is not one.
        EXPECT_EQ(find_linked_rows(point_pattern(ring(20), run)).at(0).end, 19U);
        EXPECT_TRUE(find_linked_rows(point_pattern(star(20), run)).empty());
        const auto two = find_linked_rows(point_pattern(both(chain(9), chain(8)), run));
        ASSERT_EQ(two.size(), 2U);
        EXPECT_EQ(two[0].end, 9U);
        EXPECT_EQ(two[1].column, run * 10);
    }
}

TEST(LargestOf, sees_every_place_and_what_is_not_a_number) {
    for (const std::size_t size : {1, 7, 64, 65, 200}) {
        for (std::size_t place = 0; place < size; ++place) {
            std::vector<double> values(size, 1.0);
            const auto largest = [&] {
                return largest_of<double>(size, [&](std::size_t i) LIBRATION_TUNED { return values[i]; });
            };
            values[place] = 2;
            EXPECT_EQ(largest(), 2);
            values[place] = std::numeric_limits<double>::quiet_NaN();
            EXPECT_TRUE(std::isnan(largest()));
            values[place] = std::numeric_limits<double>::infinity();
            EXPECT_TRUE(std::isnan(largest()));
        }
    }
}

}  // namespace
}  // namespace libration
