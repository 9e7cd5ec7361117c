// Steps that choose their length: the figures of Jay (1998), section 9 and Figure 2, there and back, tolerance, memory.
#include "interruption.hpp"
#include "trend.hpp"

#include "integrate/start.hpp"
#include "methods/adaptive_stepper.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/io/json.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using conformance::Trend;
using Control = AdaptiveOptions::Control;
using Estimator = AdaptiveOptions::Estimator;

constexpr double swing_energy = 1.52905302283553679266;

struct Swing {
    Run run;
    Trend trend;
};

Swing swing(const char* spec, const AdaptiveOptions& adaptive, double duration = 0.08) {
    Swing result;
    result.run = integrate(Model::load("andrews-swing"), method(spec),
                           {.step = 1e-4, .duration = duration, .adaptive = adaptive}, result.trend);
    EXPECT_EQ(result.run.status, RunStatus::completed);
    EXPECT_LT(result.run.constraint.max, 4e-16);
    EXPECT_LT(result.run.constraint.hidden_max, 1e-12);
    EXPECT_GE(result.run.t, duration);
    EXPECT_LT(result.run.t, duration + result.run.adaptive.largest);
    return result;
}

// ------------------------------------------------------------------------------------------- the figures, TOL = 1e-8

// Known from an independent program, to half of their last digit.
TEST(AdaptiveFigures, andrews_with_the_symmetric_estimator) {
    for (const char* spec : {"lobatto(3)", "spark(3)"}) {
        const auto found = swing(spec, {Control::reversible, 1e-8, Estimator::symmetric});
        EXPECT_EQ(found.run.steps, 432) << spec;
        EXPECT_NEAR(found.run.adaptive.smallest, 8.6e-5, 5e-7) << spec;
        EXPECT_NEAR(found.run.adaptive.largest, 4.7e-4, 5e-6) << spec;
        EXPECT_NEAR(found.trend.low - swing_energy, -5.5e-7, 5e-9) << spec;
        EXPECT_NEAR(found.trend.high - swing_energy, 7.3e-7, 5e-9) << spec;
        EXPECT_NEAR(found.trend.slope(), 8.2e-6, 5e-8) << spec;
        EXPECT_EQ(found.run.adaptive.rejected, 0) << spec;
    }
}

TEST(AdaptiveFigures, andrews_with_the_antisymmetric_estimator) {
    const auto found = swing("spark(3)", {Control::reversible, 1e-8, Estimator::antisymmetric});
    EXPECT_EQ(found.run.steps, 627);
    EXPECT_NEAR(found.run.adaptive.smallest, 7.8e-5, 5e-7);
    EXPECT_NEAR(found.run.adaptive.largest, 2.9e-4, 5e-6);
    EXPECT_NEAR(found.trend.low - swing_energy, -8.5e-8, 5e-10);
    EXPECT_NEAR(found.trend.high - swing_energy, 1.7e-8, 5e-10);
    // The drift is smaller than the oscillation; over this time it depends on where the line begins and ends.
    const auto longer = swing("spark(3)", {Control::reversible, 1e-8, Estimator::antisymmetric}, 0.98);
    EXPECT_NEAR(longer.trend.slope(), -6e-8, 5e-9);
}

// Without the exponent err = TOL; the tolerance that gives it is TOL^(5/3).
TEST(AdaptiveFigures, andrews_with_the_tolerance_taken_for_the_estimate) {
    const auto found = swing("lobatto(3)", {Control::reversible, std::pow(1e-8, 5.0 / 3.0), Estimator::symmetric});
    EXPECT_EQ(found.run.steps, 5035);
    EXPECT_NEAR(found.run.adaptive.smallest, 7.4e-6, 5e-8);
    EXPECT_NEAR(found.run.adaptive.largest, 4.0e-5, 5e-7);
    EXPECT_NEAR(found.trend.low - swing_energy, -3.3e-11, 5e-13);
    EXPECT_NEAR(found.trend.high - swing_energy, 3.8e-11, 5e-13);
    EXPECT_NEAR(found.trend.slope(), 4.2e-10, 2e-11);
}

// ------------------------------------------------------------------------------------------------- there and back

struct Gap {
    double q = 0, v = 0, largest_v = 0, largest_step = 0, smallest_step = 1e300;
};

