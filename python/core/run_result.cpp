// Runs that are over: arrays, files, analyses.
#include "run_result.hpp"
#include "arrays.hpp"
#include "gil.hpp"
#include "signals.hpp"

#include "analysis/json.hpp"
#include "integrate/run_facts.hpp"
#include "integrate/run_record.hpp"
#include <libration/integrate/trajectory.hpp>
#include <libration/io/csv.hpp>
#include <libration/io/json.hpp>
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace libration::python {

namespace py = pybind11;

namespace {

constexpr std::size_t rows_between_looks = 4096;

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

Trajectory trajectory_of(const RunResult& result, const Recording& states) {
    Trajectory trajectory{
        .model = *result.model, .method = result.settings.method(), .options = result.settings.options};
    for (std::size_t row = 0; row < states.rows(); ++row) {
        trajectory.add(states.sample(row));
    }
    return trajectory;
}

}  // namespace

py::object shared_array(const Recording& recording, Recording::Column column) {
    const auto block = recording.block(column);
    const auto rows = signed_size(recording.rows()), width = signed_size(recording.width(column));
    const auto shape = column >= Recording::q ? ArrayShape{rows, width} : ArrayShape{rows};
    if (column == Recording::step) {
        return view(reinterpret_cast<const std::int64_t*>(block->data()), shape, block);
    }
    return view(reinterpret_cast<const double*>(block->data()), shape, block);
}

std::shared_ptr<RunResult> RunResult::open(const std::string& path) {
    const auto file = TrajectoryFile::open_read_only(path);
    auto result = std::make_shared<RunResult>();
    result->path = absolute_path(path);
    result->status = file.status();
    if (result->status != "running") {
        result->mark = mark_of(path);
    }
    result->model_name = file.attribute("model");
    if (file.attribute("model_text").empty() || !missing_functions(file).empty()) {
        result->settings.request.method = file.attribute("method");
        result->settings.options.step = std::stod(file.attribute("step"));
    } else {
        result->settings = read_settings(file);
        result->model = std::make_shared<Model>(result->settings.model);
        result->memory = {saved_memory(file), static_cast<std::size_t>(file.checkpoint_rows()),
                          static_cast<std::size_t>(file.checkpoint_events())};
    }
    result->events_are_in_file_ = file.keeps_events();
    result->take_summary(file);
    result->is_former = !result->run && file.checkpoint().has_value();
    result->observable_names = file.observable_names();
    return result;
}

void RunResult::require_unchanged() const {
    if (mark && mark_of(path) != mark) {
        throw FileError(fmt::format("{}: the file was changed or replaced after this run; lb.open(...) reads its "
                                    "current contents",
                                    path));
    }
}

void RunResult::load_events() {
    if (events_are_in_file_) {
        require_unchanged();
        events = read_events(TrajectoryFile::open_read_only(path));
        events_are_in_file_ = false;
    }
}

const Recording& RunResult::states() {
    if (!recording) {
        require_unchanged();
        const auto file = TrajectoryFile::open_read_only(path);
        recording = std::make_shared<Recording>(
            file, StateSizes{file.dimension(), file.constraints(), file.observable_names().size()});
    }
    return *recording;
}

const Recording& RunResult::complete_states() {
    states();
    if (recording->is_lazy()) {
        const ReleasedGil released;
        recording->complete(*model, look_for_signals_outside);
    }
    return *recording;
}

py::object RunResult::column(const std::string& name) {
    const auto at = static_cast<std::size_t>(
        std::ranges::find(Recording::names, name, [](const char* text) { return std::string_view(text); }) -
        Recording::names.begin());
    if (at == Recording::columns) {
        throw InputError(fmt::format("a run has no column '{}'", name));
    }
    const auto column = static_cast<Recording::Column>(at);
    return shared_array(Recording::is_late(column) ? complete_states() : states(), column);
}

py::dict RunResult::columns() {
    const auto& held = complete_states();
    py::dict arrays;
    for (std::size_t column = 0; column < Recording::columns; ++column) {
        arrays[Recording::names[column]] = shared_array(held, static_cast<Recording::Column>(column));
    }
    return arrays;
}

py::dict RunResult::event_columns() {
    load_events();
    const auto& all = events.states;
    const auto count = all.size();
    const auto gather = [&](auto value) {
        using Value = decltype(value(all.front()));
        const auto values = std::make_shared<Value[]>(count);
        std::ranges::transform(all, values.get(), value);
        return view(values.get(), {signed_size(count)}, values);
    };
    const auto gather_rows = [&](const std::vector<double> EventRecorder::State::*member, std::size_t width) {
        const auto values = std::make_shared<double[]>(count * width);
        auto* to = values.get();
        for (const auto& state : all) {
            to = std::ranges::copy(state.*member, to).out;
        }
        return view(values.get(), {signed_size(count), signed_size(width)}, values);
    };
    using EventState = EventRecorder::State;
    const auto n = model ? model->dimension : 0, m = model ? model->multipliers() : 0;
    py::dict arrays;
    arrays["event"] = gather([](const EventState& s) { return static_cast<std::int64_t>(s.event); });
    arrays["rising"] = gather([](const EventState& s) { return s.rising; });
    arrays["t"] = gather([](const EventState& s) { return s.t; });
    arrays["energy"] = gather([](const EventState& s) { return s.energy; });
    arrays["constraint"] = gather([](const EventState& s) { return s.constraint; });
    arrays["hidden"] = gather([](const EventState& s) { return s.hidden; });
    arrays["q"] = gather_rows(&EventState::q, n);
    arrays["p"] = gather_rows(&EventState::p, n);
    arrays["v"] = gather_rows(&EventState::v, n);
    arrays["lambda"] = gather_rows(&EventState::lambda, m);
    return arrays;
}

void RunResult::take_summary() {
    try {
        take_summary(TrajectoryFile::open_read_only(path));
    } catch (const std::exception&) {
        // What broke the run off says more; its rows are there, or nothing is.
    }
}

void RunResult::take_summary(const TrajectoryFile& file) {
    if (const auto& kept = file.summary()) {
        run = run_of(*kept);
        warnings = run->warnings;
    }
}

// Of a run that was broken off, or that another process still makes, rows may be newer than what is known of it.
void RunResult::summarize() {
    if (is_summarized_ || (run && !broken_off && status != "running")) {
        return;
    }
    const auto& held = complete_states();
    if (!run) {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        is_known_ = false;
        run.emplace();
        run->model = model_name;
        run->method = settings.method();
        run->step = settings.options.step;
        run->monitor = settings.options.monitor;
        run->energy.max_error = run->constraint.max = run->constraint.hidden_max = run->constraint.max_floors =
            run->seconds = run->setup_seconds = unknown;
    }
    if (held.rows() > 0 && settings.options.at.empty()) {
        const auto last = held.sample(held.rows() - 1);
        run->steps = last.step;
        run->t = last.t;
        run->q = copy(last.q);
        run->p = copy(last.p);
        run->v = copy(last.v);
        run->lambda = copy(last.lambda);
        run->energy.initial = held.sample(0).energy;
        run->energy.final = last.energy;
        run->energy.final_error = std::abs(last.energy - run->energy.initial);
    }
    run->status = status == "running" ? RunStatus::stopped : status_named(status);
    is_summarized_ = true;
}

std::vector<std::pair<std::string, std::string>> RunResult::facts() {
    summarize();
    return run_facts(*run);
}

Record RunResult::summary() {
    summarize();
    load_events();
    return record_of(*run, events);
}

void RunResult::save(const std::string& file, bool overwrite) {
    const auto& held = complete_states();
    if (file.ends_with(".csv")) {
        if (!model) {
            throw InputError(fmt::format("{}: the model of this run has no text and its columns no names; save it as "
                                         "FILE.h5 instead",
                                         file));
        }
        const ReleasedGil released;
        CsvFile csv(file, *model, overwrite);
        for (std::size_t row = 0; row < held.rows(); ++row) {
            if (row % rows_between_looks == 0) {
                look_for_signals_outside();
            }
            csv.see(held.sample(row));
        }
        csv.finish();
        return;
    }
    if (!file.ends_with(".h5")) {
        throw InputError(fmt::format("{}: the name must end in .h5 or .csv", file));
    }
    if (!model) {
        throw InputError(fmt::format("{}: the model of this run has no text; copy {} instead", file, path));
    }
    summarize();
    load_events();
    TrajectoryFile::require_replaceable(file, overwrite);
    const auto beside = file + ".writing";
    try {
        write_file(beside, held);
        std::filesystem::rename(beside, file);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        throw;
    }
}

void RunResult::write_file(const std::string& file, const Recording& held) const {
    TrajectoryRecorder recorder(TrajectoryFile::create(file, trajectory_layout(settings), true),
                                run_length(settings.options));
    std::size_t next = 0;
    const auto write_events = [&](std::size_t count) {
        for (; next < count; ++next) {
            const auto& state = events.states[next];
            recorder.happen(state.event, state.rising, state.sample());
        }
    };
    const auto save_memory = [&] {
        if (!memory.bytes.empty()) {
            write_events(std::min(memory.events, events.states.size()));
            recorder.save(memory.bytes);
        }
    };
    for (std::size_t row = 0; row < held.rows(); ++row) {
        if (row % rows_between_looks == 0) {
            look_for_signals();
        }
        if (row == memory.rows) {
            save_memory();
        }
        recorder.see(held.sample(row));
    }
    if (memory.rows >= held.rows()) {
        save_memory();
    }
    write_events(events.states.size());
    if (is_known_) {
        recorder.finish(*run);
    } else {
        recorder.finish(run->status);
    }
}

py::tuple RunResult::analyse(const std::string& name, const std::map<std::string, std::string>& options) {
    if (!model) {
        throw InputError(
            fmt::format("{}: the model of this run is not in the file as a text, so it cannot be analyzed", path));
    }
    const auto& held = complete_states();
    AnalysisReport report{path, model_name, settings.method(), {}};
    std::vector<std::string> figures;
    {
        const ReleasedGil released;
        report.results.push_back(libration::analyse(trajectory_of(*this, held), name, options));
        report.results.back().what = libration::analysis(name).name;
        for (const auto& figure : report.results.back().figures) {
            figures.push_back(plot::to_svg(figure));
        }
    }
    look_for_signals();
    return py::make_tuple(json_of(report), figures);
}

}  // namespace libration::python
