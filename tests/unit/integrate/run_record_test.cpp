// A run as a record, and the run that is read back from it.
#include "io/record_bytes.hpp"

#include "integrate/run_record.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Every value differs from the one that it has by itself, and from all others of its kind.
Run peculiar_run() {
    Run run;
    run.model = "model";
    run.method = "method";
    run.order = 7;
    run.step = 0.1;
    run.steps = 11;
    run.steps_made = 12;
    run.t = 0.2;
    run.status = RunStatus::failed;
    run.failure = RunFailure{13, 0.3, "kind", "message\nof two lines"};
    run.q = {1.1, infinity};
    run.p = {1.2, -0.0};
    run.v = {1.3, std::numeric_limits<double>::denorm_min()};
    run.lambda = {1.4};
    run.seconds = 0.4;
    run.setup_seconds = 0.5;
    run.energy.initial = 0.6;
    run.energy.final = 0.7;
    run.energy.final_error = 0.8;
    run.energy.max_error = 0.9;
    run.energy.conserved = false;
    run.constraint.max = 2.1;
    run.constraint.hidden_max = 2.2;
    run.constraint.max_floors = 2.3;
    run.energy_scale = {2.31, 2.32, 2.33};
    run.turn = 2.34;
    run.energy_history = {{0, 0.1, 0.2}, {0, 1e-17, -2e-17}, 2};
    run.adaptive.options =
        AdaptiveOptions{AdaptiveOptions::Control::standard, 2.4, AdaptiveOptions::Estimator::antisymmetric};
    run.adaptive.smallest = 2.5;
    run.adaptive.largest = 2.6;
    run.adaptive.rejected = 14;
    run.invariants = {{"first", 3.1, 3.2, 3.3}, {"second", 3.4, 3.5, 3.6}};
    run.events = {{"often", 15, 4.1, 4.2, 4.3, 4.4}};
    run.evaluations = {16, 17, 18, 19, 20};
    run.warnings = {"one", "two"};
    run.backend.name = "backend";
    run.backend.reason = "reason";
    run.backend.seconds = 5.1;
    return run;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same(const Run& a, const Run& b) {
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.method, b.method);
    EXPECT_EQ(a.order, b.order);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.steps_made, b.steps_made);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.status, b.status);
    ASSERT_EQ(a.failure.has_value(), b.failure.has_value());
    if (a.failure) {
        EXPECT_EQ(a.failure->step, b.failure->step);
        EXPECT_EQ(a.failure->t, b.failure->t);
        EXPECT_EQ(a.failure->kind, b.failure->kind);
        EXPECT_EQ(a.failure->message, b.failure->message);
    }
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(a.v, b.v);
    EXPECT_EQ(a.lambda, b.lambda);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.setup_seconds, b.setup_seconds);
    EXPECT_EQ(a.energy.initial, b.energy.initial);
    EXPECT_EQ(a.energy.final, b.energy.final);
    EXPECT_EQ(a.energy.final_error, b.energy.final_error);
    EXPECT_EQ(a.energy.max_error, b.energy.max_error);
    EXPECT_EQ(a.energy.conserved, b.energy.conserved);
    EXPECT_EQ(a.constraint.max, b.constraint.max);
    EXPECT_EQ(a.constraint.hidden_max, b.constraint.hidden_max);
    EXPECT_EQ(a.constraint.max_floors, b.constraint.max_floors);
    EXPECT_TRUE(same(a.energy_scale.kinetic, b.energy_scale.kinetic));
    EXPECT_TRUE(same(a.energy_scale.potential_low, b.energy_scale.potential_low));
    EXPECT_TRUE(same(a.energy_scale.potential_high, b.energy_scale.potential_high));
    EXPECT_TRUE(same(a.turn, b.turn));
    EXPECT_EQ(a.energy_history.t, b.energy_history.t);
    EXPECT_EQ(a.energy_history.error, b.energy_history.error);
    EXPECT_EQ(a.energy_history.stride, b.energy_history.stride);
    EXPECT_EQ(a.adaptive.options, b.adaptive.options);
    EXPECT_EQ(a.adaptive.smallest, b.adaptive.smallest);
    EXPECT_EQ(a.adaptive.largest, b.adaptive.largest);
    EXPECT_EQ(a.adaptive.rejected, b.adaptive.rejected);
    ASSERT_EQ(a.invariants.size(), b.invariants.size());
    for (std::size_t k = 0; k < a.invariants.size(); ++k) {
        EXPECT_EQ(a.invariants[k].name, b.invariants[k].name);
        EXPECT_EQ(a.invariants[k].initial, b.invariants[k].initial);
        EXPECT_EQ(a.invariants[k].final, b.invariants[k].final);
        EXPECT_EQ(a.invariants[k].max_error, b.invariants[k].max_error);
    }
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t k = 0; k < a.events.size(); ++k) {
        EXPECT_EQ(a.events[k].name, b.events[k].name);
        EXPECT_EQ(a.events[k].count, b.events[k].count);
        EXPECT_EQ(a.events[k].first, b.events[k].first);
        EXPECT_EQ(a.events[k].last, b.events[k].last);
        EXPECT_EQ(a.events[k].smallest, b.events[k].smallest);
        EXPECT_EQ(a.events[k].largest, b.events[k].largest);
    }
    EXPECT_EQ(a.evaluations.force, b.evaluations.force);
    EXPECT_EQ(a.evaluations.constraint, b.evaluations.constraint);
    EXPECT_EQ(a.evaluations.jacobian, b.evaluations.jacobian);
    EXPECT_EQ(a.evaluations.newton_iterations, b.evaluations.newton_iterations);
    EXPECT_EQ(a.evaluations.factorizations, b.evaluations.factorizations);
    EXPECT_EQ(a.warnings, b.warnings);
    EXPECT_EQ(a.backend.name, b.backend.name);
    EXPECT_EQ(a.backend.reason, b.backend.reason);
    EXPECT_EQ(a.backend.seconds, b.backend.seconds);
}

TEST(RunRecord, gives_every_value_of_the_run_back) {
    expect_same(run_of(record_of(peculiar_run())), peculiar_run());
    expect_same(run_of(record_of(libration::Run())), libration::Run());
}

TEST(RunRecord, survives_as_bytes) {
    expect_same(run_of(record_of_bytes(bytes_of(record_of(peculiar_run())))), peculiar_run());
    auto unknown = peculiar_run();
    unknown.energy.max_error = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(run_of(record_of_bytes(bytes_of(record_of(unknown)))).energy.max_error));
}

TEST(RunRecord, has_no_times_of_an_event_that_never_happened) {
    libration::Run run;
    run.events = {{"never", 0, 0, 0, -1, 1}};
    const auto record = record_of(run);
    const auto& event = *record.find("events")->as<Record>()->find("never")->as<Record>();
    EXPECT_NE(event.find("first")->as<std::monostate>(), nullptr);
    EXPECT_EQ(*event.find("largest")->as<double>(), 1);
}

TEST(RunRecord, of_damaged_bytes_is_refused) {
    auto bytes = bytes_of(record_of(peculiar_run()));
    for (const std::size_t size : {std::size_t{0}, std::size_t{9}, bytes.size() / 2, bytes.size() - 1}) {
        EXPECT_THROW(record_of_bytes(std::span(bytes).first(size)), FileError) << size;
    }
    Record wrong;
    wrong.add("steps", "many");
    EXPECT_THROW(run_of(wrong), FileError);
}

}  // namespace
}  // namespace libration
