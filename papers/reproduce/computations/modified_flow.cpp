// The truncated modified equation of both variants of Störmer-Verlet for the pendulum q'' = f(q) = -sin q, and its
// Hamiltonian H + h^2 H3. [Hairer, Lubich, Wanner 2003, (4.8), (4.9); their H3 has misprints in the term with U'^2]
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/phase_plane.hpp"

#include "analysis/modified_energy.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace libration {

namespace {

// H3 = hessian U''(p, p) + square |U'|^2 with U = -cos q.
struct ModifiedTerms {
    std::string method;
    double hessian, square;  // as they must be
    double printed_square;   // as printed
};

double energy(PlanePoint y) { return y.p * y.p / 2 - std::cos(y.q); }

// What the library knows of it, in the plane.
class ModifiedPlane {
  public:
    ModifiedPlane(const std::string& model, const ModifiedTerms& variant)
        : modified_(Model::load(model), variant.method == "verlet" ? VerletVariant::A : VerletVariant::B) {}

    double h3(PlanePoint y) { return modified_.H3(std::array{y.q}, std::array{y.p}); }
    PlanePoint f3(PlanePoint y) {
        std::array<double, 1> dq{}, dv{};
        modified_.F3(std::array{y.q}, std::array{y.p}, dq, dv);
        return {dq[0], dv[0]};
    }
    // The solution of the truncated equation; the pieces are so small that their error does not show.
    PlanePoint flow(double h, PlanePoint from, double time, int pieces) {
        std::vector<double> q{from.q}, p{from.p};
        modified_.flow(h, time, pieces, q, p);
        return {q[0], p[0]};
    }

  private:
    VerletModified modified_;
};

// Once round the origin: a level curve of the modified Hamiltonian.
std::vector<PlanePoint> level_curve(ModifiedPlane& modified, double h, PlanePoint from) {
    std::vector<PlanePoint> points{from};
    double turned = 0;
    constexpr double piece = 0.02;
    while (std::abs(turned) < 2 * std::numbers::pi && points.size() < 5000) {
        const auto last = points.back(), next = modified.flow(h, last, piece, 1);
        turned += std::atan2(last.q * next.p - last.p * next.q, last.q * next.q + last.p * next.p);
        points.push_back(next);
    }
    if (std::abs(turned) >= 2 * std::numbers::pi) {  // otherwise it is not closed, and stays so
        points.back() = from;
    }
    return points;
}

template <class Function>
double range_of(const std::vector<PlanePoint>& points, const Function& value) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const auto& point : points) {
        least = std::min(least, value(point));
        most = std::max(most, value(point));
    }
    return most - least;
}

// The two coefficients of H3 from a numerical solution alone: those with which H + h^2 (a U''(p,p) + b |U'|^2) changes
// least along it (least squares with a constant). Independent of every formula of the modified equation.
std::array<double, 2> fitted_coefficients(const std::vector<PlanePoint>& points, double h) {
    double mx = 0, my = 0, me = 0;
    const auto x = [](PlanePoint y) { return std::cos(y.q) * y.p * y.p; };
    const auto y = [](PlanePoint z) { return std::pow(std::sin(z.q), 2); };
    const auto e = [h](PlanePoint z) { return -energy(z) / (h * h); };
    for (const auto& point : points) {
        mx += x(point), my += y(point), me += e(point);
    }
    const auto n = static_cast<double>(points.size());
    mx /= n, my /= n, me /= n;
    double xx = 0, xy = 0, yy = 0, xe = 0, ye = 0;
    for (const auto& point : points) {
        const double dx = x(point) - mx, dy = y(point) - my, de = e(point) - me;
        xx += dx * dx, xy += dx * dy, yy += dy * dy, xe += dx * de, ye += dy * de;
    }
    const double determinant = xx * yy - xy * xy;
    return {(xe * yy - ye * xy) / determinant, (ye * xx - xe * xy) / determinant};
}

