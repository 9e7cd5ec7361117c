// The non-Hamiltonian forces of a model, over one scalar: f_k(t, q, v, lambda), each for itself, and their derivatives.
#pragma once

#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/kit/scalars.hpp>

#include <cstdint>

namespace libration {

template <class S>
class AppliedForces {
  public:
    AppliedForces(const Model& model, const ParameterValues<S>& given);

    [[nodiscard]] std::size_t count() const { return count_; }
    // Whether any of them contains lambda.
    [[nodiscard]] bool depend_on_multipliers() const { return depend_on_multipliers_; }

    // One component of one force.
    struct Component {
        std::uint32_t force, coordinate;
    };
    [[nodiscard]] std::span<const Component> components() const { return components_; }
    // One value per component, in their order.
    void values(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> lambda, std::span<S> f) {
        values_.run(t, {q, v, lambda}, f);
    }
    // total += sum of all forces
    void add_to(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> lambda, std::span<S> total) {
        values_.run(t, {q, v, lambda});
        for (std::size_t k = 0; k < components_.size(); ++k) {
            S& target = total[components_[k].coordinate];
            target = target + values_.output(k);
        }
    }

    // The derivative of a component by the variable `column`: q, v, lambda one after another. Only those not
    // identically zero.
    struct Slope {
        std::uint32_t component, column;
    };
    [[nodiscard]] std::span<const Slope> slopes() const { return slopes_; }
    void slope_values(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> lambda,
                      std::span<S> slopes) {
        derivatives_.run(t, {q, v, lambda}, slopes);
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        values_.visit_tapes(visitor);
        derivatives_.visit_tapes(visitor);
    }

  private:
    std::size_t count_;
    bool depend_on_multipliers_ = false;
    std::vector<Component> components_;
    std::vector<Slope> slopes_;
    WholeTape<S> values_, derivatives_;
};

// Compiled once, in src/system/applied_forces.cpp.
#define LIBRATION_EXTERN(scalar) extern template class AppliedForces<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
