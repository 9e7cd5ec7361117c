// The runs of a recipe.
#include "reproduce/recipe_runs.hpp"

#include "reproduce/recipe_values.hpp"

#include "analysis/interruption.hpp"
#include "model/embedded.hpp"
#include "request/command_line.hpp"
#include "request/run_fields.hpp"
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/request/run_request.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace libration {

namespace {

std::string edited_text(const RecipeRun& run) {
    auto text = Model::load(run.model).text;
    for (const auto& [old, replacement] : run.edit) {
        const auto at = text.find(old);
        if (old.empty() || at == std::string::npos || text.find(old, at + 1) != std::string::npos) {
            throw InputError(fmt::format("run '{}' edits '{}', which does not occur exactly once in the file of {}",
                                         run.name, old, run.model));
        }
        text.replace(at, old.size(), replacement);
    }
    return text;
}

bool is_built_in(const std::string& model) {
    const auto all = embedded_problems();
    return std::ranges::find(all, std::string_view(model), &EmbeddedProblem::name) != all.end();
}

const std::string& element(const std::vector<std::string>& list, std::size_t index) {
    return list.size() == 1 ? list[0] : list[index];
}

// One number for each of these names and each run.
std::map<std::string, double> numbers_of(const Run& run) {
    const auto number = [](auto n) { return static_cast<double>(n); };
    return {{"step", run.step},
            {"steps", number(run.steps)},
            {"t", run.t},
            {"energy_initial", run.energy.initial},
            {"energy_max", run.energy.max_error},
            {"energy_final_error", run.energy.final_error},
            {"constraint_max", run.constraint.max},
            {"hidden_max", run.constraint.hidden_max},
            {"forces", number(run.evaluations.force)},
            {"factorizations", number(run.evaluations.factorizations)},
            {"newton", number(run.evaluations.newton_iterations)},
            {"failed", run.status == RunStatus::failed ? 1.0 : 0.0},
            {"failure_step", run.failure ? number(run.failure->step) : -1.0},
            {"smallest_step", run.adaptive.options ? run.adaptive.smallest : run.step},
            {"largest_step", run.adaptive.options ? run.adaptive.largest : run.step},
            {"rejected", number(run.adaptive.rejected)}};
}

using Lists = std::map<std::string, std::vector<double>>;

// What belongs to a whole list: NAME_mean, and NAME_order where the runs differ in their steps.
void add_companions(Lists& lists, bool has_steps) {
    const auto steps = lists.at("step");
    if (steps.size() < 2) {
        return;
    }
    Lists companions;
    for (const auto& [name, values] : lists) {
        if (values.size() != steps.size()) {
            continue;
        }
        companions[name + "_mean"] = {std::accumulate(values.begin(), values.end(), 0.0) /
                                      static_cast<double>(values.size())};
        if (name == "step" || !has_steps) {
            continue;
        }
        auto& order = companions[name + "_order"];
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            order.push_back(std::log(std::abs(values[i] / values[i + 1])) /
                            std::log(std::abs(steps[i] / steps[i + 1])));
        }
    }
    lists.merge(companions);
}

void analyse_run(const RecipeRun& run, const Trajectory& trajectory, Lists& lists, RunOutcome& outcome) {
    for (const auto& wanted : run.analyses) {
        auto result = analyse(trajectory, wanted.what, wanted.options);
        for (const auto& number : result.numbers) {
            lists[wanted.name + "_" + number.name].push_back(number.value);
        }
        outcome.analyses[wanted.name] = std::move(result.figures);
    }
}

}  // namespace

std::size_t RecipeRun::count() const {
    std::size_t most = std::max({step.size(), duration.size(), steps.size()});
    for (const auto& [parameter, values] : set) {
        most = std::max(most, values.size());
    }
    return most;
}

Model model_of(const RecipeRun& run, std::size_t index) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [parameter, list] : run.set) {
        values.emplace_back(parameter, element(list, index));
    }
    return run.edit.empty() ? Model::load(run.model, values) : Model::parse(edited_text(run), run.model, values);
}

