// Symmetric positive definite matrices for tests of factorisations: nets of rods, chains, random graphs, full matrices.
#pragma once

#include "manifold/ordering.hpp"
#include <libration/model/builder.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace libration::samples {

// Three constraints and a mass matrix that couples them all.
inline Model full_mass() {
    ModelBuilder builder("bars");
    const auto c = builder.coordinates({"a", "b", "c", "d"});
    builder.mass_matrix({{2, 0.5, 0, 0}, {0.5, 3, 0, 0.25}, {0, 0, 1, 0}, {0, 0.25, 0, 4}});
    builder.potential(c[0]);
    builder.constraint("sphere", c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - 1);
    builder.constraint("surface", c[3] - c[0] * c[1]);
    builder.constraint("line", c[2] - c[0]);
    builder.initial_position({0.6, 0.8, 0, 0.48}).initial_velocity({0, 0, 0, 0});
    return builder.build();
}

struct SparseMatrix {
    ConstraintGraph graph;
    std::vector<double> diagonal, entry;  // entry[e] belongs to graph.neighbour[e]
    std::vector<std::uint32_t> order;
    [[nodiscard]] std::size_t rows() const { return diagonal.size(); }
    [[nodiscard]] double norm() const {
        double largest = 0;
        for (std::size_t i = 0; i < rows(); ++i) {
            double sum = std::abs(diagonal[i]);
            for (std::size_t e = graph.start[i]; e < graph.start[i + 1]; ++e) {
                sum += std::abs(entry[e]);
            }
            largest = std::max(largest, sum);
        }
        return largest;
    }
};

using Entries = std::map<std::array<std::uint32_t, 2>, double>;  // (i, j) with i > j

inline SparseMatrix matrix_of(std::vector<double> diagonal, const Entries& lower) {
    SparseMatrix result;
    std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(diagonal.size());
    for (const auto& [place, value] : lower) {
        rows[place[0]].emplace_back(place[1], value);
        rows[place[1]].emplace_back(place[0], value);
    }
    for (const auto& row : rows) {
        for (const auto& [j, value] : row) {
            result.graph.neighbour.push_back(j);
            result.entry.push_back(value);
        }
        result.graph.start.push_back(result.graph.neighbour.size());
    }
    result.diagonal = std::move(diagonal);
    result.order.resize(result.rows());
    std::iota(result.order.begin(), result.order.end(), 0U);
    return result;
}

// Nested dissection of the box [x0, x1) x [y0, y1) of points: the rods that cross the middle come last.
class NetOrder {
  public:
    explicit NetOrder(std::uint32_t side) : side_(side) { dissect({0, side}, {0, side}); }
    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] std::uint32_t along_x(std::uint32_t x, std::uint32_t y) const { return y * (side_ - 1) + x; }
    [[nodiscard]] std::uint32_t along_y(std::uint32_t x, std::uint32_t y) const {
        return side_ * (side_ - 1) + y * side_ + x;
    }

  private:
    using Range = std::array<std::uint32_t, 2>;
    void dissect(Range x, Range y) {
        const auto width = x[1] - x[0], height = y[1] - y[0];
        if (width <= 1 && height <= 1) {
            return;
        }
        if (width >= height) {
            const auto cut = (x[0] + x[1]) / 2;
            dissect({x[0], cut}, y);
            dissect({cut, x[1]}, y);
            for (auto k = y[0]; k < y[1]; ++k) {
                order_.push_back(along_x(cut - 1, k));
            }
        } else {
            const auto cut = (y[0] + y[1]) / 2;
            dissect(x, {y[0], cut});
            dissect(x, {cut, y[1]});
            for (auto k = x[0]; k < x[1]; ++k) {
                order_.push_back(along_y(k, cut - 1));
            }
        }
    }
    std::uint32_t side_;
    std::vector<std::uint32_t> order_;
};

