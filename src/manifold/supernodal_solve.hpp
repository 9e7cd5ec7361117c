// Solutions with a supernodal L D L^T: forward through the panels, then back.
#pragma once

#include "supernodal_ldl.hpp"

namespace libration {

namespace supernodal {

template <class S>
LIBRATION_INLINE void solve_forward(const Supernode& node, std::span<const std::uint32_t> rows, const S* panel, S* x) {
    S* own = x + node.first;
    const std::size_t columns = node.columns;
    for (std::size_t s = 0; s < strips(columns); ++s) {
        const S* strip = panel + triangle_strip(s);
        const std::size_t width = std::min(tile, columns - tile * s);
        S* target = own + tile * s;
        for (std::size_t k = 0; k < tile * s; ++k) {
            for (std::size_t i = 0; i < width; ++i) {
                target[i] = mad(-strip[tile * k + i], own[k], target[i]);
            }
        }
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t i = k + 1; i < width; ++i) {
                target[i] = mad(-strip[tile * (tile * s + k) + i], target[k], target[i]);
            }
        }
    }
    const S* strip = panel + node.triangle_size();
    std::size_t r = 0;
    for (; r + tile <= rows.size(); r += tile, strip += tile * columns) {
        S sum[tile] = {x[rows[r]], x[rows[r + 1]], x[rows[r + 2]], x[rows[r + 3]]};
        for (std::size_t k = 0; k < columns; ++k) {
            for (std::size_t i = 0; i < tile; ++i) {
                sum[i] = mad(-strip[tile * k + i], own[k], sum[i]);
            }
        }
        for (std::size_t i = 0; i < tile; ++i) {
            x[rows[r + i]] = sum[i];
        }
    }
    for (std::size_t i = 0; r + i < rows.size(); ++i) {
        S& target = x[rows[r + i]];
        for (std::size_t k = 0; k < columns; ++k) {
            target = mad(-strip[tile * k + i], own[k], target);
        }
    }
}

template <class S>
LIBRATION_INLINE void solve_backward(const Supernode& node, std::span<const std::uint32_t> rows, const S* panel, S* x,
                                     S* below) {
    S* own = x + node.first;
    const std::size_t columns = node.columns;
    const std::size_t count = strips(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        below[r] = x[rows[r]];
    }
    for (std::size_t r = rows.size(); r < tile * count; ++r) {
        below[r] = lit<S>(0);
    }
    for (std::size_t k = 0; k < columns; ++k) {
        const S* strip = panel + node.triangle_size() + tile * k;
        own[k] = own[k] * panel[triangle_strip(k / tile) + tile * k + k % tile];
        S sum[tile] = {lit<S>(0), lit<S>(0), lit<S>(0), lit<S>(0)};
        for (std::size_t s = 0; s < count; ++s, strip += tile * columns) {
            for (std::size_t i = 0; i < tile; ++i) {
                sum[i] = mad(strip[i], below[tile * s + i], sum[i]);
            }
        }
        own[k] = own[k] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
    for (std::size_t s = strips(columns); s-- > 0;) {
        const S* strip = panel + triangle_strip(s);
        const std::size_t width = std::min(tile, columns - tile * s);
        const S* source = own + tile * s;
        for (std::size_t i = width; i-- > 0;) {
            for (std::size_t k = 0; k < tile * s + i; ++k) {
                own[k] = mad(-strip[tile * k + i], source[i], own[k]);
            }
        }
    }
}

}  // namespace supernodal

// x = A^-1 x, x in the numbering of the constraints.
template <class S>
void solve(const SupernodalStructure& structure, std::span<const S> values, std::span<S> x,
           SupernodalWorkspace<S>& work) {
    const auto order = structure.order();
    tuned<S>([&]() LIBRATION_TUNED {
        S* y = work.permuted.data();
        for (std::size_t k = 0; k < order.size(); ++k) {
            y[k] = x[order[k]];
        }
        const auto nodes = structure.supernodes();
        for (const auto& node : nodes) {
            supernodal::solve_forward<S>(node, structure.rows_below(node), values.data() + node.panel, y);
        }
        for (std::size_t s = nodes.size(); s-- > 0;) {
            const auto& node = nodes[s];
            supernodal::solve_backward<S>(node, structure.rows_below(node), values.data() + node.panel, y,
                                          work.below.data());
        }
        for (std::size_t k = 0; k < order.size(); ++k) {
            x[order[k]] = y[k];
        }
    });
}

}  // namespace libration
