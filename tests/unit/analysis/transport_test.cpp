// Areas and volumes that are known, that are kept, and that are not.
#include "analysis/transport_figure.hpp"
#include <libration/analysis/analysis.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace libration {

namespace {

using std::numbers::pi;

const TransportOptions half_steps{.step = 0.5, .steps = {0, 1, 4, 10}};

double largest_change(const std::vector<double>& sizes) {
    double most = 0;
    for (const double size : sizes) {
        most = std::max(most, std::abs(size / sizes[0] - 1));
    }
    return most;
}

TEST(enclosed_area, of_an_ellipse_is_pi_a_b_wherever_it_lies) {
    std::vector<PhasePoint> outline;
    for (int i = 0; i < 100; ++i) {
        const double angle = 2 * pi * i / 100;
        outline.push_back({{1e3 + 2 * std::cos(angle), 0}, {-5 + 0.5 * std::sin(angle), 0}});
    }
    std::vector<double> by_plane;
    // Differences of order 8 on 100 points: (2 pi/100)^8 / 630 = 4e-13.
    EXPECT_NEAR(enclosed_area(outline, Planes::q_and_p, &by_plane), pi, 2e-12);
    ASSERT_EQ(by_plane.size(), 2U);
    EXPECT_EQ(by_plane[1], 0);
    std::ranges::reverse(outline);
    EXPECT_NEAR(enclosed_area(outline), -pi, 2e-12);  // oriented
}

TEST(enclosed_volume, of_an_ellipsoid_is_that_of_the_books) {
    auto grid = sphere(std::vector{3.0, -2.0, 1.0}, 0.5, 32);
    // Differences of order 8 take (pi/32)^8/630 = 1.4e-11 off the derivative of one wave, for each of both angles:
    // 2.8e-11 of the volume.
    EXPECT_NEAR(enclosed_volume(grid), pi / 6, 2e-11);
    for (auto& point : grid.points) {  // linear, with the determinant 2 * 1 * 3
        const auto x = point.q;
        point.q = {2 * x[0] + x[1], x[1] - x[2], 3 * x[2]};
    }
    EXPECT_NEAR(enclosed_volume(grid), pi, 1e-10);  // differences are linear, too: the same part of it
    // Of order 8: twice the rows, 2^8 times the digits.
    const double coarse = enclosed_volume(sphere(std::vector{0.0, 0.0, 0.0}, 1, 16)) - 4 * pi / 3;
    const double fine = enclosed_volume(sphere(std::vector{0.0, 0.0, 0.0}, 1, 32)) - 4 * pi / 3;
    EXPECT_NEAR(std::log2(coarse / fine), 8, 0.3);
}

TEST(carry_points, has_the_states_of_single_runs) {
    const auto model = Model::load("pendulum-angle");
    for (const char* name : {"verlet", "leapfrog", "projected-gauss(2)"}) {
        const std::vector<PhasePoint> points{{{1}, {0.5}}, {{pi / 2}, {0}}, {{-1}, {0}}};
        if (name == std::string("projected-gauss(2)")) {  // needs constraints
            EXPECT_THROW(carry_points(model, method(name), points, half_steps), InputError);
            continue;
        }
        const auto carried = carry_points(model, method(name), points, half_steps);
        const auto run = integrate(model, method(name), {.step = 0.5, .steps = 10});
        ASSERT_EQ(carried.size(), 4U);
        ASSERT_EQ(carried[3].size(), 3U);
        EXPECT_EQ(carried[3][1].q, run.q);
        EXPECT_EQ(carried[3][1].p, run.p);
        EXPECT_EQ(carried[0][2].q[0], -1);
    }
}

TEST(carry_area, is_kept_by_symplectic_methods_and_by_no_others) {
    const auto model = Model::load("pendulum-angle");
    const auto curve = ellipse_curve(model, {{{1.5}, {0}}, 0, 0.5, 0.7});
    for (const char* name : {"verlet", "symplectic-euler", "gauss(2)", "leapfrog"}) {
        const auto found = carry_area(model, method(name), curve, half_steps);
        EXPECT_TRUE(found.refined) << name;
        EXPECT_NEAR(found.area[0], pi * 0.5 * 0.7, 1e-12) << name;
        EXPECT_LT(largest_change(found.area), 1e-11) << name;
    }
    const auto runge = carry_area(model, method("runge2"), curve, half_steps);
    EXPECT_TRUE(runge.refined);
    EXPECT_GT(largest_change(runge.area), 1e-2);
    EXPECT_EQ(runge.t.back(), 5);
}

// The sum over all planes is kept, its parts are not.
TEST(carry_area, is_kept_on_the_manifold_of_constraints) {
    const auto model = Model::load("double-pendulum");
    const auto system = make_system<double>(model);
    const auto curve = ellipse_curve(model, {start_state<double>(model, *system), 0, 0.1, 0.1});
    const TransportOptions options{.step = 0.1, .steps = {0, 10, 40}};
    const auto rattle = carry_area(model, method("rattle"), curve, options);
    EXPECT_LT(largest_change(rattle.area), 1e-11);
    EXPECT_GT(std::abs(rattle.by_plane[2][0] / rattle.by_plane[0][0] - 1), 1e-3);
    for (const auto& point : rattle.outline[0]) {
        EXPECT_NEAR(point.q[0] * point.q[0] + point.q[1] * point.q[1], 1, 1e-14);
    }
    const auto radau = carry_area(model, method("projected-radau(2)"), curve, options);
    EXPECT_GT(largest_change(radau.area), 1e-4);
}

TEST(carry_area, says_when_an_outline_is_too_wild) {
    const auto model = Model::load("pendulum-angle");
    // About the upper equilibrium: neighbours part for ever.
    const auto curve = ellipse_curve(model, {{{pi}, {0}}, 0, 0.5, 0.5});
    const auto found =
        carry_area(model, method("verlet"), curve, {.step = 0.1, .steps = {0, 400}, .points = 64, .most_points = 128});
    EXPECT_FALSE(found.refined);
    EXPECT_GT(found.error[1], 1e-6);
}

TEST(carry_ball, keeps_its_volume_with_the_method_made_for_it) {
    const auto model = Model::load("abc-flow");
    const std::vector<double> centre{0, 0, 0};
    TransportOptions options{.step = 0.5, .steps = {0, 2, 4}, .points = 512, .most_points = 2048, .tolerance = 1e-5};
    const auto kept = carry_ball(model, method("volume"), centre, 0.9, options);
    EXPECT_NEAR(kept.volume[0], 4 * pi / 3 * 0.729, 1e-6);
    EXPECT_LT(largest_change(kept.volume), 1e-5);
    const auto lost = carry_ball(model, method("runge2"), centre, 0.9, options);
    EXPECT_GT(largest_change(lost.volume), 1e-2);
    EXPECT_THROW(carry_ball(Model::load("pendulum"), method("rattle"), centre, 0.9, options), InputError);
}

TEST(transport, refuses_what_makes_no_sense) {
    const auto model = Model::load("pendulum-angle");
    EXPECT_THROW(ellipse_curve(model, {{{1}, {0}}, 1, 0.5, 0.7}), InputError);
    EXPECT_THROW(ellipse_curve(model, {{{1}, {0}}, 0, 0, 0.7}), InputError);
    const auto curve = ellipse_curve(model, {{{1}, {0}}, 0, 0.5, 0.7});
    EXPECT_THROW(carry_area(model, method("verlet"), curve, {.step = 0.1}), InputError);
    EXPECT_THROW(carry_area(model, method("verlet"), curve, {.step = 0.1, .steps = {3, 1}}), InputError);
    EXPECT_THROW(carry_area(model, method("verlet"), curve, {.steps = {0, 1}}), InputError);
    EXPECT_THROW(carry_area(model, method("rattle(3)"), curve, half_steps), InputError);
}

TEST(transport, as_an_analysis_tells_symplectic_runs_from_others) {
    const auto model = Model::load("pendulum-angle");
    const IntegrationOptions options{.step = 0.2, .duration = 10};
    const auto of = [&](const char* name) {
        TrajectoryKeeper keeper(model, name, options);
        integrate(model, method(name), options, keeper);
        return keeper.trajectory;
    };
    const auto verlet = analyse(of("verlet"), "transport", {{"times", "1, 4"}, {"radius", "0.3"}});
    EXPECT_TRUE(verlet.verdict.starts_with("the area is preserved")) << verlet.verdict;
    EXPECT_EQ(verlet.numbers[0].name, "area_start");
    EXPECT_NEAR(verlet.numbers[0].value, pi * 0.09, 1e-11);
    ASSERT_EQ(verlet.figures.size(), 1U);
    EXPECT_EQ(verlet.figures[0].series.size(), 3U);
    const auto runge = of("runge2");
    EXPECT_TRUE(analyse(runge, "transport").verdict.starts_with("the area is not preserved"));
    for (const AnalysisOptions& wrong : {AnalysisOptions{{"times", "1,,2"}},
                                         {{"times", "2,1"}},
                                         {{"times", "20,x"}},
                                         {{"times", "1e300"}},
                                         {{"times", "1e9"}},
                                         {{"times", "1e5"}},
                                         {{"times", "1:1e-3:9"}},
                                         {{"radius", "0"}},
                                         {{"row", "51"}},
                                         {{"plane", "z"}},
                                         {{"row", "50"}},
                                         {{"points", "3"}}}) {
        EXPECT_THROW(analyse(runge, "transport", wrong), InputError) << wrong.begin()->second;
    }
}

// At (1, 0) the rod lets only y move: the plane of x has no area there.
TEST(transport, takes_a_plane_in_which_the_set_has_an_area) {
    const auto model = Model::load("pendulum");
    const IntegrationOptions options{.step = 0.05, .duration = 5};
    TrajectoryKeeper keeper(model, "rattle", options);
    integrate(model, method("rattle"), options, keeper);
    const auto found = analyse(keeper.trajectory, "transport");
    EXPECT_TRUE(found.verdict.starts_with("the area is preserved")) << found.verdict;
    EXPECT_EQ(found.figures[0].x.label, "y");
    EXPECT_THROW(analyse(keeper.trajectory, "transport", {{"plane", "x"}}), InputError);
    EXPECT_THROW(analyse(keeper.trajectory, "transport", {{"plane", "x, y"}}), InputError);
}

// About the upper equilibrium neighbours part like e^t: after 40 units of time nothing is known of the area.
TEST(transport, does_not_decide_what_it_cannot_know) {
    const auto model = Model::load("pendulum-angle", {{"angle", "3.14159265"}});
    const IntegrationOptions options{.step = 0.1, .duration = 80};
    TrajectoryKeeper keeper(model, "verlet", options);
    integrate(model, method("verlet"), options, keeper);
    const auto found = analyse(keeper.trajectory, "transport", {{"radius", "0.5"}, {"points", "128"}});
    EXPECT_NE(found.verdict.find("undetermined"), std::string::npos) << found.verdict;
    EXPECT_FALSE(found.warnings.empty());
}

TEST(transport, draws_balls_as_patches_from_far_to_near) {
    const auto grid = sphere(std::vector{0.0, 0.0, 0.0}, 1, 8);
    const auto patches = shaded(grid, {0, 90});  // from above: across is y, up is -x
    ASSERT_EQ(patches.size(), 8U * 16 + 16);
    const auto middle = [](const plot::Series& patch) {
        double x = 0, y = 0;
        for (std::size_t i = 0; i < patch.x.size(); ++i) {
            x += patch.x[i] / static_cast<double>(patch.x.size());
            y += patch.y[i] / static_cast<double>(patch.y.size());
        }
        return std::hypot(x, y);
    };
    EXPECT_LT(middle(patches.front()), 0.2);  // the south pole comes first, the north pole last
    EXPECT_LT(middle(patches.back()), 0.2);
    EXPECT_GT(middle(patches[patches.size() / 2]), 0.8);
    EXPECT_NE(patches.front().colour, patches.back().colour);
}

}  // namespace

}  // namespace libration
