// Nonholonomic constraints over scalars: derivatives against differences of the values.
#include <libration/system/make_system.hpp>
#include <libration/system/velocity_constraints.hpp>

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

constexpr std::size_t d = 3, n = 2;
using Vector = std::array<double, d>;
const Vector q0{0.3, 0.2, -0.5}, v0{1.1, -0.4, 0.8};
constexpr double t0 = 0.6, step = 1e-5;

// The derivative of f by each entry of a vector, by central differences.
template <class F>
std::vector<double> differences(std::size_t rows, Vector at, F f) {
    std::vector<double> result(rows * d), up(rows), down(rows);
    for (std::size_t j = 0; j < d; ++j) {
        const double here = at[j];
        at[j] = here + step;
        f(at, up);
        at[j] = here - step;
        f(at, down);
        at[j] = here;
        for (std::size_t i = 0; i < rows; ++i) {
            result[i * d + j] = (up[i] - down[i]) / (2 * step);
        }
    }
    return result;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_NEAR(a[k], b[k], 1e-8) << what << " " << k;
        largest = std::max(largest, std::abs(b[k]));
    }
    EXPECT_GT(largest, 0.1) << what << ": nothing was compared";
}

TEST(VelocityConstraints, derivatives_are_those_of_the_values) {
    const auto system = make_system<double>(sample());
    EXPECT_EQ(system->properties().nonholonomic, n);
    EXPECT_FALSE(system->properties().conservative);  // the reactions do work
    auto& k = *system->velocity_constraints();
    ASSERT_EQ(k.count(), n);
    std::vector<double> K(n * d), k_q(n * d), rows(n), one(n), two(n);
    k.values(t0, q0, v0, rows);
    EXPECT_NEAR(rows[0], 1.1 * std::sin(0.2) - 0.7 * 0.8 * std::exp(0.6) + 0.36, 1e-15);
    k.by_velocity(t0, q0, v0, K);
    k.by_position(t0, q0, v0, k_q);
    expect_near(K, differences(n, v0, [&](const Vector& v, auto& out) { k.values(t0, q0, v, out); }), "k_v");
    expect_near(k_q, differences(n, q0, [&](const Vector& q, auto& out) { k.values(t0, q, v0, out); }), "k_q");

    Vector ahead{}, behind{};
    for (std::size_t j = 0; j < d; ++j) {
        ahead[j] = q0[j] + step * v0[j];
        behind[j] = q0[j] - step * v0[j];
    }
    k.rates(t0, q0, v0, rows);
    k.values(t0 + step, ahead, v0, one);
    k.values(t0 - step, behind, v0, two);
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(rows[i], (one[i] - two[i]) / (2 * step), 1e-8);
    }

    const std::vector<double> mu{0.9, -1.7};
    const auto reaction = [&](const Vector& q, const Vector& v, std::vector<double>& out) {
        std::vector<double> matrix(n * d);
        k.by_velocity(t0, q, v, matrix);
        for (std::size_t j = 0; j < d; ++j) {
            out[j] = matrix[j] * mu[0] + matrix[d + j] * mu[1];
        }
    };
    std::vector<double> by_q(d * d), by_v(d * d);
    k.reaction_by_position(t0, q0, v0, mu, by_q);
    k.reaction_by_velocity(t0, q0, v0, mu, by_v);
    expect_near(by_q, differences(d, q0, [&](const Vector& q, auto& out) { reaction(q, v0, out); }), "by q");
    expect_near(by_v, differences(d, v0, [&](const Vector& v, auto& out) { reaction(q0, v, out); }), "by v");
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
