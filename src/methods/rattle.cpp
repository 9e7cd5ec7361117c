// RATTLE: positions and momenta on the manifold.
#include "list.hpp"
#include "rescued_lobatto.hpp"

#include "rattle_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

// For general H RATTLE is the two-stage Lobatto pair. [HLW03 (6.13); Jay 1996, section 3]
struct RattleMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec&) {
        if (system.properties().separable) {
            return std::make_unique<RattleMap<S>>(system);
        }
        return lobatto_map<S>(system, 2);
    }
};

}  // namespace

const MethodRecord rattle_record{
    .name = "rattle",
    .summary =
        "RATTLE: positions and momenta on the manifold; symplectic, time-reversible, one force evaluation per step.",
    .reference = "Andersen1983",
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 2,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .maps = maps_by<RattleMaker>(),
};

}  // namespace libration
