// Models that carry some of their redundant rows: the choice along a motion, and what a change of it changes.
#include "integrate/redundancy.hpp"
#include "integrate/row_watch.hpp"

#include "integrate/start.hpp"
#include "methods/row_guard.hpp"
#include "model/carried.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace libration {
namespace {

using Rows = std::vector<std::size_t>;

// Any two of a, b, c are independent at most places; at the angle 90 degrees of (x, y) a and c are perpendicular.
constexpr auto rotor = R"(
[coordinates]
q = ["x", "y", "z", "w"]
[dynamics]
mass = 1
potential = "0.3*z + 0.2*w + 0.4*x"
constraints = { circle = "x^2 + y^2 - 1", a = "z", b = "z/2 + sqrt(3)/2*w", c = "x*z + y*w" }
[initial]
q = [0, 1, 0, 0]
v = [-1, 0, 0, 0]
)";

TEST(CarriedRows, are_chosen_at_the_start_and_named) {
    const auto ready = prepared(Model::parse(rotor, "rotor"), 0);
    ASSERT_TRUE(ready.model.carried);
    EXPECT_EQ(ready.model.carried->rows, (Rows{0, 1, 3}));
    EXPECT_EQ(ready.model.constraint_name(2), "c");
    EXPECT_EQ(ready.model.multiplier_name(2), "lambda_c");
    ASSERT_EQ(ready.sets.size(), 1U);
    EXPECT_EQ(ready.sets[0], (Rows{1, 2, 3}));
    EXPECT_EQ(ready.system->constraints(), 3U);
}

TEST(CarriedRows, are_all_rows_of_a_model_without_redundancy) {
    const auto ready = prepared(Model::load("triple-pendulum"), 0);
    EXPECT_FALSE(ready.model.carried);
    EXPECT_TRUE(ready.warnings.empty());
}

TEST(CarriedRows, stay_while_they_are_well_conditioned_and_give_way_where_they_are_not) {
    const auto ready = prepared(Model::parse(rotor, "rotor"), 0);
    RowWatch watch(ready.model, *ready.system);
    const auto position = [](double degrees) {
        const double angle = degrees * std::acos(-1.0) / 180;
        return std::vector<double>{std::cos(angle), std::sin(angle), 0, 0};
    };
    const std::vector<double> none(4);
    const auto step = [&](double from, double to) {
        const auto here = position(from), there = position(to);
        return watch.better_rows({0, here, none, none}, {0.1, there, none, none});
    };
    EXPECT_FALSE(step(88, 90));
    EXPECT_FALSE(
        step(140, 149));  // sine^2 = 0.27 of the angle between a and c, and no other two rows have four times it
    const auto others = step(170, 175);
    ASSERT_TRUE(others);
    EXPECT_EQ(*others, (Rows{0, 2, 3}));  // b and c are 65 degrees apart, a and b 60
    EXPECT_EQ(*step(170, 175), *others) << "a pure function of both ends";
    // From a good place across the singular one: the end decides.
    EXPECT_EQ(step(100, 179.9).value_or(Rows{}), (Rows{0, 2, 3}));
}

TEST(CarriedRows, that_lose_their_condition_make_a_step_refused_that_leaves_the_state) {
    const auto ready = prepared(Model::parse(rotor, "rotor"), 0);
    const auto rattle = method("rattle");
    ASSERT_TRUE(may_change_rows(ready.model, rattle));
    EXPECT_FALSE(may_change_rows(ready.model, method("shake")));
    const auto stepper =
        guarding_rows<double>(ready.model, rattle, *ready.system, make_stepper<double>(rattle, *ready.system));
    const auto start = start_state<double>(ready.model, *ready.system);
    stepper->start({0, start.q, {}, start.p}, 0.01);
    RowWatch watch(ready.model, *ready.system);
    set_carried_pivot(*stepper, watch.pivot(stepper->node()));
    int made = 0;
    auto report = stepper->advance();
    for (; report.converged == 1 && made < 200; ++made) {
        stepper->accept();
        report = stepper->advance();
    }
    // sine^2 of the angle between a and c falls below a quarter at 60 degrees behind the start. With the energy
    // v^2/2 + 0.4 x that takes the integral of 1/sqrt(1 + 0.8 sin(angle)), 0.8985.
    EXPECT_EQ(report.converged, rows_sank);
    EXPECT_NEAR(made, 89, 1);
    EXPECT_LT(report.pivot, noticeable_pivot);
    EXPECT_GT(report.pivot, noticeable_pivot / 1.1);
    const std::vector<double> before(stepper->node().q.begin(), stepper->node().q.end());
    EXPECT_EQ(stepper->advance().converged, rows_sank);
    EXPECT_EQ(before, std::vector<double>(stepper->node().q.begin(), stepper->node().q.end()));
    set_carried_pivot(*stepper, report.pivot);
    EXPECT_EQ(stepper->advance().converged, 1);
}

TEST(CarriedRows, that_contradict_those_left_out_are_named) {
    const auto ready = prepared(Model::parse(rotor, "rotor"), 0);
    RowWatch watch(ready.model, *ready.system);
    const std::vector<double> none(4);
    const auto at = [&](double w) {
        const std::vector<double> q{0, 1, 0, w};
        return watch.contradiction({0, q, none, none});
    };
    EXPECT_FALSE(at(0));
    // a and c are carried; c = w misses there, too: rows that drift together are no contradiction.
    EXPECT_FALSE(at(1e-3));
    // At 180 degrees a and c say z = 0 only, and b has w for itself.
    const std::vector<double> q{-1, 0, 0, 1e-3};
    const auto found = watch.contradiction({0, q, none, none});
    ASSERT_TRUE(found);
    EXPECT_NE(found->find("the value of b is 0.000866"), std::string::npos) << *found;
    // What accepted data explain.
    const std::vector<double> near{-1, 0, 0, 1e-9};
    EXPECT_FALSE(watch.contradiction({0, near, none, none}));
}

