// The tangents that points of a run add to a backward run, at one state after another.
#pragma once

#include "carried.hpp"
#include "end_tangent.hpp"
#include "readings.hpp"

namespace libration {

class PointTangents {
  public:
    // `dual`: of the extended model.
    PointTangents(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                  const ExtendedModel& extended, System<Dual<double>>& dual);

    // A state of the model, with the rest of its rounding, which also becomes the values of `to`; tangents stay.
    void take(double t, std::span<const double> q, std::span<const double> p, Carried& to);
    // One of the extended model.
    void take(const Node<Dual<double>>& node);
    // The tangents of a point at the state that was taken. Each row has a lane; without rows, the first lane has the
    // weighted sum of all readings.
    void set(const ReadPoint& point, std::span<const std::size_t> rows, std::span<const std::size_t> lanes,
             Carried& to);

    // What was taken.
    [[nodiscard]] Node<double> node() const { return {t_, q_, low_, p_}; }
    [[nodiscard]] System<double>& system() { return *system_; }

  private:
    std::size_t dimension_, owners_;
    std::unique_ptr<System<double>> system_;  // of the extended model
    Manifold<double> manifold_;
    PointGradient gradient_;
    EndTangent end_tangent_;
    double t_ = 0;
    std::vector<double> q_, p_, low_;
};

}  // namespace libration
