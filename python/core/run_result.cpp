// Runs that are over: arrays, files, analyses.
#include "run_result.hpp"
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

void protect(py::array& array) {
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

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

py::array shared_array(const Recording& recording, Recording::Column column) {
    using Owner = std::shared_ptr<const Block>;
    auto owner = std::make_unique<Owner>(recording.block(column));
    const void* data = (*owner)->data();
    const py::capsule base(owner.release(), [](void* held) { delete static_cast<Owner*>(held); });
    const auto rows = static_cast<py::ssize_t>(recording.rows());
    const auto width = static_cast<py::ssize_t>(recording.width(column));
    const auto type = column == Recording::step ? py::dtype::of<std::int64_t>() : py::dtype::of<double>();
    const bool matrix = column >= Recording::q;
    py::array array(type, matrix ? std::vector<py::ssize_t>{rows, width} : std::vector<py::ssize_t>{rows}, data, base);
    protect(array);
    return array;
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
        result->memory = {saved_memory(file), static_cast<std::size_t>(file.checkpoint_rows())};
    }
    result->take_summary(file);
    result->is_former = !result->run && file.checkpoint().has_value();
    result->observable_names = file.observable_names();
    return result;
}

const Recording& RunResult::states() {
    if (!recording) {
        if (mark && mark_of(path) != mark) {
            throw FileError(fmt::format("{}: the file was changed or replaced after this run; lb.open(...) reads its "
                                        "current contents",
                                        path));
        }
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

py::array RunResult::column(const std::string& name) {
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

py::dict RunResult::event_columns() const {
    const auto& all = events.states;
    const auto count = all.size();
    const auto gather = [&](auto value) {
        using Value = decltype(value(all.front()));
        py::array_t<Value> array(static_cast<py::ssize_t>(count));
        std::ranges::transform(all, array.mutable_data(), value);
        protect(array);
        return array;
    };
    const auto gather_rows = [&](const std::vector<double> EventRecorder::State::*member, std::size_t width) {
        py::array_t<double> array({count, width});
        auto* to = array.mutable_data();
        for (const auto& state : all) {
            to = std::ranges::copy(state.*member, to).out;
        }
        protect(array);
        return array;
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
        const bool happened = std::ranges::any_of(run->events, [](const auto& event) { return event.count > 0; });
        events.complete = !happened;  // no file holds their states
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
    for (std::size_t row = 0; row < held.rows(); ++row) {
        if (row % rows_between_looks == 0) {
            look_for_signals();
        }
        if (row == memory.rows && !memory.bytes.empty()) {
            recorder.save(memory.bytes);
        }
        recorder.see(held.sample(row));
    }
    if (memory.rows >= held.rows() && !memory.bytes.empty()) {
        recorder.save(memory.bytes);
    }
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
