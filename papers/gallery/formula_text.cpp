// The grammar: relations of sums of products of powers, and lists of them in parentheses.
#include "prose_reader.hpp"

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

}  // namespace

Formula ProseReader::read() {
    const bool article = starts_with_article();
    auto latex = relation_chain();
    if (!latex || !now_.is_mathematics || (article && !now_.joined) || ends_within_word()) {
        return {};
    }
    return {now_.at - begin_, *latex};
}

Formula ProseReader::read_whole() {
    const auto latex = relation_chain();
    return latex && now_.has_name && now_.at == text_.size() ? Formula{text_.size(), *latex} : Formula{};
}

void ProseReader::skip_spaces() {
    while (peek() == ' ' || peek() == '\n') {
        ++now_.at;
    }
}

bool ProseReader::starts_with_article() const { return is_article(word_here()) && peek(1) == ' '; }

bool ProseReader::ends_within_word() const {
    const char next = peek();
    return is_word_letter(next) || is_word_digit(next) || next == '_' || next == '^' ||
           (next == '\'' && is_word_letter(peek(1))) ||
           ((next == '.' || next == '-') && is_word_letter(peek(1)) && single_letter());
}

std::optional<std::string> ProseReader::relation_chain() {
    auto left = sum();
    while (left) {
        const auto before = now_;
        skip_spaces();
        const auto rest = text_.substr(now_.at);
        const auto found = std::ranges::find_if(relations, [&](const Relation& r) { return rest.starts_with(r.text); });
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

std::optional<std::string> ProseReader::sum() {
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

std::optional<std::string> ProseReader::product() {
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

bool ProseReader::stands_beside() const {
    if (peek() == '(') {
        return now_.last_was_power || now_.depth > 0;
    }
    const auto word = word_here();
    const bool called = is_function_word(word) && peek(word.size()) == '(';
    return called || (peek() == '|' && now_.depth > 0) ||
           (letters_of_name(word) > 0 && !(is_article(word) && now_.depth == 0));
}

bool ProseReader::ends_in_prose() const { return is_word_letter(peek()); }

std::optional<std::string> ProseReader::power() {
    now_.last_was_power = false;
    auto base = atom();
    while (base && peek() == '\'' && !is_word_letter(peek(1))) {  // (M v)'
        *base += '\'';
        ++now_.at;
    }
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

std::optional<std::string> ProseReader::group(char open, char close, bool keep) {
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

Formula formula_at(std::string_view text, std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool begins = !is_word_letter(before) && !is_word_digit(before) && before != '.' && before != '\'' &&
                        before != '_' && before != '^' && (before != '-' || at < 2 || !is_word_letter(text[at - 2])) &&
                        (before != '/' || at < 2 || text[at - 2] == ' ');
    return begins ? ProseReader(text, at).read() : Formula{};
}

Formula whole_formula(std::string_view text) { return ProseReader(text, 0).read_whole(); }

}  // namespace libration::html
