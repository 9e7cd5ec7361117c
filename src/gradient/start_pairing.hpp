// What the tangent of a backward run says at the start: the derivative along each unknown.
#pragma once

#include "backward_run.hpp"
#include "start_check.hpp"

namespace libration {

// A tangent in coordinates of the model, their momenta, and momenta of parameters, whose own tangent is zero.
struct StartTangent {
    std::vector<double> q, p, pi;
};

// omega of the tangent and of each direction in which the start changes. Of many parameters all at once, at a cost that
// does not depend on their number, where masses are diagonal and the start is not projected; otherwise one system is
// made for each four unknowns. `sums` are then asked for. InputError if the start does not follow a parameter.
struct StateView {
    std::span<const double> q, p;
};
std::vector<double> paired_with_start(const TangentTask& task, const ExtendedModel& extended,
                                      std::span<const Unknown> unknowns, const StateView& begin, const StartTangent& w,
                                      const std::function<RowSums()>& sums);

// Of parameters alone, all at once.
std::vector<double> parameter_slopes(const TangentTask& task, const ExtendedModel& extended,
                                     std::span<const Unknown> parameters, const StartTangent& w, const RowSums& sums);

}  // namespace libration
