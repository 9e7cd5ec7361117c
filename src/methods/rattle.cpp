// RATTLE: positions and momenta on the manifold.
#include "list.hpp"

#include <libration/methods/rattle_stepper.hpp>

namespace libration {

namespace {

constexpr std::array<std::string_view, 1> examples{"rattle"};

}  // namespace

const MethodRecord rattle_record{
    .name = "rattle",
    .parameters = "",
    .summary = "RATTLE: positions and momenta on the manifold; symplectic, reversible, one force a step.",
    .reference = "Andersen1983",
    .needs = {.separable = true},
    .lag = 0,
    .lanes = true,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 2,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .check = check_no_parameters,
    .factories = factories_of<RattleStepper>(),
    .examples = examples,
};

}  // namespace libration
