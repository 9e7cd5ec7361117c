// The programs of a term and of its derivatives.
#include "term_kernel.hpp"

#include <libration/expression/differentiate.hpp>

namespace libration {

ProgramStore::Programs term_programs(const Expression& kernel, std::span<const Expression> slots,
                                     std::span<const Expression> inputs, std::span<const Expression> parameters,
                                     TermProgramKind kind) {
    const auto program = [&](std::span<const Expression> outputs, std::span<const Expression> over) {
        return std::make_shared<const Program>(compile(outputs, over, parameters));
    };
    auto slopes = gradient(kernel, slots);
    if (kind.kind == TermKind::potential) {
        return {program(std::array{kernel}, inputs), program(slopes, inputs)};
    }
    // What depends on t alone is the same number in every evaluation at this time: not noise that g = 0 could not see.
    slopes.push_back(rounding_size(kernel, slots));
    std::vector<Expression> direction;
    for (std::size_t k = 0; k < slots.size(); ++k) {
        direction.push_back(fresh_symbol("direction"));
    }
    const auto first = directional_derivative(kernel, slots, direction);
    // G_q(v, v) + 2 g_qt v + g_tt: the second derivative along (v, 1) in (q, t). A term without t has the programs of
    // one that knows no time.
    std::vector<Expression> moving(slots.begin(), slots.end());
    auto along = direction;
    auto once = first;
    if (kind.uses_time) {
        moving.push_back(time_symbol());
        along.emplace_back(1);
        once = directional_derivative(kernel, moving, along);
    }
    const auto second = directional_derivative(once, moving, along);
    std::vector<Expression> with_direction(inputs.begin(), inputs.end());
    with_direction.insert(with_direction.end(), direction.begin(), direction.end());
    ProgramStore::Programs programs{program(std::array{kernel}, inputs), program(slopes, inputs),
                                    program(std::array{kernel + first}, with_direction),
                                    program(std::array{second}, with_direction)};
    if (kind.uses_time) {
        programs.push_back(program(std::array{derivative(kernel, time_symbol())}, inputs));
    }
    return programs;
}

}  // namespace libration
