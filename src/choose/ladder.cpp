// Secants in the logarithms of steps and errors, and bisection.
#include "ladder.hpp"

#include <libration/kit/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr double aim = 0.9;           // of the goal
constexpr double near_enough = 1.08;  // ratio of numbers of steps between which nothing is looked for
constexpr int most_rungs = 16, most_failures = 9;

double excess_of(double value, double goal) {
    return std::isfinite(goal) ? (std::isnan(value) ? std::numeric_limits<double>::infinity() : value / goal) : 0;
}

// A measured slope between two rungs, within what is plausible for the order.
double local_order(const Rung& coarse, const Rung& fine, int order) {
    const double slope = std::log(coarse.excess / fine.excess) /
                         std::log(static_cast<double>(fine.steps) / static_cast<double>(coarse.steps));
    return std::isfinite(slope) ? std::clamp(slope, 0.5 * order, 1.5 * order) : order;
}

}  // namespace

double relative_step(const Method& method) {
    const auto& name = method.spec().name;
    const auto& spec = method.spec();
    if (name == "compose") {
        const auto scheme = spec.arguments.empty() ? std::string() : spec.arguments.back().name;
        return scheme == "kahanli8" ? 4 : scheme == "kahanli6" ? 3 : 2;
    }
    if (name == "multistep") {
        return 0.3;
    }
    const double stages = spec.arguments.empty() ? 1 : std::strtod(spec.arguments.front().name.c_str(), nullptr);
    return name != "respa" && stages > 1 ? stages : 1;
}

const Rung* Ladder::closest() const {
    const Rung* found = nullptr;
    for (const auto& rung : rungs) {
        if (rung.failure.empty() && (found == nullptr || rung.excess < found->excess)) {
            found = &rung;
        }
    }
    return found;
}

std::int64_t LadderSearch::rounded(double steps) const {
    const auto unit = static_cast<double>(setting_->multiple);
    return static_cast<std::int64_t>(std::clamp(std::ceil(steps / unit), 1.0, 9e15 / unit) * unit);
}

std::int64_t LadderSearch::first_steps(const Method& method) const {
    const auto given = std::max(setting_->only, setting_->start);
    return given > 0 ? given : rounded(std::abs(setting_->window) / (setting_->first_step * relative_step(method)));
}

Rung LadderSearch::measured(const Ladder& ladder, std::int64_t steps) {
    const auto pilot = runs_->run(ladder.method, steps, setting_->window, setting_->multiple);
    Rung rung{.steps = steps,
              .error = std::numeric_limits<double>::quiet_NaN(),
              .energy_error = pilot.energy_error,
              .work = pilot.work,
              .seconds = pilot.seconds,
              .failure = pilot.failure};
    if (!pilot.completed()) {
        rung.excess = std::numeric_limits<double>::infinity();
        return rung;
    }
    if (setting_->fine != nullptr) {
        const auto difference = difference_of(pilot, setting_->fine->pilot);
        rung.error = setting_->multiple > 1 ? std::ranges::max(difference.relative) : difference.end;
    }
    rung.excess =
        std::max(excess_of(rung.error, setting_->goal.error), excess_of(rung.energy_error, setting_->goal.energy));
    return rung;
}

std::int64_t LadderSearch::between(const Rung& low, const Rung& high, int order) const {
    const auto a = static_cast<double>(low.steps), b = static_cast<double>(high.steps);
    double steps = std::sqrt(a * b);
    if (low.failure.empty() && std::isfinite(low.excess) && low.excess < 1e6 && high.excess > 0) {
        steps = a * std::pow(low.excess / aim, 1 / local_order(low, high, order));
    }
    steps = std::clamp(steps, a * std::pow(b / a, 0.15), a * std::pow(b / a, 0.85));
    const auto found = rounded(steps);
    return found > low.steps && found < high.steps ? found : 0;
}

