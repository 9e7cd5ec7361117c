// The loop: stop and resume to the bit, observers that only read, counting, failures.
#include "interruption.hpp"

#include "integrate/monitor.hpp"
#include "integrate/start.hpp"
#include "integrate/state_reader.hpp"
#include "system/term_system.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/integrate/run_settings.hpp>
#include <libration/io/json.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

const char* problem_for(const MethodRecord& record) {
    return record.needs.unconstrained ? "kepler" : "double-pendulum";
}

// One of each kind of memory; the conformance tests stop and observe every method.
std::vector<const MethodRecord*> some_methods() {
    std::vector<const MethodRecord*> records;
    for (const auto* name : {"verlet", "leapfrog", "shake", "rattle"}) {
        records.push_back(&method(name).record());
    }
    return records;
}

TEST(Integrate, stopping_anywhere_and_resuming_gives_the_same_bits_and_only_the_missing_steps) {
    for (const auto* record : some_methods()) {
        const auto model = Model::load(problem_for(*record));
        const auto chosen = method(examples(*record).front());
        for (const auto monitor : {1, 7, 0}) {
            const IntegrationOptions options{.step = 0.01, .steps = 500, .monitor = monitor};
            const auto whole = without_times(integrate(model, chosen, options));
            for (const std::int64_t at : {0, 1, 2, 123, 499, 500}) {
                StopAt stop(at);
                LastCheckpoint checkpoint;
                Integration first(model, chosen, options);
                first.observe(stop);
                first.stop_on(stop.stop);
                first.checkpoint_to(checkpoint);
                const auto stopped = first.run();
                EXPECT_EQ(stopped.steps, at);
                Integration second(model, chosen, options);
                second.restore(checkpoint.bytes);
                EXPECT_EQ(without_times(second.run()), whole) << record->name << " stopped at " << at;
                EXPECT_EQ(first.steps_executed() + second.steps_executed(), 500 + record->lag) << record->name;
            }
        }
    }
}

TEST(Integrate, a_finished_run_can_be_made_longer_and_forgets_that_it_ended) {
    for (const auto* record : some_methods()) {
        const auto model = Model::load(problem_for(*record));
        const auto chosen = method(examples(*record).front());
        LastCheckpoint checkpoint;
        Integration first(model, chosen, {.step = 0.01, .steps = 101, .monitor = 10});
        first.checkpoint_to(checkpoint);
        first.run();
        Integration second(model, chosen, {.step = 0.01, .steps = 200, .monitor = 10});
        second.restore(checkpoint.bytes);
        EXPECT_EQ(without_times(second.run()),
                  without_times(integrate(model, chosen, {.step = 0.01, .steps = 200, .monitor = 10})));
        EXPECT_EQ(second.steps_executed(), 99);
    }
}

TEST(Integrate, a_checkpoint_of_another_method_is_refused) {
    LastCheckpoint checkpoint;
    Integration first(Model::load("pendulum"), method("rattle"), {.step = 0.01, .steps = 5});
    first.checkpoint_to(checkpoint);
    first.run();
    Integration second(Model::load("pendulum"), method("shake"), {.step = 0.01, .steps = 5});
    EXPECT_THROW(second.restore(checkpoint.bytes), InputError);
    EXPECT_THROW(second.restore(std::span(checkpoint.bytes).first(20)), InputError);
}

TEST(Integrate, observers_and_monitors_do_not_change_a_bit) {
    for (const auto* record : some_methods()) {
        const auto model = Model::load(problem_for(*record));
        const auto chosen = method(examples(*record).front());
        const auto plain = integrate(model, chosen, {.step = 0.01, .steps = 1000, .monitor = 0});
        Recorder recorder;
        const auto watched =
            integrate(model, chosen, {.step = 0.01, .steps = 1000, .every = 3, .monitor = 1}, recorder);
        EXPECT_EQ(plain.q, watched.q) << record->name;
        EXPECT_EQ(plain.p, watched.p) << record->name;
        EXPECT_EQ(plain.evaluations.force, watched.evaluations.force);
        ASSERT_EQ(recorder.t.size(), 335U);  // 0, 3, ..., 999 and the last
        EXPECT_EQ(recorder.q.back(), watched.q);
        EXPECT_EQ(recorder.t[1], 0.03);
    }
}

