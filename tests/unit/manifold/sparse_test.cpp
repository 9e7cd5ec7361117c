// Sparse factorisation of G M^-1 G^T: order, structure, values in all scalars.
#include "unit/manifold/frames.hpp"

#include "manifold/sparse_constraint_matrix.hpp"
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

using namespace frames;

struct NamedFrame {
    const char* name;
    Frame frame;
};

std::vector<NamedFrame> frames_of_every_kind() {
    return {{"one rod", chain(1)},
            {"chain", chain(60)},
            {"renumbered chain", renumbered(chain(61), 3)},
            {"tree", tree(80, 5)},
            {"renumbered tree", renumbered(tree(80, 6), 7)},
            {"ring", ring(40)},
            {"triangle", ring(3)},
            {"net", net(6)},
            {"renumbered net", renumbered(net(6), 2)},
            {"star", star(9)},
            {"dumbbell", renumbered(dumbbell(6), 1)},
            {"chain and ring", renumbered(both(chain(20), ring(12)), 9)}};
}

template <class S>
std::unique_ptr<ConstraintMatrix<S>> sparse_matrix(const System<S>& system) {
    const auto [graph, order] = ordered_graph(system);
    return std::make_unique<SparseConstraintMatrix<S>>(
        system, eliminate(graph, order, std::numeric_limits<std::size_t>::max()).value());
}

// |A x - b| <= c eps |A| |x| with c of the size of m for a backward stable elimination; the norm is the largest row
// sum.
double row_residual_in_round_offs(const std::vector<std::vector<double>>& A, const std::vector<double>& x,
                                  const std::vector<double>& b) {
    double residual = 0, size = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = -b[i], row = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            sum += A[i][j] * x[j];
            row += std::abs(A[i][j]);
        }
        residual = std::max(residual, std::abs(sum));
        size = std::max(size, row);
        largest = std::max(largest, std::abs(x[i]));
    }
    return residual / (size * largest * std::numeric_limits<double>::epsilon());
}

TEST(SparseConstraintMatrix, solves_frames_of_every_kind) {
    for (const auto& [name, frame] : frames_of_every_kind()) {
        TermSystem<double> system(model(frame));
        const std::size_t m = system.constraints();
        const auto q = random_numbers(system.dimension(), 8), b = random_numbers(m, 9);
        const auto A = full_matrix<double>(system, q);
        for (const auto& matrix : {sparse_matrix<double>(system), make_constraint_matrix<double>(system)}) {
            const auto [x, pivot] = solution<double>(*matrix, system, q, b);
            EXPECT_LT(row_residual_in_round_offs(A, x, b), static_cast<double>(m + 3)) << name;
            EXPECT_GT(pivot, 0) << name;
            EXPECT_LE(pivot, 1) << name;
        }
    }
}

// Seven rows of random coordinates in random order, with a diagonal or a full mass matrix.
Model scattered_rows(bool full_mass, unsigned seed) {
    const std::size_t d = 12;
    ModelBuilder builder("scattered");
    std::vector<std::string> names;
    std::vector<std::size_t> columns(d);
    std::vector<Expression> masses;
    std::vector<std::vector<Expression>> matrix(d, std::vector<Expression>(d, 0));
    for (std::size_t i = 0; i < d; ++i) {
        names.push_back(fmt::format("x{}", i));
        columns[i] = i;
        masses.emplace_back(static_cast<int>(i) + 1);
        matrix[i][i] = 3;
        matrix[i][(i + 5) % d] = matrix[(i + 5) % d][i] = 0.5;
    }
    const auto q = builder.coordinates(names);
    full_mass ? builder.mass_matrix(matrix) : builder.mass(masses);
    std::mt19937 random(seed);
    for (int row = 0; row < 7; ++row) {
        Expression sum = -1;
        // Half of the rows ascend, so that some neighbours stand side by side in two rows.
        std::shuffle(columns.begin(), columns.end(), random);
        if (row % 2 == 0) {
            std::sort(columns.begin(), columns.begin() + 6);
        }
        for (std::size_t n = 0; n < 6; ++n) {
            sum = sum + (row + 1) * q[columns[n]] * q[columns[n]] * q[columns[n]] + static_cast<int>(n) * q[columns[n]];
        }
        builder.constraint(sum);
    }
    builder.initial_position(std::vector<Expression>(d, 1));
    return builder.build();
}

