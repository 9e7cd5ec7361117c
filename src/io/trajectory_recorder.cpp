// Runs and trajectory files.
#include "request/run_fields.hpp"
#include <libration/io/trajectory_recorder.hpp>

#include "integrate/run_record.hpp"
#include "request/assignments.hpp"
#include <libration/integrate/events.hpp>
#include <libration/text/error.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace libration {

namespace {

std::string join_overrides(const std::vector<std::pair<std::string, std::string>>& overrides) {
    std::string text;
    for (const auto& [name, value] : overrides) {
        text += fmt::format("{}={}\n", name, value);
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
            throw InputError(fmt::format(
                "the attribute overrides of the file contains the line '{}' instead of NAME=VALUE; the file is damaged",
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

std::string_view attribute_of(const RequestField<RunRequest>& field) {
    return field.attribute.empty() ? field.name : field.attribute;
}

// Numbers as numbers; nothing that was not asked for has a kind.
ResultValue kept_value(const RunRequest& request, const RequestField<RunRequest>& field) {
    auto text = text_of(request, field);
    const auto parsed = [&]<class Number>(Number value) -> ResultValue {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc{} && end == text.data() + text.size() ? ResultValue(value) : ResultValue(text);
    };
    switch (field.kind()) {
        case FieldKind::number: return parsed(0.0);
        case FieldKind::whole: return parsed(std::int64_t{0});
        default: return text;
    }
}

// The outcome as far as it is known before the run, with all numbers and names that it will have. What the root has
// already is left out.
Record outcome_to_come(const RunSettings& settings) {
    Run run;
    run.failure.emplace();
    if (settings.options.adaptive) {
        run.adaptive.options = settings.options.adaptive;
        held(run.adaptive.options->estimator);
    }
    for (const auto& observable : settings.model.observables) {
        if (observable.invariant) {
            run.invariants.push_back({.name = observable.name});
        }
    }
    for (const auto& event : all_events(settings.model, settings.options.events)) {
        run.events.push_back({.name = event.name});
    }
    auto record = record_of(run);
    std::erase_if(record.entries, [](const ResultEntry& entry) {
        return entry.name == "model" || entry.name == "method" || entry.name == "step" || entry.name == "status" ||
               entry.name == "warnings";
    });
    const auto forget = [](const auto& self, Record& all) -> void {
        for (auto& entry : all.entries) {
            if (auto* inner = std::get_if<Record>(&entry.value.content)) {
                self(self, *inner);
            } else if (entry.value.as<double>() != nullptr) {
                entry.value = std::numeric_limits<double>::quiet_NaN();
            }
        }
    };
    forget(forget, record);
    return record;
}

bool is_by_time(const IntegrationOptions& options) { return options.adaptive && options.duration; }

// What the file keeps of the request; what it does not know was not asked for.
RunRequest kept_request(const TrajectoryFile& file) {
    RunRequest request;
    for (const auto& field : run_fields) {
        const auto text = field.for_use(use::kept) ? optional_attribute(file, attribute_of(field)) : "";
        if (text.empty()) {
            continue;
        }
        try {
            if (field.kind() == FieldKind::texts) {
                for (const auto& line : split_lines(text)) {
                    read_text(request, field, line);
                }
            } else {
                read_text(request, field, text);
            }
            check_fields<RunRequest>(request, {&field, 1});
        } catch (const InputError& error) {
            throw InputError(fmt::format("the attribute {} of the file is '{}' ({}); the file is damaged",
                                         attribute_of(field), text, error.mistake().problem));
        }
    }
    return request;
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
    for (const auto& event : all_events(model, settings.options.events)) {
        layout.event_names.push_back(event.name);
    }
    for (const auto& group : model.points) {
        layout.points.push_back({group.name, group.count, group.dimension, group.first});
    }
    layout.outcome = outcome_to_come(settings);
    layout.attributes = {
        {"model", model.name},
        {"version", std::string(version)},
        {"model_text", model.saved_text()},
        {"functions", model.external ? model.external->what() : ""},
        {"overrides", join_overrides(model.overrides)},
        {"length", is_by_time(settings.options) ? "duration" : "steps"},
        {"steps_at_creation", run_length(settings.options).bits},
        {"start_time", settings.options.start_time},
        // Without fused multiply-add the last bits may differ from those of other processors.
        {"fused_multiply_add", has_fused_multiply_add() ? 1 : 0},
    };
    auto kept = settings.request;
    kept.every = settings.options.every;
    kept.monitor = settings.options.monitor;
    for (const auto& field : run_fields) {
        if (field.for_use(use::kept) && field.name != "step") {  // the layout has that one itself
            layout.attributes.emplace_back(attribute_of(field), kept_value(kept, field));
        }
    }
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
        throw FileError(fmt::format("the states in the file do not match its model '{}' ({} coordinates and {} "
                                    "multipliers instead of {} and {}, or other observables); use an intact copy",
                                    model.name, file.dimension(), file.constraints(), model.dimension,
                                    model.multipliers()));
    }
}

}  // namespace

RunSettings read_settings(const TrajectoryFile& file) {
    if (const auto functions = missing_functions(file); !functions.empty()) {
        throw InputError(
            fmt::format("{} of the model '{}' cannot be traced and is not stored in the file; continue the run in the "
                        "program that has the functions (Integration::restore), or start over",
                        functions, file.attribute("model")));
    }
    if (file.attribute("model_text").empty()) {
        throw InputError(fmt::format("the model '{}' of this file was built in C++, not read from text; resume it from "
                                     "the program that built it (Integration::restore)",
                                     file.attribute("model")));
    }
    auto model = Model::parse(file.attribute("model_text"), file.attribute("model"),
                              split_overrides(file.attribute("overrides")));
    require_states_of(model, file);
    auto request = kept_request(file);
    (void)number_attribute<std::int64_t>(file, "every");
    (void)number_attribute<std::int64_t>(file, "monitor");
    if (request.at) {
        request.every.reset();  // the file says 1, and it was not requested
    }
    auto length = number_attribute<std::int64_t>(file, "steps_at_creation");
    if (file.checkpoint() && file.checkpoint()->size() >= sizeof(std::int64_t)) {
        std::memcpy(&length, file.checkpoint()->data(), sizeof length);
    }
    if (request.adaptive && file.attribute("length") == "duration") {
        request.duration = std::bit_cast<double>(length);
    } else {
        request.steps = length;
    }
    auto settings = resolve(std::move(model), std::move(request));
    settings.options.start_time = number_attribute<double>(file, "start_time");
    if (file.summary()) {
        settings.options.chosen = run_of(*file.summary()).chosen;
    }
    return settings;
}

namespace {

[[noreturn]] void refuse_restart(const std::string& path, std::string problem, std::string what_to_do = {}) {
    throw InputError(
        {.argument = "resume", .value = path, .problem = std::move(problem), .remedy = std::move(what_to_do)});
}

void make_longer(RunSettings& settings, const RunRequest& asked, const std::string& path) {
    auto& options = settings.options;
    auto wanted = options;
    wanted.steps = asked.steps;
    wanted.duration = asked.duration;
    const auto steps = count_steps(wanted);
    if (options.adaptive && options.duration.has_value() != asked.duration.has_value()) {
        refuse_restart(
            path,
            fmt::format("the length of the run in the file is a {}", options.duration ? "duration" : "number of steps"),
            fmt::format("give a longer one with `{}`", options.duration ? "duration" : "steps"));
    }
    if (options.adaptive && options.duration) {
        if (std::abs(*asked.duration) < std::abs(*options.duration)) {
            refuse_restart(path,
                           fmt::format("the run in the file has the duration {}, longer than {}", *options.duration,
                                       *asked.duration),
                           "a run can only be extended");
        }
        settings.request.duration = options.duration = asked.duration;
        return;
    }
    if (steps < *options.steps) {
        refuse_restart(path, fmt::format("the run in the file has {} steps, more than {}", *options.steps, steps),
                       "a run can only be extended");
    }
    settings.request.steps = options.steps = steps;
}

void require_same_model(const Model& kept, const RunRequest& asked, const std::string& path) {
    if (!asked.model.empty()) {
        const auto model = Model::load(asked.model, read_assignments(asked.set));
        if (model.text != kept.text || (!asked.set.empty() && model.overrides != kept.overrides)) {
            refuse_restart(path,
                           fmt::format("the file was written for the model '{}', not '{}', or with other `set` values",
                                       kept.name, asked.model));
        }
    } else if (!asked.set.empty() &&
               Model::parse(kept.text, kept.name, read_assignments(asked.set)).overrides != kept.overrides) {
        refuse_restart(path, "the file was written with other `set` values");
    }
}

}  // namespace

RunSettings resumed_settings(const RunRequest& asked) {
    const auto& path = *asked.resume;
    check_fields<RunRequest>(asked, run_fields);
    auto settings = read_settings(TrajectoryFile::open_read_only(path));
    require_same_model(settings.model, asked, path);
    require_same(settings.request, asked, path);
    if (asked.steps || asked.duration) {
        make_longer(settings, asked, path);
    }
    // What changes no bit the file does not know.
    for (const auto& field : run_fields) {
        const bool is_length = field.name == "duration" || field.name == "steps";
        if (!field.for_use(use::kept) && !is_length && is_given(asked, field)) {
            std::visit([&](auto member) { settings.request.*member = asked.*member; }, field.member);
        }
    }
    settings.options.backend = backend_named(settings.request.backend);
    return settings;
}

namespace {

TrajectoryRow row_of(const Sample& sample) {
    return {sample.step,   sample.t,           sample.q,      sample.p,          sample.v,
            sample.lambda, sample.observables, sample.energy, sample.constraint, sample.hidden};
}

}  // namespace

void TrajectoryRecorder::see(const Sample& sample) { file_.append(row_of(sample)); }

void TrajectoryRecorder::happen(std::size_t event, bool rising, const Sample& sample) {
    if (file_.keeps_events()) {
        file_.append_event({event, rising, row_of(sample)});
    }
}

std::span<const std::byte> TrajectoryRecorder::with_length(std::span<const std::byte> memory) {
    bytes_.resize(sizeof length_.bits + memory.size());
    std::memcpy(bytes_.data(), &length_.bits, sizeof length_.bits);
    std::memcpy(bytes_.data() + sizeof length_.bits, memory.data(), memory.size());
    return bytes_;
}

void TrajectoryRecorder::save(std::span<const std::byte> memory, const Run& so_far) {
    file_.write_checkpoint(with_length(memory), record_of(so_far));
}

void TrajectoryRecorder::save(std::span<const std::byte> memory) { file_.write_checkpoint(with_length(memory)); }

void TrajectoryRecorder::finish(const Run& run) { file_.finish(to_string(run.status), record_of(run)); }

void TrajectoryRecorder::finish(RunStatus status) { file_.finish(to_string(status)); }

std::vector<std::byte> saved_memory(const TrajectoryFile& file) {
    if (!file.checkpoint() || file.checkpoint()->size() < sizeof(std::int64_t)) {
        return {};
    }
    return {file.checkpoint()->begin() + sizeof(std::int64_t), file.checkpoint()->end()};
}

}  // namespace libration
