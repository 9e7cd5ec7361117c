// Index arithmetic in postfix form.
#include "index.hpp"

#include "expression/rational.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace libration {

namespace {

__extension__ using Wide = __int128;

}  // namespace

double number_of_integers(std::int64_t first, std::int64_t last) {
    for (const auto bound : {first, last}) {
        if (std::abs(static_cast<double>(bound)) > largest_index) {
            throw InputError(
                fmt::format("an index would run from {} to {}, but {} is too large: indices are at most {:g}", first,
                            last, bound, largest_index));
        }
    }
    return last < first ? 0 : static_cast<double>(last - first + 1);
}

IndexProgram::IndexProgram(const Expression& expression, std::span<const Expression> slots, const NumberMap& fixed) {
    // Also keeps the recursion of `add` shallow, and what shared parts repeat within bounds.
    if (sorted_nodes(std::array{expression}).size() > 1000) {
        throw InputError("an index has more than 1000 operations; simplify it");
    }
    add(expression, slots, fixed);
}

void IndexProgram::add(const Expression& e, std::span<const Expression> slots, const NumberMap& fixed) {
    if (steps_.size() > 100'000) {
        throw InputError("an index has more than 100000 operations; simplify it");
    }
    switch (e.op()) {
        case Op::constant: {
            const auto value = read_rational(e.text());
            // Integers from 2^53 on are not rational numbers here.
            if (!value && std::abs(std::strtod(e.text().c_str(), nullptr)) > largest_index) {
                throw InputError(fmt::format("the index contains {}, which is too large: indices are at most {:g}",
                                             e.text(), largest_index));
            }
            if (!value || value->denominator != 1) {
                throw InputError(
                    fmt::format("the index contains {}, which is not an integer; use // to divide", e.text()));
            }
            steps_.push_back({Op::constant, value->numerator});
            return;
        }
        case Op::symbol: {
            const auto slot = std::ranges::find(slots, e);
            if (slot != slots.end()) {
                steps_.push_back({Op::symbol, slot - slots.begin()});
                return;
            }
            const auto parameter = fixed.find(e.text());
            if (parameter == fixed.end()) {
                throw InputError(fmt::format("an index cannot depend on '{}'", e.text()));
            }
            parameter->second.used = true;
            const double number = parameter->second.value;
            if (number != std::round(number) || std::abs(number) > largest_index) {
                throw InputError(
                    fmt::format("the parameter {} = {} is used as an index or a count and must be an integer{}",
                                e.text(), number, std::abs(number) > largest_index ? " of at most 1e15" : ""));
            }
            steps_.push_back({Op::constant, static_cast<std::int64_t>(number)});
            return;
        }
        case Op::floor:
            if (e.arguments()[0].is(Op::divide)) {
                add(e.arguments()[0].arguments()[0], slots, fixed);
                add(e.arguments()[0].arguments()[1], slots, fixed);
                steps_.push_back({Op::divide});
                return;
            }
            // (-a) // b arrives as floor(-(a/b)).
            if (e.arguments()[0].is(Op::negate) && e.arguments()[0].arguments()[0].is(Op::divide)) {
                const auto& quotient = e.arguments()[0].arguments()[0];
                add(quotient.arguments()[0], slots, fixed);
                steps_.push_back({Op::negate});
                add(quotient.arguments()[1], slots, fixed);
                steps_.push_back({Op::divide});
                return;
            }
            add(e.arguments()[0], slots, fixed);
            return;
        case Op::negate:
        case Op::add:
        case Op::subtract:
        case Op::multiply:
        case Op::min:
        case Op::max:
            for (const auto& a : e.arguments()) {
                add(a, slots, fixed);
            }
            steps_.push_back({e.op()});
            return;
        default: throw InputError(fmt::format("an index can use + - * // and %, but not '{}'", name(e.op())));
    }
}

template <class T>
std::optional<T> IndexProgram::value_in(std::span<const std::int64_t> slots) const {
    std::array<T, 64> stack;  // not set to zero: that would cost more than most indices
    std::size_t top = 0;
    for (const auto& step : steps_) {
        if (step.op == Op::constant || step.op == Op::symbol) {
            if (top == stack.size()) {
                throw InputError("an index is nested too deeply");
            }
            stack[top++] = step.op == Op::constant ? step.number : slots[static_cast<std::size_t>(step.number)];
            continue;
        }
        bool too_large = false;
        if (step.op == Op::negate) {
            auto& a = stack[top - 1];
            too_large = __builtin_sub_overflow(T{0}, a, &a);
        } else {
            const auto b = stack[--top];
            auto& a = stack[top - 1];
            switch (step.op) {
                case Op::add: too_large = __builtin_add_overflow(a, b, &a); break;
                case Op::subtract: too_large = __builtin_sub_overflow(a, b, &a); break;
                case Op::multiply: too_large = __builtin_mul_overflow(a, b, &a); break;
                case Op::min: a = std::min(a, b); break;
                case Op::max: a = std::max(a, b); break;
                default:
                    if (b == 0) {
                        throw InputError("an index divides by zero");
                    }
                    if (b == -1) {  // processors trap where the least integer is divided by -1
                        too_large = __builtin_sub_overflow(T{0}, a, &a);
                    } else {
                        a = a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
                    }
            }
        }
        if (too_large) {
            return std::nullopt;
        }
    }
    return stack[0];
}

std::int64_t IndexProgram::value(std::span<const std::int64_t> slots) const {
    if (const auto value = value_in<std::int64_t>(slots)) {
        return *value;
    }
    // What is small in the end may be large on the way: a % b is a - b*(a // b).
    const auto value = value_in<Wide>(slots);
    if (!value || *value > std::numeric_limits<std::int64_t>::max() ||
        *value < std::numeric_limits<std::int64_t>::min()) {
        throw InputError("an index exceeds 9.2e18, the largest possible index");
    }
    return static_cast<std::int64_t>(*value);
}

}  // namespace libration
