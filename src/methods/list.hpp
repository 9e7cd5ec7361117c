// The list of methods: one line each, the one place where a new method is named.
#pragma once

#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

// clang-format off
#define LIBRATION_METHODS(method) \
    method(symplectic_euler) \
    method(symplectic_euler_adjoint) \
    method(verlet) \
    method(verlet_b) \
    method(leapfrog) \
    method(runge2) \
    method(volume) \
    method(midpoint) \
    method(shake) \
    method(rattle) \
    method(constrain) \
    method(respa) \
    method(midpoint_verlet) \
    method(compose) \
    method(lobatto) \
    method(spark) \
    method(dirac_gauss) \
    method(gauss) \
    method(radau) \
    method(projected_gauss) \
    method(projected_radau) \
    method(lobatto_a) \
    method(lobatto_b) \
    method(lobatto_c) \
    method(lobatto_cstar) \
    method(lobatto_d) \
    method(multistep) \
    method(bdf)
// clang-format on

namespace libration {

#define LIBRATION_DECLARE(method) extern const MethodRecord method##_record;
LIBRATION_METHODS(LIBRATION_DECLARE)
#undef LIBRATION_DECLARE

}  // namespace libration
