// Another look at a system, for methods that are built on others: the same system without its constraints, or with some
// parts of its potential only. The methods inside need not know of it.
#pragma once

#include <libration/kit/system.hpp>

namespace libration {

// Passes every call on, but names no rigid bodies: who looks at a part of a system reads its G and A. The system must
// outlive its view.
template <class S>
class SystemView : public System<S> {
  public:
    using System<S>::constraint;
    using System<S>::jacobian;

    S energy(const S& t, std::span<const S> q, std::span<const S> p) override { return whole_->energy(t, q, p); }
    void velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
        whole_->velocity(t, q, p, v);
    }
    void force_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> gradient) override {
        whole_->force_gradient(t, q, p, gradient);
    }
    void part_gradient(unsigned parts, const S& t, std::span<const S> q, std::span<S> gradient) override {
        whole_->part_gradient(parts, t, q, gradient);
    }
    void apply_mass(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) override {
        whole_->apply_mass(t, q, v, p);
    }
    void solve_mass(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> x,
                    std::span<S> y) override {
        whole_->solve_mass(t, q, p, x, y);
    }
    void velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> dq,
                       std::span<const S> dp, std::span<S> rate) override {
        whole_->velocity_rate(t, q, p, dq, dp, rate);
    }
    bool mass_pivots(const S& t, std::span<const S> q, std::span<S> pivots) override {
        return whole_->mass_pivots(t, q, pivots);
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return whole_->inverse_masses(); }
    void field_jacobian(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> J) override {
        whole_->field_jacobian(t, q, p, J);
    }
    void part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> hessian) override {
        whole_->part_hessian(parts, t, q, hessian);
    }
    void reaction_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> y,
                           std::span<const S> lambda, std::span<S> by_q, std::span<S> by_p) override {
        whole_->reaction_gradient(t, q, p, y, lambda, by_q, by_p);
    }
    void reaction_hessian(const S& t, std::span<const S> q, std::span<const S> lambda, std::span<S> hessian) override {
        whole_->reaction_hessian(t, q, lambda, hessian);
    }
    [[nodiscard]] AppliedForces<S>* forces() override { return whole_->forces(); }
    [[nodiscard]] VelocityConstraints<S>* velocity_constraints() override { return whole_->velocity_constraints(); }
    [[nodiscard]] Windings<S>* windings() override { return whole_->windings(); }
    void constraint(const S& t, std::span<const S> q, std::span<const S> q_low, std::span<S> g) override {
        whole_->constraint(t, q, q_low, g);
    }
    void jacobian(const S& t, std::span<const S> q, std::span<S> entries, std::span<S> rounding) override {
        whole_->jacobian(t, q, entries, rounding);
    }
    void curvature(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> rows) override {
        whole_->curvature(t, q, v, rows);
    }
    void constraint_rate(const S& t, std::span<const S> q, std::span<S> rows) override {
        whole_->constraint_rate(t, q, rows);
    }

  protected:
    explicit SystemView(System<S>& whole) : whole_(&whole) {
        this->dimension_ = whole.dimension();
        this->pattern_ = whole.pattern();
        this->properties_ = whole.properties();
        this->properties_.couplings = false;  // they are those of all rows and parts
        this->shared_constraint_matrix = whole.shared_constraint_matrix;
    }
    System<S>* whole_;
};

// The same motion without constraints.
template <class S>
class FreeSystem final : public SystemView<S> {
  public:
    using SystemView<S>::constraint;
    using SystemView<S>::jacobian;

    explicit FreeSystem(System<S>& whole) : SystemView<S>(whole) {
        this->pattern_ = {};
        this->shared_constraint_matrix = nullptr;
    }
    void constraint(const S&, std::span<const S>, std::span<const S>, std::span<S>) override {}
    void jacobian(const S&, std::span<const S>, std::span<S>, std::span<S>) override {}
    void curvature(const S&, std::span<const S>, std::span<const S>, std::span<S>) override {}
    void constraint_rate(const S&, std::span<const S>, std::span<S>) override {}
};

// The kinetic energy with some parts of a split potential, and the constraints.
template <class S>
class PartSystem final : public SystemView<S> {
  public:
    PartSystem(System<S>& whole, unsigned parts) : SystemView<S>(whole), parts_(parts) {}
    void force_gradient(const S& t, std::span<const S> q, std::span<const S>, std::span<S> gradient) override {
        this->whole_->part_gradient(parts_, t, q, gradient);
    }

  private:
    unsigned parts_;
};

}  // namespace libration
