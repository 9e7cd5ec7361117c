// Several figures in one document, as panels.
#include "plot/drawing.hpp"
#include "plot/svg.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::plot {

std::string to_svg(std::span<const Figure> figures, int columns) {
    if (figures.empty()) {
        throw InputError("a page needs at least one figure");
    }
    if (columns < 1) {
        throw InputError(fmt::format("a page cannot have {} columns: give 1 or more", columns));
    }
    const auto in_a_row = std::min(static_cast<std::size_t>(columns), figures.size());
    std::vector<Drawing> panels;
    std::vector<double> widths(in_a_row, 0.0);  // of the columns
    std::vector<double> heights;                // of the rows
    std::string title;
    for (const auto& figure : figures) {
        const std::size_t index = panels.size();
        if (index % in_a_row == 0) {
            heights.push_back(0);
        }
        // A panel of many is still to be read.
        panels.push_back(drawing_of(figure, std::max<std::size_t>(points_in_all / figures.size(), 6000)));
        widths[index % in_a_row] = std::max(widths[index % in_a_row], panels.back().width);
        heights.back() = std::max(heights.back(), panels.back().height);
        title += (title.empty() || figure.title.empty() ? "" : "; ") + figure.title;
    }
    Drawing page;
    for (const double width : widths) {
        page.width += width;
    }
    double x = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const std::size_t column = i % in_a_row;
        x = column == 0 ? 0 : x;
        // Narrow panels stand in the middle of their column.
        const double left = x + (widths[column] - panels[i].width) / 2;
        page.markup += fmt::format("<g class=\"panel\" transform=\"translate({} {})\">\n{}</g>\n", number(left),
                                   number(page.height), panels[i].markup);
        x += widths[column];
        page.height += column + 1 == in_a_row || i + 1 == panels.size() ? heights[i / in_a_row] : 0;
    }
    return document_of(page, title);
}

}  // namespace libration::plot
