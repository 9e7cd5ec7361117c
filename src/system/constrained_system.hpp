// What systems of all kinds share: the constraints of the model, its forces, and dense derivatives if it is small.
#pragma once

#include "applied_forces.hpp"
#include "constraint_rows.hpp"
#include "couplings.hpp"
#include "dense_derivatives.hpp"
#include "model/model_values.hpp"
#include "velocity_constraints.hpp"
#include "windings.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class ConstrainedSystem : public System<S> {
  public:
    ConstrainedSystem(const Model& model, const ParameterValues<S>& given)
        : ConstrainedSystem(model, given, copy_of(model, given)) {}

  protected:
    ConstrainedSystem(const Model& model, const ParameterValues<S>& given, std::shared_ptr<const ModelCopy<S>> copy)
        : rows_(model, given, this->pattern_), dense_(copy), copy_(std::move(copy)) {
        this->dimension_ = model.dimension;
        this->properties_.dense_derivatives = dense_.available();
        this->properties_.moving_constraints = rows_.uses_time();
        this->properties_.depends_on_time = rows_.uses_time();
        this->properties_.terms = treated_terms(model);
        if (!model.forces.empty()) {
            forces_.emplace(model, given);
            this->properties_.forced = true;
            this->properties_.reactions_in_forces = forces_->depend_on_multipliers();
        }
        if (!model.nonholonomic.empty()) {
            velocity_constraints_.emplace(model, given);
            this->properties_.nonholonomic = velocity_constraints_->count();
        }
        if (!model.windings.empty()) {
            windings_.emplace(model, given, *this);
        }
    }

  public:
    using System<S>::constraint;
    using System<S>::jacobian;

    void constraint(const S& t, std::span<const S> q, std::span<const S> q_low, std::span<S> g) override {
        rows_.values(t, q, q_low, g);
    }
    void jacobian(const S& t, std::span<const S> q, std::span<S> entries, std::span<S> rounding) override {
        rows_.jacobian(t, q, entries, rounding);
    }
    void curvature(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> rows) override {
        rows_.curvature(t, q, v, rows);
    }
    void constraint_rate(const S& t, std::span<const S> q, std::span<S> rows) override { rows_.rates(t, q, rows); }

    void field_jacobian(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> J) override {
        dense_.field_jacobian(*this, t, q, p, J);
    }
    void part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> hessian) override {
        dense_.part_hessian(*this, parts, t, q, hessian);
    }
    void reaction_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> y,
                           std::span<const S> lambda, std::span<S> by_q, std::span<S> by_p) override {
        dense_.reaction_gradient(*this, t, q, p, y, lambda, by_q, by_p);
    }

    void reaction_hessian(const S& t, std::span<const S> q, std::span<const S> lambda, std::span<S> hessian) override {
        dense_.reaction_hessian(*this, t, q, lambda, hessian);
    }
    [[nodiscard]] Couplings<S>* couplings() override { return couplings_ ? &*couplings_ : nullptr; }
    [[nodiscard]] AppliedForces<S>* forces() override { return forces_ ? &*forces_ : nullptr; }
    [[nodiscard]] VelocityConstraints<S>* velocity_constraints() override {
        return velocity_constraints_ ? &*velocity_constraints_ : nullptr;
    }
    [[nodiscard]] Windings<S>* windings() override { return windings_ ? &*windings_ : nullptr; }

    void visit_tapes(TapeVisitor<S>& visitor) override {
        rows_.visit_tapes(visitor);
        dense_.visit_tapes(visitor);
        if (couplings_) {
            couplings_->visit_tapes(visitor);
        }
        if (forces_) {
            forces_->visit_tapes(visitor);
        }
        if (velocity_constraints_) {
            velocity_constraints_->visit_tapes(visitor);
        }
    }

  protected:
    // Of reactions of nonholonomic constraints.
    [[nodiscard]] bool reactions_without_work() const {
        return !velocity_constraints_ || velocity_constraints_->without_work();
    }

    // Where the mass is constant and diagonal: second derivatives couple few coordinates each.
    void offer_couplings() {
        if (copy_) {
            couplings_.emplace(copy_);
            this->properties_.couplings = true;
        }
    }

  private:
    ConstraintRows<S> rows_;
    DenseDerivatives<S> dense_;
    std::shared_ptr<const ModelCopy<S>> copy_;
    std::optional<Couplings<S>> couplings_;
    std::optional<AppliedForces<S>> forces_;
    std::optional<VelocityConstraints<S>> velocity_constraints_;
    std::optional<Windings<S>> windings_;
};

// Compiled once, in src/system/term_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class ConstrainedSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
