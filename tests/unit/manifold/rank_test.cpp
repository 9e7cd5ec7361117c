// Redundant rods of large frames are named, whatever the numbering.
#include "unit/manifold/frames.hpp"

#include "manifold/rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace libration {
namespace {

using namespace frames;

std::vector<Dependence> dependences(const Frame& frame) {
    TermSystem<double> system(model(frame));
    return dependent_constraints(system, 0, random_numbers(system.dimension(), 1));
}

TEST(Rank, independent_rods_are_independent) {
    for (const auto& frame : {chain(1), renumbered(chain(500), 1), tree(500, 2), ring(30), net(8)}) {
        EXPECT_TRUE(dependences(frame).empty());
    }
}

TEST(Rank, a_rod_that_is_given_twice_is_named_in_a_renumbered_chain) {
    for (const std::size_t twin : {0U, 137U, 1999U}) {
        auto frame = renumbered(chain(2000), 4);
        frame.bonds.insert(frame.bonds.begin() + 700, frame.bonds[twin]);
        const std::size_t first = twin < 700 ? twin : 700, second = twin < 700 ? 700 : twin + 1;
        const auto found = dependences(frame);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].row, second);
        EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{first, second}));
    }
}

TEST(Rank, each_surplus_rod_is_named_with_the_first_of_its_kind) {
    auto frame = renumbered(tree(300, 1), 2);
    const std::size_t n = frame.bonds.size();
    const auto twin = frame.bonds[41], other = frame.bonds[7];
    frame.bonds.insert(frame.bonds.end(), {twin, other, twin});
    const auto found = dependences(frame);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{41, n}));
    EXPECT_EQ(found[1].rows, (std::vector<std::size_t>{7, n + 1}));
    EXPECT_EQ(found[2].rows, (std::vector<std::size_t>{41, n + 2}));
}

// The elimination may meet the copies of a rod in any order; the answer goes by their numbers.
TEST(Rank, sets_do_not_depend_on_the_order_of_elimination) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        auto frame = renumbered(tree(60, seed), seed);
        const auto copied = frame.bonds[seed];
        frame.bonds.insert(frame.bonds.end(), {copied, copied, copied});
        std::mt19937 random(seed);
        std::shuffle(frame.bonds.begin(), frame.bonds.end(), random);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < frame.bonds.size(); ++i) {
            if (frame.bonds[i] == copied) {
                places.push_back(i);
            }
        }
        const auto found = dependences(frame);
        ASSERT_EQ(found.size(), 3U);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(found[k].rows, (std::vector<std::size_t>{places[0], places[k + 1]})) << seed;
        }
    }
}

// Four points in a plane carry five rods; the sixth, a diagonal, depends on all the others.
TEST(Rank, a_stiff_frame_with_one_rod_too_many_is_one_set) {
    auto frame = both(Frame{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {1, 3}}}, chain(3));
    frame = both(renumbered(chain(5), 1), frame);
    TermSystem<double> system(model(frame));
    auto q = random_numbers(system.dimension(), 1);
    for (std::size_t j = 2; j < q.size(); j += 3) {
        q[j] = 0;
    }
    const auto found = dependent_constraints(system, 0, q);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{5, 6, 7, 8, 9, 10}));
}

TEST(Rank, beyond_the_first_sets_surplus_rods_are_only_counted) {
    auto frame = renumbered(tree(200, 8), 3);
    for (std::size_t k = 0; k < 11; ++k) {
        frame.bonds.push_back(frame.bonds[10 * k]);
    }
    const auto found = dependences(frame);
    ASSERT_EQ(found.size(), 11U);
    std::set<std::size_t> kinds;
    for (std::size_t k = 0; k < found.size(); ++k) {
        kinds.insert(found[k].row < 200 ? found[k].row / 10 : found[k].row - 200);
        ASSERT_EQ(found[k].rows.size(), k < 8 ? 2U : 0U);
        if (k < 8) {
            EXPECT_EQ(found[k].row, found[k].rows[1]);
            EXPECT_EQ(found[k].rows[0], 10 * (found[k].row - 200));
        }
    }
    EXPECT_EQ(kinds.size(), 11U);
}

TEST(Rank, a_rod_without_length_is_a_set_of_its_own) {
    TermSystem<double> system(model(chain(4)));
    auto q = random_numbers(system.dimension(), 1);
    std::copy_n(q.begin() + 6, 3, q.begin() + 9);
    const auto found = dependent_constraints(system, 0, q);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{2}));
}

