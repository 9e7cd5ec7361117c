// Axes of joints that were meant to coincide or to be parallel, but are given with few digits: `[assembly] snap`.
#pragma once

#include "body_frame.hpp"

#include <string>
#include <vector>

namespace libration {

struct JointAlignment {
    // In the world, at the start.
    struct Axis {
        std::string joint;
        Vector3 direction;  // of length 1
        std::array<double, 3> numbers;
    };
    struct Line {
        std::string joint;
        std::array<std::string, 2> bodies;  // sorted
        Vector3 point, direction;
    };
    std::optional<Expression> most;  // in radians and in units of length; none: nothing is aligned
    double value = 0;                // of it
    std::vector<Axis> axes;
    std::vector<Line> lines;
    std::vector<std::string> changes;  // for users
};

}  // namespace libration
