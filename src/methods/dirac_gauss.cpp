// Gauss methods on the manifold by a modified Hamiltonian: the highest order for a given number of stages.
#include "list.hpp"
#include "stages.hpp"

#include "dirac_gauss_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {
namespace {

int dirac_gauss_stages(const MethodSpec& spec) { return stages_of(spec, 1); }

struct DiracGaussMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec& spec) {
        return std::make_unique<DiracGaussMap<S>>(system, static_cast<std::size_t>(dirac_gauss_stages(spec)));
    }
};

constexpr std::array<std::string_view, 2> dirac_examples{"dirac-gauss(1)", "dirac-gauss(2)"};

}  // namespace

const MethodRecord dirac_gauss_record{
    .name = "dirac-gauss",
    .parameters = "(s)",
    .summary = "Gauss collocation of Dirac's modified Hamiltonian, on the manifold: order 2s, symplectic, "
               "time-reversible; for small systems.",
    .reference = "Reich1996",
    .needs = {.constrained = true, .dense_derivatives = true},
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            const int order = 2 * dirac_gauss_stages(spec);
            return Claims{
                .order = order, .order_p = order, .order_lambda = order, .symmetric = true, .symplectic = true};
        },
    .check = [](const MethodSpec& spec) { static_cast<void>(dirac_gauss_stages(spec)); },
    .maps = maps_by<DiracGaussMaker, false>(),
    .more_examples = dirac_examples,
};

}  // namespace libration
