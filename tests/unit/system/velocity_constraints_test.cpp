// Nonholonomic constraints over scalars: derivatives against differences of the values.
#include "system/velocity_constraints.hpp"
#include <libration/kit/make_system.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace libration {
namespace {

Model sample() {
    return Model::parse(R"toml(
        parameters.R = 0.7
        [coordinates]
        q = ["x", "y", "z"]
        [dynamics]
        mass = 1
        nonholonomic = ["v_x*sin(y) - R*v_z*exp(t) + t^2", "v_x^2*z + v_y*v_z*x - cos(t*y)"]
        [initial]
        q = [0.3, 0.2, -0.5]
        v = [1, 2, 3]
        )toml",
                        "sample.toml");
}

constexpr std::size_t coordinates = 3, conditions = 2;
using Triple = std::array<double, coordinates>;
const Triple q0{0.3, 0.2, -0.5}, v0{1.1, -0.4, 0.8};
constexpr double t0 = 0.6, small_step = 1e-5;

// The derivative of f by each entry of a vector, by central differences.
template <class F>
std::vector<double> differences(std::size_t rows, Triple at, F f) {
    std::vector<double> result(rows * coordinates), up(rows), down(rows);
    for (std::size_t j = 0; j < coordinates; ++j) {
        const double here = at[j];
        at[j] = here + small_step;
        f(at, up);
        at[j] = here - small_step;
        f(at, down);
        at[j] = here;
        for (std::size_t i = 0; i < rows; ++i) {
            result[i * coordinates + j] = (up[i] - down[i]) / (2 * small_step);
        }
    }
    return result;
}

void expect_slopes(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_NEAR(a[k], b[k], 1e-8) << what << " " << k;
        largest = std::max(largest, std::abs(b[k]));
    }
    EXPECT_GT(largest, 0.1) << what << ": nothing was compared";
}

TEST(VelocityConstraints, derivatives_are_those_of_the_values) {
    const auto system = make_system<double>(sample());
    EXPECT_EQ(system->properties().nonholonomic, conditions);
    EXPECT_FALSE(system->properties().conservative);  // the reactions do work
    auto& k = *system->velocity_constraints();
    ASSERT_EQ(k.count(), conditions);
    std::vector<double> K(conditions * coordinates), k_q(conditions * coordinates), rows(conditions), one(conditions),
        two(conditions);
    k.values(t0, q0, v0, rows);
    EXPECT_NEAR(rows[0], 1.1 * std::sin(0.2) - 0.7 * 0.8 * std::exp(0.6) + 0.36, 1e-15);
    k.by_velocity(t0, q0, v0, K);
    k.by_position(t0, q0, v0, k_q);
    expect_slopes(K, differences(conditions, v0, [&](const Triple& v, auto& out) { k.values(t0, q0, v, out); }), "k_v");
    expect_slopes(k_q, differences(conditions, q0, [&](const Triple& q, auto& out) { k.values(t0, q, v0, out); }),
                  "k_q");

    Triple ahead{}, behind{};
    for (std::size_t j = 0; j < coordinates; ++j) {
        ahead[j] = q0[j] + small_step * v0[j];
        behind[j] = q0[j] - small_step * v0[j];
    }
    k.rates(t0, q0, v0, rows);
    k.values(t0 + small_step, ahead, v0, one);
    k.values(t0 - small_step, behind, v0, two);
    for (std::size_t i = 0; i < conditions; ++i) {
        EXPECT_NEAR(rows[i], (one[i] - two[i]) / (2 * small_step), 1e-8);
    }

    const std::vector<double> mu{0.9, -1.7};
    const auto reaction = [&](const Triple& q, const Triple& v, std::vector<double>& out) {
        std::vector<double> matrix(conditions * coordinates);
        k.by_velocity(t0, q, v, matrix);
        for (std::size_t j = 0; j < coordinates; ++j) {
            out[j] = matrix[j] * mu[0] + matrix[coordinates + j] * mu[1];
        }
    };
    std::vector<double> by_q(coordinates * coordinates), by_v(coordinates * coordinates);
    k.reaction_by_position(t0, q0, v0, mu, by_q);
    k.reaction_by_velocity(t0, q0, v0, mu, by_v);
    expect_slopes(by_q, differences(coordinates, q0, [&](const Triple& q, auto& out) { reaction(q, v0, out); }),
                  "by q");
    expect_slopes(by_v, differences(coordinates, v0, [&](const Triple& v, auto& out) { reaction(q0, v, out); }),
                  "by v");
}

TEST(VelocityConstraints, reactions_without_work_keep_the_energy) {
    for (const auto* name : {"rolling-disk", "chaplygin-sleigh"}) {
        const auto system = make_system<double>(Model::load(name));
        EXPECT_TRUE(system->velocity_constraints()->without_work()) << name;
        EXPECT_TRUE(system->properties().conservative) << name;
    }
    EXPECT_EQ(make_system<double>(Model::load("pendulum"))->velocity_constraints(), nullptr);
}

}  // namespace
}  // namespace libration
