// Rough poses are closed; what closes is compared with intersections of circles and other closed forms.
#include "integrate/assembly_words.hpp"
#include "integrate/start.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

namespace libration {
namespace {

struct FourBar {
    double crank, rod, rocker, base;
};

// Joints A and B of a planar four-bar linkage between (0, 0) and (base, 0), with masses 1 and 2.
std::string four_bar_text(const FourBar& bars, const std::array<double, 4>& rough, const std::string& more) {
    return fmt::format(R"toml(
[parameters]
base = {3:.17g}
[coordinates]
q = ["x1", "y1", "x2", "y2"]
[dynamics]
mass = [1, 1, 2, 2]
potential = "y1 + y2"
[dynamics.constraints]
crank = "x1^2 + y1^2 - ({0:.17g})^2"
rod = "(x2 - x1)^2 + (y2 - y1)^2 - ({1:.17g})^2"
rocker = "(x2 - base)^2 + y2^2 - ({2:.17g})^2"
[initial]
q = [{4:.17g}, {5:.17g}, {6:.17g}, {7:.17g}]
v = [1, 0, 0, 0]
{8})toml",
                       bars.crank, bars.rod, bars.rocker, bars.base, rough[0], rough[1], rough[2], rough[3], more);
}

Model four_bar(const FourBar& bars, const std::array<double, 4>& rough,
               const std::string& more = "[assembly]\nhold = \"atan2(y1, x1)\"") {
    return Model::parse(four_bar_text(bars, rough, more), "four-bar");
}

// Both intersections of two circles: where the rod and the rocker meet, for a crank at this angle. None: too far apart.
std::vector<std::array<double, 4>> closed_four_bars(const FourBar& bars, double angle) {
    const double x = bars.crank * std::cos(angle), y = bars.crank * std::sin(angle);
    const double dx = bars.base - x, dy = -y, distance = std::hypot(dx, dy);
    const double along = (distance * distance + bars.rod * bars.rod - bars.rocker * bars.rocker) / (2 * distance);
    const double square = bars.rod * bars.rod - along * along;
    std::vector<std::array<double, 4>> poses;
    for (const double side : {1.0, -1.0}) {
        if (square > 0) {
            const double across = side * std::sqrt(square);
            poses.push_back(
                {x, y, x + (along * dx - across * dy) / distance, y + (along * dy + across * dx) / distance});
        }
    }
    return poses;
}

double largest_difference(const std::array<double, 4>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        most = std::max(most, std::abs(a.at(k) - b[k]));
    }
    return most;
}

std::string refusal(const Model& model, double t = 0) {
    try {
        static_cast<void>(assemble(model, t, WaysWanted::chosen));
    } catch (const InputError& error) {
        return error.what();
    }
    return "not refused";
}

double uniform(std::mt19937_64& random) { return std::ldexp(static_cast<double>(random() >> 11U), -52) - 1; }

const FourBar usual{1, 2.5, 2, 3};
const std::array<double, 4> rough_pose{0.6, 0.9, 2.4, 2.3};

// Poses of random linkages that are not near a dead point (there the error of a position is the root of that of its
// constraint), moved by random amounts, up to the length of the bars. The held angle decides which circles intersect.
TEST(Assembly, closes_random_four_bars_where_the_circles_intersect) {
    std::mt19937_64 random(7);
    int closed = 0, apart = 0;
    for (int k = 0; k < 120; ++k) {
        const FourBar bars{1.5 + uniform(random), 2.0 + uniform(random), 2.0 + uniform(random), 2.5 + uniform(random)};
        std::array<double, 4> rough{bars.crank * std::cos(3 * uniform(random)), uniform(random), 2.0, uniform(random)};
        for (auto& value : rough) {
            value += 0.5 * uniform(random);
        }
        const auto exact = closed_four_bars(bars, std::atan2(rough[1], rough[0]));
        const auto model = four_bar(bars, rough);
        if (exact.empty()) {
            EXPECT_NE(refusal(model).find("cannot be satisfied"), std::string::npos) << k;
            ++apart;
            continue;
        }
        if (std::abs(exact[0][3] - exact[1][3]) + std::abs(exact[0][2] - exact[1][2]) < 0.1) {
            continue;
        }
        const auto found = assemble(model, 0, WaysWanted::chosen);
        const double error = std::min(largest_difference(exact[0], found.q), largest_difference(exact[1], found.q));
        EXPECT_LT(error, 1e-13) << k;  // round-off of lengths up to 5, enlarged by at most 100 where circles are close
        EXPECT_LT(found.gap, 1e-14) << k;
        ++closed;
    }
    EXPECT_GT(closed, 70);
    EXPECT_GT(apart, 5);
}

