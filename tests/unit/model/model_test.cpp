// Models: text and C++ through one door, ranges, tables, sums, lists, overrides.
#include "faults.hpp"

#include "integrate/start.hpp"
#include "model/embedded.hpp"
#include "model/model_values.hpp"
#include "system/term_system.hpp"
#include <libration/analysis/check.hpp>
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace libration {
namespace {

const std::string pendulum_text = R"toml(
name = "pendulum"
[parameters]
g = 2.0
l = "g/2"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = "3*l"
potential = "g*y"
constraints = { rod = "x^2 + y^2 - l^2" }
[observables]
tension = "lambda_rod*l"
[initial]
q = ["l", 0]
v = [0, "-1/2"]
[run]
step = "l/100"
steps = 10
)toml";

struct Pendulum {
    template <class S>
    S potential(std::span<const S> q) const {
        return 2 * q[1];
    }
    template <class S>
    std::vector<S> constraint(std::span<const S> q) const {
        return {q[0] * q[0] + q[1] * q[1] - 1};
    }
};

TEST(Model, text_and_cpp_give_the_same_system_to_the_bit) {
    const auto from_text = Model::parse(pendulum_text, "pendulum.toml");
    ModelBuilder builder("pendulum");
    builder.coordinates({"x", "y"});
    builder.mass(3).equations(Pendulum{}).initial_position({1, 0}).initial_velocity({0, -0.5});
    const auto from_cpp = builder.build();
    TermSystem<double> a(from_text), b(from_cpp);
    const std::vector<double> q{0.6, -0.7}, p{0.3, 0.1}, v{0.2, -0.4};
    EXPECT_EQ(a.energy(0, q, p), b.energy(0, q, p));
    std::vector<double> fa(2), fb(2), ga(2), gb(2), ca(1), cb(1);
    a.force_gradient(0, q, p, fa);
    b.force_gradient(0, q, p, fb);
    a.jacobian(0, q, ga);
    b.jacobian(0, q, gb);
    a.curvature(0, q, v, ca);
    b.curvature(0, q, v, cb);
    EXPECT_EQ(fa, fb);
    EXPECT_EQ(ga, gb);
    EXPECT_EQ(ca, cb);
    EXPECT_EQ(start_state<double>(from_text, a).p, start_state<double>(from_cpp, b).p);
    EXPECT_NEAR(ca[0], 2 * (v[0] * v[0] + v[1] * v[1]), 1e-15);
}

TEST(Model, overrides_replace_parameters_and_all_that_depends_on_them) {
    const auto model = Model::parse(pendulum_text, "pendulum.toml", {{"g", "3*2"}});
    const auto state = initial_state<double>(model);
    EXPECT_EQ(state.q[0], 3);
    EXPECT_EQ(*model.run.step, 0.03);
    EXPECT_NE(fault_of(pendulum_text, {{"gg", "1"}}).find("did you mean 'g'?"), std::string::npos);
    EXPECT_NE(fault_of(pendulum_text, {{"g", "x+1"}}).find("unknown name 'x'"), std::string::npos);
}

TEST(Model, names_of_rows_and_columns_are_those_of_the_user) {
    const auto model = Model::parse(pendulum_text, "pendulum.toml");
    EXPECT_EQ(model.constraint_name(0), "rod");
    EXPECT_EQ(model.multiplier_name(0), "lambda_rod");
    const auto triple = Model::load("triple-pendulum");
    EXPECT_EQ(triple.constraint_name(2), "g3");
    EXPECT_EQ(triple.multiplier_name(2), "lambda_3");
    const auto chain = Model::load("chain", {{"n", "4"}});
    EXPECT_EQ(chain.coordinate_name(5), "r[2].y");
    EXPECT_EQ(chain.constraint_name(3), "rod[3]");
    EXPECT_EQ(chain.multiplier_name(3), "lambda_rod[3]");
}

const std::string lattice = R"toml(
[parameters]
n = 4
weight = [1, 2, 3, 4]
stretch = "1 + i/10"
bonds = [[0, 1], [1, 3], [3, 2]]
[points]
r = { count = "n", dimension = 2, mass = "weight[i]*stretch[i]" }
[[energy]]
for = "i in 0..n-1"
term = "weight[i]*stretch[n-1-i]*r[i].y*i"
[[energy]]
for = "(i, j) in bonds"
term = "norm2(r[i] - r[j])/(1 + i + 2*j)"
[[energy]]
for = "i in 1..n-1, j in 0..i-1"
term = "dot(r[i], r[j])*(i % 2 + j // 2)"
[initial.r]
for = "i in 0..n-1"
q = ["sum(k in 0..i, weight[k]*(k+1))", "sum(k in i..n-1, k*i)"]
)toml";

