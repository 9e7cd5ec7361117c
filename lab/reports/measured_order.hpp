// The order that a method shows on a small nonlinear problem, in wide precision.
#pragma once

#include "coefficients/tableau.hpp"

#include <optional>
#include <span>

namespace libration {

// A term of z' = sum of forces(t, y, z), and the coefficients that it is integrated with.
struct TreatedForce {
    const Tableau* tableau;
    Wide (*value)(Wide t, Wide y, Wide z);
};

struct OscillatorOrder {
    double order;
    bool settled;  // two neighbouring pairs of steps agree to 0.25; orders above 20 reach round-off before they do
};

// The order at which errors at t = 4 fall for y' = z (integrated by `position`), z' = forces, y(0) = 1, z(0) = 0. The
// forces are such that y = cos t, z = -sin t. All tableaux have the same c and b. Nothing if there are no two errors
// above round-off.
std::optional<OscillatorOrder> measured_order(const Tableau& position, std::span<const TreatedForce> forces);

// The oscillator z' = -y (y^2 + z^2), which is nonlinear but has an entire solution: with a singularity near the real
// axis, as that of the pendulum, high orders would show at steps only where the error is below round-off. The second
// tableau is for the force.
std::optional<OscillatorOrder> measured_order(const Tableau& position, const Tableau& momentum);

}  // namespace libration
