// What steps of other methods cost in steps of RATTLE: by the clock, and by the operations of the recorded step.
#include "methods/flat_memory.hpp"
#include <bench/library_side.hpp>
#include <bench/yardsticks/measure.hpp>
#include <bench/yardsticks/tables.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/kit/traced.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace bench {

namespace {

using namespace libration;

// Operations on numbers; a fused a*b+c counts as one, as the processor has it.
bool counts(Op op) {
    switch (op) {
        case Op::add:
        case Op::subtract:
        case Op::multiply:
        case Op::divide:
        case Op::mad:
        case Op::sqrt: return true;
        default: return false;
    }
}

// All expressions that these are made of, arguments before what uses them.
std::vector<Expression> all_below(std::vector<Expression> open) {
    std::unordered_set<const ExpressionNode*> seen;
    std::vector<Expression> all;
    while (!open.empty()) {
        const auto e = open.back();
        open.pop_back();
        if (seen.insert(e.node()).second) {
            all.push_back(e);
            open.insert(open.end(), e.arguments().begin(), e.arguments().end());
        }
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.serial() < b.serial(); });
    return all;
}

// Each operation of a step once, or as often as its loop looks at the residual if it depends on what the loop changes.
double operations(const std::vector<TracedLoop>& loops, const std::vector<Expression>& outputs, double passes_a_loop) {
    std::unordered_map<const ExpressionNode*, double> times;
    auto roots = outputs;
    for (const auto& loop : loops) {
        // Passes are corrections; an iteration ends with a look at the residual, unless it corrects after that, too.
        for (const auto& symbol : loop.carried) {
            times.emplace(symbol.node(), passes_a_loop + (loop.control.correct_last ? 0 : 1));
        }
        roots.insert(roots.end(), loop.start.begin(), loop.start.end());
        roots.insert(roots.end(), loop.correction.begin(), loop.correction.end());
        roots.push_back(loop.residual);
    }
    double sum = 0;
    for (const auto& e : all_below(std::move(roots))) {
        double most = 1;
        for (const auto& argument : e.arguments()) {
            most = std::max(most, times.at(argument.node()));
        }
        times.emplace(e.node(), most);
        sum += counts(e.op()) ? most : 0;
    }
    return sum;
}

struct Work {
    double operations = 0;  // a step
    double passes = 0;      // of all loops of a step
};

// One step recorded, its loops weighted by the passes that a run needs.
Work work_of(const Model& model, const Method& method, double step) {
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto live = make_stepper<double>(method, *system);
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
    const auto traced = make_stepper<Traced>(method, *traced_system);
    const FlatMemory<Traced> memory(*traced);
    const FlatMemory<double> live_memory(*live);
    std::vector<Expression> outputs;
    for (auto* entry : memory.entries()) {
        *entry = {fresh_symbol("memory")};
    }
    for (std::size_t k = 0; k < memory.integers.size(); ++k) {
        *memory.integers[k] = *live_memory.integers[k];
    }
    traced->advance();
    traced->accept();
    for (const auto* entry : FlatMemory<Traced>(*traced).entries()) {
        outputs.push_back(entry->expression);
    }
    const double loops = static_cast<double>(recorder.loops().size());
    work.operations = operations(recorder.loops(), outputs, work.passes / loops);
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
        constexpr std::int64_t steps = 4000;
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
    print_table({fmt::format("triple pendulum, h = {}, {}", step, runs[0]->backend()), "ns per step", "this / RATTLE"},
                all, json);
    return converged ? 0 : 1;
}

}  // namespace bench
