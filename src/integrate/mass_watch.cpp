// Looking at the pivots of M.
#include "mass_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// As for the initial values: what is smaller, rounding may have made.
constexpr double smallest_pivot = 1e-14;

}  // namespace

MassWatch::MassWatch(const Model& model, System<double>& system)
    : model_(&model), system_(&system), needed_(model.kinetic.has_value() || model.singular_mass),
      pivots_(system.dimension()) {}

std::optional<std::string> MassWatch::fault(double t, std::span<const double> q) {
    if (!needed_ || !std::ranges::all_of(q, [](double x) { return std::isfinite(x); }) ||
        !system_->mass_pivots(t, q, pivots_)) {
        return std::nullopt;
    }
    // Of an augmented system: the pivots of M + gamma G^T G, the others are those of the constraints.
    const auto last = pivots_.begin() + static_cast<std::ptrdiff_t>(model_->dimension);
    const auto bad = std::find_if(pivots_.begin(), last, [](double pivot) { return !(pivot > smallest_pivot); });
    if (bad == last) {
        return std::nullopt;
    }
    if (model_->singular_mass) {
        return fmt::format("at t = {:.10g} the mass matrix is singular and the constraints do not compensate for it: "
                           "no mass and no constraint acts on {}, alone or combined with preceding coordinates",
                           t, model_->coordinate_name(static_cast<std::size_t>(bad - pivots_.begin())));
    }
    return indefinite_mass(*model_, {.row = static_cast<std::size_t>(bad - pivots_.begin()),
                                     .where = fmt::format("at t = {:.10g}", t),
                                     .q = {q.begin(), q.end()}});
}

std::optional<std::string> MassWatch::fault_ahead(const Node<double>& node, double step) {
    std::vector<double> v(node.q.size()), q(node.q.size());
    system_->velocity(node.t, node.q, node.p, v);
    constexpr int looks = 16;
    for (int k = 0; k <= looks; ++k) {
        const double ahead = step * k / looks;
        for (std::size_t i = 0; i < q.size(); ++i) {
            q[i] = node.q[i] + ahead * v[i];
        }
        if (auto found = fault(node.t + ahead, q)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace libration
