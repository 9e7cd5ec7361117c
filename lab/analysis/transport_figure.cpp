// Outlines as regions; surfaces by painting the far patches first.
#include "transport_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {

plot::Series filled(std::span<const PhasePoint> outline, const OutlinePlane& plane, const std::string& name,
                    const std::string& colour) {
    plot::Series series{.name = name, .style = plot::Style::region, .colour = colour};
    const std::size_t k = plane.coordinate;
    const std::size_t every = outline.size() / 400 + 1;  // more points than these no screen shows
    for (std::size_t i = 0; i < outline.size(); i += every) {
        series.x.push_back(outline[i].q[k]);
        series.y.push_back(plane.planes == Planes::q_alone ? outline[i].q[k + 1] : outline[i].p[k]);
    }
    return series;
}

std::array<double, 3> View::place(std::span<const double> x) const {
    const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
    const double along = x[0] * std::cos(a) + x[1] * std::sin(a);
    return {x[1] * std::cos(a) - x[0] * std::sin(a), x[2] * std::cos(e) - along * std::sin(e),
            along * std::cos(e) + x[2] * std::sin(e)};
}

namespace {

using PictureVector = std::array<double, 3>;  // in the picture: across, up, towards the eye

PictureVector vector_difference(const PictureVector& a, const PictureVector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

struct Patch {
    std::vector<PictureVector> corners;
    double depth = 0, light = 0;
};

// Light falls on the outside from the upper left, in front; the inside is dark.
Patch patch_of(std::vector<PictureVector> corners) {
    Patch patch{std::move(corners)};
    const auto& c = patch.corners;
    for (const auto& corner : c) {
        patch.depth += corner[2] / static_cast<double>(c.size());
    }
    const auto a = vector_difference(c[2], c[0]), b = vector_difference(c.back(), c[1]);
    const PictureVector normal{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    const PictureVector lamp{-0.4, 0.6, 0.69};
    if (length > 0) {
        patch.light = (normal[0] * lamp[0] + normal[1] * lamp[1] + normal[2] * lamp[2]) / length;
    }
    return patch;
}

std::string shade(double light) {
    const double part = 0.45 + 0.55 * std::max(0.0, light);
    const auto level = [&](double full) { return static_cast<int>(std::lround(full * part)); };
    return fmt::format("#{:02x}{:02x}{:02x}", level(205), level(225), level(250));
}

}  // namespace

std::vector<plot::Series> shaded(const SphereGrid& grid, const View& view) {
    const auto rows = static_cast<std::ptrdiff_t>(grid.rows);
    const auto corner = [&](std::ptrdiff_t j, std::ptrdiff_t k) { return view.place(grid.at(j, k).q); };
    // The poles themselves are not in the grid: the mean of the row about them.
    const auto mean_of_row = [&](std::ptrdiff_t j) {
        PictureVector mean{};
        for (std::ptrdiff_t k = 0; k < 2 * rows; ++k) {
            for (std::size_t i = 0; i < 3; ++i) {
                mean[i] += corner(j, k)[i] / static_cast<double>(2 * rows);
            }
        }
        return mean;
    };
    const auto top = mean_of_row(0), bottom = mean_of_row(rows - 1);
    std::vector<Patch> patches;
    for (std::ptrdiff_t k = 0; k < 2 * rows; ++k) {
        for (std::ptrdiff_t j = 0; j + 1 < rows; ++j) {
            patches.push_back(patch_of({corner(j, k), corner(j + 1, k), corner(j + 1, k + 1), corner(j, k + 1)}));
        }
        patches.push_back(patch_of({top, corner(0, k), corner(0, k + 1)}));
        patches.push_back(patch_of({corner(rows - 1, k), bottom, corner(rows - 1, k + 1)}));
    }
    std::ranges::stable_sort(patches, {}, &Patch::depth);
    std::vector<plot::Series> series;
    for (const auto& patch : patches) {
        auto& one = series.emplace_back(
            plot::Series{.style = plot::Style::region, .colour = shade(patch.light), .solid = true});
        for (const auto& point : patch.corners) {
            one.x.push_back(point[0]);
            one.y.push_back(point[1]);
        }
    }
    return series;
}

plot::Figure view_figure(const std::string& title, const View& view) {
    return {
        .title = title,
        .x = {.label = fmt::format("across, seen from azimuth {}, elevation {} degrees", view.azimuth, view.elevation)},
        .y = {.label = "up"},
        .equal = true,
        .width = 560,
        .height = 560};
}

}  // namespace libration
