// The numerical face of a model: values and derivatives over one scalar.
//
//     q' = H_p     p' = -H_q - G^T lambda     0 = g(t, q)      G = g_q,   p = M v
//
// Methods and the manifold know only this class. Every call takes the time and both q and p where the mathematics has
// them, whether a kind of system needs them or not; `separable` says that H = 1/2 p^T M^-1 p + U(q) with constant M,
// and opens the fast path.
#pragma once

#include <libration/kit/constraint_matrix.hpp>
#include <libration/kit/scalar.hpp>
#include <libration/kit/treated_terms.hpp>
#include <libration/model/force.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// The fixed sparsity pattern of G, row by row.
struct SparsePattern {
    std::vector<std::size_t> row_start{0};  // rows + 1 entries
    std::vector<std::uint32_t> column;
    // Every row is a sequence of runs of this many consecutive columns: 2 if everything consists of points in the
    // plane, 3 in space.
    std::size_t run = 1;
    [[nodiscard]] std::size_t rows() const { return row_start.size() - 1; }
    [[nodiscard]] std::size_t entries() const { return column.size(); }
};

// The longest such run, at most 3.
inline std::size_t longest_run(const SparsePattern& pattern) {
    for (const std::size_t run : {std::size_t{3}, std::size_t{2}}) {
        bool fits = true;
        for (std::size_t i = 0; i < pattern.rows() && fits; ++i) {
            const std::size_t first = pattern.row_start[i], last = pattern.row_start[i + 1];
            fits = (last - first) % run == 0;
            for (std::size_t e = first; e < last && fits; ++e) {
                fits = (e - first) % run == 0 || pattern.column[e] == pattern.column[e - 1] + 1;
            }
        }
        if (fits) {
            return run;
        }
    }
    return 1;
}

// Properties of a model that methods may require.
struct SystemProperties {
    bool separable = true;     // H = 1/2 p^T M^-1 p + U(q), M constant
    bool hamiltonian = true;   // false: a field without H, q' = velocity, p' = -force_gradient, where p stands for v
    bool partitioned = true;   // false: a field in q alone; p is zero and stays so
    bool conservative = true;  // the energy is an invariant
    bool depends_on_time = false;
    bool moving_constraints = false;   // g contains t
    bool forced = false;               // non-Hamiltonian forces act
    bool reactions_in_forces = false;  // some of them depend on the multipliers
    std::size_t nonholonomic = 0;      // constraints k(t, q, v) = 0 in addition to g; see velocity_constraints()
    // Of the augmented system of a singular mass matrix: this many of the last coordinates, and as many of the last
    // rows of g, were added by the system itself and are zero along every solution. [Jay 1998, (13)]
    std::size_t added = 0;
    unsigned parts = 0;              // those that a split potential names; 0: not split
    bool dense_derivatives = false;  // field_jacobian can be called; with H part_hessian, reaction_gradient
    bool couplings = false;          // couplings() gives second derivatives of a separable system pair by pair
    std::vector<std::vector<std::uint32_t>> blocks;  // of a divergence-free field: coordinates that move together
    std::string untraced;                            // "the potential" ..., if it is a function; empty: all traced
    TreatedTerms terms;                              // how the model treats them individually
};

// Where a rigid body lies: coordinates first ... first + 8 are a 3x3 matrix Q, row by row, with one mass per column;
// rows first_row ... first_row + 5 of g are those of Q^T Q = I in the order (1,1), (2,2), (3,3), (1,2), (1,3), (2,3).
struct RigidBlock {
    std::size_t first = 0;
    std::size_t first_row = 0;
};

template <class S>
class TapeVisitor;  // see expression/tape_visitor.hpp
template <class S>
class Couplings;  // see couplings.hpp
template <class S>
class AppliedForces;  // see applied_forces.hpp
template <class S>
class VelocityConstraints;  // see velocity_constraints.hpp
template <class S>
class Windings;  // see windings.hpp

// Sizes: q, p, v, forces have `dimension` entries; g, lambda `constraints`; a Jacobian `pattern().entries()`. Outputs
// are overwritten. Not for two threads at once: a system owns scratch space. No call allocates.
template <class S>
class System {
  public:
    System() = default;
    virtual ~System() = default;
    // Scratch space and the shared factorization belong to one system.
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::size_t constraints() const { return pattern_.rows(); }
    [[nodiscard]] const SparsePattern& pattern() const { return pattern_; }
    [[nodiscard]] const SystemProperties& properties() const { return properties_; }
    // Of separable systems with diagonal mass; a view of a system names none.
    [[nodiscard]] std::span<const RigidBlock> bodies() const { return bodies_; }

