// Super partitioned additive Runge-Kutta methods: every term of the equations by the Lobatto coefficients that suit it.
#include "list.hpp"
#include "stages.hpp"

#include "spark_map.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

int spark_stages(const MethodSpec& spec) { return stages_of(spec, 2); }

struct SparkMaker {
    template <class S>
    static std::unique_ptr<Map<S>> make(System<S>& system, const MethodSpec& spec) {
        return std::make_unique<SparkMap<S>>(system, static_cast<std::size_t>(spark_stages(spec)));
    }
};

// A and B everywhere, which is what a model without forces and without [spark] gets.
Claims plain_claims(const MethodSpec& spec) {
    const int order = 2 * spark_stages(spec) - 2;
    return {.order = order, .order_p = order, .order_lambda = order, .symmetric = true, .symplectic = true};
}

// Symmetric in any case, because C and C* change places for h < 0. Whether forces are gradients, so that the exact flow
// is symplectic, is not known.
Claims claims_on(const MethodSpec& spec, const SystemProperties& properties, std::size_t constraints) {
    auto claims = plain_claims(spec);
    if (properties.nonholonomic > 0) {
        // The exact flow keeps neither the form dq ^ dp nor momenta. The bound of the energy is measured, not proved.
        claims.symplectic = std::nullopt;
        claims.momentum_map = false;
        return claims;
    }
    const bool free_of_velocities = properties.separable && !properties.forced;
    const bool symplectic =
        (free_of_velocities && is_the_pair(treatment(properties.terms))) ||
        keeps_symplectic_form(properties, static_cast<std::size_t>(spark_stages(spec)), constraints > 0);
    claims.symplectic = properties.forced ? std::nullopt : std::optional(symplectic);
    claims.energy_bounded = symplectic;
    claims.momentum_map = symplectic;
    return claims;
}

constexpr std::array<std::string_view, 3> spark_examples{"spark(2)", "spark(3)", "spark(4)"};

}  // namespace

const MethodRecord spark_record{
    .name = "spark",
    .parameters = "(s)",
    .summary =
        "SPARK, Lobatto IIIA-B-C-C*-D chosen per force term: M(q), damping, driving, stiffness; s stages, order 2s-2.",
    .reference = "Jay1998",
    .needs = {.forces = true, .nonholonomic = true},
    .lanes = false,
    .lanes_on =
        [](const MethodSpec&, const SystemProperties& properties) {
            return !needs_newton(properties, treatment(properties.terms));
        },
    .claims = plain_claims,
    .error_nodes = [](const MethodSpec& spec) { return error_nodes_of(Family::lobatto_a, spark_stages(spec)); },
    .claims_on = claims_on,
    .check = [](const MethodSpec& spec) { static_cast<void>(spark_stages(spec)); },
    .maps = maps_by<SparkMaker>(),
    .more_examples = spark_examples,
};

}  // namespace libration
