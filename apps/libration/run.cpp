// `libration run`.
#include "chosen.hpp"
#include "commands.hpp"
#include "event_output.hpp"
#include "examples.hpp"
#include "stop_request.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "io/execute.hpp"
#include "request/assignments.hpp"
#include "request/run_fields.hpp"
#include <libration/io/csv.hpp>
#include <libration/io/json.hpp>
#include <libration/io/trajectory_recorder.hpp>

#include <fmt/format.h>

#include <chrono>
#include <limits>

namespace libration::app {

namespace {

using Clock = std::chrono::steady_clock;

std::string extension(const std::string& path) {
    const auto point = path.rfind('.');
    return point == std::string::npos ? "" : path.substr(point);
}

int report(Run run, const Model& model, const RunRequest& request, const std::string& out, const EventOutput& events) {
    for (const auto& warning : run.warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), said(warning));
    }
    if (run.failure) {
        run.failure->message = said(run.failure->message);
    }
    if (request.json) {
        fmt::print("{}\n", json_of(run, events.states(), request.full));
    } else {
        print_summary(run, model, out);
    }
    if (run.status == RunStatus::stopped && stop_signal.requested()) {  // and not by --stop-if
        fmt::print(stderr, "{}\n",
                   extension(out) == ".h5" ? fmt::format("stopped; continue with: libration run --resume {}", out)
                                           : "stopped; runs with --out FILE.h5 can be continued");
    }
    if (run.failure && request.json) {
        fmt::print(stderr, "{} step {} (t = {}): {}\n", red("failed at", stderr), run.failure->step, run.failure->t,
                   run.failure->message);
    }
    const bool meaningless = run.verdict && run.verdict->word == VerdictWord::meaningless;
    if (meaningless) {
        warn_of_meaningless(*run.verdict);
    }
    return run.status == RunStatus::failed || (meaningless && request.strict) ? numerical_failure : success;
}

Run attended(Integration& integration, const RunRequest& request, Clock::time_point started) {
    ProgressBar bar;
    if (!request.quiet) {
        integration.report_progress([&bar](const Progress& progress) { bar.show(progress); });
    }
    auto run = execute(integration, request, stop_signal, started);
    bar.close();
    return run;
}

Run record(Integration& integration, const RunRequest& request, Clock::time_point started, TrajectoryFile file,
           const RunLength& length) {
    TrajectoryRecorder recorder(std::move(file), length);
    integration.observe(recorder);
    integration.checkpoint_to(recorder);
    auto run = attended(integration, request, started);
    recorder.finish(run);
    return run;
}

int resume_run(const RunRequest& request, Clock::time_point started) {
    const auto& path = *request.resume;
    if (request.out && *request.out != path) {
        throw InputError("`resume` continues its file in place; omit `out`");
    }
    // Settings are compared before the file is touched.
    auto settings = resumed_settings(request);
    EventOutput events(settings, request);
    Integration integration(settings.model, method(settings.method(), Doubts::accept), settings.options);
    events.attach(integration);
    auto file = TrajectoryFile::open_for_resume(path);
    events.take_from(file);
    if (const auto memory = saved_memory(file); !memory.empty()) {
        integration.restore(memory);
    } else {
        fmt::print(stderr, "{} {} contains no checkpoint yet; starting from the beginning\n", bold("warning:", stderr),
                   path);
    }
    const auto run = record(integration, settings.request, started, std::move(file), run_length(settings.options));
    events.finish();
    return report(run, settings.model, request, path, events);
}

int new_run(RunRequest request, Clock::time_point started, std::optional<ChosenSettings> chosen = {}) {
    if (request.at && !request.out) {
        throw InputError("`at` sets the output times of `out`; add `out = FILE.csv` or `out = FILE.h5`");
    }
    auto model = Model::load(request.model, read_assignments(request.set));
    if (!chosen) {
        const bool settled = attended_by_line(request.quiet, [&](const ChoiceProgress& progress) {
            chosen = choose_for(model, request, {.stop = &stop_signal, .progress = progress});
        });
        if (!settled) {
            return success;
        }
        print_chosen(chosen, request.quiet);
    }
    auto settings = resolve(std::move(model), request);
    settings.options.chosen = std::move(chosen);
    if (!request.out && !request.every) {  // no observer needs nodes
        settings.options.every = std::numeric_limits<std::int64_t>::max();
    }
    const auto out = request.out.value_or("");
    const auto kind = extension(out);
    const auto doubts = request.force ? Doubts::accept : Doubts::refuse;
    Integration integration(settings.model, method(settings.method(), doubts), settings.options);
    EventOutput events(settings, request);
    events.attach(integration);
    if (kind == ".h5") {
        if (!settings.options.adaptive || !settings.options.duration) {
            settings.options.steps = integration.total_steps();
        }
        auto file = TrajectoryFile::create(out, trajectory_layout(settings), request.overwrite);
        const auto run = record(integration, settings.request, started, std::move(file), run_length(settings.options));
        events.finish();
        return report(run, settings.model, request, out, events);
    }
    if (kind == ".csv") {
        CsvFile file(out, settings.model, request.overwrite);
        integration.observe(file);
        const auto run = attended(integration, settings.request, started);
        file.finish();
        events.finish();
        return report(run, settings.model, request, out, events);
    }
    const auto run = attended(integration, settings.request, started);
    events.finish();
    return report(run, settings.model, request, out, events);
}

int start_run(const RunRequest& request) {
    const auto started = Clock::now();
    if (request.model.empty() && !request.resume) {
        throw InputError(
            "MODEL is missing; e.g. `libration run triple-pendulum`; `libration problems` lists the built-in problems");
    }
    // From the beginning: a request that comes during the setup stops the run at its first step, with a resumable file.
    watch_for_stop_requests();
    return request.resume ? resume_run(request, started) : new_run(request, started);
}

}  // namespace

int run_chosen(RunRequest request, const Choice& choice) {
    request.method = choice.method;
    request.step = choice.step;
    request.duration = choice.duration;
    return new_run(std::move(request), Clock::now(), settings_of(choice));
}

Command run_command() {
    return make_command<RunRequest>("run", "integrate a model", run_examples, run_fields, start_run);
}

}  // namespace libration::app
