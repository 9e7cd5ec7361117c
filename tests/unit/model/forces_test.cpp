// Forces beside the energy and the choices of [spark]: what is kept, and what is refused.
#include "faults.hpp"

#include "model/model_values.hpp"
#include <libration/expression/parse.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace libration {
namespace {

const std::string pendulum = R"(
[parameters]
gamma = 0.5
w = 0.25
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
)";
const std::string damper =
    "[[forces]]\nname = \"damper\"\nclass = \"dissipative\"\non = { x = \"-gamma*v_x\", y = \"-gamma*v_y\" }\n";
const std::string friction =
    "[[forces]]\nname = \"friction\"\nclass = \"dissipative\"\non = { x = \"-lambda_1^2*v_x\", y = \"-v_y\" }\n";

void expect_placed_fault(const std::string& text, const std::string& words) { expect_fault(text, words, "test.toml:"); }

std::string force(const std::string& name, const std::string& kind, const std::string& on) {
    return "[[forces]]\nname = \"" + name + "\"\nclass = \"" + kind + "\"\non = " + on + "\n";
}

std::string spark(const std::string& lines) { return pendulum + damper + friction + "[spark]\n" + lines + "\n"; }

LobattoWeights mix(const Expression& b, const Expression& c) { return {0, b, c, 0, 0}; }

TEST(Forces, are_read_with_velocities_multipliers_and_time) {
    const auto model =
        Model::parse(pendulum + damper + force("push", "driving", "{ y = \"cos(t)*lambda_1 + x*w\" }"), "t");
    ASSERT_EQ(model.forces.size(), 2U);
    EXPECT_EQ(model.forces[0].name, "damper");
    EXPECT_EQ(model.forces[0].kind, ForceClass::dissipative);
    ASSERT_EQ(model.forces[0].on.size(), 2U);
    EXPECT_EQ(model.forces[0].on[1].coordinate, 1U);
    EXPECT_EQ(model.forces[0].on[1].value.value, -symbol("gamma") * symbol("v_y"));
    EXPECT_EQ(model.forces[1].kind, ForceClass::driving);
    EXPECT_EQ(model.forces[1].on[0].value.value, parse("cos(t)*lambda_1 + x*w"));
    EXPECT_EQ(model.forces[1].place.line, 18U);
    EXPECT_EQ(model.multiplier_symbols(), (std::vector{symbol("lambda_1")}));
}

TEST(Forces, of_every_class_go_with_every_kind_of_energy) {
    const std::string start = "coordinates.q = [\"x\"]\ninitial.q = [1]\n[dynamics]\n";
    for (const auto* energy :
         {"mass = 2", "mass = [[2]]", "mass = \"1 + x^2\"", "kinetic = \"v_x^2\"", "hamiltonian = \"p_x^2\""}) {
        for (const auto* kind : {"conservative", "dissipative", "driving", "stiff"}) {
            const auto text = start + energy + "\n" + force("f", kind, "{ x = \"-v_x\" }");
            EXPECT_EQ(Model::parse(text, "t").forces.size(), 1U) << text;
        }
    }
}

TEST(Forces, act_on_points_and_bodies_by_the_names_of_their_coordinates) {
    const auto points = Model::parse(R"toml(
[points]
r = { count = 4, dimension = 2, mass = 1 }
[[constraint]]
name = "rod"
for = "i in 1..3"
equation = "norm2(r[i] - r[i-1]) - 1"
[[forces]]
name = "drag"
class = "dissipative"
on = { "r[3].x" = "-v_r[3].x", "r[0].y" = "dot(r[1], v_r[0])*lambda_rod[2]" }
[initial.r]
for = "i in 0..3"
q = ["i", 0]
)toml",
                                     "t");
    EXPECT_EQ(points.forces[0].on[0].coordinate, 6U);
    EXPECT_EQ(points.forces[0].on[1].coordinate, 1U);
    EXPECT_TRUE(depends_on(points.forces[0].on[1].value.value, std::array{points.multiplier_symbols()[1]}));
    const auto body = Model::parse(R"toml(
[[body]]
name = "top"
inertia = [2, 1.5, 1]
fixed = true
[[forces]]
name = "air"
class = "dissipative"
on = { "top.Q[1,2]" = "-v_top.Q[1,2]*lambda_top.rigid[1,2]" }
[initial.top]
quaternion = [1, 0, 0, 0]
)toml",
                                   "t");
    EXPECT_EQ(body.forces[0].on[0].coordinate, 1U);
    EXPECT_TRUE(depends_on(body.forces[0].on[0].value.value, body.multiplier_symbols()));
    EXPECT_EQ(body.multiplier_symbols().size(), 6U);
}

