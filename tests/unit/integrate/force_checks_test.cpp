// Forces that cannot act, and forces that contradict their class.
#include "integrate/force_checks.hpp"
#include <libration/analysis/check.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

const std::string pendulum = R"(
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "y"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1, 0]
v = [0, 0.5]
[run]
step = 0.1
steps = 100
)";

std::string force(const std::string& kind, const std::string& on) {
    return "[[forces]]\nname = \"f\"\nclass = \"" + kind + "\"\non = " + on + "\n";
}

std::vector<std::string> warnings_of(const std::string& text) {
    const auto model = Model::parse(text, "test.toml");
    const auto system = make_system<double>(model);
    return force_warnings(model, *system, start_state<double>(model, *system), {0, 10});
}

void expect_quiet(const std::string& text) {
    const auto found = warnings_of(text);
    EXPECT_TRUE(found.empty()) << text << found.front();
}

void expect_warning(const std::string& text, const std::string& words) {
    const auto found = warnings_of(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].find("the force 'f' is declared "), 0U) << found[0];
    EXPECT_NE(found[0].find(words), std::string::npos) << found[0];
}

TEST(ForceWarnings, a_damper_with_the_wrong_sign_feeds_energy) {
    expect_quiet(pendulum + force("dissipative", "{ x = \"-v_x\", y = \"-v_y\" }"));
    expect_quiet(pendulum + force("dissipative", "{ x = \"-v_x^3\" }"));
    // v = (0, 1/2) at the start, where all the work is done along y: the power is +2 (1/2)^2.
    expect_warning(
        pendulum + force("dissipative", "{ y = \"2*v_y\" }"),
        "dissipative but adds energy: its power is +0.5 at t = 0, v_y = 0.5; did you mean class = \"driving\"");
    // Only after a while.
    expect_warning(pendulum + force("dissipative", "{ y = \"-v_y*(5 - t)\" }"), "adds energy");
}

TEST(ForceWarnings, a_drive_that_only_takes_is_a_damper) {
    expect_quiet(pendulum + force("driving", "{ y = \"cos(t)\" }"));
    expect_quiet(pendulum + force("driving", "{ x = \"-y\", y = \"x\" }"));
    expect_quiet(pendulum + force("driving", "{ x = \"v_x\", y = \"v_y\" }"));
    expect_warning(pendulum + force("driving", "{ x = \"-v_x\", y = \"-v_y\" }"),
                   "driving but removes energy at all sampled states");
}

TEST(ForceWarnings, a_conservative_force_has_a_potential_or_does_no_work) {
    expect_quiet(pendulum + force("conservative", "{ x = \"-x + y\", y = \"x - y^3\" }"));
    expect_quiet(pendulum + force("conservative", "{ x = \"y*v_y\", y = \"-y*v_x\" }"));
    expect_warning(pendulum + force("conservative", "{ x = \"-y\", y = \"x\" }"),
                   "has no potential: the derivative of its component on x with respect to y is -1, that of its "
                   "component on y with respect to x is 1");
    expect_warning(pendulum + force("conservative", "{ x = \"-y\" }"), "on y with respect to x is 0");
    expect_warning(pendulum + force("conservative", "{ x = \"-v_x\", y = \"-v_y\" }"), "depends on v_x");
    expect_warning(pendulum + force("conservative", "{ y = \"cos(t)\" }"), "depends on t");
    expect_warning(pendulum + force("conservative", "{ y = \"lambda_1/2\" }"), "depends on lambda_1");
}

TEST(ForceWarnings, say_nothing_of_stiff_forces_and_of_models_without_forces) {
    expect_quiet(pendulum + force("stiff", "{ x = \"v_x\", y = \"t*x\" }"));
    expect_quiet(pendulum);
}

// Of friction |lambda| v the sign of lambda decides if it is written without the bars: lambda = v^2 - y > 0 on the
// circle near the start, where v^2 is what keeps the point there.
TEST(ForceWarnings, know_the_multipliers) {
    expect_quiet(pendulum + force("dissipative", "{ x = \"-0.1*abs(lambda_1)*v_x\", y = \"-0.1*abs(lambda_1)*v_y\" }"));
    expect_warning(pendulum + force("dissipative", "{ x = \"0.1*lambda_1*v_x\", y = \"0.1*lambda_1*v_y\" }"),
                   "adds energy");
}

TEST(ForceWarnings, work_for_every_kind_of_energy) {
    const std::string plane = "coordinates.q = [\"r\", \"phi\"]\ninitial.q = [1, 2]\ninitial.v = [0, 1]\n[dynamics]\n";
    for (const auto* energy : {"mass = 2", "mass = [1, \"r^2\"]", "kinetic = \"v_r^2 + r^2*v_phi^2\"",
                               "hamiltonian = \"p_r^2 + p_phi^2/r^2\""}) {
        expect_quiet(plane + energy + "\n" + force("dissipative", "{ r = \"-v_r\" }"));
        expect_warning(plane + energy + "\n" + force("dissipative", "{ phi = \"v_phi\" }"), "adds energy");
    }
}

