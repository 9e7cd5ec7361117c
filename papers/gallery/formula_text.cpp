// A reader with one way back: an operator is taken only if an operand follows, so that the formula ends where prose
// goes on.
#include "formula_text.hpp"

#include "prose_words.hpp"

#include <libration/expression/latex.hpp>

#include <optional>

namespace libration::html {

namespace {

struct Relation {
    std::string_view text, latex;
};
constexpr std::array<Relation, 9> relations{{{"<=", "\\le "},
                                             {">=", "\\ge "},
                                             {"!=", "\\ne "},
                                             {"->", "\\to "},
                                             {"≤", "\\le "},
                                             {"≥", "\\ge "},
                                             {"=", "= "},
                                             {"<", "\\lt "},
                                             {">", "\\gt "}}};

class ProseReader {
  public:
    ProseReader(std::string_view text, std::size_t at) : text_(text), begin_(at) { now_.at = at; }

    Formula read() {
        const bool article = starts_with_article();
        auto latex = relation_chain();
        if (!latex || !now_.is_mathematics || (article && !now_.joined) || ends_within_word()) {
            return {};
        }
        return {now_.at - begin_, *latex};
    }

  private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return now_.at + ahead < text_.size() ? text_[now_.at + ahead] : '\0';
    }
    void skip_spaces() {
        while (peek() == ' ' || peek() == '\n') {
            ++now_.at;
        }
    }
    // "a", "A", "I" alone are words.
    [[nodiscard]] bool starts_with_article() const { return is_article(word_here()) && peek(1) == ' '; }
    // h-dependent is prose; so is what ends in the middle of a word.
    [[nodiscard]] bool ends_within_word() const {
        const char next = peek();
        return is_word_letter(next) || is_word_digit(next) || next == '_' || next == '^' ||
               (next == '\'' && is_word_letter(peek(1))) ||
               ((next == '.' || next == '-') && is_word_letter(peek(1)) && single_letter());
    }
    [[nodiscard]] bool single_letter() const { return now_.at - begin_ == 1; }

    std::optional<std::string> relation_chain() {
        auto left = sum();
        while (left) {
            const auto before = now_;
            skip_spaces();
            const auto rest = text_.substr(now_.at);
            const auto found =
                std::ranges::find_if(relations, [&](const Relation& r) { return rest.starts_with(r.text); });
            if (found == relations.end()) {
                now_ = before;
                break;
            }
            now_.at += found->text.size();
            skip_spaces();
            now_.joined = true;
            const auto right = sum();
            if (!right) {
                now_ = before;
                break;
            }
            now_.is_mathematics = now_.is_mathematics || now_.has_name;
            *left += " " + std::string(found->latex) + *right;
        }
        return left;
    }

    std::optional<std::string> sum() {
        std::string result;
        if (peek() == '-' || peek() == '+') {
            result = peek();
            ++now_.at;
        }
        const auto first = product();
        if (!first) {
            return std::nullopt;
        }
        result += *first;
        for (;;) {
            const auto before = now_;
            skip_spaces();
            const char sign = peek();
            // "k-step" and "0.1-0.2" are no differences: a sign has spaces on both sides or on none.
            const bool spaced = now_.at > before.at;
            if ((sign != '+' && sign != '-') || spaced != (peek(1) == ' ' || peek(1) == '\n') ||
                (!spaced && now_.depth == 0 && !now_.has_name)) {
                now_ = before;
                return result;
            }
            ++now_.at;
            skip_spaces();
            const bool named = now_.has_name;
            const auto next = product();
            if (!next) {
                now_ = before;
                return result;
            }
            now_.joined = true;
            now_.is_mathematics = now_.is_mathematics || named || now_.has_name;
            result += std::string(" ") + sign + ' ' + *next;
        }
    }

    std::optional<std::string> product() {
        if (word_here() == "sum" && peek(3) == ' ') {
            const auto before = now_;
            now_.at += 4;
            const auto summand = product();
            if (summand && now_.is_mathematics) {
                return "\\sum " + *summand;
            }
            now_ = before;
        }
        auto result = power();
        while (result) {
            const auto before = now_;
            skip_spaces();
            const bool spaced = now_.at > before.at;
            const char sign = peek();
            if (sign == '*' || sign == '/') {
                ++now_.at;
                skip_spaces();
                const bool named = now_.has_name;
                const auto next = power();
                if (next) {
                    now_.is_mathematics = now_.is_mathematics || named || now_.has_name;
                    now_.joined = true;
                    *result += sign == '*' ? " \\cdot " + *next : "/" + *next;
                    continue;
                }
            } else if (spaced ? stands_beside() : is_word_letter(sign) && letters_of_name(word_here()) > 0) {
                const auto next = power();
                if (next && !ends_in_prose()) {
                    *result += (spaced ? " \\, " : " ") + *next;
                    continue;
                }
            }
            now_ = before;
            return result;
        }
        return result;
    }

    // Whether what follows a space is a factor: a letter that is not a word, or a sum in parentheses behind a power.
    [[nodiscard]] bool stands_beside() const {
        if (peek() == '(') {
            return now_.last_was_power;
        }
        const auto word = word_here();
        const bool called = is_function_word(word) && peek(word.size()) == '(';
        return called || (peek() == '|' && now_.depth > 0) ||
               (letters_of_name(word) > 0 && !(is_article(word) && now_.depth == 0));
    }
    [[nodiscard]] bool ends_in_prose() const { return is_word_letter(peek()); }

