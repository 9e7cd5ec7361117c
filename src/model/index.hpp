// Integer arithmetic of indices: + - * // % and brackets over index names and integer parameters.
#pragma once

#include <libration/expression/expression.hpp>

#include <map>
#include <optional>

namespace libration {

// Indices of ranges and sums, and parameters among them, lie within this of 0: counting them overflows nothing.
constexpr double largest_index = 1e15;

// How many integers lie from `first` to `last`, both included; InputError (without a place) if one is too large. A
// double, as far more than memory can hold may be asked for.
double number_of_integers(std::int64_t first, std::int64_t last);

// A parameter as a double. If part of the model is derived from it, such as a count, that is recorded.
struct ParameterNumber {
    double value = 0;
    mutable bool used = false;
};
using NumberMap = std::map<std::string, ParameterNumber, std::less<>>;

class IndexProgram {
  public:
    // `slots`: symbols whose values change; `fixed`: integer parameters. Anything that is not integer arithmetic is an
    // InputError (without a place).
    IndexProgram(const Expression& expression, std::span<const Expression> slots, const NumberMap& fixed);
    [[nodiscard]] std::int64_t value(std::span<const std::int64_t> slots) const;

  private:
    struct Step {
        Op op;
        std::int64_t number = 0;  // a constant, or the number of a slot
    };
    // Nothing if a number on the way does not fit an integer of type T.
    template <class T>
    [[nodiscard]] std::optional<T> value_in(std::span<const std::int64_t> slots) const;
    void add(const Expression& e, std::span<const Expression> slots, const NumberMap& fixed);

    std::vector<Step> steps_;  // postfix
};

}  // namespace libration
