// What systems of all kinds share: the constraints of the model.
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/system/constraint_rows.hpp>

namespace libration {

template <class S>
class ConstrainedSystem : public System<S> {
  public:
    ConstrainedSystem(const Model& model, const ParameterValues<S>& given) : rows_(model, given, this->pattern_) {
        this->dimension_ = model.dimension;
    }

    using System<S>::constraint;
    using System<S>::jacobian;

    void constraint(const S&, std::span<const S> q, std::span<const S> q_low, std::span<S> g) override {
        rows_.values(q, q_low, g);
    }
    void jacobian(const S&, std::span<const S> q, std::span<S> entries, std::span<S> rounding) override {
        rows_.jacobian(q, entries, rounding);
    }
    void curvature(const S&, std::span<const S> q, std::span<const S> v, std::span<S> rows) override {
        rows_.curvature(q, v, rows);
    }
    void constraint_rate(const S&, std::span<const S>, std::span<S> rows) override {
        std::ranges::fill(rows, lit<S>(0));
    }

  private:
    ConstraintRows<S> rows_;
};

// Compiled once, in src/system/term_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class ConstrainedSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
