// What people write from habit, and how it is written here: products without a sign, decimal commas, degrees,
// derivatives, the word time.
#include "parser.hpp"

#include "functions.hpp"
#include "text/shorten.hpp"
#include "text/suggest.hpp"

namespace libration {

namespace {

constexpr std::array<std::string_view, 4> degrees{"deg", "degree", "degrees", "\xC2\xB0"};
// They follow an operand without being a factor.
constexpr std::array<std::string_view, 5> words{"in", "for", "if", "else", "where"};

bool is_degrees(std::string_view name) { return std::ranges::find(degrees, name) != degrees.end(); }

bool is_one_number(const Token& left, const Token& comma, const Token& right) {
    const auto whole = [](std::string_view text) { return std::ranges::all_of(text, is_digit); };
    return left.kind == TokenKind::number && comma.text == "," && right.kind == TokenKind::number &&
           left.offset + left.text.size() == comma.offset && comma.offset + 1 == right.offset && whole(left.text) &&
           is_digit(right.text[0]) && right.text.find('.') == std::string_view::npos;
}

// theta of theta_dot, thetadot, dtheta, dtheta_dt and the like.
std::vector<std::string> differentiated(std::string_view name) {
    std::vector<std::string> found;
    const auto keep = [&](std::string_view base) {
        if (!base.empty()) {
            found.emplace_back(base);
        }
    };
    for (const std::string_view end : {"_dot", "dot", "_prime"}) {
        if (name.ends_with(end)) {
            keep(name.substr(0, name.size() - end.size()));
        }
    }
    for (const std::string_view end : {"_dt", "dt", ""}) {
        for (const std::string_view start : {"d_", "dot_", "dot", "d"}) {
            if (name.starts_with(start) && name.ends_with(end) && name.size() > start.size() + end.size()) {
                keep(name.substr(start.size(), name.size() - start.size() - end.size()));
            }
        }
    }
    return found;
}

}  // namespace

void Parser::fail_after_operand(std::string_view wanted) {
    if (at_ == 0) {
        fail_expecting(wanted);
    }
    const Token& left = tokens_[at_ - 1];
    const Token& right = here();
    if (is_one_number(left, right, next())) {
        // Between parentheses it may be meant as a vector.
        const auto problem = wanted.starts_with("')'") ? fmt::format("expected {}, found ','; if {},{} is one number,",
                                                                     wanted, left.text, next().text)
                                                       : std::string("numbers have a decimal point, not a comma:");
        throw SyntaxFault(fmt::format("{} write {}.{}", problem, left.text, next().text), left.offset,
                          left.text.size() + 1 + next().text.size());
    }
    const bool closes = left.text == ")" || left.text == "]";
    const bool after_operand = left.kind == TokenKind::number || left.kind == TokenKind::name || closes;
    const bool operand = right.kind == TokenKind::number || right.text == "(" ||
                         (right.kind == TokenKind::name && std::ranges::find(words, right.text) == words.end());
    if (!after_operand || !operand || next().text == "in") {
        fail_expecting(wanted);
    }
    if (left.kind == TokenKind::number && is_degrees(right.text) && !is_known(right.text)) {
        fail(right, fmt::format("angles are in radians; write {}*pi/180", left.text));
    }
    const bool calls = right.kind == TokenKind::name && next().text == "(";
    fail(right,
         fmt::format("expected {}, found {}; multiplication needs '*': write {}*{}{}", wanted, shown(right),
                     closes ? "(...)" : left.text, right.text == "(" ? "(...)" : right.text, calls ? "(...)" : ""));
}

bool Parser::is_known(std::string_view name) {
    try {
        return scope_->name(name).has_value();
    } catch (const std::exception&) {
        return true;  // but not here
    }
}

std::string Parser::decimal_comma_from(std::size_t first) const {
    for (std::size_t k = first; k + 2 < tokens_.size() && k < at_; ++k) {
        if (is_one_number(tokens_[k], tokens_[k + 1], tokens_[k + 2])) {
            return fmt::format("; if {0},{1} is one number, write {0}.{1}", tokens_[k].text, tokens_[k + 2].text);
        }
    }
    return {};
}

void Parser::fail_unknown(const Token& token, const Expression* index) {
    const auto unknown = fmt::format("unknown name '{}'", shortened(token.text));
    // What a name that is known under another one says of itself: nothing, if it may be used here.
    const auto reason = [&](const std::string& other) -> std::optional<std::string> {
        try {
            const auto value = index != nullptr ? scope_->element(other, *index) : scope_->name(other);
            return value ? std::optional(std::string()) : std::nullopt;
        } catch (const std::exception& error) {
            return error.what();
        }
    };
    for (const auto& base : differentiated(token.text)) {
        if (const auto why = reason("v_" + base)) {
            fail(token, why->empty() ? fmt::format("{}: the velocity of {} is written v_{}", unknown, base, base)
                                     : fmt::format("{}; velocities are written v_{}, but {}", unknown, base, *why));
        }
    }
    if (token.text == "time" && index == nullptr) {
        if (const auto why = reason("t")) {
            fail(token, fmt::format("{}: {}", unknown, why->empty() ? "the time is written t" : *why));
        }
    }
    if (is_degrees(token.text)) {
        fail(token, fmt::format("{}: angles are in radians; write 30*pi/180 for 30 degrees", unknown));
    }
    if (is_function(token.text) && index == nullptr) {
        fail(token, fmt::format("'{0}' is a function; write {0}(...)", token.text));
    }
    fail(token, unknown + suggestion(token.text, scope_->names()));
}

void Parser::fail_unknown_function(const Token& function) {
    if (const auto tables = scope_->table_names(); std::ranges::find(tables, function.text) != tables.end()) {
        fail(function, fmt::format("'{0}' is a table; write interp({0}, x)", function.text));
    }
    const auto names = scope_->names();
    if (std::ranges::find(names, function.text) != names.end()) {
        fail(function, fmt::format("'{0}' is not a function; multiplication needs '*': write {0}*(...)",
                                   shortened(function.text)));
    }
    fail(function, unknown_function(function.text));
}

}  // namespace libration
