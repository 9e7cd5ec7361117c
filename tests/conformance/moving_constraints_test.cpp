// Potentials and constraints that contain the time: against closed forms, and what happens where the constraints fail.
#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

struct DrivenErrors {
    double q = 0, p = 0, lambda = 0, g = 0, hidden = 0;
};

// Of driven-pendulum at t = 4; m = 1.
DrivenErrors errors_of(const std::string& spec, double h) {
    const auto run = integrate(Model::load("driven-pendulum"), method(spec), {.step = h, .steps = std::lround(4 / h)});
    EXPECT_EQ(run.status, RunStatus::completed) << spec;
    const double t = run.t, w = 1.5, phi = 0.8 * std::cos(w * t) + 0.5 * t, rate = 0.5 - 0.8 * w * std::sin(w * t);
    const double x = 0.3 * std::sin(w * t) + std::sin(phi), y = 0.2 * (1 - std::cos(w * t)) - std::cos(phi);
    const double v_x = 0.3 * w * std::cos(w * t) + rate * std::cos(phi),
                 v_y = 0.2 * w * std::sin(w * t) + rate * std::sin(phi);
    EXPECT_FALSE(run.energy.conserved) << spec;
    return {std::hypot(run.q[0] - x, run.q[1] - y), std::hypot(run.p[0] - v_x, run.p[1] - v_y),
            std::abs(run.lambda[0] - 3 - std::sin(t)), run.constraint.max, run.constraint.hidden_max};
}

struct Expected {
    const char* spec;
    double h;
    int order, order_p;
    bool hidden = true;  // G v + g_t at round-off
};

TEST(MovingConstraints, methods_have_their_order_against_the_closed_form) {
    for (const auto& [spec, h, order, order_p, hidden] : {Expected{"lobatto(2)", 0.0125, 2, 2},
                                                          Expected{"lobatto(3)", 0.05, 4, 4},
                                                          Expected{"lobatto(4)", 0.1, 6, 6},
                                                          Expected{"spark(2)", 0.0125, 2, 2},
                                                          Expected{"spark(3)", 0.05, 4, 4},
                                                          Expected{"spark(4)", 0.1, 6, 6},
                                                          Expected{"rattle", 0.0125, 2, 2},
                                                          Expected{"compose(rattle, suzuki4)", 0.05, 4, 4},
                                                          Expected{"compose(rattle, kahanli6)", 0.1, 6, 6},
                                                          Expected{"compose(rattle, kahanli8)", 0.1, 8, 8},
                                                          Expected{"multistep(4)", 0.0125, 4, 4},
                                                          Expected{"shake", 0.0125, 2, 2, false},
                                                          Expected{"bdf(3)", 0.00625, 3, 3, false},
                                                          Expected{"dirac-gauss(1)", 0.0125, 2, 2},
                                                          Expected{"dirac-gauss(2)", 0.05, 4, 4},
                                                          Expected{"constrain(verlet)", 0.0125, 2, 2},
                                                          Expected{"constrain(verlet-b)", 0.0125, 2, 2},
                                                          Expected{"constrain(midpoint)", 0.0125, 2, 2},
                                                          Expected{"projected-radau(2)", 0.0125, 3, 3},
                                                          Expected{"constrain(symplectic-euler)", 0.0015625, 1, 1}}) {
        const auto coarse = errors_of(spec, h), fine = errors_of(spec, h / 2);
        EXPECT_NEAR(std::log2(coarse.q / fine.q), order, 0.2) << spec;
        EXPECT_NEAR(std::log2(coarse.p / fine.p), order_p, 0.2) << spec;
        EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), order_p, 0.2) << spec;
        for (const auto& errors : {coarse, fine}) {
            EXPECT_LT(errors.g, 4e-15) << spec;
            if (hidden) {
                EXPECT_LT(errors.hidden, 4e-15) << spec;
            } else {
                EXPECT_GT(errors.hidden, 1e-8) << spec;
            }
        }
    }
}

// Far from t = 0 the time itself has round-off; constraints are evaluated at the same number everywhere.
TEST(MovingConstraints, residuals_stay_at_round_off_far_from_the_start) {
    for (const auto* spec : {"rattle", "lobatto(3)", "spark(3)", "shake", "multistep(4)", "compose(rattle, suzuki4)"}) {
        const auto run = integrate(Model::load("driven-pendulum"), method(spec), {.step = 0.03, .steps = 30000});
        EXPECT_EQ(run.status, RunStatus::completed) << spec;
        EXPECT_LT(run.constraint.max, 4e-15) << spec;
        EXPECT_LT(run.constraint.max_floors, 64) << spec;
    }
}

// U = x^4/4 + y^2 - F(t) x - E(t) y, such that x = 1 + 3/10 (sin t + cos t), y = x/2. At the start nothing rests.
Model driven_oscillator() {
    return Model::parse(R"toml(
        [coordinates]
        q = ["x", "y"]
        [dynamics]
        mass = 1
        [dynamics.potential]
        fast = "x^4/4 + y^2"
        slow = """-((1 + 3*(sin(t) + cos(t))/10)^3 - 3*(sin(t) + cos(t))/10)*x \
            - (1 + 3*(sin(t) + cos(t))/20)*y"""
        [initial]
        q = ["13/10", "13/20"]
        v = ["3/10", "3/20"]
        )toml",
                        "driven-oscillator.toml");
}

