// The supernodal factorisation against its definition, against dense elimination, and against itself in other scalars.
#include "sparse_samples.hpp"

#include "manifold/sparse_constraint_matrix.hpp"
#include "manifold/supernodal_constraint_matrix.hpp"
#include "system/term_system.hpp"
#include <libration/kit/scalars.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace libration {
namespace {

using samples::SparseMatrix;

std::vector<SparseMatrix> all_samples() {
    std::mt19937_64 random(11);
    std::vector<SparseMatrix> result;
    for (const std::uint32_t side : {2, 3, 5, 8, 13, 21, 30}) {
        result.push_back(samples::net(side, random));
    }
    auto shuffled = samples::net(9, random);
    std::shuffle(shuffled.order.begin(), shuffled.order.end(), random);
    result.push_back(shuffled);
    for (const double degree : {0.5, 2.0, 5.0, 30.0}) {
        result.push_back(samples::random_graph(120, degree, random));
    }
    for (std::uint32_t rows = 1; rows <= 20; ++rows) {
        result.push_back(samples::banded(rows, rows, random));
    }
    result.push_back(samples::two_blocks(supernodal::depth_limit + 9, 70, 18, random));
    result.push_back(samples::banded(400, 1, random));
    result.push_back(samples::banded(300, 7, random));
    result.push_back(samples::side_by_side(samples::net(6, random), samples::random_graph(40, 1.0, random)));
    return result;
}

template <class S>
std::vector<S> values_of(const SparseMatrix& matrix, const SupernodalStructure& structure) {
    std::vector<S> values(structure.entries(), lit<S>(0));
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        values[structure.place(i, i)] = from_double<S>(matrix.diagonal[i]);
        for (std::size_t e = matrix.graph.start[i]; e < matrix.graph.start[i + 1]; ++e) {
            values[structure.place(i, matrix.graph.neighbour[e])] = from_double<S>(matrix.entry[e]);
        }
    }
    return values;
}

template <class S>
std::vector<S> right_hand_side(std::size_t rows) {
    std::vector<S> b(rows, lit<S>(0));
    for (std::size_t i = 0; i < rows; ++i) {
        b[i] = from_double<S>(std::sin(static_cast<double>(3 * i + 1)));
    }
    return b;
}

// |A x - b| / (|A| |x|), computed in S.
template <class S>
double residual(const SparseMatrix& matrix, const std::vector<S>& x, const std::vector<S>& b) {
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        S sum = mad(from_double<S>(matrix.diagonal[i]), x[i], -b[i]);
        for (std::size_t e = matrix.graph.start[i]; e < matrix.graph.start[i + 1]; ++e) {
            sum = mad(from_double<S>(matrix.entry[e]), x[matrix.graph.neighbour[e]], sum);
        }
        worst = std::max(worst, std::abs(to_double(sum)));
        size = std::max(size, std::abs(to_double(x[i])));
    }
    return worst / (matrix.norm() * size);
}

struct Solution {
    double pivot;
    std::vector<double> values, x;
};

Solution solved(const SparseMatrix& matrix, bool vectors) {
    const SupernodalStructure structure(matrix.graph, matrix.order);
    SupernodalWorkspace<double> work(structure);
    Solution result{0, values_of<double>(matrix, structure), right_hand_side<double>(matrix.rows())};
    result.pivot = factor<double>(structure, result.values, work, vectors);
    solve<double>(structure, result.values, result.x, work);
    return result;
}

// The smallest D_i / A_ii by elimination in a square array.
double dense_pivot(const SparseMatrix& matrix, std::span<const std::uint32_t> order) {
    const std::size_t n = matrix.rows();
    std::vector<std::size_t> position(n);
    for (std::size_t k = 0; k < n; ++k) {
        position[order[k]] = k;
    }
    std::vector<double> a(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        a[position[i] * n + position[i]] = matrix.diagonal[i];
        for (std::size_t e = matrix.graph.start[i]; e < matrix.graph.start[i + 1]; ++e) {
            a[position[i] * n + position[matrix.graph.neighbour[e]]] = matrix.entry[e];
        }
    }
    double smallest = 1;
    for (std::size_t k = 0; k < n; ++k) {
        smallest = std::min(smallest, a[k * n + k] / matrix.diagonal[order[k]]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double l = a[i * n + k] / a[k * n + k];
            for (std::size_t j = k + 1; l != 0 && j < n; ++j) {
                a[i * n + j] -= l * a[k * n + j];
            }
        }
    }
    return smallest;
}

// L D L^T and two triangular solutions: |A x - b| <= 3 n eps |A| |x| in the absence of growth, of which a positive
// definite matrix has none. [Higham 2002, Theorems 10.3 and 10.4]
TEST(Supernodal, solves_nets_chains_full_random_and_disconnected_systems) {
    for (const auto& matrix : all_samples()) {
        const auto n = static_cast<double>(matrix.rows());
        const auto result = solved(matrix, tuned_code);
        EXPECT_LE(residual(matrix, result.x, right_hand_side<double>(matrix.rows())), 3 * n * epsilon<double>()) << n;
    }
}

