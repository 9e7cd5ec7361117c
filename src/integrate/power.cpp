#include "power.hpp"

#include "system/applied_forces.hpp"
#include "system/velocity_constraints.hpp"
#include "system/windings.hpp"
#include <libration/kit/make_system.hpp>

#include <algorithm>

namespace libration {

bool PowerReader::needed(const System<double>& system) {
    const auto& properties = system.properties();
    return properties.hamiltonian && !properties.conservative;
}

PowerReader::PowerReader(const Model& model, System<double>& system, Manifold<double>& manifold)
    : system_(&system), manifold_(&manifold), v_(system.dimension()), lambda_(reaction_count(system)),
      forces_(system.dimension()), rate_(system.constraints()) {
    const auto& properties = system.properties();
    if (properties.depends_on_time) {
        auto formulas = model;
        formulas.external = nullptr;  // a function of q
        by_time_ = make_system<Dual<double>>(formulas);
        q_dual_.resize(by_time_->dimension());
        p_dual_.resize(by_time_->dimension());
    }
    const auto* velocity_constraints = system.velocity_constraints();
    const bool nonholonomic_work = velocity_constraints != nullptr && !velocity_constraints->without_work();
    if (nonholonomic_work) {
        K_.resize(velocity_constraints->count() * system.dimension());
    }
    const auto* forces = system.forces();
    needs_multipliers_ =
        properties.moving_constraints || nonholonomic_work || (forces != nullptr && forces->depend_on_multipliers());
}

double PowerReader::explicit_rate(const Node<double>& node) {
    for (std::size_t k = 0; k < q_dual_.size(); ++k) {
        q_dual_[k] = {node.q[k], {}};
        p_dual_[k] = {node.p[k], {}};
    }
    if (auto* windings = by_time_->windings()) {
        std::vector<Dual<double>> turns;
        for (const double turn : node.turns) {
            turns.push_back({turn, {}});
        }
        windings->refer_to(turns);
    }
    Dual<double> t{node.t, {}};
    t.tangent[0] = 1;
    return by_time_->energy(t, q_dual_, p_dual_).tangent[0];
}

double PowerReader::power(const Node<double>& node) {
    if (auto* windings = system_->windings()) {
        windings->refer_to(node.turns);
    }
    system_->velocity(node.t, node.q, node.p, v_);
    if (needs_multipliers_) {
        manifold_->multipliers(node.t, node.q, node.p, lambda_);
    }
    double power = by_time_ ? explicit_rate(node) : 0;
    if (auto* forces = system_->forces()) {
        std::ranges::fill(forces_, 0.0);
        forces->add_to(node.t, node.q, v_, lambda_, forces_);
        for (std::size_t k = 0; k < v_.size(); ++k) {
            power += v_[k] * forces_[k];
        }
    }
    if (system_->properties().moving_constraints) {
        system_->constraint_rate(node.t, node.q, rate_);
        for (std::size_t i = 0; i < rate_.size(); ++i) {
            power += lambda_[i] * rate_[i];
        }
    }
    if (!K_.empty()) {
        auto& constraints = *system_->velocity_constraints();
        constraints.by_velocity(node.t, node.q, v_, K_);
        for (std::size_t i = 0; i < constraints.count(); ++i) {
            for (std::size_t k = 0; k < v_.size(); ++k) {
                power -= lambda_[system_->constraints() + i] * K_[i * v_.size() + k] * v_[k];
            }
        }
    }
    return power;
}

}  // namespace libration
