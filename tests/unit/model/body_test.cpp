// Rigid bodies: names and order, rows, angular velocity and momentum, the reference solution.
#include "integrate/monitor.hpp"
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <libration/analysis/check.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// One of everything: plain coordinate, points, a fixed and a free body, constraints of the user.
const std::string zoo = R"toml(
[parameters]
I = 3
[coordinates]
q = ["x"]
[points]
a = { count = 2, dimension = 2, mass = 5 }
[[body]]
name = "top"
inertia = ["I", 2.5, 2]
fixed = true
[[body]]
name = "stone"
inertia = [2, 2, 2]
mass = "7*I"
[dynamics]
mass = 11
potential = "stone.r.z + x*top.Q[3,3] + dot(stone.at(1, 2, x), top.at(0, 0, 1))"
constraints = ["x - stone.r.x"]
[observables]
spin = "lambda_top.rigid[2,1] + lambda_1"
diagonal = "sum(k in 1..3, top.Q[k,k])"
[initial]
q = [1]
[initial.a]
q = [[1, 2], [3, 4]]
[initial.top]
Q = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[initial.stone]
quaternion = [0, 0, 0, 2]
r = [1, 2, 3]
v = [0, 0, 4]
omega = [1, 2, 3]
)toml";

double value_at(const Model& model, const std::string& text, const StartState<double>& state,
                TermSystem<double>& system) {
    std::vector<double> v(model.dimension);
    system.velocity(0, state.q, state.p, v);
    NodeFormula formula(model, model.formula(text, text), text);
    return formula.value({0, state.q, {}, state.p}, v, {});
}

std::vector<double> masses_of(TermSystem<double>& system) {
    const std::vector<double> q(system.dimension()), ones(system.dimension(), 1);
    std::vector<double> masses(system.dimension());
    system.apply_mass(0, q, ones, masses);
    return masses;
}

TEST(Body, coordinates_come_last_and_have_names_both_ways) {
    const auto model = Model::parse(zoo, "zoo.toml");
    ASSERT_EQ(model.dimension, 1U + 4 + 9 + 12);
    EXPECT_EQ(model.coordinate_name(4), "a[1].y");
    EXPECT_EQ(model.coordinate_name(5), "top.Q[1,1]");
    EXPECT_EQ(model.coordinate_name(10), "top.Q[2,3]");
    EXPECT_EQ(model.coordinate_name(14), "stone.r.x");
    EXPECT_EQ(model.coordinate_name(17), "stone.Q[1,1]");
    EXPECT_EQ(model.coordinate_name(25), "stone.Q[3,3]");
    for (std::size_t k = 0; k < model.dimension; ++k) {
        EXPECT_EQ(model.coordinate_number(model.coordinate_name(k)), k);
    }
    for (const auto* wrong : {"top.Q[0,1]", "top.Q[1,4]", "top.r.x", "top.Q", "top", "stone.r.w", "stones.r.x"}) {
        EXPECT_FALSE(model.coordinate_number(wrong)) << wrong;
    }
    ASSERT_EQ(model.bodies.size(), 2U);
    EXPECT_EQ(model.bodies[0].first, 5U);
    EXPECT_FALSE(model.bodies[0].centre);
    EXPECT_EQ(model.bodies[1].first, 17U);
    EXPECT_EQ(model.bodies[1].centre, 14U);
}