// Both eliminate in the same order; a pivot d carries an error of some n eps A_ii, which is n eps in d / A_ii.
TEST(Supernodal, returns_the_smallest_relative_pivot) {
    for (const auto& matrix : all_samples()) {
        const SupernodalStructure structure(matrix.graph, matrix.order);
        const auto n = static_cast<double>(matrix.rows());
        EXPECT_NEAR(solved(matrix, tuned_code).pivot, dense_pivot(matrix, structure.order()),
                    3 * n * epsilon<double>());
    }
}

TEST(Supernodal, the_order_is_a_permutation_and_every_entry_has_a_place_of_its_own) {
    for (const auto& matrix : all_samples()) {
        const SupernodalStructure structure(matrix.graph, matrix.order);
        std::vector<bool> met(matrix.rows(), false), taken(structure.entries(), false);
        ASSERT_EQ(structure.order().size(), matrix.rows());
        for (const auto row : structure.order()) {
            EXPECT_FALSE(met[row]);
            met[row] = true;
        }
        for (std::size_t i = 0; i < matrix.rows(); ++i) {
            const auto take = [&](std::size_t j) {
                const auto place = structure.place(i, j);
                ASSERT_LT(place, structure.entries());
                EXPECT_EQ(place, structure.place(j, i));
                EXPECT_FALSE(taken[place]);
                taken[place] = true;
            };
            take(i);
            for (std::size_t e = matrix.graph.start[i]; e < matrix.graph.start[i + 1]; ++e) {
                if (matrix.graph.neighbour[e] < i) {
                    take(matrix.graph.neighbour[e]);
                }
            }
        }
    }
}

// A full matrix is one supernode: its lower triangle in tiles of 4 x 4, 5 * 6 / 2 of them for 20 rows.
TEST(Supernodal, a_full_matrix_is_one_panel) {
    std::mt19937_64 random(1);
    const auto matrix = samples::banded(20, 20, random);
    const SupernodalStructure structure(matrix.graph, matrix.order);
    EXPECT_EQ(structure.supernodes().size(), 1U);
    EXPECT_EQ(structure.entries(), 16U * 15U);
}

TEST(Supernodal, without_constraints_there_is_nothing_to_do) {
    const auto result = solved(SparseMatrix{}, tuned_code);
    EXPECT_EQ(result.pivot, 1);
    EXPECT_TRUE(result.values.empty());
}

// Every supernode of a chain has one child with one row below: one tile in either stack is enough.
TEST(Supernodal, updates_leave_the_stacks_when_they_are_used) {
    std::mt19937_64 random(1);
    const auto matrix = samples::banded(400, 1, random);
    const SupernodalStructure structure(matrix.graph, matrix.order);
    EXPECT_EQ(structure.stack_size(0), 16U);
    EXPECT_EQ(structure.stack_size(1), 16U);
}

#ifdef LIBRATION_HAS_QUAD
// The same bound with the epsilon of Quad.
TEST(Supernodal, quad_solves_to_its_own_precision) {
    for (const auto& matrix : all_samples()) {
        const SupernodalStructure structure(matrix.graph, matrix.order);
        SupernodalWorkspace<Quad> work(structure);
        auto values = values_of<Quad>(matrix, structure);
        auto x = right_hand_side<Quad>(matrix.rows());
        factor<Quad>(structure, values, work);
        solve<Quad>(structure, values, x, work);
        const double bound = 3 * static_cast<double>(matrix.rows()) * to_double(epsilon<Quad>());
        EXPECT_LE(residual(matrix, x, right_hand_side<Quad>(matrix.rows())), bound) << matrix.rows();
    }
}
#endif

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Supernodal, vector_code_gives_the_bits_of_plain_code) {
    // Where the processor has no vector code, plain code is compared with itself.
    for (const auto& matrix : all_samples()) {
        const auto with = solved(matrix, tuned_code), without = solved(matrix, false);
        EXPECT_EQ(with.pivot, without.pivot) << matrix.rows();
        EXPECT_TRUE(same_bits(with.values, without.values)) << matrix.rows();
        EXPECT_TRUE(same_bits(with.x, without.x)) << matrix.rows();
    }
}

TEST(Supernodal, a_lane_of_a_pack_has_the_bits_of_a_double) {
    std::mt19937_64 random(5);
    for (const std::uint32_t side : {4, 11}) {
        std::vector<SparseMatrix> lanes;
        for (int lane = 0; lane < pack_width; ++lane) {
            lanes.push_back(samples::net(side, random));  // the same graph, other directions
        }
        const SupernodalStructure structure(lanes[0].graph, lanes[0].order);
        SupernodalWorkspace<Pack> work(structure);
        std::vector<Pack> values(structure.entries()), x = right_hand_side<Pack>(lanes[0].rows());
        for (int lane = 0; lane < pack_width; ++lane) {
            const auto alone = values_of<double>(lanes[lane], structure);
            for (std::size_t k = 0; k < alone.size(); ++k) {
                values[k].lane[lane] = alone[k];
            }
        }
        const Pack pivot = factor<Pack>(structure, values, work);
        solve<Pack>(structure, values, x, work);
        for (int lane = 0; lane < pack_width; ++lane) {
            const auto alone = solved(lanes[lane], tuned_code);
            EXPECT_EQ(pivot.lane[lane], alone.pivot);
            for (std::size_t i = 0; i < x.size(); ++i) {
                EXPECT_EQ(x[i].lane[lane], alone.x[i]);
            }
        }
    }
}

