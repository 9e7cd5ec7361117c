// The list of scalars that systems and methods are compiled for, once each.
#pragma once

#include <libration/expression/traced.hpp>
#include <libration/scalar/dual.hpp>
#include <libration/scalar/pack.hpp>
#include <libration/scalar/quad.hpp>

// LIBRATION_FOR_SCALARS(action) writes action(S) for every scalar S; LIBRATION_SCALARS(item) writes item(S), item(S), ...
// LIBRATION_FOR_SINGLE_SCALARS leaves out those that stand for many trajectories at once: they cannot choose a pivot.
#ifdef LIBRATION_HAS_QUAD
#define LIBRATION_FOR_SINGLE_SCALARS(action) action(double) action(Quad) action(Dual<double>) action(Dual<Quad>)
#define LIBRATION_FOR_SCALARS(action) \
    action(double) action(Quad) action(Dual<double>) action(Dual<Quad>) action(Pack) action(Traced)
#define LIBRATION_SCALARS(item) item(double), item(Quad), item(Dual<double>), item(Dual<Quad>), item(Pack), item(Traced)
#else
#define LIBRATION_FOR_SINGLE_SCALARS(action) action(double) action(Dual<double>)
#define LIBRATION_FOR_SCALARS(action) action(double) action(Dual<double>) action(Pack) action(Traced)
#define LIBRATION_SCALARS(item) item(double), item(Dual<double>), item(Pack), item(Traced)
#endif
