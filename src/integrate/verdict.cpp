// What the numbers of a run say about its quality. Every limit is derived where it stands.
#include <libration/integrate/drift.hpp>
#include <libration/integrate/run.hpp>
#include <libration/integrate/verdict.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// Of the energy error relative to its scale, the largest T plus the range of U. A method of order 2 with N
// steps per oscillation has an error of (2 pi/N)^2/8 of it: 0.01 with N = 22 steps, where the phase error is 0.3 % of
// the phase; 0.1 with N = 7, where it is 3 %: after five oscillations the phase is lost. Errors of a run that explodes
// approach 1/2 to 1, since what is wrong then is all there is.
constexpr double good_energy = 0.01, meaningless_energy = 0.1;
// A rounding error in each step, of the largest term, adds up like a random walk. Energies below this many of them
// are round-off of a system at rest, and no scale.
constexpr double roundings_at_rest = 1e3;
// What is smaller shows nothing of the steps.
constexpr double round_off = 1e-12;
// A drift is worth a word where it is larger than what oscillates, and not round-off.
constexpr double noticeable_drift = 1e-3;
// The velocity turns by 2 pi/N radians in a step; above 1, fewer than 6 steps make an oscillation, and interpolation
// between nodes no longer shows it. Methods of high order solve such steps well: only with an error that shows.
constexpr double unresolved_turn = 1, visible_energy = 1e-4, visible_error = 1e-2;
// Relative errors of the end state: above a tenth, positions are a picture.
constexpr double lost_positions = 0.1;
// The first ten steps are no place for growth: errors of this size there are errors of the steps themselves.
constexpr double wrong_at_once = 0.3;
// Residuals of constraints stop at a few units of round-off.
constexpr double large_residual = 1e3;

class Judge {
  public:
    explicit Judge(const Run& run) : run_(&run) {}

    RunVerdict verdict(const std::vector<std::string>& doubts) {
        if (run_->steps == 0) {
            add(VerdictWord::meaningless, "the first step failed: there is no result");
            return finished(true);
        }
        look_at_status();
        look_at_energy();
        look_at_steps();
        look_at_estimate();
        look_at_constraints();
        const bool smaller_steps = verdict_.word != VerdictWord::good;
        for (const auto& doubt : doubts) {
            add(VerdictWord::rough, "see the warning: " + doubt);
        }
        return finished(smaller_steps);
    }

  private:
    void add(VerdictWord word, std::string reason) {
        (word > verdict_.word                                 ? decisive_
         : word == verdict_.word && word != VerdictWord::good ? decisive_
                                                              : others_)
            .push_back(std::move(reason));
        verdict_.word = std::max(verdict_.word, word);
    }

    [[nodiscard]] bool has_energy() const { return !std::isnan(run_->balance.max_error); }
    [[nodiscard]] double energy_scale() const {
        const auto& scale = run_->energy_scale;
        const double size = scale.kinetic + std::max(std::abs(scale.potential_low), std::abs(scale.potential_high));
        const double at_rest = roundings_at_rest * std::numeric_limits<double>::epsilon() *
                               std::sqrt(static_cast<double>(std::max<std::int64_t>(1, run_->steps))) * size;
        return std::max(scale.kinetic + (scale.potential_high - scale.potential_low), at_rest);
    }
    // Zero where it is unknown.
    [[nodiscard]] double relative_energy_error() const {
        const double error = run_->balance.max_error, scale = energy_scale();
        return error == 0 || std::isnan(scale) ? 0 : error / scale;
    }

    void look_at_status() {
        if (run_->failure) {
            add(VerdictWord::rough,
                fmt::format("the run failed at t = {:.6g}; what follows is about the part before it",
                            run_->failure->t));
        }
    }

    void look_at_energy() {
        if (run_->energy.changed_by == "no Hamiltonian") {
            return;
        }
        const auto what = run_->energy.conserved ? "energy error" : "error of the energy balance (energy minus work)";
        if (!has_energy()) {
            add(VerdictWord::rough, fmt::format("the {} is not a number", what));
            return;
        }
        if (std::isnan(energy_scale())) {
            add(VerdictWord::good,
                fmt::format("{} {:.2g}; the energy scale is unknown, because an earlier version made a "
                            "part of the run",
                            what, run_->balance.max_error));
            return;
        }
        const double part = relative_energy_error();
        add(part <= good_energy          ? VerdictWord::good
            : part <= meaningless_energy ? VerdictWord::rough
                                         : VerdictWord::meaningless,
            fmt::format("{} {:.2g}{}", what, run_->balance.max_error,
                        part < round_off ? " (round-off)"
                                         : fmt::format(", {:.2g} of the energy scale {:.3g}{}", part, energy_scale(),
                                                       drift_text())));
    }