TEST(SparseConstraintMatrix, solves_rows_that_share_scattered_coordinates) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        for (const bool full_mass : {false, true}) {
            TermSystem<double> system(scattered_rows(full_mass, seed));
            const auto q = random_numbers(12, seed), b = random_numbers(7, seed + 1);
            const auto matrix = make_constraint_matrix<double>(system);
            const auto [x, pivot] = solution<double>(*matrix, system, q, b);
            EXPECT_GT(pivot, 0);
            EXPECT_LT(row_residual_in_round_offs(full_matrix<double>(system, q), x, b), 10) << seed << full_mass;
        }
    }
}

// Two numbers of the factor and one of the diagonal a rod; a star is a full matrix, for which half a square is best.
TEST(SparseConstraintMatrix, memory_follows_the_couplings) {
    const auto numbers = [](const Frame& frame) {
        return make_constraint_matrix<double>(TermSystem<double>(model(frame)))->entries();
    };
    EXPECT_EQ(numbers(chain(500)), 3U * 500 - 1);
    EXPECT_EQ(numbers(renumbered(chain(500), 1)), 3U * 500 - 1);
    EXPECT_EQ(numbers(star(100)), 100U * 104 / 2);  // dense, in strips of four rows
}

TEST(SparseConstraintMatrix, without_constraints_there_is_nothing_to_do) {
    ModelBuilder builder("free");
    builder.coordinates({"a", "b"});
    builder.mass(1).initial_position({0, 0});
    TermSystem<double> system(builder.build());
    const auto matrix = make_constraint_matrix<double>(system);
    EXPECT_EQ(matrix->entries(), 0U);
    EXPECT_EQ(solution<double>(*matrix, system, std::vector<double>(2), {}).pivot, 1);
}

// Two rods of length 1 that meet under the angle w between points of mass 1: A = 4 [2, c; c, 2] with c = +-cos w, so
// that the second pivot is 8 - 2 c^2, relative to 8.
TEST(SparseConstraintMatrix, the_smallest_pivot_is_a_squared_sine) {
    ModelBuilder builder("two rods");
    const auto q = builder.coordinates({"ax", "ay", "bx", "by", "cx", "cy"});
    builder.mass(1);
    builder.constraint((q[0] - q[2]) * (q[0] - q[2]) + (q[1] - q[3]) * (q[1] - q[3]) - 1);
    builder.constraint((q[2] - q[4]) * (q[2] - q[4]) + (q[3] - q[5]) * (q[3] - q[5]) - 1);
    const double w = 0.3;
    builder.initial_position({1, 0, 0, 0, std::cos(w), std::sin(w)});
    TermSystem<double> system(builder.build());
    const std::vector<double> at{1, 0, 0, 0, std::cos(w), std::sin(w)};
    const auto pivot = solution<double>(*make_constraint_matrix<double>(system), system, at, {1, 1}).pivot;
    EXPECT_NEAR(pivot, 1 - std::cos(w) * std::cos(w) / 4, 4e-16);
}

TEST(SparseConstraintMatrix, dependent_rows_and_bad_numbers_show_in_the_pivot) {
    // Two parts: the last pivot of one says nothing of the other.
    auto frame = renumbered(both(tree(30, 4), chain(7)), 5);
    frame.bonds.push_back(frame.bonds[11]);
    TermSystem<double> system(model(frame));
    const auto matrix = make_constraint_matrix<double>(system);
    const auto q = random_numbers(system.dimension(), 3);
    const std::vector<double> b(system.constraints(), 1.0);
    // A pivot of zero divides those after it, so that the answer may also be not a number.
    EXPECT_FALSE(solution<double>(*matrix, system, q, b).pivot > 1e-12);
    for (std::size_t j = 0; j < q.size(); ++j) {
        auto bad = q;
        bad[j] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_TRUE(std::isnan(solution<double>(*matrix, system, bad, b).pivot)) << j;
    }
}

