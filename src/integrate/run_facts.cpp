#include "run_facts.hpp"

#include "assembly_words.hpp"

#include "text/amounts.hpp"
#include <libration/methods/adaptive.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace libration {

namespace {

// "12 s (340 ns per step)"; nothing where the times are not known.
std::string time_of_steps(const Run& run) {
    if (std::isnan(run.seconds)) {
        return "";
    }
    const double each = run.steps_made > 0 ? run.seconds / static_cast<double>(run.steps_made) : 0.0;
    return fmt::format(" in {} ({} per step)", duration_text(run.seconds), short_time_text(each));
}

// What a maximum is the maximum of. Nothing is said where every step was watched.
std::string watched_text(const Run& run) {
    return run.monitor > 1 ? fmt::format(" (every {} steps)", grouped(run.monitor)) : "";
}

// "maximum error 3.2e-11", or why there is none.
std::string maximum_text(const Run& run, const std::string& what, double value, const char* format) {
    if (run.monitor == 0) {
        return what + " not monitored";
    }
    return std::isnan(value) ? what + " unknown" : what + " " + fmt::format(fmt::runtime(format), value);
}

std::string energy_text(const Run& run) {
    if (run.energy.changed_by == "no Hamiltonian") {
        return "none: the model is a vector field without a Hamiltonian";
    }
    const auto start = fmt::format("{:.12g} at the start", run.energy.initial);
    if (run.energy.conserved) {
        const auto at_end =
            run.monitor == 0 ? fmt::format("error {:.3g} at the end, ", run.energy.final_error) : std::string();
        return fmt::format("{}, {}{}{}", start, at_end,
                           maximum_text(run, "maximum error", run.energy.max_error, "{:.3g}"), watched_text(run));
    }
    return fmt::format("{}, {:.12g} at the end; not conserved: {}", start, run.energy.final, run.energy.changed_by);
}

// Residuals below this many units of round-off of O(1) quantities deserve the word.
std::string residual_text(const Run& run, const std::string& what, double residual) {
    return maximum_text(run, fmt::format("maximum |{}| =", what), residual,
                        residual < 1e-13 ? "{:.1e} (round-off)" : "{:.1e}");
}

std::string constraints_text(const Run& run) {
    const auto count = grouped(static_cast<std::int64_t>(run.lambda.size()));
    if (run.monitor == 0) {
        return count + ", residuals not monitored";
    }
    return fmt::format("{}, {}, {}{}", count, residual_text(run, "g", run.constraint.max),
                       residual_text(run, run.constraint.hidden_name, run.constraint.hidden_max), watched_text(run));
}

std::string event_text(const EventSummary& event) {
    return event.count == 0 ? "never occurred"
                            : fmt::format("{} {}, first at t = {:.12g}, last at t = {:.12g}", grouped(event.count),
                                          event.count == 1 ? "event" : "events", event.first, event.last);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_facts(const Run& run) {
    std::vector<std::pair<std::string, std::string>> facts;
    if (run.verdict) {
        facts.emplace_back("verdict",
                           fmt::format("{}: {}", to_string(run.verdict->word), fmt::join(run.verdict->reasons, "; ")));
    }
    facts.emplace_back("method", fmt::format("{} (order {}), {} {}", run.method, run.order,
                                             run.adaptive.options ? "initial step size" : "step size", run.step));
    if (const auto& asked = run.adaptive.options) {
        facts.emplace_back("adaptive",
                           fmt::format("{}, tolerance {}, {} estimator; step sizes from {:.3g} to {:.3g}, {} rejected",
                                       name(asked->control), asked->tolerance, name(*asked->estimator),
                                       run.adaptive.smallest, run.adaptive.largest, grouped(run.adaptive.rejected)));
    }
    if (run.start) {
        facts.emplace_back("start", to_text(*run.start));
    }
    const bool resumed = run.steps_made < run.steps;
    facts.emplace_back("steps", grouped(run.steps) +
                                    (resumed ? fmt::format(", {} of them in this call", grouped(run.steps_made)) : "") +
                                    time_of_steps(run));
    facts.emplace_back("energy", energy_text(run));
    if (!run.lambda.empty()) {
        facts.emplace_back("constraints", constraints_text(run));
    }
    for (const auto& invariant : run.invariants) {
        facts.emplace_back(invariant.name,
                           fmt::format("{:.12g} at the start, {}{}", invariant.initial,
                                       maximum_text(run, "maximum error", invariant.max_error, "{:.1e}"),
                                       watched_text(run)));
    }
    for (const auto& event : run.events) {
        facts.emplace_back(event.name, event_text(event));
    }
    if (run.chosen) {
        facts.emplace_back("chosen", run.chosen->reason);
    }
    facts.emplace_back("work", fmt::format("{} force evaluations, {} Newton corrections, {} factorizations",
                                           grouped(run.evaluations.force), grouped(run.evaluations.newton_iterations),
                                           grouped(run.evaluations.factorizations)));
    if (run.backend.name != "interpreted") {
        facts.emplace_back("code", run.backend.name);
    }
    return facts;
}

}  // namespace libration
