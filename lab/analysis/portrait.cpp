// Pairs of quantities along a run.
#include "portrait.hpp"

#include "analysis/list.hpp"
#include "integrate/extremes.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

Portrait portrait(const Trajectory& trajectory, const std::string& x, const std::string& y) {
    return {x, y, values_along(trajectory, x, "the x of the portrait"),
            values_along(trajectory, y, "the y of the portrait")};
}

std::vector<std::pair<std::string, std::string>> portrait_pairs(const Model& model, std::size_t most) {
    std::vector<std::pair<std::string, std::string>> pairs;
    const bool in_q = model.field && model.field->v.empty();
    const bool with_v = model.field && !in_q;  // the p of the state is v there
    const std::size_t last = in_q ? model.dimension - 1 : model.dimension;
    for (std::size_t k = 0; k < std::min(last, most); ++k) {
        const auto name = model.coordinate_name(k);
        pairs.emplace_back(name, in_q ? model.coordinate_name(k + 1) : (with_v ? "v_" : "p_") + name);
    }
    return pairs;
}

namespace {

// Whether states follow each other so closely that lines between them mean something: mean jumps below a twentieth of
// the range.
bool is_curve(const std::vector<double>& values) {
    double way = 0;
    for (std::size_t k = 1; k < values.size(); ++k) {
        way += std::abs(values[k] - values[k - 1]);
    }
    return !(way > range_of(values) / 20 * static_cast<double>(values.size() - 1));
}

}  // namespace

plot::Figure portrait_figure(const Model& model, const Portrait& portrait) {
    const bool path = model.coordinate_number(portrait.x_name) && model.coordinate_number(portrait.y_name);
    const bool curve = is_curve(portrait.x) && is_curve(portrait.y);
    return {.title = fmt::format("{} against {}", portrait.y_name, portrait.x_name),
            .x = {.label = portrait.x_name},
            .y = {.label = portrait.y_name},
            .series = {{"", portrait.x, portrait.y, curve ? plot::Style::line : plot::Style::points},
                       {"start", {portrait.x.front()}, {portrait.y.front()}, plot::Style::points}},
            .equal = path,
            .width = 560};
}

namespace {

AnalysisResult run_portrait(const Trajectory& trajectory, const AnalysisOptions& given) {
    const auto x = text_option(given, "x"), y = text_option(given, "y");
    if (x.empty() != y.empty()) {
        values_along(trajectory, x.empty() ? y : x, x.empty() ? "option y" : "option x");  // a wrong name is said first
        throw InputError(
            "a phase portrait needs both x and y, or neither: then every coordinate is plotted against its momentum");
    }
    const auto pairs = x.empty() ? portrait_pairs(trajectory.model) : std::vector{std::pair(x, y)};
    if (pairs.empty()) {
        throw InputError("a vector field in one coordinate has no phase portrait: give x and y");
    }
    AnalysisResult result{.what = "portrait"};
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto one = portrait(trajectory, pairs[k].first, pairs[k].second);
        for (const auto& [name, formula, values] : {std::tuple("x", &one.x_name, &one.x), {"y", &one.y_name, &one.y}}) {
            const auto [low, high] = extremes_of(*values);
            result.numbers.push_back({fmt::format("{}_low_{}", name, k + 1), low, "smallest " + *formula});
            result.numbers.push_back({fmt::format("{}_high_{}", name, k + 1), high, "largest " + *formula});
        }
        result.figures.push_back(portrait_figure(trajectory.model, one));
    }
    result.verdict =
        fmt::format("{} portrait{} of {} recorded states, t = {:.6g} to {:.6g}", pairs.size(),
                    pairs.size() == 1 ? "" : "s", trajectory.rows(), trajectory.t.front(), trajectory.t.back());
    if (x.empty() && pairs.size() < portrait_pairs(trajectory.model, trajectory.model.dimension).size()) {
        result.warnings.push_back(
            fmt::format("only the first {} of {} coordinates are plotted; give x and y for others", pairs.size(),
                        trajectory.model.dimension));
    }
    return result;
}

}  // namespace

AnalysisRecord portrait_analysis() {
    return {.name = "portrait",
            .summary = "Phase portraits: one quantity against another along the run.",
            .options = {{"x", "", "a formula such as theta or x1 - x2; default: every coordinate, at most 6"},
                        {"y", "", "a formula; default: the momentum of the coordinate"}},
            .run = run_portrait,
            .needs = AnalysisRecord::Needs::states};
}

}  // namespace libration