TEST(Assembly, stays_on_the_branch_of_a_pose_that_is_slightly_off) {
    std::mt19937_64 random(11);
    for (int k = 0; k < 100; ++k) {
        const auto exact = closed_four_bars(usual, 0.3 + 0.02 * k);
        const auto side = static_cast<std::size_t>(k % 2);
        auto rough = exact.at(side);
        for (auto& value : rough) {
            value += 0.05 * uniform(random);
        }
        const auto found = assemble(four_bar(usual, rough), 0, WaysWanted::chosen);
        const auto target = closed_four_bars(usual, std::atan2(rough[1], rough[0]));
        EXPECT_LT(largest_difference(target.at(side), found.q), 1e-13) << k;
    }
}

// Newton's method leaves the top of a sine by 3.4, to another of its branches.
TEST(Assembly, stays_on_the_branch_where_a_full_newton_step_would_leave_it) {
    const auto model = Model::parse(R"toml(
[coordinates]
q = ["a"]
[dynamics]
mass = 1
constraints = { height = "sin(a) - 0.9" }
[initial]
q = [1.6]
[assembly]
)toml",
                                    "sine");
    const auto found = assemble(model, 0, WaysWanted::chosen);
    EXPECT_NEAR(found.q[0], std::acos(-1.0) - std::asin(0.9), 1e-14);
}

TEST(Assembly, finds_both_ways_to_close_a_four_bar) {
    const auto found = assemble(four_bar(usual, rough_pose), 0, WaysWanted::all);
    const auto exact = closed_four_bars(usual, std::atan2(0.9, 0.6));
    ASSERT_EQ(found.ways.size(), 2);
    EXPECT_LT(largest_difference(exact[0], found.ways[0].q), 1e-13);
    EXPECT_LT(largest_difference(exact[1], found.ways[1].q), 1e-13);
    EXPECT_LT(found.ways[0].distance, found.ways[1].distance);
    const auto other = assemble(four_bar(usual, rough_pose, "[assembly]\nhold = \"atan2(y1, x1)\"\nbranch = 2"), 0,
                                WaysWanted::chosen);
    EXPECT_EQ(other.q, found.ways[1].q);
    EXPECT_EQ(other.branch, 2);
}

// One degree of freedom is left: among all closed poses the one next to the rough pose, which is where the difference
// to it, weighted by masses, is normal to the motion.
TEST(Assembly, moves_to_the_closed_pose_next_to_the_rough_one) {
    const auto model = four_bar(usual, rough_pose, "[assembly]");
    const auto found = assemble(model, 0, WaysWanted::chosen);
    const double angle = std::atan2(found.q[1], found.q[0]), h = 1e-6;
    const auto before = closed_four_bars(usual, angle - h).at(0), after = closed_four_bars(usual, angle + h).at(0);
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        along += (k < 2 ? 1 : 2) * (found.q[k] - rough_pose.at(k)) * (after.at(k) - before.at(k)) / (2 * h);
    }
    EXPECT_LT(std::abs(along), 1e-7);  // differences of poses that are known to 1e-15, divided by h, and h^2
}

