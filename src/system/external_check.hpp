// Whether the derivatives that functions bring are those of their values: a wrong gradient would be integrated in
// silence.
#pragma once

#include <libration/model/model.hpp>

#include <span>
#include <string>

namespace libration {

struct ExternalCheck {
    std::string fault;         // what is wrong, ready for a user; empty: nothing
    double largest_error = 0;  // relative to the largest derivative of the same function, or to its size over that of q
};

// Compares gradient, Jacobian and curvature with central differences at q. A component that differs by more than 1e-4
// of itself, beyond what differences can see there, is a fault. Values that are not finite are faults, too. `v`: a
// direction for the curvature. The model has external functions.
ExternalCheck check_external_derivatives(const Model& model, std::span<const double> q, std::span<const double> v);

}  // namespace libration
