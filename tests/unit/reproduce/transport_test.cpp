// The computations behind the pictures of transported sets.
#include "computed.hpp"

#include "reproduce/computation.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {

namespace {

const Arguments areas{{"model", {"pendulum-angle"}},
                      {"centre", {"0.6", "1.2", "-1.4", "0.9"}},
                      {"radius", {"0.35", "0.35"}},
                      {"methods", {"verlet", "runge2"}},
                      {"step", {"0.75"}},
                      {"steps", {"1", "3"}},
                      {"flow", {"gauss(3)"}},
                      {"flow_step", {"0.05"}},
                      {"splitting", {"1"}},
                      {"orbits", {"0", "1"}}};

TEST(area_transport, keeps_areas_with_the_flow_and_with_verlet_in_all_its_parts) {
    auto found = compute("area-transport", areas);
    EXPECT_EQ(found.numbers["relative_1"].size(), 4U);  // two sets, two times
    EXPECT_LT(found.numbers["change_flow"][0], 1e-11);
    EXPECT_LT(found.numbers["change_1"][0], 1e-11);
    EXPECT_GT(found.numbers["change_2"][0], 1e-2);
    EXPECT_LT(found.numbers["error"][0], 1e-10);
    ASSERT_EQ(found.numbers["split"].size(), 6U);
    for (const double part : found.numbers["split"]) {
        EXPECT_NEAR(part, 1, 1e-11);
    }
    ASSERT_EQ(found.figures.size(), 4U);
    EXPECT_EQ(found.figures[0].series.size(), 1U + 2 * 3);
    // After the three flows the set is where one step of the method brings it.
    const auto& after_step = found.figures[1].series[2];
    const auto& after_flows = found.figures[3].series[4];
    EXPECT_NEAR(after_step.x[0], after_flows.x[0], 1e-14);
    EXPECT_NEAR(after_step.y[0], after_flows.y[0], 1e-14);
}

TEST(area_transport, refuses_what_makes_no_sense) {
    for (const auto& [key, wrong] : Arguments{{"model", {"pendulum"}},
                                              {"centre", {"1"}},
                                              {"radius", {"1"}},
                                              {"steps", {}},
                                              {"step", {"0.1", "0.2", "0.3"}},
                                              {"flow_step", {"0.4"}},
                                              {"splitting", {"3"}}}) {
        auto arguments = areas;
        arguments[key] = wrong;
        EXPECT_THROW(compute("area-transport", arguments), InputError) << key;
    }
}

TEST(volume_transport, keeps_the_ball_of_the_abc_flow) {
    auto found = compute("volume-transport", {{"model", {"abc-flow"}},
                                              {"centre", {"0", "0", "0"}},
                                              {"radius", {"0.9"}},
                                              {"methods", {"volume", "runge2"}},
                                              {"step", {"1/2"}},
                                              {"steps", {"1", "2"}},
                                              {"points", {"2048"}},
                                              {"flow", {"compose(volume, suzuki4)"}},
                                              {"flow_step", {"1/4"}},
                                              {"draw", {"0", "2"}}});
    EXPECT_LT(found.numbers["change_1"][0], 1e-9);
    EXPECT_LT(found.numbers["change_flow"][0], 1e-9);
    EXPECT_GT(found.numbers["change_2"][0], 1e-2);
    EXPECT_LT(std::abs(found.numbers["determinant_1"][0]), 1e-15);
    EXPECT_GT(std::abs(found.numbers["determinant_2"][0]), 1e-3);
    EXPECT_EQ(found.figures.size(), 6U);
}

}  // namespace

}  // namespace libration
