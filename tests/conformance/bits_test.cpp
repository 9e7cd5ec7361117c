// What every method owes besides its claims: the same bits twice, after a stop, under observation, in a lane and on a
// tape.
#include "interruption.hpp"
#include "methods/flat_memory.hpp"
#include "pairs.hpp"

#include "codegen/traced_program.hpp"
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/io/json.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

#include <cmath>
#include <cstring>

namespace libration::conformance {
namespace {

class EveryMethod : public testing::TestWithParam<Pair> {
  protected:
    const Method method_ = method(GetParam().spec);
    const Model model_ = Model::load(std::string(GetParam().problem->model));
    const double step_ = GetParam().problem->options.step / 8;
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST_P(EveryMethod, gives_the_same_bits_twice_and_after_a_stop) {
    const IntegrationOptions options{.step = step_, .steps = 60};
    const auto whole = integrate(model_, method_, options);
    ASSERT_EQ(whole.status, RunStatus::completed);
    const auto text = without_times(whole);
    EXPECT_EQ(without_times(integrate(model_, method_, options)), text);
    for (const std::int64_t at : {0, 1, 2, 3, 37, 60}) {
        StopAt stop(at);
        LastCheckpoint checkpoint;
        Integration first(model_, method_, options);
        first.observe(stop);
        first.stop_on(stop.stop);
        first.checkpoint_to(checkpoint);
        EXPECT_EQ(first.run().steps, at);
        Integration second(model_, method_, options);
        second.restore(checkpoint.bytes);
        EXPECT_EQ(without_times(second.run()), text) << "stopped at " << at;
    }
}

TEST_P(EveryMethod, is_not_changed_by_observers) {
    const auto plain = integrate(model_, method_, {.step = step_, .steps = 60, .monitor = 0});
    Recorder recorder;
    const auto watched = integrate(model_, method_, {.step = step_, .steps = 60, .every = 3, .monitor = 1}, recorder);
    EXPECT_EQ(plain.q, watched.q);
    EXPECT_EQ(plain.p, watched.p);
    EXPECT_EQ(plain.evaluations.force, watched.evaluations.force);
    EXPECT_EQ(recorder.q.back(), watched.q);
}

template <class S>
void take_steps(Stepper<S>& stepper, int steps) {
    for (int n = 0; n < steps; ++n) {
        stepper.advance();
        stepper.accept();
    }
}

TEST_P(EveryMethod, has_in_every_lane_the_bits_of_a_run_of_its_own) {
    const auto singles = make_system<double>(model_);
    if (!method_.lanes(singles->properties())) {
        return;
    }
    const auto packs = make_system<Pack>(model_);
    const auto start = start_state<double>(model_, *singles);
    const std::size_t d = start.q.size();
    std::vector<Pack> q(d, lit<Pack>(0)), p(q);
    std::vector<StartState<double>> starts;
    for (int lane = 0; lane < pack_width; ++lane) {
        auto [q0, p0] = start;
        for (std::size_t j = 0; j < d; ++j) {
            q0[j] += 0.02 * lane * std::sin(static_cast<double>(j) + 1);
            p0[j] += singles->properties().partitioned ? 0.04 * lane * std::cos(static_cast<double>(j)) : 0;
        }
        Manifold<double>(*singles).project_position(0, q0, p0);
        Manifold<double>(*singles).project_momentum(0, q0, p0);
        for (std::size_t j = 0; j < d; ++j) {
            q[j].lane[lane] = q0[j];
            p[j].lane[lane] = p0[j];
        }
        starts.push_back({q0, p0});
    }
    const auto together = make_stepper<Pack>(method_, *packs);
    together->start(lit<Pack>(0), q, p, from_double<Pack>(step_));
    take_steps(*together, 200);
    const auto node = together->node();
    for (int lane = 0; lane < pack_width; ++lane) {
        const auto& [q0, p0] = starts[static_cast<std::size_t>(lane)];
        const auto alone = make_stepper<double>(method_, *singles);
        alone->start(0, q0, p0, step_);
        take_steps(*alone, 200);
        const auto single = alone->node();
        for (std::size_t j = 0; j < d; ++j) {
            ASSERT_TRUE(std::isfinite(single.q[j]));
            EXPECT_TRUE(same_bits(node.q[j].lane[lane], single.q[j])) << "lane " << lane << " q " << j;
            EXPECT_TRUE(same_bits(node.p[j].lane[lane], single.p[j])) << "lane " << lane << " p " << j;
        }
    }
}

// The memory of a running method becomes symbols, one step is recorded, and the tape then carries the memory from step
// to step, beside the method itself.
TEST_P(EveryMethod, recorded_on_a_tape_has_the_bits_of_the_run) {
    const auto system = make_system<double>(model_);
    if (!method_.lanes(system->properties())) {
        return;
    }
    const auto start = start_state<double>(model_, *system);
    const auto live = make_stepper<double>(method_, *system);
    live->start(0, start.q, start.p, step_);
    take_steps(*live, 10);
    const FlatMemory<double> live_memory(*live);
    TraceRecorder recorder;
    const auto traced_system = make_system<Traced>(model_);
    const auto traced = make_stepper<Traced>(method_, *traced_system);
    const FlatMemory<Traced> memory(*traced);
    ASSERT_EQ(memory.entries().size(), live_memory.entries().size());
    std::vector<Expression> inputs, outputs;
    for (auto* entry : memory.entries()) {
        inputs.push_back(fresh_symbol("memory"));
        *entry = {inputs.back()};
    }
    for (std::size_t k = 0; k < memory.integers.size(); ++k) {
        *memory.integers[k] = *live_memory.integers[k];
    }
    try {
        traced->advance();
    } catch (const InputError&) {
        // With general H the base of `constrain` iterates inside the iteration for the constraints, which is refused.
        EXPECT_EQ(method_.record().name, "constrain");
        EXPECT_FALSE(system->properties().separable);
        return;
    }
    traced->accept();
    for (const auto* entry : FlatMemory<Traced>(*traced).entries()) {
        outputs.push_back(entry->expression);
    }
    TracedProgram program(recorder, inputs, outputs);
    std::vector<double> state;
    for (const auto* entry : live_memory.entries()) {
        state.push_back(*entry);
    }
    std::vector<double> next(state.size());
    for (int n = 0; n < 200; ++n) {
        program.run(state, next);
        std::swap(state, next);
    }
    take_steps(*live, 200);
    const FlatMemory<double> now(*live);
    for (std::size_t k = 0; k < state.size(); ++k) {
        ASSERT_TRUE(same_bits(state[k], *now.entries()[k])) << "entry " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, EveryMethod, testing::ValuesIn(pairs_to_run()), pair_name);

}  // namespace
}  // namespace libration::conformance
