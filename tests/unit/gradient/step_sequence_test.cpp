// Times of nodes and the steps between them.
#include "gradient/step_sequence.hpp"

#include <gtest/gtest.h>

namespace libration::gradient_test {
namespace {

TEST(StepSequence, of_equal_steps_adds_no_rounding_of_its_own) {
    const StepSequence steps(1, 0.1);
    EXPECT_TRUE(steps.is_constant());
    EXPECT_EQ(steps.time(7), 1 + 7 * 0.1);
    EXPECT_EQ(steps.size(7), 0.1);
    EXPECT_EQ(steps.place(1.25), (1.25 - 1) / 0.1);
}

TEST(StepSequence, of_an_adaptive_run_knows_its_nodes_in_both_directions_of_time) {
    for (const double sign : {1.0, -1.0}) {
        const StepSequence steps({0, sign * 1, sign * 1.5, sign * 3.5});
        EXPECT_FALSE(steps.is_constant());
        EXPECT_EQ(steps.time(2), sign * 1.5);
        EXPECT_EQ(steps.size(1), sign * 1);
        EXPECT_EQ(steps.size(3), sign * 2);
        for (const auto& [t, place] :
             {std::pair{0.0, 0.0}, {0.25, 0.25}, {1.0, 1.0}, {1.25, 1.5}, {3.5, 3.0}, {4.5, 3.5}, {-1.0, -1.0}}) {
            EXPECT_EQ(steps.place(sign * t), place) << sign * t;
        }
    }
}

TEST(StepSequence, of_a_run_without_steps_has_one_node) {
    const StepSequence steps(std::vector<double>{2});
    EXPECT_EQ(steps.time(0), 2);
    EXPECT_EQ(steps.place(2), 0);
}

}  // namespace
}  // namespace libration::gradient_test
