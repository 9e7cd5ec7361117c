// Every trajectory of an ensemble is a run of its own, whatever happens beside it.
#include <libration/ensemble/ensemble.hpp>
#include <libration/kit/method_record.hpp>

#include "ensemble/lane_stepper.hpp"
#include "integrate/start.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace libration {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

// What a run of its own gives; nothing of it may differ.
void expect_same(const TrajectoryOutcome& outcome, const Run& run, const std::string& where) {
    EXPECT_EQ(outcome.status, run.status) << where;
    EXPECT_EQ(outcome.steps, run.steps) << where;
    EXPECT_TRUE(same_bits(outcome.q, run.q)) << where;
    EXPECT_TRUE(same_bits(outcome.p, run.p)) << where;
    EXPECT_TRUE(same_bits({outcome.t, outcome.energy_initial, outcome.energy_error, outcome.energy_error_max},
                          {run.t, run.energy.initial, run.energy.final_error, run.energy.max_error}))
        << where;
    EXPECT_TRUE(same_bits({outcome.constraint_max, outcome.hidden_max, outcome.floors_max},
                          {run.constraint.max, run.constraint.hidden_max, run.constraint.max_floors}))
        << where;
    ASSERT_EQ(outcome.failure.has_value(), run.failure.has_value()) << where;
    if (run.failure) {
        EXPECT_EQ(outcome.failure->step, run.failure->step) << where;
        EXPECT_EQ(outcome.failure->t, run.failure->t) << where;
        EXPECT_EQ(outcome.failure->kind, run.failure->kind) << where;
        EXPECT_EQ(outcome.failure->message, run.failure->message) << where;
    }
}

const std::string pendulum = R"toml(
[parameters]
g = 1.0
l = 1.0
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "g*y"
constraints = ["x^2 + y^2 - l^2"]
[initial]
q = ["l*0.6", "-l*0.8"]
v = [0.4, 0.3]
[observables]
height = "y"
)toml";

// The text of the model with another start, for a single run.
std::string pendulum_with_velocity(double vx, double vy) {
    auto text = pendulum;
    const std::string old = "v = [0.4, 0.3]";
    return text.replace(text.find(old), old.size(), fmt::format("v = [{}, {}]", vx, vy));
}

VariedValues varied(const std::vector<std::string>& texts, std::size_t count, std::uint64_t seed = 1) {
    std::vector<Variation> variations;
    for (const auto& text : texts) {
        variations.push_back(read_variation(text));
    }
    return draw_all(variations, seed, count);
}

// Those in which steps are made in lanes: by packs, and by generated code.
class EnsembleLanes : public testing::TestWithParam<Backend> {
  protected:
    // Whether the lanes are those that were asked for.
    static void expect_backend(const EnsembleResult& result, const Method& method, bool lanes = true) {
        const bool generated = GetParam() == Backend::generated && lanes;
        EXPECT_EQ(result.backend.starts_with("generated step"), generated) << method.name() << ": " << result.backend;
        EXPECT_EQ(result.warnings.empty(), GetParam() == Backend::interpreted || lanes) << method.name();
        EXPECT_EQ(result.lanes_note.empty(), lanes) << method.name();
    }
};
INSTANTIATE_TEST_SUITE_P(Backends, EnsembleLanes, testing::Values(Backend::interpreted, Backend::generated),
                         [](const auto& which) {
                             return which.param == Backend::generated ? "generated" : "interpreted";
                         });

class Collect final : public EnsembleSink {
  public:
    void finished(const BatchRecord& batch) override {
        batches.push_back(batch);
        if (stop_after == batches.size()) {
            stop.request();
        }
    }
    std::vector<BatchRecord> batches;
    std::size_t stop_after = 0;
    StopSignal stop;
};

