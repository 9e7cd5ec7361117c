// Trees, rings, nets, cloths and polymers against a RATTLE of another make (numpy, dense matrices, no code in common).
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace libration {
namespace {

struct Figures {
    const char* name;
    double energy;                   // at the start, from sums in 30 digits
    double energy_error;             // largest one in 500 steps of the file's size, six digits known
    std::vector<double> last_point;  // after them, eleven decimals known
};

const std::vector<Figures> figures{
    {"tree", -44.45454472230957, 0.000455813, {-1.91863510073, -3.27115475938}},
    {"ring", 2.620119126938382, 2.41485e-05, {2.17878776943, -0.59853286580}},
    {"net", -36.37895128405923, 0.00033841, {4.19902362915, -2.00828326327, -2.13415951580}},
    {"cloth", -86.7, 0.000125299, {4.91852743010, -4.88737661194, -1.02227883596}},
    {"polymer", -0.3289116639741037, 0.000126551, {0.48500765571, 0.80226384483, 8.73940620732}},
};

// The other program solves g = 0 to 1e-13 in every step: 500 of these errors add up to 5e-11 and may grow twentyfold.
TEST(Figures, linkages_move_as_in_an_independent_program) {
    for (const auto& expected : figures) {
        const auto model = Model::load(expected.name);
        const auto run = integrate(model, method("rattle"), {.step = *model.run.step, .steps = 500});
        EXPECT_EQ(run.status, RunStatus::completed) << expected.name;
        EXPECT_NEAR(run.energy.initial, expected.energy, 1e-13 * std::abs(expected.energy) + 1e-13) << expected.name;
        EXPECT_NEAR(run.energy.max_error, expected.energy_error, 1e-5 * expected.energy_error) << expected.name;
        const auto first = run.q.size() - expected.last_point.size();
        for (std::size_t c = 0; c < expected.last_point.size(); ++c) {
            EXPECT_NEAR(run.q[first + c], expected.last_point[c], 1e-9) << expected.name;
        }
        EXPECT_LT(run.constraint.max, 1e-14) << expected.name;
        EXPECT_LT(run.constraint.hidden_max, 1e-14) << expected.name;
    }
}

// Sizes change by --set alone; the numbers of rods are worked out by hand.
TEST(Figures, linkages_of_other_sizes_are_as_consistent) {
    struct Sized {
        const char* name;
        std::vector<std::pair<std::string, std::string>> size;
        std::size_t constraints;
    };
    for (const auto& [name, size, constraints] : std::vector<Sized>{{"tree", {{"n", "100"}}, 100},
                                                                    {"tree", {{"n", "1"}}, 1},
                                                                    {"tree", {{"n", "64"}}, 64},
                                                                    {"ring", {{"n", "200"}}, 200},
                                                                    {"net", {{"n", "9"}, {"m", "11"}}, 8 * 11 + 90 + 6},
                                                                    {"cloth", {{"n", "9"}, {"m", "3"}}, 27 + 8 * 3},
                                                                    {"polymer", {{"n", "100"}}, 99}}) {
        const auto model = Model::load(name, size);
        EXPECT_EQ(model.constraint_rows, constraints) << name;
        const auto run = integrate(model, method("rattle"), {.step = *model.run.step, .steps = 20});
        EXPECT_EQ(run.status, RunStatus::completed) << name;
        EXPECT_LT(run.energy.max_error, 1e-3 * std::abs(run.energy.initial)) << name;
    }
}

}  // namespace
}  // namespace libration
