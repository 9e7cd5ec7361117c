// A = G M^-1 G^T gathered into the places of any layout: each place is one sum over the coordinates that two rows share.
#pragma once

#include <libration/system/system.hpp>

#include <algorithm>
#include <functional>

namespace libration {

// The place of A_ij, i >= j, in a layout; asked once for every pair that couples.
using PlaceOf = std::function<std::size_t(std::uint32_t i, std::uint32_t j)>;

// For a diagonal mass matrix: lists of products, built once. The order of every sum depends on the model alone.
class ConstraintProducts {
  public:
    ConstraintProducts() = default;
    // `places` is the size of the layout; those that no pair of rows owns are set to zero.
    ConstraintProducts(const SparsePattern& pattern, std::size_t dimension, std::size_t places, const PlaceOf& place);

    // `diagonal` gets A_ii by rows as well; it may be empty.
    template <class S>
    void assemble(const SparsePattern& pattern, std::span<const S> inverse_mass, std::span<const S> G,
                  std::span<S> values, std::span<S> diagonal) const {
        if (has_zeros_) {
            std::fill(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(places_), lit<S>(0));
        }
        const std::uint32_t* column = pattern.column.data();
        for (std::size_t i = 0; i < diagonal_place_.size(); ++i) {
            std::size_t e = pattern.row_start[i];
            S sum = (G[e] * G[e]) * inverse_mass[column[e]];
            for (++e; e < pattern.row_start[i + 1]; ++e) {
                sum = mad(G[e] * G[e], inverse_mass[column[e]], sum);
            }
            values[diagonal_place_[i]] = sum;
            if (!diagonal.empty()) {
                diagonal[i] = sum;
            }
        }
        for (const auto& run : first_runs_) {
            const S sum = (G[run.a] * G[run.b]) * inverse_mass[column[run.a]];
            values[run.place] = add_run<S>(run, 1, sum, column, inverse_mass, G);
        }
        for (const auto& run : later_runs_) {
            values[run.place] = add_run<S>(run, 0, values[run.place], column, inverse_mass, G);
        }
    }

  private:
    // G_a G_b / m + G_a+1 G_b+1 / m + ...: the coordinates of a point that two rows share stand side by side in both.
    struct Run {
        std::uint32_t place, a, b, length;
    };

    template <class S>
    static S add_run(const Run& run, std::uint32_t from, S sum, const std::uint32_t* column,
                     std::span<const S> inverse_mass, std::span<const S> G) {
        for (std::uint32_t n = from; n < run.length; ++n) {
            sum = mad(G[run.a + n] * G[run.b + n], inverse_mass[column[run.a + n]], sum);
        }
        return sum;
    }

    std::vector<std::uint32_t> diagonal_place_;
    std::vector<Run> first_runs_, later_runs_;  // the first of each pair of rows; what is added to it, in order
    std::size_t places_ = 0;
    bool has_zeros_ = false;
};

// For any mass matrix: products where it is diagonal; otherwise M is solved for every row of G, which suits small systems.
template <class S>
class ConstraintAssembly {
  public:
    // With a full mass matrix `place` is asked for all pairs.
    ConstraintAssembly(const System<S>& system, std::size_t places, const PlaceOf& place)
        : diagonal_mass_(!system.inverse_masses().empty()) {
        if (diagonal_mass_) {
            products_ = ConstraintProducts(system.pattern(), system.dimension(), places, place);
            return;
        }
        for (std::uint32_t i = 0; i < system.constraints(); ++i) {
            for (std::uint32_t j = 0; j <= i; ++j) {
                full_place_.push_back(place(i, j));
            }
        }
        columns_.assign(system.constraints() * system.dimension(), lit<S>(0));
    }

    void operator()(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G, std::span<S> values,
                    std::span<S> diagonal) {
        if (diagonal_mass_) {
            products_.assemble<S>(system.pattern(), system.inverse_masses(), G, values, diagonal);
        } else {
            assemble_full(system, t, q, G, values, diagonal);
        }
    }

  private:
    void assemble_full(System<S>& system, const S& t, std::span<const S> q, std::span<const S> G, std::span<S> values,
                       std::span<S> diagonal) {
        const auto& pattern = system.pattern();
        const std::size_t d = system.dimension();
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            const auto column = std::span(columns_).subspan(i * d, d);
            std::fill(column.begin(), column.end(), lit<S>(0));
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                column[pattern.column[e]] = G[e];
            }
            system.solve_mass(t, q, column, column);
        }
        const std::size_t* place = full_place_.data();
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            for (std::size_t j = 0; j <= i; ++j, ++place) {
                std::size_t e = pattern.row_start[i];
                S sum = G[e] * columns_[j * d + pattern.column[e]];
                for (++e; e < pattern.row_start[i + 1]; ++e) {
                    sum = mad(G[e], columns_[j * d + pattern.column[e]], sum);
                }
                values[*place] = sum;
                if (j == i && !diagonal.empty()) {
                    diagonal[i] = sum;
                }
            }
        }
    }

    bool diagonal_mass_;
    ConstraintProducts products_;
    std::vector<std::size_t> full_place_;
    std::vector<S> columns_;
};

}  // namespace libration
