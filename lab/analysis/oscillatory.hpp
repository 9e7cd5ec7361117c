// Oscillatory energies I_j = (p_j^2/m_j + m_j omega^2 q_j^2)/2 of stiff springs, and their sum I, which is kept for
// very long times although its parts are exchanged. [HLW03 Example 5.9]
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <span>

namespace libration {

struct OscillatoryEnergies {
    std::vector<std::vector<double>> parts;  // [coordinate][row]
    std::vector<double> total;               // [row]
    double lowest = 0, highest = 0;          // of the total
    std::vector<double> tenths;              // averages of the total over tenths of the run
};

// At least ten rows; InputError where the mass is not constant and diagonal.
OscillatoryEnergies oscillatory_energies(const Trajectory& trajectory, std::span<const std::size_t> coordinates,
                                         double omega);

// Means over tenths of the rows.
std::vector<double> tenth_means(std::span<const double> values);

}  // namespace libration
