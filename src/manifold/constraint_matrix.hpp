// A = G M^-1 G^T as a factored operator: one factorisation at q_n+1 serves the momentum projection there and the simplified
// Newton iteration of the next step. The structure is found once; values live in spans that the caller owns, because
// they are part of a method's memory.
#pragma once

#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>

#include <memory>

namespace libration {

// The interface behind which sparse and supernodal factorisations change places.
template <class S>
class ConstraintMatrix {
  public:
    virtual ~ConstraintMatrix() = default;
    // Numbers that a factorisation needs.
    [[nodiscard]] virtual std::size_t entries() const = 0;
    // A = G H_pp G^T at (t, q, p) with Jacobian entries G, not yet factored. p may be empty where H is separable.
    virtual void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                          std::span<const S> G, std::span<S> values) = 0;
    // Factors in place; returns the smallest pivot relative to its diagonal entry, 1 without constraints.
    virtual Real<S> factor(std::span<S> values) const = 0;
    // x = A^-1 x with factored values.
    virtual void solve(std::span<const S> values, std::span<S> x) const = 0;
};

// The factorisation that suits the system. Linear time and memory for chains and trees, whatever their numbering.
template <class S>
std::unique_ptr<ConstraintMatrix<S>> make_constraint_matrix(const System<S>& system);

// The one factorisation that all users of a system share: its structure is found once. Numbers belong to the users.
template <class S>
std::shared_ptr<ConstraintMatrix<S>> constraint_matrix(System<S>& system);

// Compiled once, in src/manifold/constraint_matrix.cpp.
#define LIBRATION_EXTERN(scalar)                                                                                     \
    extern template std::unique_ptr<ConstraintMatrix<scalar>> make_constraint_matrix<scalar>(const System<scalar>&); \
    extern template std::shared_ptr<ConstraintMatrix<scalar>> constraint_matrix<scalar>(System<scalar>&);
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