// Values worked out by hand.
TEST(Model, ranges_tables_lists_and_sums_mean_what_they_say) {
    const auto model = Model::parse(lattice, "lattice.toml");
    TermSystem<double> system(model);
    const auto state = start_state<double>(model, system);
    const std::vector<double> expected{1, 0, 5, 6, 14, 10, 30, 9};
    EXPECT_EQ(state.q, expected);
    const std::vector<double> p{0, 0, 0, 0, 0, 0, 3, 0};
    const double mass_of_three = 4 * 1.3;
    double energy = 9.0 / (2 * mass_of_three);
    const double weight[]{1, 2, 3, 4};
    const auto x = [&](int i) { return expected[2 * static_cast<std::size_t>(i)]; };
    const auto y = [&](int i) { return expected[2 * static_cast<std::size_t>(i) + 1]; };
    for (int i = 0; i < 4; ++i) {
        energy += weight[i] * (1 + (3 - i) / 10.0) * y(i) * i;
    }
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 3}, std::pair{3, 2}}) {
        energy += ((x(i) - x(j)) * (x(i) - x(j)) + (y(i) - y(j)) * (y(i) - y(j))) / (1 + i + 2 * j);
    }
    for (int i = 1; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
            energy += (x(i) * x(j) + y(i) * y(j)) * (i % 2 + j / 2);
        }
    }
    EXPECT_NEAR(system.energy(0, state.q, p), energy, 1e-12 * std::abs(energy));
}

TEST(Model, indices_round_down_on_both_sides_of_zero) {
    const auto model = Model::parse(R"toml(
[points]
r = { count = 5, dimension = 1, mass = 1 }
[[energy]]
for = "i in 1..4"
term = "i*r[(-i) % 5] + 100*r[-((-i) // 2)]"
[initial.r]
for = "i in 0..4"
q = ["i"]
)toml",
                                    "modulo.toml");
    TermSystem<double> system(model);
    std::vector<double> gradient(5);
    system.force_gradient(0, std::vector<double>(5, 0.0), std::vector<double>(5, 0.0), gradient);
    // (-i) % 5 = 5 - i, -((-i) // 2) = ceil(i / 2).
    EXPECT_EQ(gradient, (std::vector<double>{0, 4 + 200, 3 + 200, 2, 1}));
}

TEST(Model, an_initial_momentum_is_given_once) {
    EXPECT_NE(fault_of(R"toml(
[points]
r = { count = 2, dimension = 1, mass = 1 }
[[initial.r]]
for = "i in 0..1"
q = [1]
v = [1]
[[initial.r]]
for = "i in 0..0"
p = [5]
)toml")
                  .find("of r[0].x is given 2 times"),
              std::string::npos);
}

TEST(Model, a_coordinate_met_twice_in_one_instance_is_one_entry) {
    const auto model = Model::parse(R"toml(
[points]
r = { count = 2, dimension = 2, mass = 1 }
[[constraint]]
for = "(i, j) in pairs"
equation = "dot(r[i], r[j]) - 1"
pairs = [[0, 0], [0, 1]]
[initial.r]
q = [[1, 0], [1, 5]]
)toml",
                                    "twice.toml");
    TermSystem<double> system(model);
    const auto state = start_state<double>(model, system);
    EXPECT_EQ(system.pattern().entries(), 6U);
    std::vector<double> G(6);
    system.jacobian(0, state.q, G);
    EXPECT_EQ(G[0], 2);  // d(x0^2)/dx0 through two slots
}

// Loading is linear in the number of points: sums over a common start are running sums.
TEST(Model, a_long_chain_loads_without_quadratic_work) {
    const auto model = Model::load("chain", {{"n", "20000"}});
    EXPECT_EQ(model.dimension, 40'000U);
    EXPECT_EQ(model.constraint_rows, 20'000U);
    const auto state = initial_state<double>(model);
    double x = 0;
    for (int k = 1; k <= 20'000; ++k) {
        x += std::sin(M_PI / 6 * (1 + k / 20000.0));
    }
    EXPECT_NEAR(state.q[2 * 19'999], x, 1e-9);
}

TEST(Model, every_builtin_problem_is_sound) {
    const std::map<std::string, std::size_t> redundant{{"bennett", 3}, {"door", 5}, {"spatial-four-bar", 3}};
    for (const auto& problem : embedded_problems()) {
        const std::string name(problem.name);
        const auto result = check(Model::load(name));
        EXPECT_TRUE(result.faults.empty()) << problem.name << ": " << (result.faults.empty() ? "" : result.faults[0]);
        const auto surplus = redundant.contains(name) ? redundant.at(name) : 0;
        EXPECT_EQ(result.rank + surplus, result.constraints) << problem.name;
        // Two exact derivatives of formulas without heavy cancellation agree to some hundred units of round-off.
        EXPECT_LT(result.derivative_error, 1e-13) << problem.name;
        EXPECT_FALSE(Model::load(std::string(problem.name)).source.empty()) << problem.name;
    }
    EXPECT_EQ(embedded_problems().size(), 51U);
}

TEST(Model, parameters_that_depend_on_each_other_in_a_circle_are_named) {
    EXPECT_NE(fault_of("[parameters]\na = \"b\"\nb = \"c+1\"\nc = \"a\"").find("a -> b -> c -> a"), std::string::npos);
}

}  // namespace
}  // namespace libration
