// The Lobatto IIIA - IIIB pair: symplectic and symmetric on the manifold, of any even order.
#include "list.hpp"
#include "rescued_lobatto.hpp"
#include "stages.hpp"

#include "stage_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

int lobatto_stages(const MethodSpec& spec) { return stages_of(spec, 2); }

struct LobattoMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec& spec) {
        return lobatto_map<S>(system, static_cast<std::size_t>(lobatto_stages(spec)));
    }
};

constexpr std::array<std::string_view, 4> lobatto_examples{"lobatto(2)", "lobatto(3)", "lobatto(4)", "lobatto(6)"};

}  // namespace

const MethodRecord lobatto_record{
    .name = "lobatto",
    .parameters = "(s)",
    .summary = "Lobatto IIIA-IIIB pair, s stages: symplectic and time-reversible on the manifold, order 2s-2, any H.",
    .reference = "Jay1996",
    .needs = {.hamiltonian = false, .partitioned = true},
    .claims =
        [](const MethodSpec& spec) {
            const int order = 2 * lobatto_stages(spec) - 2;
            return Claims{
                .order = order, .order_p = order, .order_lambda = order, .symmetric = true, .symplectic = true};
        },
    .error_nodes = [](const MethodSpec& spec) { return error_nodes_of(Family::lobatto_a, lobatto_stages(spec)); },
    .check = [](const MethodSpec& spec) { static_cast<void>(lobatto_stages(spec)); },
    .maps = maps_by<LobattoMaker>(),
    .more_examples = lobatto_examples,
};

}  // namespace libration
