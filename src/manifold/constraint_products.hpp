// A = G M^-1 G^T gathered into the places of any layout: each place is one sum over the coordinates that two rows
// share.
#pragma once

#include "linked_rows.hpp"
#include <libration/kit/system.hpp>
#include <libration/kit/tuned.hpp>

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
            switch (pattern.run) {
                case 2: add_rows<2, S>(pattern, inverse_mass.data(), G.data(), values.data()); break;
                case 3: add_rows<3, S>(pattern, inverse_mass.data(), G.data(), values.data()); break;
                default: add_rows<1, S>(pattern, inverse_mass.data(), G.data(), values.data());
            }
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
    // G_a G_b / m + G_a+1 G_b+1 / m + ...: coordinates that two rows share stand side by side in both, as those of a
    // point do.
    struct Run {
        std::uint32_t place, a, b, length;
    };

    // The diagonal; of linked rows also what couples each with the one before.
    template <std::size_t run, class S>
    LIBRATION_INLINE void add_rows(const SparsePattern& pattern, const S* inverse_mass, const S* G, S* values) const {
        std::size_t done = 0;
        const std::uint32_t* beside = beside_place_.data();
        for (const auto& links : linked_rows_) {
            add_diagonal<run, S>(pattern, done, links.first, inverse_mass, G, values);
            const std::size_t count = links.end - links.first;
            add_links<run, S>(count, inverse_mass + links.column, G + pattern.row_start[links.first],
                              diagonal_place_.data() + links.first, beside, values);
            done = links.end;
            beside += count - 1;
        }
        add_diagonal<run, S>(pattern, done, pattern.rows(), inverse_mass, G, values);
    }

    template <std::size_t run, class S>
    LIBRATION_INLINE void add_diagonal(const SparsePattern& pattern, std::size_t begin, std::size_t end,
                                       const S* inverse_mass, const S* G, S* values) const {
        const auto* start = pattern.row_start.data();
        const auto* column = pattern.column.data();
        for (std::size_t i = begin; i < end; ++i) {
            std::array<S, run> sums;
            for (std::size_t c = 0; c < run; ++c) {
                sums[c] = (G[start[i] + c] * G[start[i] + c]) * inverse_mass[column[start[i]] + c];
            }
            for (std::size_t e = start[i] + run; e < start[i + 1]; e += run) {
                for (std::size_t c = 0; c < run; ++c) {
                    sums[c] = mad(G[e + c] * G[e + c], inverse_mass[column[e] + c], sums[c]);
                }
            }
            values[diagonal_place_[i]] = sparse_detail::total(sums);
        }
    }

    // Every entry of G is read once: the point that two links share is at hand when the second one comes.
    template <std::size_t run, class S>
    LIBRATION_INLINE static void add_links(std::size_t count, const S* inverse_mass, const S* G,
                                           const std::uint32_t* diagonal, const std::uint32_t* beside, S* values) {
        std::array<S, run> shared, mass;
        for (std::size_t c = 0; c < run; ++c) {
            shared[c] = lit<S>(0);
            mass[c] = inverse_mass[c];
        }
        for (std::size_t i = 0; i < count; ++i, G += 2 * run) {
            inverse_mass += run;
            S across = G[0] * shared[0], sum = (G[0] * G[0]) * mass[0];
            for (std::size_t c = 1; c < run; ++c) {
                across = mad(G[c], shared[c], across);
                sum = mad(G[c] * G[c], mass[c], sum);
            }
            if (i > 0) {
                values[beside[i - 1]] = across;
            }
            for (std::size_t c = 0; c < run; ++c) {
                mass[c] = inverse_mass[c];
                shared[c] = G[run + c] * mass[c];
                sum = mad(G[run + c], shared[c], sum);
            }
            values[diagonal[i]] = sum;
        }
    }

    template <class S>
    LIBRATION_INLINE static S add_run(const Run& run, std::uint32_t from, S sum, const std::uint32_t* column,
                                      std::span<const S> inverse_mass, std::span<const S> G) {
        for (std::uint32_t n = from; n < run.length; ++n) {
            sum = mad(G[run.a + n] * G[run.b + n], inverse_mass[column[run.a + n]], sum);
        }
        return sum;
    }

    std::vector<LinkedRows> linked_rows_;
    std::vector<std::uint32_t> diagonal_place_;
    std::vector<std::uint32_t> beside_place_;   // of each linked row but the first ones with the row before it
    std::vector<Run> first_runs_, later_runs_;  // the first of each other pair of rows; what is added to it, in order
    bool has_zeros_ = false;
};

// For any mass matrix: products where it is diagonal; otherwise M is solved for every row of G, which suits small
// systems.
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