using Direction = std::array<double, 3>;

Direction direction(const std::vector<double>& q, std::size_t from, std::size_t to) {
    Direction d{};
    for (std::size_t c = 0; c < 3; ++c) {
        d[c] = q[3 * to + c] - q[3 * from + c];
    }
    const double length = std::hypot(d[0], d[1], d[2]);
    return {d[0] / length, d[1] / length, d[2] / length};
}

double volume(const Direction& a, const Direction& b, const Direction& c) {
    return std::abs(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0]));
}

// A stiff frame: point after point is joined to as many others as there are directions (Henneberg); then come extra
// rods. Even with rods in clearly different directions, pivots of G M^-1 G^T are rounding only in many of them.
// (Without that the smallest singular value of G may itself be as small as rounding, 3e-14 in one of 50 frames.)
struct Stiff {
    Frame frame;
    std::vector<double> q;
    std::size_t most_rank;
};

Stiff stiff_frame(unsigned seed, std::size_t directions, std::size_t extra) {
    std::mt19937 random(seed);
    Stiff stiff{{5 + random() % 146, {}}, {}, 0};
    auto& [points, bonds] = stiff.frame;
    auto& q = stiff.q = random_numbers(3 * points, seed);
    for (std::size_t j = 2; j < q.size() && directions == 2; j += 3) {
        q[j] = 0;
    }
    for (std::size_t v = 1; v < points; ++v) {
        std::vector<std::size_t> ends(v);
        std::iota(ends.begin(), ends.end(), 0U);
        bool clear = v <= directions;
        int tries = 0;  // the first points have little choice
        do {
            std::shuffle(ends.begin(), ends.end(), random);
            if (!clear) {
                const auto third = directions == 3 ? direction(q, ends[2], v) : Direction{0, 0, 1};
                clear = volume(direction(q, ends[0], v), direction(q, ends[1], v), third) > 0.05;
            }
        } while (!clear && ++tries < 100);
        for (std::size_t k = 0; k < std::min(v, directions); ++k) {
            bonds.push_back({ends[k], v});
        }
    }
    stiff.most_rank = bonds.size();
    while (bonds.size() < stiff.most_rank + extra) {
        const std::size_t v = 1 + random() % (points - 1);
        const std::array<std::size_t, 2> rod{random() % v, v};
        if (std::ranges::find(bonds, rod) == bonds.end()) {
            bonds.push_back(rod);
        }
    }
    std::shuffle(bonds.begin(), bonds.end(), random);
    return stiff;
}

std::vector<Dependence> dependences(const Stiff& stiff) {
    TermSystem<double> system(model(stiff.frame));
    return dependent_constraints(system, 0, stiff.q);
}

class StiffFrames : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(StiffFrames, have_the_rank_that_theory_gives) {
    const auto [directions, extra] = GetParam();
    for (unsigned seed = 0; seed < 50; ++seed) {
        auto stiff = stiff_frame(seed, directions, extra);
        ASSERT_EQ(stiff.most_rank, directions * stiff.frame.points - directions * (directions + 1) / 2);
        const auto found = dependences(stiff);
        EXPECT_EQ(found.size(), extra) << "seed " << seed << ", " << stiff.frame.points << " points";
        if (extra == 1 && found.size() == 1) {  // any rod of the set may go
            stiff.frame.bonds.erase(stiff.frame.bonds.begin() + static_cast<std::ptrdiff_t>(found[0].rows[seed % 3]));
            EXPECT_TRUE(dependences(stiff).empty()) << "seed " << seed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rank, StiffFrames, testing::Combine(testing::Values(2U, 3U), testing::Values(0U, 1U, 2U)));

// A triangle of height h: its rods are dependent at h = 0 alone.
TEST(Rank, a_flat_triangle_is_independent_until_it_is_a_line) {
    TermSystem<double> system(model(ring(3)));
    const auto found = [&](double height) {
        return dependent_constraints(system, 0, std::vector<double>{0, 0, 0, 0.9, height, 0, 2, 0, 0});
    };
    for (const double height : {1e-2, 1e-3, 1e-4, 1e-5}) {
        EXPECT_TRUE(found(height).empty()) << height;
    }
    ASSERT_EQ(found(0).size(), 1U);
    EXPECT_EQ(found(0)[0].rows, (std::vector<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace libration
