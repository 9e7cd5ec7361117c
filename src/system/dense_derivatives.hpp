// Second and third derivatives of a small model as dense numbers, for implicit methods: what the calls field_jacobian,
// part_hessian and reaction_gradient of a System give. A system holds one of these and hands the calls on.
//
// Programs are built at the first call: a model of which no method asks for derivatives pays for a copy of its
// description only. Later calls allocate nothing.
#pragma once

#include "model_copy.hpp"
#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>

namespace libration {

// Beyond this a dense matrix, 2 d x 2 d and more in each Newton step, is the wrong tool.
inline constexpr std::size_t most_dense_coordinates = 128;

template <class S>
class DenseDerivatives {
  public:
    DenseDerivatives();
    explicit DenseDerivatives(std::shared_ptr<const ModelCopy<S>> copy);
    ~DenseDerivatives();
    DenseDerivatives(DenseDerivatives&&) noexcept;
    DenseDerivatives& operator=(DenseDerivatives&&) noexcept;

    // Whether the calls below may be made: the model has no more than most_dense_coordinates.
    [[nodiscard]] bool available() const { return copy_ != nullptr; }

    // As in System; `system` is that of the model. All but the first need an H.
    void field_jacobian(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<S> J);
    void part_hessian(System<S>& system, unsigned parts, const S& t, std::span<const S> q, std::span<S> hessian);
    void reaction_hessian(System<S>& system, const S& t, std::span<const S> q, std::span<const S> lambda,
                          std::span<S> hessian);
    void reaction_gradient(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                           std::span<const S> y, std::span<const S> lambda, std::span<S> by_q, std::span<S> by_p);

    // Nothing before the first call of the others.
    void visit_tapes(TapeVisitor<S>& visitor);

  private:
    struct Programs;
    Programs& programs(System<S>& system);

    std::shared_ptr<const ModelCopy<S>> copy_;
    std::unique_ptr<Programs> programs_;
};

// Compiled once, in src/system/dense_derivatives.cpp.
#define LIBRATION_EXTERN(scalar) extern template class DenseDerivatives<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
