// Toda eigenvalues, oscillatory energies and virial averages: the figures of the examples of Hairer, Lubich and Wanner
// (2003).
#include "recorded.hpp"

#include "analysis/averages.hpp"
#include "analysis/oscillatory.hpp"
#include "analysis/toda.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {

namespace {

TEST(eigenvalues, of_small_symmetric_matrices) {
    const auto two = symmetric_eigenvalues({2, 1, 1, 2}, 2);
    EXPECT_NEAR(two[0], 1, 1e-15);
    EXPECT_NEAR(two[1], 3, 1e-15);
    EXPECT_EQ(symmetric_eigenvalues({3, 0, 0, -1}, 2), (std::vector<double>{-1, 3}));
    EXPECT_EQ(symmetric_eigenvalues(std::vector<double>(9, 0.0), 3), (std::vector<double>{0, 0, 0}));
    EXPECT_THROW(symmetric_eigenvalues({1, INFINITY, INFINITY, 1}, 2), InputError);
}

// The second difference matrix of size n has the eigenvalues 4 sin^2(k pi/(2 (n + 1))).
TEST(eigenvalues, of_the_second_difference) {
    for (const std::size_t n : {1U, 5U, 24U}) {
        std::vector<double> matrix(n * n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            matrix[i * n + i] = 2;
            if (i + 1 < n) {
                matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
            }
        }
        const auto values = symmetric_eigenvalues(matrix, n);
        for (std::size_t k = 1; k <= n; ++k) {
            const double s = std::sin(static_cast<double>(k) * M_PI / (2.0 * static_cast<double>(n + 1)));
            EXPECT_NEAR(values[k - 1], 4 * s * s, 1e-13) << n << ' ' << k;
        }
    }
}

// [HLW03 Fig. 5.2] Largest deviations 0.0376 and 0.0092 are known to that many digits.
TEST(toda, eigenvalues_along_verlet) {
    for (const auto& [h, expected] : {std::pair{0.1, 0.0376}, std::pair{0.05, 0.0092}}) {
        const auto result = analyse(recorded("toda", "verlet", {.step = h, .duration = 50}), "toda");
        EXPECT_NEAR(number(result, "deviation"), expected, 0.5e-4) << h;
        EXPECT_NEAR(number(result, "initial_1"), -2.621966, 1e-6);
        EXPECT_NEAR(number(result, "initial_2"), 0.656262, 1e-6);
        EXPECT_NEAR(number(result, "initial_3"), 1.965704, 1e-6);
        ASSERT_EQ(result.figures.size(), 1U);
        EXPECT_EQ(result.figures[0].series.size(), 3U);
    }
}

// 0.53 is known to two digits.
TEST(toda, eigenvalues_along_a_method_that_is_not_symplectic) {
    const auto result = analyse(recorded("toda", "runge2", {.step = 0.05, .duration = 50}), "toda");
    EXPECT_NEAR(number(result, "deviation"), 0.53, 0.005);
}

TEST(toda, lattice_of_any_size_keeps_its_eigenvalues) {
    const auto model = Model::parse(R"toml(
name = "ring of five"
[coordinates]
q = ["a", "b", "c", "d", "e"]
[dynamics]
mass = 1.0
potential = "exp(a-b) + exp(b-c) + exp(c-d) + exp(d-e) + exp(e-a)"
[initial]
q = [0.4, -0.1, 0.3, 0, 0.2]
p = [0.5, -1, 0.2, 0.1, 0.2]
)toml",
                                    "test");
    const auto run = recorded(model, "lobatto(6)", {.step = 0.05, .duration = 20});
    EXPECT_LT(number(analyse(run, "toda"), "deviation"), 1e-11);
    // In a wrong order of the ring they are no invariants.
    const std::vector<std::size_t> wrong{0, 2, 1, 3, 4};
    EXPECT_GT(toda_eigenvalues(run, wrong).deviation, 1e-2);
    EXPECT_THROW(analyse(run, "toda", {{"coordinates", "a, c, b, d, e"}}), InputError);
    EXPECT_THROW(analyse(run, "toda", {{"coordinates", "a, a, a"}}), InputError);
    EXPECT_THROW(analyse(recorded("double-pendulum", "rattle", {.step = 0.1, .steps = 20}), "toda"), InputError);
    EXPECT_THROW(analyse(run, "toda", {{"coordinates", "a, b"}}), InputError);
    EXPECT_THROW(analyse(run, "toda", {{"coordinates", "a, b, x"}}), InputError);
}

