// A Poincaré section of a recorded run.
#include "analysis/list.hpp"

#include "poincare.hpp"
#include "portrait.hpp"
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {

namespace {

// The first coordinate that the event does not use, with its momentum; of a field in q alone the first two such.
std::pair<std::string, std::string> axes_for(const Model& model, const std::string& event) {
    const auto used = symbols_of(std::array{read_event(model, event, 1).value});
    const auto is_used = [&](const std::string& name) {
        return std::ranges::any_of(used, [&](const Expression& s) { return s.text() == name; });
    };
    for (const auto& [x, y] : portrait_pairs(model, model.dimension)) {
        if (!is_used(x) && !is_used(y)) {
            return {x, y};
        }
    }
    throw InputError("the event uses every coordinate: give x and y, the quantities to plot");
}

void add_intervals(const PoincareSection& section, AnalysisResult& result) {
    const auto n = section.t.size();
    if (n < 2) {
        return;
    }
    const double mean = std::abs(section.t.back() - section.t.front()) / static_cast<double>(n - 1);
    double squares = 0;
    for (std::size_t k = 1; k < n; ++k) {
        const double off = std::abs(section.t[k] - section.t[k - 1]) - mean;
        squares += off * off;
    }
    result.numbers.push_back({"first", section.t.front(), "time of the first crossing"});
    result.numbers.push_back({"last", section.t.back(), "time of the last crossing"});
    result.numbers.push_back({"interval", mean, "mean time between crossings"});
    result.numbers.push_back(
        {"interval_deviation", std::sqrt(squares / static_cast<double>(n - 1)), "standard deviation of that time"});
}

AnalysisResult run_poincare(const Trajectory& trajectory, const AnalysisOptions& given) {
    const auto event = text_option(given, "event");
    if (event.empty()) {
        throw InputError(
            "a Poincaré section needs event=..., an expression that crosses zero there, such as event=\"x rising\"");
    }
    auto x = text_option(given, "x"), y = text_option(given, "y");
    if (x.empty() != y.empty()) {
        throw InputError("give both x and y of the plot, or neither");
    }
    if (x.empty()) {
        std::tie(x, y) = axes_for(trajectory.model, event);
    }
    const auto section = poincare_section(trajectory, event, {x, y});
    AnalysisResult result{.what = "poincare"};
    result.numbers.push_back(
        {"crossings", static_cast<double>(section.t.size()), "number of crossings of the section"});
    result.numbers.push_back({"section", section.section, "maximum |value of the event| at the crossings"});
    result.numbers.push_back({"constraint", section.constraint, "maximum |g| at the crossings"});
    result.numbers.push_back({"hidden", section.hidden, "maximum |G v| at the crossings"});
    result.numbers.push_back(
        {"energy_spread", section.energy_spread, "maximum minus minimum of the energy at the crossings"});
    result.numbers.push_back({"difference", section.difference,
                              "difference of the repeated run from the recorded states; 0: bitwise identical"});
    add_intervals(section, result);
    if (!section.failure.empty()) {
        result.warnings.push_back(fmt::format("the repeated run failed {}; the crossings before that are shown, and {} "
                                              "of {} recorded states were reached",
                                              section.failure, section.compared, trajectory.rows()));
    }
    if (section.difference != 0) {
        result.warnings.push_back(
            fmt::format("the repeated run is not bitwise identical: its states differ by up to {:.1e} from those "
                        "recorded; was the file written by another version or with other options?",
                        section.difference));
    }
    if (section.t.empty()) {
        result.verdict = fmt::format("'{}' never occurred: its value stayed between {:.6g} and {:.6g}", event,
                                     section.smallest, section.largest);
        return result;
    }
    result.verdict =
        fmt::format("{} crossings of '{}', on the section to {:.1e}", section.t.size(), event, section.section);
    if (trajectory.model.multipliers() > 0) {
        result.verdict +=
            fmt::format(" and on the constraints to {:.1e}", std::max(section.constraint, section.hidden));
    }
    result.figures.push_back({.title = fmt::format("Poincaré section: {}", event),
                              .x = {.label = x},
                              .y = {.label = y},
                              .series = {{"", section.values[0], section.values[1], plot::Style::points}},
                              .width = 560,
                              .height = 520});
    return result;
}

}  // namespace

AnalysisRecord poincare_analysis() {
    return {
        "poincare",
        "Poincaré section: states where an expression crosses zero, by dense output on the constraint manifold.",
        {{"event", "", "an event, written as for a run, such as \"x rising\""},
         {"x", "", "the quantity on the horizontal axis; default: the first coordinate that the event does not use"},
         {"y", "", "the quantity on the vertical axis; default: the momentum of that coordinate"}},
        run_poincare};
}

}  // namespace libration