TEST(CarriedRows, of_varied_models_are_the_same) {
    const auto model = prepared(Model::parse(rotor, "rotor"), 0).model.with({{"v_x", "-2"}});
    ASSERT_TRUE(model.carried);
    EXPECT_EQ(model.carried->rows, (Rows{0, 1, 3}));
}

// The state after some steps, with rows that change at some nodes as the loop changes them.
template <class S>
std::vector<S> end_of_run(const Model& whole, const std::vector<Rows>& rows, const std::vector<int>& changes) {
    constexpr int steps = 200;
    const auto rattle = method("rattle");
    const S h = lit<S>(1, 100);
    const auto first = carry(whole, rows[0]);
    auto system = make_system<S>(first);
    auto start = start_state<S>(first, *system);
    auto stepper = make_stepper<S>(rattle, *system);
    stepper->start({lit<S>(0), start.q, {}, start.p}, h);
    std::size_t next = 0;
    for (int n = 0; n < steps; ++n) {
        if (next < changes.size() && changes[next] == n) {
            ++next;
            const auto node = stepper->node();
            const std::vector<S> q(node.q.begin(), node.q.end()), low(node.q_low.begin(), node.q_low.end()),
                p(node.p.begin(), node.p.end());
            const S t = node.t;
            auto other = make_system<S>(carry(whole, rows[next % rows.size()]));
            stepper = make_stepper<S>(rattle, *other);
            system = std::move(other);
            stepper->start({t, q, low, p}, h);
        }
        EXPECT_TRUE(stepper->advance().converged == lit<Real<S>>(1)) << n;
        stepper->accept();
    }
    const auto node = stepper->node();
    std::vector<S> state(node.q.begin(), node.q.end());
    state.insert(state.end(), node.p.begin(), node.p.end());
    return state;
}

template <class S>
void expect_round_off() {
    const auto whole = Model::parse(rotor, "rotor");
    std::mt19937 random(3);
    std::vector<int> changes;
    for (int n = 1; n < 60; n += 1 + static_cast<int>(random() % 9)) {
        changes.push_back(n);
    }
    // Up to the angle 124 degrees all three pairs are independent.
    const auto alike = end_of_run<S>(whole, {{0, 1, 3}}, {});
    const auto changed = end_of_run<S>(whole, {{0, 1, 3}, {0, 1, 2}}, changes);
    // A change adds a rounding of each number; a motion on a circle enlarges it by the number of steps at most.
    const double bound = 200.0 * static_cast<double>(changes.size()) * to_double(epsilon<S>());
    double largest = 0;
    for (std::size_t k = 0; k < alike.size(); ++k) {
        largest = std::max(largest, std::abs(to_double(alike[k] - changed[k])));
    }
    EXPECT_LE(largest, bound);
}

TEST(CarriedRows, change_the_motion_by_round_off_only) { expect_round_off<double>(); }
TEST(CarriedRows, change_the_motion_by_round_off_only_in_quadruple_precision) { expect_round_off<Quad>(); }

TEST(CarriedRows, of_a_family_are_those_instances) {
    const auto model = Model::parse(R"(
[points]
r = { count = 4, dimension = 2, mass = 1 }
[[constraint]]
name = "rod"
for = "i in 0..2"
equation = "norm2(r[i+1] - r[i]) - (i + 1)^2"
[initial.r]
q = [[0, 0], [1, 0], [3, 0], [6, 0]]
)",
                                    "family");
    const auto some = carry(model, {0, 2});
    const auto all = make_system<double>(model), two = make_system<double>(some);
    ASSERT_EQ(two->constraints(), 2U);
    const std::vector<double> q{0, 0.1, 1, 0.3, 3, -0.2, 6, 0.5};
    std::vector<double> g(3), part(2);
    all->constraint(0, q, g);
    two->constraint(0, q, part);
    EXPECT_EQ(part, (std::vector<double>{g[0], g[2]}));
    EXPECT_EQ(some.constraint_name(1), "rod[2]");
}

// A door on two hinges, and a sled that is driven away from them: the mean distance of the joints is that at the start.
TEST(CarriedRows, share_reactions_by_the_distances_of_joints_where_a_run_starts) {
    const std::string text = R"(
[[body]]
name = "door"
mass = 1
inertia = [1, 2, 2.5]
com = [0.5, 0, 0]
[[body]]
name = "sled"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "lower"
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "upper"
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 2]
axis = [0, 0, 1]
[[joint]]
name = "slide"
type = "prismatic"
between = ["ground", "sled"]
at = [0, 0, 0]
axis = [1, 0, 0]
motion = "t"
[assembly]
[dynamics]
gravity = [0, -9.81, 0]
)";
    const auto reactions = [&](const std::string& more, double start_time) {
        const IntegrationOptions options{.step = 0.01, .steps = 0, .start_time = start_time};
        return integrate(Model::parse(text + more, "door"), method("rattle"), options).lambda;
    };
    const auto early = reactions("", 0), late = reactions("", 5),
               given = reactions("length = \"(7 + sqrt(29))/3\"\n", 5);
    ASSERT_EQ(late.size(), given.size());
    double difference = 0;
    for (std::size_t row = 0; row < late.size(); ++row) {
        EXPECT_NEAR(late[row], given[row], 1e-12) << row;  // the length is a sum of three roundings
        difference = std::max(difference, std::abs(late[row] - early[row]));
    }
    EXPECT_GT(difference, 0.1);
}

}  // namespace
}  // namespace libration
