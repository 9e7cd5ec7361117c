// Figures of a recipe from what was kept of its runs.
#include "reproduce/judge_checks.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

std::vector<Column> columns_for(const Recipe& recipe, const std::string& run) {
    std::vector<Column> columns;
    for (const auto& figure : recipe.figures) {
        for (const auto& series : figure.series) {
            if (series.run == run) {
                columns.push_back({series.x, series.events});
                columns.push_back({series.y, series.events});
                columns.push_back({"t", series.events});
            }
        }
    }
    std::ranges::sort(columns);
    columns.erase(std::ranges::unique(columns).begin(), columns.end());
    return columns;
}

namespace {

plot::Series series_of_run(const RecipeSeries& wanted, const std::map<std::string, RunOutcome>& runs) {
    const auto found = runs.find(wanted.run);
    if (found == runs.end() || wanted.index >= found->second.columns.size()) {
        throw InputError(fmt::format("a figure draws run '{}', step {}: there is none", wanted.run, wanted.index));
    }
    const auto& columns = found->second.columns[wanted.index];
    const auto& t = columns.at({"t", wanted.events});
    const auto& x = columns.at({wanted.x, wanted.events});
    const auto& y = columns.at({wanted.y, wanted.events});
    plot::Series series;
    for (std::size_t row = 0; row < t.size(); ++row) {
        if ((!wanted.from || t[row] >= *wanted.from) && (!wanted.to || t[row] <= *wanted.to)) {
            series.x.push_back(x[row]);
            series.y.push_back(y[row]);
        }
    }
    return series;
}

plot::Series series_of_computation(const RecipeSeries& wanted, const std::map<std::string, Computed>& computed) {
    const auto found = computed.find(wanted.computation);
    if (found == computed.end() || !found->second.curves.contains(wanted.curve)) {
        throw InputError(fmt::format("a figure draws curve '{}' of computation '{}': there is none", wanted.curve,
                                     wanted.computation));
    }
    return found->second.curves.at(wanted.curve);
}

plot::Series draw_series(const RecipeSeries& wanted, const Numbers& numbers,
                         const std::map<std::string, RunOutcome>& runs,
                         const std::map<std::string, Computed>& computed) {
    plot::Series series;
    if (!wanted.run.empty()) {
        series = series_of_run(wanted, runs);
    } else if (!wanted.computation.empty()) {
        series = series_of_computation(wanted, computed);
    } else {
        series.x = wanted.x.empty() ? wanted.x_values : numbers.evaluate(wanted.x);
        series.y = wanted.y.empty() ? wanted.y_values : numbers.evaluate(wanted.y);
        // One number, drawn over all of x.
        if (series.y.size() == 1 && series.x.size() > 1) {
            series.y.resize(series.x.size(), series.y[0]);
        }
        if (series.x.size() == 1 && series.y.size() > 1) {
            series.x.resize(series.y.size(), series.x[0]);
        }
    }
    if (wanted.style_given || wanted.computation.empty()) {
        series.style = wanted.style;
    }
    series.name = wanted.name.empty() ? series.name : wanted.name;
    series.colour = wanted.colour.empty() ? series.colour : wanted.colour;
    series.dashed = series.dashed || wanted.dashed;
    return series;
}

const std::vector<plot::Figure>& figures_of(const RecipeFigure& wanted, const std::map<std::string, RunOutcome>& runs,
                                            const std::map<std::string, Computed>& computed) {
    if (!wanted.computation.empty()) {
        if (const auto found = computed.find(wanted.computation); found != computed.end()) {
            return found->second.figures;
        }
        throw InputError(fmt::format("a figure names computation '{}': there is none", wanted.computation));
    }
    const auto dot = wanted.run_analysis.find('.');
    if (const auto run = runs.find(wanted.run_analysis.substr(0, dot)); dot != std::string::npos && run != runs.end()) {
        const auto found = run->second.analyses.find(wanted.run_analysis.substr(dot + 1));
        if (found != run->second.analyses.end()) {
            return found->second;
        }
    }
    throw InputError(
        fmt::format("a figure names analysis '{}': there is none (write RUN.ANALYSIS)", wanted.run_analysis));
}

}  // namespace

std::vector<ItemResult::Picture> draw(const RecipeFigure& wanted, const Numbers& numbers,
                                      const std::map<std::string, RunOutcome>& runs,
                                      const std::map<std::string, Computed>& computed) {
    std::vector<ItemResult::Picture> pictures;
    if (wanted.series.empty()) {
        for (const auto& figure : figures_of(wanted, runs, computed)) {
            pictures.push_back({figure, wanted.caption, plot::to_svg(figure)});
        }
        return pictures;
    }
    plot::Figure figure;
    figure.title = wanted.title;
    figure.x = wanted.x;
    figure.y = wanted.y;
    figure.equal = wanted.equal;
    figure.width = wanted.width;
    figure.height = wanted.height;
    for (const auto& series : wanted.series) {
        figure.series.push_back(draw_series(series, numbers, runs, computed));
    }
    auto svg = plot::to_svg(figure);
    pictures.push_back({std::move(figure), wanted.caption, std::move(svg)});
    return pictures;
}

}  // namespace libration
