// Six rows of the table in docs/step-size.md: choices against an exhaustive search, by counted operations.
#include "../../../bench/choose_table.hpp"

#include <gtest/gtest.h>

namespace libration {

namespace {

struct ChosenCase {
    const char* problem;
    double error;
};

class choose_cases : public testing::TestWithParam<ChosenCase> {};

TEST_P(choose_cases, cost_at_most_half_more_than_the_best_and_keep_the_error) {
    const auto& [problem, error] = GetParam();
    ChooseOptions options;
    options.error = error;
    const auto found = bench::choose_case(Model::load(problem), options);
    EXPECT_LE(found.reached, found.goal) << found.choice.method;
    EXPECT_LE(found.ratio(), 1.5) << found.choice.method << " instead of " << found.best_method << " with "
                                  << found.best_step;
    EXPECT_GE(found.ratio(), 1) << "the exhaustive search includes the chosen run";
}

INSTANTIATE_TEST_SUITE_P(problems, choose_cases,
                         testing::Values(ChosenCase{"harmonic-oscillator", 1e-6}, ChosenCase{"pendulum-angle", 1e-6},
                                         ChosenCase{"chaplygin-sleigh", 1e-6}, ChosenCase{"abc-flow", 1e-3},
                                         ChosenCase{"rolling-disk", 1e-3}, ChosenCase{"spherical-pendulum", 1e-3}));

}  // namespace

}  // namespace libration
