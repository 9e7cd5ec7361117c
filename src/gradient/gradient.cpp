// Gradients and Jacobians.
#include <libration/gradient/gradient.hpp>

#include "gradient_settings.hpp"
#include "integrate/redundancy.hpp"
#include "measured_objective.hpp"
#include "tangent_work.hpp"

#include <libration/text/error.hpp>

#include <chrono>

namespace libration {

namespace {

using Clock = std::chrono::steady_clock;

// What both results say of the run and of the mode.
template <class Result>
void describe(const TangentWork& work, TangentOutcome& outcome, Result& result) {
    result.mode = outcome.mode;
    result.stored_every = work.objective().stored_every();
    result.why_forward = std::move(outcome.why_forward);
    result.tangent_growth = outcome.tangent_growth;
    result.digits = outcome.digits;
    result.steps = outcome.steps;
    result.run_seconds = outcome.run_seconds;
    result.setup_seconds = outcome.setup_seconds;
    result.backend = outcome.backend;
    result.compiled_steps = outcome.compiled_steps;
    result.warnings = std::move(outcome.warnings);
    result.failure = std::move(outcome.failure);
}

template <class Result>
Result begun(const Model& model, const Method& method, const GradientOptions& options) {
    Result result;
    result.model = model.name;
    result.method = method.name();
    result.step = options.run.step;
    result.adaptive = options.run.adaptive.has_value();
    return result;
}

// Lists among the unknowns have elements of their own.
std::optional<Model> with_lists(const Model& model, const Method& method, const GradientOptions& options) {
    auto names = options.by;
    for (const auto& part : options.hessian_along) {
        names.push_back(part.name);
    }
    return with_separate_lists(model, names, [&] { static_cast<void>(Objective::make(model, method, options)); });
}

// Tangents are those of the rows that the run carries at its start.
Model with_independent_rows(const Model& model, const GradientOptions& options) {
    return carrying(model, options.run.start_time);
}

}  // namespace

std::string to_string(GradientMode mode) {
    return mode == GradientMode::backward ? "backward" : mode == GradientMode::forward ? "forward" : "auto";
}

namespace {

// Kept in a file from time to time, at the end, and where a stop is requested. `seconds`: those of former calls.
TangentOutcome outcome_of(TangentWork& work, const Model& model, const Method& method, const GradientOptions& options,
                          double& seconds, bool matrix) {
    if (options.checkpoint.empty()) {
        return work.made(nullptr);
    }
    GradientFile progress(options.checkpoint, gradient_settings(model, method, options, matrix), options.overwrite,
                          options.checkpoint_seconds);
    seconds = progress.seconds_before();
    try {
        auto outcome = work.made(&progress);
        progress.write();
        return outcome;
    } catch (const GradientStopped&) {
        progress.write();
        throw;
    }
}

}  // namespace

Gradient gradient(const Model& model, const Method& method, const GradientOptions& options) {
    const auto started = Clock::now();
    auto result = begun<Gradient>(model, method, options);
    const auto separate = with_lists(model, method, options);
    const auto carried = with_independent_rows(separate ? *separate : model, options);
    TangentWork work(carried, method, options, false);
    auto outcome = outcome_of(work, model, method, options, result.seconds, false);
    result.loss = work.objective().value();
    result.measured = options.data ? work.objective().rows().size() : 0;
    for (std::size_t k = 0; k < outcome.derivatives.size(); ++k) {
        result.derivatives.push_back({work.unknowns()[k].name, outcome.derivatives[k]});
    }
    result.hessian_product = std::move(outcome.hessian_product);
    result.lists = lists_among(separate ? *separate : model, options.by);
    describe(work, outcome, result);
    result.seconds += std::chrono::duration<double>(Clock::now() - started).count();
    return result;
}

Jacobian jacobian(const Model& model, const Method& method, const GradientOptions& options) {
    if (!options.data) {
        throw InputError("a Jacobian needs measurements; give `data = FILE.csv`, a table of times and values");
    }
    if (!options.hessian_along.empty()) {
        throw InputError("`hessian_along` is for gradients; omit it for a Jacobian");
    }
    const auto started = Clock::now();
    auto result = begun<Jacobian>(model, method, options);
    const auto separate = with_lists(model, method, options);
    const auto carried = with_independent_rows(separate ? *separate : model, options);
    TangentWork work(carried, method, options, true);
    auto outcome = outcome_of(work, model, method, options, result.seconds, true);
    result.values = work.objective().rows();
    for (const auto& one : measured_values(*options.data)) {
        result.t.push_back(one.t);
        result.column.push_back(one.column);
        result.measured.push_back(one.value);
        result.sd.push_back(one.sd);
    }
    result.matrix = std::move(outcome.derivatives);
    for (const auto& unknown : work.unknowns()) {
        result.by.push_back(unknown.name);
    }
    describe(work, outcome, result);
    result.seconds += std::chrono::duration<double>(Clock::now() - started).count();
    return result;
}

}  // namespace libration
