// `libration run`.
#include "commands.hpp"
#include "event_output.hpp"
#include "stop_request.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <libration/integrate/run_defaults.hpp>
#include <libration/io/csv.hpp>
#include <libration/io/json.hpp>
#include <libration/io/trajectory_recorder.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

namespace libration::app {

namespace {

using Clock = std::chrono::steady_clock;

RunSettings run_settings_of(const RunArguments& arguments) {
    RunSettings settings{Model::load(arguments.model, read_assignments(arguments.assignments)), {}, {}, {}, {}};
    const GivenRun given{arguments.method, arguments.step, arguments.duration, arguments.steps};
    settings.method = method_for(settings.model, given);
    auto& options = settings.options;
    set_times(settings.model, given, options);
    options.every = arguments.every.value_or(1);
    options.monitor = arguments.monitor.value_or(1);
    options.project = arguments.project;
    options.stop_if = arguments.stop_if.value_or("");
    options.adaptive = adaptive_options({arguments.adaptive, arguments.estimator, arguments.tolerance});
    options.backend = backend_named(arguments.backend);
    read_events_and_times(arguments, settings);
    return settings;
}

[[noreturn]] void disagree(const RunArguments& arguments, std::string_view what, const std::string& given,
                           const std::string& kept) {
    throw InputError(
        fmt::format("--resume {}: {} is {} in the file and {} on the command line; leave it out, or start a new run",
                    *arguments.resume, what, kept, given));
}

void check_adaptive_again(const RunArguments& arguments, const IntegrationOptions& options) {
    const auto kept = [&](auto text) { return options.adaptive ? text(*options.adaptive) : std::string("not set"); };
    const auto control = kept([](const AdaptiveOptions& a) { return std::string(name(a.control)); });
    const auto tolerance = kept([](const AdaptiveOptions& a) { return fmt::format("{}", a.tolerance); });
    const auto estimator =
        kept([](const AdaptiveOptions& a) { return std::string(a.estimator ? name(*a.estimator) : "not set"); });
    if (arguments.adaptive && *arguments.adaptive != control) {
        disagree(arguments, "--adaptive", *arguments.adaptive, control);
    }
    if (arguments.tolerance && !(options.adaptive && *arguments.tolerance == options.adaptive->tolerance)) {
        disagree(arguments, "--tol", fmt::format("{}", *arguments.tolerance), tolerance);
    }
    if (arguments.estimator && *arguments.estimator != estimator) {
        disagree(arguments, "--estimator", *arguments.estimator, estimator);
    }
}

// What was given again must agree with the file; only the length may grow.
RunSettings resumed_settings(const RunArguments& arguments, const TrajectoryFile& file) {
    auto settings = read_settings(file);
    if (!arguments.model.empty()) {
        const auto model = Model::load(arguments.model, read_assignments(arguments.assignments));
        if (model.text != settings.model.text ||
            (!arguments.assignments.empty() && model.overrides != settings.model.overrides)) {
            throw InputError(fmt::format(
                "--resume {}: the file was written for another model ('{}') than '{}', or for other --set values",
                *arguments.resume, settings.model.name, arguments.model));
        }
    } else if (!arguments.assignments.empty() &&
               Model::parse(settings.model.text, settings.model.name, read_assignments(arguments.assignments))
                       .overrides != settings.model.overrides) {
        throw InputError(fmt::format("--resume {}: the file was written with other --set values", *arguments.resume));
    }
    auto& options = settings.options;
    if (arguments.method && to_string(parse_spec(*arguments.method)) != to_string(parse_spec(settings.method))) {
        disagree(arguments, "the method", *arguments.method, settings.method);
    }
    if (arguments.step && *arguments.step != options.step) {
        disagree(arguments, "the step", fmt::format("{}", *arguments.step), fmt::format("{}", options.step));
    }
    if (arguments.every && *arguments.every != options.every) {
        disagree(arguments, "--every", std::to_string(*arguments.every), std::to_string(options.every));
    }
    if (arguments.monitor && *arguments.monitor != options.monitor) {
        disagree(arguments, "--monitor", std::to_string(*arguments.monitor), std::to_string(options.monitor));
    }
    if (arguments.project && !options.project) {
        disagree(arguments, "--project", "set", "not set");
    }
    if (arguments.stop_if && *arguments.stop_if != options.stop_if) {
        disagree(arguments, "--stop-if", *arguments.stop_if, options.stop_if.empty() ? "not set" : options.stop_if);
    }
    check_adaptive_again(arguments, options);
    if (arguments.at && *arguments.at != settings.at) {
        disagree(arguments, "--at", *arguments.at, settings.at.empty() ? "not set" : settings.at);
    }
    if (!arguments.events.empty() && arguments.events != settings.events) {
        disagree(arguments, "--event", fmt::format("\"{}\"", fmt::join(arguments.events, "\", \"")),
                 settings.events.empty() ? "not set" : fmt::format("\"{}\"", fmt::join(settings.events, "\", \"")));
    }
    if (arguments.steps || arguments.duration) {
        make_longer(settings, {arguments.duration, arguments.steps}, *arguments.resume);
    }
    options.backend = backend_named(arguments.backend);  // changes no bit, so the file does not know it
    return settings;
}

std::string extension(const std::string& path) {
    const auto point = path.rfind('.');
    return point == std::string::npos ? "" : path.substr(point);
}

int report(const Run& run, const Model& model, const RunArguments& arguments, const std::string& out,
           const EventOutput& events) {
    for (const auto& warning : run.warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), warning);
    }
    if (arguments.json) {
        fmt::print("{}\n", json_of(run, events.states(), arguments.full));
    } else {
        print_summary(run, model, out);
    }
    if (run.status == RunStatus::stopped && stop_requested) {  // and not by --stop-if
        fmt::print(stderr, "{}\n",
                   extension(out) == ".h5" ? fmt::format("stopped; continue with: libration run --resume {}", out)
                                           : "stopped; runs with --out FILE.h5 can be continued");
    }
    if (run.failure && arguments.json) {
        fmt::print(stderr, "{} step {} (t = {}): {}\n", red("failed at", stderr), run.failure->step, run.failure->t,
                   run.failure->message);
    }
    return run.status == RunStatus::failed ? numerical_failure : success;
}

