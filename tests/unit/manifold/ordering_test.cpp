// The order in which constraints are eliminated, and the fill that it leaves.
#include "unit/manifold/frames.hpp"

#include "manifold/elimination.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace libration {
namespace {

using namespace frames;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

OrderedGraph ordered(const Frame& frame) { return ordered_graph(TermSystem<double>(model(frame))); }

// Entries of the factor and of the lower half of the matrix.
std::array<std::size_t, 2> sizes(const Frame& frame) {
    const auto [graph, order] = ordered(frame);
    return {eliminate(graph, order, no_limit)->places(), graph.rows() + graph.neighbour.size() / 2};
}

SparsePattern pattern_of(const std::vector<std::vector<std::uint32_t>>& rows) {
    SparsePattern pattern;
    for (const auto& row : rows) {
        pattern.column.insert(pattern.column.end(), row.begin(), row.end());
        pattern.row_start.push_back(pattern.column.size());
    }
    return pattern;
}

TEST(Ordering, every_row_is_eliminated_once) {
    for (const auto& frame :
         {chain(1), chain(50), ring(50), tree(300, 1), star(20), net(9), renumbered(both(net(5), dumbbell(7)), 4)}) {
        auto order = ordered(frame).order;
        std::sort(order.begin(), order.end());
        ASSERT_EQ(order.size(), frame.bonds.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            EXPECT_EQ(order[i], i);
        }
    }
}

TEST(Ordering, chains_and_trees_have_no_fill_whatever_their_numbering) {
    for (const auto& frame : {chain(200), renumbered(chain(200), 1)}) {
        EXPECT_EQ(sizes(frame)[0], 2U * 200 - 1);
    }
    for (unsigned seed = 0; seed < 20; ++seed) {
        for (const auto& frame : {tree(150, seed), renumbered(tree(150, seed), seed), renumbered(dumbbell(8), seed),
                                  renumbered(both(tree(40, seed), star(10)), seed)}) {
            const auto [factor, matrix] = sizes(frame);
            EXPECT_EQ(factor, matrix) << seed;
        }
    }
    // A ring: the last three rods form a triangle, every other rod leaves one coupling.
    EXPECT_EQ(sizes(renumbered(ring(100), 2))[0], 100U + 97 * 2 + 3);
}

// A rod of the net couples with at most six others. A band along the net, the best without a fill-reducing order, holds
// more than 2 * 30 numbers a rod; minimum degree needs fewer than a third of them.
TEST(Ordering, nets_have_little_fill) {
    for (const auto& frame : {net(30), renumbered(net(30), 1)}) {
        EXPECT_LT(sizes(frame)[0], 20 * frame.bonds.size());
    }
}

TEST(Ordering, a_chain_is_eaten_from_both_ends_in_turn) {
    EXPECT_EQ(ordered(chain(6)).order, (std::vector<std::uint32_t>{0, 5, 1, 4, 2, 3}));
}

TEST(Ordering, a_row_that_touches_everything_goes_last) {
    std::vector<std::vector<std::uint32_t>> rows(1);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        rows.push_back({i, i + 1});
        rows[0].push_back(i);
    }
    const auto pattern = pattern_of(rows);
    const auto order = fill_reducing_order(pattern, 1001);
    EXPECT_EQ(order.back(), 0U);
    EXPECT_EQ(eliminate(constraint_graph(pattern, 1001), order, no_limit)->places(), 1001U + 999 + 1000);
}

TEST(Ordering, neighbours_share_a_coordinate) {
    const auto graph = constraint_graph(pattern_of({{0, 1}, {3}, {1, 2, 0}, {2, 3}}), 4);
    EXPECT_EQ(graph.start, (std::vector<std::size_t>{0, 1, 2, 4, 6}));
    EXPECT_EQ(graph.neighbour, (std::vector<std::uint32_t>{2, 3, 0, 3, 1, 2}));
    EXPECT_EQ(full_graph(3).neighbour, (std::vector<std::uint32_t>{1, 2, 0, 2, 0, 1}));
}

TEST(Ordering, too_many_constraints_in_one_point_are_refused) {
    const auto crowded = pattern_of(std::vector<std::vector<std::uint32_t>>(50'000, {0}));
    try {
        constraint_graph(crowded, 1);
        FAIL() << "not refused";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("occurs in 50000 constraints"), std::string::npos) << error.what();
    }
    EXPECT_THROW(full_graph(50'000), InputError);
}

TEST(Elimination, gives_up_at_the_limit) {
    const auto [graph, order] = ordered(star(10));
    // Columns with 9, 8, ..., 0 entries below the diagonal: the sum of c (c + 1) / 2 is 165.
    ASSERT_TRUE(eliminate(graph, order, 165));
    EXPECT_EQ(eliminate(graph, order, 165)->updates(), 165U);
    EXPECT_FALSE(eliminate(graph, order, 164));
}

}  // namespace
}  // namespace libration
