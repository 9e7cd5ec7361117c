// The texts of choices and of requests that nothing meets.
#include "choice_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

std::string asked_text(const Choice& choice) {
    const auto state = choice.asked.error ? fmt::format("an error of {:.3g}", *choice.asked.error) : std::string();
    const auto energy = choice.asked.energy_error ? fmt::format("an energy error of {:.3g}", *choice.asked.energy_error)
                                                  : std::string();
    return state.empty() ? energy : energy.empty() ? state : state + " and " + energy;
}

std::string part_text(const Choice& choice) {
    return choice.window < std::abs(choice.duration)
               ? fmt::format("extrapolated from pilots over {:.4g} of {:.6g} units of time", choice.window,
                             std::abs(choice.duration))
               : "measured over the whole duration";
}

}  // namespace

std::string to_string(ErrorGrowthKind kind) {
    switch (kind) {
        case ErrorGrowthKind::unknown: return "unknown";
        case ErrorGrowthKind::linear: return "linear";
        case ErrorGrowthKind::quadratic: return "quadratic";
        case ErrorGrowthKind::chaotic: return "chaotic";
    }
    return {};
}

std::string verdict_of(const Ladder& ladder, bool chosen, double least_work) {
    if (chosen) {
        return "chosen";
    }
    if (ladder.best) {
        return fmt::format("{:.2g} times the work", ladder.best->work / least_work);
    }
    return ladder.verdict.empty() ? "not accurate enough" : ladder.verdict;
}

std::string words_of_reason(const Choice& choice, const std::optional<double>& energy_goal) {
    std::string text;
    if (choice.horizon > 0) {
        const bool by_energy = choice.criterion == "energy_error";
        text = fmt::format("{}: positions can be accurate to {:.3g} until t = {:.3g} only; {} ",
                           choice.growth == ErrorGrowthKind::chaotic ? "the motion is chaotic"
                                                                     : "errors grow too much over this time",
                           *choice.asked.error, choice.horizon,
                           by_energy ? fmt::format("an energy error of {:.2g} decides instead.", *energy_goal)
                                     : fmt::format("the choice is that for {:.3g} units of time.", choice.window));
    }
    const auto others = choice.candidates.size() - 1;
    text += others > 0 ? fmt::format("{} needs the fewest operations of {} methods", choice.method, others + 1)
                       : fmt::format("the largest step size of {}", choice.method);
    text += choice.horizon > 0 ? "" : fmt::format(" for {}", asked_text(choice));
    const bool state = !std::isnan(choice.predicted.error);
    text += fmt::format("; {} {:.2g}, {}", state ? "error" : "energy error",
                        state ? choice.predicted.error : choice.predicted.energy_error, part_text(choice));
    if (state && choice.window < std::abs(choice.duration)) {
        text += fmt::format(", with {} growth", to_string(choice.growth));
    }
    return text;
}

std::string words_of_lost_reference(const Choice& choice, const FineSolution& lost) {
    if (lost.pilot.q.empty()) {
        return fmt::format("no method gets through the first pilots: {}", lost.why_not);
    }
    return fmt::format(
        "{} cannot be met over {:.6g} units of time: the most accurate solution that was found, by {} with "
        "{} steps, has an error of about {:.1e}, because {}; ask for that or more, or give a shorter "
        "`duration`",
        asked_text(choice), std::abs(lost.pilot.duration), lost.method, lost.pilot.steps, lost.accuracy, lost.why_not);
}

std::string words_of_failure(const Choice& choice, const std::vector<Ladder>& ladders, double growth, bool one_step) {
    const Ladder* nearest = nullptr;
    for (const auto& ladder : ladders) {
        if (const auto* rung = ladder.closest();
            rung != nullptr && (nearest == nullptr || rung->excess < nearest->closest()->excess)) {
            nearest = &ladder;
        }
    }
    if (nearest == nullptr) {
        return fmt::format("{} cannot be met: all pilots fail; {}: {}", asked_text(choice),
                           ladders.front().method.name(), ladders.front().verdict);
    }
    const auto& rung = *nearest->closest();
    const auto reached =
        std::isnan(rung.error) ? fmt::format("an energy error of {:.2g}", rung.energy_error)
        : std::isnan(rung.energy_error)
            ? fmt::format("an error of {:.2g}", rung.error * growth)
            : fmt::format("an error of {:.2g} and an energy error of {:.2g}", rung.error * growth, rung.energy_error);
    const auto obstacle = nearest->verdict.empty() ? std::string() : fmt::format(", where {}", nearest->verdict);
    return fmt::format("no {} meets {}; the closest is {} with {} steps, {}{}; {}", one_step ? "method" : "step size",
                       asked_text(choice), nearest->method.name(), rung.steps, reached, obstacle,
                       one_step ? "omit `step`, or ask for a larger error"
                                : "ask for a larger error, or give a shorter `duration`");
}

}  // namespace libration