// So many steps from the start of the model, then as many back from the last node with the opposite step.
Gap there_and_back(const Model& model, const char* spec, const AdaptiveOptions& adaptive, double h, int steps) {
    const auto system = make_system<double>(model);
    const auto scheme = method(spec);
    AdaptiveStepper<double> stepper(*system, make_map<double>(scheme, *system),
                                    step_control(scheme, system->properties(), system->constraints(), adaptive));
    const auto start = start_state<double>(model, *system);
    Gap gap;
    std::vector<double> v0(start.q.size()), v(v0);
    const auto walk = [&] {
        for (int n = 0; n < steps; ++n) {
            const auto report = stepper.advance();
            ASSERT_EQ(report.converged, 1) << spec << ", step " << n << ": " << stepper.fault();
            stepper.accept();
            const auto node = stepper.node();
            system->velocity(node.t, node.q, node.p, v);
            for (const double value : v) {
                gap.largest_v = std::max(gap.largest_v, std::abs(value));
            }
        }
        gap.largest_step = std::max(gap.largest_step, stepper.largest_step());
        gap.smallest_step = std::min(gap.smallest_step, stepper.smallest_step());
    };
    stepper.start(0.0, start.q, start.p, h);
    walk();
    const auto end = stepper.node();
    const double end_time = end.t;
    const std::vector<double> q(end.q.begin(), end.q.end()), low(end.q_low.begin(), end.q_low.end()),
        p(end.p.begin(), end.p.end());
    stepper.start({end.t, q, low, p}, -stepper.trial_step());
    walk();
    const auto back = stepper.node();
    if (adaptive.control == Control::reversible) {
        EXPECT_NEAR(back.t, 0, 1e-10 * end_time) << spec;
    }
    system->velocity(0, start.q, start.p, v0);
    system->velocity(back.t, back.q, back.p, v);
    for (std::size_t k = 0; k < v.size(); ++k) {
        gap.q = std::max(gap.q, std::abs(back.q[k] - start.q[k]));
        gap.v = std::max(gap.v, std::abs(v[k] - v0[k]));
    }
    return gap;
}

TEST(AdaptiveThereAndBack, andrews_comes_back_with_reversible_steps) {
    const auto model = Model::load("andrews-swing");
    for (const char* spec : {"lobatto(3)", "spark(3)"}) {
        const auto gap = there_and_back(model, spec, {Control::reversible, 1e-8, {}}, 1e-4, 432);
        EXPECT_LE(gap.q, 1e-10) << spec;
        EXPECT_LE(gap.v, 1e-10 * gap.largest_v) << spec;
        EXPECT_GT(gap.largest_step, 4 * gap.smallest_step) << spec;
    }
    const auto other =
        there_and_back(model, "spark(3)", {Control::reversible, 1e-8, Estimator::antisymmetric}, 1e-4, 627);
    EXPECT_LE(other.q, 1e-10);
    EXPECT_LE(other.v, 1e-10 * other.largest_v);
}

TEST(AdaptiveThereAndBack, andrews_does_not_come_back_with_the_ordinary_controller) {
    const auto gap =
        there_and_back(Model::load("andrews-swing"), "lobatto(3)", {Control::standard, 1e-8, {}}, 1e-4, 466);
    EXPECT_GT(gap.q, 1e-6);
    EXPECT_GT(gap.v, 1e-6 * gap.largest_v);
}

// Ten revolutions of an ellipse with the eccentricity 0.8, and as many back.
TEST(AdaptiveThereAndBack, kepler_comes_back_with_reversible_steps) {
    const auto model = Model::load("kepler", {{"e", "0.8"}});
    struct {
        const char* spec;
        double tolerance;
        std::optional<Estimator> estimator;
        int steps;
    } const cases[] = {
        {"gauss(3)", 1e-7, {}, 300},   {"gauss(2)", 1e-6, {}, 300},   {"lobatto(3)", 1e-6, {}, 300},
        {"lobatto(2)", 1e-4, {}, 300}, {"midpoint", 1e-4, {}, 300},   {"midpoint", 1e-4, Estimator::antisymmetric, 300},
        {"spark(4)", 1e-7, {}, 300},   {"lobatto(4)", 1e-7, {}, 300}, {"gauss(1)", 1e-4, {}, 300},
    };
    for (const auto& one : cases) {
        const auto gap =
            there_and_back(model, one.spec, {Control::reversible, one.tolerance, one.estimator}, 0.01, one.steps);
        EXPECT_LE(gap.q, 1e-10) << one.spec;
        EXPECT_LE(gap.v, 1e-10) << one.spec;
        EXPECT_GT(gap.largest_step, 3 * gap.smallest_step) << one.spec;
        const auto ordinary =
            there_and_back(model, one.spec, {Control::standard, one.tolerance, one.estimator}, 0.01, one.steps);
        EXPECT_GT(ordinary.q, 1e3 * gap.q) << one.spec;
    }
}

// Terms that damp are treated by C, which is C* on the way back: the map is symmetric, and so are its steps.
TEST(AdaptiveThereAndBack, spark_with_dampers_comes_back_with_reversible_steps) {
    const auto gap = there_and_back(Model::load("damped-spherical-pendulum"), "spark(3)",
                                    {Control::reversible, 1e-6, {}}, 0.01, 100);
    EXPECT_LE(gap.q, 1e-9);
    EXPECT_LE(gap.v, 1e-9 * gap.largest_v);
}