TEST(Assembly, uses_a_closed_pose_bit_for_bit) {
    const auto text = four_bar_text({1, 2, 1, 2}, {0, 1, 2, 1}, "[assembly]\nhold = [\"x1\"]");
    const auto given = Model::parse(text.substr(0, text.find("[assembly]")), "four-bar");
    auto model = Model::parse(text, "four-bar");
    EXPECT_FALSE(assemble(model, 0, WaysWanted::all).moved);
    model = model.with({{"v_x2", "1"}});  // with consistent velocities, too
    EXPECT_FALSE(assembled_start(model, 0));
    const auto a = integrate(model, method("rattle"), {.step = 0.01, .steps = 20});
    const auto b = integrate(given.with({{"v_x2", "1"}}), method("rattle"), {.step = 0.01, .steps = 20});
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
    ASSERT_TRUE(a.start);
    EXPECT_EQ(a.start->q, 0);
    EXPECT_FALSE(b.start);
}

// G M^-1 (p + G^T mu) = 0 at the closed pose, by elimination of the momenta of four coordinates by hand: the projection
// leaves p + G^T mu along the only motion, whose tangent w is known, so that p' = M w (w p) / (w M w).
TEST(Assembly, projects_velocities_in_the_metric_of_the_masses) {
    const auto model = four_bar(usual, rough_pose);
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const double angle = std::atan2(0.9, 0.6);
    // The tangent: the crank turns with 1, B with the velocity that keeps the rod and the rocker.
    const double a = -std::sin(angle), b = std::cos(angle);
    const double rx = start.q[2] - start.q[0], ry = start.q[3] - start.q[1], kx = start.q[2] - 3, ky = start.q[3];
    const double rate = (rx * a + ry * b) / (rx * -ky + ry * kx);
    const std::array<double, 4> w{a, b, -ky * rate, kx * rate}, mass{1, 1, 2, 2};
    double wp = w[0] * 1, wMw = 0;  // the given velocity is (1, 0, 0, 0)
    for (std::size_t k = 0; k < 4; ++k) {
        wMw += w.at(k) * mass.at(k) * w.at(k);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(start.p[k], mass.at(k) * w.at(k) * wp / wMw, 1e-14) << k;
    }
}

TEST(Assembly, follows_constraints_that_move_at_the_start_time) {
    const auto text = R"toml(
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
constraints = { rod = "(x - sin(t))^2 + y^2 - 4" }
[initial]
q = [0.7, -2.2]
[assembly]
hold = ["x"]
)toml";
    const auto model = Model::parse(text, "moving");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system, 0.5);
    const double u = 0.7 - std::sin(0.5);
    EXPECT_NEAR(start.q[1], -std::sqrt(4 - u * u), 1e-15);
    EXPECT_EQ(start.q[0], 0.7);
    EXPECT_LT(std::abs(u * (start.p[0] - std::cos(0.5)) + start.q[1] * start.p[1]), 1e-15);
}

// The rod twice, once times 3, and a sum of both: rank 3 of 5 rows.
TEST(Assembly, closes_redundant_constraints) {
    auto text = four_bar_text(usual, rough_pose, "[assembly]\nhold = \"atan2(y1, x1)\"");
    const std::string rod = "(x2 - x1)^2 + (y2 - y1)^2 - (2.5)^2", circle = "x1^2 + y1^2 - (1)^2";
    text.insert(text.find("[initial]"), "again = \"3*(" + rod + ")\"\nsum = \"" + rod + " + " + circle + "\"\n");
    const auto model = Model::parse(text, "redundant"), plain = four_bar(usual, rough_pose);
    ASSERT_EQ(model.constraint_rows, 5);
    const auto a = assembled_start(model, 0), b = assembled_start(plain, 0);
    ASSERT_TRUE(a && b);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(to_double(FinestReal(a->q[k] - b->q[k])), 0, 1e-29) << k;
        // Both satisfy their constraints; along the motion, corrections have the digits of their factors in double.
        EXPECT_NEAR(to_double(FinestReal(a->p[k] - b->p[k])), 0, 1e-15) << k;
    }
}

