// How much of G^T G goes to M.
#include <libration/system/mass_factor.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

int mass_balance(const Model& augmented_model) {
    const auto M = initial_mass_matrix(augmented_model);
    const std::size_t n = augmented_model.dimension, d = n - added_coordinates(augmented_model);
    double mass = 0, square = 0;
    for (std::size_t i = 0; i < d; ++i) {
        double sum = 0;
        for (std::size_t k = d; k < n; ++k) {
            sum += M[k * n + i] * M[k * n + i];
        }
        mass = std::max(mass, std::abs(M[i * n + i]));
        square = std::max(square, sum);
    }
    const double ratio = mass / square;
    return std::isfinite(ratio) && ratio > 0 ? std::ilogb(ratio) : 0;
}

}  // namespace libration
