// Runs and trajectory files.
#include <libration/io/trajectory_recorder.hpp>

#include <libration/integrate/events.hpp>
#include <libration/integrate/output_times.hpp>
#include <libration/text/error.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace libration {

namespace {

std::string join_overrides(const std::vector<std::pair<std::string, std::string>>& overrides) {
    std::string text;
    for (const auto& [name, value] : overrides) {
        text += fmt::format("{}={}\n", name, value);
    }
    return text;
}

std::string join_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) {
        text += line + '\n';
    }
    return text;
}

// Lines, or nothing.
std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::pair<std::string, std::string>> split_overrides(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> overrides;
    for (const auto& line : split_lines(text)) {
        const auto equals = line.find('=');
        if (equals == std::string::npos) {
            throw InputError(fmt::format("the attribute overrides of the file has the line '{}', not NAME=VALUE; the "
                                         "file is damaged",
                                         line));
        }
        overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return overrides;
}

std::string optional_attribute(const TrajectoryFile& file, std::string_view name) {
    return file.has_attribute(name) ? file.attribute(name) : "";
}

template <class Number>
Number number_attribute(const TrajectoryFile& file, std::string_view name) {
    const auto text = file.attribute(name);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw InputError(
            fmt::format("the attribute {} of the file is '{}', not a number; the file is damaged", name, text));
    }
    return value;
}

bool is_by_time(const IntegrationOptions& options) { return options.adaptive && options.duration; }

// Files of runs with equal steps say nothing of it, or nothing at all.
void read_adaptive(const TrajectoryFile& file, IntegrationOptions& options) {
    if (!file.has_attribute("adaptive") || file.attribute("adaptive").empty()) {
        return;
    }
    AdaptiveOptions adaptive;
    adaptive.control = control_named(file.attribute("adaptive"));
    adaptive.tolerance = number_attribute<double>(file, "tolerance");
    if (const auto estimator = file.attribute("estimator"); !estimator.empty()) {
        adaptive.estimator = estimator_named(estimator);
    }
    options.adaptive = adaptive;
}

}  // namespace

RunLength run_length(const IntegrationOptions& options) {
    return {is_by_time(options) ? std::bit_cast<std::int64_t>(*options.duration) : *options.steps};
}

TrajectoryLayout trajectory_layout(const RunSettings& settings) {
    const auto& model = settings.model;
    TrajectoryLayout layout;
    layout.dimension = model.dimension;
    layout.constraints = model.multipliers();
    layout.step = settings.options.step;
    constexpr std::size_t most_names = 2000;  // the file keeps no longer lists
    for (std::size_t k = 0; k < model.dimension && model.dimension <= most_names; ++k) {
        layout.coordinate_names.push_back(model.coordinate_name(k));
    }
    for (std::size_t k = 0; k < model.multipliers() && model.multipliers() <= most_names; ++k) {
        layout.multiplier_names.push_back(model.multiplier_name(k));
    }
    for (const auto& observable : model.observables) {
        layout.observable_names.push_back(observable.name);
    }
    for (const auto& group : model.points) {
        layout.points.push_back({group.name, group.count, group.dimension, group.first});
    }
    const auto& adaptive = settings.options.adaptive;
    layout.attributes = {
        {"model", model.name},
        {"method", settings.method},
        {"version", std::string(version)},
        {"model_text", model.saved_text()},
        {"functions", model.external ? model.external->what() : ""},
        {"overrides", join_overrides(model.overrides)},
        {"every", std::to_string(settings.options.every)},
        {"monitor", std::to_string(settings.options.monitor)},
        {"stop_if", settings.options.stop_if},
        {"at", settings.at.empty() ? fmt::format("{}", fmt::join(settings.options.at, ",")) : settings.at},
        {"events", join_lines(settings.events)},
        {"project", settings.options.project ? "1" : "0"},
        {"adaptive", adaptive ? std::string(name(adaptive->control)) : ""},
        {"tolerance", adaptive ? fmt::format("{}", adaptive->tolerance) : ""},
        {"estimator", adaptive && adaptive->estimator ? std::string(name(*adaptive->estimator)) : ""},
        {"length", is_by_time(settings.options) ? "duration" : "steps"},
        {"steps_at_creation", std::to_string(run_length(settings.options).bits)},
        {"start_time", fmt::format("{}", settings.options.start_time)},
        // Without fused multiply-add the last bits may differ from those of other processors.
        {"fused_multiply_add", has_fused_multiply_add() ? "1" : "0"},
    };
    return layout;
}

std::string missing_functions(const TrajectoryFile& file) { return optional_attribute(file, "functions"); }

