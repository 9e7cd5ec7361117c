// RATTLE: positions and momenta on the manifold.
#include "list.hpp"

#include <libration/methods/rattle_map.hpp>

namespace libration {

#define LIBRATION_INSTANTIATE(scalar) template class RattleMap<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

const MethodRecord rattle_record{
    .name = "rattle",
    .summary = "RATTLE: positions and momenta on the manifold; symplectic, reversible, one force a step.",
    .reference = "Andersen1983",
    .needs = {.separable = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 2,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .maps = maps_of<RattleMap>(),
};

}  // namespace libration
