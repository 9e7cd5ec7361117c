// Runs of models whose mass matrix has no inverse.
#include "integrate/start.hpp"
#include <libration/analysis/check.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

std::string fault_of(const Model& model, const IntegrationOptions& options) {
    try {
        integrate(model, method("lobatto(3)"), options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

TEST(SingularMassRun, is_the_run_of_the_pendulum) {
    const auto redundant = Model::load("pendulum-redundant"), plain = Model::load("pendulum");
    for (const auto* spec : {"lobatto(4)", "spark(4)"}) {
        const auto a = integrate(redundant, method(spec), {.step = 0.01, .steps = 500});
        const auto b = integrate(plain, method(spec), {.step = 0.01, .steps = 500});
        ASSERT_EQ(a.status, RunStatus::completed) << spec;
        EXPECT_EQ(a.q.size(), 3U);
        EXPECT_EQ(a.p.size(), 3U);
        EXPECT_EQ(a.v.size(), 3U);
        EXPECT_EQ(a.lambda.size(), 2U);
        for (const std::size_t k : {0U, 1U}) {
            EXPECT_NEAR(a.q[k], b.q[k], 1e-11) << spec;
            EXPECT_NEAR(a.p[k], b.p[k], 1e-11) << spec;
            EXPECT_NEAR(a.v[k], b.v[k], 1e-11) << spec;
        }
        EXPECT_NEAR(std::hypot(a.lambda[0], a.lambda[1]), 2 * std::abs(b.lambda[0]), 1e-11) << spec;
        EXPECT_NEAR(a.q[0], std::sin(a.q[2]), 1e-15) << spec;
        EXPECT_NEAR(a.p[2], 0, 1e-14) << spec;
        EXPECT_LT(a.energy.max_error, 1e-12) << spec;
        EXPECT_LT(a.constraint.max, 1e-15) << spec;
        EXPECT_LT(a.constraint.hidden_max, 1e-14) << spec;
    }
}

TEST(SingularMassRun, goes_with_forces_also_with_such_that_contain_multipliers) {
    const auto with = [](const std::string& name, const std::string& tension) {
        return Model::parse(Model::load(name).text +
                                "\n[[forces]]\nname = \"damper\"\nclass = \"dissipative\"\non = { x = "
                                "\"-v_x*(0.1 + 0.05*" +
                                tension + ")\", y = \"-0.1*v_y\" }\n",
                            "test.toml");
    };
    const auto redundant = with("pendulum-redundant", "(lambda_across*x + lambda_down*y)");
    const auto plain = with("pendulum", "(2*lambda_rod)");
    const auto a = integrate(redundant, method("spark(4)"), {.step = 0.02, .steps = 100});
    const auto b = integrate(plain, method("spark(4)"), {.step = 0.02, .steps = 100});
    ASSERT_EQ(a.status, RunStatus::completed);
    for (const std::size_t k : {0U, 1U}) {
        EXPECT_NEAR(a.q[k], b.q[k], 1e-11);
        EXPECT_NEAR(a.p[k], b.p[k], 1e-11);
    }
    EXPECT_LT(b.energy.final, -0.01);  // the damper is there
}

// r = 0 and p_r = G v = 0 at every node, although no output shows them.
TEST(SingularMassRun, leaves_what_it_added_at_zero) {
    const auto model = Model::load("pendulum-redundant");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto stepper = make_stepper<double>(method("lobatto(3)"), *system);
    stepper->start(0.0, start.q, start.p, 0.05);
    double largest = 0;
    for (int n = 0; n < 400; ++n) {
        ASSERT_EQ(stepper->advance().converged, 1);
        stepper->accept();
        for (const std::size_t k : {3U, 4U}) {
            largest = std::max({largest, std::abs(stepper->node().q[k]), std::abs(stepper->node().p[k])});
        }
    }
    EXPECT_LT(largest, 1e-14);
}

TEST(SingularMassRun, checks_its_derivatives_and_its_rank) {
    const auto found = check(Model::load("pendulum-redundant"));
    EXPECT_TRUE(found.faults.empty());
    EXPECT_EQ(found.dimension, 3U);
    EXPECT_EQ(found.constraints, 2U);
    EXPECT_EQ(found.rank, 2U);
    EXPECT_LT(found.derivative_error, 1e-12);
}

std::string swinging(const std::string& initial) {
    return "coordinates.q = [\"x\", \"y\", \"theta\"]\n[dynamics]\nmass = [1, 1, 0]\npotential = \"y\"\n"
           "constraints = { across = \"x - sin(theta)\", down = \"y + cos(theta)\" }\n[initial]\n" +
           initial;
}

TEST(SingularMassRun, may_start_from_momenta) {
    const auto run = [](const std::string& initial) {
        return integrate(Model::parse(swinging(initial), "test.toml"), method("lobatto(3)"),
                         {.step = 0.05, .steps = 20});
    };
    const auto a = run("q = [0, -1, 0]\nv = [1, 0, 1]"), b = run("q = [0, -1, 0]\np = [1, 0, 0]");
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
}

TEST(SingularMassRun, refuses_inconsistent_values_and_names_the_models_own_rows) {
    const auto fault = [](const std::string& initial, bool project) {
        return fault_of(Model::parse(swinging(initial), "test.toml"), {.step = 0.05, .steps = 2, .project = project});
    };
    const auto off = fault("q = [0, -1, 0.5]", false);
    EXPECT_NE(off.find("(across)"), std::string::npos) << off;
    const auto velocity = fault("q = [0, -1, 0]\nv = [1, 1, 1]", false);
    EXPECT_NE(velocity.find("(down)"), std::string::npos) << velocity;
    // theta has no mass: a momentum of its own belongs to no motion.
    const auto momentum = fault("q = [0, -1, 0]\np = [1, 0, 1]", false);
    EXPECT_NE(momentum.find("not M v for any velocity"), std::string::npos) << momentum;
    EXPECT_NE(momentum.find("gradient of across"), std::string::npos) << momentum;
    EXPECT_EQ(fault("q = [0, -1, 0.1]", true), "no fault");
    EXPECT_EQ(fault("q = [0, -1, 0]\nv = [1, 0.1, 1]", true), "no fault");
    EXPECT_EQ(fault("q = [0, -1, 0]\np = [1, 0, 0.1]", true), "no fault");
}

// x = t, and max(1 - x, 0) s = 0 holds s, which has no mass, as far as x = 1.
TEST(SingularMassRun, ends_where_no_constraint_holds_what_has_no_mass) {
    const auto model =
        Model::parse("coordinates.q = [\"x\", \"s\"]\ninitial.q = [0, 0]\ninitial.v = [1, 0]\n[dynamics]\n"
                     "mass = [1, 0]\nconstraints = { hold = \"max(1 - x, 0)*s\" }",
                     "test.toml");
    for (const auto* spec : {"lobatto(3)", "spark(3)"}) {
        const auto run = integrate(model, method(spec), {.step = 0.15, .steps = 30});
        ASSERT_EQ(run.status, RunStatus::failed);
        EXPECT_EQ(run.failure->kind, "mass") << run.failure->message;
        EXPECT_NE(run.failure->message.find("no mass and no constraint acts on s"), std::string::npos)
            << run.failure->message;
        EXPECT_TRUE(std::isfinite(run.energy.final));
        EXPECT_TRUE(std::isfinite(run.lambda[0]));
    }
}

// T = (2 + x y) (x' + s')^2/2 has rank one; the same motion in one coordinate x alone, with y and s from the
// constraints.
TEST(SingularMassRun, takes_a_singular_mass_that_depends_on_q) {
    // y = x^2, s = 2 x: T = (2 + x^3)(3 x')^2/2, U = x^2 + y.
    const auto redundant = Model::parse("coordinates.q = [\"x\", \"y\", \"s\"]\ninitial.q = [1, 1, 2]\n[dynamics]\n"
                                        "kinetic = \"(2 + x*y)*(v_x + v_s)^2/2\"\npotential = \"x^2 + y\"\n"
                                        "constraints = [\"y - x^2\", \"s - 2*x\"]",
                                        "test.toml");
    const auto plain = Model::parse("coordinates.q = [\"x\"]\ninitial.q = [1]\n[dynamics]\n"
                                    "kinetic = \"9*(2 + x^3)*v_x^2/2\"\npotential = \"2*x^2\"",
                                    "test.toml");
    ASSERT_TRUE(redundant.singular_mass);
    for (const auto* spec : {"lobatto(4)", "spark(4)"}) {
        const auto a = integrate(redundant, method(spec), {.step = 0.02, .steps = 200});
        const auto b = integrate(plain, method(spec), {.step = 0.02, .steps = 200});
        ASSERT_EQ(a.status, RunStatus::completed) << spec;
        EXPECT_NEAR(a.q[0], b.q[0], 1e-11) << spec;
        EXPECT_NEAR(a.v[0], b.v[0], 1e-11) << spec;
        EXPECT_NEAR(a.energy.final, 2, 1e-11) << spec;
    }
}

}  // namespace
}  // namespace libration
