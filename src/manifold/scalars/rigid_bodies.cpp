// Rigid bodies in all scalars.
#include "manifold/rigid_bodies.hpp"
#include "scalar/second_order.hpp"

#include <algorithm>

namespace libration {

namespace {

struct Row {
    std::size_t i, j;
};
// In the order of a RigidBlock.
constexpr std::array<Row, 6> block_rows{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

// One pass squares the error of the start, which is |x|^2 or so: five reach round-off in all scalars up to |x| = 1/4
// and in double up to |x| = 1/2, a rotation by one radian. What is left after a larger step the iteration of the step
// removes.
constexpr int newton_passes = 5;

template <class S>
LIBRATION_INLINE std::array<S, 3> cross(const std::array<S, 3>& a, const std::array<S, 3>& b) {
    return {mad(a[1], b[2], S(-(a[2] * b[1]))), mad(a[2], b[0], S(-(a[0] * b[2]))), mad(a[0], b[1], S(-(a[1] * b[0])))};
}

template <class S>
LIBRATION_INLINE S dot(const std::array<S, 3>& a, const std::array<S, 3>& b) {
    return mad(a[2], b[2], mad(a[1], b[1], S(a[0] * b[0])));
}

// The bodies whose rows have their entries in its own columns, and the columns in its own rows.
template <class S>
std::vector<RigidBlock> isolated_bodies(const System<S>& system) {
    const auto bodies = system.bodies();
    const auto& pattern = system.pattern();
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    std::vector<std::size_t> of_row(system.constraints(), nobody), of_column(system.dimension(), nobody);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        std::fill_n(of_row.begin() + static_cast<std::ptrdiff_t>(bodies[b].first_row), block_rows.size(), b);
        std::fill_n(of_column.begin() + static_cast<std::ptrdiff_t>(bodies[b].first), 9, b);
    }
    std::vector<bool> touched(bodies.size(), false);
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const std::size_t row = of_row[i], column = of_column[pattern.column[e]];
            for (const auto b : {row, column}) {
                if (row != column && b != nobody) {
                    touched[b] = true;
                }
            }
        }
    }
    std::vector<RigidBlock> isolated;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!touched[b]) {
            isolated.push_back(bodies[b]);
        }
    }
    return isolated;
}

// I x + D x x x = c (1 + x.x) by Newton's method from the solution to second order in c.
template <class S>
LIBRATION_INLINE std::array<S, 3> rotation(const std::array<S, 3>& inertia, const std::array<S, 3>& difference,
                                           const std::array<S, 3>& c) {
    std::array<S, 3> a, x;
    for (std::size_t i = 0; i < 3; ++i) {
        a[i] = c[i] / inertia[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const S gyration = difference[i] * (a[(i + 1) % 3] * a[(i + 2) % 3]);
        x[i] = a[i] - gyration / inertia[i];
    }
    for (int pass = 0; pass < newton_passes; ++pass) {
        const S square = lit<S>(1) + dot(x, x);
        std::array<S, 3> residual;
        std::array<std::array<S, 3>, 3> column;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            const S along_j = difference[i] * x[k], along_k = difference[i] * x[j];
            residual[i] = mad(inertia[i], x[i], mad(along_j, x[j], S(-(c[i] * square))));
            const S twice = lit<S>(-2) * c[i];
            column[i][i] = mad(twice, x[i], inertia[i]);
            column[j][i] = mad(twice, x[j], along_j);
            column[k][i] = mad(twice, x[k], along_k);
        }
        const auto minors = cross(column[1], column[2]);
        const S scale = lit<S>(1) / dot(column[0], minors);
        x = {x[0] - scale * dot(residual, minors), x[1] - scale * dot(residual, cross(column[2], column[0])),
             x[2] - scale * dot(residual, cross(column[0], column[1]))};
    }
    return x;
}

