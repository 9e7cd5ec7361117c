// Stormer-Verlet in one-step form: RATTLE without constraints is this method to the last bit.
#include "list.hpp"

#include <libration/methods/rattle_stepper.hpp>

namespace libration {

namespace {

constexpr std::array<std::string_view, 1> examples{"verlet"};

}  // namespace

const MethodRecord verlet_record{
    .name = "verlet",
    .parameters = "",
    .summary = "Stormer-Verlet, kick-drift-kick: the standard for systems without constraints.",
    .reference = "HairerLubichWanner2003",
    .needs = {.separable = true, .unconstrained = true},
    .lag = 0,
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
    .factories = factories_of<RattleStepper>(),
    .examples = examples,
};

}  // namespace libration
