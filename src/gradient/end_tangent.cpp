// Hamiltonian fields of the constraints.
#include "end_tangent.hpp"

namespace libration {

EndTangent::EndTangent(System<double>& system, System<D>& dual)
    : system_(&system), dual_(&dual), manifold_(dual), matrix_(constraint_matrix(system)),
      G_(system.pattern().entries()), A_(matrix_->entries()), rows_(system.constraints()), kick_(system.dimension()),
      v_(system.dimension()), q_(system.dimension()), p_(system.dimension()), dual_q_(system.dimension(), lit<D>(0)),
      dual_p_(dual_q_), hidden_(rows_.size(), lit<D>(0)), moving_(G_.size(), lit<D>(0)), force_(dual_q_) {}

void EndTangent::set_state(const Node<double>& node) {
    if (rows_.empty()) {
        return;
    }
    t_ = node.t;
    q_.assign(node.q.begin(), node.q.end());
    p_.assign(node.p.begin(), node.p.end());
    system_->jacobian(t_, q_, G_);
    matrix_->assemble(*system_, t_, q_, p_, G_, A_);
    matrix_->factor(A_);
    system_->velocity(t_, q_, p_, v_);
}

Tangent EndTangent::of(const Tangent& gradient) {
    Tangent w{gradient.p, gradient.q};
    w.q.resize(system_->dimension());
    w.p.resize(system_->dimension());
    for (auto& value : w.p) {
        value = -value;
    }
    if (!rows_.empty()) {
        move_positions(w);
        move_momenta(w);
    }
    return w;
}

void EndTangent::move_positions(Tangent& w) {
    const auto& pattern = system_->pattern();
    apply_jacobian<double>(pattern, G_, w.q, rows_);
    for (auto& row : rows_) {
        row = -row;
    }
    matrix_->solve(A_, rows_);
    std::ranges::fill(kick_, 0.0);
    add_transposed<double>(pattern, G_, rows_, kick_);
    // Their own changes with q, by the symmetry of second derivatives: with y the multipliers of these fields, the
    // gradient of y^T (G v + g_t) is that of G^T y along (v, 1) in (q, t), and of H_q along G^T y in p.
    for (std::size_t j = 0; j < q_.size(); ++j) {
        dual_q_[j] = {q_[j], {v_[j]}};
        dual_p_[j] = {p_[j], {0, kick_[j]}};
    }
    dual_->jacobian({t_, {1}}, dual_q_, moving_);
    for (auto& value : dual_q_) {
        value.tangent = {};
    }
    dual_->force_gradient(from_double<D>(t_), dual_q_, dual_p_, force_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            w.p[pattern.column[e]] -= moving_[e].tangent[0] * rows_[i];
        }
    }
    system_->solve_mass(t_, q_, p_, kick_, kick_);
    for (std::size_t j = 0; j < q_.size(); ++j) {
        w.p[j] -= force_[j].tangent[1];
        w.q[j] += kick_[j];
    }
}

void EndTangent::move_momenta(Tangent& w) {
    for (std::size_t j = 0; j < q_.size(); ++j) {
        dual_q_[j] = {q_[j], {w.q[j]}};
        dual_p_[j] = {p_[j], {w.p[j]}};
    }
    manifold_.hidden_residual(from_double<D>(t_), dual_q_, dual_p_, hidden_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        rows_[i] = -hidden_[i].tangent[0];
    }
    matrix_->solve(A_, rows_);
    add_transposed<double>(system_->pattern(), G_, rows_, w.p);
}

}  // namespace libration
