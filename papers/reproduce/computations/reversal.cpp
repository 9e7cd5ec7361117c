// There and back again: n steps from y to z, the velocity of z turned round, n steps more. A reversible map ends at y
// with its velocity turned round. [Hairer, Lubich, Wanner 2003, (2.2), (2.3)]
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/phase_plane.hpp"

#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

// model; method, or "exact" for the flow; step, steps.
Computed reversal(const ComputationArguments& arguments) {
    PhasePlane plane(arguments.text("model"));
    const auto method = arguments.text("method");
    const double h = arguments.number("step");
    const int n = arguments.integer("steps");
    if (n < 1) {
        throw InputError("reversal needs at least one step");
    }
    const auto go = [&](PlanePoint from) {
        return method == "exact" ? plane.flow(n * h, 60 * n, from) : plane.orbit(method, h, n, from);
    };
    const auto there = go(plane.start());
    const auto turned = [](PlanePoint point) { return PlanePoint{point.q, -point.p}; };
    const auto back = go(turned(there.back()));
    const auto start = there.front(), aim = turned(start);

    Computed result;
    result.numbers["end"] = {there.back().q, there.back().p};
    result.numbers["gap"] = {std::max(std::abs(back.back().q - aim.q), std::abs(back.back().p - aim.p))};
    result.curves["there"] = curve_of(there);
    result.curves["back"] = curve_of(back);
    result.curves["there_points"] = curve_of({there.front(), there.back()}, plot::Style::points);
    result.curves["back_points"] = curve_of({back.front(), back.back()}, plot::Style::points);
    result.curves["turn_end"] = curve_of({there.back(), back.front()});
    result.curves["turn_start"] = curve_of({start, aim});
    return result;
}

}  // namespace libration