TEST_P(EnsembleLanes, has_the_bits_of_single_runs_whatever_the_method_the_count_and_the_threads) {
    // With and without lanes, with and without late nodes; 21 and 5 fill neither the last batch nor the last lanes.
    struct Case {
        std::string spec, more;
        bool lanes = true;
    };
    const std::string drag =
        "[[forces]]\nname = \"drag\"\nclass = \"dissipative\"\non = { x = \"-0.1*v_x\", y = \"-0.1*v_y\" }\n";
    const std::string newton = "[spark]\nnewton = \"full\"\n";
    const Case cases[] = {{"rattle", ""},   {"lobatto(3)", ""}, {"multistep(4)", ""},       {"shake", ""},
                          {"spark(2)", ""}, {"spark(2)", drag}, {"spark(2)", newton, false}};
    for (const auto& [spec, more, lanes] : cases) {
        const auto model = Model::parse(pendulum + more, "pendulum");
        for (const auto& [count, threads] : {std::pair(21, 3U), std::pair(5, 1U), std::pair(1, 2U)}) {
            const IntegrationOptions options{.step = 0.03, .steps = 130, .monitor = 7};
            const auto result = run_ensemble(
                model, method(spec), options,
                {.values = varied({"g = uniform(0.5, 2)", "l = uniform(0.9, 1.3)"}, static_cast<std::size_t>(count)),
                 .threads = threads,
                 .backend = GetParam()});
            expect_backend(result, method(spec), lanes);
            ASSERT_EQ(result.trajectories.size(), static_cast<std::size_t>(count));
            for (std::size_t k = 0; k < result.trajectories.size(); ++k) {
                const auto single = integrate(Model::parse(pendulum + more, "pendulum",
                                                           {{"g", fmt::format("{}", result.values.at(k, 0))},
                                                            {"l", fmt::format("{}", result.values.at(k, 1))}}),
                                              method(spec), options);
                EXPECT_EQ(single.status, RunStatus::completed);
                expect_same(result.trajectories[k], single, fmt::format("{} of {}, trajectory {}", spec, count, k));
            }
        }
    }
}

TEST_P(EnsembleLanes, varies_initial_values_beside_parameters) {
    const auto model = Model::parse(pendulum, "pendulum");
    const IntegrationOptions options{.step = 0.03, .steps = 50, .monitor = 0, .project = true};
    const auto result =
        run_ensemble(model, method("rattle"), options,
                     {.values = varied({"v_x = uniform(-1, 1)", "g = linspace(1, 2)", "v_y = normal(0, 0.5)"}, 19),
                      .threads = 2,
                      .backend = GetParam()});
    expect_backend(result, method("rattle"));
    for (std::size_t k = 0; k < 19; ++k) {
        const auto text = pendulum_with_velocity(result.values.at(k, 0), result.values.at(k, 2));
        const auto single =
            integrate(Model::parse(text, "pendulum", {{"g", fmt::format("{}", result.values.at(k, 1))}}),
                      method("rattle"), options);
        expect_same(result.trajectories[k], single, fmt::format("trajectory {}", k));
    }
}

// Two trajectories pass x = 1. There the force of sqrt is no number and the step fails; with log the force is finite,
// but H is not. The others do not come near.
const std::string well = R"toml(
[parameters]
depth = 0.0
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "(x^2 + y^2)/2 + depth*sqrt(1 - x)"
[initial]
q = [0.5, 0.1]
p = [0, 0.2]
)toml";

TEST_P(EnsembleLanes, reports_a_trajectory_that_fails_and_does_not_change_a_bit_of_its_neighbours) {
    for (const auto& [spec, wall] :
         {std::pair("verlet", "sqrt"), std::pair("gauss(2)", "sqrt"), std::pair("verlet", "log")}) {
        auto walled = well;
        walled.replace(walled.find("sqrt"), 4, wall);
        const auto model = Model::parse(walled, "well");
        const IntegrationOptions options{.step = 0.05, .steps = 200, .monitor = 3};
        VariedValues values{{"p_x", "depth"}, {}};
        for (int k = 0; k < 12; ++k) {
            const bool fails = k == 3 || k == 8;
            values.values.push_back(fails ? 1.5 + 0.1 * k : 0.01 * k);
            values.values.push_back(fails ? 1e-3 : 0.0);
        }
        Collect sink;
        const auto result =
            run_ensemble(model, method(spec), options, {.values = values, .trajectories = true, .backend = GetParam()},
                         {.sink = &sink});
        expect_backend(result, method(spec), method(spec).lanes());
        EXPECT_EQ(result.count(RunStatus::failed), 2U) << spec;
        for (std::size_t k = 0; k < 12; ++k) {
            auto text = walled;
            text.replace(text.find("p = [0,"), 7, fmt::format("p = [{},", values.at(k, 0)));
            Recorder recorder;
            const auto single = integrate(Model::parse(text, "well", {{"depth", fmt::format("{}", values.at(k, 1))}}),
                                          method(spec), options, recorder);
            const auto& frames = sink.batches.at(0).trajectories[k].frames;
            ASSERT_EQ(frames.rows(), recorder.q.size()) << spec << k;
            for (std::size_t row = 0; row < frames.rows(); ++row) {
                EXPECT_EQ(frames.numbers[4 * row + 1], recorder.q[row][1]) << spec << k;
            }
            EXPECT_EQ(single.status, k == 3 || k == 8 ? RunStatus::failed : RunStatus::completed) << spec << k;
            expect_same(result.trajectories[k], single, fmt::format("{}, trajectory {}", spec, k));
        }
        // Statistics go on with those that are left.
        EXPECT_EQ(result.by_node.front().count, 12U);
        EXPECT_EQ(result.by_node.back().count, 10U);
    }
}

