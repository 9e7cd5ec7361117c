// The recursive descent itself; parse.hpp has the grammar.
#pragma once

#include "lexer.hpp"

#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace libration {

inline constexpr int deepest_nesting = 200;

class Parser {
  public:
    Parser(std::string_view text, Scope& scope) : tokens_(tokens_of(text)), scope_(&scope) {}

    Value whole() {
        Value value = disjunction();
        expect_end();
        return value;
    }

    std::vector<Range> ranges();

  private:
    [[nodiscard]] const Token& here() const { return tokens_[at_]; }
    [[nodiscard]] const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    [[nodiscard]] bool is(std::string_view text) const { return here().kind != TokenKind::end && here().text == text; }
    bool take(std::string_view text) {
        if (!is(text)) {
            return false;
        }
        ++at_;
        return true;
    }
    [[noreturn]] static void fail(const Token& token, const std::string& message) {
        throw SyntaxFault(message, token.offset, std::max<std::size_t>(token.text.size(), 1));
    }
    [[nodiscard]] static std::string shown(const Token& token) {
        return token.kind == TokenKind::end ? "the end" : fmt::format("'{}'", token.text);
    }
    void expect(std::string_view text, std::string_view why) {
        if (!take(text)) {
            const auto wanted = fmt::format("'{}' {}", text, why);
            if (text == ")" || text == "]") {
                fail_after_operand(wanted);
            }
            fail_expecting(wanted);
        }
    }
    void expect_end() {
        if (here().kind != TokenKind::end) {
            fail_after_operand("an operator or the end");
        }
    }
    [[noreturn]] void fail_expecting(std::string_view wanted) {
        fail(here(), fmt::format("expected {}, found {}", wanted, shown(here())));
    }
    std::string expect_name(std::string_view why) {
        if (here().kind != TokenKind::name) {
            fail(here(), fmt::format("expected {}, found {}", why, shown(here())));
        }
        return std::string(tokens_[at_++].text);
    }
    // Mistakes by habit are told with what to write instead: habits.cpp. `index`: of name[index]; null: a name alone.
    [[noreturn]] void fail_after_operand(std::string_view wanted);
    [[noreturn]] void fail_unknown(const Token& token, const Expression* index);
    [[noreturn]] void fail_unknown_function(const Token& function);
    [[nodiscard]] bool is_known(std::string_view name);
    // Among the tokens read from `first` on; empty: there is none.
    [[nodiscard]] std::string decimal_comma_from(std::size_t first) const;
    // Shape errors of functions and operators, reported at the token that caused them.
    template <class F>
    auto at(const Token& token, F f) -> decltype(f()) {
        try {
            return f();
        } catch (const std::invalid_argument& reason) {
            fail(token, reason.what());
        } catch (const InputError& reason) {
            fail(token, reason.what());
        }
    }
    Expression scalar(const Value& value, const Token& token, std::string_view what) {
        if (value.is_vector()) {
            fail(token,
                 fmt::format("{} must be a number, this is a vector of {} components", what, value.components.size()));
        }
        return value.components[0];
    }

    Value disjunction();
    Value conjunction();
    Value inversion();
    Value comparison();
    Value additive();
    Value multiplicative();
    Value signed_power();
    Value power();
    Value postfix();
    Value primary();
    Value named();
    Value member(std::string_view name);
    std::vector<Expression> scalars_up_to(std::string_view closing, std::string_view what);
    Value call(const Token& function);
    Value summation(const Token& function);
    Value interpolation(const Token& function);

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    Scope* scope_;
    int depth_ = 0;
};

}  // namespace libration
