// Columns of constant a_1, in each the intervals of a_2 where (13) holds, joined to areas from column to column.
#include "multistep_region.hpp"

#include "coefficients/multistep_search.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace libration::plot {

namespace {

constexpr int grid_columns = 480;

struct Interval {
    double low, high;
};

// Denser towards the sides of the square, where areas come close to each other.
double sample_of_cell(int cell) { return -std::cos(std::numbers::pi * (cell + 0.5) / grid_columns); }

// Where `inside` changes between x, where it is true, and y.
template <class Inside>
double edge(Inside inside, double x, double y) {
    for (int i = 0; i < 40; ++i) {
        const double mid = (x + y) / 2;
        (inside(mid) ? x : y) = mid;
    }
    return x;
}

// The intervals where `inside` holds, up to the sides of the square.
template <class Inside>
std::vector<Interval> intervals(Inside inside, std::vector<double> samples) {
    std::vector<Interval> result;
    bool before = false;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const bool now = inside(samples[i]);
        if (now && !before) {
            result.push_back({i == 0 ? -1.0 : edge(inside, samples[i], samples[i - 1]), 1.0});
        } else if (before && !now) {
            result.back().high = edge(inside, samples[i - 1], samples[i]);
        }
        before = now;
    }
    return result;
}

// All samples and a_2 = a_1, which parts the two areas of six steps however near they are.
std::vector<double> samples_of_column(double a1) {
    std::vector<double> samples{a1};
    for (int i = 0; i < grid_columns; ++i) {
        samples.push_back(sample_of_cell(i));
    }
    std::sort(samples.begin(), samples.end());
    return samples;
}

// An area between two curves, open to the right while columns are added.
struct Area {
    std::vector<double> x, low, high;
};

// They share more than half of the shorter one: areas may lie close to each other across the columns.
bool overlap(const Interval& interval, const Area& area) {
    const double low = area.low.back(), high = area.high.back();
    const double shared = std::min(interval.high, high) - std::max(interval.low, low);
    return shared > 0.5 * std::min(interval.high - interval.low, high - low);
}

void add(Area& area, double x, const Interval& interval) {
    area.x.push_back(x);
    area.low.push_back(interval.low);
    area.high.push_back(interval.high);
}

// An interval continues the area that it alone overlaps and that overlaps it alone; everything else ends or begins.
void add_column(std::vector<Area>& open, std::vector<Area>& closed, double x, const std::vector<Interval>& column) {
    std::vector<Area> next;
    std::vector<bool> used(column.size(), false);
    for (auto& area : open) {
        std::size_t partner = 0, partners = 0;
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (overlap(column[i], area)) {
                partner = i;
                ++partners;
            }
        }
        const auto rivals =
            partners == 1
                ? std::count_if(open.begin(), open.end(),
                                [&](const Area& other) { return !other.x.empty() && overlap(column[partner], other); })
                : 0;
        if (rivals == 1) {
            used[partner] = true;
            next.push_back(area);
            add(next.back(), x, column[partner]);
        } else {
            closed.push_back(area);
        }
    }
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (!used[i]) {
            next.emplace_back();
            add(next.back(), x, column[i]);
        }
    }
    open = std::move(next);
}

void append(Series& series, const Area& area) {
    for (std::size_t i = 0; i < area.x.size(); ++i) {
        series.x.push_back(area.x[i]);
        series.y.push_back(area.low[i]);
    }
    for (std::size_t i = area.x.size(); i-- > 0;) {
        series.x.push_back(area.x[i]);
        series.y.push_back(area.high[i]);
    }
    series.x.push_back(std::numeric_limits<double>::quiet_NaN());  // the next one is apart
    series.y.push_back(std::numeric_limits<double>::quiet_NaN());
}

void mark(Figure& figure, const std::string& name, double a1, double a2) {
    for (const auto& series : figure.series) {
        if (series.style == Style::points && series.x.front() == a1 && series.y.front() == a2) {
            return;  // has its mark already
        }
    }
    figure.series.push_back({fmt::format("{} ({}, {})", name, a1, a2), {a1}, {a2}, Style::points});
}

void mark_points(Figure& figure, const std::vector<double>& a, double beta) {
    const auto k = static_cast<int>(2 + 2 * a.size());
    if (beta == 0 && default_parameter_texts(k)) {
        std::vector<double> standard;
        for (const Wide x : default_parameters(k)) {
            standard.push_back(high(x));
        }
        if (std::equal(a.begin() + 2, a.end(), standard.begin() + 2)) {  // it is in this slice
            mark(figure, "the default", standard[0], standard[1]);
        }
    }
    if (k == 6 && beta == 0) {  // [CHL] section 5, section 4.2
        mark(figure, "(A) of the paper", -0.7, 0.4);
        mark(figure, "(B) of the paper", -0.1, 0.4);
        mark(figure, "largest interval of periodicity", 0.66, -0.26);
    }
    mark(figure, "given", a[0], a[1]);
}

}  // namespace

Figure multistep_region_figure(const std::vector<double>& a, double beta) {
    const auto k = 2 + 2 * a.size();
    if (k < 6) {
        throw InputError(fmt::format("a figure needs two parameters, K >= 6; with {} steps {}", k,
                                     k == 4 ? "condition (13) holds for all a between -1 and 1" : "there are none"));
    }
    std::vector<Area> open, closed;
    auto trial = a;
    for (int i = 0; i < grid_columns; ++i) {
        trial[0] = sample_of_cell(i);
        const auto inside = [&](double a2) {
            trial[1] = a2;
            return sigma_on_circle(trial, beta);
        };
        const auto column = intervals(inside, samples_of_column(trial[0]));
        if (i == 0) {
            add_column(open, closed, -1, column);
        }
        add_column(open, closed, trial[0], column);
        if (i == grid_columns - 1) {
            add_column(open, closed, 1, column);
        }
    }
    closed.insert(closed.end(), open.begin(), open.end());
    Series region{"all roots of \u03c3 on the unit circle, condition (13)", {}, {}, Style::region};
    for (const auto& area : closed) {
        append(region, area);
    }
    Figure figure;
    figure.title = fmt::format("Symmetric multistep methods, {} steps", k);
    for (std::size_t i = 2; i < a.size(); ++i) {
        figure.title += fmt::format(", a{} = {}", i + 1, a[i]);
    }
    if (beta != 0) {
        figure.title += fmt::format(", beta = {}", beta);
    }
    figure.x = {.label = "a1", .low = -1, .high = 1};
    figure.y = {.label = "a2", .low = -1, .high = 1};
    figure.width = 560;
    figure.height = 540;
    figure.series = {std::move(region)};
    mark_points(figure, a, beta);
    return figure;
}

}  // namespace libration::plot
