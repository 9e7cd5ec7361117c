// Models as text: what is written from the data alone reads back as the same model.
#include "same_model.hpp"

#include "model/embedded.hpp"
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

Model again(const Model& model) {
    const auto text = text_from_data(model);
    try {
        return Model::parse(text, "again.toml");
    } catch (const InputError& error) {
        ADD_FAILURE() << error.what() << "\n" << text;
        throw;
    }
}

// The model of a text, as text, as model; both in a run.
void expect_round_trip(const std::string& text, const std::string& spec,
                       const std::vector<std::pair<std::string, std::string>>& overrides = {}) {
    const auto model = Model::parse(text, "model", overrides);
    const auto copy = again(model);
    expect_same_model(model, copy);
    expect_same_run(model, copy, spec, 0.01, 5);
    EXPECT_EQ(text_from_data(copy), text_from_data(model));
}

TEST(ToText, of_every_builtin_problem_reads_back_as_the_same_model_and_runs_to_the_same_bits) {
    for (const auto& problem : embedded_problems()) {
        SCOPED_TRACE(problem.name);
        const auto model = Model::load(std::string(problem.name));
        const auto copy = again(model);
        expect_same_model(model, copy);
        expect_same_run(model, copy, *model.run.method, *model.run.step, model.dimension > 1000 ? 2 : 20);
        EXPECT_EQ(text_from_data(copy), text_from_data(model));
    }
}

TEST(ToText, of_a_model_that_was_read_is_that_text_with_its_overrides) {
    const auto model = Model::load("pendulum");
    EXPECT_EQ(to_text(model), model.text);
    const auto changed = Model::load("pendulum", {{"g", "2"}, {"x", "0.6"}, {"y", "-0.8"}});
    const auto text = to_text(changed);
    EXPECT_TRUE(text.starts_with(model.text.substr(0, 100)));
    const auto copy = Model::parse(text, "pendulum");
    EXPECT_EQ(copy.overrides, changed.overrides);
    expect_same_model(changed, copy);
    EXPECT_EQ(to_text(copy), text);
}

const std::string chain_text = R"toml(
name = "chain"
description = "a \"chain\" \\ of \u00fc"
[parameters]
n = 4
mass_of = "1 + i/10"
stiff = ["n", 2.5, "1/3", 1e-5]
a = -0.25
[coordinates]
q = ["s"]
[points]
r = { count = "n", dimension = 2, mass = "mass_of[i] + sum(j in 0..i, stiff[j])" }
w = { count = 2, dimension = 1 }
[definitions]
stretch = "s^2 + a"
away = "r[1] - r[0]"
start = "n - 1"
[dynamics]
mass = 2
potential = "stretch*stretch + dot(away, away)"
constraints = { fixed = "s - w[0].x - 0.5" }
[[energy]]
for = "i in 0..n-1, j in 0..i-1"
term = "stiff[i]*(r[i].x - r[j].x)^2 + stretch"
[[energy]]
for = "(i, j) in pairs"
term = "cos(r[i].y - r[j].y)*sum(k in i..j, stiff[k])"
pairs = [[0, 1], [1, 3]]
[[constraint]]
name = "bond"
for = "i in 1..n-1"
equation = "(r[i].x - r[i-1].x)^2 + (r[i].y - r[i-1].y)^2 - 1"
[observables]
high = "r[n-1].y + sum(k in 0..n-1, stiff[k]*r[k].x) + stretch"
twice = "2*stretch"
invariants = ["twice"]
[[events]]
name = "down"
when = "r[3].y + 1 + lambda_bond[2]"
direction = "falling"
[initial]
q = [0.5]
[[initial.r]]
for = "i in 0..1"
q = ["i", 0]
[[initial.r]]
for = "i in 2..n-1"
q = ["i", 0]
v = [0, "0*i"]
[initial.w]
q = [[0], ["a"]]
[run]
method = "rattle"
step = "1/n/25"
steps = 3
time_limit = "2h"
)toml";

