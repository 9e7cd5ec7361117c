// Figures as SVG: lines, points and filled regions on linear and logarithmic axes. The only drawing code of the
// library.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace libration::plot {

enum class Style {
    line,
    points,           // a marker at each point; very many become dots
    line_and_points,  // above 200 points only about 20 of them, evenly spread, carry a marker
    region,           // the points are the outline of a filled area, closed by itself; holes by the even-odd rule.
                      // With a chosen color it is filled more strongly and has a thin dark outline
    guide,            // a thin gray dashed line, such as a reference slope; it uses no color of the palette
    arrows,           // points in pairs: from one to the next, an arrow; vector fields
};

// Points with a coordinate that is not finite (or beyond 1e300 on a linear axis, or <= 0 on a logarithmic one) are
// omitted; a line is broken there. An empty name has no entry in the legend. Names, titles and labels are UTF-8; any
// text is accepted; characters invalid in XML become U+FFFD.
struct Series {
    std::string name;
    std::vector<double> x, y;  // of equal length
    Style style = Style::line;
    std::string colour = {};  // "#404040" or a name of SVG, "black"; empty: the next of the palette
    bool dashed = false;      // long series are never dashed
    bool solid = false;       // of a region with a colour: nothing shows through
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
    bool equal = false;                // units of both axes are equally long; an axis with room to spare shows more
    double width = 720, height = 480;  // pixels; a legend below the axes adds to the height
};

// A self-contained SVG 1.1 text, the same bytes for the same figure. Long series are thinned to what a screen can show,
// so that the text stays below about 300 kB for any number of points. A line from left to right keeps the extremes of
// every pixel column; other lines and many points become the pixels that they cover (coarser ones where these are very
// many and scattered); a region with a very long and irregular outline is not filled. Throws InputError for x and y of
// different length, arrows with an odd number of points, invalid colors, inconsistent ends of an axis, equal units on
// logarithmic axes, or a size outside 200 to 10000.
std::string to_svg(const Figure& figure);

// Several figures on one page, row by row, each with its own size and legend; up to about 100 kB per panel. InputError
// for none, or columns < 1.
std::string to_svg(std::span<const Figure> figures, int columns);

}  // namespace libration::plot