// Rows that contradict each other do not close, however good the least squares are.
TEST(Assembly, refuses_rows_that_contradict_each_other) {
    auto text = four_bar_text(usual, rough_pose, "[assembly]");
    text.insert(text.find("[initial]"), "longer = \"(x2 - x1)^2 + (y2 - y1)^2 - 2.6^2\"\n");
    const auto fault = refusal(Model::parse(text, "contradiction"));
    EXPECT_NE(fault.find("0.255 in"), std::string::npos) << fault;  // (2.6^2 - 2.5^2)/2, each misses half of it
    EXPECT_NE(fault.find("rod"), std::string::npos) << fault;
    EXPECT_NE(fault.find("longer"), std::string::npos) << fault;
}

TEST(Assembly, says_what_cannot_close_and_by_how_much) {
    // Bars of 1 and 2 between points 4 apart, stretched: x1^2 = 1 + e etc.
    const auto fault = refusal(four_bar({1, 0.5, 1, 4}, {0.9, 0.1, 3, 0.1}, "[assembly]"));
    EXPECT_NE(fault.find("smallest gap"), std::string::npos) << fault;
    for (const auto* name : {"crank", "rod", "rocker"}) {
        EXPECT_NE(fault.find(name), std::string::npos) << fault;
    }
}

TEST(Assembly, says_that_the_held_values_are_the_reason) {
    // The crank points away: the rod and the rocker cannot reach, but could from another angle.
    const auto model = four_bar({1, 1.2, 1.2, 3}, {-1, 0.1, 2, 0.5});
    const auto fault = refusal(model);
    EXPECT_NE(fault.find("while `[assembly]` holds atan2(y1, x1); without it they can"), std::string::npos) << fault;
}

TEST(Assembly, refuses_a_branch_that_does_not_exist) {
    const auto fault = refusal(four_bar(usual, rough_pose, "[assembly]\nhold = \"atan2(y1, x1)\"\nbranch = 3"));
    EXPECT_NE(fault.find("branch 3, but 2 ways to close were found"), std::string::npos) << fault;
}

// All bars on a line are a stationary point of the squared gaps: every gradient is along the line.
TEST(Assembly, leaves_a_stretched_pose_that_gives_no_direction) {
    const auto found =
        assemble(four_bar({1, 1.2, 1.2, 3}, {0.9, 0, 2.1, 0}, "[assembly]\nhold = \"x1\""), 0, WaysWanted::chosen);
    EXPECT_LT(found.gap, 1e-14);
    EXPECT_NEAR(found.q[0], 0.9, 1e-15);
    EXPECT_GT(std::abs(found.q[1]), 0.4);  // sqrt(1 - 0.81)
}

TEST(Assembly, is_closed_to_the_precision_of_the_numbers) {
    const auto model = four_bar(usual, rough_pose);
    const auto fixed = with_assembled_start(model, 0);
    const auto system = make_system<FinestReal>(fixed);
    const auto start = start_state<FinestReal>(fixed, *system);
    std::vector<FinestReal> g(3);
    system->constraint(FinestReal{0}, start.q, g);
    const double limit = 50 * to_double(epsilon<FinestReal>());  // terms of size 10, four operations each
    for (const auto& row : g) {
        EXPECT_LT(std::abs(to_double(row)), limit);
    }
    const auto plain = make_system<double>(model);
    const auto in_double = start_state<double>(model, *plain);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(in_double.q[k], to_double(start.q[k]));
    }
}

