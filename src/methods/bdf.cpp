// Backward differentiation, the counter-example: accurate, and no trace of the structure. Positions satisfy the
// constraints, momenta the hidden one only up to the error of the method.
//
//     q_n+1 = sum_i c_i q_n+1-i + h b V,        V = H_p(q_n+1, p_n+1)
//     p_n+1 = sum_i c_i p_n+1-i - h b F,        F = H_q(q_n+1, p_n+1) + G(q_n+1)^T lambda,      0 = g(q_n+1)
//
// from sum_j nabla^j y_n+1 / j = h y'_n+1, j = 1..k. Unknowns are F, V and lambda; the simplified Newton iteration
// knows H_pp and G and leaves the other derivatives to the fixed point. [Reich 1996, section 5; Lotstedt and Petzold
// 1986 for the order]
#include <libration/kit/method_record.hpp>

#include "bdf_stepper.hpp"
#include "list.hpp"

namespace libration {

namespace {

template <class S>
constexpr Factory<S> bdf_factory() {
    if constexpr (is_lane_scalar<S>) {
        return nullptr;
    } else {
        return [](System<S>& system, const MethodSpec& spec) -> std::unique_ptr<Stepper<S>> {
            return std::make_unique<BdfStepper<S>>(system, bdf_order(spec));
        };
    }
}

constexpr std::array<std::string_view, 3> bdf_examples{"bdf(2)", "bdf(3)", "bdf(4)"};

#define LIBRATION_MAKE(scalar) bdf_factory<scalar>()
constexpr Factories bdf_factories{LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE

}  // namespace

const MethodRecord bdf_record{
    .name = "bdf",
    .parameters = "(k)",
    .summary = "BDF, backward differentiation of order k: a counterexample, its energy drifts.",
    .reference = "LotstedtPetzold1986",
    .needs = {.partitioned = true},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int k = bdf_order(spec);
            return Claims{.order = k,
                          .order_p = k,
                          .order_lambda = k,
                          .symmetric = false,
                          .symplectic = false,
                          .is_explicit = false,
                          .hidden = {.exact = false, .order = k},
                          .energy_bounded = false,
                          .momentum_map = false};
        },
    .check = [](const MethodSpec& spec) { (void)bdf_order(spec); },
    .factories = bdf_factories,
    .more_examples = bdf_examples,
};

}  // namespace libration
