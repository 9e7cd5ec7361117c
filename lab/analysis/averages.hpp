// Time averages of a run, and the virial theorem: for a motion that stays bounded, twice the kinetic energy and the
// virial q^T (U_q + G^T lambda) have the same average, since their difference is the derivative of q^T p. [HLW03
// Example 5.8]
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <span>
#include <vector>

namespace libration {

// By the trapezoidal rule over t, divided by the time. [HLW03 (5.11)]
double time_average(std::span<const double> t, std::span<const double> values);
// The same from the start up to each time but the first.
std::vector<double> running_average(std::span<const double> t, std::span<const double> values);

struct VirialAverages {
    double twice_kinetic = 0;  // average of 2 T = p^T M^-1 p
    double virial = 0;         // average of q^T U_q, with reactions q^T G^T lambda where there are constraints
    double ends = 0;           // (q^T p at the end - at the start)/time: what the gap is along a solution
    double temperature = 0;    // twice_kinetic for each degree of freedom, in the model's unit of energy
    [[nodiscard]] double gap() const { return twice_kinetic - virial; }

    std::vector<double> t, twice_kinetic_along, virial_along;  // the values that were averaged
};

// Of the rows from `first` to before `last`. InputError for a model of which H is not 1/2 p^T M^-1 p + U(q), or with
// other forces.
VirialAverages virial_averages(const Trajectory& trajectory, std::size_t first, std::size_t last);

}  // namespace libration
