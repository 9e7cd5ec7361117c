// Numbers: precision of literals and functions, dual numbers, packs, compensated sums, the one loop.
#include <libration/kit/compensated.hpp>
#include <libration/kit/dual.hpp>
#include <libration/kit/iterate.hpp>
#include <libration/kit/pack.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace libration {
namespace {

using D = Dual<double>;

TEST(Scalar, literals_are_read_at_the_precision_of_the_scalar) {
    EXPECT_EQ(from_text<double>("0.1"), 0.1);
    EXPECT_EQ(from_text<double>("1/3"), 1.0 / 3.0);
    EXPECT_EQ(from_text<double>("-2.5e-3"), -2.5e-3);
    const Quad tenth = from_text<Quad>("0.1");
    EXPECT_NE(tenth, static_cast<Quad>(0.1));
    EXPECT_EQ(tenth * 10, Quad{1});
    EXPECT_EQ(from_text<Quad>("25e-2"), Quad{1} / 4);
    EXPECT_LT(fabsq(from_text<Quad>("pi") - acosq(-1)), quad_epsilon * 4);
}

// The library states 1.0 ulp; an ulp of a result y is at most eps*|y|. Arguments over several decades, both signs.
TEST(Scalar, elementary_functions_are_within_one_ulp_of_quadruple_precision) {
    struct Case {
        const char* name;
        double (*of_double)(double);
        Quad (*of_quad)(Quad);
        double low, high;
    };
    const Case cases[]{
        {"sin", sin, sin, -100, 100},   {"cos", cos, cos, -100, 100},   {"tan", tan, tan, -1.5, 1.5},
        {"exp", exp, exp, -50, 50},     {"log", log, log, 1e-6, 1e6},   {"cbrt", cbrt, cbrt, -9, 9},
        {"asin", asin, asin, -1, 1},    {"acos", acos, acos, -1, 1},    {"atan", atan, atan, -50, 50},
        {"sinh", sinh, sinh, -20, 20},  {"cosh", cosh, cosh, -20, 20},  {"tanh", tanh, tanh, -5, 5},
        {"asinh", asinh, asinh, -9, 9}, {"acosh", acosh, acosh, 1, 50}, {"atanh", atanh, atanh, -.99, .99},
        {"sqrt", sqrt, sqrt, 0, 100}};
    std::mt19937_64 random(1);
    for (const auto& c : cases) {
        std::uniform_real_distribution<double> argument(c.low, c.high);
        for (int k = 0; k < 2000; ++k) {
            const double x = argument(random);
            const Quad exact = c.of_quad(static_cast<Quad>(x));
            EXPECT_LE(fabsq(static_cast<Quad>(c.of_double(x)) - exact), fabsq(exact) * epsilon<double>())
                << c.name << " " << x;
        }
    }
}

// Each function against a central difference in quadruple precision: error of the difference h^2 = 1e-20 times the
// third derivative, round-off 1e-34/1e-10.
TEST(Scalar, dual_numbers_carry_exact_derivatives) {
    using DQ = Dual<Quad>;
    const std::vector<std::pair<const char*, std::function<DQ(const DQ&)>>> functions{
        {"sqrt", [](const DQ& x) { return sqrt(x); }},
        {"cbrt", [](const DQ& x) { return cbrt(x); }},
        {"exp", [](const DQ& x) { return exp(x); }},
        {"log", [](const DQ& x) { return log(x); }},
        {"sin", [](const DQ& x) { return sin(x); }},
        {"cos", [](const DQ& x) { return cos(x); }},
        {"tan", [](const DQ& x) { return tan(x); }},
        {"asin", [](const DQ& x) { return asin(x); }},
        {"acos", [](const DQ& x) { return acos(x); }},
        {"atan", [](const DQ& x) { return atan(x); }},
        {"sinh", [](const DQ& x) { return sinh(x); }},
        {"cosh", [](const DQ& x) { return cosh(x); }},
        {"tanh", [](const DQ& x) { return tanh(x); }},
        {"asinh", [](const DQ& x) { return asinh(x); }},
        {"atanh", [](const DQ& x) { return atanh(x); }},
        {"acosh", [](const DQ& x) { return acosh(x + lit<DQ>(1)); }},
        {"pow", [](const DQ& x) { return pow(x, x); }},
        {"hypot", [](const DQ& x) { return hypot(x, x * x); }},
        {"atan2", [](const DQ& x) { return atan2(x, x * x); }},
        {"quotient", [](const DQ& x) { return (x + lit<DQ>(1)) / (x * x); }},
        {"abs", [](const DQ& x) { return absv(x) * absv(-x); }},
        {"mad", [](const DQ& x) { return mad(x, x, x); }},
        {"max", [](const DQ& x) { return maxv(x, x * x) + minv(x, x * x * x); }},
    };
    const Quad x = from_text<Quad>("0.37");
    const Quad h = from_text<Quad>("1e-10");
    const auto constant = [](Quad value) { return DQ{value, {}}; };
    for (const auto& [name, f] : functions) {
        DQ argument = constant(x);
        argument.tangent[2] = 1;
        const Quad difference = (f(constant(x + h)).value - f(constant(x - h)).value) / (2 * h);
        EXPECT_LT(std::abs(static_cast<double>(f(argument).tangent[2] - difference)), 1e-17) << name;
        EXPECT_EQ(f(argument).tangent[0], Quad{0}) << name;
    }
}

TEST(Scalar, a_lane_of_a_pack_has_the_bits_of_a_double) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> argument(0.1, 0.9);
    for (int k = 0; k < 200; ++k) {
        Pack a, b;
        for (int i = 0; i < pack_width; ++i) {
            a.lane[i] = argument(random);
            b.lane[i] = argument(random);
        }
        const Pack r = mad(sin(a), exp(b), pow(a, b) / sqrt(b)) - select(less(a, b), cbrt(a), atan2(a, b));
        for (int i = 0; i < pack_width; ++i) {
            const double x = a.lane[i], y = b.lane[i];
            EXPECT_EQ(r.lane[i], mad(sin(x), exp(y), pow(x, y) / sqrt(y)) - (x < y ? cbrt(x) : atan2(x, y)));
        }
    }
}