TEST(ForceFault, multipliers_that_are_not_determined_are_refused_with_the_name_of_the_force) {
    const auto fault = [](const std::string& text) {
        const auto result = check(Model::parse(text, "test.toml"));
        return result.faults.empty() ? std::string() : result.faults[0];
    };
    // f = G^T lambda takes the reaction away.
    EXPECT_NE(fault(pendulum + force("stiff", "{ x = \"x*lambda_1\", y = \"y*lambda_1\" }")).find("the force 'f'"),
              std::string::npos);
    EXPECT_NE(fault(pendulum + force("stiff", "{ x = \"x*lambda_1*(1 + 1e-14)\" }")).find("singular"),
              std::string::npos);
    EXPECT_EQ(fault(pendulum + force("stiff", "{ x = \"x*lambda_1/2\" }")), "");
    EXPECT_EQ(fault(pendulum + force("stiff", "{ x = \"y*lambda_1\" }")), "");
    const auto undefined = fault(pendulum + force("stiff", "{ x = \"log(y)\" }"));
    EXPECT_NE(undefined.find("the force 'f' on x is not a finite number"), std::string::npos) << undefined;
    EXPECT_NE(undefined.find("test.toml:"), std::string::npos) << undefined;
}

TEST(ForceFault, two_rows_that_a_force_couples_are_looked_at_together) {
    const auto singular = [](const std::string& on) {
        const auto model =
            Model::parse("coordinates.q = [\"x\", \"y\", \"z\"]\ninitial.q = [0, 0, 0]\ninitial.v = [0, 0, 1]\n"
                         "[dynamics]\nmass = 1\nconstraints = [\"x\", \"y\"]\n" +
                             force("stiff", on),
                         "test.toml");
        return !check(model).faults.empty();
    };
    // R = 1 - f_lambda of the first two coordinates
    EXPECT_TRUE(singular("{ x = \"lambda_2\", y = \"lambda_1\" }"));
    EXPECT_FALSE(singular("{ x = \"lambda_2\", y = \"-lambda_1\" }"));
    EXPECT_FALSE(singular("{ z = \"lambda_1 + lambda_2\" }"));
}

TEST(ForceWarnings, are_part_of_a_check) {
    const auto result = check(Model::parse(pendulum + force("dissipative", "{ y = \"2*v_y\" }"), "test.toml"));
    EXPECT_TRUE(result.faults.empty());
    ASSERT_EQ(result.warnings.size(), 1U);
}

// The pair IIIA-IIIB is unstable beyond h omega = 2 and more; only positions by C let the class stiff damp a spring.
TEST(StiffnessWarnings, a_stiff_spring_needs_positions_by_c) {
    const auto found = [](const std::string& text, double step) {
        const auto model = Model::parse(text, "test.toml");
        const auto system = make_system<double>(model);
        return stiffness_warnings(model, *system, start_state<double>(model, *system), step);
    };
    const auto spring = pendulum + force("stiff", "{ x = \"-1e4*(x - 1)\", y = \"-1e4*y\" }");
    const auto warnings = found(spring, -0.1);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("frequencies up to about 100, "), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("h omega = 10"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("position = { x = \"C\", y = \"C\" }"), std::string::npos) << warnings[0];
    EXPECT_TRUE(found(spring, 0.01).empty());
    EXPECT_TRUE(found(spring + "[spark]\nposition = \"C\"\n", 0.1).empty());
    // Dampers are damped by C in any case.
    EXPECT_TRUE(found(pendulum + force("stiff", "{ x = \"-1e4*v_x\" }"), 0.1).empty());
    EXPECT_TRUE(found(pendulum, 0.1).empty());
}

TEST(ForceFaults, a_force_that_ceases_to_be_a_number_is_named) {
    const auto model = Model::parse(pendulum + force("driving", "{ x = \"sqrt(x - 1/2)/100\" }"), "test.toml");
    const auto run = integrate(model, method("spark(2)"), {.step = 0.1, .steps = 100});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.failure->kind, "not-finite");
    EXPECT_EQ(run.failure->message.find("the force 'f' on x is no longer finite"), 0U) << run.failure->message;
}

// The motor stops early: few samples see it, and one of them runs backwards.
TEST(ForceWarnings, a_drive_that_brakes_at_a_state_or_two_is_none) {
    const auto model = Model::load("andrews-free", {{"ramp", "0.01"}});
    const auto system = make_system<double>(model);
    EXPECT_TRUE(force_warnings(model, *system, start_state<double>(model, *system), {0, 0.1}).empty());
}

// Masses that are not constant need a dense matrix of Newton's method, which is made for few unknowns.
TEST(ForceFaults, check_says_what_run_would_refuse) {
    const auto text = [](int count) {
        std::string names, kinetic = "0.5*(1 + x1^2)*v_x0^2", zeros;
        for (int k = 0; k < count; ++k) {
            names += fmt::format("{}\"x{}\"", k == 0 ? "" : ", ", k);
            zeros += k == 0 ? "0" : ", 0";
            kinetic += k == 0 ? "" : fmt::format(" + 0.5*v_x{}^2", k);
        }
        return fmt::format(R"toml(
[coordinates]
q = [{}]
[dynamics]
kinetic = "{}"
constraints = {{ rod = "x0 - x1" }}
[[forces]]
name = "friction"
class = "dissipative"
on = {{ x0 = "-lambda_rod^2*v_x0" }}
[initial]
q = [{}]
[run]
method = "spark(3)"
step = 0.01
steps = 1
)toml",
                           names, kinetic, zeros);
    };
    EXPECT_TRUE(check(Model::parse(text(10), "few")).faults.empty());
    const auto many = check(Model::parse(text(130), "many")).faults;
    ASSERT_EQ(many.size(), 1U);
    EXPECT_NE(many[0].find("unknowns per step"), std::string::npos) << many[0];
}

}  // namespace
}  // namespace libration
