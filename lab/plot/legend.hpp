// Where the legend stands, and what it looks like.
#pragma once

#include "plot/curves.hpp"

#include <string>
#include <vector>

namespace libration::plot {

// Never over the data: right of the axes where the names are short and few, else below them in columns.
struct Legend {
    struct Entry {
        std::size_t series;
        std::vector<std::string> lines;
        double x, y;  // the upper left corner, relative to that of the legend
    };
    std::vector<Entry> entries;
    bool below = false;
    double width = 0, height = 0;
};

// For a figure of this width whose frame is about `frame_height` high.
Legend legend_of(const std::vector<Series>& series, double figure_width, double frame_height);

std::string legend_markup(const Legend& legend, const std::vector<Look>& looks, const Point& corner);

}  // namespace libration::plot
