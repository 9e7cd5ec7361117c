// A = G M^-1 G^T as a factored operator: one factorisation at q_n+1 serves the momentum projection there and the simplified
// Newton iteration of the next step. The structure is found once; values live in spans that the caller owns, because
// they are part of a method's memory.
#pragma once

#include <libration/manifold/profile_ldl.hpp>
#include <libration/system/system.hpp>

#include <memory>

namespace libration {

// The interface behind which dense, banded and sparse factorisations change places.
template <class S>
class ConstraintMatrix {
  public:
    virtual ~ConstraintMatrix() = default;
    // Numbers that a factorisation needs.
    [[nodiscard]] virtual std::size_t entries() const = 0;
    // A at (t, q) with Jacobian entries G, not yet factored.
    virtual void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G,
                          std::span<S> values) = 0;
    // Factors in place; returns the smallest pivot relative to its diagonal entry, 1 without constraints.
    virtual Real<S> factor(std::span<S> values) const = 0;
    // x = A^-1 x with factored values.
    virtual void solve(std::span<const S> values, std::span<S> x) const = 0;
};

template <class S>
class ProfileConstraintMatrix final : public ConstraintMatrix<S> {
  public:
    explicit ProfileConstraintMatrix(const System<S>& system) : pattern_(system.pattern()) {
        std::vector<std::vector<RowEntry>> in_column(system.dimension());
        for (std::uint32_t i = 0; i < pattern_.rows(); ++i) {
            for (std::size_t e = pattern_.row_start[i]; e < pattern_.row_start[i + 1]; ++e) {
                in_column[pattern_.column[e]].push_back({i, static_cast<std::uint32_t>(e)});
            }
        }
        diagonal_mass_ = !system.inverse_masses().empty();
        std::vector<std::size_t> first(pattern_.rows(), 0);
        if (diagonal_mass_) {
            for (std::size_t i = 0; i < pattern_.rows(); ++i) {
                first[i] = i;
                for (std::size_t e = pattern_.row_start[i]; e < pattern_.row_start[i + 1]; ++e) {
                    first[i] = std::min<std::size_t>(first[i], in_column[pattern_.column[e]].front().row);
                }
            }
        }
        profile_ = Profile(std::move(first));
        if (diagonal_mass_) {
            collect_products(in_column);
        } else {
            columns_.assign(pattern_.rows() * system.dimension(), lit<S>(0));
        }
    }

    [[nodiscard]] std::size_t entries() const override { return profile_.entries(); }
    [[nodiscard]] const Profile& profile() const { return profile_; }

    void assemble(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G,
                  std::span<S> values) override {
        if (diagonal_mass_) {
            assemble_diagonal(system.inverse_masses(), G, values);
        } else {
            assemble_full(system, t, q, G, values);
        }
    }

    Real<S> factor(std::span<S> values) const override { return libration::factor<S>(profile_, values); }
    void solve(std::span<const S> values, std::span<S> x) const override { libration::solve<S>(profile_, values, x); }

  private:
    struct RowEntry {
        std::uint32_t row, entry;
    };
    // One contribution G_a * G_b / m_column to one place of A.
    struct Product {
        std::uint32_t a, b, column;
    };

    void collect_products(const std::vector<std::vector<RowEntry>>& in_column) {
        product_start_.push_back(0);
        for (std::uint32_t i = 0; i < pattern_.rows(); ++i) {
            std::vector<std::vector<Product>> row(i - profile_.first(i) + 1);
            for (std::size_t e = pattern_.row_start[i]; e < pattern_.row_start[i + 1]; ++e) {
                for (const auto& other : in_column[pattern_.column[e]]) {
                    if (other.row <= i) {
                        row[other.row - profile_.first(i)].push_back(
                            {static_cast<std::uint32_t>(e), other.entry, pattern_.column[e]});
                    }
                }
            }
            for (const auto& place : row) {
                products_.insert(products_.end(), place.begin(), place.end());
                product_start_.push_back(products_.size());
            }
        }
    }

    void assemble_diagonal(std::span<const S> inverse_mass, std::span<const S> G, std::span<S> values) const {
        for (std::size_t place = 0; place < profile_.entries(); ++place) {
            std::size_t k = product_start_[place];
            const std::size_t end = product_start_[place + 1];
            if (k == end) {
                values[place] = lit<S>(0);  // inside the profile, filled by the factorisation
                continue;
            }
            S sum = (G[products_[k].a] * G[products_[k].b]) * inverse_mass[products_[k].column];
            for (++k; k < end; ++k) {
                const auto& product = products_[k];
                sum = mad(G[product.a] * G[product.b], inverse_mass[product.column], sum);
            }
            values[place] = sum;
        }
    }

    // Full mass: solve M for every row of G, then multiply. For small systems.
    void assemble_full(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G, std::span<S> values) {
        const std::size_t d = system.dimension();
        for (std::size_t i = 0; i < pattern_.rows(); ++i) {
            const auto column = std::span(columns_).subspan(i * d, d);
            std::fill(column.begin(), column.end(), lit<S>(0));
            for (std::size_t e = pattern_.row_start[i]; e < pattern_.row_start[i + 1]; ++e) {
                column[pattern_.column[e]] = G[e];
            }
            system.solve_mass(t, q, column, column);
        }
        for (std::size_t i = 0; i < pattern_.rows(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                std::size_t e = pattern_.row_start[i];
                S sum = G[e] * columns_[j * d + pattern_.column[e]];
                for (++e; e < pattern_.row_start[i + 1]; ++e) {
                    sum = mad(G[e], columns_[j * d + pattern_.column[e]], sum);
                }
                values[profile_.place(i, j)] = sum;
            }
        }
    }

    SparsePattern pattern_;
    Profile profile_;
    bool diagonal_mass_ = true;
    std::vector<Product> products_;
    std::vector<std::size_t> product_start_;
    std::vector<S> columns_;
};

// The factorisation that suits the system.
template <class S>
std::unique_ptr<ConstraintMatrix<S>> make_constraint_matrix(const System<S>& system) {
    return std::make_unique<ProfileConstraintMatrix<S>>(system);
}

}  // namespace libration
