// Symmetric multistep methods: one force per step, any even order, energy and momenta conserved up to O(h^k).
#include "list.hpp"

#include "coefficients/multistep.hpp"
#include "coefficients/multistep_search.hpp"
#include "coefficients/multistep_stability.hpp"
#include "multistep_stepper.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace libration {

namespace {

int steps_of(const MethodSpec& spec) {
    return whole_parameter(spec, 0, {"the number of steps k", 2, most_multistep_steps});
}

}  // namespace

MultistepPair multistep_pair_of(const MethodSpec& spec) {
    const auto fail = [&](const std::string& reason) {
        throw InputError(fmt::format("{}: {}", to_string(spec), reason));
    };
    const int k = steps_of(spec);
    check_multistep_steps(k);
    std::vector<Wide> a;
    Wide beta = 0;
    bool has_beta = false;
    for (std::size_t i = 1; i < spec.arguments.size(); ++i) {
        const auto& argument = spec.arguments[i];
        if (!argument.arguments.empty() || (!argument.key.empty() && argument.key != "beta")) {
            fail(fmt::format("unknown parameter '{}'; the parameters are k, a1, a2, ..., beta=B", to_string(argument)));
        }
        if (!argument.key.empty() && has_beta) {
            fail("beta is given twice");
        }
        has_beta = has_beta || !argument.key.empty();
        if (argument.key.empty()) {
            a.push_back(multistep_number(fmt::format("a_{}", i), argument.name));
        } else {
            beta = multistep_number("beta", argument.name);
        }
    }
    if (a.empty()) {
        a = default_parameters(k);
    }
    if (a.size() != static_cast<std::size_t>(k / 2 - 1)) {
        fail(fmt::format("k = {} takes {} parameter{} a, and {} {} given; without any, good ones are chosen", k,
                         k / 2 - 1, k == 4 ? "" : "s", a.size(), a.size() == 1 ? "is" : "are"));
    }
    return multistep_pair(a, beta);
}

namespace {

// Order k + 2: its errors, divided by h^2, do not show in the multipliers. [CHL section 3, starting values]
Method starter_of(int k) { return method(fmt::format("lobatto({})", k / 2 + 2)); }

template <class S>
std::unique_ptr<Stepper<S>> make(System<S>& system, const MethodSpec& spec) {
    const auto pair = multistep_pair_of(spec);
    return std::make_unique<MultistepStepper<S>>(system, pair, make_map<S>(starter_of(pair.k), system));
}

#define LIBRATION_MAKE(scalar) make<scalar>
constexpr Factories multistep_factories{LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE

// Roots in quadruple precision take milliseconds, and methods are asked for again and again: once for each
// specification.
std::string refusal(const MethodSpec& spec, bool constrained) {
    static std::mutex guard;
    static std::map<std::pair<std::string, bool>, std::string> known;
    const std::scoped_lock lock(guard);
    const auto [found, is_new] = known.try_emplace({to_string(spec), constrained});
    if (is_new) {
        const auto reason = multistep_refusal(multistep_pair_of(spec), constrained);
        found->second = reason.empty() ? reason : reason + "; `force` accepts it anyway, for demonstrations";
    }
    return found->second;
}

constexpr std::array<std::string_view, 6> multistep_examples{
    "multistep(2)", "multistep(4)",  "multistep(6, -0.7, 0.4)",
    "multistep(8)", "multistep(10)", "multistep(4, -0.6, beta=0.26)"};

}  // namespace

const MethodRecord multistep_record{
    .name = "multistep",
    .parameters = "(k, a1, ..., beta=B)",
    .summary = "Symmetric multistep method of order k at the cost of SHAKE: one force evaluation per step; momenta k/2 "
               "steps late.",
    .reference = "ConsoleHairerLubich2013",
    .needs = {.separable = true},
    .lag_of = [](const MethodSpec& spec) { return steps_of(spec) / 2; },
    .claims =
        [](const MethodSpec& spec) {
            const auto pair = multistep_pair_of(spec);
            Claims claims{.order = pair.k,
                          .order_p = pair.k,
                          .order_lambda = pair.k,
                          .symmetric = true,
                          .symplectic = false,
                          .is_explicit = pair.beta == 0,
                          .momentum_map = false};
            return claims;
        },
    .check = [](const MethodSpec& spec) { static_cast<void>(multistep_pair_of(spec)); },
    .doubt = refusal,
    .caution = [](const MethodSpec& spec) { return multistep_caution(multistep_pair_of(spec)); },
    .periodicity = [](const MethodSpec& spec) { return multistep_stability(multistep_pair_of(spec)).periodicity; },
    .factories = multistep_factories,
    .more_examples = multistep_examples,
};

}  // namespace libration
