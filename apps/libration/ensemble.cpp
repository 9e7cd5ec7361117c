// `libration ensemble`.
#include "commands.hpp"
#include "defaults.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include <libration/io/ensemble_file.hpp>
#include <libration/io/json.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

namespace libration::app {

namespace {

// Statistics at about this many times, unless --monitor says otherwise.
constexpr std::int64_t usual_nodes = 100;

VariedValues values_of(const EnsembleArguments& arguments, const EnsembleSettings& settings) {
    if (arguments.from && !arguments.variations.empty()) {
        throw InputError("give either --vary or --from, not both");
    }
    if (arguments.from) {
        auto values = read_varied_values(*arguments.from);
        if (arguments.count && *arguments.count != static_cast<std::int64_t>(values.count())) {
            throw InputError(fmt::format("--count {}: {} has {} trajectories; leave --count away", *arguments.count,
                                         *arguments.from, values.count()));
        }
        return values;
    }
    if (arguments.variations.empty()) {
        throw InputError(
            "what differs between the trajectories? e.g. --vary \"g = uniform(9, 10)\", or --from FILE.csv");
    }
    if (!arguments.count) {
        throw InputError("how many trajectories? give --count N");
    }
    if (*arguments.count < 1) {
        throw InputError(fmt::format("--count {}: it must be at least 1", *arguments.count));
    }
    const auto count = static_cast<std::size_t>(*arguments.count);
    check_ensemble_size(settings.model, settings.options, count, settings.trajectories);
    std::vector<Variation> variations;
    for (const auto& text : arguments.variations) {
        variations.push_back(read_variation(text));
    }
    return draw_all(variations, settings.seed, count);
}

// A step or a length that the model makes of a parameter would differ from one trajectory to the next; all have the same.
void refuse_varying_times(const EnsembleArguments& arguments, const EnsembleSettings& settings) {
    const auto& base = settings.model.run;
    for (const std::size_t trajectory : {std::size_t{0}, settings.values.count() - 1}) {
        auto assignments = read_assignments(arguments.assignments);
        for (std::size_t k = 0; k < settings.values.names.size(); ++k) {
            const auto is_it = [&](const auto& parameter) { return parameter.name == settings.values.names[k]; };
            if (std::ranges::any_of(settings.model.parameters, is_it)) {
                assignments.emplace_back(settings.values.names[k],
                                         fmt::format("{}", settings.values.at(trajectory, k)));
            }
        }
        std::optional<Model> own;
        try {
            own = Model::load(arguments.model, assignments);
        } catch (const InputError&) {
            continue;  // reported where it starts
        }
        if (!arguments.step && own->run.step != base.step) {
            throw InputError(
                "the step under [run] of the model depends on what is varied, but all trajectories have the "
                "same; give --step H");
        }
        if (!arguments.duration && !arguments.steps &&
            (own->run.duration != base.duration || own->run.steps != base.steps)) {
            throw InputError("the length under [run] of the model depends on what is varied, but all trajectories have "
                             "the same; give --duration T or --steps N");
        }
    }
}

EnsembleSettings settings_of(const EnsembleArguments& arguments) {
    EnsembleSettings settings;
    settings.model = Model::load(arguments.model, read_assignments(arguments.assignments));
    const GivenRun given{arguments.method, arguments.step, arguments.duration, arguments.steps};
    settings.method = method_for(settings.model, given);
    auto& options = settings.options;
    set_times(settings.model, given, options);
    options.steps = count_steps(options);
    options.duration.reset();
    options.every = arguments.every.value_or(1);
    options.monitor = arguments.monitor.value_or(std::max<std::int64_t>(1, *options.steps / usual_nodes));
    options.project = arguments.project;
    if (arguments.every && !arguments.trajectories) {
        throw InputError("--every belongs to --trajectories; statistics are made every --monitor steps");
    }
    settings.trajectories = arguments.trajectories;
    if (arguments.trajectories && !arguments.out) {
        throw InputError("--trajectories needs a file to go to; give --out FILE.h5");
    }
    if (arguments.out && !arguments.out->ends_with(".h5")) {
        throw InputError(fmt::format("--out {}: the name must end in .h5", *arguments.out));
    }
    if (arguments.seed && *arguments.seed < 0) {
        throw InputError(fmt::format("--seed {}: it must not be negative", *arguments.seed));
    }
    settings.seed = static_cast<std::uint64_t>(arguments.seed.value_or(0));
    settings.variations = arguments.variations;
    settings.values = values_of(arguments, settings);
    refuse_varying_times(arguments, settings);
    return settings;
}

void line(const char* label, const std::string& text) { fmt::print("  {:<13}{}\n", label, text); }

void print_failures(const EnsembleResult& result) {
    constexpr std::size_t most = 5;
    std::size_t shown = 0;
    for (std::size_t k = 0; k < result.trajectories.size() && shown < most; ++k) {
        if (const auto& failure = result.trajectories[k].failure) {
            fmt::print("  {} trajectory {}, step {} (t = {}): {}\n", red("failed:", stdout), k, failure->step,
                       failure->t, failure->message.substr(0, failure->message.find('\n')));
            ++shown;
        }
    }
    if (const auto all = result.count(RunStatus::failed); all > shown) {
        fmt::print("  ... and {} more (--json or --out FILE.h5 has all of them)\n", all - shown);
    }
}

void print_ranges(const EnsembleResult& result) {
    constexpr std::size_t most_rows = 12;
    const std::size_t width = result.channels.size(), last = (result.times.size() - 1) * width;
    const auto here = result.by_node[last].count;
    if (here < result.trajectories.size()) {
        fmt::print("\n  {} of {} trajectories came so far:", grouped(static_cast<std::int64_t>(here)),
                   grouped(static_cast<std::int64_t>(result.trajectories.size())));
    }
    fmt::print("\n  {:<16}{:>14}{:>14}{:>14}{:>14}{:>14}\n", fmt::format("at t = {:.6g}", result.times.back()), "mean",
               "deviation", "5 %", "median", "95 %");
    for (std::size_t k = 0; k < std::min(width, most_rows); ++k) {
        const auto& s = result.by_node[last + k];
        fmt::print("  {:<16}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}\n", result.channels[k], s.mean, s.deviation,
                   s.quantiles[0], s.quantiles[2], s.quantiles[4]);
    }
    if (width > most_rows) {
        fmt::print("  ... and {} more\n", width - most_rows);
    }
}

// "1,000 trajectories completed", "1 of 3 trajectories completed, 2 stopped"
std::string completed_text(const EnsembleResult& result) {
    const auto count = static_cast<std::int64_t>(result.trajectories.size());
    const auto stopped = static_cast<std::int64_t>(result.count(RunStatus::stopped));
    const auto* noun = count == 1 ? "trajectory" : "trajectories";
    return stopped == 0 ? fmt::format("{} {} completed", grouped(count), noun)
                        : fmt::format("{} of {} {} completed, {} stopped at an event", grouped(count - stopped),
                                      grouped(count), noun, grouped(stopped));
}

void print_summary(const EnsembleResult& result, const std::string& out) {
    const auto failed = result.count(RunStatus::failed);
    const auto count = static_cast<std::int64_t>(result.trajectories.size());
    fmt::print("{}  {}\n\n", bold(result.model, stdout),
               !result.complete ? bold("stopped early", stdout)
               : failed > 0     ? red(fmt::format("{} of {} trajectories failed", failed, grouped(count)), stdout)
                                : green(completed_text(result), stdout));
    line("method", fmt::format("{}, {} steps of {}", result.method, grouped(result.steps), result.step));
    line("varied", fmt::format("{}", fmt::join(result.values.names, ", ")));
    line("backend",
         result.backend +
             (result.lanes_note.empty() ? "" : fmt::format(", one trajectory after the other: {}", result.lanes_note)));
    line("work", fmt::format("{} trajectory-steps in {}, {:.3g} a second; {} {}", grouped(result.steps_made),
                             duration_text(result.seconds), static_cast<double>(result.steps_made) / result.seconds,
                             result.threads, result.threads == 1 ? "thread" : "threads"));
    if (!result.complete) {
        return;
    }
    double largest = 0, residual = 0;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < result.trajectories.size(); ++k) {
        const auto& outcome = result.trajectories[k];
        if (outcome.energy_error_max > largest) {
            largest = outcome.energy_error_max;
            worst = k;
        }
        residual = outcome.constraint_max > residual ? outcome.constraint_max : residual;
    }
    line("energy", fmt::format("never further from its start than {:.3g} (trajectory {})", largest, worst));
    if (residual > 0) {
        line("constraints", fmt::format("largest |g| = {:.1e}", residual));
    }
    if (!out.empty()) {
        line("written", out);
    }
    print_ranges(result);
    if (failed > 0) {
        fmt::print("\n");
        print_failures(result);
    }
}

// The bar of a single run, with trajectory-steps in place of steps.
Progress bar_of(const EnsembleProgress& progress) {
    Progress shown{.done = progress.steps, .total = 0, .restored = 0, .seconds = progress.seconds};
    shown.fraction = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    return shown;
}

EnsembleOptions options_of(const EnsembleSettings& settings, const EnsembleArguments& arguments) {
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const auto threads = arguments.threads.value_or(cores);
    if (threads < 1 || threads > 1024) {
        throw InputError(fmt::format("--threads {}: it must be from 1 to 1024", threads));
    }
    return {settings.values, settings.trajectories, static_cast<unsigned>(threads), backend_named(arguments.backend)};
}

Method method_of(const EnsembleSettings& settings, const EnsembleArguments& arguments) {
    return method(settings.method, arguments.force || arguments.resume ? Doubts::accept : Doubts::refuse);
}

int execute(const EnsembleSettings& settings, const EnsembleArguments& arguments, const std::string& out,
            EnsembleJournal* journal) {
    const auto options = options_of(settings, arguments);
    ProgressBar bar;
    EnsembleHooks hooks{.sink = journal};
    hooks.stop = &stop_requested;
    if (!arguments.quiet) {
        hooks.progress = [&bar](const EnsembleProgress& progress) {
            if (progress.steps > 0) {  // else none of them can start, perhaps
                const double now = static_cast<double>(progress.done - progress.restored) / progress.seconds;
                bar.show(bar_of(progress), fmt::format("{} trajectories, {:.3g}/s",
                                                       grouped(static_cast<std::int64_t>(progress.done)), now));
            }
        };
    }
    if (journal != nullptr) {
        hooks.restored = journal->restored();
    }
    const auto result =
        run_ensemble(settings.model, method_of(settings, arguments), settings.options, options, std::move(hooks));
    bar.close();
    if (journal != nullptr && result.complete) {
        journal->complete(result);
    }
    for (const auto& warning : result.warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), warning);
    }
    if (arguments.json) {
        fmt::print("{}\n", json_of(result, arguments.full));
    } else {
        print_summary(result, out);
    }
    if (!result.complete) {
        fmt::print(stderr, "{}\n",
                   out.empty() ? "stopped; ensembles with --out FILE.h5 can be continued"
                               : fmt::format("stopped; continue with: libration ensemble --resume {}", out));
    }
    return result.complete && result.count(RunStatus::failed) > 0 ? numerical_failure : success;
}

