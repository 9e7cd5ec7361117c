// What was asked for, completed and checked.
#include <libration/io/ensemble_request.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Statistics at about this many times, unless the user says otherwise.
constexpr std::int64_t usual_nodes = 100;

std::size_t count_of(const EnsembleRequest& request) {
    if (request.values) {
        const auto count = request.values->count();
        if (request.count && *request.count != static_cast<std::int64_t>(count)) {
            throw InputError(fmt::format("--count {}: {} has {} trajectories; leave --count away", *request.count,
                                         request.values_source, count));
        }
        if (count == 0) {
            throw InputError("the ensemble has no trajectories; vary something, and give at least one value of it");
        }
        return count;
    }
    if (!request.count) {
        throw InputError("how many trajectories? give --count N");
    }
    if (*request.count < 1) {
        throw InputError(fmt::format("--count {}: it must be at least 1", *request.count));
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

VariedValues varied_values(const EnsembleRequest& request, const EnsembleSettings& settings) {
    if (!request.values && request.variations.empty()) {
        throw InputError(
            "what differs between the trajectories? e.g. --vary \"g = uniform(9, 10)\", or --from FILE.csv");
    }
    const auto count = count_of(request);
    check_ensemble_size(settings.model, settings.options, count, settings.trajectories);
    if (request.variations.empty()) {
        return *request.values;
    }
    std::vector<Variation> variations;
    for (const auto& text : request.variations) {
        variations.push_back(read_variation(text));
    }
    const auto drawn = draw_all(variations, settings.seed, count);
    return request.values ? joined(*request.values, drawn) : drawn;
}

// A step or a length that the model makes of a parameter would differ from one trajectory to the next; all have the same.
void refuse_varying_times(const GivenRun& given, const EnsembleSettings& settings) {
    const auto& model = settings.model;
    if (model.text.empty()) {
        return;  // built in C++: its numbers are numbers
    }
    for (const std::size_t trajectory : {std::size_t{0}, settings.values.count() - 1}) {
        auto overrides = model.overrides;
        for (std::size_t k = 0; k < settings.values.names.size(); ++k) {
            const auto is_it = [&](const auto& parameter) { return parameter.name == settings.values.names[k]; };
            if (std::ranges::any_of(model.parameters, is_it)) {
                overrides.emplace_back(settings.values.names[k], fmt::format("{}", settings.values.at(trajectory, k)));
            }
        }
        std::optional<Model> own;
        try {
            own = Model::parse(model.text, model.name, overrides, model.external);
        } catch (const InputError&) {
            continue;  // reported where it starts
        }
        if (!given.step && own->run.step != model.run.step) {
            throw InputError(
                "the step under [run] of the model depends on what is varied, but all trajectories have the "
                "same; give --step H");
        }
        if (!given.duration && !given.steps &&
            (own->run.duration != model.run.duration || own->run.steps != model.run.steps)) {
            throw InputError("the length under [run] of the model depends on what is varied, but all trajectories have "
                             "the same; give --duration T or --steps N");
        }
    }
}

}  // namespace

EnsembleSettings ensemble_settings(Model model, const EnsembleRequest& request) {
    EnsembleSettings settings;
    settings.model = std::move(model);
    settings.method = method_for(settings.model, request.given);
    auto& options = settings.options;
    set_times(settings.model, request.given, options);
    options.steps = count_steps(options);
    options.duration.reset();
    options.every = request.every.value_or(1);
    options.monitor = request.monitor.value_or(std::max<std::int64_t>(1, *options.steps / usual_nodes));
    options.project = request.project;
    if (request.every && !request.trajectories) {
        throw InputError("--every belongs to --trajectories; statistics are made every --monitor steps");
    }
    settings.trajectories = request.trajectories;
    if (request.seed && *request.seed < 0) {
        throw InputError(fmt::format("--seed {}: it must not be negative", *request.seed));
    }
    settings.seed = static_cast<std::uint64_t>(request.seed.value_or(0));
    if (!request.values) {  // else they alone do not say what the trajectories are
        settings.variations = request.variations;
    }
    settings.values = varied_values(request, settings);
    refuse_varying_times(request.given, settings);
    return settings;
}

void check_ensemble_name(const std::string& out) {
    if (!out.ends_with(".h5")) {
        throw InputError(fmt::format("--out {}: the name must end in .h5", out));
    }
}

}  // namespace libration