// --------------------------------------------------------------------------------------------- what the tolerance does

// The energy of an orbit that meets its own mirror image has no trend with reversible steps.
TEST(Adaptive, kepler_keeps_its_energy_with_reversible_steps) {
    const auto model = Model::load("kepler", {{"e", "0.8"}});
    const auto drift = [&](Control control) {
        Trend trend;
        const auto run =
            integrate(model, method("lobatto(3)"),
                      {.step = 0.01, .duration = 600, .adaptive = AdaptiveOptions{control, 1e-5, {}}}, trend);
        EXPECT_EQ(run.status, RunStatus::completed);
        return std::abs(trend.slope());
    };
    const double reversible = drift(Control::reversible), standard = drift(Control::standard);
    EXPECT_GT(standard, 100 * reversible);
}

TEST(Adaptive, error_is_proportional_to_the_tolerance) {
    const auto model = Model::load("kepler", {{"e", "0.5"}});
    for (const auto estimator : {Estimator::symmetric, Estimator::antisymmetric}) {
        std::vector<double> errors;
        for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9}) {
            const auto run = integrate(
                model, method("lobatto(3)"),
                {.step = 0.01, .duration = 2, .adaptive = AdaptiveOptions{Control::reversible, tolerance, estimator}});
            errors.push_back(run.energy.max_error);
        }
        // The error of a step is TOL, that of the run TOL/h: h goes with the fifth root of TOL.
        for (std::size_t k = 1; k < errors.size(); ++k) {
            EXPECT_NEAR(std::log10(errors[k - 1] / errors[k]), 0.8, 0.12) << k;
        }
    }
}

// ------------------------------------------------------------------------------------------------------- the loop

TEST(Adaptive, a_run_that_was_stopped_ends_in_the_same_bits) {
    for (const auto control : {Control::reversible, Control::standard}) {
        for (const auto& [name, spec] :
             {std::pair("andrews-swing", "spark(3)"), std::pair("andrews-swing", "lobatto(3)"),
              std::pair("kepler", "gauss(2)"), std::pair("kepler", "midpoint")}) {
            const auto model = Model::load(name);
            const double duration = std::string(name) == "kepler" ? 3 : 0.01;
            const IntegrationOptions options{
                .step = duration / 100, .duration = duration, .adaptive = AdaptiveOptions{control, 1e-6, {}}};
            const auto text = without_times(integrate(model, method(spec), options));
            for (const std::int64_t at : {0, 1, 2, 9}) {
                StopAt stop(at);
                LastCheckpoint checkpoint;
                Integration first(model, method(spec), options);
                first.observe(stop);
                first.stop_on(stop.stop);
                first.checkpoint_to(checkpoint);
                EXPECT_EQ(first.run().steps, at);
                Integration second(model, method(spec), options);
                second.restore(checkpoint.bytes);
                EXPECT_EQ(without_times(second.run()), text) << name << " " << spec << ", stopped at " << at;
            }
        }
    }
}

TEST(Adaptive, a_number_of_steps_is_kept_and_time_may_run_back) {
    const auto model = Model::load("kepler");
    const AdaptiveOptions adaptive{Control::reversible, 1e-6, {}};
    EXPECT_EQ(integrate(model, method("gauss(2)"), {.step = 0.01, .steps = 17, .adaptive = adaptive}).steps, 17);
    const auto back = integrate(model, method("gauss(2)"), {.step = -0.01, .duration = -2.0, .adaptive = adaptive});
    const auto there = integrate(model, method("gauss(2)"), {.step = 0.01, .duration = 2.0, .adaptive = adaptive});
    EXPECT_LE(back.t, -2);
    EXPECT_EQ(back.steps, there.steps);  // the orbit is its own mirror image
    EXPECT_EQ(back.t, -there.t);
    EXPECT_GT(there.adaptive.smallest, 0);
    EXPECT_GT(back.adaptive.smallest, 0);
}

TEST(Adaptive, a_motion_without_error_fails_with_a_reason_and_does_not_hang) {
    const auto model =
        Model::parse("name = \"free\"\n[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1\npotential = \"0*x\"\n"
                     "[initial]\nq = [0]\nv = [1]\n",
                     "free");
    const auto run = integrate(model, method("gauss(2)"),
                               {.step = 0.01, .steps = 5, .adaptive = AdaptiveOptions{Control::reversible, 1e-6, {}}});
    ASSERT_EQ(run.status, RunStatus::failed);
    ASSERT_TRUE(run.failure);
    EXPECT_EQ(run.failure->kind, "step-size");
    EXPECT_EQ(run.failure->step, 1);
    EXPECT_NE(run.failure->message.find("tolerance"), std::string::npos);
}

