// Runs with functions that cannot be traced: the motion of the same formulas, and what ends a run.
#include "interruption.hpp"
#include "unit/system/external_samples.hpp"

#include "analysis/lyapunov.hpp"
#include <libration/analysis/compare.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/io/json.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace libration {
namespace {

using namespace external_samples;

constexpr IntegrationOptions thousand{.step = 0.01, .steps = 1000};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    EXPECT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
}

class ExternalRun : public testing::TestWithParam<const char*> {};

// Formulas and functions round differently, by some 1e-16 a step. Ten times the time in which the motion forgets a
// factor of e makes 1e-12 of it at most.
TEST_P(ExternalRun, moves_like_the_same_formulas) {
    for (const std::size_t n : {1, 2}) {
        const auto text = integrate(text_pendulum(n), method(GetParam()), thousand);
        const auto mixed = n == 1 ? with_functions(1, single_potential, {{}, rods(0, 1, true)})
                                  : with_functions(2, double_potential + single_rod, {{}, rods(1, 2, true)});
        for (const auto& model : {external_pendulum(n), external_pendulum(n, true), mixed}) {
            const auto run = integrate(model, method(GetParam()), thousand);
            ASSERT_EQ(run.status, RunStatus::completed) << run.failure->message;
            EXPECT_LT(largest_difference(run.q, text.q), 1e-12);
            EXPECT_LT(largest_difference(run.p, text.p), 1e-12);
            EXPECT_LT(largest_difference(run.lambda, text.lambda), 1e-9);
            EXPECT_LT(run.constraint.max, 4e-15);
            EXPECT_NEAR(run.energy.max_error, text.energy.max_error, 1e-12);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, ExternalRun,
                         testing::Values("rattle", "shake", "lobatto(3)", "compose(rattle, kahanli8)"));

TEST(external_run, multipliers_come_from_the_curvature_or_from_differences) {
    // At the same state, after one step: lambda of rods is 1 or so.
    const auto lambda = [](const Model& model) {
        return integrate(model, method("rattle"), {.step = 0.3, .steps = 1}).lambda;
    };
    const auto expected = lambda(text_pendulum(2));
    EXPECT_LT(largest_difference(lambda(external_pendulum(2, true)), expected), 1e-14);
    EXPECT_LT(largest_difference(lambda(external_pendulum(2, false)), expected), 1e-10);
}

TEST(external_run, an_external_potential_is_the_slow_part_of_a_split_one) {
    const std::string springs = "fast = \"50*(x1^2 + y1^2)\"";
    const auto text = Model::parse(text_of(1, "[dynamics.potential]\nslow = \"y1\"\n" + springs), "split");
    const auto model = with_functions(1, "[dynamics.potential]\nslow = \"0*y1\"\n" + springs, {weights(), {}});
    const auto expected = integrate(text, method("respa(4)"), thousand);
    const auto run = integrate(model, method("respa(4)"), thousand);
    EXPECT_LT(largest_difference(run.q, expected.q), 1e-12);
}

TEST(external_run, says_that_it_is_slow_and_why_nothing_is_compiled) {
    auto options = thousand;
    options.backend = Backend::generated;
    const auto run = integrate(external_pendulum(1), method("rattle"), options);
    EXPECT_EQ(run.backend.name, "interpreted");
    EXPECT_NE(run.backend.reason.find("cannot be traced"), std::string::npos) << run.backend.reason;
    ASSERT_EQ(run.warnings.size(), 2U);  // the other one is about the code that was asked for
    EXPECT_NE(run.warnings[0].find("the potential and the constraints"), std::string::npos) << run.warnings[0];
    EXPECT_NE(run.warnings[0].find("slow"), std::string::npos) << run.warnings[0];
}

TEST(external_run, stopping_and_resuming_gives_the_same_bits) {
    const auto model = external_pendulum(2);
    for (const auto* name : {"rattle", "shake", "lobatto(3)"}) {
        const auto whole = without_times(integrate(model, method(name), thousand));
        StopAt stop(321);
        LastCheckpoint checkpoint;
        Integration first(model, method(name), thousand);
        first.observe(stop);
        first.stop_on(stop.stop);
        first.checkpoint_to(checkpoint);
        (void)first.run();
        Integration second(model, method(name), thousand);
        second.restore(checkpoint.bytes);
        EXPECT_EQ(without_times(second.run()), whole) << name;
    }
}

TEST(external_run, what_a_function_throws_comes_out_after_the_last_good_node) {
    struct OutOfTable : std::runtime_error {
        using runtime_error::runtime_error;
    };
    auto potential = weights();
    const auto gradient = potential.gradient;
    potential.gradient = [gradient](auto q, auto out) {
        if (q[1] < -0.5) {
            throw OutOfTable("y is below the table");
        }
        gradient(q, out);
    };
    const auto model = with_functions(1, single_rod, {potential, {}});
    Recorder recorder;
    Integration integration(model, method("rattle"), thousand);
    integration.observe(recorder);
    EXPECT_THROW((void)integration.run(), OutOfTable);
    ASSERT_GT(recorder.t.size(), 10U);
    EXPECT_GT(recorder.q.back()[1], -0.51);
    const auto same = integrate(text_pendulum(1), method("rattle"),
                                {.step = 0.01, .steps = static_cast<std::int64_t>(recorder.t.size()) - 1});
    EXPECT_LT(largest_difference(recorder.q.back(), same.q), 1e-14);
}

TEST(external_run, numbers_that_are_not_finite_fail_a_step_and_leave_the_last_good_state) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    auto potential = weights();
    potential.gradient = [](auto q, auto out) {
        weights().gradient(q, out);
        out[1] = q[1] < -0.5 ? nan : out[1];
    };
    auto values = rods(0, 1, false), slopes = values;
    values.value = [](auto q, auto rows) {
        rods(0, 1, false).value(q, rows);
        rows[0] = q[1] < -0.5 ? nan : rows[0];
    };
    slopes.jacobian = [](auto q, auto G) {
        rods(0, 1, false).jacobian(q, G);
        G[0] = q[1] < -0.5 ? nan : G[0];
    };
    const auto rod = rods(0, 1, false);
    for (const auto& functions : {ExternalFunctions{potential, rod}, ExternalFunctions{weights(), values},
                                  ExternalFunctions{weights(), slopes}}) {
        const auto run = integrate(with_functions(1, "", functions), method("rattle"), thousand);
        ASSERT_EQ(run.status, RunStatus::failed);
        EXPECT_EQ(run.failure->kind, "not-finite") << run.failure->message;
        EXPECT_NE(run.failure->message.find("non-finite"), std::string::npos) << run.failure->message;
        EXPECT_GT(run.steps, 10);
        EXPECT_LT(run.constraint.max, 1e-14);
        EXPECT_GT(run.q[1], -0.51);
    }
}

TEST(external_run, wrong_derivatives_are_refused_before_the_first_step) {
    auto potential = weights();
    potential.gradient = [](auto, auto out) {
        out[0] = 0;
        out[1] = -1;
    };
    try {
        (void)integrate(with_functions(1, single_rod, {potential, {}}), method("rattle"), thousand);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("to y1"), std::string::npos) << error.what();
    }
}

