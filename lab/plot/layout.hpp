// What stands where in a figure.
#pragma once

#include "plot/curves.hpp"
#include "plot/legend.hpp"

#include <libration/plot/figure.hpp>

#include <string>
#include <vector>

namespace libration::plot {

constexpr double side = 16;  // free at the edges of the figure
constexpr double tick_length = 5;
constexpr double title_size = 16, title_height = 21;

struct Layout {
    Frame frame;
    Ticks x, y;
    Legend legend;
    std::vector<std::string> title, x_label, y_label;
    double y_label_x = 20;  // where its first line stands
    double height = 0;      // of the whole figure
};

// InputError if the ends of an axis do not fit, or if units of equal length are not possible.
Layout layout_of(const Figure& figure);

}  // namespace libration::plot
