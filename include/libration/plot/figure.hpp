// Figures as SVG: lines, points and filled regions on linear and logarithmic axes. The only drawing code of the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace libration::plot {

enum class Style {
    line,
    points,           // a marker at each point; very many become dots
    line_and_points,  // above 200 points only about 20 of them, evenly spread, carry a marker
    region,           // the points are the outline of a filled area, closed by itself; holes by the even-odd rule
    guide,            // a thin grey dashed line, such as a reference slope; it takes no colour of the palette
};

// Points with a coordinate that is not finite (or beyond 1e300 on a linear axis, or <= 0 on a logarithmic one) are left
// out; a line is broken there. An empty name has no entry in the legend. Names, titles and labels are UTF-8; any text
// will do, what XML cannot hold becomes U+FFFD.
struct Series {
    std::string name;
    std::vector<double> x, y;  // of equal length
    Style style = Style::line;
};

// An end that is not given is found from the data.
struct Axis {
    std::string label;
    bool logarithmic = false;
    std::optional<double> low, high;
};

struct Figure {
    std::string title;
    Axis x, y;
    std::vector<Series> series;        // later ones are drawn over earlier ones
    double width = 720, height = 480;  // pixels; a legend below the axes adds to the height
};

// A self-contained SVG 1.1 text, the same bytes for the same figure. Long series are thinned to what a screen can show,
// so that the text stays below about 300 kB whatever the number of points. A line from left to right keeps the extremes of
// every pixel column; other lines and many points become the pixels that they cover (coarser ones where these are very
// many and scattered); a region with a very long and wild outline loses its filling.
// Throws InputError for x and y of different length, ends of an axis that do not fit, or a size outside 200 to 10000.
std::string to_svg(const Figure& figure);

}  // namespace libration::plot
