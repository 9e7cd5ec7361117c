// SHAKE: the position constraint only; same positions as RATTLE, momenta by differences.
#include "list.hpp"

#include "staggered_stepper.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

const MethodRecord shake_record{
    .name = "shake",
    .summary = "SHAKE: positions satisfy the constraints; momenta from differences, one step late.",
    .reference = "RyckaertCiccottiBerendsen1977",
    .needs = {.separable = true, .constrained = true},
    .lag = 1,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 2,
                          .symmetric = true,
                          .symplectic = std::nullopt,
                          .is_explicit = true,
                          .hidden = {.exact = false, .order = 2}};
        },
    .factories = factories_of<StaggeredStepper>(),
};

}  // namespace libration