    // ", bounded", and a judgement of its own where it goes on growing.
    std::string drift_text() {
        const auto& history = run_->energy_history;
        const bool finite = std::ranges::all_of(history.error, [](double e) { return std::isfinite(e); });
        if (!finite || history.t.size() < least_drift_rows) {
            return "";
        }
        const auto drift = classify_drift(history.t, history.error);
        const double duration = std::abs(history.t.back() - history.t.front());
        const double leaves = std::abs(drift.slope) * duration;
        const bool grows = drift.kind == DriftKind::growing || drift.kind == DriftKind::linear;
        if (grows && leaves > noticeable_drift * energy_scale()) {
            add(VerdictWord::rough,
                drift.kind == DriftKind::growing
                    ? "the energy error grows faster and faster"
                    : fmt::format("the energy drifts by {:.2g} per unit of time, {:.2g} in this run", drift.slope,
                                  leaves));
        }
        return drift.kind == DriftKind::changing ? "" : fmt::format(" ({})", to_string(drift.kind));
    }

    [[nodiscard]] double error_of_first_part() const {
        return run_->error_estimate ? run_->error_estimate->error : std::numeric_limits<double>::infinity();
    }

    void look_at_steps() {
        const bool shows =
            (has_energy() && relative_energy_error() > visible_energy) ||
            (error_of_first_part() > visible_error && !(run_->error_estimate && run_->error_estimate->chaotic));
        if (run_->turn > unresolved_turn && shows) {
            add(VerdictWord::rough,
                fmt::format("the motion turns by up to {:.2g} radians in one step: the step size does not resolve its "
                            "fastest part",
                            run_->turn));
        }
    }

    void look_at_estimate() {
        if (!run_->error_estimate) {
            return;
        }
        const auto& estimate = *run_->error_estimate;
        if (estimate.early_error > wrong_at_once) {
            add(VerdictWord::meaningless,
                fmt::format("the first steps change by {:.2g} of the motion if they are halved", estimate.early_error));
            return;
        }
        if (std::isnan(estimate.at_end)) {
            add(VerdictWord::good,
                fmt::format(
                    "the motion is chaotic: positions are reliable until about {:.3g} after the start, averages "
                    "and the energy beyond that",
                    estimate.horizon));
            return;
        }
        add(estimate.at_end > lost_positions ? VerdictWord::rough : VerdictWord::good,
            estimate.at_end > lost_positions
                ? fmt::format("estimated error of positions: a tenth of their size after {:.2g}, {} at the end",
                              estimate.horizon,
                              estimate.at_end > 1 ? "as large as the motion" : fmt::format("{:.1g}", estimate.at_end))
                : fmt::format("estimated relative error of the end state: {:.1g}", estimate.at_end));
    }

    void look_at_constraints() {
        if (!run_->lambda.empty() && run_->constraint.max_floors > large_residual) {
            add(VerdictWord::rough, fmt::format("constraints hold to {:.2g} only", run_->constraint.max));
        }
    }

    RunVerdict finished(bool smaller_steps) {
        verdict_.reasons = decisive_;
        verdict_.reasons.insert(verdict_.reasons.end(), others_.begin(), others_.end());
        if (verdict_.word != VerdictWord::good) {
            verdict_.reasons.push_back(smaller_steps ? advice() : "to do: correct the model as the warning says");
        }
        return verdict_;
    }

    [[nodiscard]] std::string advice() const {
        if (run_->adaptive.options) {
            return "to do: a tolerance ten times smaller";
        }
        return "to do: a step size at most half as large; or give `error = 1e-6`, for which method and step size are "
               "chosen";
    }

    const Run* run_;
    RunVerdict verdict_;
    std::vector<std::string> decisive_, others_;
};

}  // namespace

std::string to_string(VerdictWord word) {
    switch (word) {
        case VerdictWord::good: return "good";
        case VerdictWord::rough: return "rough";
        case VerdictWord::meaningless: return "meaningless";
    }
    return {};
}

VerdictWord verdict_word_named(std::string_view name) {
    for (const auto word : {VerdictWord::good, VerdictWord::rough, VerdictWord::meaningless}) {
        if (to_string(word) == name) {
            return word;
        }
    }
    throw FileError(fmt::format("unknown verdict '{}'", name));
}

bool can_be_judged(const Run& run) { return run.monitor > 0 && (run.steps > 0 || run.failure); }

RunVerdict judge(const Run& run, const std::vector<std::string>& doubts) { return Judge(run).verdict(doubts); }

}  // namespace libration
