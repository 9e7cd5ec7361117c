// TOML, written.
#include "toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace libration {

namespace {

constexpr std::size_t line_width = 110;

// The double that is this constant, if one is: "981/100" is 9.81.
std::optional<double> decimal_of(const Expression& constant) {
    const auto& text = constant.text();
    const auto slash = std::min(text.find('/'), text.size());
    const auto read = [](std::string_view part) {
        double number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        return error == std::errc{} && end == part.data() + part.size() ? number : std::nan("");
    };
    const std::string_view all(text);
    // Both are exact, so that the quotient is the nearest double.
    const double number = read(all.substr(0, slash)) / (slash < all.size() ? read(all.substr(slash + 1)) : 1.0);
    return std::isfinite(number) && Expression(number) == constant ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string toml_quoted(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (c == '\n') {
            quoted += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            quoted += fmt::format("\\u{:04x}", byte);
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string toml_key(const std::string& name) {
    const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    return bare ? name : toml_quoted(name);
}

std::string toml_formula(const Expression& value, const std::string& text) {
    constexpr double largest_exact = 9007199254740992.0;  // 2^53: integers of TOML are taken as far as that
    const auto number = value.is(Op::constant) ? decimal_of(value) : std::nullopt;
    return number && std::abs(*number) < largest_exact ? fmt::format("{}", *number) : toml_quoted(text);
}

std::string toml_formula(const Expression& value) { return toml_formula(value, to_string(value)); }

std::string toml_list(const std::vector<std::string>& elements, std::size_t indent) {
    std::string text = "[";
    std::size_t column = ++indent;
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const auto newline = elements[k].find('\n');
        const std::size_t first = std::min(newline, elements[k].size());
        if (k > 0) {
            const bool fits = column + first + 2 <= line_width && newline == std::string::npos;
            text += fits ? std::string(", ") : ",\n" + std::string(indent, ' ');
            column = fits ? column + 2 : indent;
        }
        text += elements[k];
        column += first;
    }
    return text + ']';
}

std::string toml_numbers(const std::vector<Expression>& values) {
    std::vector<std::string> texts;
    for (const auto& value : values) {
        texts.push_back(toml_formula(value));
    }
    return toml_list(texts, 4);
}

std::string toml_inline_table(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string text = "{";
    for (const auto& [name, value] : entries) {
        text += fmt::format("{} {} = {}", text.size() > 1 ? "," : "", toml_key(name), value);
    }
    return text + " }";
}

}  // namespace libration