    std::optional<std::string> power() {
        now_.last_was_power = false;
        auto base = atom();
        while (base && peek() == '^') {
            const auto before = now_;
            ++now_.at;
            auto exponent = script();
            if (!exponent) {
                now_ = before;
                break;
            }
            *base += "^{" + *exponent + '}';
            now_.is_mathematics = now_.joined = now_.last_was_power = true;
        }
        return base;
    }

    // What stands after ^ or _: a sign and a number or letter, or a sum in parentheses.
    std::optional<std::string> script() {
        if (peek() == '(') {
            return group('(', ')', false);
        }
        std::string sign;
        if ((peek() == '-' || peek() == '+') && (is_word_digit(peek(1)) || is_word_letter(peek(1)))) {
            sign = peek();
            ++now_.at;
        }
        if (!is_word_digit(peek())) {
            const auto part = name();
            return part ? std::optional(sign + *part) : std::nullopt;
        }
        auto part = number();
        if (part && is_word_letter(peek())) {  // h^2k
            const auto letter = name();
            part = letter ? std::optional(*part + *letter) : std::nullopt;
        }
        return part ? std::optional(sign + *part) : std::nullopt;
    }

    // a_ij, b_2k, q_k+1
    std::optional<std::string> index() {
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

    std::optional<std::string> atom() {
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

    std::optional<std::string> modulus() {
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

    // A list in parentheses; (A) and (13) are none.
    std::optional<std::string> group(char open, char close, bool keep) {
        const auto before = now_;
        ++now_.at;
        std::string result;
        ++now_.depth;
        std::size_t count = 0;
        for (;; ++now_.at) {
            skip_spaces();
            auto part = peek() == '.' && peek(1) == '.' && peek(2) == '.' ? ellipsis() : relation_chain();
            if (!part) {
                now_ = before;
                return std::nullopt;
            }
            result += (count++ == 0 ? "" : ", ") + *part;
            skip_spaces();
            if (peek() != ',') {
                break;
            }
        }
        --now_.depth;
        if (peek() != close) {
            now_ = before;
            return std::nullopt;
        }
        ++now_.at;
        // (21a, 21b) are labels of equations.
        const bool label = is_word_digit(text_[before.at + 1]);
        now_.is_mathematics = now_.is_mathematics || (count > 1 && now_.has_name && !label);
        return keep ? open + result + close : result;
    }
    std::optional<std::string> ellipsis() {
        now_.at += 3;
        return "\\ldots";
    }

    // 0.01, 200,000 and 2.5e-8; the last alone is a formula.
    std::optional<std::string> number() {
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

    [[nodiscard]] std::string_view word_here() const { return word_at(text_, now_.at); }

    std::optional<std::string> function(std::string_view word) {
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
        const auto name = word == "diag" ? "\\operatorname{diag}" : '\\' + std::string(word);
        return root ? "\\sqrt{" + *inside + '}' : name + *inside;
    }

    // cot(distance)
    std::optional<std::string> word_in_parentheses() {
        const auto word = word_at(text_, now_.at + 1);
        if (word.empty() || peek(word.size() + 1) != ')') {
            return std::nullopt;
        }
        now_.at += word.size() + 2;
        return '(' + text_latex(word) + ')';
    }

    // A word is a name before a power and on the left of an equation; TOL also on its right.
    [[nodiscard]] bool is_named_by_a_word(std::string_view word) const {
        if (word.size() < 2 || !std::ranges::all_of(word, is_word_letter)) {
            return false;
        }
        const auto rest = text_.substr(now_.at + word.size());
        const bool alone = now_.at == begin_ && rest.starts_with(" = ");
        const bool capitals = std::ranges::all_of(word, is_capital) && now_.joined;
        return rest.starts_with("^") || (alone && word.size() <= 5) || capitals;
    }

    std::optional<std::string> name() {
        const auto word = word_here();
        if (auto called = function(word)) {
            return called;
        }
        if (is_named_by_a_word(word) && letters_of_name(word) == 0) {
            now_.at += word.size();
            now_.has_name = true;
            return text_latex(word);
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
        return with_arguments(std::move(result));
    }

    // f(x), directly behind its name
    std::string with_arguments(std::string result) {
        if (peek() == '(') {
            if (const auto arguments = group('(', ')', true)) {
                now_.is_mathematics = now_.joined = true;
                return result + *arguments;
            }
        }
        return result;
    }

    // All that changes; a copy of it is the way back.
    struct Progress {
        std::size_t at = 0;
        int depth = 0;  // of parentheses
        bool is_mathematics = false, has_name = false;
        bool joined = false;  // there is more than letters side by side
        bool last_was_power = false;
    };

    std::string_view text_;
    std::size_t begin_;
    Progress now_;
};

}  // namespace

Formula formula_at(std::string_view text, std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool begins = !is_word_letter(before) && !is_word_digit(before) && before != '.' && before != '\'' &&
                        before != '_' && before != '^' && (before != '-' || at < 2 || !is_word_letter(text[at - 2])) &&
                        (before != '/' || at < 2 || text[at - 2] == ' ');
    return begins ? ProseReader(text, at).read() : Formula{};
}

}  // namespace libration::html
