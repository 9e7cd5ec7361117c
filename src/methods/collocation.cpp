// Gauss and Radau IIA methods, with constraints at every stage: what happens to good methods on the manifold when they
// are not made for it. Gauss diverges there; Radau loses order in p and drifts; projection repairs the residuals, not
// the drift.
#include "list.hpp"
#include "stages.hpp"

#include "runge_kutta_map.hpp"
#include "stage_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

int collocation_stages(const MethodSpec& spec) { return stages_of(spec, 1); }

void check_collocation(const MethodSpec& spec) { static_cast<void>(collocation_stages(spec)); }

template <Family family, bool projected>
struct CollocationMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec& spec) {
        const auto s = static_cast<std::size_t>(collocation_stages(spec));
        if (system.constraints() == 0) {
            return std::make_unique<RungeKuttaMap<S>>(system, family, s);
        }
        return std::make_unique<StageMap<S>>(system, collocation_scheme(family, s, projected));
    }
};

// Stages on the constraints, the end of the step not: positions still converge, momenta need not.
Claims diverging_gauss(const MethodSpec&) {
    return {.diverges = true,
            .position = {.exact = false, .order = 0},
            .hidden = {.exact = false, .order = 0},
            .energy_bounded = false};
}

// Multipliers come from (q, p) by Jay's formula (3.1f): of order s at least, more where the error of p does not enter.
Claims constrained_radau(const MethodSpec& spec) {
    const int s = collocation_stages(spec);
    return {.order = 2 * s - 1,
            .order_p = s,
            .order_lambda = unclaimed,
            .symmetric = false,
            .symplectic = false,
            .hidden = {.exact = false, .order = s},
            .energy_bounded = false,
            .momentum_map = false};
}

constexpr std::array<std::string_view, 3> gauss_examples{"gauss(1)", "gauss(2)", "gauss(3)"};
constexpr std::array<std::string_view, 2> radau_examples{"radau(2)", "radau(3)"};
constexpr std::array<std::string_view, 2> projected_gauss_examples{"projected-gauss(2)", "projected-gauss(3)"};
constexpr std::array<std::string_view, 2> projected_radau_examples{"projected-radau(2)", "projected-radau(3)"};

}  // namespace

const MethodRecord gauss_record{
    .name = "gauss",
    .parameters = "(s)",
    .summary = "Gauss collocation, s stages: symplectic, order 2s; diverges with constraints, a counterexample.",
    .reference = "Jay1996",
    .needs = {.hamiltonian = false},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int order = 2 * collocation_stages(spec);
            return Claims{.order = order, .order_p = order, .symmetric = true, .symplectic = true};
        },
    .error_nodes = [](const MethodSpec& spec) { return error_nodes_of(Family::gauss, collocation_stages(spec)); },
    .constrained_claims = diverging_gauss,
    .check = check_collocation,
    .caution =
        [](const MethodSpec&) {
            return std::string("diverges with constraints: momenta and energy soon become meaningless; use lobatto(s)");
        },
    .maps = maps_by<CollocationMaker<Family::gauss, false>, false>(),
    .more_examples = gauss_examples,
};

const MethodRecord radau_record{
    .name = "radau",
    .parameters = "(s)",
    .summary = "Radau IIA, s stages: stiffly accurate, not symplectic; with constraints, p has order s only.",
    .reference = "Jay1996",
    .needs = {.hamiltonian = false},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int s = collocation_stages(spec);
            return Claims{.order = 2 * s - 1,
                          .order_p = 2 * s - 1,
                          .symmetric = false,
                          .symplectic = false,
                          .energy_bounded = false,
                          .momentum_map = false};
        },
    .constrained_claims = constrained_radau,
    .check = check_collocation,
    .maps = maps_by<CollocationMaker<Family::radau, false>, false>(),
    .more_examples = radau_examples,
};

const MethodRecord projected_gauss_record{
    .name = "projected-gauss",
    .parameters = "(s)",
    .summary = "Gauss collocation, projected onto the constraints after each step: order s, the energy drifts.",
    .reference = "Jay1996",
    .needs = {.constrained = true},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int s = collocation_stages(spec);
            return Claims{.order = s,
                          .order_p = s,
                          .order_lambda = s,
                          .symmetric = false,
                          .symplectic = false,
                          .energy_bounded = false,
                          .momentum_map = false};
        },
    .check = check_collocation,
    .maps = maps_by<CollocationMaker<Family::gauss, true>, false>(),
    .more_examples = projected_gauss_examples,
};

const MethodRecord projected_radau_record{
    .name = "projected-radau",
    .parameters = "(s)",
    .summary = "Radau IIA, projected onto the constraints after each step: order 2s-1, the energy drifts.",
    .reference = "Jay1996",
    .needs = {.constrained = true},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int order = 2 * collocation_stages(spec) - 1;
            return Claims{.order = order,
                          .order_p = order,
                          .order_lambda = order,
                          .symmetric = false,
                          .symplectic = false,
                          .energy_bounded = false,
                          .momentum_map = false};
        },
    .check = check_collocation,
    .maps = maps_by<CollocationMaker<Family::radau, true>, false>(),
    .more_examples = projected_radau_examples,
};

}  // namespace libration