// How far F3 is from (H3_p, -H3_q), at most on a grid: a Hamiltonian that belongs to F3 gives round-off.
double gradient_gap(ModifiedPlane& modified, const ModifiedTerms& variant, double of_square) {
    double most = 0;
    for (double q = -3; q <= 3; q += 0.25) {
        for (double p = -2; p <= 2; p += 0.25) {
            const double by_p = 2 * variant.hessian * std::cos(q) * p;
            const double by_q = -variant.hessian * std::sin(q) * p * p + of_square * std::sin(2 * q);
            const auto f3 = modified.f3({q, p});
            most = std::max({most, std::abs(f3.q - by_p), std::abs(f3.p + by_q)});
        }
    }
    return most;
}

}  // namespace

// variant = A or B; step; steps: for the ranges; shown: points in the picture, five shades; levels = [q, ...]: orbits
// from (q, 0); small_step: for the fit.
Computed modified_flow(const ComputationArguments& arguments) {
    const auto name = arguments.text("variant");
    if (name != "A" && name != "B") {
        throw InputError("variant must be A (kick, drift, kick) or B (drift, kick, drift)");
    }
    const auto variant = name == "A" ? ModifiedTerms{"verlet", 1.0 / 12, -1.0 / 24, 1.0 / 24}
                                     : ModifiedTerms{"verlet-b", -1.0 / 24, 1.0 / 12, -1.0 / 6};
    const double h = arguments.number("step");
    constexpr auto model = "pendulum-angle";
    PhasePlane plane(model);
    ModifiedPlane modified(model, variant);
    const PlanePoint start{arguments.number("q"), arguments.number("p")};
    const auto points = plane.orbit(variant.method, h, arguments.integer("steps"), start);
    // As the library has it, plus a change of the coefficient of |U'|^2.
    const auto modified_energy = [&](double of_square) {
        return [&modified, h, change = of_square - variant.square](PlanePoint y) {
            return energy(y) + h * h * (modified.h3(y) + change * std::pow(std::sin(y.q), 2));
        };
    };

    Computed result;
    result.numbers["range_energy"] = {range_of(points, energy)};
    result.numbers["range_modified"] = {range_of(points, modified_energy(variant.square))};
    result.numbers["range_printed"] = {range_of(points, modified_energy(variant.printed_square))};
    const double small = arguments.number("small_step");
    const auto fitted =
        fitted_coefficients(plane.orbit(variant.method, small, static_cast<int>(20 / small), start), small);
    result.numbers["fitted_hessian"] = {fitted[0]};
    result.numbers["fitted_square"] = {fitted[1]};
    result.numbers["gradient_gap"] = {gradient_gap(modified, variant, variant.square)};
    result.numbers["printed_gradient_gap"] = {gradient_gap(modified, variant, variant.printed_square)};
    // One step against the flow over one step, as the step shrinks.
    std::vector<double> gaps;
    for (const double s : {0.05, 0.025}) {
        const auto step = plane.orbit(variant.method, s, 1, start).back();
        const auto flow = modified.flow(s, start, s, 200);
        gaps.push_back(std::hypot(step.q - flow.q, step.p - flow.p));
    }
    result.numbers["flow_gap"] = gaps;
    result.numbers["flow_order"] = {std::log2(gaps[0] / gaps[1])};

    plot::Series levels;
    for (const double q : arguments.numbers("levels")) {
        const auto orbit = curve_of(level_curve(modified, h, {q, 0}));
        levels.x.insert(levels.x.end(), orbit.x.begin(), orbit.x.end());
        levels.y.insert(levels.y.end(), orbit.y.begin(), orbit.y.end());
        levels.x.push_back(std::numeric_limits<double>::quiet_NaN());
        levels.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    result.curves["levels"] = std::move(levels);
    result.curves["orbit"] = curve_of(level_curve(modified, h, start));
    const auto shown = std::min(points.size(), static_cast<std::size_t>(arguments.integer("shown")));
    for (std::size_t k = 0; k < 5; ++k) {
        result.curves[fmt::format("points_{}", k + 1)] =
            curve_of({points.begin() + static_cast<std::ptrdiff_t>(shown * k / 5),
                      points.begin() + static_cast<std::ptrdiff_t>(shown * (k + 1) / 5)},
                     plot::Style::points);
    }
    return result;
}

}  // namespace libration