// The estimate has a maximum just below its target; the next root is one that the way back would not choose.
// Where err(h) has its target at several lengths, the way back need not find the same one.
TEST(Adaptive, a_length_that_the_way_back_misses_is_warned_of) {
    const auto warned = [](double tolerance, AdaptiveOptions::Estimator estimator) {
        const auto run = integrate(
            Model::load("pendulum"), method("lobatto(4)"),
            {.step = 0.01, .steps = 200, .adaptive = AdaptiveOptions{Control::reversible, tolerance, estimator}});
        EXPECT_EQ(run.status, RunStatus::completed) << tolerance;
        return std::ranges::any_of(run.warnings, [](const std::string& text) {
            return text.find("are not time-reversible") != std::string::npos;
        });
    };
    for (const double tolerance : {1e-6, 1e-8, 1.1e-10}) {
        EXPECT_TRUE(warned(tolerance, AdaptiveOptions::Estimator::antisymmetric)) << tolerance;
    }
    for (const double tolerance : {1e-6, 1e-8, 1.1e-10}) {
        EXPECT_FALSE(warned(tolerance, AdaptiveOptions::Estimator::symmetric)) << tolerance;
    }
}

TEST(Adaptive, the_first_guess_may_be_far_too_short_or_too_long) {
    std::vector<double> lengths;
    for (const double guess : {1e-7, 1e-2, 3.0}) {
        const auto run =
            integrate(Model::load("kepler"), method("gauss(2)"),
                      {.step = guess, .steps = 1, .adaptive = AdaptiveOptions{Control::reversible, 1e-6, {}}});
        ASSERT_EQ(run.status, RunStatus::completed) << guess;
        lengths.push_back(run.t);
    }
    EXPECT_NEAR(lengths[0], lengths[1], 1e-12);
    EXPECT_NEAR(lengths[2], lengths[1], 1e-12);
}

TEST(Adaptive, methods_that_cannot_say_why) {
    const auto says = [](const char* model, const char* spec, AdaptiveOptions adaptive) -> std::string {
        try {
            Integration(Model::load(model), method(spec), {.step = 0.01, .steps = 1, .adaptive = adaptive});
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    const AdaptiveOptions good{Control::reversible, 1e-6, {}};
    EXPECT_NE(says("pendulum", "rattle", good).find("no error estimate"), std::string::npos);
    EXPECT_NE(says("pendulum", "compose(lobatto(2), yoshida4)", good).find("composition"), std::string::npos);
    EXPECT_NE(says("pendulum", "multistep(4)", good).find("must have the same size"), std::string::npos);
    EXPECT_NE(says("pendulum", "gauss(2)", good).find("not symmetric"), std::string::npos);
    EXPECT_NE(says("kepler", "radau(2)", good).find("lobatto(s)"), std::string::npos);
    EXPECT_NE(says("kepler", "lobatto(2)", {Control::reversible, 1e-6, Estimator::symmetric}).find("two stages"),
              std::string::npos);
    for (const double tolerance : {0.0, -1e-3, 1.0, 2.0, std::nan("")}) {
        EXPECT_NE(says("kepler", "lobatto(3)", {Control::reversible, tolerance, {}}).find("between 1e-16"),
                  std::string::npos);
    }
    EXPECT_EQ(says("kepler", "lobatto(2)", good), "accepted");
}

#ifdef LIBRATION_HAS_QUAD
// In quadruple precision the way back ends where the way began to as many digits more.
TEST(AdaptiveThereAndBack, kepler_in_quadruple_precision) {
    const auto model = Model::load("kepler", {{"e", "0.8"}});
    const auto system = make_system<Quad>(model);
    const auto scheme = method("gauss(2)");
    AdaptiveStepper<Quad> stepper(*system, make_map<Quad>(scheme, *system),
                                  step_control(scheme, system->properties(), 0, {Control::reversible, 1e-6, {}}));
    const auto start = start_state<Quad>(model, *system);
    const auto walk = [&] {
        for (int n = 0; n < 50; ++n) {
            ASSERT_TRUE(stepper.advance().converged == 1);
            stepper.accept();
        }
    };
    stepper.start(Quad{0}, start.q, start.p, Quad{1} / 100);
    walk();
    const auto end = stepper.node();
    const std::vector<Quad> q(end.q.begin(), end.q.end()), low(end.q_low.begin(), end.q_low.end()),
        p(end.p.begin(), end.p.end());
    stepper.start({end.t, q, low, p}, -stepper.trial_step());
    walk();
    const auto back = stepper.node();
    EXPECT_LT(to_double(absv(back.t)), 1e-25);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_LT(to_double(absv(back.q[k] - start.q[k])), 1e-25);
        EXPECT_LT(to_double(absv(back.p[k] - start.p[k])), 1e-25);
    }
}
#endif

}  // namespace
}  // namespace libration
