// The five Lobatto families as Runge-Kutta methods of their own, without constraints. [Jay 1998, Sections 5.2 and 8]
#include "list.hpp"
#include "stages.hpp"

#include "runge_kutta_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {
namespace {

int plain_lobatto_stages(const MethodSpec& spec) { return stages_of(spec, 2); }

void check_plain_lobatto(const MethodSpec& spec) { static_cast<void>(plain_lobatto_stages(spec)); }

template <Family family>
struct PlainLobattoMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec& spec) {
        return std::make_unique<RungeKuttaMap<S>>(system, family, static_cast<std::size_t>(plain_lobatto_stages(spec)));
    }
};

constexpr Needs plain_lobatto_needs{.unconstrained = true, .hamiltonian = false};

// Symmetric methods hold the energy of reversible systems though they are not symplectic; quadratic invariants need the
// latter.
Claims plain_lobatto_claims(const MethodSpec& spec, bool symmetric, bool symplectic) {
    const int order = 2 * plain_lobatto_stages(spec) - 2;
    return {.order = order,
            .order_p = order,
            .order_lambda = 0,
            .symmetric = symmetric,
            .symplectic = symplectic,
            .energy_bounded = symmetric,
            .momentum_map = symplectic};
}

constexpr std::array<std::string_view, 2> a_examples{"lobatto-a(2)", "lobatto-a(3)"};
constexpr std::array<std::string_view, 2> b_examples{"lobatto-b(2)", "lobatto-b(3)"};
constexpr std::array<std::string_view, 2> c_examples{"lobatto-c(2)", "lobatto-c(3)"};
constexpr std::array<std::string_view, 2> cstar_examples{"lobatto-cstar(2)", "lobatto-cstar(3)"};
constexpr std::array<std::string_view, 3> d_examples{"lobatto-d(2)", "lobatto-d(3)", "lobatto-d(4)"};

}  // namespace

const MethodRecord lobatto_a_record{
    .name = "lobatto-a",
    .parameters = "(s)",
    .summary = "Lobatto IIIA: symmetric collocation including both ends of the step, A-stable.",
    .reference = "Jay1998",
    .needs = plain_lobatto_needs,
    .lanes = false,
    .claims = [](const MethodSpec& spec) { return plain_lobatto_claims(spec, true, false); },
    .check = check_plain_lobatto,
    .maps = maps_by<PlainLobattoMaker<Family::lobatto_a>, false>(),
    .more_examples = a_examples,
};

const MethodRecord lobatto_b_record{
    .name = "lobatto-b",
    .parameters = "(s)",
    .summary = "Lobatto IIIB on its own: symmetric, the partner of IIIA in the pair.",
    .reference = "Jay1998",
    .needs = plain_lobatto_needs,
    .lanes = false,
    // Both stages of the first member are the midpoint: on systems without time it is the midpoint rule.
    .claims = [](const MethodSpec& spec) { return plain_lobatto_claims(spec, true, plain_lobatto_stages(spec) == 2); },
    .check = check_plain_lobatto,
    .maps = maps_by<PlainLobattoMaker<Family::lobatto_b>, false>(),
    .more_examples = b_examples,
};

const MethodRecord lobatto_c_record{
    .name = "lobatto-c",
    .parameters = "(s)",
    .summary = "Lobatto IIIC: damps stiff oscillations; not symmetric, loses energy.",
    .reference = "Jay1998",
    .needs = plain_lobatto_needs,
    .lanes = false,
    .claims = [](const MethodSpec& spec) { return plain_lobatto_claims(spec, false, false); },
    .check = check_plain_lobatto,
    .maps = maps_by<PlainLobattoMaker<Family::lobatto_c>, false>(),
    .more_examples = c_examples,
};

const MethodRecord lobatto_cstar_record{
    .name = "lobatto-cstar",
    .parameters = "(s)",
    .summary = "Lobatto IIIC*: the adjoint of IIIC, for non-stiff systems; gains energy.",
    .reference = "Jay1998",
    .needs = plain_lobatto_needs,
    .lanes = false,
    .claims =
        [](const MethodSpec& spec) {
            auto result = plain_lobatto_claims(spec, false, false);
            result.is_explicit = plain_lobatto_stages(spec) == 2;
            return result;
        },
    .check = check_plain_lobatto,
    .maps = maps_by<PlainLobattoMaker<Family::lobatto_cstar>, false>(),
    .more_examples = cstar_examples,
};

const MethodRecord lobatto_d_record{
    .name = "lobatto-d",
    .parameters = "(s)",
    .summary = "Lobatto IIID, the mean of IIIC and IIIC*: symmetric, symplectic, A-stable.",
    .reference = "Jay1998",
    .needs = plain_lobatto_needs,
    .lanes = false,
    .claims = [](const MethodSpec& spec) { return plain_lobatto_claims(spec, true, true); },
    .check = check_plain_lobatto,
    .maps = maps_by<PlainLobattoMaker<Family::lobatto_d>, false>(),
    .more_examples = d_examples,
};

}  // namespace libration