std::string spatial_linkage(const std::string& first, const std::string& second, const std::string& more) {
    return R"toml(
[[body]]
name = "arm"
mass = 1
inertia = [0.3, 0.2, 0.25]
[[body]]
name = "rod"
mass = 2
inertia = [0.1, 0.2, 0.15]
[[constraint]]
name = "shoulder"
equation = "arm.at(-1, 0, 0)"
[[constraint]]
name = "elbow"
equation = "arm.at(1, 0, 0) - rod.at(-1, 0, 0)"
[[constraint]]
name = "slide"
equation = "rod.at(1, 0, 0).y"
[initial.arm]
)toml" + first +
           "\n[initial.rod]\n" + second + "\n[assembly]\n" + more;
}

TEST(Assembly, closes_loops_of_bodies_without_reflecting_them) {
    std::mt19937_64 random(3);
    for (int k = 0; k < 30; ++k) {
        const auto quaternion = [&] {
            return fmt::format("quaternion = [{}, {}, {}, {}]", uniform(random), uniform(random), uniform(random),
                               uniform(random));
        };
        const auto place = [&] {
            return fmt::format("r = [{}, {}, {}]", uniform(random), uniform(random), uniform(random));
        };
        const auto model = Model::parse(
            spatial_linkage(quaternion() + '\n' + place(), quaternion() + '\n' + place() + "\nomega = [0, 1, 0]", ""),
            "linkage");
        const auto found = assemble(model, 0, WaysWanted::chosen);
        EXPECT_LT(found.gap, 1e-14) << k;
        for (const auto& body : model.bodies) {
            const auto* Q = found.q.data() + body.first;
            const double determinant = Q[0] * (Q[4] * Q[8] - Q[5] * Q[7]) - Q[1] * (Q[3] * Q[8] - Q[5] * Q[6]) +
                                       Q[2] * (Q[3] * Q[7] - Q[4] * Q[6]);
            EXPECT_NEAR(determinant, 1, 1e-14) << k;
        }
        const auto run = integrate(model, method("rattle"), {.step = 0.001, .steps = 3});
        EXPECT_LT(run.constraint.max, 1e-14) << k;
        EXPECT_LT(run.constraint.hidden_max, 1e-13) << k;
    }
}

// The constraint is on the direction of the third axis, about which the body spins: it takes nothing from this spin.
TEST(Assembly, keeps_the_angular_velocity_of_a_body_that_it_turns) {
    const auto model = Model::parse(R"toml(
[[body]]
name = "top"
mass = 1
inertia = [0.3, 0.2, 0.25]
[[constraint]]
name = "plane"
equation = "top.Q[1,3]"
[initial.top]
quaternion = [1, 0.4, 0.8, 0.3]
r = [0, 0, 0]
omega = [0, 0, 5]
[assembly]
)toml",
                                    "top");
    const auto start = assembled_start(model, 0);
    ASSERT_TRUE(start);
    const auto& body = model.bodies[0];
    const double d1 = (0.2 + 0.25 - 0.3) / 2;
    double spin = 0;  // omega_3 = (Q^T V)_21, V = P D^-1
    for (std::size_t i = 0; i < 3; ++i) {
        spin += to_double(start->q[body.first + 3 * i + 1]) * to_double(start->p[body.first + 3 * i]) / d1;
    }
    EXPECT_NEAR(spin, 5, 1e-14);
    EXPECT_GT(moved_parts(model, initial_state<double>(model).q, assemble(model, 0, WaysWanted::chosen).q).at(0).angle,
              0.1);
}

TEST(Assembly, closes_massless_coordinates) {
    const auto text = R"toml(
[coordinates]
q = ["x", "y", "theta"]
[dynamics]
mass = [1, 1, 0]
potential = "9.81*y"
constraints = { across = "x - sin(theta)", down = "y + cos(theta)" }
[initial]
q = [0.8, -0.5, 1.2]
v = [0.3, 0.1, 0]
[assembly]
hold = ["theta"]
)toml";
    const auto model = Model::parse(text, "massless");
    ASSERT_TRUE(model.singular_mass);
    const auto run = integrate(model, method("lobatto(3)"), {.step = 0.01, .steps = 10});
    EXPECT_LT(run.constraint.max, 1e-14);
    EXPECT_LT(run.constraint.hidden_max, 1e-14);
    const auto found = assemble(model, 0, WaysWanted::chosen);
    EXPECT_NEAR(found.q[0], std::sin(1.2), 1e-15);
    EXPECT_EQ(found.q[2], 1.2);
}

