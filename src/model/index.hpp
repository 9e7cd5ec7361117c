// Integer arithmetic of indices: + - * // % and brackets over index names and integer parameters.
#pragma once

#include <libration/expression/expression.hpp>

#include <map>
#include <optional>

namespace libration {

class IndexProgram {
  public:
    // `slots`: symbols whose values change; `fixed`: integer parameters. Anything that is not integer arithmetic is an
    // InputError (without a place).
    IndexProgram(const Expression& expression, std::span<const Expression> slots,
                 const std::map<std::string, double, std::less<>>& fixed);
    [[nodiscard]] std::int64_t value(std::span<const std::int64_t> slots) const;

  private:
    struct Step {
        Op op;
        std::int64_t number = 0;  // a constant, or the number of a slot
    };
    void add(const Expression& e, std::span<const Expression> slots,
             const std::map<std::string, double, std::less<>>& fixed);

    std::vector<Step> steps_;  // postfix
};

}  // namespace libration
