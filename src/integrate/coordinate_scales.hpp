// By how much coordinates change where a mechanism moves noticeably: independent of units, and of where it is.
#pragma once

#include <libration/model/model.hpp>

#include <span>
#include <vector>

namespace libration {

// The largest range of a component of points and of centers of bodies; 0 of a single one.
double range_of_places(const Model& model, std::span<const double> q);
// The largest of these components.
double size_of_places(const Model& model, std::span<const double> q);

// One per coordinate: 1 for orientations; for points and centers of bodies their range, or their size where that is
// 0; for plain coordinates, which may be anything, the largest of them. At least 1e-3.
std::vector<double> coordinate_scales(const Model& model, std::span<const double> q);

}  // namespace libration
