// One large step of Störmer-Verlet as two steps of symplectic Euler, as a figure: each half goes straight on in the
// direction that the field has at one point, whose coordinates are one old and one new. [Hairer, Lubich, Wanner 2003,
// (1.24), (1.25)]
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/phase_plane.hpp"

#include <libration/text/error.hpp>

#include <cmath>

namespace libration {

// model, step, variant = A (kick, drift, kick) or B (drift, kick, drift).
Computed verlet_step(const ComputationArguments& arguments) {
    PhasePlane plane(arguments.text("model"));
    const double h = arguments.number("step");
    const auto variant = arguments.text("variant");
    if (variant != "A" && variant != "B") {
        throw InputError("variant must be A (kick, drift, kick) or B (drift, kick, drift)");
    }
    const bool a = variant == "A";
    const std::string whole = a ? "verlet" : "verlet-b";
    const std::string first = a ? "symplectic-euler" : "symplectic-euler-adjoint";
    const std::string second = a ? "symplectic-euler-adjoint" : "symplectic-euler";

    const auto start = plane.start();
    const auto middle = plane.orbit(first, h / 2, 1, start).back();
    const auto composed = plane.orbit(second, h / 2, 1, middle).back();
    const auto end = plane.orbit(whole, h, 1, start).back();
    // Reversibility (2.3): from the end with the velocity turned round, the same step leads to the start, turned round.
    const auto back = plane.orbit(whole, h, 1, {end.q, -end.p}).back();

    const PlanePoint seen_first = a ? PlanePoint{start.q, middle.p} : PlanePoint{middle.q, start.p};
    const PlanePoint seen_second = a ? PlanePoint{end.q, middle.p} : PlanePoint{middle.q, end.p};

    Computed result;
    result.numbers["middle"] = {middle.q, middle.p};
    result.numbers["end"] = {end.q, end.p};
    result.numbers["composition"] = {std::max(std::abs(composed.q - end.q), std::abs(composed.p - end.p))};
    result.numbers["reversal"] = {std::max(std::abs(back.q - start.q), std::abs(back.p + start.p))};
    const auto exact = plane.flow(h, 60, start);
    result.numbers["error"] = {std::max(std::abs(exact.back().q - end.q), std::abs(exact.back().p - end.p))};

    result.curves["step"] = curve_of({start, middle, end});
    result.curves["ends"] = curve_of({start, end}, plot::Style::points);
    result.curves["middle"] = curve_of({middle}, plot::Style::points);
    result.curves["evaluations"] = curve_of({seen_first, seen_second}, plot::Style::points);
    result.curves["exact"] = curve_of(exact);
    // The field where it is evaluated, at its true length over half a step: each half of the step is parallel to its
    // arrow.
    std::vector<PlanePoint> arrows;
    for (const auto& at : {seen_first, seen_second}) {
        const auto f = plane.field(at);
        arrows.push_back(at);
        arrows.push_back({at.q + h / 2 * f.q, at.p + h / 2 * f.p});
    }
    result.curves["slopes"] = curve_of(arrows, plot::Style::arrows);
    return result;
}

}  // namespace libration