// Reading, checking and starting are setup: all that happened since `started`.
Run execute_run(Integration& integration, const RunArguments& arguments, Clock::time_point started) {
    ProgressBar bar;
    if (!arguments.quiet) {
        integration.report_progress([&bar](const Progress& progress) { bar.show(progress); });
    }
    integration.stop_on(stop_requested);
    const double setup = std::chrono::duration<double>(Clock::now() - started).count();
    Run run = integration.run();
    run.setup_seconds = setup + run.backend.seconds;
    bar.close();
    return run;
}

Run record(Integration& integration, const RunArguments& arguments, Clock::time_point started, TrajectoryFile file,
           const RunLength& length) {
    TrajectoryRecorder recorder(std::move(file), length);
    integration.observe(recorder);
    integration.checkpoint_to(recorder);
    auto run = execute_run(integration, arguments, started);
    recorder.finish(run);
    return run;
}

int resume_run(const RunArguments& arguments, Clock::time_point started) {
    const auto& path = *arguments.resume;
    if (arguments.out && *arguments.out != path) {
        throw InputError("--resume continues its file in place; leave --out away");
    }
    // Settings are compared before the file is touched.
    const auto settings = resumed_settings(arguments, TrajectoryFile::open_read_only(path));
    EventOutput events(settings, arguments);
    Integration integration(settings.model, method(settings.method, Doubts::accept), settings.options);
    events.attach(integration);
    auto file = TrajectoryFile::open_for_resume(path);
    if (const auto memory = saved_memory(file); !memory.empty()) {
        integration.restore(memory);
    } else {
        fmt::print(stderr, "{} {} holds no checkpoint yet; starting from the beginning\n", bold("warning:", stderr),
                   path);
    }
    const auto run = record(integration, arguments, started, std::move(file), run_length(settings.options));
    return report(run, settings.model, arguments, path, events);
}

int new_run(const RunArguments& arguments, Clock::time_point started) {
    auto settings = run_settings_of(arguments);
    const auto out = arguments.out.value_or("");
    const auto kind = extension(out);
    if (arguments.out && kind != ".h5" && kind != ".csv") {
        throw InputError(fmt::format("--out {}: the name must end in .h5 or .csv", out));
    }
    const auto doubts = arguments.force ? Doubts::accept : Doubts::refuse;
    Integration integration(settings.model, method(settings.method, doubts), settings.options);
    EventOutput events(settings, arguments);
    events.attach(integration);
    if (kind == ".h5") {
        if (!settings.options.adaptive || !settings.options.duration) {
            settings.options.steps = integration.total_steps();
        }
        auto file = TrajectoryFile::create(out, trajectory_layout(settings), arguments.overwrite);
        const auto run = record(integration, arguments, started, std::move(file), run_length(settings.options));
        events.finish();
        return report(run, settings.model, arguments, out, events);
    }
    if (kind == ".csv") {
        CsvFile file(out, settings.model, arguments.overwrite);
        integration.observe(file);
        const auto run = execute_run(integration, arguments, started);
        file.finish();
        events.finish();
        return report(run, settings.model, arguments, out, events);
    }
    const auto run = execute_run(integration, arguments, started);
    events.finish();
    return report(run, settings.model, arguments, out, events);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> read_assignments(const std::vector<std::string>& assignments) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& text : assignments) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
            throw InputError(fmt::format("--set {}: write it as --set name=value", text));
        }
        const auto name = text.substr(0, equals);
        if (std::ranges::find(pairs, name, [](const auto& pair) { return pair.first; }) != pairs.end()) {
            throw InputError(fmt::format("--set {}: the parameter {} is set twice", text, name));
        }
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

int run_command(const RunArguments& arguments) {
    const auto started = Clock::now();
    // From the beginning: a request that comes during the setup stops the run at its first step, with a resumable file.
    watch_for_stop_requests();
    return arguments.resume ? resume_run(arguments, started) : new_run(arguments, started);
}

}  // namespace libration::app
