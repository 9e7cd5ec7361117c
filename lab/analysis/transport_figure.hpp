// Pictures of sets that are carried.
#pragma once

#include "transport.hpp"
#include <libration/plot/figure.hpp>

#include <array>

namespace libration {

// The inside of an outline, in the plane (q_k, p_k), or of the first two coordinates.
struct OutlinePlane {
    Planes planes = Planes::q_and_p;
    std::size_t coordinate = 0;
};
plot::Series filled(std::span<const PhasePoint> outline, const OutlinePlane& plane, const std::string& name,
                    const std::string& colour);

// Where a picture of something in space is seen from, in degrees; what is near is drawn over what is far.
struct View {
    double azimuth = 35, elevation = 25;
    // Across, up and towards the eye.
    [[nodiscard]] std::array<double, 3> place(std::span<const double> x) const;
};

// The surface as shaded patches, the far ones first, with light from above. Grids of 12 to 20 rows are drawn best.
std::vector<plot::Series> shaded(const SphereGrid& grid, const View& view = {});

// A figure for them: equal units, and labels that say from where it is seen.
plot::Figure view_figure(const std::string& title, const View& view = {});

}  // namespace libration
