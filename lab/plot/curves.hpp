// One series as SVG.
#pragma once

#include "plot/axis_scale.hpp"
#include "plot/thin.hpp"

#include <libration/plot/figure.hpp>

#include <string>
#include <string_view>

namespace libration::plot {

struct Frame {
    Box box;
    Scale x, y;
    Point place(double x_value, double y_value) const;
};

// Valid as long as the series.
struct Look {
    Style style = Style::line;
    std::string_view colour, marker, dash;
    bool of_choice = false;  // the series names its colour
    bool solid = false;
};

// The look of the series that is number `index` among those that take a colour of the palette, and number `marked`
// among lines with markers.
Look look_of(const Series& series, std::size_t index, std::size_t marked);

struct Curve {
    std::string markup;  // empty if nothing lies in the frame
    Look look;           // as drawn: a line that was thinned has no dashes
};

// At most about `budget` points of a path.
Curve draw(const Series& series, const Look& look, const Frame& frame, std::size_t budget);

// The sample for the legend, 26 pixels wide, around the height of `left_middle`.
std::string sample(const Look& look, const Point& left_middle);

}  // namespace libration::plot
