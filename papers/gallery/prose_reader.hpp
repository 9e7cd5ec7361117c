// Reads a formula in prose: an operator is taken only if an operand follows, so that the formula ends where prose goes
// on.
#pragma once

#include "formula_text.hpp"
#include "prose_words.hpp"

#include <optional>

namespace libration::html {

class ProseReader {
  public:
    ProseReader(std::string_view text, std::size_t at) : text_(text), begin_(at) { now_.at = at; }

    Formula read();
    Formula read_whole();

  private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return now_.at + ahead < text_.size() ? text_[now_.at + ahead] : '\0';
    }
    void skip_spaces();
    // "a", "A", "I" alone are words.
    [[nodiscard]] bool starts_with_article() const;
    // h-dependent is prose; so is what ends in the middle of a word.
    [[nodiscard]] bool ends_within_word() const;
    [[nodiscard]] bool single_letter() const { return now_.at - begin_ == 1; }

    std::optional<std::string> relation_chain();

    std::optional<std::string> sum();

    std::optional<std::string> product();

    // Whether what follows a space is a factor: a letter that is not a word, or a sum in parentheses behind a power.
    [[nodiscard]] bool stands_beside() const;
    [[nodiscard]] bool ends_in_prose() const;

    std::optional<std::string> power();

    // What stands after ^ or _: a sign and a number or letter, or a sum in parentheses.
    std::optional<std::string> script();

    // a_ij, b_2k, q_k+1
    std::optional<std::string> index();

    std::optional<std::string> atom();

    std::optional<std::string> modulus();

    // A list in parentheses; (A) and (13) are none.
    std::optional<std::string> group(char open, char close, bool keep);
    std::optional<std::string> ellipsis();

    // 0.01, 200,000 and 2.5e-8; the last alone is a formula.
    std::optional<std::string> number();

    [[nodiscard]] std::string_view word_here() const { return word_at(text_, now_.at); }

    std::optional<std::string> function(std::string_view word);

    // cot(distance)
    std::optional<std::string> word_in_parentheses();

    // A word is a name before a power and on the left of an equation; TOL also on its right.
    [[nodiscard]] bool is_named_by_a_word(std::string_view word) const;

    // With arguments it may be a function; an index is none.
    std::optional<std::string> name(bool takes_arguments = true);

    // f(x), directly behind its name
    std::string with_arguments(std::string result);

    // All that changes; a copy of it undoes what was read since.
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

}  // namespace libration::html
