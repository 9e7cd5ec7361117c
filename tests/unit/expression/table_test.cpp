// Functions given by values: against closed forms and against a spline that is found by solving all its conditions at
// once, in every scalar.
#include "codegen/traced_program.hpp"
#include "expression/block_tape.hpp"
#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/latex.hpp>
#include <libration/expression/parse.hpp>
#include <libration/expression/table.hpp>
#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace libration {
namespace {

using Kind = Table::Kind;

const std::vector<double> irregular_x{0, 0.5, 2, 2.25, 4, 7};
const std::vector<double> irregular_y{1, -1, 0.5, 3, 2, -4};

std::vector<Expression> constants(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Table irregular(Kind kind) { return {"profile", constants(irregular_x), constants(irregular_y), kind}; }

template <class S>
S value(const Expression& e, const S& at) {
    Tape<S> tape(compile(std::array{e}, std::array{symbol("x")}), {});
    tape.input(0) = at;
    tape.run();
    return tape.output(0);
}

double at(const Table& table, double x, int derivative = 0) {
    return value<double>(interp(table, symbol("x"), derivative), x);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// The 4 (n - 1) coefficients of all pieces in powers of x - x_k, from the conditions that define a not-a-knot spline,
// by elimination with pivots: another way than that of the library.
class Conditions {
  public:
    Conditions(const std::vector<double>& x, const std::vector<double>& y) : x_(x), pieces_(x.size() - 1) {
        const std::size_t n = x.size();
        for (std::size_t k = 0; k < pieces_; ++k) {
            add({{k, 0, 0}}, y[k]);
            add({{k, 0, x[k + 1] - x[k]}}, y[k + 1]);
        }
        for (std::size_t k = 1; k < pieces_; ++k) {
            for (int order = 1; order <= 2; ++order) {
                add({{k - 1, order, x[k] - x[k - 1]}, {k, order, 0, -1}}, 0);
            }
        }
        add({{0, 3, 0}, {1, 3, 0, -1}}, 0);
        add({{n - 3, 3, 0}, {n - 2, 3, 0, -1}}, 0);
        solve();
    }
    [[nodiscard]] double operator()(double at, int order) const {
        std::size_t k = 0;
        while (k + 1 < pieces_ && x_[k + 1] <= at) {
            ++k;
        }
        long double sum = 0;
        for (int power = order; power <= 3; ++power) {
            sum += solution_[4 * k + static_cast<std::size_t>(power)] * factor(power, order) *
                   std::pow(static_cast<long double>(at) - x_[k], power - order);
        }
        return static_cast<double>(sum);
    }

  private:
    struct Part {
        std::size_t piece;
        int order;
        double u;
        double sign = 1;
    };
    static long double factor(int power, int order) {
        long double f = 1;
        for (int j = 0; j < order; ++j) {
            f *= power - j;
        }
        return f;
    }
    void add(const std::vector<Part>& parts, double right) {
        std::vector<long double> row(4 * pieces_ + 1, 0);
        for (const auto& [piece, order, u, sign] : parts) {
            for (int power = order; power <= 3; ++power) {
                row[4 * piece + static_cast<std::size_t>(power)] +=
                    sign * factor(power, order) * std::pow(static_cast<long double>(u), power - order);
            }
        }
        row.back() = right;
        rows_.push_back(row);
    }
    void solve() {
        const std::size_t n = 4 * pieces_;
        ASSERT_EQ(rows_.size(), n);
        for (std::size_t c = 0; c < n; ++c) {
            const auto pivot =
                std::max_element(rows_.begin() + static_cast<std::ptrdiff_t>(c), rows_.end(),
                                 [c](const auto& a, const auto& b) { return std::abs(a[c]) < std::abs(b[c]); });
            std::swap(rows_[c], *pivot);
            for (std::size_t r = 0; r < n; ++r) {
                const long double f = r == c ? 0 : rows_[r][c] / rows_[c][c];
                for (std::size_t j = c; j <= n && f != 0; ++j) {
                    rows_[r][j] -= f * rows_[c][j];
                }
            }
        }
        for (std::size_t c = 0; c < n; ++c) {
            solution_.push_back(rows_[c][n] / rows_[c][c]);
        }
    }

    std::vector<double> x_;
    std::size_t pieces_;
    std::vector<std::vector<long double>> rows_;
    std::vector<long double> solution_;
};

TEST(Tables, that_are_linear_go_straight_from_point_to_point) {
    const Table profile("profile", {0, 1, 2}, {0, 5, 0});
    EXPECT_EQ(at(profile, 0), 0);
    EXPECT_EQ(at(profile, 0.5), 2.5);
    EXPECT_EQ(at(profile, 1), 5);
    EXPECT_EQ(at(profile, 1.75), 1.25);
    EXPECT_EQ(at(profile, 0.5, 1), 5);
    EXPECT_EQ(at(profile, 1.5, 1), -5);
    EXPECT_EQ(at(profile, 1, 1), -5) << "at a kink the piece on the right counts";
    EXPECT_EQ(at(profile, 0.5, 2), 0);
}

TEST(Tables, keep_their_end_values_outside) {
    for (const auto kind : {Kind::linear, Kind::cubic}) {
        const auto table = irregular(kind);
        for (const double outside : {-0.001, -1e300, -std::numeric_limits<double>::infinity()}) {
            EXPECT_EQ(at(table, outside), 1);
            EXPECT_EQ(at(table, outside, 1), 0);
        }
        for (const double outside : {7.0, 7.001, 1e300, std::numeric_limits<double>::infinity()}) {
            EXPECT_EQ(at(table, outside), -4);
            EXPECT_EQ(at(table, outside, 2), 0);
        }
        EXPECT_TRUE(std::isnan(at(table, std::nan(""))));
        EXPECT_TRUE(std::isnan(at(table, std::nan(""), 1)));
    }
}

// The conditions are solved in 64 bits; the pieces are at most 3 long and the coefficients below 100, so that both
// sides have errors of some hundred units of the last place of 100 * 3^3.
TEST(Tables, that_are_cubic_are_the_spline_that_its_conditions_define) {
    constexpr double tolerance = 1e-12;
    const Conditions spline(irregular_x, irregular_y);
    const auto table = irregular(Kind::cubic);
    for (int n = 0; n < 700; ++n) {
        const double x = n * 0.01 + 0.001;
        for (int order = 0; order <= 3; ++order) {
            EXPECT_NEAR(at(table, x, order), spline(x, order), tolerance * std::max(1.0, std::abs(spline(x, order))))
                << x << " " << order;
        }
    }
    EXPECT_GT(std::abs(at(table, 1, 3)), 0.1) << "a spline that is not a straight line";
}

TEST(Tables, that_are_cubic_have_continuous_first_and_second_derivatives) {
    const auto table = irregular(Kind::cubic);
    for (std::size_t k = 1; k + 1 < irregular_x.size(); ++k) {
        const double before = std::nextafter(irregular_x[k], -1);
        for (int order = 0; order <= 2; ++order) {
            EXPECT_NEAR(at(table, before, order), at(table, irregular_x[k], order), 1e-12) << k << " " << order;
        }
    }
    // The third one jumps, except at the points next to the ends.
    EXPECT_NEAR(at(table, std::nextafter(0.5, 0), 3), at(table, 0.5, 3), 1e-12);
    EXPECT_GT(std::abs(at(table, std::nextafter(2.0, 0), 3) - at(table, 2, 3)), 1);
    EXPECT_NEAR(at(table, std::nextafter(4.0, 0), 3), at(table, 4, 3), 1e-12);
}

TEST(Tables, of_a_cubic_polynomial_are_that_polynomial) {
    const auto x = symbol("x");
    const auto polynomial = parse("2 - x + 3*x^2 - x^3/2");
    for (const std::size_t points : {std::size_t{4}, std::size_t{5}, std::size_t{6}}) {
        std::vector<Expression> given_x, given_y;
        for (std::size_t k = 0; k < points; ++k) {
            given_x.emplace_back(irregular_x[k]);
            given_y.push_back(substitute(polynomial, std::array{x}, std::array{given_x.back()}));
        }
        const Table table("polynomial", given_x, given_y, Kind::cubic);
        auto exact = polynomial;
        for (int order = 0; order <= 3; ++order) {
            for (double t = 0.05; t < irregular_x[points - 1]; t += 0.1) {
                EXPECT_NEAR(at(table, t, order), value<double>(exact, t), 1e-12) << points << " " << t << " " << order;
#ifdef LIBRATION_HAS_QUAD
                // 113 bits, and values of some hundred.
                const Quad error = value<Quad>(interp(table, x, order), t) - value<Quad>(exact, t);
                EXPECT_LT(static_cast<double>(absv(error)), 1e-29) << points << " " << t << " " << order;
#endif
            }
            exact = derivative(exact, x);
        }
    }
}

TEST(Tables, of_three_points_are_a_parabola_and_of_data_on_a_line_that_line) {
    const Table parabola("parabola", {0, 1, 3}, {1, 2, 10}, Kind::cubic);  // 1 + x^2
    for (double x = 0; x < 3; x += 0.125) {
        EXPECT_NEAR(at(parabola, x), 1 + x * x, 1e-14);
        EXPECT_NEAR(at(parabola, x, 1), 2 * x, 1e-14);
        EXPECT_NEAR(at(parabola, x, 2), 2, 1e-14);
        EXPECT_NEAR(at(parabola, x, 3), 0, 1e-14);
    }
    for (const auto kind : {Kind::linear, Kind::cubic}) {
        const Table line("line", {-1, 0, 2, 5, 6}, {-5, -3, 1, 7, 9}, kind);  // 2 x - 3
        for (double x = -1; x < 6; x += 0.125) {
            EXPECT_EQ(at(line, x), 2 * x - 3);
            EXPECT_EQ(at(line, x, 1), 2);
            EXPECT_EQ(at(line, x, 2), 0);
        }
    }
}

TEST(Tables, have_exact_derivatives_of_every_order_in_the_graph) {
    const auto x = symbol("x");
    for (const auto kind : {Kind::linear, Kind::cubic}) {
        const auto table = irregular(kind);
        const auto f = interp(table, x * x / 2);
        const double u = 2.7 * 2.7 / 2;
        EXPECT_NEAR(value<double>(derivative(f, x), 2.7), at(table, u, 1) * 2.7, 1e-13);
        EXPECT_NEAR(value<double>(derivative(derivative(f, x), x), 2.7), at(table, u, 2) * 2.7 * 2.7 + at(table, u, 1),
                    1e-12);
        EXPECT_NEAR(value<double>(gradient(f, std::array{x})[0], 2.7), at(table, u, 1) * 2.7, 1e-13);
        auto high = interp(table, x);
        const int degree = kind == Kind::linear ? 1 : 3;
        for (int order = 1; order <= degree; ++order) {
            high = derivative(high, x);
            EXPECT_EQ(high, interp(table, x, order));
        }
        EXPECT_EQ(derivative(high, x), Expression(0));
        EXPECT_EQ(interp(table, x, degree + 1), Expression(0));
        EXPECT_FALSE(interp(table, parse("log(x)"), degree + 1).is(Op::constant)) << "log(x) may be undefined";
    }
}

TEST(Tables, have_one_meaning_in_all_scalars) {
    const auto x = symbol("x");
    for (const auto kind : {Kind::linear, Kind::cubic}) {
        const auto table = irregular(kind);
        const auto f = interp(table, x) + x * interp(table, 2 * x, 1);
        const auto slope = derivative(f, x);
        BlockTape<double> block(compile(std::array{f, slope}, std::array{x}), {}, 64);
        for (std::size_t l = 0; l < 64; ++l) {
            block.input(0)[l] = 0.11 * static_cast<double>(l) - 0.5;
        }
        std::vector<double> inputs(block.input(0), block.input(0) + 64);
        block.run(64);
        for (std::size_t l = 0; l < 64; ++l) {
            const double at_x = inputs[l];
            const double expected = value<double>(f, at_x), expected_slope = value<double>(slope, at_x);
            EXPECT_TRUE(same_bits(block.output(0)[l], expected));
            EXPECT_TRUE(same_bits(block.output(1)[l], expected_slope));
            Pack lanes;
            for (int k = 0; k < pack_width; ++k) {
                lanes.lane[k] = at_x + k;
            }
            const auto packed = value<Pack>(f, lanes);
            for (int k = 0; k < pack_width; ++k) {
                EXPECT_TRUE(same_bits(packed.lane[k], value<double>(f, at_x + k)));
            }
            Dual<double> dual{at_x, {}};
            dual.tangent[0] = 1;
            EXPECT_TRUE(same_bits(value(f, dual).value, expected));
            EXPECT_NEAR(value(f, dual).tangent[0], expected_slope, 1e-12 * (1 + std::abs(expected_slope)));
            TraceRecorder recorder;
            const auto traced = value<Traced>(f, Traced{x});
            TracedProgram program(recorder, std::array{x}, std::array{traced.expression});
            double from_trace = 0;
            program.run(std::array{at_x}, std::span(&from_trace, 1));
            EXPECT_TRUE(same_bits(from_trace, expected));
#ifdef LIBRATION_HAS_QUAD
            // Arguments are doubles, so both find the same piece.
            EXPECT_NEAR(static_cast<double>(value<Quad>(f, at_x)), expected, 1e-12 * (1 + std::abs(expected)));
            Dual<Quad> wide{at_x, {}};
            wide.tangent[0] = 1;
            const Quad difference = value(f, wide).tangent[0] - value<Quad>(slope, at_x);
            EXPECT_LT(static_cast<double>(absv(difference)), 1e-29 * (1 + std::abs(expected_slope)));
#endif
        }
    }
}

#ifdef LIBRATION_HAS_QUAD
TEST(Tables, are_as_precise_as_the_scalar) {
    const auto x = symbol("x");
    const Table third("third", {0, 1}, {0, ratio(1, 3)});
    EXPECT_LT(static_cast<double>(absv(value<Quad>(interp(third, x), 0.5) - lit<Quad>(1, 6))), 1e-33);
    const Table angle("angle", {0, constant("pi")}, {0, 1});
    EXPECT_EQ(static_cast<double>(value<Quad>(interp(angle, constant("pi") / 2 + 0 * x), 0.0)), 0.5);
}
#endif

TEST(Tables, that_are_equal_are_one_node_and_others_are_not) {
    const auto x = symbol("x");
    EXPECT_EQ(interp(irregular(Kind::cubic), x), interp(irregular(Kind::cubic), x));
    EXPECT_NE(interp(irregular(Kind::cubic), x), interp(irregular(Kind::linear), x));
    EXPECT_NE(interp(Table("a", {0, 1}, {0, 1}), x), interp(Table("b", {0, 1}, {0, 1}), x));
    EXPECT_NE(interp(Table("a", {0, 1}, {0, 1}), x), interp(Table("a", {0, 1}, {0, 2}), x));
}

TEST(Tables, print_as_they_are_written) {
    const auto x = symbol("x");
    const auto table = irregular(Kind::cubic);
    EXPECT_EQ(to_string(interp(table, x * x)), "interp(profile, x * x)");
    EXPECT_EQ(to_string(derivative(interp(table, x), x)), "interp(profile, x, 1)");
    EXPECT_EQ(parse("2*interp(profile, x + 1, 2)"), 2 * interp("profile", x + 1, 2));
    EXPECT_EQ(parse(to_string(interp("profile", x, 1))), interp("profile", x, 1));
    EXPECT_EQ(to_latex(interp(table, x)), "\\mathrm{profile}(x)");
    EXPECT_EQ(to_latex(derivative(derivative(interp(table, x), x), x)), "\\mathrm{profile}''(x)");
}

std::string fault(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

TEST(Tables, refuse_values_that_are_no_function) {
    const auto has = [](const std::string& message, const std::string& words) {
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    has(fault([] { Table("p", {0, 1}, {0}); }), "the table 'p': x has 2 values and y has 1");
    has(fault([] { Table("p", {0}, {0}); }), "linear interpolation needs at least 2 rows, and there is 1");
    has(fault([] { Table("p", {0, 1}, {0, 1}, Kind::cubic); }), "cubic interpolation needs at least 3 rows");
    has(fault([] { Table("p", {0, 2, 2}, {0, 1, 2}); }), "x must increase from row to row, and 2 follows 2 (row 3)");
    has(fault([] { Table("p", {0, symbol("a")}, {0, 1}); }), "contains the symbol 'a'; a table holds numbers");
    has(fault([] { Table("p", {0, 1}, {0, log(Expression(0))}); }), "is not a finite number (row 2)");
    has(fault([] { value<double>(interp("p", symbol("x")), 0); }), "the table 'p', whose values are known in a model");
}

TEST(Interp, is_told_what_it_takes) {
    const auto has = [](const std::string& text, const std::string& words) {
        const auto message = fault([&] { parse(text); });
        EXPECT_NE(message.find(words), std::string::npos) << text << " -> " << message;
    };
    has("interp()", "expected the name of a table, as in interp(profile, t), found ')'");
    has("interp(2, x)", "expected the name of a table, as in interp(profile, t), found '2'");
    has("interp(profile)", "expected ',' and the argument of 'profile'");
    has("interp(profile, )", "expected a number, a name or '(', found ')'");
    has("interp(profile, x, y)", "the third argument of interp is the number of a derivative: 0, 1, 2, ...");
    has("interp(profile, x, -1)", "the third argument of interp is the number of a derivative");
    has("interp(profile, x, 1/2)", "the third argument of interp is the number of a derivative");
    has("interp(profile, x, 1, 2)", "interp takes a table, an argument and, optionally, the order of a derivative");
    has("interp(profile, x", "expected ')' to close the arguments");
}

// As in Python: the sign of the divisor.
TEST(Mod, is_the_floored_remainder) {
    const auto mod_of = [](const char* a, const char* b) {
        return value<double>(parse(std::string("mod(x*0 + ") + a + ", " + b + ")"), 0.0);
    };
    EXPECT_EQ(mod_of("7", "3"), 1);
    EXPECT_EQ(mod_of("-7", "3"), 2);
    EXPECT_EQ(mod_of("7", "(-3)"), -2);
    EXPECT_EQ(mod_of("-7", "(-3)"), -1);
    EXPECT_EQ(mod_of("5.5", "2"), 1.5);
    EXPECT_EQ(mod_of("6", "3"), 0);
    EXPECT_EQ(parse("mod(x, y)"), parse("x % y"));
    EXPECT_EQ(parse("mod(7, 3)"), Expression(1));
    EXPECT_EQ(to_latex(parse("mod(x, y)")), "x \\bmod y");
    const auto x = symbol("x"), y = symbol("y");
    EXPECT_EQ(derivative(mod(x, y), x), Expression(1));
    EXPECT_EQ(derivative(mod(x, y), y), -floor(x / y));
}

TEST(Functions, that_have_other_names_elsewhere_are_suggested) {
    const auto has = [](const std::string& text, const std::string& words) {
        const auto message = fault([&] { parse(text); });
        EXPECT_NE(message.find(words), std::string::npos) << text << " -> " << message;
    };
    has("fmod(x, 2)", "unknown function 'fmod': did you mean mod(a, b)?");
    has("rem(x, 2)", "did you mean mod(a, b)?");
    has("ln(x)", "did you mean log(x)?");
    has("pow(x, 2)", "did you mean a^b?");
    has("interpolate(p, x)", "did you mean interp(table, x)?");
    has("itnerp(p, x)", "did you mean 'interp'?");
    has("mdo(x, 2)", "did you mean 'mod'?");
    has("mod(x)", "mod takes 2 arguments, not 1");
}

}  // namespace
}  // namespace libration
