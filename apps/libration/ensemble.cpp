// `libration ensemble`.
#include "chosen.hpp"
#include "commands.hpp"
#include "examples.hpp"
#include "stop_request.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "io/execute.hpp"
#include "request/assignments.hpp"
#include <libration/io/json.hpp>
#include <libration/methods/method.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration::app {

namespace {

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
        fmt::print("\n  {} of {} trajectories reached this time:", grouped(static_cast<std::int64_t>(here)),
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

// Largest monitored values.
void print_maxima(const EnsembleResult& result) {
    if (result.monitor == 0) {
        summary_line("energy", "not monitored");
        summary_line("constraints", "not monitored");
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
    summary_line("energy", fmt::format("maximum error {:.3g} (trajectory {})", largest, worst));
    if (residual > 0) {
        summary_line("constraints", fmt::format("maximum |g| = {:.1e}", residual));
    }
}

void print_verdicts(const EnsembleResult& result) {
    const auto shares = verdict_shares(result.trajectories);
    std::vector<std::string> parts;
    for (const auto& [word, share] :
         {std::pair{"good", shares.good}, std::pair{"rough", shares.rough},
          std::pair{"meaningless", shares.meaningless}, std::pair{"not judged", shares.none}}) {
        if (share > 0) {
            parts.push_back(fmt::format("{:.3g} % {}", 100 * share, word));
        }
    }
    const auto text = fmt::format("{}", fmt::join(parts, ", "));
    summary_line("verdicts", shares.meaningless > 0 ? red(text, stdout) : text);
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
    summary_line("backend", result.backend + (result.lanes_note.empty()
                                                  ? ""
                                                  : fmt::format(", one trajectory at a time: {}", result.lanes_note)));
    summary_line("work",
                 fmt::format("{} trajectory-steps in {}, {:.3g} per second; {} {}", grouped(result.steps_made),
                             duration_text(result.seconds), static_cast<double>(result.steps_made) / result.seconds,
                             result.threads, result.threads == 1 ? "thread" : "threads"));
    if (!result.complete) {
        return;
    }
    print_verdicts(result);
    print_maxima(result);
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

int attended_ensemble(const EnsembleSettings& settings, const EnsembleRequest& request, const std::string& out,
                      EnsembleJournal* journal) {
    ProgressBar bar;
    EnsembleAttachments attachments{.journal = journal};
    if (!request.quiet) {
        attachments.progress = [&bar](const EnsembleProgress& progress) {
            if (progress.steps > 0) {  // else none of them can start, perhaps
                const double now = static_cast<double>(progress.done - progress.restored) / progress.seconds;
                bar.show(bar_of(progress), fmt::format("{} trajectories, {:.3g}/s",
                                                       grouped(static_cast<std::int64_t>(progress.done)), now));
            }
        };
    }
    auto result = execute(settings, request, stop_signal, attachments);
    bar.close();
    if (journal != nullptr && result.complete) {
        journal->complete(result);
    }
    result.warnings = said(result.warnings);
    for (auto& trajectory : result.trajectories) {
        if (trajectory.failure) {
            trajectory.failure->message = said(trajectory.failure->message);
        }
    }
    for (const auto& warning : result.warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), warning);
    }
    if (request.json) {
        fmt::print("{}\n", json_of(result, request.full));
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

int start_ensemble(const EnsembleRequest& request) {
    watch_for_stop_requests();
    if (request.resume) {
        check_resumed_ensemble(request);
        auto journal = EnsembleJournal::open(*request.resume);
        const auto settings = journal.settings();
        return attended_ensemble(settings, request, *request.resume, &journal);
    }
    if (request.model.empty()) {
        throw InputError(
            "MODEL is missing; e.g. 'libration ensemble pendulum --count 100 --vary \"g = uniform(0.9, 1.1)\"'");
    }
    if (request.trajectories && !request.out) {
        throw InputError("`trajectories` needs an output file; give `out = FILE.h5`");
    }
    EnsembleSettings settings;
    const bool settled = attended_by_line(request.quiet, [&](const ChoiceProgress& progress) {
        settings = resolve_ensemble(Model::load(request.model, read_assignments(request.set)), request, std::nullopt,
                                    {.stop = &stop_signal, .progress = progress});
    });
    if (!settled) {
        return success;
    }
    print_chosen(settings.options.chosen, request.quiet);
    if (!request.out) {
        return attended_ensemble(settings, request, "", nullptr);
    }
    check_ensemble(settings.model, method(settings.method, request.force ? Doubts::accept : Doubts::refuse),
                   settings.options, ensemble_options(settings, request));
    auto journal = EnsembleJournal::create(*request.out, settings, request.overwrite);
    return attended_ensemble(settings, request, *request.out, &journal);
}

}  // namespace

Command ensemble_command() {
    return make_command<EnsembleRequest>("ensemble", "integrate an ensemble: many variants of a model",
                                         ensemble_examples, ensemble_fields(), start_ensemble);
}

}  // namespace libration::app
