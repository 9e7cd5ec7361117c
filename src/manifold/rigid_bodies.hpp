// Rigid bodies: constraints Q^T Q = I on 3x3 matrices, solved in three unknowns each.
//
// G^T lambda is Q L with L symmetric, L_ii = 2 lambda_ii, L_ij = lambda_ij. With D = diag(d) and P~ = P - k U_Q the
// step of SHAKE and RATTLE is Q' = Q R with a rotation R:
//
//     (R - I) D / h = W - k L,    W = Q^T P~                                      [HLW03 (6.14); CHL Example 3]
//
// Its skew part is free of L. With the vector x of Rodrigues, R - I = 2/(1 + x.x) (x^ + x^^2), a rotation by the angle
// 2 atan |x| about x, it is a system of three quadratic equations: no root, and singular only where the step has no
// solution.
//
//     I x + D x x x = h/2 a (1 + x.x),    I = tr(D) - D,    a^ = W - W^T
//
// L is the rest of the symmetric part. A = G M^-1 G^T is diagonal on the manifold: 4/d_i and 1/d_i + 1/d_j.
#pragma once

#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>
#include <libration/kit/tuned.hpp>

#include <array>

namespace libration {

// The bodies whose coordinates no other constraint touches. Nothing allocates after construction.
template <class S>
class RigidBodies {
  public:
    explicit RigidBodies(const System<S>& system);

    // All constraints of the system are those of these bodies.
    [[nodiscard]] bool complete() const { return complete_; }

    // The multipliers of p' = p - f force - k G^T lambda, q' = q + h M^-1 p', g(q') = 0, in the rows of the bodies;
    // other rows keep what they hold. Good to round-off where the angle of rotation is below 1 or so. Where the step
    // has no solution they are meaningless, as g(q') then tells.
    void multipliers(std::span<const S> q, std::span<const S> p, std::span<const S> force, const S& force_kick,
                     const S& kick, const S& h, std::span<S> lambda) const;

    // As the functions of the same names do for any system; only where complete().
    void constraint(std::span<const S> q, std::span<const S> q_low, std::span<S> g) const;
    void apply_jacobian(std::span<const S> q, std::span<const S> x, std::span<S> rows) const;
    void add_transposed(std::span<const S> q, std::span<const S> lambda, std::span<S> y) const;
    void add_transposed_sizes(std::span<const S> q, std::span<const S> lambda, std::span<S> y) const;
    void floors(std::span<const S> q, std::span<const S> sizes, std::span<S> floors) const;
    // x = A^-1 x
    void solve(std::span<S> x) const;

  private:
    struct Body {
        std::size_t first, row;
        std::array<S, 3> d, inertia, difference;  // d_i, I_i, and d_j - d_k for i, j, k in cyclic order
        std::array<S, 6> inverse;                 // of the diagonal of A
    };

    std::vector<Body> bodies_;
    bool complete_ = false;
};

// Compiled once, in src/manifold/rigid_bodies.cpp.
#define LIBRATION_EXTERN(scalar) extern template class RigidBodies<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