TEST(Forces, that_mean_nothing_are_refused_at_their_place) {
    expect_placed_fault(pendulum + force("damper", "disipative", "{ x = \"-v_x\" }"), "did you mean 'dissipative'?");
    expect_placed_fault(pendulum + force("damper", "stiff", "{ z = \"-v_x\" }"), "'z' is not a coordinate");
    expect_placed_fault(pendulum + force("damper", "stiff", "{}"), "acts on nothing");
    expect_placed_fault(pendulum + force("damper", "stiff", "{ x = \"-p_x\" }"), "velocities are named v_x");
    expect_placed_fault(pendulum + force("damper", "stiff", "{ x = \"-lambda_2\" }"), "lambda_2");
    expect_placed_fault(pendulum + force("damper", "stiff", "{ x = \"-v_u\" }"), "did you mean 'v_x'?");
    expect_placed_fault(pendulum + force("a b", "stiff", "{ x = 1 }"), "letters, digits");
    expect_placed_fault(pendulum + force("reaction", "stiff", "{ x = 1 }"), "[spark] has a term of that name");
    expect_placed_fault(pendulum + force("stiff", "stiff", "{ x = 1 }"), "[spark] has a term of that name");
    expect_placed_fault(pendulum + damper + damper, "two forces 'damper'");
    expect_placed_fault(pendulum + damper + "at = 3\n", "unknown key 'at'");
    expect_placed_fault(pendulum + "[[forces]]\nname = \"f\"\nclass = \"stiff\"\n", "needs the key 'on'");
    expect_placed_fault(pendulum + "[forces]\nname = \"f\"\n", "[[forces]]");
    expect_placed_fault("coordinates.q = [\"x\"]\ninitial.q = [1]\n[field]\nq = { x = \"x\" }\n" +
                            force("f", "stiff", "{ x = \"-x\" }"),
                        "a [field] gives the whole motion");
    const std::string points =
        "[points]\nr = { count = 2, dimension = 2, mass = 1 }\n[initial.r]\nq = [[0, 0], [1, 0]]\n";
    expect_placed_fault(points + force("f", "stiff", "{ \"r[1].x\" = \"-p_r[1].x\" }"), "velocities are named v_r");
    expect_placed_fault(points + force("f", "stiff", "{ \"r[2].x\" = 1 }"),
                        "r[2] does not exist; the points are numbered 0 to 1");
    expect_placed_fault(points + force("f", "stiff", "{ \"r[1x].x\" = 1 }"),
                        "expected ']' to close the index, found 'x'");
}

TEST(Spark, choices_for_whole_terms_come_before_those_for_components) {
    const auto model =
        Model::parse(spark("force.damper = { y = { B = 0.9, C = \"1 - 0.9\" } }\nforce.reaction = \"D\"\n"
                           "position = { x = \"C*\" }\nforce.potential = { B = \"w\", C = \"1 - w\" }\n"
                           "newton = \"full\""),
                     "t");
    const auto& choices = model.treatment.choices;
    ASSERT_EQ(choices.size(), 4U);
    EXPECT_TRUE(model.treatment.full_newton);
    EXPECT_EQ(choices[0].term, "reaction");
    EXPECT_FALSE(choices[0].coordinate);
    EXPECT_EQ(choices[0].weights, weights_of(Lobatto::d));
    EXPECT_EQ(choices[1].term, "potential");
    EXPECT_EQ(choices[1].weights, mix(symbol("w"), 1 - symbol("w")));
    EXPECT_EQ(choices[2].term, "position");
    EXPECT_EQ(choices[2].coordinate, 0U);
    EXPECT_EQ(choices[2].weights, weights_of(Lobatto::cstar));
    EXPECT_EQ(choices[3].term, "damper");
    EXPECT_EQ(choices[3].coordinate, 1U);
    EXPECT_EQ(choices[3].weights, mix(0.9, Expression(1) - 0.9));
    EXPECT_FALSE(Model::parse(spark("newton = \"simplified\""), "t").treatment.full_newton);
    EXPECT_TRUE(Model::parse(spark("position = { \"C*\" = 1 }"), "t").treatment.choices[0].weights ==
                weights_of(Lobatto::cstar));
}

