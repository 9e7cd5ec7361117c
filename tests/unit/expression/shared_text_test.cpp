// Text of graphs: short, exact, linear in the size of the graph, whatever its depth.
#include "letters.hpp"

#include "expression/shared_text.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace libration {
namespace {

using namespace letters;

// Definitions as names that stand for expressions.
class Definitions final : public Scope {
  public:
    std::map<std::string, Expression, std::less<>> known;

    std::optional<Value> name(std::string_view name) override {
        const auto found = known.find(name);
        return Value{{found == known.end() ? symbol(name) : found->second}};
    }
    std::optional<Value> element(std::string_view, const Expression&) override { return std::nullopt; }
    Value sum(const std::string&, const Expression&, const Expression&, const std::function<Value(Scope&)>&) override {
        throw std::invalid_argument("no sums here");
    }
    [[nodiscard]] std::vector<std::string> names() const override { return {}; }
};

std::vector<Expression> read_back(const SharedText& shared) {
    Definitions scope;
    for (const auto& [name, text] : shared.definitions) {
        EXPECT_TRUE(scope.known.emplace(name, parse(text, scope)).second) << name;
    }
    std::vector<Expression> result;
    for (const auto& text : shared.texts) {
        result.push_back(parse(text, scope));
    }
    return result;
}

std::size_t length(const SharedText& shared) {
    std::size_t total = 0;
    for (const auto& [name, text] : shared.definitions) {
        total += name.size() + text.size();
    }
    for (const auto& text : shared.texts) {
        total += text.size();
    }
    return total;
}

TEST(ExpressionText, sums_and_products_have_no_more_parentheses_than_they_need) {
    EXPECT_EQ(to_string(parse("x*x + y*y - 1")), "x * x + y * y - 1");
    EXPECT_EQ(to_string(parse("(x + y)*2/(x - y)^2")), "2 * (x + y) / (x - y) ^ 2");
    EXPECT_EQ(to_string(parse("x - (y - 1/3)")), "x - (y - 1/3)");
    EXPECT_EQ(to_string(parse("-(x*y) + x/(y/2)")), "x / (y / 2) - x * y");
}

Expression random_graph(std::mt19937& random, int depth) {
    const auto next = [&] { return random_graph(random, depth - 1); };
    if (depth == 0) {
        const std::array leaves{
            x, y, Expression(2), Expression(-3), ratio(1, 3), ratio(-2, 7), Expression(1e300), constant("pi")};
        return leaves[random() % leaves.size()];
    }
    switch (random() % 14) {
        case 0:
        case 1: return next() + next();
        case 2:
        case 3: return next() - next();
        case 4:
        case 5: return next() * next();
        case 6: return next() / next();
        case 7: return -next();
        case 8: return pow(next(), next());
        case 9: return sin(next());
        case 10: return max(next(), next());
        case 11: return if_(less(next(), next()), next(), next());
        case 12: return operation(Op::logical_or, std::array{less_equal(next(), next()), next()});
        default:
            return operation(Op::logical_and, std::array{operation(Op::logical_not, std::array{next()}),
                                                         operation(Op::equal, std::array{next(), next()})});
    }
}

TEST(ExpressionText, of_random_expressions_parses_back_to_the_same_node) {
    std::mt19937 random(1);
    for (int k = 0; k < 3000; ++k) {
        const auto e = random_graph(random, 1 + k % 6);
        ASSERT_EQ(parse(to_string(e)), e) << to_string(e);
        ASSERT_EQ(text_length(e), to_string(e).size()) << to_string(e);
        const auto other = random_graph(random, 3) + e;
        const auto shared = shared_text(std::array{e, other, e * e});
        ASSERT_EQ(read_back(shared), (std::vector{e, other, e * e})) << to_string(e);
    }
}

TEST(ExpressionText, with_names_is_linear_where_plain_text_is_exponential) {
    auto e = x;
    for (int k = 0; k < 200; ++k) {
        e = e * e + e;
    }
    EXPECT_THROW(to_string(e), InputError);
    const auto shared = shared_text(std::array{e});
    EXPECT_LT(length(shared), 400 * 100U);
    EXPECT_EQ(read_back(shared), std::vector{e});
}

TEST(ExpressionText, of_deep_expressions_uses_no_deep_stack_and_parses) {
    auto nested = x, chain = x;
    for (int k = 0; k < 50'000; ++k) {
        nested = sin(nested);
        chain = chain + y * k;
    }
    EXPECT_EQ(to_string(nested).size(), 5 * 50'000U + 1);
    EXPECT_EQ(parse(to_string(chain)), chain);  // a chain is flat text
    EXPECT_EQ(read_back(shared_text(std::array{nested, chain})), (std::vector{nested, chain}));
    EXPECT_EQ(derivative(chain, x), Expression(1));
    EXPECT_FALSE(gradient(nested, std::array{x})[0].is_constant(0));
}

TEST(ExpressionText, avoids_names_that_are_taken) {
    const auto s1 = symbol("s1");
    const auto part = sin(s1 * x + y / s1) * cos(x - y) + exp(x * y) - log(1 + x * x) + y * y * y;
    const auto shared = shared_text(std::array{part * part + 1}, std::vector<std::string>{"s2"});
    ASSERT_EQ(shared.definitions.size(), 1U);
    EXPECT_EQ(shared.definitions[0].first, "s3");
    EXPECT_EQ(shared.texts[0], "s3 * s3 + 1");
}

// Each choice contains the one before twice: 2^200 paths.
TEST(Expression, nested_choices_are_differentiated_without_walking_every_path) {
    auto e = x;
    for (int k = 0; k < 200; ++k) {
        e = if_(less(e, y), e * y, max(e, sin(e)));
    }
    const auto slopes = gradient(e, std::array{x, y});
    EXPECT_LT(sorted_nodes(slopes).size(), 20'000U);
    EXPECT_LT(sorted_nodes(std::array{rounding_size(e, std::array{x, y})}).size(), 40'000U);
}

}  // namespace
}  // namespace libration
