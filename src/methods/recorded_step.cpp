// Recording a step.
#include "recorded_step.hpp"

#include "flat_memory.hpp"
#include "good_step.hpp"
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

std::optional<RecordedStep> record_step(const Model& model, const Method& method,
                                        std::span<const std::int64_t> integers, std::string& why_not,
                                        const LaneValues& lanes) {
    TraceRecorder recorder;
    const auto system = make_system<Traced>(model, lanes);
    const auto stepper = make_stepper<Traced>(method, *system);
    const FlatMemory<Traced> memory(*stepper);
    RecordedStep recorded;
    recorded.integers.assign(integers.begin(), integers.end());
    std::vector<Expression> symbols;
    for (auto* entry : memory.entries()) {
        symbols.push_back(fresh_symbol("memory"));
        *entry = {symbols.back()};
    }
    for (std::size_t k = 0; k < integers.size(); ++k) {
        *memory.integers[k] = integers[k];
    }
    try {
        const auto report = stepper->advance();
        stepper->accept();
        const FlatMemory<Traced> after(*stepper);
        if (after.integer_values() != recorded.integers) {
            why_not = fmt::format("the operations of {} differ between steps", method.name());
            return std::nullopt;
        }
        std::vector<Expression> parameters, inputs, outputs;
        for (const auto& parameter : model.parameters) {
            if (std::ranges::find(lanes, parameter.name, &LaneParameter::name) != lanes.end()) {
                recorded.varied.push_back(parameter.name);
                parameters.push_back(symbol(varied_symbol_name(parameter.name)));
            }
        }
        const auto entries = after.entries();
        for (std::size_t k = 0; k < symbols.size(); ++k) {
            const auto& result = entries[k]->expression;
            const bool is_fixed = result == symbols[k];
            (is_fixed ? recorded.fixed : recorded.changing).push_back(static_cast<std::uint32_t>(k));
            (is_fixed ? parameters : inputs).push_back(symbols[k]);
            if (!is_fixed) {
                outputs.push_back(result);
            }
        }
        outputs.push_back(report.residual.expression);
        outputs.push_back(recorded_good_step(report).expression);
        recorded.program = step_program(recorder, parameters, inputs, outputs);
    } catch (const InputError& error) {
        why_not = error.what();
        return std::nullopt;
    }
    return recorded;
}

std::optional<RecordedStep> record_step(const Model& model, const Method& method, System<double>& system,
                                        const Node<double>& node, double h, std::string& why_not) {
    const auto integers = settled_integers(method, system, node, h);
    if (!integers) {
        why_not = "the first steps fail";
        return std::nullopt;
    }
    return record_step(model, method, *integers, why_not);
}

}  // namespace libration
