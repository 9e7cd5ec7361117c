// A = G M^-1 G^T gathered into the places of any layout: each place is one sum over the coordinates that two rows share.
#pragma once

#include <libration/manifold/sparse_product.hpp>
#include <libration/scalar/tuned.hpp>
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

    template <class S>
    void assemble(const SparsePattern& pattern, std::span<const S> inverse_mass, std::span<const S> G,
                  std::span<S> values) const {
        if (has_zeros_) {
            std::fill(values.begin(), values.end(), lit<S>(0));
        }
        tuned<S>([&]() LIBRATION_TUNED {
            const std::uint32_t* column = pattern.column.data();
            sparse_detail::for_rows(
                pattern, [&](std::size_t i, std::size_t first, auto length, auto run) LIBRATION_TUNED {
                    std::array<S, run> sums;
                    for (std::size_t c = 0; c < run; ++c) {
                        sums[c] = (G[first + c] * G[first + c]) * inverse_mass[column[first] + c];
                    }
                    for (std::size_t e = first + run; e < first + length; e += run) {
                        for (std::size_t c = 0; c < run; ++c) {
                            sums[c] = mad(G[e + c] * G[e + c], inverse_mass[column[e] + c], sums[c]);
                        }
                    }
                    values[diagonal_place_[i]] = sparse_detail::total(sums);
                });
            for (const auto& run : first_runs_) {
                const S sum = (G[run.a] * G[run.b]) * inverse_mass[column[run.a]];
                if (run.length == 2) {  // points in the plane: no loop
                    values[run.place] = mad(G[run.a + 1] * G[run.b + 1], inverse_mass[column[run.a + 1]], sum);
                } else {
                    values[run.place] = add_run<S>(run, 1, sum, column, inverse_mass, G);
                }
            }
            for (const auto& run : later_runs_) {
                values[run.place] = add_run<S>(run, 0, values[run.place], column, inverse_mass, G);
            }
        });
    }

  private:
    // G_a G_b / m + G_a+1 G_b+1 / m + ...: coordinates that two rows share stand side by side in both, as those of a point do.
    struct Run {
        std::uint32_t place, a, b, length;
    };

    template <class S>
    LIBRATION_INLINE static S add_run(const Run& run, std::uint32_t from, S sum, const std::uint32_t* column,
                                      std::span<const S> inverse_mass, std::span<const S> G) {
        for (std::uint32_t n = from; n < run.length; ++n) {
            sum = mad(G[run.a + n] * G[run.b + n], inverse_mass[column[run.a + n]], sum);
        }
        return sum;
    }

    std::vector<std::uint32_t> diagonal_place_;
    std::vector<Run> first_runs_, later_runs_;  // the first of each pair of rows; what is added to it, in order
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

    void operator()(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> G,
                    std::span<S> values) {
        if (diagonal_mass_) {
            products_.assemble<S>(system.pattern(), system.inverse_masses(), G, values);
        } else {
            assemble_full(system, t, q, p, G, values);
        }
    }

  private:
    void assemble_full(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> G,
                       std::span<S> values) {
        const auto& pattern = system.pattern();
        const std::size_t d = system.dimension();
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            const auto column = std::span(columns_).subspan(i * d, d);
            std::fill(column.begin(), column.end(), lit<S>(0));
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                column[pattern.column[e]] = G[e];
            }
            system.solve_mass(t, q, p, column, column);
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
            }
        }
    }

    bool diagonal_mass_;
    ConstraintProducts products_;
    std::vector<std::size_t> full_place_;
    std::vector<S> columns_;
};

}  // namespace libration
