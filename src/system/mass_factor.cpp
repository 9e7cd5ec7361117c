// How much of G^T G goes to M.
#include "mass_factor.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

// 1/gamma_k is what constraint k sees of M^-1, G_k M^-1 G_k^T over the coordinates with mass: then masses and gamma
// share the work in G K^-1 G^T, whatever the units of the coordinates without mass. The diagonal of M is good enough.
std::vector<int> mass_balance(const Model& augmented_model) {
    const auto M = initial_mass_matrix(augmented_model);
    const std::size_t n = augmented_model.dimension, d = n - added_coordinates(augmented_model);
    double largest = 0;
    for (std::size_t i = 0; i < d; ++i) {
        largest = std::max(largest, M[i * n + i]);
    }
    std::vector<int> exponents;
    for (std::size_t k = d; k < n; ++k) {
        double mobility = 0, square = 0;
        for (std::size_t i = 0; i < d; ++i) {
            const double slope2 = M[k * n + i] * M[k * n + i];
            square += slope2;
            mobility += M[i * n + i] > 0 ? slope2 / M[i * n + i] : 0;
        }
        // A constraint among coordinates without mass has no such measure.
        const double gamma = mobility > 0 ? 1 / mobility : (largest > 0 ? largest : 1) / square;
        exponents.push_back(std::isfinite(gamma) && gamma > 0 ? std::ilogb(gamma) : 0);
    }
    return exponents;
}

}  // namespace libration