TEST(external_run, a_function_with_noise_of_its_own_runs_to_its_noise) {
    // As if an iteration inside had ended at 1e-11: the values jump by that much from point to point.
    auto constraints = rods(0, 1, false);
    const auto exact = constraints.value;
    constraints.value = [exact](auto q, auto rows) {
        exact(q, rows);
        rows[0] += 1e-11 * std::sin(1e13 * q[0] + 3e12 * q[1]);
    };
    const auto run = integrate(with_functions(1, single_potential, {{}, constraints}), method("rattle"), thousand);
    ASSERT_EQ(run.status, RunStatus::completed) << run.failure->message;
    const auto text = integrate(text_pendulum(1), method("rattle"), thousand);
    EXPECT_LT(largest_difference(run.q, text.q), 1e-6);
}

TEST(external_run, an_ensemble_runs_one_trajectory_after_the_other_in_threads) {
    const auto model = external_pendulum(1);
    const EnsembleOptions options{.values = {{"v_y1"}, {0, 0.1, 0.2, 0.3, 0.4}}, .threads = 2};
    const auto result = run_ensemble(model, method("rattle"), thousand, options);
    EXPECT_NE(result.lanes_note.find("cannot be traced"), std::string::npos) << result.lanes_note;
    ASSERT_EQ(result.trajectories.size(), 5U);
    const auto first = integrate(model, method("rattle"), thousand);
    EXPECT_EQ(result.trajectories[0].q, first.q);
    EXPECT_NE(result.trajectories[4].q, first.q);
    EXPECT_EQ(result.count(RunStatus::completed), 5U);
    // A parameter makes the text be read again; the functions stay.
    const auto varied = run_ensemble(model, method("rattle"), thousand, {.values = {{"g"}, {1, 2}}});
    EXPECT_EQ(varied.trajectories[1].q, first.q);
}

TEST(external_run, what_needs_more_than_double_precision_refuses_it) {
    const auto model = external_pendulum(2);
    EXPECT_THROW((void)compare(model), InputError);
    EXPECT_THROW((void)lyapunov_exponents(model, method("rattle"), {}), InputError);
}

}  // namespace
}  // namespace libration
