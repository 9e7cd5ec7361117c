// Leapfrog: the staggered, most economical form of Stormer-Verlet, one addition less a step.
#include "list.hpp"

#include <libration/methods/staggered_stepper.hpp>

namespace libration {

namespace {

constexpr std::array<std::string_view, 1> examples{"leapfrog"};

}  // namespace

const MethodRecord leapfrog_record{
    .name = "leapfrog",
    .parameters = "",
    .summary = "Staggered leapfrog: Stormer-Verlet in its most economical form; momenta one step late.",
    .reference = "HairerLubichWanner2003",
    .needs = {.separable = true, .unconstrained = true},
    .lag = 1,
    .lanes = true,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .check = check_no_parameters,
    .factories = factories_of<StaggeredStepper>(),
    .examples = examples,
};

}  // namespace libration
