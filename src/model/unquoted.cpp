// Reads a line of TOML leniently: values that are neither numbers nor texts, lists or tables would have to be quoted.
#include "unquoted.hpp"

#include "expression/lexer.hpp"
#include "text/trim.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace libration {

namespace {

bool is_toml_number(std::string_view text) {
    if (text == "true" || text == "false" || text == "inf" || text == "nan") {
        return true;
    }
    text.remove_prefix(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
    if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) {
        return false;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

// A name, a formula, a range or a method: whatever consists of the tokens of formulas.
bool has_tokens(std::string_view text) {
    try {
        return tokens_of(text).size() > 1;
    } catch (const SyntaxFault&) {
        return false;
    }
}

// 0,04
bool is_decimal_comma(std::string_view text) {
    text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
    const auto comma = text.find(',');
    return comma != std::string_view::npos && comma > 0 && comma + 1 < text.size() &&
           std::ranges::all_of(text.substr(0, comma), is_digit) &&
           std::ranges::all_of(text.substr(comma + 1), is_digit);
}

// .5 and 5. with the digits that TOML wants on both sides of the point; empty: it is neither.
std::string with_digits(std::string_view text) {
    std::string number(text);
    const std::size_t sign = number.starts_with('-') || number.starts_with('+') ? 1 : 0;
    if (const auto point = number.find('.'); point != std::string::npos) {
        if (point + 1 == number.size() || !is_digit(number[point + 1])) {
            number.insert(point + 1, "0");
        }
        if (point == sign) {
            number.insert(point, "0");
        }
    }
    return number.size() > sign + 2 && number != text && is_toml_number(number) ? number : std::string{};
}

// One line, rewritten from left to right. Values of lists and tables are values, too.
class Line {
  public:
    explicit Line(std::string_view text) : text_(text) { at_ = whole_value_start(); }

    // Whether everything could be read, and something had to be changed.
    bool rewrite() {
        if (at_ == std::string_view::npos) {
            return false;
        }
        if (in_list_) {
            items(']');
        } else {
            value("#");
        }
        const auto rest = trimmed(text_.substr(at_));
        return good_ && changed_at_ && (rest.empty() || rest.starts_with('#'));
    }
    [[nodiscard]] std::string corrected() const {
        return std::string(trimmed(result_ + std::string(text_.substr(at_))));
    }
    [[nodiscard]] std::size_t changed_at() const { return *changed_at_; }
    [[nodiscard]] std::size_t changed_width() const { return changed_width_; }
    [[nodiscard]] bool is_decimal() const { return decimal_; }
    [[nodiscard]] bool lacks_digits() const { return point_; }

  private:
    // After "key ="; the beginning, of a line inside a list; otherwise none.
    std::size_t whole_value_start() {
        const auto equals = text_.find('=');
        in_list_ =
            equals == std::string_view::npos && trimmed(text_).ends_with(',') && !trimmed(text_).starts_with('[');
        const auto key = trimmed(text_.substr(0, equals));
        const bool is_key = equals != std::string_view::npos && !key.empty() && key.front() != '[' &&
                            key.find_first_of("#({,") == std::string_view::npos;
        if (!is_key && !in_list_) {
            return std::string_view::npos;
        }
        const std::size_t start = in_list_ ? 0 : equals + 1;
        result_ = text_.substr(0, start);
        return start;
    }
    void copy(std::size_t count) {
        result_ += text_.substr(at_, count);
        at_ = std::min(at_ + count, text_.size());
    }
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
            copy(1);
        }
    }
    [[nodiscard]] bool is(char c) const { return at_ < text_.size() && text_[at_] == c; }

    void quoted() {
        const auto end = text_.find(text_[at_], at_ + 1);
        good_ = good_ && end != std::string_view::npos && text_.substr(at_, 3) != "\"\"\"";
        copy(end == std::string_view::npos ? text_.size() : end + 1 - at_);
    }

    // `ends`: the characters that end a bare value where it stands.
    void value(std::string_view ends) {
        blanks();
        if (is('"') || is('\'')) {
            quoted();
        } else if (is('[')) {
            list(']');
        } else if (is('{')) {
            list('}');
        } else {
            bare(ends);
        }
    }

    void list(char closing) {
        copy(1);
        items(closing);
        if (is(closing)) {
            copy(1);
        }
    }

    void items(char closing) {
        for (blanks(); good_ && at_ < text_.size() && !is(closing); blanks()) {
            if (closing == '}') {
                const auto equals = text_.find('=', at_);
                good_ = good_ && equals != std::string_view::npos;
                copy(good_ ? equals + 1 - at_ : 0);
            }
            value(closing == '}' ? ",}" : ",]");
            blanks();
            if (!is(',')) {
                break;
            }
            copy(1);
        }
    }

    void bare(std::string_view ends) {
        std::size_t end = at_;
        int depth = 0;
        for (; end < text_.size() && !(depth == 0 && ends.find(text_[end]) != std::string_view::npos); ++end) {
            if (text_[end] == '#') {
                break;
            }
            depth += text_[end] == '(' || text_[end] == '[' ? 1 : 0;
            depth -= text_[end] == ')' || text_[end] == ']' ? 1 : 0;
        }
        const auto item = trimmed(text_.substr(at_, end - at_));
        if (item.empty() || is_toml_number(item)) {
            copy(item.size());
            return;
        }
        if (const auto number = with_digits(item); !number.empty()) {
            point_ = true;
            if (!changed_at_) {
                changed_at_ = at_;
                changed_width_ = characters(item);
            }
            result_ += number;
            at_ += item.size();
            return;
        }
        decimal_ = decimal_ || is_decimal_comma(item);
        good_ = good_ && has_tokens(item) && item.find('"') == std::string_view::npos;
        if (!changed_at_) {
            changed_at_ = at_;
            changed_width_ = characters(item);
        }
        auto written = is_decimal_comma(item) ? std::string(item) : fmt::format("\"{}\"", item);
        std::ranges::replace_if(
            written, [&](char c) { return c == ',' && is_decimal_comma(item); }, '.');
        result_ += written;
        at_ += item.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string result_;
    bool in_list_ = false, good_ = true, decimal_ = false, point_ = false;
    std::optional<std::size_t> changed_at_;
    std::size_t changed_width_ = 1;
};

}  // namespace

void refuse_unquoted(const std::shared_ptr<const Source>& source, std::size_t line) {
    std::string_view text = source->text;
    for (std::size_t k = 1; k < line && !text.empty(); ++k) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    text = text.substr(0, text.find('\n'));
    Line read(text);
    if (!read.rewrite()) {
        return;
    }
    const Place place{source, line, 1 + characters(text.substr(0, read.changed_at())), nullptr};
    throw InputError(place,
                     fmt::format("{}: write {}",
                                 read.is_decimal()     ? "numbers have a decimal point, not a comma"
                                 : read.lacks_digits() ? "numbers have digits on both sides of the point"
                                                       : "formulas and names are written in quotes",
                                 read.corrected()),
                     read.changed_width());
}

}  // namespace libration
