// Quaternions of bodies, in initial data and in outputs: both sheets, rotations by pi and near pi.
#include "expression/tape.hpp"
#include "integrate/start.hpp"
#include "model/model_values.hpp"
#include "system/term_system.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration {
namespace {

using Quaternion = std::array<double, 4>;
using Matrix = std::array<double, 9>;

template <std::size_t n>
std::array<Expression, n> symbols(const std::string& stem) {
    std::array<Expression, n> all;
    for (std::size_t k = 0; k < n; ++k) {
        all[k] = symbol(fmt::format("{}{}", stem, k));
    }
    return all;
}

template <std::size_t out, std::size_t in>
std::array<double, out> evaluate(const std::array<Expression, out>& formulas, const std::array<Expression, in>& inputs,
                                 const std::array<double, in>& values) {
    Tape<double> tape(compile(formulas, inputs, {}), {});
    for (std::size_t k = 0; k < in; ++k) {
        tape.input(k) = values[k];
    }
    tape.run();
    std::array<double, out> result{};
    for (std::size_t k = 0; k < out; ++k) {
        result[k] = tape.output(k);
    }
    return result;
}

Matrix rotation(const Quaternion& q) {
    const auto inputs = symbols<4>("q");
    return evaluate(rotation_of(inputs), inputs, q);
}

Quaternion quaternion(const Matrix& Q) {
    const auto inputs = symbols<9>("Q");
    return evaluate(quaternion_of(inputs), inputs, Q);
}

Quaternion rotation_by(double angle, const std::array<double, 3>& axis) {
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    const double s = std::sin(angle / 2) / length;
    return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}

std::vector<std::array<double, 3>> axes() {
    std::vector<std::array<double, 3>> all{
        {1, 0, 0},  {0, 1, 0},    {0, 0, 1},         {-1, 0, 0},   {0, -1, 0},        {0, 0, -1},
        {1, 1, 0},  {1, 0, 1},    {0, 1, -1},        {1, 1, 1},    {1, -1, 1},        {1, 2, 3},
        {-3, 1, 2}, {1, 1e-9, 0}, {1e-12, 1, -1e-9}, {0, 1e-9, 1}, {1, 1, 1.0000001}, {-2, 1e-3, 5}};
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 50; ++k) {
        all.push_back({normal(random), normal(random), normal(random)});
    }
    return all;
}

void expect_same_turn(const Quaternion& found, const Quaternion& wanted, const std::string& where) {
    double same = 0, opposite = 0, square = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        same = std::max(same, std::abs(found[k] - wanted[k]));
        opposite = std::max(opposite, std::abs(found[k] + wanted[k]));
        square += found[k] * found[k];
    }
    // Entries of Q carry some 3 units of round-off, and q is linear in them with factors of at most 1.
    EXPECT_LT(std::min(same, opposite), 1.5e-15) << where;
    EXPECT_NEAR(square, 1, 1e-15) << where;
    EXPECT_GE(found[0], 0) << where;
}

TEST(BodyOrientation, quaternions_come_back_at_every_angle_about_every_axis) {
    for (const auto& axis : axes()) {
        for (const double angle :
             {0.0, 1e-300, 1e-12, 1e-8, 0.1, 1.0, M_PI / 2, 2.0, 2.0943951023931957, 3.0, M_PI - 1e-4, M_PI - 1e-8,
              M_PI - 1e-12, M_PI, M_PI + 1e-15, M_PI + 1e-8, M_PI + 1e-4, 4.0, 6.28}) {
            const auto q = rotation_by(angle, axis);
            expect_same_turn(quaternion(rotation(q)), q, fmt::format("angle {}, axis {}", angle, axis));
        }
    }
}

