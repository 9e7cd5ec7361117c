// Scales of coordinates by what they are.
#include "coordinate_scales.hpp"

#include "pose_bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace libration {

namespace {

// Calls place(axis, coordinate) for each component of a point and of the center of a body.
void for_places(const Model& model, const std::function<void(std::size_t, std::size_t)>& place) {
    for (const auto& group : model.points) {
        for (std::size_t k = 0; k < group.count * group.dimension; ++k) {
            place(k % group.dimension, group.first + k);
        }
    }
    for (const auto& body : model.bodies) {
        for (std::size_t k = first_coordinate(body); k < body.first; ++k) {
            place(k - *body.centre, k);
        }
    }
}

}  // namespace

double range_of_places(const Model& model, std::span<const double> q) {
    std::array<double, 3> lowest{}, highest{};
    std::array<bool, 3> seen{};
    for_places(model, [&](std::size_t axis, std::size_t k) {
        lowest.at(axis) = seen.at(axis) ? std::min(lowest.at(axis), q[k]) : q[k];
        highest.at(axis) = seen.at(axis) ? std::max(highest.at(axis), q[k]) : q[k];
        seen.at(axis) = true;
    });
    double range = 0;
    for (std::size_t axis = 0; axis < seen.size(); ++axis) {
        range = std::max(range, highest.at(axis) - lowest.at(axis));
    }
    return range;
}

double size_of_places(const Model& model, std::span<const double> q) {
    double size = 0;
    for_places(model, [&](std::size_t, std::size_t k) { size = std::max(size, std::abs(q[k])); });
    return size;
}

std::vector<double> coordinate_scales(const Model& model, std::span<const double> q) {
    constexpr double least = 1e-3;
    const double range = range_of_places(model, q);
    const double place = std::max(range > 0 ? range : size_of_places(model, q), least);
    double plain = least;
    for (std::size_t k = 0; k < model.plain_coordinates.size(); ++k) {
        plain = std::max(plain, std::abs(q[k]));
    }
    std::vector<double> scales(q.size(), 1.0);
    std::fill_n(scales.begin(), model.plain_coordinates.size(), plain);
    for_places(model, [&](std::size_t, std::size_t k) { scales[k] = place; });
    return scales;
}

}  // namespace libration
