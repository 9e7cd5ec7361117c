// The list of methods: one line each, the one place where a new method is named.
#pragma once

#include <libration/methods/method.hpp>

#define LIBRATION_METHODS(method)                                                                                  \
    method(symplectic_euler) method(symplectic_euler_adjoint) method(verlet) method(verlet_b) method(leapfrog)     \
        method(runge2) method(shake) method(rattle) method(constrain) method(volume) method(respa) method(compose) \
            method(lobatto) method(gauss) method(radau) method(projected_gauss) method(projected_radau)            \
                method(midpoint_verlet) method(bdf)

namespace libration {

#define LIBRATION_DECLARE(method) extern const MethodRecord method##_record;
LIBRATION_METHODS(LIBRATION_DECLARE)
#undef LIBRATION_DECLARE

}  // namespace libration
