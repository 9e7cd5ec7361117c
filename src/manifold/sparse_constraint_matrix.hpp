// A = G M^-1 G^T in a sparse factor with little fill.
#pragma once

#include "constraint_matrix.hpp"
#include "constraint_products.hpp"
#include "sparse_ldl.hpp"

namespace libration {

template <class S>
class SparseConstraintMatrix final : public ConstraintMatrix<S> {
  public:
    SparseConstraintMatrix(const System<S>& system, Elimination elimination)
        : ldl_(std::move(elimination)), assembly_(system, ldl_.places(), PlaceFinder(ldl_.elimination())),
          rows_(system.constraints()) {}

    // The factor, then the diagonal of A, with which the pivots are compared.
    [[nodiscard]] std::size_t entries() const override { return ldl_.places() + rows_; }

    void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> G,
                  std::span<S> values) override {
        assembly_(system, t, q, p, G, values.first(ldl_.places()));
        const auto diagonal = values.last(rows_);
        tuned<S>([&]() LIBRATION_TUNED {
            const auto* start = ldl_.elimination().start.data();
            for (std::size_t k = 0; k < rows_; ++k) {
                diagonal[k] = values[start[k]];
            }
        });
    }
    Real<S> factor(std::span<S> values) const override {
        return ldl_.factor<S>(values.first(ldl_.places()), values.last(rows_));
    }
    void solve(std::span<const S> values, std::span<S> x) const override {
        ldl_.solve<S>(values.first(ldl_.places()), x);
    }

  private:
    SparseLdl ldl_;
    ConstraintAssembly<S> assembly_;
    std::size_t rows_;
};

}  // namespace libration