TEST(BodyOrientation, turns_by_exactly_pi_follow_one_convention) {
    // Where w = 0 the largest of x, y, z, the first of equals, is positive.
    const Matrix about_x{1, 0, 0, 0, -1, 0, 0, 0, -1}, about_y{-1, 0, 0, 0, 1, 0, 0, 0, -1};
    const Matrix about_z{-1, 0, 0, 0, -1, 0, 0, 0, 1}, exchange{0, 1, 0, 1, 0, 0, 0, 0, -1};
    const Matrix against{0, -1, 0, -1, 0, 0, 0, 0, -1};
    EXPECT_EQ(quaternion(about_x), (Quaternion{0, 1, 0, 0}));
    EXPECT_EQ(quaternion(about_y), (Quaternion{0, 0, 1, 0}));
    EXPECT_EQ(quaternion(about_z), (Quaternion{0, 0, 0, 1}));
    const double half = std::sqrt(0.5);
    for (const auto& [Q, y] : {std::pair{exchange, half}, std::pair{against, -half}}) {
        const auto q = quaternion(Q);
        EXPECT_EQ(q[0], 0);
        EXPECT_NEAR(q[1], half, 2.3e-16);  // a square root and a division
        EXPECT_NEAR(q[2], y, 2.3e-16);
    }
    EXPECT_EQ(quaternion({1, 0, 0, 0, 1, 0, 0, 0, 1}), (Quaternion{1, 0, 0, 0}));
}

TEST(BodyOrientation, both_sheets_and_every_length_give_one_rotation) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 200; ++k) {
        const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
        const Quaternion opposite{-q[0], -q[1], -q[2], -q[3]};
        const auto Q = rotation(q);
        EXPECT_EQ(Q, rotation(opposite));
        for (const double scale : {0x1p-1000, 0x1p1000}) {
            EXPECT_EQ(Q, rotation({q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale}));
        }
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const double product = Q[i] * Q[j] + Q[3 + i] * Q[3 + j] + Q[6 + i] * Q[6 + j];
                EXPECT_NEAR(product, i == j ? 1 : 0, 2e-15);
            }
        }
    }
    // Rotation about z by a right angle: the x axis of the body points along y of the world.
    EXPECT_EQ(rotation({1, 0, 0, 1}), (Matrix{0, -1, 0, 1, 0, 0, 0, 0, 1}));
}

TEST(BodyOrientation, initial_quaternions_are_read_on_both_sheets_to_the_bit) {
    const auto start = [](const std::string& quaternion) {
        return initial_state<double>(
            Model::parse("[parameters]\na = 0.3\n[[body]]\nname = \"top\"\ninertia = [1, 1, 1]\n"
                         "fixed = true\n[initial.top]\nquaternion = " +
                             quaternion + "\nomega = [1, 2, \"a\"]",
                         "top.toml"));
    };
    const auto a = start(R"list(["cos(a)", "sin(a)/3", -0.2, "a/7"])list");
    const auto b = start(R"list(["-cos(a)", "-sin(a)/3", 0.2, "-a/7"])list");
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(start("[1e-200, 0, 0, 0]").q, start("[1, 0, 0, 0]").q);
}

TEST(BodyOrientation, no_branch_is_ever_singular) {
    // Values and derivatives pass through all branches: nothing may be infinite, on their borders and far from
    // rotations.
    const auto inputs = symbols<9>("Q");
    auto samples = std::vector<Matrix>{Matrix{}};
    for (const auto& axis : axes()) {
        for (const double angle : {0.0, M_PI / 2, 2 * M_PI / 3, M_PI}) {
            samples.push_back(rotation(rotation_by(angle, axis)));
        }
    }
    for (const auto& component : quaternion_of(inputs)) {
        const auto derivatives = gradient(component, inputs);
        std::array<Expression, 9> slopes;
        std::ranges::copy(derivatives, slopes.begin());
        for (const auto& Q : samples) {
            EXPECT_TRUE(std::isfinite(evaluate(std::array{component}, inputs, Q)[0]));
            for (const double slope : evaluate(slopes, inputs, Q)) {
                EXPECT_TRUE(std::isfinite(slope));
            }
        }
    }
}

TEST(BodyOrientation, angular_velocity_undoes_spin) {
    const auto q = symbols<4>("q");
    const auto omega = symbols<3>("w");
    const auto Q = rotation_of(q);
    const auto back = angular_velocity(Q, spin(Q, omega));
    std::array<Expression, 7> inputs;
    std::ranges::copy(q, inputs.begin());
    std::ranges::copy(omega, inputs.begin() + 4);
    const auto found = evaluate(back, inputs, {0.3, -0.5, 0.7, 0.2, 1.5, -2.5, 0.125});
    EXPECT_NEAR(found[0], 1.5, 4e-15);
    EXPECT_NEAR(found[1], -2.5, 4e-15);
    EXPECT_NEAR(found[2], 0.125, 4e-15);
}

}  // namespace
}  // namespace libration
