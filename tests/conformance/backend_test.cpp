// Generated code gives the bits of the interpreter: results, samples, checkpoints, failures.
#include "interruption.hpp"
#include "pairs.hpp"

#include "codegen/machine_code.hpp"
#include "integrate/monitored_step.hpp"
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "methods/generated_stepper.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/builder.hpp>

#include <map>

namespace libration::conformance {
namespace {

std::string result_of(Run run) {
    run.backend = {};
    return without_times(std::move(run));
}

// Compiling takes longer than the runs: every fourth pair of a method.
std::vector<Pair> every_fourth_of_a_method(const std::vector<Pair>& pairs) {
    std::map<std::string, int> seen;
    std::vector<Pair> result;
    for (const auto& pair : pairs) {
        if (seen[pair.spec]++ % 4 == 0) {
            result.push_back(pair);
        }
    }
    return result;
}

class Backends : public testing::TestWithParam<Pair> {
  protected:
    void SetUp() override {
        if (!code_support().available) {
            GTEST_SKIP() << code_support().reason;
        }
    }
    // All that comes out of a run: its result, its samples, its memory at the end.
    struct Outcome {
        std::string result;
        Recorder samples;
        std::vector<std::byte> memory;
        std::string backend;
    };
    Outcome run(IntegrationOptions options, Backend backend, bool watched, std::span<const std::byte> memory = {}) {
        options.backend = backend;
        Outcome outcome;
        LastCheckpoint checkpoint;
        Integration integration(model_, method_, options);
        if (watched) {
            integration.observe(outcome.samples);
        }
        integration.checkpoint_to(checkpoint);
        if (!memory.empty()) {
            integration.restore(memory);
        }
        const auto made = integration.run();
        outcome.result = result_of(made);
        outcome.memory = checkpoint.bytes;
        outcome.backend = made.backend.name;
        return outcome;
    }
    void expect_same(const IntegrationOptions& options, bool watched) {
        const auto a = run(options, Backend::interpreted, watched), b = run(options, Backend::generated, watched);
        EXPECT_EQ(a.backend, "interpreted");
        EXPECT_EQ(b.backend.substr(0, 9), "generated") << b.result;
        EXPECT_EQ(a.result, b.result);
        EXPECT_EQ(a.memory, b.memory);
        EXPECT_EQ(a.samples.q, b.samples.q);
        EXPECT_EQ(a.samples.p, b.samples.p);
        EXPECT_EQ(a.samples.lambda, b.samples.lambda);
        EXPECT_EQ(a.samples.energy, b.samples.energy);
        EXPECT_EQ(a.samples.observables, b.samples.observables);
    }
    const Method method_ = method(GetParam().spec);
    const Model model_ = Model::load(std::string(GetParam().problem->model));
    const double step_ = GetParam().problem->options.step / 8;
};

TEST_P(Backends, give_the_same_bits_however_closely_one_looks) {
    for (const std::int64_t monitor : {0, 1, 7}) {
        expect_same({.step = step_, .steps = 60, .monitor = monitor}, false);
    }
    expect_same({.step = step_, .steps = 61, .every = 3, .monitor = 0}, true);
    expect_same({.step = step_, .steps = 61, .every = 7, .monitor = 1}, true);
}

// Past 1024 nodes every second energy is kept, and monitored steps are made two at a time.
TEST_P(Backends, monitor_the_same_at_every_node) { expect_same({.step = step_, .steps = 1200}, false); }

// Runs that end at a step and are made longer then: the first part by one, the rest by the other.
TEST_P(Backends, continue_each_other) {
    const auto whole = run({.step = step_, .steps = 60, .monitor = 7}, Backend::interpreted, false);
    const bool in_lanes = method_.lanes(make_system<double>(model_)->properties());
    for (const std::int64_t at : {0, 1, 2, 3, 37}) {
        for (const auto& [first, second] : {std::pair(Backend::generated, Backend::interpreted),
                                            std::pair(Backend::interpreted, Backend::generated)}) {
            const auto begun = run({.step = step_, .steps = at, .monitor = 7}, first, false);
            const auto ended = run({.step = step_, .steps = 60, .monitor = 7}, second, false, begun.memory);
            EXPECT_EQ(ended.result, whole.result) << "at " << at;
            EXPECT_TRUE(!in_lanes || ended.memory == whole.memory) << "at " << at;  // bdf keeps old scratch space
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, Backends, testing::ValuesIn(every_fourth_of_a_method(pairs_to_run())), pair_name);

Run expect_same_result(const Model& model, const std::string& spec, IntegrationOptions options,
                       const std::string& backend) {
    SCOPED_TRACE(spec + " on " + model.name);
    options.backend = Backend::interpreted;
    const auto oracle = integrate(model, method(spec), options);
    options.backend = Backend::generated;
    const auto run = integrate(model, method(spec), options);
    if (code_support().available) {
        EXPECT_EQ(run.backend.name.substr(0, backend.size()), backend) << run.backend.reason;
    }
    EXPECT_EQ(result_of(run), result_of(oracle));
    return oracle;
}

// y = 0 and y + x z = 0 depend on each other at x = 0, which the run passes exactly, or at a distance where rounding
// decides.
Model twisted(double from) {
    ModelBuilder twist("twist");
    const auto q = twist.coordinates({"x", "y", "z"});
    twist.mass(1).constraint("flat", q[1]).constraint("twisted", q[1] + q[0] * q[2]);
    return twist.initial_position({from, 0, 0}).initial_velocity({-1, 0, 0}).build();
}

// The force is not defined below 0.
Model falling() {
    ModelBuilder fall("fall");
    const auto x = fall.coordinates({"x"});
    return fall.mass(1).potential(sqrt(x[0])).initial_position({1}).initial_velocity({0}).build();
}

TEST(GeneratedRuns, fail_at_the_same_step_in_the_same_words) {
    for (const std::int64_t monitor : {0, 1, 5}) {
        for (const auto* spec : {"rattle", "shake"}) {
            for (const double from : {1.0, 1 + 1e-7}) {
                const IntegrationOptions options{.step = 1.0 / 32, .steps = 1000, .monitor = monitor};
                const auto run = expect_same_result(twisted(from), spec, options, "generated step");
                ASSERT_TRUE(run.failure);
                EXPECT_EQ(run.failure->kind, "rank");
            }
        }
        const auto run = expect_same_result(falling(), "verlet", {.step = 0.02, .steps = 1000, .monitor = monitor},
                                            "generated step");
        ASSERT_TRUE(run.failure);
        EXPECT_EQ(run.failure->kind, "not-finite");
    }
    for (const auto* model : {"pendulum", "triple-pendulum", "kepler"}) {
        for (const auto* spec : {"lobatto(3)", "rattle"}) {
            expect_same_result(Model::load(model), spec, {.step = 0.2, .steps = 2000, .monitor = 0}, "generated");
        }
    }
}

// Lobatto methods solve some steps of this linkage in a second way, which no lane has: those steps go to the ordinary
// method.
TEST(GeneratedRuns, leave_to_the_interpreter_what_only_it_can) {
    for (const auto* spec : {"lobatto(2)", "lobatto(3)"}) {
        expect_same_result(Model::load("four-bar"), spec, {.step = 0.01, .duration = 10, .monitor = 3}, "generated");
    }
}

TEST(GeneratedRuns, use_kernels_where_a_step_is_too_long_or_chooses_its_length) {
    expect_same_result(Model::load("chain", {{"n", "300"}}), "rattle", {.step = 0.001, .steps = 20},
                       "generated kernels");
    expect_same_result(Model::load("kepler"), "lobatto(3)",
                       {.step = 0.1, .duration = 5, .adaptive = AdaptiveOptions{.tolerance = 1e-6}},
                       "generated kernels");
    expect_same_result(Model::load("friction-pendulum"), "spark(3)", {.step = 0.01, .steps = 50}, "generated kernels");
    expect_same_result(Model::load("rolling-disk"), "spark(3)", {.step = 0.01, .steps = 50}, "generated kernels");
}

// The damped one is solved without a matrix, and so is the stiff one until its step is too long for that.
TEST(GeneratedRuns, use_steps_of_spark_where_they_need_no_pivots) {
    expect_same_result(Model::load("triple-pendulum"), "spark(3)", {.step = 0.01, .steps = 50}, "generated step");
    expect_same_result(Model::load("damped-spherical-pendulum"), "spark(3)", {.step = 0.02, .steps = 50},
                       "generated step");
    const auto stiffness = [](const char* value) {
        return Model::load("stiff-spring-pendulum", {{"stiffness", value}, {"gamma", "0"}});
    };
    expect_same_result(stiffness("1e8"), "spark(3)", {.step = 0.02, .steps = 50}, "generated kernels");
}

// Angles that count turns, redundant rows, invariants, time, a whole hamiltonian, fields; and what monitors in a step
// cannot do.
TEST(GeneratedRuns, monitor_the_same_whatever_the_model_is_made_of) {
    for (const auto* name : {"rod-pendulum", "double-pendulum-rods", "door", "gimbal", "bennett", "five-bar", "kepler",
                             "toda", "charged-particle", "abc-flow", "reversible-field", "pendulum-angle",
                             "pendulum-redundant", "double-pendulum", "four-bar"}) {
        const auto model = Model::load(name);
        const double step = model.run.step.value_or(0.01);
        expect_same_result(model, model.run.method.value_or("rattle"), {.step = step / 4, .steps = 2500}, "generated");
    }
}

// What is monitored may end or lose its meaning while the motion goes on.
TEST(GeneratedRuns, stop_where_the_energy_ends_and_pass_where_an_invariant_does) {
    ModelBuilder well("well");
    const auto x = well.coordinates({"x"});
    well.mass(1).potential(log(x[0]) / 1000).initial_position({1}).initial_velocity({-1});
    const auto stopped =
        expect_same_result(well.build(), "verlet", {.step = 1.0 / 4099, .steps = 5000}, "generated step");
    ASSERT_TRUE(stopped.failure);
    EXPECT_EQ(stopped.failure->kind, "not-finite");
    EXPECT_GT(stopped.steps, 3000);

    ModelBuilder drift("drift");
    const auto y = drift.coordinates({"y"});
    drift.mass(1).potential(Expression(0) * y[0]).invariant("root", sqrt(y[0]));
    const auto passed = expect_same_result(drift.initial_position({1}).initial_velocity({-1}).build(), "verlet",
                                           {.step = 1.0 / 4099, .steps = 5000}, "generated step");
    EXPECT_EQ(passed.status, RunStatus::completed);
    EXPECT_TRUE(std::isnan(passed.invariants[0].max_error));
    EXPECT_EQ(passed.energy.max_error, 0);
}

TEST(GeneratedRuns, know_events_stop_conditions_and_times) {
    const auto model = Model::load("triple-pendulum");
    expect_same_result(model, "rattle", {.step = 0.01, .steps = 300, .stop_if = model.coordinate_name(0) + " < 0"},
                       "generated");
    expect_same_result(model, "rattle", {.step = 0.01, .steps = 300, .monitor = 0, .at = {0.5, 1.234, 2.5}},
                       "generated");
}

// Code that refuses steps at will, as if they were not good.
class Moody final : public StepCode {
  public:
    explicit Moody(std::shared_ptr<const StepCode> code) : code_(std::move(code)) {}
    [[nodiscard]] std::size_t lanes() const override { return 1; }
    std::int64_t run(std::int64_t steps, const double* constants, double* state, double* other,
                     double* worst) const override {
        const auto allowed = std::min<std::int64_t>(steps, 7 * mood_++ % 5);
        return allowed == 0 ? 0 : code_->run(allowed, constants, state, other, worst);
    }

  private:
    std::shared_ptr<const StepCode> code_;
    mutable std::int64_t mood_ = 0;
};

std::vector<double> state_of(Stepper<double>& stepper) {
    const auto node = stepper.node();
    std::vector<double> state{node.t};
    for (const auto& part : {node.q, node.q_low, node.p}) {
        state.insert(state.end(), part.begin(), part.end());
    }
    for (const double count : stepper.evaluations().count) {
        state.push_back(count);
    }
    return state;
}

// As a run does it, but all steps in one call: none of them leaves the code.
TEST(GeneratedSteps, monitor_their_nodes) {
    if (!code_support().available) {
        GTEST_SKIP() << code_support().reason;
    }
    for (const auto* spec : {"rattle", "shake", "lobatto(3)", "multistep(4)"}) {
        SCOPED_TRACE(spec);
        const auto model = Model::load("triple-pendulum");
        const auto how = method(spec);
        const auto system = make_system<double>(model);
        const auto start = start_state<double>(model, *system);
        auto ordinary = make_stepper<double>(how, *system);
        ordinary->start(0, start.q, start.p, 0.01);
        auto watcher = MonitorInStep::make(model);
        std::string why_not;
        const auto step = record_step(model, how, *system, ordinary->node(), 0.01, why_not, watcher.get());
        ASSERT_TRUE(step) << why_not;
        const auto code = generate_step(step->program, 1, &why_not);
        ASSERT_TRUE(code) << why_not;
        Manifold<double> manifold(*system);
        NodeReader reader(model, *system, manifold);
        Monitor monitor(model, reader.invariants().size(), 1);
        monitor.begin(reader.read(ordinary->node(), 0, true), reader.invariants());
        GeneratedStepper stepper(std::move(ordinary), *step, code);
        constexpr std::int64_t first = 20, more = 500;
        for (std::int64_t n = 1 - how.lag(); n <= first; ++n) {
            stepper.advance();
            stepper.accept();
            const auto sample = reader.read(stepper.node(), std::max<std::int64_t>(n, 0), true);
            if (n >= 1) {
                monitor.follow(sample);
                monitor.update(sample, reader.invariants());
            }
        }
        FlatMemory<double> numbers;
        monitor.visit_for_steps(numbers);
        double worst = 0;
        ASSERT_EQ(stepper.leap(more, worst, numbers.arrays), more);
        libration::Run run;
        run.monitor = 1;
        monitor.summarize(run, reader.read(stepper.node(), first + more, true), reader.invariants(), model);
        const auto oracle =
            integrate(model, how, {.step = 0.01, .steps = first + more, .backend = Backend::interpreted});
        run.energy_history = oracle.energy_history;  // energies are kept where the code is left
        EXPECT_EQ(monitored(run), monitored(oracle));
        EXPECT_EQ(run.energy.max_error, oracle.energy.max_error);
        EXPECT_EQ(run.constraint.max, oracle.constraint.max);
        EXPECT_EQ(run.constraint.hidden_max, oracle.constraint.hidden_max);
        EXPECT_GT(run.constraint.hidden_max, 0);
    }
}

TEST(GeneratedSteps, may_be_refused_at_any_time) {
    if (!code_support().available) {
        GTEST_SKIP() << code_support().reason;
    }
    for (const auto* spec : {"rattle", "shake", "lobatto(3)", "multistep(4)", "compose(rattle, suzuki4)"}) {
        SCOPED_TRACE(spec);
        const auto model = Model::load("triple-pendulum");
        const auto system = make_system<double>(model);
        const auto start = start_state<double>(model, *system);
        const auto how = method(spec);
        const auto alone = make_stepper<double>(how, *system);
        auto ordinary = make_stepper<double>(how, *system);
        alone->start(0, start.q, start.p, 0.01);
        ordinary->start(0, start.q, start.p, 0.01);
        const auto integers = settled_integers(how, *system, alone->node(), 0.01);
        ASSERT_TRUE(integers);
        std::string why_not;
        const auto step = record_step(model, how, *integers, why_not);
        ASSERT_TRUE(step) << why_not;
        const auto code = generate_step(step->program, 1, &why_not);
        ASSERT_TRUE(code) << why_not;
        GeneratedStepper stepper(std::move(ordinary), *step, std::make_shared<Moody>(code));
        std::int64_t made = 0, leapt = 0;
        while (made < 100) {
            double worst = 0;
            const auto leap = made % 3 == 0 ? stepper.leap(5, worst) : 0;
            if (leap == 0) {
                stepper.advance();
                const auto trial = stepper.trial_node();
                const std::vector<double> seen(trial.p.begin(), trial.p.end());
                if (made % 2 == 0) {
                    static_cast<void>(state_of(stepper));  // nobody accepted it yet
                }
                stepper.accept();
                const auto node = stepper.node();
                EXPECT_EQ(seen, std::vector<double>(node.p.begin(), node.p.end())) << made;
            }
            for (std::int64_t n = 0; n < std::max<std::int64_t>(leap, 1); ++n) {
                alone->advance();
                alone->accept();
            }
            made += std::max<std::int64_t>(leap, 1);
            leapt += leap;
            ASSERT_EQ(state_of(stepper), state_of(*alone)) << made;
        }
        EXPECT_GT(leapt, 10);
    }
}

}  // namespace
}  // namespace libration::conformance
