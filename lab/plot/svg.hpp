// The words of SVG that figures are written with.
#pragma once

#include "plot/thin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace libration::plot {

constexpr double font_size = 13;
constexpr double line_height = 18;
constexpr std::string_view ink_colour = "#333333";  // of words, axes and thin outlines

// Text that XML can hold: markup escaped, white space made blanks, invalid UTF-8 and forbidden characters U+FFFD.
std::string escaped(std::string_view text);

// A width that the text most likely does not exceed; the font of the viewer is not known.
double width_of(std::string_view text);

// Lines that are not wider than `width`, broken at blanks, or inside a word where it is too long by itself.
std::vector<std::string> wrapped(std::string_view text, double width);

// A coordinate: hundredths of a pixel, no needless digits.
std::string number(double coordinate);

// Path data.
std::string line_path(const Polyline& line);
// For strokes `width` wide with flat ends: viewers do not agree on the ends of a stroke without length.
std::string ink_path(const Ink& ink, double width);

enum class Anchor { start, middle, end };
// `content` is markup already.
std::string text_element(const Point& at, Anchor anchor, std::string_view content, std::string_view attributes = "");
std::string power_of_ten(std::string_view before, std::string_view power);

}  // namespace libration::plot
