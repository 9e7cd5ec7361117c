// Which words of a text are mathematics.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace libration::html {

inline constexpr std::array<std::string_view, 34> greek_words{
    "alpha",  "beta", "gamma", "delta", "epsilon", "zeta", "eta",   "theta",  "kappa", "lambda", "mu",    "nu",
    "xi",     "pi",   "rho",   "sigma", "tau",     "phi",  "chi",   "psi",    "omega", "Gamma",  "Delta", "Theta",
    "Lambda", "Xi",   "Pi",    "Sigma", "Phi",     "Psi",  "Omega", "varphi", "iota",  "upsilon"};
inline constexpr std::array<std::string_view, 17> function_words{"sin", "cos",  "tan",  "cot",   "exp",    "ln",
                                                                 "log", "sinh", "cosh", "tanh",  "arcsin", "arccos",
                                                                 "min", "max",  "diag", "trace", "det"};

inline bool is_word_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
inline bool is_word_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

inline bool is_function_word(std::string_view word) {
    return word == "sqrt" || std::ranges::find(function_words, word) != function_words.end();
}
inline bool is_article(std::string_view word) { return word == "a" || word == "A" || word == "I"; }

// The letters and digits from `at` on.
inline std::string_view word_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (is_word_letter(text[end]) || is_word_digit(text[end]))) {
        ++end;
    }
    return text.substr(at, end - at);
}

// How many letters the name has that the word is: 1 of a1, 5 of sigma, 0 of prose.
inline std::size_t letters_of_name(std::string_view word) {
    const auto letters = word.substr(0, std::min(word.find_first_of("0123456789"), word.size()));
    const bool digits_follow = word.find_first_not_of("0123456789", letters.size()) == std::string_view::npos;
    const bool known =
        letters.size() == 1 || letters == "dt" || std::ranges::find(greek_words, letters) != greek_words.end();
    return known && digits_follow ? letters.size() : 0;
}

}  // namespace libration::html
