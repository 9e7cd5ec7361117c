// rounding_size by hand, and against errors that are measured with quadruple precision.
#include "letters.hpp"

#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/parse.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration {
namespace {

using namespace letters;

template <class S>
S value_at(const Expression& e, double at_x, double at_y, double at_a) {
    Tape<S> tape(compile(std::array{e}, std::array{x, y, a}), {});
    tape.input(0) = from_double<S>(at_x);
    tape.input(1) = from_double<S>(at_y);
    tape.input(2) = from_double<S>(at_a);
    tape.run();
    return tape.output(0);
}

double size_at(const char* formula, double at_x, double at_y) {
    return value_at<double>(rounding_size(parse(formula), std::array{x, y}), at_x, at_y, 7.0);
}

// Numbers without rounding, at x = 3 and y = -2; a is 7 and no symbol of interest.
TEST(RoundingSize, of_simple_formulas_is_what_one_finds_by_hand) {
    EXPECT_EQ(size_at("x^2 + y^2 - 1", 3, -2), 9 + 4 + 13);  // two squares and their sum
    EXPECT_EQ(size_at("x - y", 3, -2), 0);                   // the last operation is not counted
    EXPECT_EQ(size_at("x*y", 3, -2), 0);
    EXPECT_EQ(size_at("a*a - 1", 3, -2), 0);  // nothing depends on x or y
    EXPECT_EQ(size_at("x*y - 6", 3, -2), 6);
    EXPECT_EQ(size_at("(x - y)^2 - 25", 3, -2), 2 * 5 * 5 + 25);  // the difference counts through its slope
    EXPECT_EQ(size_at("a*(x - y) - 35", 3, -2), 7 * 5 + 35);
    EXPECT_DOUBLE_EQ(size_at("(x*y)/(x + a) + 1", 3, -2), 1.8);  // 6/10 thrice: product, sum and quotient
    EXPECT_DOUBLE_EQ(size_at("exp(-(x*y)) - 1", 3, -2), 6 * std::exp(6.0) + std::exp(6.0));  // signs are exact
    EXPECT_EQ(size_at("abs(x*y) - 6", 3, -2), 6);
    EXPECT_EQ(size_at("x*y + x*y*x - 12", 3, -2), 4 * 6 + 18 + 24);  // x*y counts with slope 1 + x
    EXPECT_DOUBLE_EQ(size_at("sin(x*y) - 1", 3, -2), std::abs(std::cos(-6.0) * 6) + std::abs(std::sin(-6.0)));
    EXPECT_DOUBLE_EQ(size_at("sqrt(x*x + y*y) - 1", 3, -2),
                     std::sqrt(13.0) + 9 / std::sqrt(52.0) + 4 / std::sqrt(52.0) + 13 / std::sqrt(52.0));
}

// Of two branches the one that is taken, with its own last operation: it is not the last one of the whole.
TEST(RoundingSize, of_choices_is_that_of_the_branch_taken) {
    EXPECT_EQ(size_at("if(x > 0, x*y, y*y) - 1", 3, -2), 6);
    EXPECT_EQ(size_at("if(x > 0, x*y, y*y) - 1", -3, -2), 4);
    EXPECT_EQ(size_at("if(x > 0, x*y - 1, y) + a", 3, -2), 6 + 7);
    EXPECT_EQ(size_at("if(x > 0, x*y - 1, y) + a", -3, -2), 0);
    EXPECT_EQ(size_at("a*if(x > 0, if(y > 0, y*y, x*x), a) - 1", 3, -2), 7 * 9 + 7 * 9);
    EXPECT_EQ(size_at("max(x*x, y*y) - 1", 3, -2), 9);
    EXPECT_EQ(size_at("min(x*x, y*y) - 1", 3, -2), 4);
    EXPECT_EQ(size_at("if(x > 0, x*y - 6, x*x)", 3, -2), 6);  // the last operation of a branch is that of the whole
    EXPECT_EQ(size_at("if(x > 0, x*y - 6, x*x)", -3, -2), 0);
    // The branch not taken may be undefined.
    EXPECT_EQ(size_at("if(x > 0, x*x, log(x)) - 1", 3, -2), 9);
    EXPECT_EQ(size_at("if(x < 0, 1/(x - 3), x*x) - 1", 3, -2), 9);
}

#ifdef LIBRATION_HAS_QUAD
// f - a where a is f as doubles give it: all that is left is the error of f, and the subtraction is exact. To first
// order the error is at most u = eps/2 times the size; functions are good to one unit in the last place, that is to
// eps, so that the bound is eps times the size. An average far below it would mean that the size is no measure of the
// error: rounding errors are spread evenly up to u, so that even a score of them, partly cancelling, come to a tenth of
// the bound or so.
TEST(RoundingSize, bounds_the_measured_error_and_is_not_far_above) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (const char* formula : {
             "x^2 + y^2",
             "(x - 3)^2 + (y + 1000)^2",
             "(x*y - x)*(x*y + 2*y) - x*x*y*y",
             "sin(x*y) - cos(3*x)*y",
             "if(x < y, x*x*y, exp(y))",
             "if(x < y, if(x < 0, x*y, x/y), 2*x - 3*y)",
             "max(x*x, y*x*y)",
             "min(x*x, abs(x*y) + x)",
             "sqrt(x^2 + y^2)",
             "1/sqrt(1 + x^2 + y^2) - x/(2 + y)",
             "tanh(x*y) + atan(x - 7*y) - log(1 + x*x)",
             "hypot(x - 100, y)",
         }) {
        const auto f = parse(formula);
        const auto size = rounding_size(f - a, std::array{x, y});
        std::mt19937_64 random(1);
        double worst = 0, sum = 0;
        const int points = 2000;
        for (int n = 0; n < points; ++n) {
            const double at_x = std::normal_distribution<double>(0, 1)(random);
            const double at_y = std::normal_distribution<double>(0, 1)(random);
            const double rounded = value_at<double>(f, at_x, at_y, 0);
            const double error = std::abs(static_cast<double>(value_at<Quad>(f - a, at_x, at_y, rounded)));
            const double bound = eps * value_at<double>(size, at_x, at_y, rounded);
            worst = std::max(worst, floors(error, bound));
            sum += floors(error, bound);
        }
        EXPECT_LT(worst, 1) << formula;
        EXPECT_GT(sum / points, 1e-3) << formula;
    }
}
#endif

}  // namespace
}  // namespace libration
