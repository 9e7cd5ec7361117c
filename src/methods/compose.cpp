// Compositions of any symmetric one-step method, or of one with its adjoint.
#include "list.hpp"

#include "coefficients/composition.hpp"
#include "compose_map.hpp"
#include "text/suggest.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

struct Scheme {
    int order;
    bool alternates;  // factors are for the adjoint and the base in turn, the adjoint first
    std::vector<Wide> factors;
};

// `even_order` is that of the symmetric base, or of the base with its adjoint taken together.
Scheme scheme_of(const MethodSpec& spec, int even_order) {
    const auto& name = spec.arguments[1].name;
    if (name == "triplejump") {
        return {even_order + 2, false, triple_jump(even_order)};
    }
    if (name == "suzuki") {
        return {even_order + 2, false, suzuki(even_order)};
    }
    std::vector<std::string> names{"triplejump", "suzuki"};
    for (const auto known : composition_names()) {
        if (known == name) {
            auto scheme = composition(name);
            return {std::max(even_order, scheme.order), scheme.needs_adjoint, std::move(scheme.gamma)};
        }
        names.emplace_back(known);
    }
    throw InputError(fmt::format("{}: unknown scheme '{}'{}", to_string(spec), name, suggestion(name, names, 40)));
}

Claims compose_claims(const MethodSpec& spec) {
    auto claims = base_method(spec, 0).claims();
    const int order = composition_of(spec).order;
    claims.order = order;
    claims.order_p = order;
    claims.order_lambda = claims.order_lambda > 0 ? order : 0;
    claims.symmetric = true;
    return claims;
}

constexpr std::array<std::string_view, 15> compose_examples{"compose(rattle, yoshida4)",
                                                            "compose(rattle, suzuki4)",
                                                            "compose(rattle, mclachlan4)",
                                                            "compose(rattle, blanesmoan4)",
                                                            "compose(rattle, yoshida6)",
                                                            "compose(rattle, kahanli6)",
                                                            "compose(rattle, yoshida8)",
                                                            "compose(rattle, suzuki8)",
                                                            "compose(rattle, kahanli8)",
                                                            "compose(rattle, sofroniou10)",
                                                            "compose(rattle, triplejump)",
                                                            "compose(rattle, suzuki)",
                                                            "compose(compose(rattle, triplejump), suzuki)",
                                                            "compose(verlet, kahanli8)",
                                                            "compose(lobatto(3), suzuki)"};

}  // namespace

Composition composition_of(const MethodSpec& spec) {
    if (spec.arguments.size() != 2) {
        throw InputError(
            fmt::format("{}: write compose(BASE, SCHEME), e.g. compose(rattle, kahanli8)", to_string(spec)));
    }
    const auto base = base_method(spec, 0);
    const auto claims = base.claims();
    const auto adjoint = base.record().adjoint;
    if (!base.is_map() || (!claims.symmetric && adjoint == nullptr)) {
        throw InputError(fmt::format(
            "{}: {} {}; compose a symmetric one-step method such as rattle, verlet or lobatto(3)", to_string(spec),
            base.name(), base.is_map() ? "is not symmetric and has no adjoint" : "is not a one-step method"));
    }
    Composition result{.base = base.spec(), .adjoint = {}, .order = 0, .parts = {}};
    const auto scheme = scheme_of(spec, claims.order + claims.order % 2);
    result.order = scheme.order;
    if (claims.symmetric) {
        for (const auto& factor : scheme.factors) {
            result.parts.push_back({factor, false});
        }
        return result;
    }
    result.adjoint = adjoint(base.spec());
    for (std::size_t i = 0; i < scheme.factors.size(); ++i) {
        if (scheme.alternates) {
            result.parts.push_back({scheme.factors[i], i % 2 == 0});
        } else {  // Phi_(h/2) o Phi*_(h/2) is symmetric
            result.parts.push_back({scheme.factors[i] / 2, true});
            result.parts.push_back({scheme.factors[i] / 2, false});
        }
    }
    return result;
}

const MethodRecord compose_record{
    .name = "compose",
    .parameters = "(BASE, SCHEME)",
    .summary =
        "Symmetric composition of a base method: order 4 to 10, the standard route to high order with constraints.",
    .reference = "Reich1996",
    .needs_of = [](const MethodSpec& spec) { return base_method(spec, 0).needs(); },
    .lanes_of = [](const MethodSpec& spec) { return base_method(spec, 0).lanes(); },
    .claims = compose_claims,
    .check = [](const MethodSpec& spec) { static_cast<void>(composition_of(spec)); },
    .maps = maps_of<ComposeMap>(),
    .more_examples = compose_examples,
};

}  // namespace libration
