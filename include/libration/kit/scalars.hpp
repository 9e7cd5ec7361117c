// The list of scalars that systems and methods are compiled for, once each.
#pragma once

#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/kit/quad.hpp>
#include <libration/kit/traced.hpp>

// LIBRATION_FOR_SCALARS(action) writes action(S) for every scalar S; LIBRATION_SCALARS(item) writes item(S), item(S),
// ... LIBRATION_FOR_SINGLE_SCALARS omits those that stand for many trajectories at once: they cannot choose a pivot.
//
// There are two groups. Runs and tangent maps use the fast ones, whose code is optimized as far as it goes; the exact
// ones serve references and the recording of steps, where time goes into operations that are calls, and optimization
// would only make the build longer. Sources in folders named `scalars` are compiled once for each group:
// LIBRATION_EXACT_SCALARS is 0 or 1 there, and LIBRATION_INSTANTIATE_SCALARS writes the scalars of that group (all,
// where it is not defined).
#define LIBRATION_FOR_FAST_SINGLE_SCALARS(action) action(double) action(Dual<double>)
#define LIBRATION_FOR_FAST_SCALARS(action) LIBRATION_FOR_FAST_SINGLE_SCALARS(action) action(Pack)
#ifdef LIBRATION_HAS_QUAD
#define LIBRATION_FOR_EXACT_SINGLE_SCALARS(action) action(Quad) action(Dual<Quad>)
#define LIBRATION_SCALARS(item) item(double), item(Quad), item(Dual<double>), item(Dual<Quad>), item(Pack), item(Traced)
#else
#define LIBRATION_FOR_EXACT_SINGLE_SCALARS(action)
#define LIBRATION_SCALARS(item) item(double), item(Dual<double>), item(Pack), item(Traced)
#endif
#define LIBRATION_FOR_EXACT_SCALARS(action) LIBRATION_FOR_EXACT_SINGLE_SCALARS(action) action(Traced)

#define LIBRATION_FOR_SCALARS(action) LIBRATION_FOR_FAST_SCALARS(action) LIBRATION_FOR_EXACT_SCALARS(action)
#define LIBRATION_FOR_SINGLE_SCALARS(action) \
    LIBRATION_FOR_FAST_SINGLE_SCALARS(action) LIBRATION_FOR_EXACT_SINGLE_SCALARS(action)

#ifndef LIBRATION_EXACT_SCALARS
#define LIBRATION_INSTANTIATE_SCALARS LIBRATION_FOR_SCALARS
#define LIBRATION_INSTANTIATE_SINGLE_SCALARS LIBRATION_FOR_SINGLE_SCALARS
#elif LIBRATION_EXACT_SCALARS
#define LIBRATION_INSTANTIATE_SCALARS LIBRATION_FOR_EXACT_SCALARS
#define LIBRATION_INSTANTIATE_SINGLE_SCALARS LIBRATION_FOR_EXACT_SINGLE_SCALARS
#else
#define LIBRATION_INSTANTIATE_SCALARS LIBRATION_FOR_FAST_SCALARS
#define LIBRATION_INSTANTIATE_SINGLE_SCALARS LIBRATION_FOR_FAST_SINGLE_SCALARS
#endif
