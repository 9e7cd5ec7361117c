// sum_l gamma_2l h^2l A_l+1[y] + U(y) from positions h apart.
#pragma once

#include <libration/kit/system.hpp>

#include <vector>

namespace libration {

// weights[m][w + j]: of y_j, j = -w ... w, in h^m y^(m)(0), m = 0 ... highest; exact for polynomials of degree 2 w.
std::vector<std::vector<double>> centred_differences(int w, int highest);

class EnergyFunctional {
  public:
    // With gamma[l] = gamma_2l.
    EnergyFunctional(System<double>& system, std::vector<double> gamma, double h);
    // Positions that are needed on both sides.
    [[nodiscard]] std::size_t reach() const { return reach_; }
    // At positions[row]; reach() <= row < size - reach(). The sums with gamma.size() - more, ..., gamma.size()
    // coefficients: one value each.
    std::vector<double> values(const std::vector<std::vector<double>>& positions, std::size_t row, std::size_t more);

  private:
    System<double>* system_;
    std::vector<double> gamma_;
    double h_;
    std::size_t reach_;
    std::vector<std::vector<double>> weights_, derivative_, momentum_;
    std::vector<double> zero_;
};

}  // namespace libration
