// Where the entries of each column of G stand.
#include <libration/manifold/transposed_product.hpp>

namespace libration {

TransposedProduct::TransposedProduct(const SparsePattern& pattern, std::size_t dimension)
    : start_(dimension + 1, 0), touches_(pattern.entries()) {
    for (const auto column : pattern.column) {
        ++start_[column + 1];
    }
    for (std::size_t j = 0; j < dimension; ++j) {
        start_[j + 1] += start_[j];
    }
    auto next = start_;
    for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            touches_[next[pattern.column[e]]++] = {static_cast<std::uint32_t>(e), i};
        }
    }
}

}  // namespace libration
