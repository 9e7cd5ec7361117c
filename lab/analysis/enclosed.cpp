// Areas and volumes from their outlines.
#include "transport.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace libration {

namespace {

// Central differences of order 8: f' = sum c_j (f_+j - f_-j), per step.
constexpr std::array difference_weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

using SpaceVector = std::array<double, 3>;

template <class At>
SpaceVector central_difference(At at) {
    SpaceVector sum{};
    for (std::size_t j = 0; j < difference_weights.size(); ++j) {
        const auto& ahead = at(static_cast<std::ptrdiff_t>(j) + 1).q;
        const auto& behind = at(-static_cast<std::ptrdiff_t>(j) - 1).q;
        for (std::size_t i = 0; i < 3; ++i) {
            sum[i] += difference_weights[j] * (ahead[i] - behind[i]);
        }
    }
    return sum;
}

double triple_product(std::span<const double> x, const SpaceVector& a, const SpaceVector& b) {
    return x[0] * (a[1] * b[2] - a[2] * b[1]) + x[1] * (a[2] * b[0] - a[0] * b[2]) + x[2] * (a[0] * b[1] - a[1] * b[0]);
}

// Fejer's first rule: weight of angle number j of n for the integral of f(theta) sin(theta).
double fejer_weight(std::size_t j, std::size_t n) {
    const double theta = (static_cast<double>(j) + 0.5) * std::numbers::pi / static_cast<double>(n);
    double sum = 1;
    for (std::size_t k = 1; 2 * k <= n; ++k) {
        const auto m = static_cast<double>(k);
        sum -= 2 * std::cos(2 * m * theta) / (4 * m * m - 1);
    }
    return 2 * sum / static_cast<double>(n);
}

}  // namespace

double enclosed_area(std::span<const PhasePoint> outline, Planes planes, std::vector<double>* by_plane) {
    const std::size_t n = outline.size();
    const bool in_q = planes == Planes::q_alone;
    const auto first = [&](std::size_t i, std::size_t k) { return outline[i].q[k]; };
    const auto second = [&](std::size_t i, std::size_t k) { return in_q ? outline[i].q[k + 1] : outline[i].p[k]; };
    double sum = 0;
    for (std::size_t k = 0; k < (in_q ? 1 : outline[0].q.size()); ++k) {
        double area = 0;
        // Products of differences from one point: far from the origin nothing cancels.
        const double x0 = first(0, k), y0 = second(0, k);
        for (std::size_t i = 0; i < n; ++i) {
            double dx = 0, dy = 0;
            for (std::size_t j = 0; j < difference_weights.size(); ++j) {
                const std::size_t ahead = (i + j + 1) % n, behind = (i + n - j - 1) % n;
                dx += difference_weights[j] * (first(ahead, k) - first(behind, k));
                dy += difference_weights[j] * (second(ahead, k) - second(behind, k));
            }
            area += ((first(i, k) - x0) * dy - (second(i, k) - y0) * dx) / 2;
        }
        if (by_plane != nullptr) {
            by_plane->push_back(area);
        }
        sum += area;
    }
    return sum;
}

const PhasePoint& SphereGrid::at(std::ptrdiff_t row, std::ptrdiff_t column) const {
    const auto m = static_cast<std::ptrdiff_t>(rows);
    if (row < 0 || row >= m) {
        row = row < 0 ? -1 - row : 2 * m - 1 - row;
        column += m;
    }
    column = (column % (2 * m) + 2 * m) % (2 * m);
    return points[static_cast<std::size_t>(row * 2 * m + column)];
}

SphereGrid sphere(std::span<const double> centre, double radius, std::size_t rows) {
    SphereGrid grid{rows, {}};
    const double angle = std::numbers::pi / static_cast<double>(rows);
    for (std::size_t j = 0; j < rows; ++j) {
        const double theta = (static_cast<double>(j) + 0.5) * angle;
        for (std::size_t k = 0; k < 2 * rows; ++k) {
            const double phi = static_cast<double>(k) * angle;
            grid.points.push_back(
                {{centre[0] + radius * std::sin(theta) * std::cos(phi),
                  centre[1] + radius * std::sin(theta) * std::sin(phi), centre[2] + radius * std::cos(theta)},
                 {0, 0, 0}});
        }
    }
    return grid;
}

double enclosed_volume(const SphereGrid& grid) {
    const auto m = static_cast<std::ptrdiff_t>(grid.rows);
    const double angle = std::numbers::pi / static_cast<double>(grid.rows);
    const auto& origin = grid.points[0].q;
    double volume = 0;
    for (std::ptrdiff_t j = 0; j < m; ++j) {
        double row = 0;
        for (std::ptrdiff_t k = 0; k < 2 * m; ++k) {
            const auto along =
                central_difference([&](std::ptrdiff_t s) -> const PhasePoint& { return grid.at(j + s, k); });
            const auto around =
                central_difference([&](std::ptrdiff_t s) -> const PhasePoint& { return grid.at(j, k + s); });
            auto x = grid.at(j, k).q;
            for (std::size_t i = 0; i < 3; ++i) {
                x[i] -= origin[i];
            }
            row += triple_product(x, along, around);
        }
        // Both differences are per angle; one of these and that of the sum over the row cancel.
        const double theta = (static_cast<double>(j) + 0.5) * angle;
        volume += row / angle * fejer_weight(static_cast<std::size_t>(j), grid.rows) / std::sin(theta) / 3;
    }
    return volume;
}

}  // namespace libration
