// Recording a step.
#include "recorded_step.hpp"

#include "flat_memory.hpp"
#include "good_step.hpp"
#include "row_guard.hpp"
#include <libration/kit/method_record.hpp>

#include "expression/from_lanes.hpp"
#include "manifold/rank.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::optional<std::vector<std::int64_t>> settled_integers(const Method& method, System<double>& system,
                                                          const Node<double>& node, double h) {
    constexpr int most_steps = 100;
    const auto stepper = make_stepper<double>(method, system);
    const std::vector<double> q(node.q.begin(), node.q.end()), q_low(node.q_low.begin(), node.q_low.end()),
        p(node.p.begin(), node.p.end());
    stepper->start({node.t, q, q_low, p}, h);
    auto before = FlatMemory<double>(*stepper).integer_values();
    for (int n = 0; n < most_steps; ++n) {
        const auto report = stepper->advance();
        if (!good_step(report)) {
            return std::nullopt;
        }
        stepper->accept();
        auto after = FlatMemory<double>(*stepper).integer_values();
        if (after == before) {
            return after;
        }
        before = std::move(after);
    }
    return std::nullopt;
}

namespace {

// The names of the entries of a memory.
class EntryNames final : public MemoryVisitor<Traced> {
  public:
    void array(std::string_view name, std::span<Traced> values) override {
        for (std::size_t k = 0; k < values.size(); ++k) {
            entries.push_back({std::string(name), k, {}, {}});
        }
    }
    void integer(std::string_view, std::int64_t&) override {}
    std::vector<TracedStep::Entry> entries;
};

// The node before a step, which survives it.
struct NodeCopy {
    explicit NodeCopy(const Node<Traced>& node)
        : t(node.t), q(node.q.begin(), node.q.end()), q_low(node.q_low.begin(), node.q_low.end()),
          p(node.p.begin(), node.p.end()), turns(node.turns.begin(), node.turns.end()) {}
    [[nodiscard]] Node<Traced> node() const { return {t, q, q_low, p, turns}; }
    Traced t;
    std::vector<Traced> q, q_low, p, turns;
};

// Replaces the numbers of a watcher by symbols.
std::vector<TracedStep::Entry> symbols_of(StepWatcher& watcher) {
    EntryNames names;
    watcher.visit(names);
    FlatMemory<Traced> memory;
    watcher.visit(memory);
    const auto places = memory.entries();
    for (std::size_t k = 0; k < places.size(); ++k) {
        names.entries[k].before = fresh_symbol("watched");
        *places[k] = {names.entries[k].before};
    }
    return std::move(names.entries);
}

void watch(StepWatcher& watcher, System<Traced>& system, const NodeCopy& before, const Node<Traced>& after,
           TracedStep& traced) {
    traced.allowed = watcher.watch(system, before.node(), after);
    FlatMemory<Traced> memory;
    watcher.visit(memory);
    const auto places = memory.entries();
    for (std::size_t k = 0; k < places.size(); ++k) {
        traced.watched[k].after = places[k]->expression;
    }
}

}  // namespace

std::optional<TracedStep> trace_step(const Model& model, const Method& method, std::span<const std::int64_t> integers,
                                     std::string& why_not, const LaneValues& lanes, bool guarded,
                                     StepWatcher* watcher) {
    TraceRecorder recorder;
    const auto system = make_system<Traced>(model, lanes);
    auto stepper = make_stepper<Traced>(method, *system);
    if (guarded) {
        stepper = guarding_rows<Traced>(model, method, *system, std::move(stepper));
    }
    EntryNames names;
    stepper->visit(names);
    TracedStep traced;
    traced.memory = std::move(names.entries);
    const FlatMemory<Traced> memory(*stepper);
    const auto places = memory.entries();
    for (std::size_t k = 0; k < places.size(); ++k) {
        traced.memory[k].before = fresh_symbol("memory");
        *places[k] = {traced.memory[k].before};
    }
    for (std::size_t k = 0; k < integers.size(); ++k) {
        *memory.integers[k] = integers[k];
    }
    try {
        std::optional<NodeCopy> node_before;
        if (watcher != nullptr) {
            traced.watched = symbols_of(*watcher);
            node_before.emplace(stepper->node());
        }
        traced.report = stepper->advance();
        stepper->accept();
        if (watcher != nullptr) {
            watch(*watcher, *system, *node_before, stepper->node(), traced);
        }
        const FlatMemory<Traced> after(*stepper);
        if (!std::ranges::equal(after.integer_values(), integers)) {
            why_not = fmt::format("the operations of {} differ between steps", method.name());
            return std::nullopt;
        }
        const auto results = after.entries();
        for (std::size_t k = 0; k < results.size(); ++k) {
            traced.memory[k].after = results[k]->expression;
        }
    } catch (const InputError& error) {
        why_not = error.what();
        return std::nullopt;
    }
    traced.loops = recorder.loops();
    return traced;
}

std::optional<RecordedStep> record_step(const Model& model, const Method& method,
                                        std::span<const std::int64_t> integers, std::string& why_not,
                                        const LaneValues& lanes, StepWatcher* watcher) {
    const auto traced = trace_step(model, method, integers, why_not, lanes, true, watcher);
    if (!traced) {
        return std::nullopt;
    }
    RecordedStep recorded;
    recorded.integers.assign(integers.begin(), integers.end());
    std::vector<Expression> parameters, inputs, outputs;
    for (const auto& parameter : model.parameters) {
        if (std::ranges::find(lanes, parameter.name, &LaneParameter::name) != lanes.end()) {
            recorded.varied.push_back(parameter.name);
            parameters.push_back(symbol(varied_symbol_name(parameter.name)));
        }
    }
    for (std::size_t k = 0; k < traced->memory.size(); ++k) {
        const auto& [array, index, before, after] = traced->memory[k];
        const bool is_fixed = after == before;
        (is_fixed ? recorded.fixed : recorded.changing).push_back(static_cast<std::uint32_t>(k));
        (is_fixed ? parameters : inputs).push_back(before);
        if (!is_fixed) {
            outputs.push_back(after);
        }
    }
    recorded.watched = traced->watched.size();
    for (const auto& entry : traced->watched) {
        inputs.push_back(entry.before);
        outputs.push_back(entry.after);
    }
    outputs.push_back(traced->report.residual.expression);
    const auto zero = lit<Traced>(0), good = recorded_good_step(traced->report);
    outputs.push_back(select(equal(traced->allowed, zero), zero, good).expression);
    try {
        recorded.program = step_program(traced->loops, parameters, inputs, outputs);
    } catch (const InputError& error) {
        why_not = error.what();
        return std::nullopt;
    }
    return recorded;
}

std::optional<RecordedStep> record_step(const Model& model, const Method& method, System<double>& system,
                                        const Node<double>& node, double h, std::string& why_not,
                                        StepWatcher* watcher) {
    const auto integers = settled_integers(method, system, node, h);
    if (!integers) {
        why_not = "the first steps fail, or their operations differ";
        return std::nullopt;
    }
    return record_step(model, method, *integers, why_not, {}, watcher);
}

}  // namespace libration