// The file decides; only what does not change the result may be given again.
void refuse_with_resume(const EnsembleArguments& a) {
    if (!a.model.empty() || a.method || a.step || a.duration || a.steps || !a.assignments.empty() || a.count ||
        !a.variations.empty() || a.from || a.seed || a.every || a.monitor || a.out || a.project || a.trajectories ||
        a.overwrite) {
        throw InputError(fmt::format("--resume {}: the file knows all the rest; beside it only --threads, --backend, "
                                     "--json, --full and --quiet may be given",
                                     *a.resume));
    }
}

}  // namespace

int ensemble_command(const EnsembleArguments& arguments) {
    watch_for_stop_requests();
    if (arguments.resume) {
        refuse_with_resume(arguments);
        auto journal = EnsembleJournal::open(*arguments.resume);
        const auto settings = journal.settings();
        return execute(settings, arguments, *arguments.resume, &journal);
    }
    const auto settings = settings_of(arguments);
    if (!arguments.out) {
        return execute(settings, arguments, "", nullptr);
    }
    check_ensemble(settings.model, method_of(settings, arguments), settings.options, options_of(settings, arguments));
    auto journal = EnsembleJournal::create(*arguments.out, settings, arguments.overwrite);
    try {
        return execute(settings, arguments, *arguments.out, &journal);
    } catch (const InputError&) {
        journal.discard();
        throw;
    }
}

}  // namespace libration::app
