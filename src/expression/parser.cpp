// Recursive descent over the grammar of parse.hpp.
#include "parser.hpp"

#include "functions.hpp"
#include "node.hpp"
#include "text/shorten.hpp"

#include <charconv>

namespace libration {

Value Parser::disjunction() {
    if (++depth_ > deepest_nesting) {
        fail(here(), fmt::format("more than {} nested parentheses", deepest_nesting));
    }
    Value left = conjunction();
    while (is("or")) {
        const Token op = tokens_[at_++];
        const Value right = conjunction();
        left = {
            {operation(Op::logical_or, std::array{scalar(left, op, "a condition"), scalar(right, op, "a condition")})}};
    }
    --depth_;
    return left;
}

Value Parser::conjunction() {
    Value left = inversion();
    while (is("and")) {
        const Token op = tokens_[at_++];
        const Value right = inversion();
        left = {{operation(Op::logical_and,
                           std::array{scalar(left, op, "a condition"), scalar(right, op, "a condition")})}};
    }
    return left;
}

Value Parser::inversion() {
    // Only before an operand; otherwise it is a name like any other.
    if (is("not") && (next().kind == TokenKind::name || next().kind == TokenKind::number || next().text == "(")) {
        if (++depth_ > deepest_nesting) {
            fail(here(), fmt::format("more than {} nested 'not'", deepest_nesting));
        }
        const Token op = tokens_[at_++];
        const auto inner = scalar(inversion(), op, "a condition");
        --depth_;
        return {{operation(Op::logical_not, std::array{inner})}};
    }
    return comparison();
}

Value Parser::comparison() {
    const Value left = additive();
    constexpr std::array<std::string_view, 6> marks{"<", "<=", ">", ">=", "==", "!="};
    if (here().kind != TokenKind::mark || std::ranges::find(marks, here().text) == marks.end()) {
        return left;
    }
    const Token op = tokens_[at_++];
    const auto a = scalar(left, op, "a compared value");
    const auto b = scalar(additive(), op, "a compared value");
    if (here().kind == TokenKind::mark && std::ranges::find(marks, here().text) != marks.end()) {
        fail(here(), "comparisons do not chain; write 'a < b and b < c'");
    }
    if (op.text == "<") {
        return {{less(a, b)}};
    }
    if (op.text == "<=") {
        return {{less_equal(a, b)}};
    }
    if (op.text == ">") {
        return {{less(b, a)}};
    }
    if (op.text == ">=") {
        return {{less_equal(b, a)}};
    }
    const auto same = operation(Op::equal, std::array{a, b});
    return {{op.text == "==" ? same : operation(Op::logical_not, std::array{same})}};
}

Value Parser::additive() {
    Value left = multiplicative();
    while (is("+") || is("-")) {
        const Token op = tokens_[at_++];
        const Value right = multiplicative();
        left = at(op, [&] { return combine(op.text[0], left, right); });
    }
    return left;
}

Value Parser::multiplicative() {
    Value left = signed_power();
    while (is("*") || is("/") || is("//") || is("%")) {
        const Token op = tokens_[at_++];
        const Value right = signed_power();
        if (op.text == "*" || op.text == "/") {
            left = at(op, [&] { return combine(op.text[0], left, right); });
            continue;
        }
        const auto a = scalar(left, op, "each side");
        const auto b = scalar(right, op, "each side");
        const auto quotient = floor(a / b);
        left = {{op.text == "//" ? quotient : a - b * quotient}};
    }
    if (is("**")) {
        fail(here(), "powers are written with '^'");
    }
    return left;
}

Value Parser::signed_power() {
    while (take("+")) {
    }
    if (is("-")) {
        if (++depth_ > deepest_nesting) {
            fail(here(), fmt::format("more than {} signs in a row", deepest_nesting));
        }
        ++at_;
        Value value = signed_power();
        for (auto& component : value.components) {
            component = -component;
        }
        --depth_;
        return value;
    }
    return power();
}

Value Parser::power() {
    const Value base = postfix();
    if (!is("^")) {
        return base;
    }
    if (++depth_ > deepest_nesting) {
        fail(here(), fmt::format("more than {} nested powers", deepest_nesting));
    }
    const Token op = tokens_[at_++];
    const auto b = scalar(base, op, "the base of a power");
    const auto exponent = scalar(signed_power(), op, "an exponent");
    --depth_;
    return {{pow(b, exponent)}};
}

Value Parser::postfix() {
    Value value = primary();
    while (is(".")) {
        // A point on a line has one component, and its coordinate is called r[3].x all the same.
        const bool on_a_line = !value.is_vector() && value.components[0].is(Op::symbol) &&
                               value.components[0].text().ends_with("].x") && tokens_[at_ - 1].text == "]";
        ++at_;
        const Token component = here();
        const auto name = expect_name("x, y or z after the point");
        const std::string_view letters = value.components.size() == 4 ? "wxyz" : "xyz";
        const auto k = name.size() == 1 ? letters.find(name) : std::string_view::npos;
        if (on_a_line && k == 0) {
            continue;
        }
        if (k == std::string_view::npos || k >= value.components.size() || !value.is_vector()) {
            fail(component, value.is_vector() ? fmt::format("a vector of {} components has no component '{}'",
                                                            value.components.size(), name)
                                              : fmt::format("a number has no component '{}'", name));
        }
        value = {{value.components[k]}};
    }
    return value;
}

Value Parser::primary() {
    const Token token = here();
    if (token.kind == TokenKind::number) {
        ++at_;
        // Neither infinity nor zero may come out of a literal that says otherwise.
        double value = 0;
        const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
        if (error == std::errc::result_out_of_range) {
            fail(token, fmt::format("the number {} is outside the range of double precision", shortened(token.text)));
        }
        return {{constant(token.text)}};
    }
    if (token.kind == TokenKind::name) {
        return named();
    }
    if (take("(")) {
        Value value = disjunction();
        expect(")", "to close the parenthesis");
        return value;
    }
    fail(token, fmt::format("expected a number, a name or '(', found {}", shown(token)));
}

Value Parser::named() {
    const Token token = tokens_[at_++];
    if (is(".") && scope_->has_members(token.text)) {
        return member(token.text);
    }
    if (is("[") && scope_->is_family(token.text)) {
        ++at_;
        const auto indices = scalars_up_to("]", "an index");
        const auto name = at(token, [&] { return scope_->family_member(token.text, indices); });
        if (!is(".")) {
            (void)at(token, [&] { return scope_->name(name); });  // says what is meant
        }
        return member(name);
    }
    if (is("(")) {
        return token.text == "sum" ? summation(token) : token.text == "interp" ? interpolation(token) : call(token);
    }
    if (token.text == "pi") {
        return {{constant("pi")}};
    }
    std::optional<Value> value;
    std::optional<Expression> index;
    if (take("[")) {
        const Token start = here();
        index = scalar(disjunction(), start, "an index");
        expect("]", "to close the index");
        value = at(token, [&] { return scope_->element(token.text, *index); });
    } else {
        value = at(token, [&] { return scope_->name(token.text); });
    }
    if (!value) {
        fail_unknown(token, index ? &*index : nullptr);
    }
    return *value;
}

namespace {

bool names_component(const Token& token) {
    return token.text.size() == 1 && std::string_view("wxyz").find(token.text) != std::string_view::npos;
}

}  // namespace

Value Parser::member(std::string_view name) {
    expect(".", "before a member");
    const Token token = here();
    Member wanted{expect_name(fmt::format("the name of a part of '{}'", name)), {}, {}};
    if (take("[")) {
        wanted.indices = scalars_up_to("]", "an index");
    } else if (take("(")) {
        wanted.arguments = scalars_up_to(")", "an argument");
    } else if (is(".") && scope_->has_parts(name, wanted.name) && !names_component(next())) {
        expect(".", "before a part");
        wanted.part = expect_name(fmt::format("the name of a part of '{}.{}'", name, wanted.name));
    }
    return at(token, [&] { return scope_->member(name, wanted); });
}

std::vector<Expression> Parser::scalars_up_to(std::string_view closing, std::string_view what) {
    std::vector<Expression> all;
    if (!is(closing)) {
        do {
            const Token start = here();
            all.push_back(scalar(disjunction(), start, what));
        } while (take(","));
    }
    expect(closing, "to close the list");
    return all;
}

Value Parser::call(const Token& function) {
    if (!is_function(function.text)) {
        fail_unknown_function(function);
    }
    expect("(", "after a function");
    const std::size_t first = at_;
    std::vector<Value> arguments;
    if (!is(")")) {
        do {
            arguments.push_back(disjunction());
        } while (take(","));
    }
    expect(")", "to close the arguments");
    return at(function, [&] {
        try {
            return call_function(function.text, arguments);
        } catch (const std::invalid_argument& reason) {
            throw std::invalid_argument(reason.what() + decimal_comma_from(first));
        }
    });
}

// interp(table, x) or interp(table, x, derivative)
Value Parser::interpolation(const Token& function) {
    expect("(", "after interp");
    const Token name = here();
    const auto wanted = expect_name("the name of a table, as in interp(profile, t)");
    const auto handle = at(name, [&] { return scope_->table(wanted); });
    if (!handle) {
        fail(name, no_such_table(wanted, scope_->table_names()));
    }
    if (!is(",")) {
        fail(here(), fmt::format("expected ',' and the argument of '{}', as in interp({}, t), found {}", wanted, wanted,
                                 shown(here())));
    }
    ++at_;
    const Token start = here();
    const auto value = scalar(disjunction(), start, "the value of interp");
    Expression derivative(0);
    if (take(",")) {
        const Token order = here();
        derivative = scalar(disjunction(), order, "the number of a derivative");
        const auto number = rational_value(derivative);
        if (!number || number->denominator != 1 || number->numerator < 0) {
            fail(order, "the third argument of interp is the number of a derivative: 0, 1, 2, ...");
        }
    }
    if (is(",")) {
        fail(here(), "interp takes a table, an argument and, optionally, the order of a derivative");
    }
    expect(")", "to close the arguments");
    return {{at(function, [&] { return operation(Op::interp, std::array{value, *handle, derivative}); })}};
}

Value Parser::summation(const Token& function) {
    expect("(", "after sum");
    const auto index = expect_name("the name of the index");
    expect("in", "after the index");
    const Token lower_token = here();
    const auto lower = scalar(additive(), lower_token, "a bound");
    expect("..", "between the bounds");
    const Token upper_token = here();
    const auto upper = scalar(additive(), upper_token, "a bound");
    expect(",", "before the summand");
    const std::size_t body_start = at_;
    const int depth = depth_;
    std::size_t body_end = at_;
    // The scope decides how often and with which index the summand is read.
    const auto read_body = [&](Scope& inner) {
        Scope* const outer = scope_;
        scope_ = &inner;
        at_ = body_start;
        depth_ = depth;
        Value value = disjunction();
        body_end = at_;
        scope_ = outer;
        return value;
    };
    const Value result = at(function, [&] { return scope_->sum(index, lower, upper, read_body); });
    at_ = body_end;
    expect(")", "to close the sum");
    return result;
}

}  // namespace libration
