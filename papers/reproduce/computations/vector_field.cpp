// Arrows of the vector field of a model with one degree of freedom, on a grid.
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/phase_plane.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

// model; q = [low, high], p = [low, high]; columns, rows. The longest arrow is as long as the grid is wide.
Computed vector_field(const ComputationArguments& arguments) {
    PhasePlane plane(arguments.text("model"));
    const auto q = arguments.numbers("q"), p = arguments.numbers("p");
    const int columns = arguments.integer("columns"), rows = arguments.integer("rows");
    if (q.size() != 2 || p.size() != 2 || columns < 2 || rows < 2) {
        throw InputError("vector-field needs q = [low, high], p = [low, high] and at least two columns and rows");
    }
    const double dq = (q[1] - q[0]) / (columns - 1), dp = (p[1] - p[0]) / (rows - 1);
    std::vector<std::pair<PlanePoint, PlanePoint>> found;
    double longest = 0;  // in units of the grid
    for (int i = 0; i < columns; ++i) {
        for (int k = 0; k < rows; ++k) {
            const PlanePoint at{q[0] + i * dq, p[0] + k * dp};
            const auto f = plane.field(at);
            longest = std::max(longest, std::hypot(f.q / dq, f.p / dp));
            found.emplace_back(at, f);
        }
    }
    plot::Series arrows;
    arrows.style = plot::Style::arrows;
    const double scale = 0.95 / longest;
    for (const auto& [at, f] : found) {
        arrows.x.insert(arrows.x.end(), {at.q, at.q + scale * f.q});
        arrows.y.insert(arrows.y.end(), {at.p, at.p + scale * f.p});
    }
    Computed result;
    result.numbers["longest"] = {longest};
    result.curves["arrows"] = std::move(arrows);
    return result;
}

}  // namespace libration
