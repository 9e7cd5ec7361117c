// `libration ensemble`.
#include "commands.hpp"
#include "stop_request.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <libration/integrate/run_defaults.hpp>
#include <libration/io/ensemble_request.hpp>
#include <libration/io/json.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration::app {

namespace {

EnsembleSettings ensemble_settings_of(const EnsembleArguments& arguments) {
    if (arguments.from && !arguments.variations.empty()) {
        throw InputError("give either --vary or --from, not both");
    }
    EnsembleRequest request;
    request.given = {arguments.method, arguments.step, arguments.duration, arguments.steps};
    request.project = arguments.project;
    request.every = arguments.every;
    request.monitor = arguments.monitor;
    request.count = arguments.count;
    request.seed = arguments.seed;
    request.variations = arguments.variations;
    if (arguments.from) {
        request.values = read_varied_values(*arguments.from);
        request.values_source = *arguments.from;
    }
    request.trajectories = arguments.trajectories;
    if (arguments.trajectories && !arguments.out) {
        throw InputError("--trajectories needs a file to go to; give --out FILE.h5");
    }
    if (arguments.out) {
        check_ensemble_name(*arguments.out);
    }
    return ensemble_settings(Model::load(arguments.model, read_assignments(arguments.assignments)), request);
}

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

void print_ensemble_summary(const EnsembleResult& result, const std::string& out) {
    const auto failed = result.count(RunStatus::failed);
    const auto count = static_cast<std::int64_t>(result.trajectories.size());
    fmt::print("{}  {}\n\n", bold(result.model, stdout),
               !result.complete ? bold("stopped early", stdout)
               : failed > 0     ? red(fmt::format("{} of {} trajectories failed", failed, grouped(count)), stdout)
                                : green(completed_text(result), stdout));
    summary_line("method", fmt::format("{}, {} steps of {}", result.method, grouped(result.steps), result.step));
    summary_line("varied", fmt::format("{}", fmt::join(result.values.names, ", ")));
    summary_line("backend",
                 result.backend + (result.lanes_note.empty()
                                       ? ""
                                       : fmt::format(", one trajectory after the other: {}", result.lanes_note)));
    summary_line("work",
                 fmt::format("{} trajectory-steps in {}, {:.3g} a second; {} {}", grouped(result.steps_made),
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
    summary_line("energy", fmt::format("never further from its start than {:.3g} (trajectory {})", largest, worst));
    if (residual > 0) {
        summary_line("constraints", fmt::format("largest |g| = {:.1e}", residual));
    }
    if (!out.empty()) {
        summary_line("written", out);
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

EnsembleOptions ensemble_options_of(const EnsembleSettings& settings, const EnsembleArguments& arguments) {
    return {settings.values, settings.trajectories, thread_count(arguments.threads), backend_named(arguments.backend)};
}

Method method_of(const EnsembleSettings& settings, const EnsembleArguments& arguments) {
    return method(settings.method, arguments.force || arguments.resume ? Doubts::accept : Doubts::refuse);
}

int execute_ensemble(const EnsembleSettings& settings, const EnsembleArguments& arguments, const std::string& out,
                     EnsembleJournal* journal) {
    const auto options = ensemble_options_of(settings, arguments);
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
        print_ensemble_summary(result, out);
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
        return execute_ensemble(settings, arguments, *arguments.resume, &journal);
    }
    const auto settings = ensemble_settings_of(arguments);
    if (!arguments.out) {
        return execute_ensemble(settings, arguments, "", nullptr);
    }
    check_ensemble(settings.model, method_of(settings, arguments), settings.options,
                   ensemble_options_of(settings, arguments));
    auto journal = EnsembleJournal::create(*arguments.out, settings, arguments.overwrite);
    try {
        return execute_ensemble(settings, arguments, *arguments.out, &journal);
    } catch (const InputError&) {
        journal.discard();
        throw;
    }
}

}  // namespace libration::app