// y = y + Q L
template <class S>
LIBRATION_INLINE void add_product(const S* Q, const S* lambda, S* y) {
    for (std::size_t row = 0; row < block_rows.size(); ++row) {
        const auto [i, j] = block_rows[row];
        const S factor = i == j ? S(lambda[row] + lambda[row]) : lambda[row];
        for (std::size_t k = 0; k < 9; k += 3) {
            y[k + i] = mad(Q[k + j], factor, y[k + i]);
            if (i != j) {
                y[k + j] = mad(Q[k + i], factor, y[k + j]);
            }
        }
    }
}

}  // namespace

template <class S>
RigidBodies<S>::RigidBodies(const System<S>& system) {
    const auto inverse_mass = system.inverse_masses();
    for (const auto& block : isolated_bodies(system)) {
        Body body;
        body.first = block.first;
        body.row = block.first_row;
        for (std::size_t i = 0; i < 3; ++i) {
            body.d[i] = lit<S>(1) / inverse_mass[block.first + i];
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            body.inertia[i] = body.d[j] + body.d[k];
            body.difference[i] = body.d[j] - body.d[k];
        }
        for (std::size_t r = 0; r < block_rows.size(); ++r) {
            const S entry = inverse_mass[block.first + block_rows[r].i] + inverse_mass[block.first + block_rows[r].j];
            body.inverse[r] = lit<S>(1) / (block_rows[r].i == block_rows[r].j ? S(lit<S>(2) * entry) : entry);
        }
        bodies_.push_back(body);
    }
    complete_ = !bodies_.empty() && bodies_.size() * block_rows.size() == system.constraints();
}

template <class S>
void RigidBodies<S>::multipliers(std::span<const S> q, std::span<const S> p, std::span<const S> force,
                                 const S& force_kick, const S& kick, const S& h, std::span<S> lambda) const {
    if (bodies_.empty()) {
        return;
    }
    tuned<S>([&]() LIBRATION_TUNED {
        const S half_step = lit<S>(1, 2) * h, inverse_step = lit<S>(2) / h, half_kick = lit<S>(1, 2) / kick;
        for (const auto& body : bodies_) {
            const S* Q = q.data() + body.first;
            std::array<S, 9> P, W;
            for (std::size_t k = 0; k < 9; ++k) {
                P[k] = mad(S(-force_kick), force[body.first + k], p[body.first + k]);
            }
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    W[3 * i + j] = mad(Q[6 + i], P[6 + j], mad(Q[3 + i], P[3 + j], S(Q[i] * P[j])));
                }
            }
            const std::array<S, 3> c{half_step * (W[7] - W[5]), half_step * (W[2] - W[6]), half_step * (W[3] - W[1])};
            const auto x = rotation(body.inertia, body.difference, c);
            const S scale = inverse_step / (lit<S>(1) + dot(x, x));
            S* L = lambda.data() + body.row;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
                // -(x^^2)_ii
                const S square = mad(x[j], x[j], S(x[k] * x[k]));
                L[i] = half_kick * mad(scale, S(square * body.d[i]), W[4 * i]);
                // Twice the symmetric part of (x^ + x^^2) D in row j, column k; with the row of L that names them.
                const S mixed = mad(body.difference[i], x[i], S((x[j] * x[k]) * body.inertia[i]));
                L[5 - i] = half_kick * mad(S(-scale), mixed, S(W[3 * j + k] + W[3 * k + j]));
            }
        }
    });
}

