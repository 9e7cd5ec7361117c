// The phase plane of a model with one degree of freedom: its vector field, and methods as maps of the plane.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>
#include <libration/plot/figure.hpp>

#include <memory>
#include <string>
#include <vector>

namespace libration {

struct PlanePoint {
    double q = 0, p = 0;  // of fields without a Hamiltonian, p is v
};

class PhasePlane {
  public:
    // InputError unless the model has one coordinate and no constraint.
    explicit PhasePlane(const std::string& model);

    [[nodiscard]] PlanePoint start() const { return start_; }
    // (q', p')
    PlanePoint field(PlanePoint at);
    // The start and what n steps make of it. InputError if a step fails.
    std::vector<PlanePoint> orbit(const std::string& method, double step, int n, PlanePoint from);
    // The flow itself, with an error below 1e-12 for moderate times: n points after the start.
    std::vector<PlanePoint> flow(double duration, int n, PlanePoint from);

  private:
    std::unique_ptr<System<double>> system_;
    PlanePoint start_;
};

plot::Series curve_of(const std::vector<PlanePoint>& points, plot::Style style = plot::Style::line);

}  // namespace libration
