// A = G M^-1 G^T of large nets: the supernodal factorisation behind ConstraintMatrix.
#pragma once

#include "constraint_matrix.hpp"
#include "constraint_products.hpp"
#include "supernodal_solve.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

// Owns scratch space: not for two threads at once. A square net of 1e6 constraints needs about 42 numbers of values
// a constraint.
template <class S>
class SupernodalConstraintMatrix final : public ConstraintMatrix<S> {
  public:
    explicit SupernodalConstraintMatrix(const System<S>& system)
        : SupernodalConstraintMatrix(system, ordered_graph(system)) {}
    SupernodalConstraintMatrix(const System<S>& system, const OrderedGraph& ordered)
        : structure_(ordered.graph, ordered.order),
          assembly_(system, structure_.entries(), [this](auto i, auto j) { return structure_.place(i, j); }),
          work_(structure_) {}

    [[nodiscard]] std::size_t entries() const override { return structure_.entries(); }
    [[nodiscard]] const SupernodalStructure& structure() const { return structure_; }

    void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> G,
                  std::span<S> values) override {
        assembly_(system, t, q, p, G, values);
    }
    Real<S> factor(std::span<S> values) const override { return libration::factor<S>(structure_, values, work_); }
    void solve(std::span<const S> values, std::span<S> x) const override {
        libration::solve<S>(structure_, values, x, work_);
    }

  private:
    SupernodalStructure structure_;
    ConstraintAssembly<S> assembly_;
    mutable SupernodalWorkspace<S> work_;
};

// Compiled once, in src/manifold/supernodal_constraint_matrix.cpp.
#define LIBRATION_EXTERN(scalar) extern template class SupernodalConstraintMatrix<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