// Q^T Q - I at q + q_low with products and sums that keep what rounding drops: its rounding would otherwise be the
// largest of the step, and have a direction. Where mad() is not fused, this is the plain sum.
template <class S>
void RigidBodies<S>::constraint(std::span<const S> q, std::span<const S> q_low, std::span<S> g) const {
    tuned<S>([&]() LIBRATION_TUNED {
        for (const auto& body : bodies_) {
            const S* Q = q.data() + body.first;
            const S* low = q_low.data() + body.first;
            for (std::size_t row = 0; row < block_rows.size(); ++row) {
                const auto [i, j] = block_rows[row];
                S sum = lit<S>(i == j ? -1 : 0), rest = lit<S>(0);
                for (std::size_t k = 0; k < 9; k += 3) {
                    const S product = Q[k + i] * Q[k + j];
                    const S next = sum + product;
                    const S back = next - sum;
                    rest = rest + ((sum - (next - back)) + (product - back));
                    rest = rest + mad(Q[k + i], Q[k + j], S(-product));
                    rest = mad(Q[k + i], low[k + j], mad(low[k + i], Q[k + j], rest));
                    sum = next;
                }
                g[body.row + row] = sum + rest;
            }
        }
    });
}

template <class S>
void RigidBodies<S>::apply_jacobian(std::span<const S> q, std::span<const S> x, std::span<S> result) const {
    tuned<S>([&]() LIBRATION_TUNED {
        for (const auto& body : bodies_) {
            const S* Q = q.data() + body.first;
            const S* X = x.data() + body.first;
            for (std::size_t row = 0; row < block_rows.size(); ++row) {
                const auto [i, j] = block_rows[row];
                S sum = lit<S>(0);
                for (std::size_t k = 0; k < 9; k += 3) {
                    sum = mad(Q[k + i], X[k + j], mad(X[k + i], Q[k + j], sum));
                }
                result[body.row + row] = sum;
            }
        }
    });
}

template <class S>
void RigidBodies<S>::add_transposed(std::span<const S> q, std::span<const S> lambda, std::span<S> y) const {
    tuned<S>([&]() LIBRATION_TUNED {
        for (const auto& body : bodies_) {
            add_product(q.data() + body.first, lambda.data() + body.row, y.data() + body.first);
        }
    });
}

template <class S>
void RigidBodies<S>::add_transposed_sizes(std::span<const S> q, std::span<const S> lambda, std::span<S> y) const {
    tuned<S>([&]() LIBRATION_TUNED {
        for (const auto& body : bodies_) {
            std::array<S, 9> Q;
            std::array<S, 6> L;
            for (std::size_t k = 0; k < 9; ++k) {
                Q[k] = magnitude(q[body.first + k]);
            }
            for (std::size_t row = 0; row < block_rows.size(); ++row) {
                L[row] = magnitude(lambda[body.row + row]);
            }
            add_product(Q.data(), L.data(), y.data() + body.first);
        }
    });
}

// eps (sum_k |Q_ki Q_kj| + sum_e |G_e| size_e): what a plain evaluation of g would round.
template <class S>
void RigidBodies<S>::floors(std::span<const S> q, std::span<const S> sizes, std::span<S> floors) const {
    tuned<S>([&]() LIBRATION_TUNED {
        const S eps = from_real<S>(epsilon<S>());
        for (const auto& body : bodies_) {
            const S* size = sizes.data() + body.first;
            std::array<S, 9> Q;
            for (std::size_t k = 0; k < 9; ++k) {
                Q[k] = magnitude(q[body.first + k]);
            }
            for (std::size_t row = 0; row < block_rows.size(); ++row) {
                const auto [i, j] = block_rows[row];
                S sum = lit<S>(0);
                for (std::size_t k = 0; k < 9; k += 3) {
                    sum = mad(Q[k + i], S(Q[k + j] + size[k + j]), mad(Q[k + j], size[k + i], sum));
                }
                floors[body.row + row] = eps * sum;
            }
        }
    });
}

template <class S>
void RigidBodies<S>::solve(std::span<S> x) const {
    tuned<S>([&]() LIBRATION_TUNED {
        for (const auto& body : bodies_) {
            for (std::size_t row = 0; row < block_rows.size(); ++row) {
                x[body.row + row] = body.inverse[row] * x[body.row + row];
            }
        }
    });
}

#define LIBRATION_INSTANTIATE(scalar) template class RigidBodies<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
