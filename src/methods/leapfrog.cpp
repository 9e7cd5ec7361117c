// Leapfrog: the staggered, most economical form of Störmer-Verlet, one addition less per step.
#include "list.hpp"

#include "staggered_stepper.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

const MethodRecord leapfrog_record{
    .name = "leapfrog",
    .summary = "Staggered leapfrog: Störmer-Verlet in its most economical form; momenta available one step late.",
    .reference = "HairerLubichWanner2003",
    .needs = {.separable = true, .unconstrained = true},
    .lag = 1,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .factories = factories_of<StaggeredStepper>(),
};

}  // namespace libration
