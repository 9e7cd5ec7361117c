// The implicit midpoint rule: the Gauss method of one stage.
#include "list.hpp"
#include "stages.hpp"

#include "runge_kutta_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {
namespace {

struct MidpointMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec&) {
        return std::make_unique<RungeKuttaMap<S>>(system, Family::gauss, 1);
    }
};

}  // namespace

const MethodRecord midpoint_record{
    .name = "midpoint",
    .summary = "Implicit midpoint rule: symplectic, time-reversible, A-stable; for any H and for vector fields.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false},
    .lanes = false,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2, .order_p = 2, .order_lambda = 0, .symmetric = true, .symplectic = true};
        },
    .error_nodes = [](const MethodSpec&) { return error_nodes_of(Family::gauss, 1); },
    .maps = maps_by<MidpointMaker, false>(),
};

}  // namespace libration
