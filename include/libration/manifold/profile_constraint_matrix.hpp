// A = G M^-1 G^T in a profile, in the order of the rows: for systems whose factor is nearly full.
#pragma once

#include <libration/manifold/constraint_matrix.hpp>
#include <libration/manifold/constraint_products.hpp>
#include <libration/manifold/profile_ldl.hpp>

namespace libration {

// The profile of A: all of it for a full mass matrix, otherwise from the first row that shares a coordinate.
template <class S>
Profile constraint_profile(const System<S>& system) {
    const auto& pattern = system.pattern();
    std::vector<std::size_t> first(pattern.rows(), 0);
    if (!system.inverse_masses().empty()) {
        std::vector<std::size_t> first_use(system.dimension(), pattern.rows());
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            first[i] = i;
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                auto& use = first_use[pattern.column[e]];
                use = std::min(use, i);
                first[i] = std::min(first[i], use);
            }
        }
    }
    return Profile(std::move(first));
}

template <class S>
class ProfileConstraintMatrix final : public ConstraintMatrix<S> {
  public:
    explicit ProfileConstraintMatrix(const System<S>& system)
        : profile_(constraint_profile(system)),
          assembly_(system, profile_.entries(), [this](std::size_t i, std::size_t j) { return profile_.place(i, j); }) {
    }

    [[nodiscard]] std::size_t entries() const override { return profile_.entries(); }

    void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G,
                  std::span<S> values) override {
        assembly_(system, t, q, G, values);
    }
    Real<S> factor(std::span<S> values) const override { return libration::factor<S>(profile_, values); }
    void solve(std::span<const S> values, std::span<S> x) const override { libration::solve<S>(profile_, values, x); }

  private:
    Profile profile_;
    ConstraintAssembly<S> assembly_;
};

}  // namespace libration