std::int64_t LadderSearch::next_steps(const Ladder& ladder) const {
    const Rung *low = nullptr, *high = nullptr, *before = nullptr;
    for (const auto& rung : ladder.rungs) {
        if (rung.good()) {
            high = high == nullptr || rung.steps < high->steps ? &rung : high;
        }
    }
    for (const auto& rung : ladder.rungs) {
        if (!rung.good() && (high == nullptr || rung.steps < high->steps)) {
            if (low == nullptr || rung.steps > low->steps) {
                before = low;
                low = &rung;
            }
        }
    }
    if (high != nullptr && low != nullptr) {
        const bool close = static_cast<double>(high->steps) <= near_enough * static_cast<double>(low->steps);
        return close ? 0 : between(*low, *high, ladder.order);
    }
    if (high != nullptr) {
        const double coarser =
            std::clamp(std::pow(std::max(high->excess, 1e-300) / aim, 1.0 / ladder.order), 0.1, 0.92);
        const auto steps = rounded(static_cast<double>(high->steps) * coarser);
        return steps < high->steps ? steps : 0;
    }
    if (!low->failure.empty() || !std::isfinite(low->excess)) {
        return rounded(2.0 * static_cast<double>(low->steps));
    }
    const bool slope_known = before != nullptr && before->failure.empty() && before->excess < 1e6;
    const double order = slope_known ? local_order(*before, *low, ladder.order) : ladder.order;
    const double finer = std::pow(low->excess / aim, 1 / order);
    // Of errors that are large, little can be concluded.
    const bool large = !(low->error < 0.1) && setting_->fine != nullptr;
    return std::max(rounded(static_cast<double>(low->steps) * std::clamp(finer, 1.05, large ? 3.0 : 20.0)),
                    low->steps + setting_->multiple);
}

bool LadderSearch::too_expensive(Ladder& ladder, std::int64_t steps) const {
    if (ladder.rungs.empty()) {
        return false;
    }
    const auto& last = ladder.rungs.back();
    const double expected = last.work * static_cast<double>(steps) / static_cast<double>(last.steps);
    // More steps, each of which needs fewer iterations, may cost less than expected.
    if (!ladder.best && last.failure.empty() && expected > 1.5 * cheapest_) {
        ladder.verdict = "needs more work";
        return true;
    }
    if (runs_->spent() + expected > setting_->most_work && ladder.rungs.size() > 1) {
        ladder.verdict = ladder.best ? "" : "its pilots would take too much work";
        return true;
    }
    return false;
}

// Whether fewer steps, as many as the goal needs, may make it the cheapest.
bool LadderSearch::may_win(const Ladder& ladder) const {
    double expected =
        ladder.best->work * std::pow(std::clamp(ladder.best->excess / aim, 1e-12, 1.0), 1.0 / ladder.order);
    for (const auto& rung : ladder.rungs) {
        if (!rung.good() && rung.failure.empty() && rung.steps < ladder.best->steps) {
            expected = std::max(expected, rung.work);
        }
    }
    return expected <= 1.1 * cheapest_;
}

void LadderSearch::climb(Ladder& ladder) {
    int failures = 0, stalled = 0;
    double least = std::numeric_limits<double>::infinity();
    std::int64_t steps = first_steps(ladder.method);
    while (steps > 0 && ladder.rungs.size() < most_rungs && !too_expensive(ladder, steps)) {
        auto rung = measured(ladder, steps);
        if (rung.good()) {
            if (!ladder.best || rung.work < ladder.best->work) {
                ladder.best = rung;
            }
            cheapest_ = std::min(cheapest_, rung.work);
        } else if (rung.failure.empty()) {
            stalled = rung.excess > 0.8 * least ? stalled + 1 : 0;
            least = std::min(least, rung.excess);
        } else {
            ++failures;
            ladder.verdict = rung.failure;
        }
        ladder.rungs.push_back(std::move(rung));
        if (setting_->only > 0 || failures > most_failures || (stalled >= 4 && !ladder.best)) {
            break;
        }
        if (ladder.best && !may_win(ladder)) {
            break;
        }
        steps = next_steps(ladder);
    }
    if (!ladder.best && stalled >= 4) {
        ladder.verdict = "smaller steps do not reduce its error";
    }
}

std::vector<Ladder> LadderSearch::climb(const std::vector<Method>& methods) {
    std::vector<Ladder> ladders;
    // High orders first: they find soon what others must not exceed.
    for (const auto& method : methods) {
        ladders.push_back({method, method.claims(runs_->properties(), runs_->constraints()).order, {}, {}, ""});
    }
    std::ranges::stable_sort(ladders, std::greater{}, &Ladder::order);
    for (auto& ladder : ladders) {
        climb(ladder);
    }
    std::ranges::stable_sort(ladders, [](const Ladder& a, const Ladder& b) {
        const auto rank = [](const Ladder& ladder) {
            return ladder.best ? ladder.best->work : std::numeric_limits<double>::infinity();
        };
        return rank(a) < rank(b);
    });
    return ladders;
}

}  // namespace libration