TEST(Spark, that_means_nothing_is_refused_at_its_place) {
    expect_placed_fault(spark("force.damper = \"Z\""), "choose A, B, C, C* or D");
    expect_placed_fault(spark("force.damper = { B = 0.5, Z = 0.5 }"), "choose A, B, C, C* or D");
    expect_placed_fault(spark("force.damper = { B = 0.9, C = 0.2 }"), "sum to 1.1; they must sum to 1");
    expect_placed_fault(spark("force.damper = { B = 1.5, C = -0.5 }"),
                        "the weight of C for 'damper' in [spark] is -0.5");
    expect_placed_fault(spark("force.damper = { B = \"x\", C = 0.2 }"), "'x' varies along the trajectory");
    expect_placed_fault(spark("force.damper = { z = \"B\" }"), "'z' is not a coordinate");
    expect_placed_fault(spark("force.damper = {}"), "must be one of the coefficients");
    expect_placed_fault(spark("force.damper = 3"), "must be one of the coefficients");
    expect_placed_fault(spark("force.dampr = \"B\""), "did you mean 'damper'?");
    expect_placed_fault(spark("force.inertia = \"B\""), "which the model does not have");
    expect_placed_fault(spark("force.fast = \"B\""), "which the model does not have");
    expect_placed_fault(spark("force.position = \"B\""), "position = ...");
    expect_placed_fault(spark("damper = \"B\""), "write force.damper");
    expect_placed_fault(spark("positon = \"B\""), "did you mean 'position'?");
    expect_placed_fault(spark("newton = \"exact\""), "\"simplified\"");
    expect_placed_fault(spark("force = \"B\""), "force.NAME");
    expect_placed_fault(
        "coordinates.q = [\"x\"]\ninitial.q = [1]\nspark.position = \"A\"\n[field]\nq = { x = \"x\" }\n",
        "remove [spark]");
}

TEST(Spark, treats_nothing_that_depends_on_multipliers_with_a) {
    expect_placed_fault(spark("force.reaction = \"A\""), "cannot be treated with A");
    expect_placed_fault(spark("force.reaction = { y = { A = 0.1, B = 0.9 } }"), "cannot be treated with A");
    expect_placed_fault(spark("force.friction = \"A\""), "'friction' on x contains multipliers");
    expect_placed_fault(spark("force.friction = { x = \"A\" }"), "'friction' on x contains multipliers");
    for (const auto* fine : {"force.friction = { y = \"A\" }", "force.friction = \"D\"", "force.damper = \"A\"",
                             "force.reaction = { A = 0, C = 1 }"}) {
        EXPECT_EQ(Model::parse(spark(fine), "t").treatment.choices.size(), 1U) << fine;
    }
}

TEST(Spark, knows_the_terms_of_the_energy_that_is_given) {
    const std::string start = "coordinates.q = [\"x\"]\ninitial.q = [1]\n";
    const auto accepts = [&](const std::string& dynamics, const std::string& term) {
        const auto text = start + dynamics + "\n[spark]\nforce." + term + " = \"C\"\n";
        try {
            return Model::parse(text, "t").treatment.choices.size() == 1;
        } catch (const InputError&) {
            return false;
        }
    };
    const std::string plain = "[dynamics]\nmass = 1\npotential = \"x\"";
    const std::string split = "[dynamics]\nmass = 1\n[dynamics.potential]\nslow = \"x\"\nstiff = \"x^2\"";
    const std::string varying = "[dynamics]\nmass = \"1 + x^2\"";
    const std::string whole = "[dynamics]\nhamiltonian = \"p_x^2\"";
    for (const auto& [dynamics, terms] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {plain, {"potential"}}, {split, {"slow", "stiff"}}, {varying, {"inertia"}}, {whole, {"hamiltonian"}}}) {
        for (const std::string term :
             {"potential", "slow", "fast", "stiff", "inertia", "hamiltonian", "reaction", "other"}) {
            EXPECT_EQ(accepts(dynamics, term), std::ranges::find(terms, term) != terms.end()) << dynamics << term;
        }
    }
}

