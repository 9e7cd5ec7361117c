// What steps of other methods cost in steps of RATTLE: by the clock, and by the operations of the recorded step.
#include <bench/library_side.hpp>
#include <bench/yardsticks/measure.hpp>
#include <bench/yardsticks/tables.hpp>
#include <libration/expression/program.hpp>

#include <fmt/core.h>

namespace bench {

namespace {

using namespace libration;

// A method's memory as one flat list.
template <class S>
class FlatMemory final : public MemoryVisitor<S> {
  public:
    explicit FlatMemory(Stepper<S>& stepper) { stepper.visit(*this); }
    void array(std::string_view, std::span<S> values) override {
        for (auto& value : values) {
            entries.push_back(&value);
        }
    }
    void integer(std::string_view, std::int64_t& value) override { integers.push_back(&value); }
    std::vector<S*> entries;
    std::vector<std::int64_t*> integers;
};

// Operations on numbers; a fused a*b+c counts as one, as the processor has it.
double operations(const Program& program) {
    double count = 0;
    for (const auto& instruction : program.instructions) {
        switch (instruction.op) {
            case Op::add:
            case Op::subtract:
            case Op::multiply:
            case Op::divide:
            case Op::mad:
            case Op::sqrt: count += 1; break;
            default: break;
        }
    }
    return count;
}

struct Work {
    double operations = 0;  // a step
    double passes = 0;      // of all loops of a step
    std::size_t loops = 0;
};

// One step recorded, its loops weighted by the passes that a run needs.
Work work_of(const Model& model, const Method& method, double step) {
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto live = method.make<double>(*system);
    live->start(0, start.q, start.p, step);
    const auto make = [&](int steps) {
        for (int n = 0; n < steps; ++n) {
            live->advance();
            live->accept();
        }
        return live->evaluations().count[Evaluations<double>::newton_iterations];
    };
    constexpr int steps = 20'000;
    const double before = make(20);
    Work work{.passes = (make(steps) - before) / steps};

    TraceRecorder recorder;
    const auto traced_system = make_system<Traced>(model);
    const auto traced = method.make<Traced>(*traced_system);
    const FlatMemory<Traced> memory(*traced);
    const FlatMemory<double> live_memory(*live);
    std::vector<Expression> known, outputs;
    for (auto* entry : memory.entries) {
        known.push_back(fresh_symbol("memory"));
        *entry = {known.back()};
    }
    for (std::size_t k = 0; k < memory.integers.size(); ++k) {
        *memory.integers[k] = *live_memory.integers[k];
    }
    traced->advance();
    traced->accept();
    for (const auto* entry : FlatMemory<Traced>(*traced).entries) {
        outputs.push_back(entry->expression);
    }
    const double loops = static_cast<double>(recorder.loops().size());
    for (const auto& loop : recorder.loops()) {
        auto inside = known;
        inside.insert(inside.end(), loop.carried.begin(), loop.carried.end());
        auto computed = loop.correction;
        computed.push_back(loop.residual);
        // What of the body does not depend on x is computed once, before the loop.
        const auto body = compile(computed, loop.carried, known);
        Program once = body, again = body;
        once.instructions.resize(body.prepared);
        again.instructions.erase(again.instructions.begin(), again.instructions.begin() + body.prepared);
        // Passes are corrections; an iteration ends with a look at the residual, unless it corrects after that, too.
        const double looks = work.passes / loops + (loop.control.correct_last ? 0 : 1);
        work.operations += operations(compile(loop.start, known)) + operations(once) + looks * operations(again);
        known.insert(known.end(), loop.result.begin(), loop.result.end());
        known.insert(known.end(), {loop.passes, loop.final_residual, loop.converged});
    }
    work.operations += operations(compile(outputs, known));
    work.loops = recorder.loops().size();
    return work;
}

}  // namespace

int costs_table(bool json) {
    constexpr double step = 0.01;
    const char* specs[] = {"rattle",     "shake",      "multistep(8)", "compose(rattle, kahanli8)",
                           "lobatto(3)", "lobatto(4)", "lobatto(6)",   "spark(3)"};
    const auto model = Model::load("triple-pendulum");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    std::vector<Contestant> all;
    std::vector<std::unique_ptr<LibraryRun>> runs;
    std::vector<Work> works;
    bool converged = true;
    for (const char* spec : specs) {
        const auto chosen = method(spec);
        Work work;
        if (chosen.lanes()) {
            work = work_of(model, chosen, step);
        }
        works.push_back(work);
        runs.push_back(library_lanes(model, chosen, 1));
        auto* run = runs.back().get();
        run->start({start}, step);
        converged = run->run(1000) && converged;
        constexpr std::int64_t steps = 2000;
        all.push_back({.name = spec,
                       .block = [run, &converged] { converged = run->run(steps) && converged; },
                       .units = static_cast<double>(steps),
                       .passes = work.passes});
    }
    take_turns(all);
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (auto& ratio : all[k].ratios) {
            ratio = 1 / ratio;
        }
        const double by_clock = median(all[k].ratios), by_work = works[k].operations / works[0].operations;
        all[k].note = works[k].operations == 0
                          ? "not recorded"
                          : fmt::format("{:.0f} operations, {:.2f} x RATTLE's; time/operations {:.2f}",
                                        works[k].operations, by_work, by_clock / by_work);
    }
    print_table({fmt::format("triple pendulum, h = {}; ratio: this / RATTLE; {}", step, runs[0]->backend())}, all,
                json);
    return converged ? 0 : 1;
}

}  // namespace bench
