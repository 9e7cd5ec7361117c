// Which matrix Newton's method uses for the stages of a SPARK method: sparse where the mass is constant and diagonal,
// unless a dense one is as fast; dense for other small systems.
#pragma once

#include "spark_blocks.hpp"
#include "spark_newton.hpp"

#include <memory>

namespace libration {

// Beyond this many unknowns a dense factorisation is the wrong tool; up to so many it is the right one.
inline constexpr std::size_t most_spark_unknowns = 1000, few_spark_unknowns = 64;

inline bool has_dense_spark_matrix(const SystemProperties& properties, std::size_t unknowns) {
    return properties.dense_derivatives && unknowns <= most_spark_unknowns;
}
inline bool has_spark_matrix(const SystemProperties& properties, std::size_t unknowns) {
    return properties.couplings || has_dense_spark_matrix(properties, unknowns);
}

// Where there is one.
template <class S>
std::unique_ptr<SparkMatrix<S>> make_spark_matrix(System<S>& system, const SparkLayout& layout) {
    const std::size_t unknowns = layout.unknowns();
    const bool may_be_dense = has_dense_spark_matrix(system.properties(), unknowns);
    if (system.properties().couplings && !(may_be_dense && unknowns <= few_spark_unknowns)) {
        auto blocks = std::make_unique<SparkBlocks<S>>(system, layout);
        const double dense_work = static_cast<double>(unknowns * unknowns) * static_cast<double>(unknowns) / 3;
        if (!may_be_dense || blocks->blocks().work() < dense_work) {
            return blocks;
        }
    }
    return std::make_unique<SparkNewton<S>>(system, layout);
}

}  // namespace libration