// [HLW03 Fig. 5.7] H in [1.9718, 2.0371], I in [0.902, 1.127], averages over tenths constant to 4e-5 and 1.1e-4. The
// motion is chaotic (1e-9 grows to 1 by t = 160), but the ranges come from the regular part and have three digits.
TEST(oscillatory, energies_of_the_stiff_chain) {
    const auto run = recorded("fpu", "verlet", {.step = 0.5 / 30, .duration = 200});
    const auto result = analyse(run, "oscillatory", {{"coordinates", "q4, q5,q6"}, {"omega", "omega"}});
    EXPECT_NEAR(number(result, "initial"), 1, 1e-14);
    EXPECT_NEAR(number(result, "lowest"), 0.902, 0.0005);
    EXPECT_NEAR(number(result, "highest"), 1.127, 0.0005);
    // Standard deviations of ten averages of a motion that is chaotic in its last part: known to a factor of two.
    EXPECT_GT(number(result, "tenths_deviation"), 0.55e-4);
    EXPECT_LT(number(result, "tenths_deviation"), 2.2e-4);
    EXPECT_LT(number(result, "energy_tenths_deviation"), 0.8e-4);
    ASSERT_EQ(result.figures.size(), 1U);
    EXPECT_EQ(result.figures[0].series.size(), 5U);
    EXPECT_THROW(analyse(run, "oscillatory", {{"omega", "30"}}), InputError);
    EXPECT_THROW(analyse(run, "oscillatory", {{"coordinates", "q4"}}), InputError);
    EXPECT_THROW(analyse(run, "oscillatory", {{"coordinates", "q4"}, {"omega", "q1"}}), InputError);
    EXPECT_THROW(analyse(run, "oscillatory", {{"coordinates", "q4"}, {"omega", "0"}}), InputError);
    EXPECT_THROW(analyse(run, "oscillatory", {{"coordinates", "q4, q4"}, {"omega", "omega"}}), InputError);
}

TEST(oscillatory, energy_of_one_oscillator_is_the_energy) {
    const auto model = Model::parse(R"toml(
name = "weight on a spring"
[coordinates]
q = ["x"]
[dynamics]
mass = 3.0
potential = "6*x^2"
[initial]
q = [0.7]
v = [0.2]
)toml",
                                    "test");
    const auto run = recorded(model, "verlet", {.step = 0.1, .steps = 50});
    const std::vector<std::size_t> coordinates{0};
    const auto found = oscillatory_energies(run, coordinates, 2);
    for (std::size_t row = 0; row < run.rows(); ++row) {
        EXPECT_NEAR(found.total[row], run.energy[row], 1e-14);
    }
}

TEST(averages, by_the_trapezoidal_rule) {
    const std::vector<double> t{1, 2, 4}, values{3, 5, 1};
    EXPECT_DOUBLE_EQ(time_average(t, values), (4 + 6) / 3.0);
}

// [HLW03 Example 5.8] The start is known to 6 digits; the averages after 10,000 steps are those of a chaotic motion,
// 217.08 +- 3.75 and 218.42 +- 3.93 over disturbed starts: three of these are 12.
TEST(averages, of_the_argon_crystal) {
    const auto result = analyse(recorded("argon", "verlet", {.step = 4e-5, .steps = 10'000}), "averages");
    EXPECT_NEAR(number(result, "initial_kinetic"), 159.044, 0.0005);
    EXPECT_NEAR(number(result, "initial_virial"), 1064.196, 0.0005);
    EXPECT_NEAR(number(result, "twice_kinetic"), 217.1, 12);
    EXPECT_NEAR(number(result, "virial"), 217.8, 12);
    EXPECT_NEAR(number(result, "temperature"), number(result, "twice_kinetic") / 14, 1e-12);
}

// With reactions the theorem holds on the manifold: d/dt q^T p = 2 T - q^T (U_q + G^T lambda). The errors of the
// trapezoidal rule and of RATTLE are some h^2.
TEST(averages, of_a_constrained_motion_count_its_reactions) {
    for (const double h : {0.01, 0.005}) {
        const auto found = analyse(recorded("triple-pendulum", "rattle", {.step = h, .duration = 20}), "averages");
        EXPECT_NEAR(number(found, "gap"), number(found, "ends"), 5 * h * h);
        EXPECT_GT(std::abs(number(found, "twice_kinetic")), 0.1);
    }
}

TEST(averages, refuse_a_model_without_the_theorem) {
    const auto run = recorded("charged-particle", "lobatto(3)", {.step = 0.01, .steps = 20});
    EXPECT_THROW(analyse(run, "averages"), InputError);
}

}  // namespace

}  // namespace libration
