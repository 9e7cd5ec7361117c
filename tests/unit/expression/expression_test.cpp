// Expressions: one graph from text and C++, exact constants, safe simplification, exact derivatives, all scalars.
#include "letters.hpp"

#include "codegen/traced_program.hpp"
#include "expression/tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/parse.hpp>
#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration {
namespace {

using namespace letters;

template <class S>
S value(const Expression& e, const std::vector<Expression>& symbols, const std::vector<S>& at) {
    Tape<S> tape(compile(std::array{e}, symbols), {});
    for (std::size_t k = 0; k < at.size(); ++k) {
        tape.input(k) = at[k];
    }
    tape.run();
    return tape.output(0);
}

std::string fault(const std::string& text) {
    try {
        parse(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

TEST(Expression, text_and_operators_build_the_same_node) {
    EXPECT_EQ(parse("x^2 + 3*y - sin(x*y)/4"), pow(x, 2) + 3 * y - sin(x * y) / 4);
    EXPECT_EQ(parse("y + x"), x + y);
    EXPECT_EQ(parse("if(x < y, x, y)"), if_(less(x, y), x, y));
    EXPECT_EQ(parse("0.1"), Expression(0.1));
    EXPECT_EQ(parse("2^10"), Expression(1024));
}

TEST(Expression, printed_text_parses_back_to_the_same_node) {
    for (const auto* text : {"x^2 + 3*y - sin(x*y)/4", "-x^2", "(x+y)*(x-y)", "if(x < y and not (y <= z), x, -y)",
                             "x^-2 + 2^(1/3)", "atan2(y, x) - hypot(x, y)*pi", "1e-3*x - 0.1234567890123456789"}) {
        const auto e = parse(text);
        EXPECT_EQ(parse(to_string(e)), e) << text << " printed as " << to_string(e);
    }
}

TEST(Expression, powers_bind_to_the_right_and_tighter_than_signs) {
    EXPECT_EQ(value<double>(parse("-2^2"), {}, {}), -4);
    EXPECT_EQ(value<double>(parse("2^3^2"), {}, {}), 512);
    EXPECT_EQ(value<double>(parse("2^-1"), {}, {}), 0.5);
    EXPECT_EQ(value<double>(parse("7 // 2 + -7 // 2 + -7 % 3"), {}, {}), 3 - 4 + 2);
}

TEST(Expression, constants_stay_exact_until_the_scalar_is_known) {
    EXPECT_EQ(parse("0.1 + 0.2"), parse("0.3"));
    EXPECT_EQ(value<Quad>(parse("1/3"), {}, {}), Quad{1} / 3);
    const auto long_text = parse("0.12345678901234567890123456789");
    EXPECT_LT(fabsq(value<Quad>(long_text, {}, {}) - from_text<Quad>("0.12345678901234567890123456789")), quad_epsilon);
    EXPECT_NE(value<Quad>(long_text, {}, {}), static_cast<Quad>(value<double>(long_text, {}, {})));
}

// Directions of length 1 cost nothing: 1/sqrt(0.6^2 + 0.8^2).
TEST(Expression, roots_without_rounding_are_numbers) {
    EXPECT_EQ(parse("x / sqrt(0.6^2 + 0.8^2)"), x);
    EXPECT_EQ(parse("sqrt(6.25)"), parse("2.5"));
    EXPECT_EQ(parse("sqrt(0)"), Expression(0));
    for (const auto* text : {"sqrt(2)", "sqrt(-4)", "sqrt(1/9)", "sqrt(0.01)", "sqrt(9007199254740992)"}) {
        EXPECT_FALSE(parse(text).is(Op::constant)) << text;
    }
}

// x/x, 0*log(x), sqrt(x)-sqrt(x) and x^0 of something undefined must not become numbers.
TEST(Expression, simplification_never_enlarges_the_domain) {
    EXPECT_EQ(0 * sin(x), Expression(0));
    EXPECT_EQ(x - x, Expression(0));
    for (const auto& e : {0 * log(x), x / x, sqrt(x) - sqrt(x), pow(log(x), 0), 0 / x, 0 * (1 / x)}) {
        EXPECT_FALSE(e.is(Op::constant)) << to_string(e);
    }
    EXPECT_TRUE(std::isnan(value<double>(0 * log(x), {x}, {-1.0})));
    EXPECT_TRUE(std::isnan(value<double>(x / x, {x}, {0.0})));
}

// Random expressions that are defined for arguments near 1.
Expression random_expression(std::mt19937_64& random, int depth) {
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    if (depth == 0) {
        return std::array{x, y, z, Expression(2), ratio(1, 3)}[static_cast<std::size_t>(pick(5))];
    }
    const auto a = random_expression(random, depth - 1);
    const auto b = random_expression(random, depth - 1);
    switch (pick(14)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2:
        case 3: return a * b;
        case 4: return a / (2 + b * b);
        case 5: return sin(a);
        case 6: return exp(cos(a));
        case 7: return sqrt(1 + a * a);
        case 8: return log(1 + a * a) - atan(b);
        case 9: return if_(less(a, b), a * b, tanh(a));
        case 10: return pow(1 + a * a, ratio(3, 2));
        case 11: return hypot(a, 1 + b * b);
        case 12: return max(a, b) - min(a * a, b);
        default: return pow(a, 3) - abs(b);
    }
}

// Two exact derivatives, by reverse sweep over the graph and by dual numbers, differ by round-off: both are sums of at
// most some 100 products, and quadruple precision leaves 18 digits of room below 1e-15.
TEST(Expression, gradients_and_second_derivatives_agree_with_dual_numbers) {
    std::mt19937_64 random(3);
    const std::vector<Expression> symbols{x, y, z};
    int compared = 0;
    for (int k = 0; k < 300; ++k) {
        const auto e = random_expression(random, 5);
        const auto first = gradient(e, symbols);
        const auto second = gradient(first[0], symbols);
        for (int j = 0; j < 3; ++j) {
            std::vector<Dual<Quad>> at{{Quad{11} / 10, {}}, {Quad{7} / 10, {}}, {Quad{13} / 10, {}}};
            at[static_cast<std::size_t>(j)].tangent[0] = 1;
            const std::vector<Quad> point{at[0].value, at[1].value, at[2].value};
            const auto index = static_cast<std::size_t>(j);
            const auto check = [&](const Expression& derivative, const Expression& of) {
                const Quad exact = value<Dual<Quad>>(of, symbols, at).tangent[0];
                if (!isinfq(exact) && !isnanq(exact)) {
                    ++compared;
                    EXPECT_LE(fabsq(value<Quad>(derivative, symbols, point) - exact), 1e-15 * (1 + fabsq(exact)))
                        << to_string(of);
                }
            };
            check(first[index], e);
            check(second[index], first[0]);
            EXPECT_LE(fabsq(value<Quad>(derivative(e, symbols[index]), symbols, point) -
                            value<Quad>(first[index], symbols, point)),
                      1e-15 * (1 + fabsq(value<Quad>(first[index], symbols, point))));
        }
    }
    EXPECT_GT(compared, 1700);
}

// The reverse sweep: the whole gradient of a function of 200 variables costs a small multiple of the function.
TEST(Expression, a_gradient_costs_a_small_multiple_of_the_value) {
    std::vector<Expression> symbols;
    for (int k = 0; k < 200; ++k) {
        symbols.push_back(symbol("s" + std::to_string(k)));
    }
    Expression energy = 0;
    for (std::size_t k = 1; k < symbols.size(); ++k) {
        energy += exp(symbols[k] - symbols[k - 1]) / sqrt(1 + symbols[k] * symbols[k - 1]);
    }
    const auto cost = compile(std::array{energy}, symbols).instructions.size();
    auto outputs = gradient(energy, symbols);
    outputs.push_back(energy);
    EXPECT_LT(compile(outputs, symbols).instructions.size(), 5 * cost);
}

TEST(Expression, a_branch_that_is_not_taken_cannot_spoil_a_derivative) {
    const auto e = parse("if(x > 0, sqrt(x), 0*x)");
    EXPECT_EQ(value<double>(gradient(e, std::array{x})[0], {x}, {-1.0}), 0);
    EXPECT_EQ(value<double>(gradient(e, std::array{x})[0], {x}, {4.0}), 0.25);
}

TEST(Expression, sparsity_lists_the_places_that_are_not_identically_zero) {
    const std::vector<Expression> rows{x * x + sin(z), y - y + 3 * z, floor(x) + 1};
    const std::vector<Expression> symbols{x, y, z};
    EXPECT_EQ(jacobian_sparsity(rows, symbols), (std::vector<std::vector<std::size_t>>{{0, 2}, {2}, {}}));
    // The Hessian of a chain of springs is tridiagonal.
    const auto energy = pow(x - y, 4) + pow(y - z, 4);
    EXPECT_EQ(jacobian_sparsity(gradient(energy, symbols), symbols),
              (std::vector<std::vector<std::size_t>>{{0, 1}, {0, 1, 2}, {1, 2}}));
}

TEST(Expression, integer_powers_become_products) {
    for (const int n : {2, 3, 7, 12, -2, -5}) {
        const auto program = compile(std::array{pow(x, n)}, std::array{x});
        for (const auto& instruction : program.instructions) {
            EXPECT_NE(instruction.op, Op::power);
        }
        EXPECT_NEAR(value<double>(pow(x, n), {x}, {-1.5}), std::pow(-1.5, n), 1e-14 * std::abs(std::pow(1.5, n)));
    }
    EXPECT_EQ(value<double>(parse("x^99999"), {x}, {1.0}), 1);  // not unrolled, and quick
}

TEST(Expression, work_on_parameters_is_done_once) {
    const auto g = symbol("g");
    const auto program = compile(std::array{x * sin(g * g) + exp(g)}, std::array{x}, std::array{g});
    EXPECT_EQ(program.instructions.size() - program.prepared, 2U);
}

TEST(Expression, unknown_symbols_are_named) {
    try {
        compile(std::array{x * y}, std::array{x});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("'y'"), std::string::npos);
    }
}

TEST(Expression, deep_nesting_is_refused_before_the_stack_is_gone) {
    EXPECT_NE(fault(std::string(100'000, '(')).find("nested"), std::string::npos);
    EXPECT_NE(fault(std::string(100'000, '-') + "x").find("signs"), std::string::npos);
    std::string negations;
    for (int k = 0; k < 100'000; ++k) {
        negations += "not ";
    }
    EXPECT_NE(fault(negations + "x").find("nested"), std::string::npos);
    EXPECT_EQ(parse(std::string(1'000'000, '+') + "x"), x);
    std::string sum = "x";
    for (int k = 0; k < 20'000; ++k) {
        sum += "+sin(x+" + std::to_string(k) + ")";
    }
    EXPECT_EQ(fault(sum), "no fault");  // long, but not nested
}

TEST(Parse, faults_point_at_the_token) {
    EXPECT_NE(fault("x + * y").find("expected a number, a name or '(', found '*'"), std::string::npos);
    EXPECT_NE(fault("x + * y").find("    x + * y\n        ^"), std::string::npos);
    EXPECT_NE(fault("sn(x)").find("did you mean 'sin'?"), std::string::npos);
    EXPECT_NE(fault("x**2").find("written with '^'"), std::string::npos);
    EXPECT_NE(fault("(x").find("expected ')'"), std::string::npos);
    EXPECT_NE(fault("atan2(x)").find("takes 2 arguments"), std::string::npos);
    EXPECT_NE(fault("x y").find("expected an operator"), std::string::npos);
    EXPECT_NE(fault("").find("found the end"), std::string::npos);
    EXPECT_NE(fault("a < b < c").find("do not chain"), std::string::npos);
    EXPECT_NE(fault("x $ y").find("no meaning"), std::string::npos);
}

TEST(Traced, nothing_is_simplified_and_loops_keep_their_bits) {
    TraceRecorder recorder;
    const auto a = symbol("a"), b = symbol("b");
    const Traced ta{a}, tb{b};
    const Traced error = (ta - ((ta + tb) - tb)) + (tb - tb);  // zero in algebra, not in floating point
    // The simplifier would join the factors to 1/21; rounding twice gives other bits.
    const Traced twice = lit<Traced>(1, 3) * (lit<Traced>(1, 7) * ta);
    std::vector<Traced> root{ta}, correction{ta};
    const auto report = iterate({}, std::span<Traced>(root), std::span<Traced>(correction),
                                [&](std::span<const Traced> r, std::span<Traced> dr) {
                                    dr[0] = (tb - r[0] * r[0]) / (lit<Traced>(2) * r[0]);
                                    return floors(dr[0], lit<Traced>(1) * epsilon<Traced>());
                                });
    TracedProgram program(recorder, std::array{a, b},
                          std::array{error.expression, root[0].expression, report.passes.expression, twice.expression});
    std::array<double, 4> out{};
    program.run(std::array{1e-3, 7.0}, out);
    EXPECT_EQ(out[0], 1e-3 - ((1e-3 + 7.0) - 7.0));
    EXPECT_NE(out[0], 0);
    EXPECT_NEAR(out[1], std::sqrt(7.0), 1e-15);
    EXPECT_GT(out[2], 5);
    EXPECT_EQ(out[3], (1.0 / 3) * ((1.0 / 7) * 1e-3));
    EXPECT_NE(out[3], (1.0 / 21) * 1e-3);
}

TEST(Traced, a_value_that_leaks_out_of_a_loop_is_an_error) {
    TraceRecorder recorder;
    const auto a = symbol("a");
    std::vector<Traced> root{{a}}, correction{{a}};
    Traced leak{a};
    iterate({}, std::span<Traced>(root), std::span<Traced>(correction),
            [&](std::span<const Traced> r, std::span<Traced> dr) {
                leak = r[0] * r[0];
                dr[0] = -r[0];
                return absv(r[0]);
            });
    EXPECT_THROW(TracedProgram(recorder, std::array{a}, std::array{leak.expression}), InputError);
}

}  // namespace
}  // namespace libration