TEST(Body, rows_come_after_those_of_the_user_in_their_fixed_order) {
    const auto model = Model::parse(zoo, "zoo.toml");
    ASSERT_EQ(model.constraint_rows, 13U);
    EXPECT_EQ(model.constraint_name(0), "g1");
    EXPECT_EQ(model.multiplier_name(0), "lambda_1");
    EXPECT_EQ(model.bodies[0].first_row, 1U);
    EXPECT_EQ(model.bodies[1].first_row, 7U);
    const std::vector<std::string> order{"[1,1]", "[2,2]", "[3,3]", "[1,2]", "[1,3]", "[2,3]"};
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(model.constraint_name(1 + k), "top.rigid" + order[k]);
        EXPECT_EQ(model.multiplier_name(7 + k), "lambda_stone.rigid" + order[k]);
    }
    // g at a Q without any symmetry, against (Q^T Q)_ij - delta_ij written out.
    TermSystem<double> system(model);
    std::vector<double> q(model.dimension), g(13);
    for (std::size_t k = 0; k < q.size(); ++k) {
        q[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
    }
    system.constraint(0, q, g);
    constexpr std::array<std::array<std::size_t, 2>, 6> columns{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (const auto& body : model.bodies) {
        for (std::size_t row = 0; row < 6; ++row) {
            const auto [i, j] = columns[row];
            double product = i == j ? -1 : 0;
            for (std::size_t k = 0; k < 3; ++k) {
                product += q[body.first + 3 * k + i] * q[body.first + 3 * k + j];
            }
            EXPECT_NEAR(g[body.first_row + row], product, 1e-15);
        }
    }
}

TEST(Body, masses_of_the_columns_are_the_d) {
    const auto model = Model::parse(zoo, "zoo.toml", {{"I", "4"}});
    TermSystem<double> system(model);
    const auto masses = masses_of(system);
    EXPECT_EQ(masses[0], 11);
    EXPECT_EQ(masses[1], 5);
    for (std::size_t i = 0; i < 3; ++i) {  // I = (4, 2.5, 2)
        EXPECT_EQ(masses[5 + 3 * i], 0.25);
        EXPECT_EQ(masses[6 + 3 * i], 1.75);
        EXPECT_EQ(masses[7 + 3 * i], 2.25);
        EXPECT_EQ(masses[14 + i], 28);
    }
    EXPECT_EQ(masses[17], 1);
}

TEST(Body, parts_in_formulas_mean_what_mechanics_says) {
    const auto model = Model::parse(zoo, "zoo.toml");
    TermSystem<double> system(model);
    const auto state = start_state<double>(model, system);
    const auto value = [&](const std::string& text) { return value_at(model, text, state, system); };
    // The quaternion (0, 0, 0, 2) turns by pi about z.
    EXPECT_EQ(value("stone.Q[1,1]"), -1);
    EXPECT_EQ(value("stone.Q[2,2]"), -1);
    EXPECT_EQ(value("stone.Q[3,3]"), 1);
    EXPECT_EQ(value("stone.at(1, 2, 3).x"), 1 - 1);
    EXPECT_EQ(value("stone.at(1, 2, x).y"), 2 - 2);
    EXPECT_EQ(value("norm2(stone.r - stone.at(1, 2, 3))"), 14);
    EXPECT_EQ(value("stone.omega.x"), 1);
    EXPECT_EQ(value("stone.omega.y"), 2);
    EXPECT_EQ(value("stone.omega.z"), 3);
    EXPECT_EQ(value("v_stone.r.z"), 4);
    EXPECT_EQ(value("p_stone.r.z"), 84);
    EXPECT_EQ(value("p_stone.Q[2,1]"), value("v_stone.Q[2,1]"));  // d = 1
    // L = Q (I omega), and I omega = (2, 4, 6) in the body.
    EXPECT_EQ(value("stone.L.x"), -2);
    EXPECT_EQ(value("stone.L.y"), -4);
    EXPECT_EQ(value("stone.L.z"), 6);
    EXPECT_EQ(value("sum(k in 1..3, top.Q[k,k])"), 3);
    EXPECT_EQ(value("stone.quaternion.w"), 0);
    EXPECT_EQ(value("stone.quaternion.z"), 1);
    EXPECT_EQ(value("dot(stone.quaternion, top.quaternion)"), 0);
}

// 25 digits of two independent formulations of Q'' D = -U_Q - Q Lambda, U = Q_33, that agree to 1e-32.
constexpr std::array<double, 9> heavy_top_Q{-0.3898296358631915, -0.916560613531622,   0.08915995023163854,
                                            -0.1342824545484195, -0.03920741699080137, -0.9901671580361374,
                                            0.9110439492160755,  -0.397969119625438,   -0.1077937958387711};
constexpr std::array<double, 3> heavy_top_omega{0.2029870728050227, -1.110533311344078, 1.898383087407453};

TEST(Body, the_heavy_top_arrives_where_the_reference_does) {
    const auto model = Model::load("heavy-top");
    TermSystem<double> system(model);
    const auto start = start_state<double>(model, system);
    EXPECT_NEAR(system.energy(0, start.q, start.p), 2.66030230586814, 4e-15);
    const auto run = integrate(model, method("compose(rattle, kahanli8)"), {.step = 0.01, .steps = 100});
    // Order 8 at h = 0.01 leaves nothing but the round-off of 1700 stages, some units of 2.2e-16 times its square root.
    const double round_off = 4e-15;
    for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(run.q[k], heavy_top_Q[k], round_off) << model.coordinate_name(k);
    }
    const StartState<double> end{run.q, run.p};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto name = fmt::format("top.omega.{}", "xyz"[k]);
        EXPECT_NEAR(value_at(model, name, end, system), heavy_top_omega[k], 4 * round_off) << name;
    }
    EXPECT_NEAR(value_at(model, "top.L.z", end, system), value_at(model, "top.L.z", start, system), round_off);
}

