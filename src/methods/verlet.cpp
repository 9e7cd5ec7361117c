// Stormer-Verlet in one-step form: RATTLE without constraints is this method to the last bit.
#include "list.hpp"

#include <libration/methods/rattle_map.hpp>

namespace libration {

const MethodRecord verlet_record{
    .name = "verlet",
    .summary = "Stormer-Verlet, kick-drift-kick: the standard for systems without constraints.",
    .reference = "HairerLubichWanner2003",
    .needs = {.separable = true, .unconstrained = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .maps = maps_of<RattleMap>(),
};

}  // namespace libration
