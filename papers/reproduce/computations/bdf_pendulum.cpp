// The pendulum with L = m = g = 1 in q and p by the backward differentiation formula of order 4 with constant steps,
// the constraint replaced by its multiplier |p|^2 - q_y: [Reich 1996, (36)]. The method `bdf(4)` of the library solves
// the constraint itself and takes no field without a Hamiltonian, so what happens off the manifold, or with
// projections, is computed here. Arguments:
//   form      "printed": the force of (36), -q lambda with L = 1;
//             "unit": along the unit vector, -q lambda/|q|, the same on the manifold;
//             "projected": "printed", and after each step q is scaled to length 1 and p made tangent
//   parts     steps per period
//   periods   where numbers are taken, increasing whole numbers; the run ends with the last
// Numbers: `energy` at these times, where it got as far (H0 = 0), `highest` (largest q_y after the node one period
// before, up to there), `smallest` and `largest` energy on the way, `lasts`, in periods: until a step could not be
// solved any more, or all of it. Curves `energy` and `height` (q_y), against t in periods.
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/pendulum_period.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace libration {

namespace {

using PendulumState = std::array<double, 4>;  // q and p

double energy_of(const PendulumState& z) { return (z[2] * z[2] + z[3] * z[3]) / 2 + z[1]; }

class Pendulum {
  public:
    explicit Pendulum(const std::string& form) : unit_(form == "unit"), projected_(form == "projected") {
        if (!unit_ && !projected_ && form != "printed") {
            throw InputError(fmt::format("form is '{}'; write 'printed', 'unit' or 'projected'", form));
        }
    }

    [[nodiscard]] PendulumState field(const PendulumState& z) const {
        const double lambda = (z[2] * z[2] + z[3] * z[3] - z[1]) / (unit_ ? std::hypot(z[0], z[1]) : 1);
        return {z[2], z[3], -z[0] * lambda, -1 - z[1] * lambda};
    }
    void project(PendulumState& z) const {
        if (!projected_) {
            return;
        }
        const double r = std::hypot(z[0], z[1]);
        z[0] /= r;
        z[1] /= r;
        const double along = z[0] * z[2] + z[1] * z[3];
        z[2] -= along * z[0];
        z[3] -= along * z[1];
    }

  private:
    bool unit_, projected_;
};

// From phi = pi/2 at rest, by this many steps of the classical method of order 4: exact up to round-off.
PendulumState exact(double t) {
    constexpr int steps = 2000;
    double phi = std::acos(0.0), speed = 0;
    for (int n = 0; n < steps && t > 0; ++n) {
        const double h = t / steps;
        const double v1 = speed, a1 = -std::sin(phi);
        const double v2 = speed + h / 2 * a1, a2 = -std::sin(phi + h / 2 * v1);
        const double v3 = speed + h / 2 * a2, a3 = -std::sin(phi + h / 2 * v2);
        const double v4 = speed + h * a3, a4 = -std::sin(phi + h * v3);
        phi += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return {std::sin(phi), -std::cos(phi), speed * std::cos(phi), speed * std::sin(phi)};
}

// 25/12 z = 4 z_-1 - 3 z_-2 + 4/3 z_-3 - 1/4 z_-4 + h z'. By simple iteration from the cubic through the last four;
// nothing if that does not converge. `last`: the latest first.
std::optional<PendulumState> step(const Pendulum& pendulum, const std::array<PendulumState, 4>& last, double h) {
    PendulumState past{}, z{};
    for (std::size_t k = 0; k < z.size(); ++k) {
        past[k] = 12.0 / 25 * (4 * last[0][k] - 3 * last[1][k] + 4.0 / 3 * last[2][k] - last[3][k] / 4);
        z[k] = 4 * last[0][k] - 6 * last[1][k] + 4 * last[2][k] - last[3][k];
    }
    for (int iteration = 0; iteration < 300; ++iteration) {
        const auto slope = pendulum.field(z);
        double change = 0;
        for (std::size_t k = 0; k < z.size(); ++k) {
            const double next = past[k] + 12.0 / 25 * h * slope[k];
            change += std::abs(next - z[k]) / (1 + std::abs(next));  // not a number if one of them is not
            z[k] = next;
        }
        if (!(change < 1e6)) {
            return std::nullopt;
        }
        if (change < 1e-14) {
            pendulum.project(z);
            return z;
        }
    }
    return std::nullopt;
}

// All nodes of a run of this many steps, or as far as it gets.
std::vector<PendulumState> nodes(const Pendulum& pendulum, double h, int steps) {
    std::array<PendulumState, 4> last;
    std::vector<PendulumState> all;
    for (int n = 0; n < 4; ++n) {
        all.push_back(exact(n * h));
        last[static_cast<std::size_t>(3 - n)] = all.back();
    }
    for (int n = 4; n <= steps; ++n) {
        const auto next = step(pendulum, last, h);
        if (!next) {
            break;
        }
        std::rotate(last.rbegin(), last.rbegin() + 1, last.rend());
        last[0] = *next;
        all.push_back(*next);
    }
    return all;
}

}  // namespace

Computed bdf_pendulum(const ComputationArguments& arguments) {
    const Pendulum pendulum(arguments.text("form"));
    const int parts = arguments.integer("parts");
    const auto periods = arguments.numbers("periods");
    if (parts < 4 || periods.empty() ||
        !std::ranges::all_of(periods, [](double x) { return x >= 1 && x == std::floor(x) && x < 1e4; })) {
        throw InputError("'bdf-pendulum' needs at least 4 parts, and whole numbers of periods");
    }
    const auto run = nodes(pendulum, pendulum_period / parts, static_cast<int>(std::ranges::max(periods)) * parts);

    Computed result;
    plot::Series energy, height;
    for (std::size_t n = 0; n < run.size(); ++n) {
        energy.x.push_back(static_cast<double>(n) / parts);
        energy.y.push_back(energy_of(run[n]));
        height.y.push_back(run[n][1]);
    }
    height.x = energy.x;
    for (const double period : periods) {
        const auto end = static_cast<std::ptrdiff_t>(period) * parts;
        if (end < static_cast<std::ptrdiff_t>(run.size())) {
            result.numbers["energy"].push_back(energy.y[static_cast<std::size_t>(end)]);
            result.numbers["highest"].push_back(
                *std::max_element(height.y.begin() + end - parts + 1, height.y.begin() + end + 1));
        }
    }
    const auto [smallest, largest] = std::ranges::minmax(energy.y);
    result.numbers["smallest"] = {smallest};
    result.numbers["largest"] = {largest};
    result.numbers["lasts"] = {energy.x.back()};
    result.curves["energy"] = std::move(energy);
    result.curves["height"] = std::move(height);
    return result;
}

}  // namespace libration
