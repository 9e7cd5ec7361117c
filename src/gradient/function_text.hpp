// Functions of losses that formulas do not have, such as integral(...): where they stand in a text.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace libration {

struct FunctionCall {
    std::size_t first = 0, size = 0;     // of the call in the text
    std::vector<std::string> arguments;  // between commas outside of brackets
};

// The first call of a function from a place on. InputError if its bracket is not closed.
std::optional<FunctionCall> find_call(const std::string& text, const std::string& name, std::size_t from = 0);

}  // namespace libration
