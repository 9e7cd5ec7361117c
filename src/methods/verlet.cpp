// Störmer-Verlet in one-step form: RATTLE without constraints is bitwise identical to this method.
#include "list.hpp"

#include "rattle_map.hpp"
#include "stage_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

// For general H and fields it is the two-stage Lobatto pair. [HLW03 (1.24), (2.10)]
struct VerletMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec&) {
        if (system.properties().separable) {
            return std::make_unique<RattleMap<S>>(system);
        }
        return std::make_unique<StageMap<S>>(system, lobatto_scheme(2));
    }
};

}  // namespace

const MethodRecord verlet_record{
    .name = "verlet",
    .summary = "Störmer-Verlet, kick-drift-kick: the standard method for systems without constraints.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false, .partitioned = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .maps = maps_by<VerletMaker>(),
};

}  // namespace libration