TEST(Supernodal, reports_a_pivot_that_is_not_positive) {
    std::mt19937_64 random(3);
    const auto sound = samples::net(6, random);
    for (std::size_t i = 0; i < sound.rows(); ++i) {
        auto indefinite = sound;
        indefinite.diagonal[i] *= 0.1;  // below the rods beside it: of a 2 x 2 minor the determinant is negative
        double least = 0;
        for (std::size_t e = sound.graph.start[i]; e < sound.graph.start[i + 1]; ++e) {
            const double coupling = sound.entry[e];
            least = std::min(least,
                             indefinite.diagonal[i] * sound.diagonal[sound.graph.neighbour[e]] - coupling * coupling);
        }
        if (least < 0) {
            EXPECT_FALSE(solved(indefinite, tuned_code).pivot > 0) << i;
        }
        auto not_a_number = sound;
        not_a_number.diagonal[i] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_TRUE(std::isnan(solved(not_a_number, tuned_code).pivot)) << i;
        not_a_number = sound;
        const auto j = sound.graph.neighbour[sound.graph.start[i]];
        for (const auto& [row, column] : {std::pair<std::size_t, std::size_t>(i, j), {j, i}}) {
            for (std::size_t e = sound.graph.start[row]; e < sound.graph.start[row + 1]; ++e) {
                if (sound.graph.neighbour[e] == column) {
                    not_a_number.entry[e] = std::numeric_limits<double>::quiet_NaN();
                }
            }
        }
        EXPECT_TRUE(std::isnan(solved(not_a_number, tuned_code).pivot)) << i << ' ' << j;
    }
    // A part that is not a number stays in the report although a sound part without coupling comes after it.
    auto part = sound;
    part.diagonal[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(solved(samples::side_by_side(part, sound), tuned_code).pivot));
    EXPECT_TRUE(std::isnan(solved(samples::side_by_side(sound, part), tuned_code).pivot));
    for (std::uint32_t rows = 2; rows < 10; ++rows) {  // all rows equal: rank 1
        auto singular = samples::banded(rows, rows, random);
        std::fill(singular.diagonal.begin(), singular.diagonal.end(), 1.0);
        std::fill(singular.entry.begin(), singular.entry.end(), 1.0);
        EXPECT_FALSE(solved(singular, tuned_code).pivot > 0) << rows;
    }
}

// A ring of rods with a stiff tail, and a model with a full mass matrix: A and its inverse agree with those of the
// sparse factor.
void compare_with_sparse(const Model& model, std::vector<double> q) {
    TermSystem<double> system(model);
    SupernodalConstraintMatrix<double> matrix(system);
    const auto [graph, order] = ordered_graph(system);
    const auto elimination = eliminate(graph, order, std::numeric_limits<std::size_t>::max()).value();
    const PlaceFinder place(elimination);
    SparseConstraintMatrix<double> sparse(system, elimination);
    std::vector<double> G(system.pattern().entries()), a(matrix.entries(), 7.0), b(sparse.entries());
    system.jacobian(0, q, G);
    matrix.assemble(system, 0, q, {}, G, a);
    sparse.assemble(system, 0, q, {}, G, b);
    for (std::size_t i = 0; i < system.constraints(); ++i) {
        std::vector<std::size_t> rows(graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[i]),
                                      graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[i + 1]));
        rows.push_back(i);
        for (const auto j : rows) {
            if (j <= i) {
                const double expected = b[place(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j))];
                EXPECT_NEAR(a[matrix.structure().place(i, j)], expected, 4 * epsilon<double>() * std::abs(expected));
            }
        }
    }
    const double pivot = matrix.factor(a);
    sparse.factor(b);
    EXPECT_GT(pivot, 0);
    auto x = right_hand_side<double>(system.constraints()), y = x;
    matrix.solve(a, x);
    sparse.solve(b, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(x[i], y[i], 1e-13 * (1 + std::abs(y[i]))) << i;  // condition below 100, as the pivots show
    }
}

TEST(SupernodalConstraintMatrix, agrees_with_the_sparse_factor) {
    const auto chain = Model::load("chain", {{"n", "50"}});
    std::vector<double> q(2 * 50);
    for (std::size_t k = 0; k < 50; ++k) {
        q[2 * k] = std::sin(0.1 * static_cast<double>(k * k));
        q[2 * k + 1] = -static_cast<double>(k + 1) / 2;
    }
    compare_with_sparse(chain, q);

    compare_with_sparse(samples::full_mass(), {0.6, 0.7, 0.1, 0.5});
}

}  // namespace
}  // namespace libration
