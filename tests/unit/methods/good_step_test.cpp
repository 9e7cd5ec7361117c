// Whether a step was good: one answer for runs, lanes and recorded steps.
#include "methods/good_step.hpp"

#include "expression/tape.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace libration {
namespace {

struct Case {
    double converged, pivot, size;
    bool good;
};

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

const Case cases[] = {{1, 1, 3, true},
                      {0, 1, 3, false},
                      {none, 1, 3, false},
                      {1, rank_tolerance, 3, false},
                      {1, 2 * rank_tolerance, 3, true},
                      {1, none, 3, false},
                      {1, 1, infinite, false},
                      {1, 1, -infinite, false},
                      {1, 1, none, false}};

TEST(GoodStep, is_one_whose_equations_are_solved_with_independent_constraints_and_finite_values) {
    for (const auto& [converged, pivot, size, good] : cases) {
        const StepReport<double> report{converged, 0, pivot, size};
        EXPECT_EQ(good_step(report), good) << converged << ' ' << pivot << ' ' << size;
    }
}

TEST(GoodStep, is_judged_lane_by_lane) {
    StepReport<Pack> report{lit<Pack>(1), lit<Pack>(0), lit<Pack>(1), lit<Pack>(1)};
    for (std::size_t lane = 0; lane < pack_width; ++lane) {
        const auto& one = cases[lane % std::size(cases)];
        report.converged.lane[lane] = one.converged;
        report.pivot.lane[lane] = one.pivot;
        report.size.lane[lane] = one.size;
    }
    for (std::size_t lane = 0; lane < pack_width; ++lane) {
        EXPECT_EQ(good_step(report, lane), cases[lane % std::size(cases)].good) << lane;
    }
}

TEST(GoodStep, recorded_with_a_step_gives_the_same_answer) {
    const auto converged = symbol("converged"), pivot = symbol("pivot"), size = symbol("size");
    const auto recorded =
        recorded_good_step({Traced{converged}, lit<Traced>(0), Traced{pivot}, Traced{size}}).expression;
    Tape<double> tape(compile(std::array{recorded}, std::array{converged, pivot, size}, {}), {});
    for (const auto& one : cases) {
        tape.input(0) = one.converged;
        tape.input(1) = one.pivot;
        tape.input(2) = one.size;
        tape.run();
        EXPECT_EQ(tape.output(0), one.good ? 1 : 0) << one.converged << ' ' << one.pivot << ' ' << one.size;
    }
}

}  // namespace
}  // namespace libration
