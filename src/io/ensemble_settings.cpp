// What was asked for, completed and checked.
#include "ensemble_settings.hpp"

#include <libration/integrate/run_settings.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

// Statistics at about this many times, unless the user says otherwise.
constexpr std::int64_t usual_nodes = 100;

std::size_t count_of(const EnsembleRequest& request, const std::optional<GivenValues>& given) {
    if (given) {
        const auto count = given->values.count();
        if (request.count && *request.count != static_cast<std::int64_t>(count)) {
            throw InputError({.argument = "count",
                              .value = std::to_string(*request.count),
                              .problem = fmt::format("{} has {} trajectories", given->source, count),
                              .remedy = "omit `count`"});
        }
        if (count == 0) {
            throw InputError("the ensemble has no trajectories; give at least one value of a varied quantity");
        }
        return count;
    }
    if (!request.count) {
        throw InputError("the number of trajectories is missing; give `count = N`");
    }
    return static_cast<std::size_t>(*request.count);
}

// The columns of both, side by side.
VariedValues joined(const VariedValues& first, const VariedValues& second) {
    VariedValues all = first;
    all.names.insert(all.names.end(), second.names.begin(), second.names.end());
    all.values.clear();
    for (std::size_t k = 0; k < first.count(); ++k) {
        for (const auto* part : {&first, &second}) {
            for (std::size_t name = 0; name < part->names.size(); ++name) {
                all.values.push_back(part->at(k, name));
            }
        }
    }
    return all;
}

VariedValues varied_values(const EnsembleRequest& request, const std::optional<GivenValues>& given,
                           const EnsembleSettings& settings) {
    if (!given && request.vary.empty()) {
        throw InputError(
            "nothing varies between the trajectories; give e.g. `vary = g = uniform(9, 10)`, or `from = FILE.csv`");
    }
    const auto count = count_of(request, given);
    check_ensemble_size(settings.model, settings.options, count, settings.trajectories);
    if (request.vary.empty()) {
        return given->values;
    }
    std::vector<Variation> variations;
    for (const auto& text : request.vary) {
        variations.push_back(read_variation(text));
    }
    const auto drawn = draw_all(variations, settings.seed, count);
    return given ? joined(given->values, drawn) : drawn;
}

// A step or a length that the model makes of a parameter would differ from one trajectory to the next; all have the
// same.
void refuse_varying_times(const RunRequest& given, const EnsembleSettings& settings) {
    const auto& model = settings.model;
    if (model.text.empty()) {
        return;  // built in C++: its numbers are numbers
    }
    for (const std::size_t trajectory : {std::size_t{0}, settings.values.count() - 1}) {
        std::vector<std::pair<std::string, std::string>> varied;
        for (std::size_t k = 0; k < settings.values.names.size(); ++k) {
            const auto is_it = [&](const auto& parameter) { return parameter.name == settings.values.names[k]; };
            if (std::ranges::any_of(model.parameters, is_it)) {
                varied.emplace_back(settings.values.names[k], fmt::format("{}", settings.values.at(trajectory, k)));
            }
        }
        std::optional<Model> own;
        try {
            own = model.with(varied);
        } catch (const InputError&) {
            continue;  // reported where it starts
        }
        if (!given.step && own->run.step != model.run.step) {
            throw InputError("`[run] step` of the model depends on a varied quantity, but all trajectories share one "
                             "step size; give "
                             "`step = H`");
        }
        if (!given.duration && !given.steps &&
            (own->run.duration != model.run.duration || own->run.steps != model.run.steps)) {
            throw InputError("the length under `[run]` of the model depends on a varied quantity, but all trajectories "
                             "have the same length; give `duration = T` or `steps = N`");
        }
    }
}

}  // namespace

EnsembleSettings resolve_ensemble(Model model, const EnsembleRequest& request, std::optional<GivenValues> given,
                                  const ChoiceWatch& watch) {
    check_fields<EnsembleRequest>(request, ensemble_fields());
    if (request.from) {
        if (given || !request.vary.empty()) {
            throw InputError("give either `vary` or `from`, not both");
        }
        given = GivenValues{read_varied_values(*request.from), *request.from};
    }
    EnsembleSettings settings;
    settings.model = std::move(model);
    RunRequest run = request;
    auto& options = settings.options;
    options.chosen = choose_for(settings.model, run, watch);
    const auto own = run;  // without what [run] of the model adds
    complete(run, settings.model);
    settings.method = *run.method;
    options.step = *run.step;
    options.duration = run.duration;
    options.steps = run.steps;
    options.steps = count_steps(options);
    options.duration.reset();
    options.every = request.every.value_or(1);
    options.monitor = request.monitor.value_or(std::max<std::int64_t>(1, *options.steps / usual_nodes));
    options.project = request.project;
    if (request.every && !request.trajectories) {
        throw InputError("`every` requires `trajectories`; statistics are computed every `monitor` steps");
    }
    settings.trajectories = request.trajectories;
    settings.seed = static_cast<std::uint64_t>(request.seed.value_or(0));
    if (!given) {  // else they alone do not say what the trajectories are
        settings.variations = request.vary;
    }
    settings.values = varied_values(request, given, settings);
    refuse_varying_times(own, settings);
    return settings;
}

void check_resumed_ensemble(const EnsembleRequest& request) {
    check_fields<EnsembleRequest>(request, ensemble_fields());
    std::vector<std::string> decided;
    for (const auto& field : ensemble_fields()) {
        if (!field.for_use(use::beside_resume) && is_given(request, field)) {
            decided.push_back(fmt::format("`{}`", field.name));
        }
    }
    if (!decided.empty()) {
        throw InputError(
            {.argument = "resume",
             .value = *request.resume,
             .problem = fmt::format("the file determines {}", fmt::join(decided, ", ")),
             .remedy = fmt::format("omit {}; only options that do not affect the results may be given, e.g. `threads`",
                                   decided.size() == 1 ? "it" : "them")});
    }
}

EnsembleOptions ensemble_options(const EnsembleSettings& settings, const EnsembleRequest& request) {
    return {settings.values, settings.trajectories, thread_count(request.threads), backend_named(request.backend)};
}

}  // namespace libration
