// The pendulum with L = m = g = 1 by two-stage Gauss on the field of H + weight g lambda, made to keep its constraints
// by the projection of Reich (1996), (31). weight = 1 is Dirac's Hamiltonian; any other weight is a slip, and the field
// then has no Hamiltonian. Arguments:
//   constraint   "length": g = r - 1, or "square": g = (r^2 - 1)/2
//   lambda       "bracket": of (18), off the manifold too, or "printed": |p|^2 - q_y, the same on the manifold
//   weight       of the terms {x, lambda} g
//   parts        steps per period
//   periods      where the phase error is taken, increasing
// Numbers: `phase`, |p_y| after each of these times, and `dH`, the largest |H - H0| on the way.
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/pendulum_period.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace libration {

namespace {

struct PlaneVector {
    double x = 0, y = 0;
    friend PlaneVector operator+(const PlaneVector& a, const PlaneVector& b) { return {a.x + b.x, a.y + b.y}; }
    friend PlaneVector operator-(const PlaneVector& a, const PlaneVector& b) { return {a.x - b.x, a.y - b.y}; }
    friend PlaneVector operator*(double factor, const PlaneVector& a) { return {factor * a.x, factor * a.y}; }
    friend double dot(const PlaneVector& a, const PlaneVector& b) { return a.x * b.x + a.y * b.y; }
};

struct PlaneState {
    PlaneVector q, p;
    friend PlaneState operator+(const PlaneState& a, const PlaneState& b) { return {a.q + b.q, a.p + b.p}; }
    friend PlaneState operator*(double factor, const PlaneState& a) { return {factor * a.q, factor * a.p}; }
};

constexpr PlaneVector up{0, 1};

struct DiracVariant {
    bool length = true, bracket = true;
    double weight = 1;

    [[nodiscard]] double g(const PlaneVector& q) const {
        const double square = dot(q, q);
        return length ? (square - 1) / (std::sqrt(square) + 1) : (square - 1) / 2;
    }
    [[nodiscard]] PlaneVector gradient(const PlaneVector& q) const { return length ? 1 / std::sqrt(dot(q, q)) * q : q; }

    // q' = p + weight g lambda_p, p' = -grad V - G^T lambda - weight g lambda_q        (30)
    [[nodiscard]] PlaneState field(const PlaneState& z) const {
        const auto& [q, p] = z;
        const double square = dot(q, q), r = std::sqrt(square), s = dot(q, p), kinetic = dot(p, p);
        double lambda = kinetic - q.y;
        PlaneVector of_q = -1.0 * up, of_p = 2.0 * p;
        if (bracket && length) {  // |p|^2/r - s^2/r^3 - q_y/r
            const double cube = r * square;
            lambda = kinetic / r - s * s / cube - q.y / r;
            of_p = 2 / r * p - 2 * s / cube * q;
            of_q = ((q.y - kinetic) / cube + 3 * s * s / (cube * square)) * q - 2 * s / cube * p - 1 / r * up;
        } else if (bracket) {  // (|p|^2 - q_y)/r^2
            of_q = -1 / square * up - 2 * lambda / (square * square) * q;
            lambda /= square;
            of_p = 2 / square * p;
        }
        const double part = weight * g(q);
        return {p + part * of_p, -1.0 * up - lambda * gradient(q) - part * of_q};
    }
};

// Gauss with two stages; the stages by simple iteration from those of the call before.
PlaneState gauss(const DiracVariant& variant, const PlaneState& z, double h, std::array<PlaneState, 2>& slopes) {
    const double a = std::sqrt(3.0) / 6;
    double before = std::numeric_limits<double>::infinity();
    for (int n = 0; n < 500; ++n) {
        const std::array<PlaneState, 2> next{variant.field(z + h * (0.25 * slopes[0] + (0.25 - a) * slopes[1])),
                                             variant.field(z + h * ((0.25 + a) * slopes[0] + 0.25 * slopes[1]))};
        double change = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto [q, p] = next[i] + -1.0 * slopes[i];
            change = std::max({change, std::abs(q.x), std::abs(q.y), std::abs(p.x), std::abs(p.y)});
        }
        slopes = next;
        if (change == 0 || (change < 1e-13 && change >= before)) {
            return z + h / 2 * (slopes[0] + slopes[1]);
        }
        before = change;
    }
    throw InputError("the stage equations of the step could not be solved; use more steps per period");
}

// (31): a kick along G^T before the step so that g = 0 after it, one after it so that q.p = 0.
PlaneState projected_step(const DiracVariant& variant, const PlaneState& z, double h, std::array<PlaneState, 2>& slopes,
                          double& kick) {
    PlaneState end;
    double before = std::numeric_limits<double>::infinity();
    for (int n = 0;; ++n) {
        end = gauss(variant, {z.q, z.p - h / 2 * kick * variant.gradient(z.q)}, h, slopes);
        const double residual = variant.g(end.q);
        if (residual == 0 || (std::abs(residual) < 1e-14 && std::abs(residual) >= before)) {
            break;
        }
        if (n == 100) {
            throw InputError("the projection of the step failed; use more steps per period");
        }
        before = std::abs(residual);
        kick += residual / (h * h / 2);  // G G^T = 1 on the manifold
    }
    end.p = end.p - dot(end.q, end.p) / dot(end.q, end.q) * end.q;
    return end;
}

}  // namespace

Computed dirac_pendulum(const ComputationArguments& arguments) {
    const auto one_of = [&](const std::string& name, const std::string& first, const std::string& second) {
        const auto text = arguments.text(name);
        if (text != first && text != second) {
            throw InputError(fmt::format("{} is '{}'; write '{}' or '{}'", name, text, first, second));
        }
        return text == first;
    };
    const DiracVariant variant{one_of("constraint", "length", "square"), one_of("lambda", "bracket", "printed"),
                               arguments.number("weight")};
    const int parts = arguments.integer("parts");
    const auto periods = arguments.numbers("periods");
    const double h = pendulum_period / parts;
    PlaneState z{{1, 0}, {0, 0}};
    std::array<PlaneState, 2> slopes{variant.field(z), variant.field(z)};
    double kick = 0, largest = 0;
    Computed result;
    int done = 0;
    for (const double period : periods) {
        for (const auto end = static_cast<int>(std::lround(period * parts)); done < end; ++done) {
            z = projected_step(variant, z, h, slopes, kick);
            largest = std::max(largest, std::abs(dot(z.p, z.p) / 2 + z.q.y));  // H0 = 0
        }
        result.numbers["phase"].push_back(std::abs(z.p.y));
    }
    result.numbers["dH"] = {largest};
    return result;
}

}  // namespace libration
