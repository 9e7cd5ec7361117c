// Projection as a run does it, and its result as numbers of the model.
#include "projected_start.hpp"

#include "checked_start.hpp"
#include "redundancy.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

// 17 digits read back as the same number.
Expression exact_number(double x) {
    const auto size = constant(fmt::format("{:.17g}", std::abs(x)));
    return std::signbit(x) ? -size : size;
}

}  // namespace

ProjectedModel with_projected_start(const Model& model, double t) {
    using Kind = InitialValue::Kind;
    auto ready = prepared(model, t);
    if (!ready.fault.empty()) {
        throw InputError(ready.fault);
    }
    Manifold<double> manifold(*ready.system);
    std::optional<StartChange> change;
    const auto start = checked_start(ready.model, *ready.system, manifold, {.project = true, .start_time = t}, &change);
    std::vector<double> v(start.q.size());
    ready.system->velocity(t, start.q, start.p, v);
    ProjectedModel result{model, *change};
    auto& moved = result.model;
    moved.assembly.reset();
    moved.initial.clear();
    moved.replaced_initial = 0;
    for (std::size_t k = 0; k < model.dimension; ++k) {
        const auto add = [&](Kind kind, double value) {
            moved.initial.push_back({kind, {exact_number(value), 1, {}}, {static_cast<std::uint32_t>(k)}});
        };
        add(Kind::position, start.q[k]);
        if (model.singular_mass) {
            add(Kind::velocity, v[k]);
        } else {
            add(Kind::momentum, start.p[k]);
        }
    }
    return result;
}

}  // namespace libration
