// Settings and batches to bytes and back.
#include "io/ensemble_records.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

const std::string journal_format = "libration-ensemble-journal 2";

void put(const NodeRows& rows, ByteWriter& out) {
    out.put(std::uint64_t{rows.width});
    out.put(rows.numbers);
}

NodeRows take_rows(ByteReader& in) {
    NodeRows rows;
    rows.width = in.take<std::uint64_t>();
    in.take(rows.numbers);
    return rows;
}

void put(const TrajectoryOutcome& outcome, ByteWriter& out) {
    out.put(static_cast<std::int32_t>(outcome.status));
    out.put(outcome.failure.has_value());
    if (outcome.failure) {
        out.put(outcome.failure->step);
        out.put(outcome.failure->t);
        out.put(outcome.failure->kind);
        out.put(outcome.failure->message);
    }
    out.put(outcome.steps);
    out.put(outcome.t);
    out.put(outcome.q);
    out.put(outcome.p);
    for (const double value : {outcome.energy_initial, outcome.energy_error, outcome.energy_error_max,
                               outcome.constraint_max, outcome.hidden_max, outcome.floors_max, outcome.verdict}) {
        out.put(value);
    }
}

TrajectoryOutcome take_outcome(ByteReader& in) {
    TrajectoryOutcome outcome;
    outcome.status = static_cast<RunStatus>(in.take<std::int32_t>());
    if (in.take<bool>()) {
        auto& failure = outcome.failure.emplace();
        in.take(failure.step);
        in.take(failure.t);
        in.take(failure.kind);
        in.take(failure.message);
    }
    in.take(outcome.steps);
    in.take(outcome.t);
    in.take(outcome.q);
    in.take(outcome.p);
    for (double* value : {&outcome.energy_initial, &outcome.energy_error, &outcome.energy_error_max,
                          &outcome.constraint_max, &outcome.hidden_max, &outcome.floors_max, &outcome.verdict}) {
        in.take(*value);
    }
    return outcome;
}

}  // namespace

void put(const EnsembleSettings& settings, ByteWriter& out) {
    const auto& options = settings.options;
    out.put(journal_format);
    out.put(std::string(version));
    out.put(settings.model.saved_text());
    out.put(settings.model.name);
    std::vector<std::string> names, values;
    for (const auto& [name, value] : settings.model.overrides) {
        names.push_back(name);
        values.push_back(value);
    }
    out.put(names);
    out.put(values);
    out.put(settings.method);
    out.put(options.step);
    out.put(*options.steps);
    out.put(options.every);
    out.put(options.monitor);
    out.put(options.project);
    out.put(settings.trajectories);
    out.put(settings.seed);
    out.put(settings.variations);
    out.put(settings.values.names);
    out.put(settings.values.values);
}

EnsembleSettings take_settings(ByteReader& in) {
    if (in.take<std::string>() != journal_format) {
        throw FileError("not an ensemble journal, or written by another version");
    }
    if (const auto found = in.take<std::string>(); found != version) {
        throw FileError(
            fmt::format("written by version {}, this is {}; use the version that wrote it", found, version));
    }
    const auto text = in.take<std::string>(), name = in.take<std::string>();
    const auto names = in.take<std::vector<std::string>>(), values = in.take<std::vector<std::string>>();
    std::vector<std::pair<std::string, std::string>> overrides;
    for (std::size_t k = 0; k < names.size(); ++k) {
        overrides.emplace_back(names[k], values.at(k));
    }
    if (text.empty()) {
        throw InputError(fmt::format("the model '{}' of this ensemble was built in C++ or has functions that cannot be "
                                     "written to a file; rerun the ensemble in the program that created it",
                                     name));
    }
    EnsembleSettings settings;
    settings.model = Model::parse(text, name, overrides);
    auto& options = settings.options;
    in.take(settings.method);
    in.take(options.step);
    options.steps = in.take<std::int64_t>();
    in.take(options.every);
    in.take(options.monitor);
    in.take(options.project);
    in.take(settings.trajectories);
    in.take(settings.seed);
    in.take(settings.variations);
    in.take(settings.values.names);
    in.take(settings.values.values);
    return settings;
}

void put(const BatchRecord& batch, ByteWriter& out) {
    out.put(std::uint64_t{batch.batch});
    out.put(std::uint64_t{batch.trajectories.size()});
    for (const auto& record : batch.trajectories) {
        put(record.outcome, out);
        put(record.samples, out);
        put(record.frames, out);
    }
}

BatchRecord take_batch(ByteReader& in) {
    BatchRecord batch;
    batch.batch = in.take<std::uint64_t>();
    const auto count = in.take<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) {
        auto outcome = take_outcome(in);
        auto samples = take_rows(in);
        batch.trajectories.push_back({std::move(outcome), std::move(samples), take_rows(in)});
    }
    return batch;
}

}  // namespace libration