TEST(Assembly, of_angles_counts_no_full_turns_as_other_ways) {
    const auto text = R"toml(
[coordinates]
q = ["a", "b"]
[dynamics]
mass = 1
constraints = { x = "cos(a) + cos(a + b) - 1", y = "sin(a) + sin(a + b) - 0.5" }
[initial]
q = [1.2, -1.0]
[assembly]
)toml";
    const auto found = assemble(Model::parse(text, "arm"), 0, WaysWanted::all);
    ASSERT_EQ(found.ways.size(), 2);  // elbow up and down: b = -+ acos(r^2/2 - 1)
    const double b = std::acos(1.25 / 2 - 1);
    EXPECT_NEAR(found.ways[0].q[1], -b, 1e-14);
    EXPECT_NEAR(found.ways[1].q[1], b, 1e-14);
}

TEST(Assembly, survives_the_text_of_the_model) {
    ModelBuilder builder("built");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).constraint("rod", q[0] * q[0] + q[1] * q[1] - 1).initial_position({0.5, 0.9});
    builder.assemble({q[0] * 2}, 1);
    const auto model = builder.build();
    const auto again = Model::parse(to_text(model), "built");
    ASSERT_TRUE(again.assembly);
    EXPECT_EQ(again.assembly->hold.size(), 1);
    EXPECT_EQ(assemble(again, 0, WaysWanted::chosen).q, assemble(model, 0, WaysWanted::chosen).q);
    EXPECT_NEAR(assemble(model, 0, WaysWanted::chosen).q[1], std::sqrt(0.75), 1e-15);
}

TEST(Assembly, of_another_value_starts_from_the_rough_pose_again) {
    const auto base = four_bar(usual, rough_pose);
    const auto varied = base.with({{"base", "3.1"}});
    const auto read =
        Model::parse(four_bar_text({1, 2.5, 2, 3.1}, rough_pose, "[assembly]\nhold = \"atan2(y1, x1)\""), "four-bar");
    EXPECT_EQ(assemble(varied, 0, WaysWanted::chosen).q, assemble(read, 0, WaysWanted::chosen).q);
}

TEST(Assembly, says_in_the_run_what_moved) {
    const auto run = integrate(four_bar(usual, rough_pose), method("rattle"), {.step = 0.01, .steps = 1});
    ASSERT_TRUE(run.start);
    EXPECT_EQ(run.start->how, "assembled");
    EXPECT_EQ(run.start->q_name, "x2");
    const auto exact = closed_four_bars(usual, std::atan2(0.9, 0.6)).at(0);
    EXPECT_NEAR(run.start->q, exact[2] - rough_pose[2], 1e-14);
}

TEST(Project, says_in_the_run_what_moved) {
    ModelBuilder builder("off");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(2).constraint("circle", q[0] * q[0] + q[1] * q[1] - 1);
    builder.initial_position({1.001, 0}).initial_velocity({0.1, 1});
    const auto run = integrate(builder.build(), method("rattle"), {.step = 0.01, .steps = 1, .project = true});
    ASSERT_TRUE(run.start);
    EXPECT_EQ(run.start->how, "projected");
    EXPECT_EQ(run.start->q_name, "x");
    EXPECT_NEAR(run.start->q, 0.001, 1e-15);
    EXPECT_EQ(run.start->p_name, "p_x");
    EXPECT_NEAR(run.start->p, 0.2, 1e-15);
}

}  // namespace
}  // namespace libration
