// libration._core.run, open_run, resume, RunResult.
#include "bindings.hpp"
#include "choices.hpp"
#include "records.hpp"
#include "requests.hpp"
#include "run_watch.hpp"
#include "signals.hpp"

#include "integrate/state_reader.hpp"
#include "io/execute.hpp"
#include "request/run_fields.hpp"
#include <libration/io/csv.hpp>
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

namespace libration::python {

namespace py = pybind11;

namespace {

using Clock = std::chrono::steady_clock;
using SharedModel = std::shared_ptr<Model>;

// Rows that the run will record; nothing where nobody can know.
std::optional<std::size_t> expected_rows(const IntegrationOptions& options, std::int64_t total_steps) {
    if (!options.at.empty()) {
        return options.at.size();
    }
    if (options.adaptive && options.duration) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(total_steps / options.every) + 2;
}

void reserve(Recording& recording, const IntegrationOptions& options, std::int64_t total_steps,
             std::size_t most_bytes) {
    const auto rows = expected_rows(options, total_steps);
    if (!rows) {
        return;
    }
    const double bytes = static_cast<double>(*rows) * static_cast<double>(recording.row_bytes());
    if (bytes > static_cast<double>(most_bytes)) {
        constexpr double gib = 1 << 30;
        throw InputError(fmt::format(
            "{} states would be recorded, {:.3g} GiB, and this machine has {:.3g} GiB of memory; give `every = K` "
            "or `at = ...` to record fewer of them, or `out = FILE.h5` to keep them in a file",
            *rows, bytes / gib, static_cast<double>(physical_memory()) / gib));
    }
    recording.reserve(*rows);
}

std::shared_ptr<RunResult> complete(Integration& integration, RunWatch& watch, std::shared_ptr<RunResult> result,
                                    Clock::time_point started) {
    const Work whole;
    watch.attach_to(integration);
    if (!all_events(*result->model, result->settings.options.events).empty()) {
        integration.observe(result->events);
    }
    InterruptKeeper keeper(watch.stop());
    try {
        const ReleasedGil released;
        result->run = execute(integration, result->settings.request, watch.stop(), started);
    } catch (const py::error_already_set& error) {
        watch.break_off(*result);
        if (!error.matches(PyExc_KeyboardInterrupt)) {
            throw;
        }
        result->interrupted = true;
        return result;
    } catch (...) {
        watch.break_off(*result);
        throw;
    }
    result->interrupted = keeper.came();
    result->status = to_string(result->run->status);
    watch.finish(*result);
    result->warnings.insert(result->warnings.end(), result->run->warnings.begin(), result->run->warnings.end());
    if (const auto& verdict = result->run->verdict;
        verdict && verdict->word == VerdictWord::meaningless && result->run->status != RunStatus::failed) {
        result->warnings.push_back(
            fmt::format("this result is meaningless, do not use it: {}", fmt::join(verdict->reasons, "; ")));
    }
    return result;
}

std::shared_ptr<RunResult> new_result(const SharedModel& model, RunSettings settings) {
    auto result = std::make_shared<RunResult>();
    result->model = model;
    result->model_name = model->name;
    for (const auto& observable : model->observables) {
        result->observable_names.push_back(observable.name);
    }
    result->settings = std::move(settings);
    return result;
}

std::unique_ptr<Integration> make_integration(const Model& model, const RunSettings& settings, Doubts doubts) {
    std::unique_ptr<Integration> integration;
    {
        const ReleasedGil released;
        integration = std::make_unique<Integration>(model, method(settings.method(), doubts), settings.options);
    }
    look_for_signals();
    return integration;
}

std::shared_ptr<RunResult> run_model(const SharedModel& model, const py::dict& options, const py::object& progress,
                                     const py::object& callback, double start_time) {
    const auto started = Clock::now();
    auto asked = request_of<RunRequest>(options, run_fields);
    auto chosen = complete_by_choice(*model, asked, start_time);
    auto result = new_result(model, resolve(*model, asked));
    auto& settings = result->settings;
    settings.options.chosen = std::move(chosen);
    settings.options.start_time = start_time;
    const auto& request = settings.request;
    const auto& out = request.out;
    const bool to_table = out && out->ends_with(".csv"), to_file = out && out->ends_with(".h5");
    if (settings.options.at.empty() && request.at) {
        throw InputError("at: the list of times is empty; omit it to record every step");
    }
    auto integration = make_integration(*model, settings, request.force ? Doubts::accept : Doubts::refuse);
    if (!settings.options.adaptive || !settings.options.duration) {
        settings.options.steps = integration->total_steps();
    }
    const std::size_t most_bytes = physical_memory() / 2;
    RunWatch watch(*model, {callback, progress}, most_bytes);
    if (to_file) {
        watch.write_to(TrajectoryFile::create(*out, trajectory_layout(settings), request.overwrite),
                       run_length(settings.options));
        result->path = absolute_path(*out);
        return complete(*integration, watch, std::move(result), started);
    }
    if (!to_table && callback.is_none() && StateReader::suffices(*model)) {
        watch.recording->be_lazy();
    }
    reserve(*watch.recording, settings.options, integration->total_steps(), most_bytes);
    if (!to_table) {
        return complete(*integration, watch, std::move(result), started);
    }
    CsvFile table(*out, *model, request.overwrite);
    integration->observe(table);
    try {
        result = complete(*integration, watch, std::move(result), started);
    } catch (...) {
        table.finish();
        throw;
    }
    table.finish();
    return result;
}

std::shared_ptr<RunResult> resume_run(const std::string& path, const py::dict& options, const py::object& progress,
                                      const py::object& callback) {
    const auto started = Clock::now();
    auto request = request_of<RunRequest>(options, run_fields);
    request.resume = path;
    // All is checked before the file is touched.
    auto settings = resumed_settings(request);
    const auto model = std::make_shared<Model>(settings.model);
    auto result = new_result(model, std::move(settings));
    result->path = absolute_path(path);
    auto integration = make_integration(*model, result->settings, Doubts::accept);
    auto file = TrajectoryFile::open_for_resume(path);
    KeptMemory memory{saved_memory(file), static_cast<std::size_t>(file.rows()),
                      static_cast<std::size_t>(file.events())};
    result->events = read_events(file);
    if (!memory.bytes.empty()) {
        integration->restore(memory.bytes);
    } else {
        result->warnings.push_back(fmt::format("{} contains no checkpoint yet; starting from the beginning", path));
    }
    RunWatch watch(*model, {callback, progress}, 0);
    watch.write_to(std::move(file), run_length(result->settings.options), std::move(memory));
    return complete(*integration, watch, std::move(result), started);
}

void bind_state(py::module_& m) {
    py::class_<State> type(m, "State", "A recorded state, passed to callbacks. Its arrays are copies.");
    type.def_readonly("step", &State::step, "Step number.")
        .def_readonly("t", &State::t)
        .def_readonly("q", &State::q)
        .def_readonly("p", &State::p)
        .def_readonly("v", &State::v)
        .def_readonly("lam", &State::lambda)
        .def_readonly("energy", &State::energy)
        .def_readonly("constraint", &State::constraint, "max |g_i|")
        .def_readonly("hidden", &State::hidden, "max |(G v)_i|")
        .def_readonly("observables", &State::observables)
        .def("__repr__", [](const State& state) {
            return fmt::format("State(step={}, t={}, q={}, p={}, energy={})", state.step, state.t,
                               std::string(py::str(state.q.attr("tolist")())),
                               std::string(py::str(state.p.attr("tolist")())), state.energy);
        });
    only_from_functions(type);
}

void bind_result(py::module_& m) {
    py::class_<RunResult, std::shared_ptr<RunResult>> type(m, "RunResult", "The result of a run with its states.");
    type.def_property_readonly("summary", [](RunResult& result) { return dict_of(result.summary()); })
        .def_property_readonly("facts", [](RunResult& result) { return result.facts(); })
        .def_readonly("is_former", &RunResult::is_former)
        .def("column", &RunResult::column, py::arg("name"))
        .def("columns", [](RunResult& result) { return result.columns(); })  // a member would take None for self
        .def("event_columns", [](RunResult& result) { return result.event_columns(); })
        .def("at", &RunResult::at, py::arg("times"))
        .def_readonly("status", &RunResult::status)
        .def_readonly("interrupted", &RunResult::interrupted)
        .def_readonly("model", &RunResult::model)
        .def_readonly("model_name", &RunResult::model_name)
        .def_readonly("path", &RunResult::path)
        .def_readonly("observables", &RunResult::observable_names)
        .def_property_readonly("method", [](const RunResult& result) { return result.settings.method(); })
        .def_property_readonly("step", [](const RunResult& result) { return result.settings.options.step; })
        .def_property_readonly("warnings", [](const RunResult& result) { return result.warnings; })
        .def("save", &RunResult::save, py::arg("path"), py::arg("overwrite") = false)
        .def("analyse", &RunResult::analyse, py::arg("name"), py::arg("options"));
    only_from_functions(type);
}

}  // namespace

void bind_runs(py::module_& m) {
    bind_state(m);
    bind_result(m);
    m.def("run", &run_model, py::arg("model").none(false), py::arg("options"), py::kw_only(),
          py::arg("progress") = py::none(), py::arg("callback") = py::none(), py::arg("start_time") = 0.0);
    m.def("open_run", &RunResult::open, py::arg("path"));
    m.def("resume", &resume_run, py::arg("path"), py::arg("options"), py::kw_only(), py::arg("progress") = py::none(),
          py::arg("callback") = py::none());
}

}  // namespace libration::python