TEST(Integrate, what_no_observer_looks_at_is_found_later_to_the_bit) {
    for (const auto* name :
         {"triple-pendulum", "damped-spherical-pendulum", "kepler", "chain", "andrews", "heavy-top"}) {
        const auto model = Model::load(name);
        ASSERT_TRUE(StateReader::suffices(model)) << name;
        const auto chosen = method(resolve(model, {}).method());
        const IntegrationOptions options{.step = 1e-4, .steps = 40, .every = 4};
        Recorder whole, states;
        Integration first(model, chosen, options), second(model, chosen, options);
        first.observe(whole);
        first.run();
        second.observe(states, Integration::Look::states);
        second.run();
        EXPECT_EQ(whole.q, states.q) << name;
        EXPECT_EQ(whole.v, states.v) << name;
        EXPECT_EQ(whole.energy, states.energy) << name;
        EXPECT_EQ(whole.constraint, states.constraint) << name;
        EXPECT_EQ(whole.hidden, states.hidden) << name;
        StateReader reader(model, states.t.size());
        for (std::size_t row = 0; row < states.t.size(); ++row) {
            const auto sample = reader.read(states.t[row], states.q[row], states.p[row]);
            EXPECT_TRUE(std::ranges::equal(sample.lambda, whole.lambda[row])) << name << ", row " << row;
            EXPECT_TRUE(std::ranges::equal(sample.observables, whole.observables[row])) << name << ", row " << row;
        }
    }
    for (const auto* name : {"rolling-disk", "friction-pendulum"}) {
        EXPECT_FALSE(StateReader::suffices(Model::load(name))) << name;
    }
}

// The bob starts at rest at height 0 and passes y = -0.5 after half a second or so; the first node below is the last
// one.
TEST(Integrate, a_stop_condition_ends_the_run_at_the_first_node_where_it_holds) {
    for (const auto* spec : {"rattle", "shake"}) {
        Recorder recorder;
        const auto run = integrate(Model::load("pendulum"), method(spec),
                                   {.step = 0.01, .steps = 1000, .stop_if = "y < -1/2 and t > 0.1"}, recorder);
        EXPECT_EQ(run.status, RunStatus::stopped);
        EXPECT_LT(run.q[1], -0.5);
        ASSERT_GT(recorder.q.size(), 2U);
        EXPECT_GE(recorder.q[recorder.q.size() - 2][1], -0.5);
        EXPECT_EQ(recorder.q.back(), run.q);
    }
    EXPECT_THROW(integrate(Model::load("pendulum"), method("rattle"), {.step = 0.01, .steps = 1, .stop_if = "yy < 0"}),
                 InputError);
    // Resuming where it stopped stays there.
    const IntegrationOptions options{.step = 0.01, .steps = 1000, .stop_if = "y < -1/2"};
    LastCheckpoint checkpoint;
    Integration first(Model::load("pendulum"), method("rattle"), options);
    first.checkpoint_to(checkpoint);
    const auto stopped = first.run();
    Integration second(Model::load("pendulum"), method("rattle"), options);
    second.restore(checkpoint.bytes);
    EXPECT_EQ(without_times(second.run()), without_times(stopped));
}

