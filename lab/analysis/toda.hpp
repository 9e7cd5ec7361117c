// The periodic Toda lattice, H = sum p_k^2/2 + exp(q_k - q_k+1) with q_d+1 = q_1: its invariants are the eigenvalues of
// a symmetric matrix, the Lax matrix, with -p_k/2 on the diagonal and exp((q_k - q_k+1)/2)/2 beside it, cyclically.
// [HLW03 Example 5.4]
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <span>
#include <vector>

namespace libration {

// In ascending order; `matrix` is symmetric, n x n in rows. By the rotations of Jacobi.
std::vector<double> symmetric_eigenvalues(std::vector<double> matrix, std::size_t n);

// In rows; d >= 2 particles. For two particles both bonds add up in one entry.
std::vector<double> lax_matrix(std::span<const double> q, std::span<const double> p);

struct TodaEigenvalues {
    std::vector<double> initial;              // ascending
    std::vector<std::vector<double>> values;  // [row][k], ascending; not numbers where the state exploded
    double deviation = 0;                     // the largest |value - initial|; infinite where a state exploded
};
// `coordinates`: the numbers of those of the particles, in the order of the ring.
TodaEigenvalues toda_eigenvalues(const Trajectory& trajectory, std::span<const std::size_t> coordinates);

}  // namespace libration
