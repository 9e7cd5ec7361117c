// One step of a method, recorded: what the code generator is given.
#pragma once

#include "codegen/traced_program.hpp"
#include "integrate/start.hpp"
#include "methods/flat_memory.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <string>

namespace libration::test {

// A method on a problem, after the steps that it needs to start.
struct RunningMethod {
    RunningMethod(const std::string& problem, const std::string& spec, double step, double push = 0)
        : model(Model::load(problem)), method(libration::method(spec)), system(make_system<double>(model)) {
        auto start = start_state<double>(model, *system);
        for (auto& p : start.p) {
            p *= 1 + push;
        }
        stepper = make_stepper<double>(method, *system);
        stepper->start(0, start.q, start.p, step);
        take(20);
    }
    void take(int steps) {
        for (int n = 0; n < steps; ++n) {
            stepper->advance();
            stepper->accept();
        }
    }
    [[nodiscard]] std::vector<double> memory() const {
        std::vector<double> values;
        for (const auto* entry : FlatMemory<double>(*stepper).entries()) {
            values.push_back(*entry);
        }
        return values;
    }
    // The step that follows; good if the iterations converged.
    [[nodiscard]] StepProgram record() const {
        TraceRecorder recorder;
        const auto traced_system = make_system<Traced>(model);
        const auto traced = make_stepper<Traced>(method, *traced_system);
        const FlatMemory<Traced> memory(*traced);
        const FlatMemory<double> live(*stepper);
        std::vector<Expression> inputs, outputs;
        for (auto* entry : memory.entries()) {
            inputs.push_back(fresh_symbol("memory"));
            *entry = {inputs.back()};
        }
        for (std::size_t k = 0; k < memory.integers.size(); ++k) {
            *memory.integers[k] = *live.integers[k];
        }
        const auto report = traced->advance();
        traced->accept();
        for (const auto* entry : FlatMemory<Traced>(*traced).entries()) {
            outputs.push_back(entry->expression);
        }
        // Of the iterations, not of the report: some methods note that one inside the loop, where it cannot be
        // recorded.
        Traced residual = lit<Traced>(0);
        for (const auto& loop : recorder.loops()) {
            residual = maxv(residual, Traced{loop.final_residual});
        }
        outputs.push_back(residual.expression);
        outputs.push_back(report.converged.expression);
        return step_program(recorder.loops(), {}, inputs, outputs);
    }

    Model model;
    Method method;
    std::unique_ptr<System<double>> system;
    std::unique_ptr<Stepper<double>> stepper;
};

}  // namespace libration::test