namespace {

// Else who reads the states by the sizes of the model reads what is not there.
void require_states_of(const Model& model, const TrajectoryFile& file) {
    std::vector<std::string> names;
    for (const auto& observable : model.observables) {
        names.push_back(observable.name);
    }
    if (file.dimension() != model.dimension || file.constraints() != model.multipliers() ||
        file.observable_names() != names) {
        throw FileError(fmt::format("the states in the file are not those of its model '{}' ({} coordinates and {} "
                                    "multipliers instead of {} and {}, or other observables); take a whole copy of it",
                                    model.name, file.dimension(), file.constraints(), model.dimension,
                                    model.multipliers()));
    }
}

}  // namespace

RunSettings read_settings(const TrajectoryFile& file) {
    if (const auto functions = missing_functions(file); !functions.empty()) {
        throw InputError(fmt::format("{} of the model '{}' cannot be traced, so no file holds it; continue the run in "
                                     "the program that has the functions (Integration::restore), or start it again",
                                     functions, file.attribute("model")));
    }
    if (file.attribute("model_text").empty()) {
        throw InputError(
            fmt::format("the model '{}' of this file was built in C++, not read from a text; resume it from the"
                        " program that built it (Integration::restore)",
                        file.attribute("model")));
    }
    RunSettings settings{Model::parse(file.attribute("model_text"), file.attribute("model"),
                                      split_overrides(file.attribute("overrides"))),
                         file.attribute("method"),
                         {}};
    require_states_of(settings.model, file);
    settings.options.step = number_attribute<double>(file, "step");
    settings.options.every = number_attribute<std::int64_t>(file, "every");
    settings.options.monitor = number_attribute<std::int64_t>(file, "monitor");
    settings.options.stop_if = optional_attribute(file, "stop_if");
    settings.at = optional_attribute(file, "at");
    settings.events = split_lines(optional_attribute(file, "events"));
    if (!settings.at.empty()) {
        settings.options.at = read_times(settings.at);
    }
    for (const auto& text : settings.events) {
        settings.options.events.push_back(read_event(settings.model, text, settings.options.events.size() + 1));
    }
    settings.options.project = file.attribute("project") == "1";
    settings.options.start_time = number_attribute<double>(file, "start_time");
    read_adaptive(file, settings.options);
    auto length = number_attribute<std::int64_t>(file, "steps_at_creation");
    if (file.checkpoint() && file.checkpoint()->size() >= sizeof(std::int64_t)) {
        std::memcpy(&length, file.checkpoint()->data(), sizeof length);
    }
    if (settings.options.adaptive && file.attribute("length") == "duration") {
        settings.options.duration = std::bit_cast<double>(length);
    } else {
        settings.options.steps = length;
    }
    return settings;
}

void make_longer(RunSettings& settings, const LongerRun& wanted, const std::string& path) {
    auto& options = settings.options;
    auto asked = options;
    asked.steps = wanted.steps;
    asked.duration = wanted.duration;
    const auto steps = count_steps(asked);
    if (options.adaptive && options.duration.has_value() != wanted.duration.has_value()) {
        throw InputError(fmt::format(
            "--resume {}: the length of the run in the file is a {}; give a longer one with {}", path,
            options.duration ? "duration" : "number of steps", options.duration ? "--duration" : "--steps"));
    }
    if (options.adaptive && options.duration) {
        if (std::abs(*wanted.duration) < std::abs(*options.duration)) {
            throw InputError(fmt::format(
                "--resume {}: the run in the file has the duration {}, {} is shorter; a run can only be made longer",
                path, *options.duration, *wanted.duration));
        }
        options.duration = wanted.duration;
        return;
    }
    if (steps < *options.steps) {
        throw InputError(
            fmt::format("--resume {}: the run in the file has {} steps, {} are fewer; a run can only be made longer",
                        path, *options.steps, steps));
    }
    options.steps = steps;
}

void TrajectoryRecorder::see(const Sample& sample) {
    file_.append({sample.step, sample.t, sample.q, sample.p, sample.v, sample.lambda, sample.observables, sample.energy,
                  sample.constraint, sample.hidden});
}

void TrajectoryRecorder::save(std::span<const std::byte> memory) {
    bytes_.resize(sizeof length_.bits + memory.size());
    std::memcpy(bytes_.data(), &length_.bits, sizeof length_.bits);
    std::memcpy(bytes_.data() + sizeof length_.bits, memory.data(), memory.size());
    file_.write_checkpoint(bytes_);
}

std::vector<std::byte> saved_memory(const TrajectoryFile& file) {
    if (!file.checkpoint() || file.checkpoint()->size() < sizeof(std::int64_t)) {
        return {};
    }
    return {file.checkpoint()->begin() + sizeof(std::int64_t), file.checkpoint()->end()};
}

}  // namespace libration
