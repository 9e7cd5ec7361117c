// Sharing, simplifying and pruning of values.
#include "lines.hpp"

#include "expression/tape.hpp"

#include <bit>
#include <cmath>

namespace libration::codegen {

namespace {

constexpr std::uint32_t nothing = 0xffffffff;

constexpr std::uint32_t number_of(Op op) { return static_cast<std::uint32_t>(op); }

bool commutes(Op op) {
    return op == Op::add || op == Op::multiply || op == Op::mad || op == Op::equal || op == Op::logical_and ||
           op == Op::logical_or;
}

// x/d = x*(1/d) to the bit: 1/d is exact.
bool has_exact_reciprocal(double d) {
    int exponent = 0;
    return std::isnormal(d) && std::abs(std::frexp(d, &exponent)) == 0.5 && std::isnormal(1 / d);
}

}  // namespace

std::size_t CodeBuilder::Hash::operator()(const Key& key) const noexcept {
    std::uint64_t h = key.bits;
    for (const std::uint64_t part : {key.what, key.a, key.b, key.c}) {
        h = (h ^ part) * 0x9E3779B97F4A7C15U;
        h ^= h >> 29U;
    }
    return h;
}

std::uint32_t CodeBuilder::add(const Line& line) {
    const Key key{line.what, line.arguments[0], line.arguments[1], line.arguments[2],
                  std::bit_cast<std::uint64_t>(line.number)};
    const auto [place, added] = known_.try_emplace(key, static_cast<std::uint32_t>(code_.lines.size()));
    if (added) {
        code_.lines.push_back(line);
        never_negative_zero_.push_back(is_never_negative_zero(line));
        // Numbers and what is read from memory have no place in the flow and stay known.
        if (open_ && line.what != number_of(Op::constant) && line.what != from_constants && line.what != from_state) {
            inside_.push_back(key);
        }
    }
    return place->second;
}

std::uint32_t CodeBuilder::number(double value) { return add({number_of(Op::constant), {0, 0, 0}, value}); }

std::uint32_t CodeBuilder::source(Source what, std::size_t index, std::size_t entry) {
    return add({what, {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(entry), 0}, 0});
}

bool CodeBuilder::is_number(std::uint32_t line, double value) const {
    return is_number(line) &&
           std::bit_cast<std::uint64_t>(code_.lines[line].number) == std::bit_cast<std::uint64_t>(value);
}

std::uint32_t CodeBuilder::operation(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const int n = arity(op);
    b = n > 1 ? b : 0;
    c = n > 2 ? c : 0;
    if (is_number(a) && (n < 2 || is_number(b)) && (n < 3 || is_number(c))) {
        return number(operate(op, code_.lines[a].number, code_.lines[b].number, code_.lines[c].number));
    }
    if (const auto found = simpler(op, a, b, c); found != nothing) {
        return found;
    }
    if (commutes(op) && b < a) {
        std::swap(a, b);
    }
    return add({number_of(op), {a, b, c}, 0});
}

std::uint32_t CodeBuilder::simpler(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    switch (op) {
        case Op::negate: return is(a, Op::negate) ? argument(a) : nothing;
        case Op::abs:
            if (is(a, Op::abs)) {
                return a;
            }
            return is(a, Op::negate) ? operation(Op::abs, argument(a), 0, 0) : nothing;
        case Op::add: return simpler_sum(a, b);
        case Op::subtract: return simpler_difference(a, b);
        case Op::multiply: return simpler_product(a, b);
        case Op::divide: return simpler_quotient(a, b);
        case Op::mad:
            if (is_number(a, 1) || is_number(b, 1)) {
                return operation(Op::add, is_number(a, 1) ? b : a, c, 0);
            }
            if (is_number(a, -1) || is_number(b, -1)) {
                return operation(Op::subtract, c, is_number(a, -1) ? b : a, 0);
            }
            return nothing;
        case Op::select:
            if (is_number(a)) {
                return code_.lines[a].number != 0 ? b : c;
            }
            return b == c ? b : nothing;
        case Op::min:
        case Op::max: return a == b ? a : nothing;
        default: return nothing;
    }
}

// A sum is -0 only if both parts are, a difference only if the first part is: where they are tiny they are exact. A
// square may become 0 by underflow, but then +0; other products, also fused ones, take their sign along.
bool CodeBuilder::is_never_negative_zero(const Line& line) const {
    const auto [a, b, c] = line.arguments;
    if (line.what >= op_count) {
        return false;
    }
    switch (static_cast<Op>(line.what)) {
        case Op::constant: return line.number != 0 || !std::signbit(line.number);
        case Op::abs: return true;
        case Op::multiply: return a == b;
        case Op::add: return never_negative_zero_[a] || never_negative_zero_[b];
        case Op::subtract: return never_negative_zero_[a];
        case Op::select: return never_negative_zero_[b] && never_negative_zero_[c];
        default: return false;
    }
}

// x + (-0) is x. x + 0 is x unless that is -0: sums of several parts, some of which are empty, consist of these.
std::uint32_t CodeBuilder::simpler_sum(std::uint32_t a, std::uint32_t b) {
    for (const auto& [number, other] : {std::pair(a, b), std::pair(b, a)}) {
        if (is_number(number, -0.0) || (is_number(number, 0.0) && never_negative_zero_[other])) {
            return other;
        }
    }
    if (is(b, Op::negate)) {
        return operation(Op::subtract, a, argument(b), 0);
    }
    return is(a, Op::negate) ? operation(Op::subtract, b, argument(a), 0) : nothing;
}

std::uint32_t CodeBuilder::simpler_difference(std::uint32_t a, std::uint32_t b) {
    if (is_number(b, 0.0)) {
        return a;
    }
    return is(b, Op::negate) ? operation(Op::add, a, argument(b), 0) : nothing;
}

std::uint32_t CodeBuilder::simpler_product(std::uint32_t a, std::uint32_t b) {
    for (const auto& [factor, other] : {std::pair(a, b), std::pair(b, a)}) {
        if (is_number(factor, 1)) {
            return other;
        }
        if (is_number(factor, -1)) {
            return operation(Op::negate, other, 0, 0);
        }
    }
    return is(a, Op::negate) && is(b, Op::negate) ? operation(Op::multiply, argument(a), argument(b), 0) : nothing;
}

std::uint32_t CodeBuilder::simpler_quotient(std::uint32_t a, std::uint32_t b) {
    if (is_number(b) && has_exact_reciprocal(code_.lines[b].number)) {
        return operation(Op::multiply, a, number(1 / code_.lines[b].number), 0);
    }
    return nothing;
}

std::uint32_t CodeBuilder::begin_loop(std::vector<std::uint32_t> start, const IterationControl& control) {
    const auto index = static_cast<std::uint32_t>(code_.loops.size());
    add({loop_begin, {index, 0, 0}, 0});
    open_ = true;
    code_.loops.push_back({control, std::move(start), {}, 0});
    return index;
}

void CodeBuilder::end_loop(std::vector<std::uint32_t> correction, std::uint32_t residual) {
    auto& loop = code_.loops.back();
    loop.correction = std::move(correction);
    loop.residual = residual;
    for (const auto& key : inside_) {
        known_.erase(key);
    }
    inside_.clear();
    open_ = false;
    add({loop_end, {static_cast<std::uint32_t>(code_.loops.size() - 1), 0, 0}, 0});
}

Code CodeBuilder::finish(std::vector<std::uint32_t> outputs) {
    std::vector<bool> needed(code_.lines.size(), false), runs(code_.loops.size(), false);
    const auto need = [&](std::span<const std::uint32_t> lines) {
        for (const auto line : lines) {
            needed[line] = true;
        }
    };
    need(outputs);
    for (std::size_t n = code_.lines.size(); n-- > 0;) {
        const auto& line = code_.lines[n];
        const auto first = line.arguments[0];
        if (line.what < op_count) {
            if (needed[n] && line.what != number_of(Op::constant)) {
                need(std::span(line.arguments).first(static_cast<std::size_t>(arity(static_cast<Op>(line.what)))));
            }
        } else if (line.what >= loop_x && line.what <= loop_converged) {
            runs[first] = runs[first] || needed[n];
        } else if (line.what == loop_end && runs[first]) {
            needed[n] = true;
            need(code_.loops[first].correction);
            needed[code_.loops[first].residual] = true;
        } else if (line.what == loop_begin && runs[first]) {
            needed[n] = true;
            need(code_.loops[first].start);
        }
    }

    Code result;
    std::vector<std::uint32_t> place(code_.lines.size(), nothing), loop_place(code_.loops.size(), nothing);
    const auto moved = [&](std::vector<std::uint32_t> lines) {
        for (auto& line : lines) {
            line = place[line];
        }
        return lines;
    };
    for (std::size_t n = 0; n < code_.lines.size(); ++n) {
        if (!needed[n]) {
            continue;
        }
        auto line = code_.lines[n];
        auto& first = line.arguments[0];
        if (line.what == loop_begin) {
            loop_place[first] = static_cast<std::uint32_t>(result.loops.size());
            result.loops.push_back({code_.loops[first].control, moved(code_.loops[first].start), {}, 0});
        } else if (line.what == loop_end) {
            auto& loop = result.loops[loop_place[first]];
            loop.correction = moved(code_.loops[first].correction);
            loop.residual = place[code_.loops[first].residual];
        }
        if (line.what >= carried) {
            first = loop_place[first];
        } else if (line.what < op_count && line.what != number_of(Op::constant)) {
            for (int k = 0; k < arity(static_cast<Op>(line.what)); ++k) {
                line.arguments[k] = place[line.arguments[k]];
            }
        }
        place[n] = static_cast<std::uint32_t>(result.lines.size());
        result.lines.push_back(line);
    }
    result.outputs = moved(std::move(outputs));
    return result;
}

}  // namespace libration::codegen
