// Sets of initial values, carried by a method: what becomes of their areas and volumes.
//
// Only the outline of a set is carried, eight points at a time where the method runs in lanes. A symplectic method
// keeps the sum of the oriented areas of the projections on the planes (q_i, p_i), also on the manifold of constraints;
// a method that keeps volume, that of a ball. [Hairer, Lubich, Wanner 2003, sections 2.1 and 2.4]
//
// Areas are 1/2 of the integral of q dp - p dq along the outline, volumes 1/3 of that of x . (x_u x x_v) (divergence
// theorem): derivatives by central differences of order 8, integrals by rules of spectral order. Outlines are refined
// until the numbers stand.
#pragma once

#include "integrate/start.hpp"
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <functional>
#include <vector>

namespace libration {

using PhasePoint = StartState<double>;  // on the manifold

struct TransportOptions {
    double step = 0;
    std::vector<std::int64_t> steps;  // after how many steps the set is measured, increasing; 0 is the start
    double start_time = 0;
    std::size_t points = 64;         // of the outline, at first
    std::size_t most_points = 8192;  // refined so far, by doubling
    double tolerance = 1e-11;        // until no area or volume changes by more than this part of the first one
};

// [time][point]. InputError if the method cannot run the model, or a step fails.
std::vector<std::vector<PhasePoint>> carry_points(const Model& model, const Method& method,
                                                  std::span<const PhasePoint> points, const TransportOptions& options);

// The same, without checking the model, for the next points of the same set.
class PointCarrier {
  public:
    PointCarrier(const Model& model, const Method& method, const TransportOptions& options);
    std::vector<std::vector<PhasePoint>> carry(std::span<const PhasePoint> points);
    [[nodiscard]] const SystemProperties& properties() const { return single_->properties(); }

  private:
    Model model_;  // of redundant constraints, with some of the rows
    const Method* method_;
    const TransportOptions* options_;
    std::unique_ptr<System<double>> single_;
    std::unique_ptr<System<Pack>> lanes_;  // null: one after the other
};

// A closed curve without corners: a point for each number from 0 to 1, where it is where it began.
using ClosedCurve = std::function<PhasePoint(double)>;
// The ellipse (q_k + a cos, p_k + b sin) about a state, moved to the manifold where there are constraints. Of a field
// in two coordinates alone: in their plane.
struct Ellipse {
    PhasePoint centre;
    std::size_t coordinate = 0;
    double a = 0, b = 0;
};
ClosedCurve ellipse_curve(const Model& model, const Ellipse& ellipse, double t = 0);

struct AreaTransport {
    std::vector<double> t;                         // at the steps of the options
    std::vector<double> area;                      // sum of the oriented areas of all projections
    std::vector<double> error;                     // what the last refinement changed in it
    std::vector<std::vector<double>> by_plane;     // [time][coordinate]
    std::vector<std::vector<PhasePoint>> outline;  // [time][point]
    bool refined = true;                           // false: the tolerance was not reached
};
AreaTransport carry_area(const Model& model, const Method& method, const ClosedCurve& curve,
                         const TransportOptions& options);

// Of points at equal distances (of its number) on a closed curve: the sum over all planes, and each of them.
enum class Planes { q_and_p, q_alone };  // (q_i, p_i), or the one of the first two coordinates
double enclosed_area(std::span<const PhasePoint> outline, Planes planes = Planes::q_and_p,
                     std::vector<double>* by_plane = nullptr);

// A sphere in a grid of angles: row j at the angle (j + 1/2) pi/rows from the pole, 2 rows points on it.
struct SphereGrid {
    std::size_t rows = 0;
    std::vector<PhasePoint> points;  // row after row
    [[nodiscard]] std::size_t columns() const { return 2 * rows; }
    // Across the poles, too: row -1 is row 0 on the other side.
    [[nodiscard]] const PhasePoint& at(std::ptrdiff_t row, std::ptrdiff_t column) const;
};
SphereGrid sphere(std::span<const double> centre, double radius, std::size_t rows);
double enclosed_volume(const SphereGrid& grid);

struct VolumeTransport {
    std::vector<double> t, volume, error;  // as those of areas
    std::vector<SphereGrid> surface;       // one per time
    bool refined = true;
};
// A ball in a field in three coordinates alone. `points` and `most_points` count those of the surface.
VolumeTransport carry_ball(const Model& model, const Method& method, std::span<const double> centre, double radius,
                           const TransportOptions& options);

}  // namespace libration
