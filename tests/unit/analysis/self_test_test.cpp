// The derivative self-test: what cancels is no error, and what is wrong is found.
#include "analysis/self_test.hpp"
#include "integrate/start.hpp"
#include <libration/analysis/check.hpp>
#include <libration/kit/make_system.hpp>

#include <gtest/gtest.h>

namespace libration::self_test_test {
namespace {

// A rigid triangle of unequal masses in pure translation: G_q(v, v) is zero but for round-off.
std::string triangle(const std::string& added = "") {
    return R"toml(
[points]
r = { count = 3, dimension = 2, mass = "0.3 + 0.7*i" }
[[constraint]]
for = "(i, j) in sides"
sides = [[0, 1], [1, 2], [2, 0]]
equation = "norm(r[i] - r[j]) - 1)toml" +
           added + R"toml("
[initial.r]
q = [["cos(a)/sqrt(3)", "sin(a)/sqrt(3)"], ["cos(b)/sqrt(3)", "sin(b)/sqrt(3)"], ["cos(c)/sqrt(3)", "sin(c)/sqrt(3)"]]
v = [[1.58, 1.74], [1.58, 1.74], [1.58, 1.74]]
[parameters]
x0 = "cos(a)/sqrt(3)"
a = 1.1
b = "a + 2*pi/3"
c = "a - 2*pi/3"
)toml";
}

std::string spring(const std::string& added = "") {
    return R"toml(
[parameters]
x0 = 2.81
b = 2.42
c = 1.39
a = "-(2*b*x0 + c*exp(x0)*x0 + c*exp(x0) + 3*x0^2*cos(x0^3))"
[coordinates]
q = ["x"]
[dynamics]
mass = 1
potential = "a*x + b*x^2 + c*x*exp(x) + sin(x^3))toml" +
           added + "\"\n[initial]\nq = [\"x0\"]\n";
}

// The derivatives of one model against the values of another.
double difference(const std::string& derivatives, const std::string& values) {
    const auto model = Model::parse(derivatives, "a"), other = Model::parse(values, "b");
    const auto system = make_system<double>(model);
    const auto dual_system = make_system<Dual<double>>(other);
    const auto start = start_state<double>(model, *system);
    return derivative_error(*system, *dual_system, {start.q, start.p});
}

TEST(DerivativeSelfTest, does_not_take_cancellation_for_an_error) {
    for (const auto& text : {triangle(), spring()}) {
        const auto found = check(Model::parse(text, "test"));
        EXPECT_TRUE(found.faults.empty()) << found.faults.front();
        EXPECT_LT(found.derivative_error, 1e-9);
    }
}

// Planted: a part whose value and slope are zero at the start, so that only the curvature is wrong, and a wrong slope.
// The bound of `check` is 1e-6.
TEST(DerivativeSelfTest, finds_a_wrong_derivative_where_the_right_one_cancels) {
    EXPECT_LT(difference(triangle(), triangle()), 1e-9);
    EXPECT_GT(difference(triangle(" + 1e-7*(r[0].x - x0)^2"), triangle()), 1e-6);
    EXPECT_GT(difference(triangle(" + 1e-5*(r[0].x - x0)"), triangle()), 1e-6);
    EXPECT_LT(difference(spring(), spring()), 1e-9);
    EXPECT_GT(difference(spring(" + 1e-5*(x - x0)"), spring()), 1e-6);
}

TEST(DerivativeSelfTest, finds_a_wrong_slope_beside_a_stiff_spring) {
    const auto stiff = [](const std::string& weight) {
        return "[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"1e8*(x - 1)^2/2 + " + weight +
               "*y\"\n[initial]\nq = [1, 0]\n";
    };
    EXPECT_LT(difference(stiff("1"), stiff("1")), 1e-12);
    EXPECT_GT(difference(stiff("2"), stiff("1")), 1e-6);
}

}  // namespace
}  // namespace libration::self_test_test