TEST(Spark, asks_what_is_meant_where_coordinates_are_called_like_coefficients) {
    const std::string letters =
        "coordinates.q = [\"B\", \"C\"]\ninitial.q = [1, 2]\n[dynamics]\nmass = 1\npotential = \"B\"\n"
        "[spark]\nforce.potential = ";
    expect_placed_fault(letters + "{ B = 0.9, C = 0.1 }", "the coordinate or the coefficients");
    expect_placed_fault(letters + "{ C = 1 }", "the coordinate or the coefficients");
    const auto each = Model::parse(letters + "{ B = \"A\", C = { B = 0.9, C = 0.1 } }", "t").treatment.choices;
    ASSERT_EQ(each.size(), 2U);
    EXPECT_EQ(each[0].coordinate, 0U);
    EXPECT_EQ(each[0].weights, weights_of(Lobatto::a));
    EXPECT_EQ(each[1].weights, mix(0.9, 0.1));
    EXPECT_FALSE(Model::parse(letters + "{ A = 1 }", "t").treatment.choices[0].coordinate);
}

TEST(Forces, of_the_builder_are_those_of_the_text) {
    ModelBuilder builder("m");
    const auto gamma = builder.parameter("gamma", 0.5);
    const auto q = builder.coordinates({"x", "y"});
    const auto v = builder.velocities();
    builder.mass(1).potential(q[1]).constraint(q[0] * q[0] + q[1] * q[1] - 1).initial_position({1, 0});
    const auto lambda = builder.multipliers();
    builder.force({.name = "damper", .kind = ForceClass::dissipative, .on = {{q[0], -gamma * v[0]}, {"y", -v[1]}}})
        .force({.name = "push", .kind = ForceClass::driving, .on = {{"x", lambda[0]}}})
        .spark("damper", mix(0.9, 0.1), q[1])
        .spark("damper", Lobatto::b)
        .full_newton();
    const auto built = builder.build();
    const auto read = Model::parse(pendulum + force("damper", "dissipative", "{ x = \"-gamma*v_x\", y = \"-v_y\" }") +
                                       force("push", "driving", "{ x = \"lambda_1\" }") +
                                       "[spark]\nforce.damper = \"B\"\nnewton = \"full\"",
                                   "t");
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(built.forces[k].kind, read.forces[k].kind);
        ASSERT_EQ(built.forces[k].on.size(), read.forces[k].on.size());
        for (std::size_t j = 0; j < built.forces[k].on.size(); ++j) {
            EXPECT_EQ(built.forces[k].on[j].coordinate, read.forces[k].on[j].coordinate);
            EXPECT_EQ(built.forces[k].on[j].value.value, read.forces[k].on[j].value.value);
        }
    }
    EXPECT_TRUE(built.treatment.full_newton);
    EXPECT_FALSE(built.treatment.choices[0].coordinate);
    EXPECT_EQ(built.treatment.choices[1].weights, mix(0.9, 0.1));
}

TEST(Forces, of_the_builder_pass_the_same_checks) {
    const auto fault = [](const ForceProperties& given) -> std::string {
        ModelBuilder builder("m");
        const auto q = builder.coordinates({"x", "y"});
        try {
            builder.mass(1).initial_position({1, 0}).force(given).build();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(fault({.name = "f", .on = {{"x", symbol("v_y")}}}), "");
    EXPECT_NE(fault({.name = "f", .on = {{"x", symbol("p_y")}}}).find("use v_y"), std::string::npos);
    EXPECT_NE(fault({.name = "f", .on = {{"x", symbol("u")}}}).find("uses 'u'"), std::string::npos);
    EXPECT_NE(fault({.name = "f", .on = {{"x", 1}, {"x", 2}}}).find("twice on x"), std::string::npos);
    EXPECT_NE(fault({.name = "f", .on = {{symbol("z"), 1}}}).find("'z' is not a coordinate"), std::string::npos);
    EXPECT_NE(fault({.name = "f", .on = {}}).find("acts on nothing"), std::string::npos);
    ModelBuilder builder("m");
    const auto q = builder.coordinates({"x"});
    builder.mass(1).potential(q[0]).initial_position({1}).spark("potential", mix(q[0], 1 - q[0]));
    try {
        builder.build();
        ADD_FAILURE() << "a weight that moves is accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("weights are constants"), std::string::npos) << error.what();
    }
}

TEST(Forces, see_parameters_that_are_set_from_outside) {
    const auto text = spark("force.damper = { B = \"w\", C = \"1 - w\" }");
    EXPECT_EQ(parameter_values<double>(Model::parse(text, "t", {{"gamma", "2"}})).values[0], 2);
    EXPECT_NO_THROW(Model::parse(text, "t", {{"w", "1"}}));
    EXPECT_THROW(Model::parse(text, "t", {{"w", "1.5"}}), InputError);
}

}  // namespace
}  // namespace libration