TEST(Integrate, time_is_counted_and_not_summed) {
    const auto run = integrate(Model::load("pendulum"), method("rattle"), {.step = 0.1, .steps = 100'000});
    EXPECT_EQ(run.t, 100'000 * 0.1);
}

// A free point moves by the same double c = h v in every step. The sum of a million of them, rounded once, is the exact
// product; plain addition would be off by some 1e-11.
TEST(Integrate, sums_over_steps_lose_nothing) {
    ModelBuilder builder("free");
    builder.coordinates({"x"});
    builder.mass(1).initial_position({1}).initial_velocity({0.1});
    const auto model = builder.build();
    const double c = 0.03 * 0.1;
    double plain = 1;
    for (int n = 0; n < 1'000'000; ++n) {
        plain += c;
    }
    const auto exact = static_cast<double>(Quad{1} + Quad{1'000'000} * c);
    EXPECT_GT(std::abs(plain - exact), 1e-11);
    for (const auto* spec : {"verlet", "leapfrog"}) {
        const auto run = integrate(model, method(spec), {.step = 0.03, .steps = 1'000'000, .monitor = 0});
        EXPECT_EQ(run.q[0], exact) << spec;
    }
}

// What the monitors report against the same quantities worked out here from the recorded states. The "invariant" is
// none, so that a monitor that does nothing is found out; SHAKE leaves a hidden residual far above round-off.
TEST(Integrate, monitors_report_the_maxima_over_the_recorded_states) {
    ModelBuilder builder("watched");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).potential(q[1]).constraint(q[0] * q[0] + q[1] * q[1] - 1);
    builder.invariant("height", q[1]).initial_position({1, 0});
    Recorder seen;
    const auto run = integrate(builder.build(), method("shake"), {.step = 0.05, .steps = 300}, seen);
    double energy = 0, hidden = 0, height = 0, position = 0;
    for (std::size_t n = 0; n < seen.t.size(); ++n) {
        const double x = seen.q[n][0], y = seen.q[n][1], px = seen.p[n][0], py = seen.p[n][1];
        energy = std::max(energy, std::abs((px * px + py * py) / 2 + y));  // H_0 = 0
        hidden = std::max(hidden, std::abs(2 * x * px + 2 * y * py));
        height = std::max(height, std::abs(y));
        position = std::max(position, seen.constraint[n]);
    }
    EXPECT_NEAR(run.energy.max_error, energy, 1e-15);
    EXPECT_GT(run.energy.max_error, 1e-4);
    EXPECT_NEAR(run.constraint.hidden_max, hidden, 1e-15);
    EXPECT_GT(run.constraint.hidden_max, 1e-4);
    EXPECT_EQ(run.invariants[0].max_error, height);
    EXPECT_GT(run.invariants[0].max_error, 0.9);
    EXPECT_EQ(run.constraint.max, position);
    EXPECT_GT(run.constraint.max, 0);
    EXPECT_EQ(run.evaluations.jacobian, 301);
    EXPECT_EQ(run.evaluations.constraint, run.evaluations.newton_iterations);
}

TEST(Integrate, the_position_residual_is_the_value_of_the_constraint) {
    const auto model = Model::load("pendulum");
    TermSystem<double> system(model);
    Manifold<double> manifold(system);
    NodeReader reader(model, system, manifold);
    const std::vector<double> q{1 + 1e-12, 0}, low{2e-17, 0}, p{0, 0};
    const auto sample = reader.read({0, q, low, p}, 0, true);
    EXPECT_NEAR(sample.constraint, 2e-12, 1e-15);
    const std::vector<double> on{1, 0};
    EXPECT_NEAR(reader.read({0, on, low, p}, 0, true).constraint, 4e-17, 1e-24);  // seen only on the pair
}

// A start within 1e-10 of the manifold is moved the rest of the way, beyond the last digit of q.
TEST(Integrate, the_start_is_refined_to_round_off) {
    ModelBuilder builder("far");
    const auto q = builder.coordinates({"x", "y"});
    const auto x = q[0] - 1'000'000;
    builder.mass(1)
        .constraint(x * x + q[1] * q[1] - 1)
        .initial_position({Expression(1'000'000) + ratio(3, 5), ratio(4, 5)});
    const auto run = integrate(builder.build(), method("rattle"), {.step = 0.01, .steps = 0});
    EXPECT_LT(run.constraint.max, 1e-15);  // 1e-10 without the low part
    EXPECT_LT(run.constraint.max_floors, 4);
}

// Stops itself at the third checkpoint; without periodic ones it would make all steps.
TEST(Integrate, checkpoints_are_saved_while_the_run_goes_on) {
    struct Counter final : CheckpointSink {
        void save(std::span<const std::byte>, const libration::Run&) override {
            if (++saved >= 3) {
                enough.request();
            }
        }
        int saved = 0;
        libration::StopSignal enough;
    } sink;
    Integration integration(Model::load("pendulum"), method("rattle"),
                            {.step = 0.01, .steps = 50'000'000, .monitor = 0});
    integration.checkpoint_to(sink, 0.02);
    integration.stop_on(sink.enough);
    EXPECT_LT(integration.run().steps, 50'000'000);
}

// q, p, v and lambda of one time, also for methods that know p only later.
TEST(Integrate, late_momenta_belong_to_the_time_of_the_positions) {
    const auto model = Model::load("kepler");
    const auto late = integrate(model, method("leapfrog"), {.step = 0.001, .steps = 1000});
    const auto prompt = integrate(model, method("verlet"), {.step = 0.001, .steps = 1000});
    EXPECT_EQ(late.t, prompt.t);
    EXPECT_EQ(late.steps, 1000);
    for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(late.q[j], prompt.q[j], 1e-12);
        EXPECT_NEAR(late.p[j], prompt.p[j], 1e-12);
    }
    EXPECT_EQ(late.evaluations.force, 1001);  // one step ahead
    EXPECT_EQ(prompt.evaluations.force, 1001);
}

TEST(Integrate, a_duration_becomes_a_whole_number_of_steps) {
    std::vector<std::string> warnings;
    EXPECT_EQ(count_steps({.step = 0.1, .duration = 0.3}, &warnings), 3);
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(count_steps({.step = 0.1, .duration = 1.04}, &warnings), 10);
    EXPECT_EQ(warnings.size(), 1U);
    EXPECT_EQ(count_steps({.step = -0.1, .duration = -1.0}), 10);
    EXPECT_THROW(count_steps({.step = 0.1, .duration = -1.0}), InputError);
    EXPECT_THROW(count_steps({.step = 0, .steps = 1}), InputError);
    EXPECT_THROW(count_steps({.step = std::nan(""), .steps = 1}), InputError);
    EXPECT_THROW(count_steps({.step = 0.1, .duration = 1.0, .steps = 1}), InputError);
    EXPECT_THROW(count_steps({.step = 0.1}), InputError);
    EXPECT_THROW(count_steps({.step = 0.1, .steps = std::numeric_limits<std::int64_t>::max()}), InputError);
}

// y = 0 and y + x z = 0 hold along the x axis; at x = 0 their gradients (0,1,0) and (z,1,x) become equal. Steps of 1/8
// lead there exactly.
TEST(Integrate, rank_lost_on_the_way_is_named_and_the_last_good_state_kept) {
    for (const auto* spec : {"rattle", "shake"}) {
        ModelBuilder builder("twist");
        const auto q = builder.coordinates({"x", "y", "z"});
        builder.mass(1).constraint("flat", q[1]).constraint("twisted", q[1] + q[0] * q[2]);
        builder.initial_position({1, 0, 0}).initial_velocity({-1, 0, 0});
        const auto run = integrate(builder.build(), method(spec), {.step = 0.125, .steps = 100});
        ASSERT_EQ(run.status, RunStatus::failed) << spec;
        EXPECT_EQ(run.failure->kind, "rank") << run.failure->message;
        EXPECT_NE(run.failure->message.find("flat, twisted are linearly dependent"), std::string::npos)
            << run.failure->message;
        EXPECT_EQ(run.steps, 7) << spec;
        EXPECT_EQ(run.q[0], 0.125) << spec;
    }
}

TEST(Integrate, a_gradient_that_vanishes_on_the_way_is_named) {
    ModelBuilder builder("cross");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).constraint("axes", q[0] * q[1]).initial_position({1, 0}).initial_velocity({-1, 0});
    const auto run = integrate(builder.build(), method("rattle"), {.step = 0.125, .steps = 100});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.failure->kind, "rank");
    EXPECT_NE(run.failure->message.find("the gradient of axes vanishes"), std::string::npos) << run.failure->message;
    EXPECT_EQ(run.q[0], 0.125);
}

