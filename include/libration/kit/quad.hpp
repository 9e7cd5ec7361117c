// Quadruple precision: 113 bits, for reference solutions and for seeing high orders. g++ only; clang builds omit
// it.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define LIBRATION_HAS_QUAD 1

#include <quadmath.h>

namespace [[gnu::visibility("default")]] libration {

__extension__ using Quad = __float128;

inline constexpr Quad quad_epsilon =
    static_cast<Quad>(1.0) / (static_cast<Quad>(1ULL << 56U) * static_cast<Quad>(1ULL << 56U));
static_assert(quad_epsilon < static_cast<Quad>(1e-33), "Quad must carry 113 bits");

}  // namespace libration
#endif
