#include "energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

void subtract(std::span<const NodeQuadrature::Value> work, std::span<const double> last_changes,
              std::vector<EnergyBalance::Error>& errors) {
    const auto changes = last_changes.last(work.size());
    for (std::size_t k = 0; k < work.size(); ++k) {
        if (!std::isnan(changes[k])) {
            errors.push_back({work[k].t, changes[k] - work[k].integral});
        }
    }
}

}  // namespace

std::unique_ptr<EnergyBalance> EnergyBalance::make(const Model& model, System<double>& system,
                                                   Manifold<double>& manifold, bool constant_steps) {
    return PowerReader::needed(system) ? std::make_unique<EnergyBalance>(model, system, manifold, constant_steps)
                                       : nullptr;
}

EnergyBalance::EnergyBalance(const Model& model, System<double>& system, Manifold<double>& manifold,
                             bool constant_steps)
    : power_(model, system, manifold), work_(constant_steps) {}

void EnergyBalance::use(const Model& model, System<double>& system, Manifold<double>& manifold) {
    power_ = PowerReader(model, system, manifold);
}

std::span<const EnergyBalance::Error> EnergyBalance::pass(const Node<double>& node, double change) {
    std::ranges::copy(std::span(changes_).subspan(1), changes_.begin());
    changes_.back() = change;
    known_.clear();
    subtract(work_.add(node.t, power_.power(node)), changes_, known_);
    return known_;
}

std::vector<EnergyBalance::Error> EnergyBalance::rest(double last) const {
    std::vector<Error> errors;
    auto changes = changes_;
    changes.back() = last;
    subtract(work_.rest(), changes, errors);
    return errors;
}

void EnergyBalance::visit(MemoryVisitor<double>& visitor) {
    work_.visit(visitor);
    visitor.array("balance_changes", changes_);
}

}  // namespace libration