TEST(Integrate, a_step_that_cannot_reach_the_constraint_says_so) {
    const auto run = integrate(Model::load("pendulum"), method("rattle"), {.step = 3, .steps = 100});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.failure->kind, "newton");
    EXPECT_NE(run.failure->message.find("smaller step"), std::string::npos);
}

// sqrt(x) pulls the point below 0, where the force is not defined: the last good state is the one before.
TEST(Integrate, a_singularity_ends_the_run_with_the_last_good_state) {
    ModelBuilder builder("fall");
    const auto q = builder.coordinates({"x"});
    builder.mass(1).potential(sqrt(q[0])).initial_position({1}).initial_velocity({0});
    const auto model = builder.build();
    for (const auto monitor : {0, 1}) {
        const auto run = integrate(model, method("verlet"), {.step = 0.1, .steps = 1000, .monitor = monitor});
        ASSERT_EQ(run.status, RunStatus::failed);
        ASSERT_TRUE(run.failure);
        EXPECT_EQ(run.failure->kind, "not-finite");
        EXPECT_EQ(run.failure->step, run.steps + 1);
        EXPECT_GT(run.q[0], 0);
        EXPECT_EQ(std::isfinite(run.energy.max_error), monitor != 0);  // nobody watched with 0
    }
}

// A pendulum whose hinge is itself a point, held at the origin by two constraints: coordinates at 0 without momentum or
// force, moved by cancelling multipliers only, have a floor all the same.
TEST(Integrate, a_point_that_rests_at_the_origin_can_be_held_there) {
    for (const auto* spec : {"rattle", "shake"}) {
        for (const double offset : {0.0, 0.25}) {
            ModelBuilder builder("hinge");
            const auto q = builder.coordinates({"ax", "ay", "bx", "by"});
            builder.mass(1).potential(q[3]).constraint(q[0]).constraint(q[1]);
            builder.constraint((q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 1);
            builder.initial_position({offset, 0, 0.6 + offset, -0.8});
            const auto run =
                integrate(builder.build(), method(spec), {.step = 0.01, .steps = 1000, .project = offset != 0});
            EXPECT_EQ(run.status, RunStatus::completed) << spec << ' ' << offset;
            EXPECT_LT(run.constraint.max, 1e-14) << spec << ' ' << offset;
        }
    }
}

// log(x) has no value where the step leads; the row stands second, behind one that is satisfied.
TEST(Integrate, a_constraint_that_is_not_a_number_is_not_satisfied) {
    ModelBuilder builder("edge");
    const auto q = builder.coordinates({"x", "y", "z"});
    builder.mass(1).constraint(q[2]).constraint(log(q[0]) - q[1]);
    builder.initial_position({1, 0, 0}).initial_velocity({-3, -3, 0});
    const auto run = integrate(builder.build(), method("rattle"), {.step = 0.5, .steps = 10});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.steps, 0);
    EXPECT_EQ(run.q[0], 1);
}

