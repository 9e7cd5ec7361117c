// SHAKE: the position constraint only; same positions as RATTLE, momenta by differences.
#include "list.hpp"

#include <libration/methods/staggered_stepper.hpp>

namespace libration {

namespace {

constexpr std::array<std::string_view, 1> examples{"shake"};

}  // namespace

const MethodRecord shake_record{
    .name = "shake",
    .parameters = "",
    .summary = "SHAKE: positions on the constraints, momenta by differences, one step late.",
    .reference = "RyckaertCiccottiBerendsen1977",
    .needs = {.separable = true, .constrained = true},
    .lag = 1,
    .lanes = true,
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
    .check = check_no_parameters,
    .factories = factories_of<StaggeredStepper>(),
    .examples = examples,
};

}  // namespace libration
