// Supernodal L D L^T of a sparse symmetric positive definite matrix, without pivot search and without allocation. Every
// sum has a fixed order, so the bits do not depend on the processor.
#pragma once

#include "scalar/aligned.hpp"
#include "tile_kernels.hpp"

#include <algorithm>
#include <type_traits>

namespace libration {

// Scratch space of a factorisation and of a solution.
template <class S>
struct SupernodalWorkspace {
    explicit SupernodalWorkspace(const SupernodalStructure& structure)
        : stack{AlignedVector<S>(structure.stack_size(0), lit<S>(0)),
                AlignedVector<S>(structure.stack_size(1), lit<S>(0))},
          unscaled(std::max(structure.most_below(), tile * (structure.most_columns() + tile)), lit<S>(0)),
          diagonal(structure.most_columns(), lit<S>(0)), below(tile * strips(structure.most_rows()), lit<S>(0)),
          permuted(structure.rows(), lit<S>(0)) {}
    AlignedVector<S> stack[2];
    AlignedVector<S> unscaled;  // U = L D of the panel in hand
    std::vector<S> diagonal;    // of A, in the panel in hand
    std::vector<S> below;       // the right-hand side in the rows below the panel in hand
    std::vector<S> permuted;    // the right-hand side in the order of elimination
};

namespace supernodal {

// Adds the update of a child to the panel and the update of its parent.
template <class S>
void add_update(std::span<const std::uint32_t> to, const S* from, const Supernode& node, S* panel, S* update) {
    const std::size_t columns = node.columns;
    const auto own = static_cast<std::size_t>(std::lower_bound(to.begin(), to.end(), columns) - to.begin());
    S* below = panel + node.triangle_size();
    for (std::size_t i = 0; i < to.size(); ++i) {
        const S* source = from + triangle_strip(i / tile) + i % tile;
        S* target = nullptr;
        if (i < own) {
            target = panel + triangle_strip(to[i] / tile) + to[i] % tile;
            for (std::size_t j = 0; j <= i; ++j) {
                target[tile * to[j]] = target[tile * to[j]] + source[tile * j];
            }
            continue;
        }
        const std::size_t r = to[i] - columns;
        target = below + (r / tile) * tile * columns + r % tile;
        for (std::size_t j = 0; j < own; ++j) {
            target[tile * to[j]] = target[tile * to[j]] + source[tile * j];
        }
        target = update + triangle_strip(r / tile) + r % tile;
        for (std::size_t j = own; j <= i; ++j) {
            S& sum = target[tile * (to[j] - columns)];
            sum = sum + source[tile * j];
        }
    }
}

// The tile on the diagonal, rows and columns k, ..., k + width - 1 of the panel: L, 1/D, and the smallest relative
// pivot.
template <class S>
void factor_tile(S* a, std::size_t width, const S* before, Real<S>& smallest) {
    for (std::size_t k = 0; k < width; ++k) {
        const S pivot = a[tile * k + k];
        // A pivot that is not a number must not hide behind a comparison: once met, it stays.
        const Real<S> ratio = real_part(pivot) / real_part(before[k]);
        smallest = select(less(smallest, ratio), smallest, ratio) + (smallest - smallest);
        const S inverse = lit<S>(1) / pivot;
        a[tile * k + k] = inverse;
        for (std::size_t j = k + 1; j < width; ++j) {
            const S scaled = a[tile * k + j] * inverse;
            for (std::size_t i = j; i < width; ++i) {
                a[tile * j + i] = mad(-a[tile * k + i], scaled, a[tile * j + i]);
            }
        }
        for (std::size_t i = k + 1; i < width; ++i) {
            a[tile * k + i] = a[tile * k + i] * inverse;
        }
    }
}

// Columns depth, ..., depth + width - 1 of R strips; the width is four but for the last columns of a panel.
template <bool Vectors, int R, class S>
void eliminate(const S* triangle, std::size_t depth, std::size_t width, S* a, S* u, std::size_t stride) {
    switch (width) {
        case 1: return tiles::eliminate<Vectors, R, 1>(triangle, depth, a, stride, u, stride);
        case 2: return tiles::eliminate<Vectors, R, 2>(triangle, depth, a, stride, u, stride);
        case 3: return tiles::eliminate<Vectors, R, 3>(triangle, depth, a, stride, u, stride);
        default: return tiles::eliminate<Vectors, R, 4>(triangle, depth, a, stride, u, stride);
    }
}

template <bool Vectors, class S>
void factor_triangle(S* panel, std::size_t columns, S* u, const S* before, Real<S>& smallest) {
    for (std::size_t s = 0; s < strips(columns); ++s) {
        S* strip = panel + triangle_strip(s);
        for (std::size_t g = 0; g < s; ++g) {
            tiles::eliminate<Vectors, 1, 4>(panel + triangle_strip(g), tile * g, strip, 0, u, 0);
        }
        S* diagonal = strip + tile * tile * s;
        S* const target[1] = {diagonal};
        tiles::subtract<Vectors, 1, S>(u, 0, strip, 0, tile * s, target, 1);
        factor_tile(diagonal, std::min(tile, columns - tile * s), before + tile * s, smallest);
    }
}

template <bool Vectors, int R, class S>
void eliminate_strips(const S* panel, std::size_t columns, S* a, S* u) {
    for (std::size_t g = 0; g < strips(columns); ++g) {
        const std::size_t depth = tile * g;
        eliminate<Vectors, R>(panel + triangle_strip(g), depth, std::min(tile, columns - depth), a, u, tile * columns);
    }
}

// R strips of the update, s the first: minus U L^T left of the diagonal tiles and on them.
template <bool Vectors, int R, class S>
void subtract_strips(const S* u, const S* l, std::size_t columns, std::size_t from, std::size_t depth, S* update,
                     std::size_t s) {
    const std::size_t stride = tile * columns;
    const S* left = u + s * stride + tile * from;
    const S* right = l + tile * from;
    S* row[R];
    for (int r = 0; r < R; ++r) {
        row[r] = update + triangle_strip(s + r);
    }
    tiles::subtract<Vectors, R, S>(left, stride, right, stride, depth, row, s + 1);
    if constexpr (R > 1) {
        for (int r = 1; r < R; ++r) {
            S* const corner[1] = {row[r] + tile * tile * (s + 1)};
            tiles::subtract<Vectors, 1, S>(left + r * stride, stride, right + (s + 1) * stride, stride, depth, corner,
                                           r);
        }
    }
}

// How many columns are summed at a time: the strips in hand then stay in the first-level cache.
inline constexpr std::size_t depth_limit = 192;

template <bool Vectors, class S>
void factor_node(const SupernodalStructure& structure, const Supernode& node, S* values, SupernodalWorkspace<S>& work,
                 Real<S>& smallest) {
    S* panel = values + node.panel;
    S* below = panel + node.triangle_size();
    S* update = work.stack[node.stack].data() + node.update;
    const std::size_t columns = node.columns;
    for (std::size_t k = 0; k < columns; ++k) {
        work.diagonal[k] = panel[triangle_strip(k / tile) + tile * k + k % tile];
    }
    std::fill_n(update, node.update_size(), lit<S>(0));
    for (const std::uint32_t c : structure.children(node)) {
        const auto& child = structure.supernodes()[c];
        add_update<S>(structure.rows_in_parent(child), work.stack[child.stack].data() + child.update, node, panel,
                      update);
    }
    S* u = work.unscaled.data();
    factor_triangle<Vectors>(panel, columns, u, work.diagonal.data(), smallest);
    const std::size_t count = strips(node.below);
    const std::size_t stride = tile * columns;
    std::size_t s = 0;
    for (; s + tiles::group <= count; s += tiles::group) {
        eliminate_strips<Vectors, tiles::group>(panel, columns, below + s * stride, u + s * stride);
    }
    for (; s < count; ++s) {
        eliminate_strips<Vectors, 1>(panel, columns, below + s * stride, u + s * stride);
    }
    for (std::size_t from = 0; from < columns; from += depth_limit) {
        const std::size_t depth = std::min(depth_limit, columns - from);
        for (s = 0; s + tiles::group <= count; s += tiles::group) {
            subtract_strips<Vectors, tiles::group>(u, below, columns, from, depth, update, s);
        }
        for (; s < count; ++s) {
            subtract_strips<Vectors, 1>(u, below, columns, from, depth, update, s);
        }
    }
}

template <bool Vectors, class S>
Real<S> factor(const SupernodalStructure& structure, std::span<S> values, SupernodalWorkspace<S>& work) {
    Real<S> smallest = lit<Real<S>>(1);
    for (const auto& node : structure.supernodes()) {
        factor_node<Vectors>(structure, node, values.data(), work, smallest);
    }
    return smallest;
}

}  // namespace supernodal

// On entry `values` is the matrix, on return L below the diagonal and 1/D on it. Returns the smallest D_i / A_ii, not a
// number if a pivot is not. `vectors` false: the code for every processor, with the same bits.
template <class S>
Real<S> factor(const SupernodalStructure& structure, std::span<S> values, SupernodalWorkspace<S>& work,
               [[maybe_unused]] bool vectors = tuned_code) {
#ifdef LIBRATION_TILE_VECTORS
    if constexpr (std::is_same_v<S, double>) {
        if (vectors) {
            return supernodal::factor<true, S>(structure, values, work);
        }
    }
#endif
    return supernodal::factor<false, S>(structure, values, work);
}

}  // namespace libration