TEST(Integrate, a_gradient_that_vanishes_is_named_in_whatever_row) {
    for (const bool first : {false, true}) {
        ModelBuilder builder("vanish");
        const auto q = builder.coordinates({"x", "y", "z"});
        const auto fading = q[1] * max(0, 1 - q[0]);
        builder.mass(1).constraint("a", first ? fading : q[2]).constraint("b", first ? q[2] : fading);
        builder.initial_position({0, 0, 0}).initial_velocity({1, 0, 0});
        const auto run = integrate(builder.build(), method("rattle"), {.step = 0.3, .steps = 10});
        ASSERT_EQ(run.status, RunStatus::failed);
        EXPECT_EQ(run.failure->kind, "rank") << run.failure->message;
        EXPECT_NE(run.failure->message.find(first ? "of a vanishes" : "of b vanishes"), std::string::npos);
    }
}

// log(x) jumps over its singularity to negative x, where the state is finite and the energy is not.
TEST(Integrate, an_energy_that_is_not_defined_ends_the_run) {
    ModelBuilder builder("jump");
    const auto q = builder.coordinates({"x"});
    builder.mass(1).potential(log(q[0])).initial_position({1}).initial_velocity({0});
    const auto run = integrate(builder.build(), method("verlet"), {.step = 0.1, .steps = 1000});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.failure->kind, "not-finite");
    EXPECT_NE(run.failure->message.find("energy"), std::string::npos);
    EXPECT_EQ(run.failure->step, run.steps + 1);
    EXPECT_GT(run.q[0], 0);  // the last good state, before the jump
    EXPECT_TRUE(std::isfinite(run.energy.max_error));
}

TEST(Integrate, inconsistent_starts_are_refused_or_projected) {
    ModelBuilder builder("off");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).constraint("circle", q[0] * q[0] + q[1] * q[1] - 1);
    builder.initial_position({1.001, 0}).initial_velocity({0.1, 1});
    const auto model = builder.build();
    try {
        integrate(model, method("rattle"), {.step = 0.01, .steps = 1});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("`project`"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("circle"), std::string::npos);
    }
    const auto run = integrate(model, method("rattle"), {.step = 0.01, .steps = 1, .project = true});
    EXPECT_LT(run.constraint.max, 1e-15);
    EXPECT_LT(run.constraint.hidden_max, 1e-15);
}

// g = x^2 + y^2 - 1 has terms of size 2 at (1, 0), G v of size 2 |v|: up to 2e-10 each is rounding of what was given.
TEST(Integrate, starts_are_consistent_within_the_rounding_of_ten_digits_and_no_more) {
    ModelBuilder builder("circle");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).constraint("circle", q[0] * q[0] + q[1] * q[1] - 1);
    builder.initial_position({1, 0}).initial_velocity({0, 1});
    const auto system = make_system<double>(builder.build());
    const auto consistent = [&](double x, double v_x) {
        return consistency(*system, 0, std::vector{x, 0.0}, std::vector{v_x, 1.0}).consistent;
    };
    EXPECT_TRUE(consistent(1 + 0.5e-10, 0.5e-10));
    EXPECT_FALSE(consistent(1 + 4e-10, 0)) << "|g| = 8e-10";
    EXPECT_FALSE(consistent(1, 4e-10)) << "|G v| = 8e-10";
}

}  // namespace
}  // namespace libration