// Every method for systems without constraints keeps what it claims: kicks come at the times of their positions.
TEST(MovingConstraints, a_potential_with_time_leaves_every_claim) {
    const auto model = driven_oscillator();
    const auto system = make_system<double>(model);
    CertifyOptions options{.step = 0.125};
    // from sin 2 and cos 2 with 60 digits
    options.exact = ExactSolution{
        .time = 2,
        .q = {"1.147945177083561792519535490923294795881", "0.5739725885417808962597677454616473979404"},
        .p = {"-0.3976332790118472247180764286237521097405", "-0.1988166395059236123590382143118760548702"},
        .lambda = {},
        .accuracy = 1e-34,
        .source = "closed form"};
    int tried = 0;
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            const auto chosen = method(spec);
            if (chosen.claims().order > 8 ||
                !unmet_needs(chosen, system->properties(), system->constraints()).empty()) {
                continue;
            }
            ++tried;
            const auto certificate = certify(chosen, model, options);
            EXPECT_TRUE(certificate.with(Verdict::contradicted).empty())
                << spec << ": " << certificate.with(Verdict::contradicted)[0];
            for (const auto* claim : {"order of q", "order of p", "symmetry"}) {
                EXPECT_EQ(certificate.finding(claim).verdict, Verdict::confirmed) << spec << ": " << claim;
            }
        }
    }
    EXPECT_GT(tried, 20);
}

Model with_constraint(const std::string& constraint, const std::string& v) {
    return Model::parse("coordinates.q = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"y\"\nconstraints = { " +
                            constraint + " }\n[initial]\nq = [1, 0]\nv = " + v + "\n",
                        "lost.toml");
}

// A circle that shrinks to a point at t = 1, and a rod whose equation fades: the run ends there, with a reason and
// numbers.
TEST(MovingConstraints, lost_rank_ends_the_run) {
    for (const auto& [model, name] :
         {std::pair{with_constraint("circle = \"x^2 + y^2 - (1 - t)^2\"", "[-1, 0]"), "circle"},
          std::pair{with_constraint("rod = \"(1 - t)*(x^2 + y^2 - 1)\"", "[0, 0]"), "rod"}}) {
        for (const auto* spec : {"rattle", "lobatto(3)", "spark(3)", "shake", "multistep(4)", "bdf(3)",
                                 "dirac-gauss(1)", "compose(rattle, suzuki4)", "constrain(verlet-b)"}) {
            const auto run = integrate(model, method(spec), {.step = 0.1, .steps = 40});
            ASSERT_TRUE(run.failure.has_value()) << name << ", " << spec;
            EXPECT_EQ(run.status, RunStatus::failed) << spec;
            EXPECT_TRUE(run.failure->kind == "rank" || run.failure->kind == "newton") << run.failure->kind;
            EXPECT_NE(run.failure->message.find(name), std::string::npos) << spec << ": " << run.failure->message;
            EXPECT_GT(run.failure->t, 0.7) << spec;
            EXPECT_LT(run.failure->t, 1.3) << spec;
            for (const auto* values : {&run.q, &run.p, &run.lambda}) {
                EXPECT_TRUE(std::ranges::all_of(*values, [](double x) { return std::isfinite(x); })) << spec;
            }
        }
    }
    const auto gone = with_constraint("rod = \"t*(x^2 + y^2 - 1)\"", "[0, 0]");
    try {
        static_cast<void>(integrate(gone, method("rattle"), {.step = 0.1, .steps = 10}));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("the gradient of rod vanishes"), std::string::npos) << error.what();
    }
}

// G v = 0 is not what a moving constraint asks for.
TEST(MovingConstraints, the_start_must_move_with_the_constraint) {
    const auto model = [](const std::string& v) {
        return Model::parse(
            "coordinates.q = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"y\"\n"
            "constraints = { rod = \"(x - t)^2 + y^2 - 1\" }\n[initial]\nq = [\"3/5\", \"-4/5\"]\nv = " +
                v + "\n",
            "moving.toml");
    };
    EXPECT_EQ(integrate(model("[1, 0]"), method("rattle"), {.step = 0.1, .steps = 10}).status, RunStatus::completed);
    try {
        static_cast<void>(integrate(model("[0, 0]"), method("rattle"), {.step = 0.1, .steps = 10}));
        FAIL();
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("|G v + g_t| = 1.2 (rod)"), std::string::npos) << text;
        EXPECT_NE(text.find("at t = 0"), std::string::npos) << text;
    }
    const auto run = integrate(model("[0, 0]"), method("rattle"), {.step = 0.1, .steps = 0, .project = true});
    // The nearest velocity: with n = (3, -4)/5, v = n (n . (1, 0)) = (9, -12)/25.
    EXPECT_NEAR(run.p[0], 9.0 / 25, 1e-15);
    EXPECT_NEAR(run.p[1], -12.0 / 25, 1e-15);
    // At another time the constraint is elsewhere.
    EXPECT_THROW(
        static_cast<void>(integrate(model("[1, 0]"), method("rattle"), {.step = 0.1, .steps = 10, .start_time = 0.5})),
        InputError);
}

}  // namespace
}  // namespace libration
