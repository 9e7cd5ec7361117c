// The text of many expressions with names for what they share: as long as the graph is large, whereas the plain text of
// a graph can be longer by any factor.
#pragma once

#include <libration/expression/expression.hpp>

#include <unordered_map>
#include <utility>

namespace libration {

struct SharedText {
    // Name and text; each may use the names before it.
    std::vector<std::pair<std::string, std::string>> definitions;
    std::vector<std::string> texts;  // one for each expression
};

// Names are s1, s2, ... without those in `taken` and those of symbols in the expressions. Named is what is used more
// than once and long, and what lies so deep in parentheses that the parser would refuse it: every text parses, and with
// the names replaced it is the expression that was given. Those of `named` that occur in the expressions are
// definitions under their own names. Those of `leaves` have names already, and are written by them.
SharedText shared_text(std::span<const Expression> expressions, std::span<const std::string> taken = {},
                       const std::unordered_map<Expression, std::string>& named = {},
                       const std::unordered_map<Expression, std::string>& leaves = {});

// How many characters to_string(expression) has; found without writing them.
std::uint64_t text_length(const Expression& expression);

}  // namespace libration
