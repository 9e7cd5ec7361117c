// A sparse matrix of dense blocks, compared with the same matrix as a dense one.
#include "manifold/block_lu.hpp"
#include "manifold/dense_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration {
namespace {

struct BlockCase {
    std::vector<std::uint32_t> sizes;
    std::vector<BlockStructure::Coupling> couplings;
    std::uint32_t first_late;
};

// The matrix as BlockLu and dense: coordinates with a diagonal that dominates, late nodes with none.
struct Matrices {
    explicit Matrices(const BlockCase& of, unsigned seed)
        : sparse(BlockStructure(of.sizes, of.couplings, of.first_late)), n(sparse.structure().unknowns()),
          dense(n * n, 0.0) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> number(-1, 1);
        const auto& structure = sparse.structure();
        for (std::uint32_t row = 0; row < structure.nodes(); ++row) {
            for (const auto column : structure.columns(row)) {
                double* block = sparse.block(structure.place(row, column));
                for (std::size_t i = 0; i < structure.size(row); ++i) {
                    for (std::size_t j = 0; j < structure.size(column); ++j) {
                        const bool late = row >= of.first_late && column >= of.first_late;
                        double value = late ? 0 : number(random);
                        value += row == column && i == j && !late ? 8 : 0;
                        block[i * structure.size(column) + j] = value;
                        dense[(structure.offset(row) + i) * n + structure.offset(column) + j] = value;
                    }
                }
            }
        }
    }
    BlockLu<double> sparse;
    std::size_t n;
    std::vector<double> dense;
};

void expect_same_solution(const BlockCase& of, unsigned seed) {
    Matrices matrices(of, seed);
    std::vector<double> x(matrices.n), y;
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = std::sin(1.0 + static_cast<double>(k));
    }
    const auto right = x;
    const auto matrix = matrices.dense;
    ASSERT_TRUE(matrices.sparse.factor());
    matrices.sparse.solve(x);
    // The residual of the solution, in units of the rounding of its terms: the growth of pivots is small here.
    for (std::size_t i = 0; i < matrices.n; ++i) {
        double sum = -right[i], size = std::abs(right[i]);
        for (std::size_t j = 0; j < matrices.n; ++j) {
            sum += matrix[i * matrices.n + j] * x[j];
            size += std::abs(matrix[i * matrices.n + j] * x[j]);
        }
        EXPECT_LT(std::abs(sum), 1e-13 * size) << "row " << i;
    }
}

BlockCase linked_blocks(std::uint32_t links) {
    BlockCase of{{}, {}, links};
    for (std::uint32_t k = 0; k < links; ++k) {
        of.sizes.push_back(1 + k % 3);
    }
    for (std::uint32_t k = 0; k + 1 < links; ++k) {  // a late node between each pair, which are coupled besides
        of.sizes.push_back(1);
        of.couplings.emplace_back(links + k, k);
        of.couplings.emplace_back(k + 1, links + k);
        if (k % 2 == 0) {
            of.couplings.emplace_back(k, k + 1);
        }
    }
    return of;
}

TEST(BlockLu, solves_chains_with_nodes_that_must_wait) {
    for (const std::uint32_t links : {1U, 2U, 3U, 10U, 200U}) {
        expect_same_solution(linked_blocks(links), links);
    }
}

TEST(BlockLu, solves_random_graphs) {
    std::mt19937 source(5);
    const auto random = [&] { return static_cast<std::uint32_t>(source()); };
    for (unsigned k = 0; k < 40; ++k) {
        BlockCase of{{}, {}, 0};
        const std::uint32_t nodes = 2 + random() % 30, late = random() % (nodes / 2);
        for (std::uint32_t node = 0; node < nodes; ++node) {
            of.sizes.push_back(node < nodes - late ? 1 + random() % 4 : 1);
        }
        of.first_late = nodes - late;
        for (std::uint32_t e = 0; e < 2 * nodes; ++e) {
            const std::uint32_t a = random() % of.first_late, b = random() % of.first_late;
            if (a != b) {
                of.couplings.emplace_back(a, b);
            }
        }
        for (std::uint32_t node = of.first_late; node < nodes; ++node) {
            of.couplings.emplace_back(node, node - of.first_late);  // each has one that it alone fills
            of.couplings.emplace_back(node, random() % of.first_late);
            if (of.couplings.back().second == node) {
                of.couplings.pop_back();
            }
        }
        expect_same_solution(of, k);
    }
}

TEST(BlockLu, agrees_with_the_dense_factorization) {
    Matrices matrices(linked_blocks(12), 3);
    std::vector<double> x(matrices.n, 1.0), y(x);
    std::vector<std::size_t> pivots(matrices.n);
    factor_dense<double>(matrices.dense, pivots);
    solve_dense<double>(matrices.dense, pivots, x);
    ASSERT_TRUE(matrices.sparse.factor());
    matrices.sparse.solve(y);
    for (std::size_t k = 0; k < x.size(); ++k) {
        EXPECT_NEAR(x[k], y[k], 1e-12);
    }
}

TEST(BlockLu, says_that_a_matrix_is_singular) {
    // Two late nodes on one coordinate of one unknown; powers of two, so that nothing is rounded.
    BlockLu<double> matrix(BlockStructure({1, 1, 1}, {{1, 0}, {2, 0}}, 1));
    const auto set = [&](std::uint32_t row, std::uint32_t column, double value) {
        *matrix.block(matrix.structure().place(row, column)) = value;
    };
    for (const double coupling : {1.0, 0.0}) {
        set(0, 0, 8);
        for (const std::uint32_t node : {1U, 2U}) {
            set(0, node, 2);
            set(node, 0, node == 1 ? 4 : 4 * coupling);
        }
        EXPECT_FALSE(matrix.factor());
    }
}

// A chain of blocks has factors of its own length, whatever the numbering.
TEST(BlockStructure, of_chains_grows_with_their_length) {
    const auto entries = [](std::uint32_t links) {
        const auto of = linked_blocks(links);
        return static_cast<double>(BlockStructure(of.sizes, of.couplings, of.first_late).factor_entries());
    };
    EXPECT_LT(entries(3000) / entries(300), 10.5);
    EXPECT_LT(entries(300) / 300, 100);  // own fronts of some 4 unknowns with 4 later ones
}

TEST(BlockStructure, eliminates_late_nodes_after_what_fills_them) {
    const auto of = linked_blocks(50);
    const BlockStructure structure(of.sizes, of.couplings, of.first_late);
    std::vector<std::size_t> turn(structure.nodes());
    std::size_t next = 0;
    for (const auto& front : structure.fronts()) {
        std::uint32_t unknowns = 0;
        for (const auto node : structure.nodes_of(front)) {
            if (unknowns == front.own) {
                break;
            }
            unknowns += structure.size(node);
            turn[node] = next++;
        }
    }
    EXPECT_EQ(next, structure.nodes());
    for (std::uint32_t node = of.first_late; node < structure.nodes(); ++node) {
        for (const auto column : structure.columns(node)) {
            EXPECT_TRUE(column >= of.first_late || turn[column] < turn[node]);
        }
    }
}

}  // namespace
}  // namespace libration