// M(q) is watched at every step, between monitored nodes too: half of these trajectories pass x = 1.
TEST_P(EnsembleLanes, watches_masses_as_a_single_run_does) {
    const std::string text = R"toml(
[parameters]
push = 1.0
[coordinates]
q = ["x", "y"]
[dynamics]
kinetic = "(1 - x)*v_x^2/2 + v_y^2/2"
potential = "y^2/2"
[initial]
q = [0, 1]
v = ["push", 0]
)toml";
    const IntegrationOptions options{.step = 0.02, .steps = 60, .monitor = 20};
    const auto result = run_ensemble(Model::parse(text, "sled"), method("lobatto(3)"), options,
                                     {.values = varied({"push = linspace(-1, 1)"}, 10), .backend = GetParam()});
    expect_backend(result, method("lobatto(3)"));
    EXPECT_TRUE(result.lanes_note.empty()) << result.lanes_note;
    EXPECT_GT(result.count(RunStatus::failed), 0U);
    EXPECT_GT(result.count(RunStatus::completed), 0U);
    for (std::size_t k = 0; k < 10; ++k) {
        const auto single = integrate(Model::parse(text, "sled", {{"push", fmt::format("{}", result.values.at(k, 0))}}),
                                      method("lobatto(3)"), options);
        expect_same(result.trajectories[k], single, fmt::format("trajectory {}", k));
    }
}

bool lanes_refuse_a_step(const Model& model, const Method& method, const IntegrationOptions& options) {
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto stepper = make_stepper<double>(method, *system);
    stepper->start(0, start.q, start.p, options.step);
    const auto lanes = pack_backend(method)->make(model, {});
    for (std::size_t lane = 0; lane < lanes->lanes(); ++lane) {
        lanes->load(lane, memory_of(*stepper));
    }
    return !lanes->run(*options.steps).refused.empty();
}

// lobatto alone has a second way to solve its equations, lanes have not: bars that pass through a stretched position.
TEST_P(EnsembleLanes, goes_on_alone_where_only_a_single_run_can_solve_the_step) {
    const auto model = Model::load("four-bar");
    const IntegrationOptions options{.step = 0.05, .steps = 200, .monitor = 10};
    EXPECT_TRUE(lanes_refuse_a_step(model, method("lobatto(3)"), options));
    const auto result = run_ensemble(model, method("lobatto(3)"), options,
                                     {.values = varied({"g = uniform(9, 11)"}, 9), .backend = GetParam()});
    expect_backend(result, method("lobatto(3)"));
    EXPECT_TRUE(result.lanes_note.empty());
    for (std::size_t k = 0; k < 9; ++k) {
        const auto single = integrate(Model::load("four-bar", {{"g", fmt::format("{}", result.values.at(k, 0))}}),
                                      method("lobatto(3)"), options);
        expect_same(result.trajectories[k], single, fmt::format("trajectory {}", k));
    }
}

TEST(Ensemble, reports_a_start_that_is_none_as_a_failed_trajectory_unless_all_are) {
    const auto model = Model::parse(pendulum, "pendulum");
    const IntegrationOptions options{.step = 0.03, .steps = 10, .monitor = 1};
    VariedValues values{{"x"}, {0.6, 0.7, 0.6}};
    const auto result = run_ensemble(model, method("rattle"), options, {.values = values});
    EXPECT_EQ(result.trajectories[0].status, RunStatus::completed);
    EXPECT_EQ(result.trajectories[2].status, RunStatus::completed);
    ASSERT_TRUE(result.trajectories[1].failure);
    EXPECT_EQ(result.trajectories[1].failure->kind, "start");
    EXPECT_EQ(result.trajectories[1].failure->step, 0);
    EXPECT_EQ(result.by_node.front().count, 2U);
    values.values = {0.7, 0.8};
    EXPECT_THROW(run_ensemble(model, method("rattle"), options, {.values = values}), InputError);
}