TEST(ToText, keeps_families_lists_sums_and_definitions) {
    expect_round_trip(chain_text, "rattle");
    const auto written = text_from_data(Model::parse(chain_text, "chain.toml"));
    EXPECT_NE(written.find("\"i in 1..n - 1\""), std::string::npos) << written;
    EXPECT_NE(written.find("count = \"n\""), std::string::npos) << written;
    EXPECT_NE(written.find("twice = \"2 * stretch\""), std::string::npos) << written;
    // Numbers of points and terms that depend on parameters still do.
    const std::string beads =
        "[parameters]\nn = 3\n[points]\nr = { count = \"n\", dimension = 1, mass = 1 }\n[[energy]]\n"
        "for = \"i in 1..n-1\"\nterm = \"(r[i] - r[i-1])^2\"\n[initial.r]\nfor = \"i in 0..n-1\"\nq = [\"i\"]";
    const auto more = Model::parse(text_from_data(Model::parse(beads, "beads")), "beads", {{"n", "7"}});
    EXPECT_EQ(more.dimension, 7U);
    expect_same_model(more, Model::parse(beads, "beads", {{"n", "7"}}));
}

TEST(ToText, keeps_values_that_were_replaced) {
    expect_round_trip(chain_text, "rattle", {{"a", "1/7"}, {"v_r[1].y", "0"}, {"r[3].y", "0"}, {"w[1].x", "2"}});
    expect_round_trip(chain_text, "rattle", {{"v_s", "0"}});
    const auto top = std::string(std::ranges::find(embedded_problems(), "heavy-top", &EmbeddedProblem::name)->text);
    expect_round_trip(top, "rattle", {{"v_top.Q[1,1]", "0"}});
}

std::string small(const std::string& dynamics, const std::string& more = {}) {
    return "[parameters]\nk = 3\n[coordinates]\nq = [\"x\", \"y\"]\n" + dynamics + "\n[initial]\nq = [1, 0]\n" + more +
           "\n";
}

TEST(ToText, keeps_every_kind_of_dynamics) {
    expect_round_trip(
        small("[dynamics]\nmass = [1, \"k\"]\npotential = \"x*y + t\"\nconstraints = [\"x^2 + y^2 - 1\"]"), "rattle");
    expect_round_trip(small("[dynamics]\nmass = [[2, \"1/k\"], [\"1/k\", 1]]\npotential = \"x^2\"", "p = [\"k\", 1]"),
                      "verlet");
    expect_round_trip(small("[dynamics]\nmass = \"2 + sin(x) + t/8\"\npotential = \"x^2\"", "v = [\"k\", 1]"),
                      "gauss(2)");
    expect_round_trip(small("[dynamics]\nkinetic = \"(v_x^2 + v_y^2)*(2 + x)/2\"\npotential = \"y\""), "gauss(2)");
    expect_round_trip(small("[dynamics]\nhamiltonian = \"p_x^2*(1 + x^2) + p_y^2 + cos(y)\""), "gauss(2)");
    expect_round_trip(small("[field.q]\nx = \"y\"\ny = \"-k*x\"\n[field]\nblocks = [[\"y\"], [\"x\"]]"), "gauss(2)");
    expect_round_trip(small("[field.q]\nx = \"v_y\"\ny = \"-v_x\"\n[field.v]\nx = \"-x\"\ny = \"v_x - y\""),
                      "gauss(2)");
    expect_round_trip(small("[dynamics]\nmass = 1\n[dynamics.potential]\nslow = \"x\"\nstiff = \"k*x^2\"\n[[energy]]\n"
                            "term = \"y^2\"\npart = \"fast\"\n[[energy]]\nterm = \"3\""),
                      "verlet");
    expect_round_trip(
        small("[dynamics]\nmass = 1\nnonholonomic = { blade = \"v_x*sin(y) - v_y\" }\n[[forces]]\n"
              "name = \"damper\"\nclass = \"dissipative\"\non = { y = \"-v_y*lambda_blade\", x = \"t\" }\n"
              "[spark]\nposition = { x = \"A\" }\nforce.reaction = \"B\"\n"
              "force.damper = { B = \"1/k\", C = \"1 - 1/k\" }\nnewton = \"full\""),
        "spark(2)");
    expect_round_trip(small("[dynamics]\nmass = 1\nnonholonomic = [\"v_x*sin(y) - v_y\"]"), "spark(2)");
}

