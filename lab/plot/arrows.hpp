// Arrows, as vector fields need them.
#pragma once

#include "plot/curves.hpp"

#include <string>
#include <vector>

namespace libration::plot {

struct Arrow {
    Point from, to;
};

// Shafts are cut at the box; a tip outside of it has no head. Arrows too short to be seen as such are dots.
std::string arrow_element(const std::vector<Arrow>& arrows, const Look& look, const Box& box);

// The arrows of a series. Of more than the budget allows, every second, third and so on is drawn.
std::string arrow_elements(const Series& series, const Look& look, const Frame& frame, std::size_t budget);

}  // namespace libration::plot
