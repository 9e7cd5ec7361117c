// A = G M^-1 G^T as a factored operator: one factorization at q_n+1 serves the momentum projection there and the
// simplified Newton iteration of the next step. The structure is computed once; values live in spans owned by the
// caller, because they are part of a method's memory.
//
// A system owns its operator, so the interface is declared here; factorizations belong to the room
// `manifold`.
#pragma once

#include <libration/kit/scalar.hpp>

#include <cstddef>
#include <span>

namespace [[gnu::visibility("default")]] libration {

template <class S>
class System;  // see system.hpp

// The common interface of sparse and supernodal factorizations.
template <class S>
class ConstraintMatrix {
  public:
    virtual ~ConstraintMatrix() = default;
    // Storage that a factorization needs.
    [[nodiscard]] virtual std::size_t entries() const = 0;
    // A = G H_pp G^T at (t, q, p) with Jacobian entries G, not yet factored. p may be empty where H is separable.
    virtual void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                          std::span<const S> G, std::span<S> values) = 0;
    // Factors in place; returns the smallest pivot relative to its diagonal entry, 1 without constraints.
    virtual Real<S> factor(std::span<S> values) const = 0;
    // x = A^-1 x with factored values.
    virtual void solve(std::span<const S> values, std::span<S> x) const = 0;
};

}  // namespace libration
