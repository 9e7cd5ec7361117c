// Constraints on velocities: what is read, how their multipliers are called, and what is refused.
#include "faults.hpp"

#include <libration/expression/parse.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

std::string skate(const std::string& dynamics, const std::string& more = {}) {
    return "[parameters]\nR = 2\n[coordinates]\nq = [\"x\", \"y\", \"phi\"]\n[initial]\nq = [1, 0, "
           "0]\n[dynamics]\nmass "
           "= 1\n" +
           dynamics + "\n" + more;
}

const std::string blade = "v_y*cos(phi) - v_x*sin(phi)";

void expect_rolling_fault(const std::string& text, const std::string& words,
                          const std::string& place = "test.toml:9:") {
    expect_fault(text, words, place);
}

TEST(Nonholonomic, a_list_goes_on_counting_the_multipliers) {
    const auto model = Model::parse(
        skate("constraints = [\"x^2 + y^2 - 1\"]\nnonholonomic = [\"" + blade + "\", \"v_phi - R*t*v_x\"]"), "t");
    ASSERT_EQ(model.nonholonomic.size(), 2U);
    EXPECT_EQ(model.constraint_rows, 1U);
    EXPECT_EQ(model.multipliers(), 3U);
    EXPECT_EQ(model.nonholonomic[1].equation.value, parse("v_phi - R*t*v_x"));
    EXPECT_EQ(model.constraint_name(0), "g1");
    EXPECT_EQ(model.constraint_name(2), "k2");
    EXPECT_EQ(model.multiplier_name(1), "lambda_2");
    EXPECT_EQ(model.multiplier_symbols(), (std::vector{symbol("lambda_1"), symbol("lambda_2"), symbol("lambda_3")}));
}

TEST(Nonholonomic, a_table_names_them_and_other_formulas_know_the_multipliers) {
    const auto model = Model::parse(skate("nonholonomic = { blade = \"" + blade + "\" }",
                                          "[observables]\npush = \"lambda_blade^2\"\n[[forces]]\nname = \"friction\"\n"
                                          "class = \"dissipative\"\non = { x = \"-lambda_blade^2*v_x\" }\n"
                                          "[spark]\nforce.reaction = \"C\"\n"),
                                    "t");
    EXPECT_EQ(model.multiplier_name(0), "lambda_blade");
    EXPECT_EQ(model.constraint_name(0), "blade");
    EXPECT_EQ(model.multiplier_symbols(), (std::vector{symbol("lambda_blade")}));
}

TEST(Nonholonomic, a_builder_makes_the_same) {
    ModelBuilder builder("skate");
    const auto q = builder.coordinates({"x", "y", "phi"});
    const auto v = builder.velocities();
    builder.mass(1).nonholonomic(v[1] * cos(q[2]) - v[0] * sin(q[2])).nonholonomic("turn", v[2] - q[0]);
    EXPECT_EQ(builder.multipliers(), (std::vector{symbol("lambda_1"), symbol("lambda_turn")}));
    const auto model = builder.initial_position({1, 0, 0}).build();
    EXPECT_EQ(model.nonholonomic[0].equation.value, parse(blade));
    EXPECT_EQ(model.constraint_name(1), "turn");
}

TEST(Nonholonomic, what_cannot_be_meant_is_refused_at_its_place) {
    expect_rolling_fault(skate("nonholonomic = [\"x - y\"]"), "write it under constraints");
    expect_rolling_fault(skate("nonholonomic = [\"v_x - p_y\"]"), "'p_y' cannot be used here");
    expect_rolling_fault(skate("nonholonomic = [\"v_x - speed\"]"), "speed");
    expect_rolling_fault(skate("nonholonomic = [\"v_x - lambda_1\"]"), "lambda_1");
    expect_rolling_fault(skate("nonholonomic = \"v_x\""), "are a list");
    expect_rolling_fault(skate("nonholonomic = { \"a b\" = \"v_x\" }"), "cannot be used");
    expect_rolling_fault(skate("constraints = { a = \"x - y\" }\nnonholonomic = { a = \"v_x\" }"), "lambda_a",
                         "test.toml:10:");
    expect_rolling_fault(
        "[coordinates]\nq = [\"x\"]\n[initial]\nq = [1]\n[field]\nq = { x = \"1\" }\n[dynamics]\nnonholonomic = "
        "[\"v_x\"]",
        "a [field] cannot have", "test.toml:8:");
    ModelBuilder builder("wrong");
    builder.coordinates({"x"});
    builder.mass(1).initial_position({1}).nonholonomic(symbol("v_x") - symbol("p_x"));
    EXPECT_THROW(builder.build(), InputError);
}

}  // namespace
}  // namespace libration
