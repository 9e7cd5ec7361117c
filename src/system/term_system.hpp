// The system of a model made of terms, with constant mass: H = 1/2 p^T M^-1 p + U(t, q).
#pragma once

#include "constrained_system.hpp"
#include "mass.hpp"
#include "model/model_values.hpp"
#include "potential_terms.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class TermSystem final : public ConstrainedSystem<S> {
  public:
    explicit TermSystem(const Model& model) : TermSystem(model, parameter_values<S>(model)) {}
    // `given`: the parameters of the model, or other values for them.
    TermSystem(const Model& model, const ParameterValues<S>& given)
        : ConstrainedSystem<S>(model, given), mass_(model, given), potential_(model, given) {
        this->properties_.parts = potential_.named_parts();
        this->properties_.depends_on_time |= potential_.uses_time();
        this->properties_.conservative =
            !this->properties_.depends_on_time && !this->properties_.forced && this->reactions_without_work();
        if (!mass_.inverse_masses().empty()) {
            this->offer_couplings();
            for (const auto& body : model.bodies) {
                if (body.kind == BodyKind::spatial) {
                    this->bodies_.push_back({body.first, body.first_row});
                }
            }
        }
    }

    S energy(const S& t, std::span<const S> q, std::span<const S> p) override {
        return potential_.add_to(lit<S>(1, 2) * mass_.product(p), t, q);
    }

    void velocity(const S&, std::span<const S>, std::span<const S> p, std::span<S> v) override { mass_.solve(p, v); }

    void force_gradient(const S& t, std::span<const S> q, std::span<const S>, std::span<S> gradient) override {
        potential_.gradient(t, q, gradient);
    }

    void part_gradient(unsigned parts, const S& t, std::span<const S> q, std::span<S> gradient) override {
        potential_.gradient(parts, t, q, gradient);
    }

    void apply_mass(const S&, std::span<const S>, std::span<const S> v, std::span<S> p) override { mass_.apply(v, p); }
    void solve_mass(const S&, std::span<const S>, std::span<const S>, std::span<const S> x, std::span<S> y) override {
        mass_.solve(x, y);
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return mass_.inverse_masses(); }

    void visit_tapes(TapeVisitor<S>& visitor) override {
        ConstrainedSystem<S>::visit_tapes(visitor);
        potential_.visit_tapes(visitor);
    }

  private:
    ConstantMass<S> mass_;
    PotentialTerms<S> potential_;
};

// Compiled once, in src/system/term_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class TermSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
