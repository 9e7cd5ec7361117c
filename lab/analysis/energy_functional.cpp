// Centred differences of any order, and the quadratic forms A_l of derivatives.
#include "analysis/energy_functional.hpp"

#include "coefficients/wide.hpp"

namespace libration {

// The coefficients of the Lagrange polynomials l_j of the points -w ... w: l_j^(m)(0) = m! times that of x^m.
std::vector<std::vector<double>> centred_differences(int w, int highest) {
    const auto points = static_cast<std::size_t>(2 * w + 1);
    std::vector<std::vector<double>> weights(static_cast<std::size_t>(highest) + 1, std::vector<double>(points));
    for (int j = -w; j <= w; ++j) {
        std::vector<Wide> polynomial{1};
        for (int i = -w; i <= w; ++i) {
            if (i == j) {
                continue;
            }
            polynomial.push_back(0);
            for (std::size_t k = polynomial.size(); k-- > 0;) {
                const Wide lower = k > 0 ? polynomial[k - 1] : Wide(0);
                polynomial[k] = (lower - static_cast<Wide>(i) * polynomial[k]) / static_cast<Wide>(j - i);
            }
        }
        Wide factorial = 1;
        for (std::size_t m = 0; m < weights.size(); ++m) {
            factorial *= m > 0 ? static_cast<Wide>(m) : Wide(1);
            weights[m][static_cast<std::size_t>(j + w)] = static_cast<double>(factorial * polynomial[m]);
        }
    }
    return weights;
}

// A_l has 2 l derivatives in each product. Differences of w points on each side leave O(h^2w) in all that is summed:
// two orders and more below what the last term leaves.
EnergyFunctional::EnergyFunctional(System<double>& system, std::vector<double> gamma, double h)
    : system_(&system), gamma_(std::move(gamma)), h_(h), reach_(gamma_.size() + 3),
      weights_(centred_differences(static_cast<int>(reach_), 2 * static_cast<int>(gamma_.size()) - 1)),
      derivative_(weights_.size(), std::vector<double>(system.dimension())), momentum_(derivative_),
      zero_(system.dimension(), 0.0) {}

std::vector<double> EnergyFunctional::values(const std::vector<std::vector<double>>& positions, std::size_t row,
                                             std::size_t more) {
    const auto& here = positions[row];
    const std::size_t d = zero_.size();
    for (std::size_t m = 1; m < weights_.size(); ++m) {
        for (std::size_t k = 0; k < d; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < weights_[m].size(); ++j) {
                sum += weights_[m][j] * (positions[row + j - reach_][k] - here[k]);
            }
            derivative_[m][k] = sum;
        }
        system_->apply_mass(0, here, derivative_[m], momentum_[m]);
    }
    const auto product = [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (std::size_t k = 0; k < d; ++k) {
            sum += derivative_[i][k] * momentum_[j][k];
        }
        return sum;
    };
    std::vector<double> results;
    double sum = system_->energy(0, here, zero_);
    for (std::size_t l = 1; l <= gamma_.size(); ++l) {
        // A_l = y'^T M y^(2l-1) - y''^T M y^(2l-2) + ... +- 1/2 y^(l)^T M y^(l)
        double a = 0, sign = 1;
        for (std::size_t j = 1; j <= l; ++j, sign = -sign) {
            a += sign * (j < l ? 1 : 0.5) * product(j, 2 * l - j);
        }
        sum += gamma_[l - 1] == 0 ? 0 : gamma_[l - 1] * a / (h_ * h_);
        if (l + more >= gamma_.size()) {
            results.push_back(sum);
        }
    }
    return results;
}

}  // namespace libration