TEST(Ensemble, has_statistics_that_do_not_depend_on_threads) {
    const auto model = Model::parse(pendulum, "pendulum");
    const IntegrationOptions options{.step = 0.03, .steps = 40, .monitor = 16};
    const auto values = varied({"g = uniform(0.5, 2)"}, 50);
    const auto one = run_ensemble(model, method("rattle"), options, {.values = values, .threads = 1});
    const auto four = run_ensemble(model, method("rattle"), options, {.values = values, .threads = 4});
    EXPECT_EQ(one.times.size(), 4U);  // 0, 16, 32 and the last
    EXPECT_EQ(one.channels, (std::vector<std::string>{"x", "y", "energy_error", "height"}));
    ASSERT_EQ(one.by_node.size(), 16U);
    for (std::size_t k = 0; k < one.by_node.size(); ++k) {
        EXPECT_EQ(one.by_node[k].mean, four.by_node[k].mean);
        EXPECT_EQ(one.by_node[k].deviation, four.by_node[k].deviation);
        EXPECT_EQ(one.by_node[k].quantiles, four.by_node[k].quantiles);
    }
    double sum = 0, largest = -2;
    for (const auto& outcome : one.trajectories) {
        sum += outcome.q[1] - one.trajectories[0].q[1];
        largest = std::max(largest, outcome.q[1]);
    }
    EXPECT_EQ(one.by_node[13].mean, one.trajectories[0].q[1] + sum / 50);
    EXPECT_EQ(one.by_node[13].largest, largest);
    EXPECT_EQ(one.by_node[15].mean, one.by_node[13].mean);  // the observable is y
}

TEST(Ensemble, continues_from_finished_batches) {
    const auto model = Model::parse(pendulum, "pendulum");
    const IntegrationOptions options{.step = 0.03, .steps = 40, .every = 5, .monitor = 10};
    const EnsembleOptions ensemble{.values = varied({"g = uniform(0.5, 2)"}, 50), .trajectories = true};
    Collect whole, part, rest;
    const auto expected = run_ensemble(model, method("rattle"), options, ensemble, {.sink = &whole});
    EXPECT_EQ(whole.batches.size(), 4U);
    EXPECT_EQ(whole.batches[0].trajectories[0].frames.rows(), 9U);
    part.stop_after = 2;
    const auto stopped = run_ensemble(model, method("rattle"), options, ensemble, {.sink = &part, .stop = &part.stop});
    EXPECT_FALSE(stopped.complete);
    ASSERT_EQ(part.batches.size(), 2U);
    const auto again =
        run_ensemble(model, method("rattle"), options, ensemble, {.sink = &rest, .restored = part.batches});
    EXPECT_TRUE(again.complete);
    EXPECT_EQ(rest.batches.size(), 2U);
    for (std::size_t k = 0; k < expected.by_node.size(); ++k) {
        EXPECT_EQ(again.by_node[k].mean, expected.by_node[k].mean);
    }
    EXPECT_TRUE(same_bits(again.trajectories[3].q, expected.trajectories[3].q));
    EXPECT_TRUE(same_bits(rest.batches.back().trajectories[0].frames.numbers,
                          whole.batches.back().trajectories[0].frames.numbers));
}

TEST(Ensemble, refuses_names_that_cannot_vary) {
    const auto refusal = [](const Model& model, const std::vector<std::string>& names) -> std::string {
        VariedValues values{names, std::vector<double>(names.size(), 1.0)};
        try {
            check_ensemble(model, method("rattle"), {.step = 0.1, .steps = 1}, {.values = values});
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    const auto model = Model::parse(pendulum, "pendulum");
    EXPECT_EQ(refusal(model, {"g", "l", "x", "v_y"}), "");
    EXPECT_NE(refusal(model, {"gg"}).find("did you mean 'g'"), std::string::npos);
    EXPECT_NE(refusal(model, {"g", "g"}).find("twice"), std::string::npos);
    EXPECT_NE(refusal(Model::load("chain"), {"n"}).find("'n' determines the size"), std::string::npos);
    EXPECT_NE(refusal(Model::parse(pendulum, "p", {{"g", "2"}}), {"g"}).find("set and varied"), std::string::npos);
    EXPECT_NE(refusal(model, {"p_x"}).find("vary v_x"), std::string::npos);
}

}  // namespace
}  // namespace libration
