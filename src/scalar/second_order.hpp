// Second derivatives: dual numbers of dual numbers, in one direction of the inner and `dual_width` of the outer ones.
// Not among the scalars of kit/scalars.hpp: only what the methods of methods/second_order.hpp need exists for them.
#pragma once

#include <libration/kit/dual.hpp>

namespace libration {

using SecondOrder = Dual<Dual<double>>;

// Bounds made of magnitudes have no negative part, in the inner tangents neither.
inline SecondOrder magnitude(const SecondOrder& a) {
    return dual_detail::by_parts(a, [](const Dual<double>& x) { return magnitude(x); });
}
inline SecondOrder larger_parts(const SecondOrder& a, const SecondOrder& b) {
    return dual_detail::by_parts(a, b, [](const Dual<double>& x, const Dual<double>& y) { return larger_parts(x, y); });
}

}  // namespace libration

// LIBRATION_INSTANTIATE_SECOND_ORDER(item) writes item(SecondOrder) in one of the two groups of kit/scalars.hpp.
#if defined(LIBRATION_EXACT_SCALARS) && !LIBRATION_EXACT_SCALARS
#define LIBRATION_INSTANTIATE_SECOND_ORDER(item)
#else
#define LIBRATION_INSTANTIATE_SECOND_ORDER(item) item(SecondOrder)
#endif
