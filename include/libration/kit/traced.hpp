// A scalar that records: running a method on it records the whole step as a graph.
//
// Only equal operations are shared; nothing else is simplified, because compensated sums would vanish. The loop of
// `iterate` is recorded once, as a section of its own; whatever leaves the loop except x and the report is an error.
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/kit/iterate.hpp>
#include <libration/text/error.hpp>

#include <functional>
#include <optional>

namespace [[gnu::visibility("default")]] libration {

struct Traced {
    Expression expression;
};

struct TracedMask {
    Expression condition;
};

template <>
struct ScalarTraits<Traced> {
    using Real = Traced;
    using Mask = TracedMask;
    static Traced ratio(std::int64_t n, std::int64_t d) { return {libration::ratio(n, d)}; }
    static Traced read(std::string_view text) { return {constant(text)}; }
    static Traced from_double(double x) { return {Expression(x)}; }
    static Traced epsilon() { return {libration::ratio(1, std::int64_t{1} << 52)}; }
};

template <>
inline constexpr bool records_operations<Traced> = true;

namespace traced_detail {

inline Traced record(Op op, const Traced& a) { return {verbatim(op, std::array{a.expression})}; }
inline Traced record(Op op, const Traced& a, const Traced& b) {
    return {verbatim(op, std::array{a.expression, b.expression})};
}
inline TracedMask compare(Op op, const Traced& a, const Traced& b) {
    return {verbatim(op, std::array{a.expression, b.expression})};
}

}  // namespace traced_detail

inline Traced operator+(const Traced& a, const Traced& b) { return traced_detail::record(Op::add, a, b); }
inline Traced operator-(const Traced& a, const Traced& b) { return traced_detail::record(Op::subtract, a, b); }
inline Traced operator*(const Traced& a, const Traced& b) { return traced_detail::record(Op::multiply, a, b); }
inline Traced operator/(const Traced& a, const Traced& b) { return traced_detail::record(Op::divide, a, b); }
inline Traced operator-(const Traced& a) { return traced_detail::record(Op::negate, a); }
inline Traced mad(const Traced& a, const Traced& b, const Traced& c) {
    return {verbatim(Op::mad, std::array{a.expression, b.expression, c.expression})};
}
inline Traced interpolate(const Traced& x, const Traced& table, const Traced& derivative) {
    return {verbatim(Op::interp, std::array{x.expression, table.expression, derivative.expression})};
}
inline Traced select(const TracedMask& m, const Traced& a, const Traced& b) {
    return {verbatim(Op::select, std::array{m.condition, a.expression, b.expression})};
}
inline TracedMask less(const Traced& a, const Traced& b) { return traced_detail::compare(Op::less, a, b); }
inline TracedMask less_equal(const Traced& a, const Traced& b) { return traced_detail::compare(Op::less_equal, a, b); }
inline TracedMask equal(const Traced& a, const Traced& b) { return traced_detail::compare(Op::equal, a, b); }
inline TracedMask both(const TracedMask& a, const TracedMask& b) {
    return {verbatim(Op::logical_and, std::array{a.condition, b.condition})};
}
inline TracedMask either(const TracedMask& a, const TracedMask& b) {
    return {verbatim(Op::logical_or, std::array{a.condition, b.condition})};
}
inline TracedMask negate(const TracedMask& a) { return {verbatim(Op::logical_not, std::array{a.condition})}; }
inline Traced real_part(const Traced& a) { return a; }
inline Traced magnitude(const Traced& a) { return traced_detail::record(Op::abs, a); }

#define LIBRATION_TRACED(function, op) \
    inline Traced function(const Traced& a) { return traced_detail::record(Op::op, a); }
#define LIBRATION_TRACED2(function, op) \
    inline Traced function(const Traced& a, const Traced& b) { return traced_detail::record(Op::op, a, b); }
LIBRATION_TRACED(absv, abs)
LIBRATION_TRACED(sign, sign)
LIBRATION_TRACED(floor, floor)
LIBRATION_TRACED(sqrt, sqrt)
LIBRATION_TRACED(cbrt, cbrt)
LIBRATION_TRACED(exp, exp)
LIBRATION_TRACED(log, log)
LIBRATION_TRACED(sin, sin)
LIBRATION_TRACED(cos, cos)
LIBRATION_TRACED(tan, tan)
LIBRATION_TRACED(asin, asin)
LIBRATION_TRACED(acos, acos)
LIBRATION_TRACED(atan, atan)
LIBRATION_TRACED(sinh, sinh)
LIBRATION_TRACED(cosh, cosh)
LIBRATION_TRACED(tanh, tanh)
LIBRATION_TRACED(asinh, asinh)
LIBRATION_TRACED(acosh, acosh)
LIBRATION_TRACED(atanh, atanh)
LIBRATION_TRACED2(pow, power)
LIBRATION_TRACED2(atan2, atan2)
LIBRATION_TRACED2(hypot, hypot)
LIBRATION_TRACED2(minv, min)
LIBRATION_TRACED2(maxv, max)
LIBRATION_TRACED2(floors, floors)
#undef LIBRATION_TRACED
#undef LIBRATION_TRACED2

// One recorded loop: its carried values, what a pass computes from them, and the symbols that stand for its results.
struct TracedLoop {
    IterationControl control;
    std::vector<Expression> start;       // values of x before the loop
    std::vector<Expression> carried;     // x inside the loop
    std::vector<Expression> correction;  // to be added to x
    Expression residual;
    std::optional<Expression> before;  // the residual before the correction that `start` contains already
    std::vector<Expression> result;    // x after the loop
    Expression passes, final_residual, converged;
};

// Collects the loops of the code that runs while it lives (one at a time, one thread).
class TraceRecorder {
  public:
    TraceRecorder();
    ~TraceRecorder();
    TraceRecorder(const TraceRecorder&) = delete;
    TraceRecorder& operator=(const TraceRecorder&) = delete;

    [[nodiscard]] const std::vector<TracedLoop>& loops() const { return loops_; }
    static TraceRecorder& current();
    void add(TracedLoop loop) { loops_.push_back(std::move(loop)); }

    bool inside_loop = false;

  private:
    std::vector<TracedLoop> loops_;
};

template <class Pass>
IterationReport<Traced> iterate(const IterationControl& control, std::span<Traced> x, std::span<Traced> correction,
                                Pass&& pass, const Traced* before = nullptr) {
    auto& recorder = TraceRecorder::current();
    if (recorder.inside_loop) {
        throw InputError("an iteration inside an iteration cannot be recorded; run this method step by step");
    }
    TracedLoop loop{
        control, {}, {}, {}, {}, {}, {}, fresh_symbol("passes"), fresh_symbol("residual"), fresh_symbol("converged")};
    if (before != nullptr) {
        loop.before = before->expression;
    }
    for (auto& value : x) {
        loop.start.push_back(value.expression);
        loop.carried.push_back(fresh_symbol("carried"));
        loop.result.push_back(fresh_symbol("result"));
        value.expression = loop.carried.back();
    }
    recorder.inside_loop = true;
    loop.residual = pass(std::span<const Traced>(x), correction).expression;
    recorder.inside_loop = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        loop.correction.push_back(correction[i].expression);
        x[i].expression = loop.result[i];
    }
    IterationReport<Traced> report{{loop.passes}, {loop.final_residual}, {loop.converged}};
    recorder.add(std::move(loop));
    return report;
}

}  // namespace libration
