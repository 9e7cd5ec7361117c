// The matrix that one step of a method is on the harmonic oscillator q'' = -omega^2 q, found by steps from unit
// vectors: (p, omega q)_n+1 = A(h omega) (p, omega q)_n. [Hairer, Lubich, Wanner 2003, (3.3)]
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/phase_plane.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct Propagation {
    double pp = 0, pq = 0, qp = 0, qq = 0;
    [[nodiscard]] double determinant() const { return pp * qq - pq * qp; }
    // The larger modulus of the two eigenvalues.
    [[nodiscard]] double radius() const {
        const double half = (pp + qq) / 2, discriminant = half * half - determinant();
        return discriminant < 0 ? std::sqrt(determinant()) : std::abs(half) + std::sqrt(discriminant);
    }
};

// omega = 1 (the catalogue's), so that h is h omega.
Propagation propagation_of(PhasePlane& plane, const std::string& method, double x) {
    const auto from_p = plane.orbit(method, x, 1, {0, 1}).back();
    const auto from_q = plane.orbit(method, x, 1, {1, 0}).back();
    return {from_p.p, from_q.p, from_p.q, from_q.q};
}

// As (3.4) is printed: the off-diagonal elements have an extra factor 1/2.
Propagation as_printed(double x) {
    const double diagonal = 1 - x * x / 2;
    return {diagonal, -x / 2 * (1 - x * x / 4), x / 2, diagonal};
}

}  // namespace

// method; at = [...]: values of h omega for the numbers; to: end of the curves; orbit = h omega of the orbit that is
// drawn.
Computed propagation(const ComputationArguments& arguments) {
    PhasePlane plane("harmonic-oscillator");
    const auto method = arguments.text("method");
    Computed result;
    Computed::Table table{
        "The matrix of one step, measured", {"hω", "A11", "A12", "A21", "A22", "determinant", "|eigenvalue|"}, {}};
    for (const double x : arguments.numbers("at")) {
        const auto a = propagation_of(plane, method, x);
        result.numbers["a11"].push_back(a.pp);
        result.numbers["a12"].push_back(a.pq);
        result.numbers["a21"].push_back(a.qp);
        result.numbers["a22"].push_back(a.qq);
        result.numbers["trace"].push_back(a.pp + a.qq);
        result.numbers["determinant"].push_back(a.determinant());
        result.numbers["radius"].push_back(a.radius());
        result.numbers["printed_determinant"].push_back(as_printed(x).determinant());
        std::vector<std::string> row;
        for (const double value : {x, a.pp, a.pq, a.qp, a.qq, a.determinant(), a.radius()}) {
            row.push_back(fmt::format("{:.6g}", value));
        }
        table.rows.push_back(std::move(row));
    }
    const double to = arguments.number("to");
    constexpr int points = 300;
    for (int k = 1; k <= points; ++k) {
        const double x = to * k / points;
        const auto a = propagation_of(plane, method, x);
        const auto add = [&](const char* name, double y) {
            result.curves[name].x.push_back(x);
            result.curves[name].y.push_back(y);
        };
        add("radius", a.radius());
        add("determinant", a.determinant());
        add("printed_radius", as_printed(x).radius());
        add("printed_determinant", as_printed(x).determinant());
    }
    // The orbit lies on the ellipse p^2 + (1 - x^2/4) (omega q)^2 = const: the quadratic form that A keeps.
    const double x = arguments.number("orbit");
    const auto orbit = plane.orbit(method, x, 400, {1, 0});
    double least = 1e300, most = -1e300;
    for (const auto& point : orbit) {
        const double form = point.p * point.p + (1 - x * x / 4) * point.q * point.q;
        least = std::min(least, form);
        most = std::max(most, form);
    }
    result.numbers["form_range"] = {(most - least) / most};
    result.curves["orbit"] = curve_of(orbit, plot::Style::points);
    // At h omega = 2 the matrix is a Jordan block: bounded eigenvalues, but the solution grows linearly.
    const auto limit = plane.orbit(method, 2, 100, {0, 1});
    result.numbers["growth_at_2"] = {std::abs(limit[100].q) / std::abs(limit[50].q)};
    result.tables.push_back(std::move(table));
    return result;
}

}  // namespace libration
