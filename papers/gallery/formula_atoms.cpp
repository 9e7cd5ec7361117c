// What formulas are made of: numbers, names with their indices, functions.
#include "prose_reader.hpp"

#include <libration/expression/latex.hpp>

namespace libration::html {

std::optional<std::string> ProseReader::script() {
    if (peek() == '(') {
        return group('(', ')', false);
    }
    std::string sign;
    if ((peek() == '-' || peek() == '+') && (is_word_digit(peek(1)) || is_word_letter(peek(1)))) {
        sign = peek();
        ++now_.at;
    }
    if (!is_word_digit(peek())) {
        const auto part = name(false);
        return part ? std::optional(sign + *part) : std::nullopt;
    }
    auto part = number();
    if (part && is_word_letter(peek())) {  // h^2k
        const auto letter = name(false);
        part = letter ? std::optional(*part + *letter) : std::nullopt;
    }
    return part ? std::optional(sign + *part) : std::nullopt;
}

std::optional<std::string> ProseReader::index() {
    const auto word = word_here();
    const bool letters = word.size() > 1 && word.size() <= 3 && letters_of_name(word) == 0;
    if (word.empty() || !letters) {
        auto result = script();
        if (result && (peek() == '+' || peek() == '-') && is_word_digit(peek(1))) {
            *result += peek();
            ++now_.at;
            *result += *number();
        }
        return result;
    }
    now_.at += word.size();
    return std::string(word);
}

std::optional<std::string> ProseReader::atom() {
    if (is_word_digit(peek())) {
        return number();
    }
    if (peek() == '(' || peek() == '[') {
        const bool round = peek() == '(';
        return group(peek(), round ? ')' : ']', true);
    }
    if (peek() == '|') {
        return modulus();
    }
    return is_word_letter(peek()) ? name() : std::nullopt;
}

std::optional<std::string> ProseReader::modulus() {
    const auto before = now_;
    ++now_.at;
    ++now_.depth;
    auto inside = sum();
    --now_.depth;
    if (!inside || peek() != '|') {
        now_ = before;
        return std::nullopt;
    }
    ++now_.at;
    now_.is_mathematics = now_.is_mathematics || now_.has_name;
    return "\\lvert " + *inside + " \\rvert";
}

std::optional<std::string> ProseReader::ellipsis() {
    now_.at += 3;
    return "\\ldots";
}

std::optional<std::string> ProseReader::number() {
    const auto digits = [this] {
        while (is_word_digit(peek())) {
            ++now_.at;
        }
    };
    const auto first = now_.at;
    digits();
    std::string result(text_.substr(first, now_.at - first));
    while (peek() == ',' && result.size() <= 3 + 6 && is_word_digit(peek(1)) && is_word_digit(peek(2)) &&
           is_word_digit(peek(3)) && !is_word_digit(peek(4)) && now_.depth == 0) {
        result += "{,}" + std::string(text_.substr(now_.at + 1, 3));
        now_.at += 4;
    }
    if (peek() == '.' && is_word_digit(peek(1))) {
        const auto point = now_.at++;
        digits();
        result += text_.substr(point, now_.at - point);
    }
    const bool sign = peek(1) == '-' || peek(1) == '+';
    if (peek() == 'e' && is_word_digit(peek(sign ? 2 : 1))) {
        ++now_.at;
        const bool negative = peek() == '-';
        now_.at += sign ? 1 : 0;
        const auto begin = now_.at;
        digits();
        now_.is_mathematics = true;
        result = (result == "1" ? "" : result + " \\times ") + "10^{" + (negative ? "-" : "") +
                 std::string(text_.substr(begin, now_.at - begin)) + '}';
    }
    // 2k, but not 2nd
    const auto next = word_here();
    return next.empty() || letters_of_name(next) == 1 ? std::optional(result) : std::nullopt;
}

std::optional<std::string> ProseReader::function(std::string_view word) {
    const bool root = word == "sqrt";
    if (!is_function_word(word) || peek(word.size()) != '(') {
        return std::nullopt;
    }
    const auto before = now_;
    now_.at += word.size();
    auto inside = group('(', ')', !root);
    if (!inside) {
        inside = word_in_parentheses();
    }
    if (!inside) {
        now_ = before;
        return std::nullopt;
    }
    now_.is_mathematics = now_.joined = now_.has_name = true;
    const auto name =
        word == "diag" || word == "trace" ? "\\operatorname{" + std::string(word) + '}' : '\\' + std::string(word);
    return root ? "\\sqrt{" + *inside + '}' : name + *inside;
}

std::optional<std::string> ProseReader::word_in_parentheses() {
    const auto word = word_at(text_, now_.at + 1);
    if (word.empty() || peek(word.size() + 1) != ')') {
        return std::nullopt;
    }
    now_.at += word.size() + 2;
    return '(' + text_latex(word) + ')';
}

bool ProseReader::is_named_by_a_word(std::string_view word) const {
    if (word.size() < 2 || !std::ranges::all_of(word, is_word_letter)) {
        return false;
    }
    const auto rest = text_.substr(now_.at + word.size());
    const bool alone = now_.at == begin_ && rest.starts_with(" = ");
    const bool capitals = std::ranges::all_of(word, is_capital) && now_.joined;
    return rest.starts_with("^") || (alone && word.size() <= 5) || capitals;
}

std::optional<std::string> ProseReader::name(bool takes_arguments) {
    const auto word = word_here();
    if (auto called = function(word)) {
        return called;
    }
    if (is_named_by_a_word(word) && letters_of_name(word) == 0) {
        now_.at += word.size();
        now_.has_name = true;
        return word == "eps" ? "\\varepsilon" : text_latex(word);
    }
    const bool hat = word.size() == 4 && word.ends_with("hat") && peek(4) == '_';  // ahat_ij
    const auto letters = hat ? 1 : letters_of_name(word);
    if (letters == 0) {
        return std::nullopt;
    }
    now_.at += word.size();
    auto result = symbol_latex(word.substr(0, letters));
    std::string below(hat ? "" : word.substr(letters));
    const bool dash_hat = text_.substr(now_.at).starts_with("-hat");
    now_.at += dash_hat ? 4 : 0;
    result = hat || dash_hat ? "\\hat{" + result + '}' : result;
    if (peek() == '~' && !is_word_letter(peek(1))) {
        ++now_.at;
        result = "\\tilde{" + result + '}';
    }
    // Small letters, but no article, and all with an index are names also where they stand alone.
    const bool small = letters == 1 && word[0] >= 'b' && word[0] <= 'z';
    const bool behind_number = now_.at > word.size() && is_word_digit(text_[now_.at - word.size() - 1]);  // 21a
    now_.is_mathematics = now_.is_mathematics || letters > 1 ||
                          (!below.empty() && (now_.depth == 0 || !is_capital(word[0]))) ||
                          (small && now_.depth == 0 && !behind_number);
    now_.has_name = true;
    while (peek() == '_') {
        ++now_.at;
        const auto index = this->index();
        if (!index) {
            --now_.at;
            break;
        }
        below += (below.empty() ? "" : ",") + *index;
        now_.is_mathematics = true;
    }
    result += below.empty() ? "" : "_{" + below + '}';
    while (peek() == '\'' && !is_word_letter(peek(1))) {
        ++now_.at;
        result += "'";
        now_.is_mathematics = true;
    }
    return takes_arguments ? with_arguments(std::move(result)) : result;
}

std::string ProseReader::with_arguments(std::string result) {
    if (peek() == '(') {
        if (const auto arguments = group('(', ')', true)) {
            now_.is_mathematics = now_.joined = true;
            return result + *arguments;
        }
    }
    return result;
}

}  // namespace libration::html
