// Solving r(multipliers) = 0 for a position map that the method supplies.
//
// The method gives the residual of its own map and an approximate inverse of the derivative, a factored operator.
// Coupled stages stack their multipliers and residuals; the solver sees one vector.
#pragma once

#include "linked_rows.hpp"
#include <libration/kit/iterate.hpp>
#include <libration/kit/reduce.hpp>
#include <libration/kit/system.hpp>

#include <limits>

namespace libration {

// floor_i = eps * (rounding_i + sum_j |G_ij| size_j): the round-off of constraint i, where rounding_i is the size of
// the numbers in its evaluation and size_j that of the numbers that were added to coordinate j; what coordinates hold
// already counts only by the last digit of their low parts. Round-off means at most four floors.
template <class S>
void constraint_floors(const SparsePattern& pattern, std::span<const LinkedRows> links, std::span<const S> G,
                       std::span<const S> sizes, std::span<const S> rounding, std::span<S> floors) {
    tuned<S>([&]() LIBRATION_TUNED {
        const S eps = from_real<S>(epsilon<S>());
        sparse_detail::for_rows(
            pattern, links, [&](std::size_t i, std::size_t first, auto length, auto run, auto column) LIBRATION_TUNED {
                std::array<S, run> sums;
                sums.fill(lit<S>(0));
                for (std::size_t e = first; e < first + length; e += run) {
                    for (std::size_t c = 0; c < run; ++c) {
                        sums[c] = mad(magnitude(G[e + c]), sizes[column(e - first) + c], sums[c]);
                    }
                }
                floors[i] = eps * (magnitude(rounding[i]) + sparse_detail::total(sums));
            });
    });
}

template <class S>
void constraint_floors(const SparsePattern& pattern, std::span<const S> G, std::span<const S> sizes,
                       std::span<const S> rounding, std::span<S> floors) {
    constraint_floors<S>(pattern, std::span<const LinkedRows>{}, G, sizes, rounding, floors);
}

// What counts as added to a coordinate at least: an eighth of what is added to the one that moves most; of a dual
// number value and tangents apart. Every correction of the multipliers moves all coordinates that constraints connect,
// also one that rests where it is zero, and leaves there a share of the others' rounding. Callers of constraint_floors
// raise their sizes to this.
template <class S>
S least_size(std::span<const S> sizes) {
    S largest = lit<S>(0);
    if constexpr (std::is_same_v<S, double>) {
        tuned<S>([&]() LIBRATION_TUNED {
            largest = largest_of<S>(sizes.size(), [&](std::size_t j) LIBRATION_TUNED { return magnitude(sizes[j]); });
        });
    } else if constexpr (std::is_same_v<Real<S>, S>) {
        tuned<S>([&]() LIBRATION_TUNED {
            largest = largest_of<S>(sizes.size(), [&](std::size_t j) LIBRATION_TUNED { return magnitude(sizes[j]); });
        });
    } else {
        for (const auto& size : sizes) {
            largest = larger_parts(largest, magnitude(size));
        }
    }
    return lit<S>(1, 8) * largest;
}

// The least that can be meant by that, also where a mechanism rests and no force acts: corrections by the rounding of
// g, which is eps times the size of the mechanism. A step does not look for this size; 64 units, and the 64 floors
// within which iterations may stagnate, allow for some thousand (decision 16).
template <class S>
S least_correction() {
    return lit<S>(64) * from_real<S>(epsilon<S>());
}

// The largest residual in floors.
template <class S>
Real<S> largest_in_floors(std::span<const S> residual, std::span<const S> floor) {
    Real<S> worst = lit<Real<S>>(0);
    tuned<S>([&]() LIBRATION_TUNED {
        if constexpr (std::is_same_v<S, double>) {
            // As floors() does it, without a branch: the least number keeps 0/0 at 0 and is lost in any other floor.
            constexpr double least = std::numeric_limits<double>::denorm_min();
            worst = largest_of<S>(residual.size(), [&](std::size_t i) LIBRATION_TUNED {
                return magnitude(residual[i]) / (floor[i] + least);
            });
        } else {
            worst = largest_of<S>(residual.size(),
                                  [&](std::size_t i) LIBRATION_TUNED { return floors(residual[i], floor[i]); });
        }
    });
    return worst;
}

}  // namespace libration
