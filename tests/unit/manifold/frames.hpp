// Points joined by rods, and their G M^-1 G^T written out in full as a reference.
#pragma once

#include "manifold/constraint_matrix.hpp"
#include "system/term_system.hpp"
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace libration::frames {

struct Frame {
    std::size_t points;
    std::vector<std::array<std::size_t, 2>> bonds;
};

inline Frame chain(std::size_t rods) {
    Frame frame{rods + 1, {}};
    for (std::size_t i = 0; i < rods; ++i) {
        frame.bonds.push_back({i, i + 1});
    }
    return frame;
}

inline Frame ring(std::size_t rods) {
    auto frame = chain(rods - 1);
    frame.bonds.push_back({rods - 1, 0});
    return frame;
}

inline Frame tree(std::size_t rods, unsigned seed) {
    std::mt19937 random(seed);
    Frame frame{rods + 1, {}};
    for (std::size_t i = 1; i <= rods; ++i) {
        frame.bonds.push_back({random() % i, i});
    }
    return frame;
}

inline Frame star(std::size_t rods) {
    Frame frame{rods + 1, {}};
    for (std::size_t i = 1; i <= rods; ++i) {
        frame.bonds.push_back({0, i});
    }
    return frame;
}

// Two stars whose hubs are joined by a chain of three rods.
inline Frame dumbbell(std::size_t arms) {
    auto frame = star(arms);
    const auto add = [&](std::size_t from) { frame.bonds.push_back({from, frame.points++}); };
    add(0);
    add(frame.points - 1);
    add(frame.points - 1);
    for (std::size_t i = 0, hub = frame.points - 1; i < arms; ++i) {
        add(hub);
    }
    return frame;
}

inline Frame net(std::size_t side) {
    Frame frame{side * side, {}};
    for (std::size_t k = 0; k < side * side; ++k) {
        if (k % side + 1 < side) {
            frame.bonds.push_back({k, k + 1});
        }
        if (k + side < side * side) {
            frame.bonds.push_back({k, k + side});
        }
    }
    return frame;
}

inline Frame both(const Frame& a, const Frame& b) {
    Frame frame{a.points + b.points, a.bonds};
    for (const auto& [i, j] : b.bonds) {
        frame.bonds.push_back({a.points + i, a.points + j});
    }
    return frame;
}

// The same frame with points and rods in random order.
inline Frame renumbered(Frame frame, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::size_t> number(frame.points);
    std::iota(number.begin(), number.end(), 0U);
    std::shuffle(number.begin(), number.end(), random);
    for (auto& [i, j] : frame.bonds) {
        i = number[i];
        j = number[j];
    }
    std::shuffle(frame.bonds.begin(), frame.bonds.end(), random);
    return frame;
}

// Rods in space between points of different mass.
inline Model model(const Frame& frame) {
    std::vector<std::string> bonds;
    for (const auto& [i, j] : frame.bonds) {
        bonds.push_back(fmt::format("[{}, {}]", i, j));
    }
    return Model::parse(fmt::format(R"toml(
[parameters]
bonds = [{}]
[points]
r = {{ count = {}, dimension = 3, mass = "1 + (i % 7)/3" }}
[[constraint]]
name = "rod"
for = "(i, j) in bonds"
equation = "norm2(r[i] - r[j]) - 1"
[initial.r]
for = "i in 0..{}"
q = ["i", 0, 0]
)toml",
                                    fmt::join(bonds, ", "), frame.points, frame.points - 1),
                        "frame.toml");
}

inline std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> result(count);
    std::generate(result.begin(), result.end(), [&] { return number(random); });
    return result;
}

// G M^-1 G^T as it is defined.
template <class S>
std::vector<std::vector<S>> full_matrix(System<S>& system, std::span<const S> q) {
    const std::size_t m = system.constraints(), d = system.dimension();
    const auto& pattern = system.pattern();
    std::vector<S> G(pattern.entries(), lit<S>(0));
    system.jacobian(lit<S>(0), q, G);
    std::vector<std::vector<S>> rows(m, std::vector<S>(d, lit<S>(0))), A(m, std::vector<S>(m, lit<S>(0)));
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            rows[i][pattern.column[e]] = G[e];
        }
    }
    std::vector<S> solved(d, lit<S>(0));
    for (std::size_t i = 0; i < m; ++i) {
        system.solve_mass(lit<S>(0), q, {}, rows[i], solved);
        for (std::size_t j = 0; j < m; ++j) {
            for (std::size_t c = 0; c < d; ++c) {
                A[i][j] = A[i][j] + rows[j][c] * solved[c];
            }
        }
    }
    return A;
}

// x with A x = b by the given factorisation, and its smallest pivot.
template <class S>
struct Solution {
    std::vector<S> x;
    Real<S> pivot;
};

template <class S>
Solution<S> solution(ConstraintMatrix<S>& matrix, System<S>& system, std::span<const S> q, std::vector<S> b) {
    std::vector<S> G(system.pattern().entries(), lit<S>(0)), values(matrix.entries(), lit<S>(1, 3));
    system.jacobian(lit<S>(0), q, G);
    matrix.assemble(system, lit<S>(0), q, {}, G, values);
    const auto pivot = matrix.factor(values);
    matrix.solve(values, b);
    return {std::move(b), pivot};
}

}  // namespace libration::frames