// G G^T of side x side points of mass 1 joined by rods of random directions, one corner held.
inline SparseMatrix net(std::uint32_t side, std::mt19937_64& random) {
    const NetOrder numbers(side);
    std::normal_distribution<double> normal;
    struct End {
        std::uint32_t rod;
        double sign;
    };
    std::vector<std::vector<End>> ends(side * side);
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const auto join = [&](std::uint32_t rod, std::uint32_t other) {
                ends[y * side + x].push_back({rod, 1});
                ends[other].push_back({rod, -1});
            };
            if (x + 1 < side) {
                join(numbers.along_x(x, y), y * side + x + 1);
            }
            if (y + 1 < side) {
                join(numbers.along_y(x, y), (y + 1) * side + x);
            }
        }
    }
    std::vector<std::array<double, 3>> direction(numbers.order().size());
    for (auto& d : direction) {
        d = {normal(random), normal(random), normal(random)};
        const double length = std::hypot(d[0], d[1], d[2]);
        d = {d[0] / length, d[1] / length, d[2] / length};
    }
    std::vector<double> diagonal(direction.size(), 0.0);
    Entries lower;
    for (std::size_t point = 1; point < ends.size(); ++point) {
        for (const auto& a : ends[point]) {
            diagonal[a.rod] += 1;
            for (const auto& b : ends[point]) {
                if (b.rod < a.rod) {
                    const auto &u = direction[a.rod], &v = direction[b.rod];
                    lower[{a.rod, b.rod}] += a.sign * b.sign * (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
                }
            }
        }
    }
    auto result = matrix_of(std::move(diagonal), lower);
    result.order = numbers.order();
    return result;
}

// Random couplings, about `degree` a row, and a diagonal that outweighs them; eliminated in random order.
inline SparseMatrix random_graph(std::uint32_t rows, double degree, std::mt19937_64& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    std::uniform_int_distribution<std::uint32_t> pick(0, rows - 1);
    std::vector<double> diagonal(rows, 1.0);
    Entries lower;
    for (int k = 0; k < degree * rows / 2; ++k) {
        const auto i = pick(random), j = pick(random);
        if (i != j) {
            const double v = value(random);
            lower[{std::max(i, j), std::min(i, j)}] += v;
            diagonal[i] += std::abs(v);
            diagonal[j] += std::abs(v);
        }
    }
    auto result = matrix_of(std::move(diagonal), lower);
    std::shuffle(result.order.begin(), result.order.end(), random);
    return result;
}

// Rows that couple with the `band` rows before: 1 is a chain, rows - 1 is a full matrix.
inline SparseMatrix banded(std::uint32_t rows, std::uint32_t band, std::mt19937_64& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<double> diagonal(rows, 2.0 * band + 1);
    Entries lower;
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = i > band ? i - band : 0; j < i; ++j) {
            lower[{i, j}] = value(random);
        }
    }
    return matrix_of(std::move(diagonal), lower);
}

// Two full blocks that couple only with the rows of a third: wide supernodes with rows below.
inline SparseMatrix two_blocks(std::uint32_t first, std::uint32_t second, std::uint32_t border,
                               std::mt19937_64& random) {
    const std::uint32_t rows = first + second + border;
    std::uniform_real_distribution<double> value(-1, 1);
    Entries lower;
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            if (i < first || j >= first || i >= first + second) {
                lower[{i, j}] = value(random);
            }
        }
    }
    return matrix_of(std::vector<double>(rows, rows), lower);
}

// Both, without a coupling.
inline SparseMatrix side_by_side(const SparseMatrix& a, const SparseMatrix& b) {
    SparseMatrix result = a;
    const auto rows = static_cast<std::uint32_t>(a.rows());
    for (std::size_t i = 0; i < b.rows(); ++i) {
        result.graph.start.push_back(a.graph.neighbour.size() + b.graph.start[i + 1]);
        result.diagonal.push_back(b.diagonal[i]);
        result.order.push_back(rows + b.order[i]);
    }
    for (std::size_t e = 0; e < b.entry.size(); ++e) {
        result.graph.neighbour.push_back(rows + b.graph.neighbour[e]);
        result.entry.push_back(b.entry[e]);
    }
    return result;
}

}  // namespace libration::samples