IntegrationOptions options_of(const RecipeRun& run, const Model& model, std::size_t index) {
    IntegrationOptions options;
    const auto what = fmt::format("run '{}'", run.name);
    options.step = constant_value(element(run.step, index), what);
    if (!run.duration.empty()) {
        options.duration = constant_value(element(run.duration, index), what);
    } else {
        options.steps = static_cast<std::int64_t>(std::llround(constant_value(element(run.steps, index), what)));
    }
    options.every = run.every;
    if (!run.adaptive.empty()) {
        options.adaptive = AdaptiveOptions{.control = control_named(run.adaptive), .tolerance = run.tolerance};
        if (!run.estimator.empty()) {
            options.adaptive->estimator = estimator_named(run.estimator);
        }
    }
    for (std::size_t i = 0; i < run.events.size(); ++i) {
        options.events.push_back(read_event(model, run.events[i], i + 1));
    }
    return options;
}

RunOutcome perform(const RecipeRun& run, const std::vector<Column>& columns, Numbers& numbers) {
    const auto chosen = method(run.method, run.force ? Doubts::accept : Doubts::refuse);
    RunOutcome outcome;
    Lists lists;
    for (std::size_t index = 0; index < run.count(); ++index) {
        const auto model = model_of(run, index);
        const auto options = options_of(run, model, index);
        RunWatch watch(model, run, options, columns);
        Integration integration(model, chosen, options);
        if (watch.needed() || !run.events.empty()) {
            integration.observe(watch);
        }
        const auto result = Interruptible::run(integration);
        if (result.failure && !run.may_fail) {
            throw InputError(
                fmt::format("run '{}' with step {} failed: {}", run.name, options.step, result.failure->message));
        }
        if (result.steps == 0 && !result.failure) {
            throw InputError(
                fmt::format("run '{}' with step {} takes no steps: its duration is shorter than half a step", run.name,
                            options.step));
        }
        watch.finish();
        for (const auto& [name, value] : numbers_of(result)) {
            lists[name].push_back(value);
        }
        lists["events"].push_back(static_cast<double>(watch.events));
        for (const auto& invariant : result.invariants) {
            lists["invariant_" + invariant.name].push_back(invariant.max_error);
        }
        for (const auto& gauge : watch.gauges()) {
            lists[gauge.name()].push_back(gauge.value());
        }
        analyse_run(run, watch.trajectory(), lists, outcome);
        outcome.columns.push_back(watch.columns());
    }
    add_companions(lists, run.step.size() > 1);
    for (auto& [name, values] : lists) {
        numbers.set(run.name, name, std::move(values));
    }
    return outcome;
}

std::vector<std::string> names_of_run_numbers() {
    std::vector<std::string> names{"events"};
    for (const auto& [name, value] : numbers_of(Run{})) {
        names.push_back(name);
    }
    return names;
}

std::vector<ItemCommand> commands_of(const RecipeRun& run, const std::string& id) {
    std::vector<ItemCommand> commands;
    for (std::size_t index = 0; index < run.count(); ++index) {
        ItemCommand line;
        line.model_name = run.edit.empty() ? run.model : fmt::format("{}-{}", id, run.name);
        line.model_text = run.edit.empty() && is_built_in(run.model) ? std::string{} : edited_text(run);
        const auto number = [](const std::string& text) { return constant_value(text, "a command"); };
        RunRequest request;
        request.model = run.edit.empty() ? run.model : line.model_name + ".toml";
        request.method = run.method;
        request.step = number(element(run.step, index));
        if (run.duration.empty()) {
            request.steps = static_cast<std::int64_t>(number(element(run.steps, index)));
        } else {
            request.duration = number(element(run.duration, index));
        }
        for (const auto& [name, values] : run.set) {
            request.set.push_back(fmt::format("{}={}", name, element(values, index)));
        }
        request.events = run.events;
        if (!run.adaptive.empty()) {
            request.adaptive = run.adaptive;
            request.tol = run.tolerance;
            request.estimator = run.estimator.empty() ? std::nullopt : std::optional(run.estimator);
        }
        request.force = run.force;
        line.command = command_line<RunRequest>("run", request, run_fields);
        commands.push_back(std::move(line));
    }
    return commands;
}

}  // namespace libration
