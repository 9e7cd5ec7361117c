// Pixel geometry: cutting lines and areas to the frame, and thinning what no screen can show.
#pragma once

#include <cstddef>
#include <vector>

namespace libration::plot {

struct Point {
    double x, y;
    bool operator==(const Point&) const = default;
};
using Polyline = std::vector<Point>;
using Pieces = std::vector<Polyline>;  // a line with breaks

struct Box {
    double left, top, right, bottom;
    bool contains(const Point& p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
};

// The parts of the line that lie in the box. A single point stays a single point.
Pieces cut_line(const Polyline& line, const Box& box);

// The part of a closed area that lies in the box (Sutherland and Hodgman 1974).
Polyline cut_area(const Polyline& outline, const Box& box);

std::size_t count(const Pieces& pieces);

// In each run of consecutive points in one pixel column: its first, lowest, highest and last point, in their order. A
// line through them covers the same pixels.
Polyline thin_by_columns(const Polyline& line, const Box& box, double column_width);

// `length` cells downwards; (x, y) is the middle of the first.
struct Stroke {
    double x, y;
    std::size_t length;
};
struct Ink {
    double cell = 1;
    std::vector<Stroke> strokes;
};
// The cells that the lines pass through, as vertical strokes: for lines that cross each column many times. The cells
// grow until there are at most `most` strokes. Points that are not on a line are polylines of one point. All must lie
// in the box.
Ink ink(const Pieces& pieces, const Box& box, std::size_t most);

}  // namespace libration::plot