TEST(Body, cpp_and_text_give_the_same_bits) {
    ModelBuilder builder("heavy-top");
    const auto top = builder.body({.name = "top", .inertia = {2, 1.5, 1}, .fixed = true});
    const auto c = cos(Expression(1)), s = sin(Expression(1));
    builder.potential(top.Q[8]).initial_body("top", {.Q = {1, 0, 0, 0, c, -s, 0, s, c}, .omega = {0.3, -0.2, 2}});
    const auto from_cpp = builder.build();
    const auto from_text = Model::load("heavy-top");
    const IntegrationOptions options{.step = 0.05, .steps = 20};
    const auto a = integrate(from_cpp, method("rattle"), options), b = integrate(from_text, method("rattle"), options);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(a.lambda, b.lambda);
}

TEST(Body, cpp_bodies_stand_beside_plain_coordinates) {
    ModelBuilder builder("hung");
    const auto q = builder.coordinates({"x"});
    const auto m = builder.parameter("m", 3);
    const auto stone = builder.body({.name = "stone", .inertia = {1, 1, 1}, .mass = m});
    builder.mass(2).potential(stone.at({0, 0, 1})[2] + q[0] * stone.r[0]).constraint(q[0] - stone.r[1]);
    builder.initial_position({5}).initial_body("stone", {.quaternion = {1, 0, 0, 0}, .r = {0, 5, 0}});
    const auto model = builder.build();
    EXPECT_EQ(model.dimension, 13U);
    EXPECT_EQ(model.bodies[0].first_row, 1U);
    TermSystem<double> system(model);
    EXPECT_EQ(masses_of(system)[0], 2);
    EXPECT_EQ(masses_of(system)[3], 3);
    EXPECT_EQ(masses_of(system)[4], 0.5);
    EXPECT_TRUE(check(model).faults.empty());

    ModelBuilder late("late");
    late.body({.name = "stone", .inertia = {1, 1, 1}, .fixed = true});
    EXPECT_THROW(late.coordinates({"x"}), InputError);
    EXPECT_THROW(late.body({.name = "stone", .inertia = {1, 1, 1}, .fixed = true}), InputError);
    EXPECT_THROW(late.body({.name = "other", .inertia = {q[0], 1, 1}, .fixed = true}), InputError);
    EXPECT_THROW(late.initial_body("top", {.quaternion = {1, 0, 0, 0}}), InputError);
    EXPECT_THROW(late.initial_body("stone", {}), InputError);
    EXPECT_THROW(late.initial_body("stone", {.quaternion = {1, 0, 0}}), InputError);
    // A mirrored body that comes as a list of all coordinates is refused by `build`.
    late.initial_position({1, 0, 0, 0, 1, 0, 0, 0, -1});
    EXPECT_THROW(late.build(), InputError);
}

TEST(Body, invariants_of_the_built_in_bodies_hold_to_round_off) {
    for (const auto* name : {"heavy-top", "free-top", "rigid-body-on-spring"}) {
        const auto model = Model::load(name);
        const auto run = integrate(model, method("rattle"), {.step = 0.02, .steps = 500});
        ASSERT_FALSE(run.invariants.empty());
        // RATTLE keeps quadratic invariants: 500 steps add some units of round-off of numbers up to 2.
        for (const auto& invariant : run.invariants) {
            if (invariant.name != "body_L") {  // not a quadratic invariant of the coordinates
                EXPECT_LT(invariant.max_error, 1e-14) << name << ' ' << invariant.name;
            }
        }
    }
}

}  // namespace
}  // namespace libration