TEST(ToText, keeps_variable_masses_beside_points_and_bodies) {
    expect_round_trip("[coordinates]\nq = [\"x\"]\n[points]\nr = { count = 2, dimension = 1 }\n"
                      "s = { count = 1, dimension = 1, mass = 5 }\n[dynamics]\nmass = \"2 + cos(x)\"\n"
                      "potential = \"x^2 + r[0].x^2\"\n[initial]\nq = [1]\nr = { q = [[1], [2]], v = [[0], [1]] }\n"
                      "s = { q = [[0]] }",
                      "gauss(2)");
    expect_round_trip(
        "[coordinates]\nq = [\"x\"]\n[[body]]\nname = \"top\"\ninertia = [2, 1.7, 1]\nmass = 3\n[dynamics]\n"
        "mass = \"2 + cos(x)\"\npotential = \"x^2 + top.r.z\"\n[initial]\nq = [1]\n"
        "[initial.top]\nQ = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]\nr = [1, 2, 3]\nomega = [0.1, 1, 0]\nv = [0, 0, 1]",
        "lobatto(2)");
}

TEST(ToText, of_long_shared_formulas_is_as_long_as_their_graph) {
    ModelBuilder builder("squares");
    auto x = builder.coordinates({"x"})[0];
    for (int k = 0; k < 40; ++k) {
        x = x * x + x;
    }
    builder.mass(1).potential(x).event({.name = "s1", .value = x - 1}).initial_position({0.001});
    const auto model = builder.build();
    EXPECT_LT(to_text(model).size(), 10'000U);
    expect_same_model(model, again(model));
}

TEST(ToText, of_a_built_model_keeps_rows_in_their_order_and_with_their_names) {
    ModelBuilder builder("mixed");
    const auto g = builder.parameter("g", -1.5);
    const auto q = builder.coordinates({"A", "B", "z"});
    const auto r = builder.points({.name = "r", .count = 2, .dimension = 1, .mass = g * g});
    const auto i = symbol("i");
    builder.mass({1, 2, 3}).potential(g * q[2]).potential(q[0] * q[0]).potential(2 * q[1]);
    builder.constraint(q[0] - 1).constraint("flat", q[1]).constraint("line", r[i][0] - i, over(i, 0, 1));
    builder.constraint(q[2]);
    builder.spark("reaction", Lobatto::c).spark("reaction", {0, 0.5, 0.25, 0.25, 0}, q[1]);
    builder.spark("potential", {0, 0.5, 0.5, 0, 0});
    builder.observable("pull", builder.multipliers().back() - builder.multipliers().front());
    builder.initial_position({1, 0, 0, 0, 1});
    const auto model = builder.build();
    EXPECT_EQ(model.multiplier_name(4), "lambda_5");
    const auto copy = again(model);
    expect_same_model(model, copy);
    expect_same_run(model, copy, "spark(2)", 0.01, 3);
}

TEST(ToText, of_a_body_without_a_start_of_its_own_lists_all_coordinates) {
    ModelBuilder builder("spun");
    const auto x = builder.coordinates({"x"});
    const auto top = builder.body({.name = "top", .inertia = {2, 1.75, 1}, .fixed = true});
    builder.mass(1).potential(x[0] * x[0] + top.Q[8]);
    builder.initial_position({1, 1, 0, 0, 0, 1, 0, 0, 0, 1}).initial_velocity({0, 0, -1, 0, 1, 0, 0, 0, 0, 0});
    const auto model = builder.build();
    const auto copy = again(model);
    expect_same_model(model, copy);
    expect_same_run(model, copy, "rattle", 0.01, 10);
}

TEST(ToText, is_empty_where_functions_cannot_be_traced) {
    ModelBuilder builder("outside");
    builder.coordinates({"x"});
    ExternalFunctions functions;
    functions.potential = {.value = [](auto q) { return q[0]; }, .gradient = [](auto, auto out) { out[0] = 1; }};
    const auto model = builder.mass(1).external(functions).initial_position({1}).build();
    EXPECT_EQ(to_text(model), "");
    EXPECT_EQ(model.saved_text(), "");
}

}  // namespace
}  // namespace libration
