// The legend: one entry for each series with a name.
#include "plot/legend.hpp"

#include "plot/layout.hpp"
#include "plot/svg.hpp"

#include <algorithm>

namespace libration::plot {

namespace {

constexpr double sample_width = 34;  // with the gap before the name
constexpr double gap = 18;           // between columns

}  // namespace

Legend legend_of(const std::vector<Series>& series, double figure_width, double frame_height) {
    Legend legend;
    double widest = 0;
    std::size_t names = 0;
    for (const auto& one : series) {
        widest = std::max(widest, width_of(one.name));
        names += one.name.empty() ? 0 : 1;
    }
    if (names == 0) {
        return legend;
    }
    const double wanted = sample_width + widest;
    legend.below = wanted > 0.3 * figure_width || static_cast<double>(names) * line_height > frame_height;
    const double room = figure_width - 2 * side;
    const double column_width = legend.below ? std::min(wanted, room) : wanted;
    const auto columns = legend.below ? std::max(1, static_cast<int>((room + gap) / (column_width + gap))) : 1;
    double y = 0, row_height = 0;
    int column = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].name.empty()) {
            continue;
        }
        if (column == columns) {
            column = 0;
            y += row_height;
            row_height = 0;
        }
        auto lines = wrapped(series[i].name, column_width - sample_width + 0.5);  // half a pixel against round-off
        row_height = std::max(row_height, line_height * static_cast<double>(lines.size()));
        legend.entries.push_back({i, std::move(lines), column * (column_width + gap), y});
        ++column;
    }
    legend.height = y + row_height;
    const int used = std::min(columns, static_cast<int>(names));
    legend.width = used * column_width + (used - 1) * gap;
    return legend;
}

std::string legend_markup(const Legend& legend, const std::vector<Look>& looks, const Point& corner) {
    std::string markup;
    for (const auto& entry : legend.entries) {
        const Point at{corner.x + entry.x, corner.y + entry.y};
        markup += sample(looks[entry.series], {at.x, at.y + line_height / 2});
        for (std::size_t i = 0; i < entry.lines.size(); ++i) {
            const double baseline = at.y + line_height * static_cast<double>(i) + 13.5;
            markup += text_element({at.x + sample_width, baseline}, Anchor::start, escaped(entry.lines[i]));
        }
    }
    return markup;
}

}  // namespace libration::plot
