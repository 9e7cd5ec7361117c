// The list of methods: one line each, the one place where a new method is named.
#pragma once

#include <libration/methods/method.hpp>

#define LIBRATION_METHODS(method)                                                                                 \
    method(verlet) method(leapfrog) method(shake) method(rattle) method(compose) method(midpoint) method(lobatto) \
        method(gauss) method(radau) method(projected_gauss) method(projected_radau) method(dirac_gauss)           \
            method(lobatto_a) method(lobatto_b) method(lobatto_c) method(lobatto_cstar) method(lobatto_d)

namespace libration {

#define LIBRATION_DECLARE(method) extern const MethodRecord method##_record;
LIBRATION_METHODS(LIBRATION_DECLARE)
#undef LIBRATION_DECLARE

}  // namespace libration