    virtual S energy(const S& t, std::span<const S> q, std::span<const S> p) = 0;
    // v = H_p
    virtual void velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) = 0;
    // H_q; of U alone where H is separable
    virtual void force_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> gradient) = 0;
    // U_q of some parts of a split potential; separable systems only.
    virtual void part_gradient(unsigned parts, const S& t, std::span<const S> q, std::span<S> gradient);
    // p with H_p(t, q, p) = v
    virtual void apply_mass(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) = 0;
    // y = H_pp(t, q, p) x, that is M^-1 x; x and y may be the same.
    virtual void solve_mass(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> x,
                            std::span<S> y) = 0;
    // H_pq dq + H_pp dp + H_pt: how the velocity changes along a motion. M^-1 dp where H is separable. dp and rate may
    // be the same.
    virtual void velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> dq,
                               std::span<const S> dp, std::span<S> rate);
    // The pivots of M(t, q) = L D L^T, each as a part of the diagonal entry that it comes from: M is positive definite
    // if all of them are positive. False, and nothing is done, where M is known to be so everywhere or need not be.
    virtual bool mass_pivots(const S&, std::span<const S>, std::span<S>) { return false; }
    // 1/m for each coordinate where the mass is constant and diagonal, otherwise empty.
    [[nodiscard]] virtual std::span<const S> inverse_masses() const = 0;

    // Dense derivatives, for implicit methods on small systems; only where properties().dense_derivatives. Row-major.
    // The first call of any of the three builds their programs and allocates. J, 2 dimension x 2 dimension: derivative
    // of (q', p') = (velocity, -force_gradient) by (q, p).
    virtual void field_jacobian(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> J);
    // U_qq of some parts, dimension x dimension.
    virtual void part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> hessian);
    // Gradient by (q, p) of y^T r(q, p) - y^T A(q, p) lambda with y and lambda held fixed, where A lambda = r is the
    // equation of the multipliers (Jay 1996, (3.1f)): r = G_q(H_p, H_p) + 2 g_qt H_p + g_tt + G (H_pq H_p - H_pp H_q +
    // H_pt), A = G H_pp G^T.
    virtual void reaction_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> y,
                                   std::span<const S> lambda, std::span<S> by_q, std::span<S> by_p);

    // sum lambda_i g_i,qq, dimension x dimension.
    virtual void reaction_hessian(const S& t, std::span<const S> q, std::span<const S> lambda, std::span<S> hessian);

    // Second derivatives pair by pair, of any size; null where properties().couplings is false.
    [[nodiscard]] virtual Couplings<S>* couplings() { return nullptr; }

    // What acts beside H: p' = -H_q + forces - G^T lambda. Null where nothing does; no other call counts them.
    [[nodiscard]] virtual AppliedForces<S>* forces() { return nullptr; }

    // Nonholonomic constraints k(t, q, v) = 0: p' = ... - k_v^T lambda. Null where there are none; no other call
    // includes them.
    [[nodiscard]] virtual VelocityConstraints<S>* velocity_constraints() { return nullptr; }

    // Angles that count turns. Null where there are none. All calls take the branches that are nearest to the angles
    // that this was told last: those of a node.
    [[nodiscard]] virtual Windings<S>* windings() { return nullptr; }

    // g at q + q_low, where q_low holds what rounding dropped from q (empty: nothing).
    virtual void constraint(const S& t, std::span<const S> q, std::span<const S> q_low, std::span<S> g) = 0;
    // G, and the size of the numbers affected by rounding in the evaluation of each row of g (`rounding` may be
    // empty).
    virtual void jacobian(const S& t, std::span<const S> q, std::span<S> entries, std::span<S> rounding) = 0;
    void constraint(const S& t, std::span<const S> q, std::span<S> g) { constraint(t, q, {}, g); }
    void jacobian(const S& t, std::span<const S> q, std::span<S> entries) { jacobian(t, q, entries, {}); }
    // G_q(v, v) + 2 g_qt v + g_tt: what G v' must cancel along a motion.
    virtual void curvature(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> rows) = 0;
    // g_t
    virtual void constraint_rate(const S& t, std::span<const S> q, std::span<S> rows) = 0;

    // All programs that the calls above run; dense derivatives once they are built.
    virtual void visit_tapes(TapeVisitor<S>&) {}

    // Null until constraint_matrix(system) of the room `manifold` chooses one, for all who work on this system.
    std::shared_ptr<ConstraintMatrix<S>> shared_constraint_matrix;

  protected:
    std::size_t dimension_ = 0;
    SparsePattern pattern_;
    SystemProperties properties_;
    std::vector<RigidBlock> bodies_;
};

template <class S>
void System<S>::part_gradient(unsigned, const S&, std::span<const S>, std::span<S>) {
    assert(false && "the potential is not split");
}

template <class S>
void System<S>::velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>,
                              std::span<const S> dp, std::span<S> rate) {
    solve_mass(t, q, p, dp, rate);
}

template <class S>
void System<S>::field_jacobian(const S&, std::span<const S>, std::span<const S>, std::span<S>) {
    assert(false && "no dense derivatives");
}

template <class S>
void System<S>::part_hessian(unsigned, const S&, std::span<const S>, std::span<S>) {
    assert(false && "no dense derivatives");
}

template <class S>
void System<S>::reaction_gradient(const S&, std::span<const S>, std::span<const S>, std::span<const S>,
                                  std::span<const S>, std::span<S>, std::span<S>) {
    assert(false && "no dense derivatives");
}

template <class S>
void System<S>::reaction_hessian(const S&, std::span<const S>, std::span<const S>, std::span<S>) {
    assert(false && "no dense derivatives");
}

}  // namespace libration