TEST(SparseConstraintMatrix, every_lane_has_the_bits_of_a_double) {
    for (const auto& frame : {renumbered(chain(30), 1), net(4)}) {
        const auto described = model(frame);
        TermSystem<double> system(described);
        TermSystem<Pack> packs(described);
        const auto b = random_numbers(system.constraints(), 4);
        std::vector<Pack> q(system.dimension()), right(b.size());
        for (int lane = 0; lane < pack_width; ++lane) {
            const auto one = random_numbers(q.size(), 10 + static_cast<unsigned>(lane));
            for (std::size_t j = 0; j < q.size(); ++j) {
                q[j].lane[lane] = one[j];
            }
            for (std::size_t i = 0; i < b.size(); ++i) {
                right[i].lane[lane] = b[i];
            }
        }
        const auto packed = solution<Pack>(*sparse_matrix<Pack>(packs), packs, q, right);
        for (int lane = 0; lane < pack_width; ++lane) {
            const auto one = random_numbers(q.size(), 10 + static_cast<unsigned>(lane));
            const auto alone = solution<double>(*sparse_matrix<double>(system), system, one, b);
            EXPECT_EQ(packed.pivot.lane[lane], alone.pivot);
            for (std::size_t i = 0; i < b.size(); ++i) {
                EXPECT_EQ(packed.x[i].lane[lane], alone.x[i]);
            }
        }
    }
}

// A(q) x = b with constant b: the tangent of A x vanishes.
TEST(SparseConstraintMatrix, dual_numbers_carry_the_derivative_of_the_solution) {
    const auto described = model(renumbered(both(chain(6), ring(5)), 8));
    TermSystem<double> system(described);
    TermSystem<Dual<double>> duals(described);
    const auto at = random_numbers(system.dimension(), 1), direction = random_numbers(system.dimension(), 2);
    const auto b = random_numbers(system.constraints(), 3);
    std::vector<Dual<double>> q(at.size()), right(b.size());
    for (std::size_t j = 0; j < at.size(); ++j) {
        q[j].value = at[j];
        q[j].tangent[0] = direction[j];
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        right[i].value = b[i];
    }
    const auto x = solution<Dual<double>>(*make_constraint_matrix<Dual<double>>(duals), duals, q, right).x;
    const auto alone = solution<double>(*make_constraint_matrix<double>(system), system, at, b).x;
    const auto A = full_matrix<Dual<double>>(duals, q);
    double moved = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        EXPECT_EQ(x[i].value, alone[i]);
        double tangent = 0, size = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const double terms[]{A[i][j].tangent[0] * x[j].value, A[i][j].value * x[j].tangent[0]};
            tangent += terms[0] + terms[1];
            size += std::abs(terms[0]) + std::abs(terms[1]);
        }
        EXPECT_LT(std::abs(tangent), 1e-12 * size);
        moved = std::max(moved, std::abs(x[i].tangent[0]));
    }
    EXPECT_GT(moved, 0.01);
}

#ifdef LIBRATION_HAS_QUAD
TEST(SparseConstraintMatrix, quad_precision_is_kept) {
    TermSystem<Quad> system(model(renumbered(tree(40, 2), 3)));
    const std::size_t m = system.constraints();
    std::vector<Quad> q, b;
    for (const auto x : random_numbers(system.dimension(), 5)) {
        q.push_back(x);
    }
    for (const auto x : random_numbers(m, 6)) {
        b.push_back(x);
    }
    const auto A = full_matrix<Quad>(system, q);
    const auto x = solution<Quad>(*make_constraint_matrix<Quad>(system), system, q, b).x;
    for (std::size_t i = 0; i < m; ++i) {
        Quad sum = -b[i], size = 0;
        for (std::size_t j = 0; j < m; ++j) {
            sum += A[i][j] * x[j];
            size += absv(A[i][j] * x[j]);
        }
        EXPECT_LT(to_double(absv(sum)), 1e-30 * to_double(size));
    }
}
#endif

}  // namespace
}  // namespace libration