TEST(Scalar, compensated_sums_keep_what_rounding_drops) {
    double high = 1, low = 0, plain = 1;
    for (int k = 0; k < 1'000'000; ++k) {
        const auto sum = add(high, low, 1e-17);
        high = sum.high;
        low = sum.low;
        plain += 1e-17;
    }
    EXPECT_EQ(plain, 1.0);
    EXPECT_NEAR(high + low - 1, 1e-11, 1e-22 + epsilon<double>() / 2);
}

// Halving towards a root: x -> x/2 until one floor (1e-10) is reached, from starts that need different numbers of
// passes.
TEST(Scalar, finished_lanes_are_frozen_so_that_passes_belong_to_the_trajectory) {
    const auto passes_alone = [](double start) {
        std::vector<double> x{start}, dx{0};
        return std::pair(iterate<double>({}, x, dx,
                                         [](auto value, auto correction) {
                                             correction[0] = -0.5 * value[0];
                                             return value[0] / 1e-10;
                                         }),
                         x[0]);
    };
    Pack start;
    for (int i = 0; i < pack_width; ++i) {
        start.lane[i] = std::pow(10.0, -i);
    }
    std::vector<Pack> x{start}, dx{start};
    const auto together = iterate<Pack>({}, x, dx, [](auto value, auto correction) {
        correction[0] = from_double<Pack>(-0.5) * value[0];
        return value[0] / from_double<Pack>(1e-10);
    });
    for (int i = 0; i < pack_width; ++i) {
        const auto [alone, root] = passes_alone(start.lane[i]);
        EXPECT_EQ(together.passes.lane[i], alone.passes);
        EXPECT_EQ(together.converged.lane[i], 1);
        EXPECT_EQ(x[0].lane[i], root);
    }
    EXPECT_GT(together.passes.lane[0], together.passes.lane[7]);
}

TEST(Scalar, the_loop_accepts_stagnation_near_round_off_only) {
    const auto stuck_at = [](double level) {
        std::vector<double> x{0}, dx{0};
        return iterate<double>({}, x, dx, [level](auto, auto correction) {
            correction[0] = 0;
            return level;
        });
    };
    EXPECT_EQ(stuck_at(3).converged, 1);
    EXPECT_EQ(stuck_at(3).passes, 1);
    EXPECT_EQ(stuck_at(1e6).converged, 0);
    EXPECT_EQ(stuck_at(std::nan("")).converged, 0);
}

// x is halved, or divided by `rate`, by every correction; residuals in floors of 1e-10.
IterationReport<double> contract(double start, double rate, IterationControl control, double& x,
                                 const double* before = nullptr) {
    std::vector<double> values{start}, correction{0};
    const auto report = iterate<double>(
        control, values, correction,
        [rate](auto value, auto change) {
            change[0] = (1 / rate - 1) * value[0];
            return value[0] / 1e-10;
        },
        before);
    x = values[0];
    return report;
}

TEST(Scalar, the_loop_foresees_where_the_last_correction_leads) {
    double x = 0;
    const IterationControl plain{.correct_last = true}, foreseeing{.correct_last = true, .foresee = true};
    // 1e4 floors, 100, 1: one more would be seen; 100 and the rate of 100 foretell 1, which is too much; 1 is measured.
    EXPECT_EQ(contract(1e-6, 100, plain, x).passes, 3);
    EXPECT_EQ(contract(1e-6, 100, foreseeing, x).passes, 3);
    // 2000, 10, and the rate of 200 foretells 0.05.
    EXPECT_EQ(contract(2e-7, 200, plain, x).passes, 3);
    const auto report = contract(2e-7, 200, foreseeing, x);
    EXPECT_EQ(report.passes, 2);
    EXPECT_EQ(report.converged, 1);
    EXPECT_LE(x / 1e-10, report.residual);
    EXPECT_LE(report.residual, 1.0 / 16);
    // Slow convergence foretells nothing good.
    EXPECT_EQ(contract(1e-6, 2, foreseeing, x).passes, contract(1e-6, 2, plain, x).passes);
}

TEST(Scalar, the_loop_knows_the_residual_before_a_correction_that_was_made_already) {
    double x = 0;
    const IterationControl foreseeing{.correct_last = true, .foresee = true};
    const double before = 2000;
    const auto whole = contract(2e-7, 200, foreseeing, x);
    const auto rest = contract(2e-7 / 200, 200, foreseeing, x, &before);
    EXPECT_EQ(rest.passes, whole.passes);
    EXPECT_EQ(rest.residual, whole.residual);
    EXPECT_EQ(contract(2e-7 / 200, 200, foreseeing, x).passes, 2) << "nothing is known of the rate";
}

}  // namespace
}  // namespace libration
