// From a traced step to its tangent.
#include "tangent_step.hpp"

#include "codegen/tangent_graph.hpp"
#include "extended_model.hpp"
#include "methods/good_step.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace libration {

namespace {

// Loops of so many unknowns are solved by elimination: each one costs a tangent of the body.
constexpr std::size_t widest_elimination = 8;

using Seeds = std::unordered_map<Expression, Expression>;
using Rows = std::vector<std::vector<TangentGraph::Tangent>>;

// y with rows [B | b]: B y = -b, by elimination. Diagonal entries are near -1.
std::vector<TangentGraph::Tangent> solved(Rows rows) {
    const std::size_t m = rows.size();
    const auto less = [](TangentGraph::Tangent& from, const Expression& factor, const TangentGraph::Tangent& what) {
        if (what) {
            from = from ? folded(Op::subtract, *from, folded(Op::multiply, factor, *what))
                        : folded(Op::negate, std::array{folded(Op::multiply, factor, *what)});
        }
    };
    std::vector<Expression> inverse;
    for (std::size_t k = 0; k < m; ++k) {
        inverse.push_back(folded(Op::divide, Expression(1), rows[k][k].value()));
        for (std::size_t i = k + 1; i < m; ++i) {
            if (rows[i][k]) {
                const auto factor = folded(Op::multiply, *rows[i][k], inverse[k]);
                for (std::size_t j = k + 1; j <= m; ++j) {
                    less(rows[i][j], factor, rows[k][j]);
                }
            }
        }
    }
    std::vector<TangentGraph::Tangent> y(m);
    for (std::size_t k = m; k-- > 0;) {
        auto rest = rows[k][m];
        for (std::size_t j = k + 1; j < m; ++j) {
            if (rows[k][j] && y[j]) {
                const auto term = folded(Op::multiply, *rows[k][j], *y[j]);
                rest = rest ? folded(Op::add, *rest, term) : term;
            }
        }
        if (rest) {
            y[k] = folded(Op::negate, std::array{folded(Op::multiply, *rest, inverse[k])});
        }
    }
    return y;
}

// Arrays of a memory that decide about steps and have no part in where they lead, or are what rounding dropped.
bool has_tangent(const TracedStep::Entry& entry) {
    static const std::set<std::string, std::less<>> without{"clock", "evaluations", "owed_kick",  "p_low",
                                                            "q_low", "rounding",    "usual_rows", "standing"};
    return !without.contains(entry.array);
}

class Differentiation {
  public:
    Differentiation(TracedStep step, std::size_t dimension) : step_(std::move(step)), dimension_(dimension) {
        replace_parameters();
        for (auto& entry : step_.memory) {
            tangent_of_.push_back(has_tangent(entry) && !is_parameter(entry, "q") &&
                                          (entry.before != entry.after || entry.array == "q" || entry.array == "p")
                                      ? std::optional(fresh_symbol("tangent"))
                                      : std::nullopt);
        }
    }

    TangentStep made(std::span<const std::int64_t> integers) {
        Seeds seeds;
        for (std::size_t k = 0; k < tangent_of_.size(); ++k) {
            if (tangent_of_[k]) {
                seeds.emplace(step_.memory[k].before, *tangent_of_[k]);
            }
        }
        TangentGraph tangents(std::move(seeds));
        for (const auto& loop : step_.loops) {
            differentiate(loop, tangents);
        }
        for (std::size_t k = 0; k < tangent_of_.size(); ++k) {
            auto after = tangent_of_[k] ? tangents.of(step_.memory[k].after) : std::nullopt;
            if (is_parameter(step_.memory[k], "p")) {  // it collects, and was replaced by a number
                after = after ? fused_sum(*tangent_of_[k], *after) : *tangent_of_[k];
            }
            after_.push_back(std::move(after));
        }
        find_needed();
        return assembled(integers);
    }

  private:
    [[nodiscard]] bool is_parameter(const TracedStep::Entry& entry, std::string_view array) const {
        return entry.array == array && entry.index >= dimension_;
    }
    [[nodiscard]] bool is_state(const TracedStep::Entry& entry) const {
        return (entry.array == "q" || entry.array == "p") && entry.index < dimension_;
    }

    // Their coordinates rest at 1, their momenta move nothing: any number will do, but of zero there is no rounding by
    // which the iterations of stages could be judged.
    void replace_parameters() {
        Seeds by;
        for (const auto& entry : step_.memory) {
            if (is_parameter(entry, "q") || is_parameter(entry, "p")) {
                by.emplace(entry.before, Expression(1));
            } else if (is_parameter(entry, "q_low") || is_parameter(entry, "p_low")) {
                by.emplace(entry.before, Expression(0));
            }
        }
        // Iterations over stages judge the rounding of parameters, too, by what they move in a step.
        const bool stages = std::ranges::any_of(
            step_.loops, [](const TracedLoop& loop) { return loop.carried.size() > widest_elimination; });
        Replacement replaced(std::move(by), stages ? 0 : 1 / infinite_mass_value);
        for (auto& loop : step_.loops) {
            loop.start = replaced.of(loop.start);
            loop.correction = replaced.of(loop.correction);
            loop.residual = replaced.of(loop.residual);
            if (loop.before) {
                loop.before = replaced.of(*loop.before);
            }
        }
        for (auto& entry : step_.memory) {
            entry.after = replaced.of(entry.after);
        }
        auto& report = step_.report;
        for (auto* part : {&report.converged, &report.residual, &report.pivot}) {
            part->expression = replaced.of(part->expression);
        }
        // Whether the state is finite is asked of the model alone.
        report.size = lit<Traced>(0);
        for (const auto& entry : step_.memory) {
            if (is_state(entry) || (entry.array == "force" && entry.index < dimension_)) {
                report.size = report.size + Traced{entry.after};
            }
        }
        residual_ = report.residual.expression;
        good_ = recorded_good_step(report).expression;
    }

    void differentiate(const TracedLoop& loop, TangentGraph& tangents) {
        Seeds at_end;
        for (std::size_t i = 0; i < loop.carried.size(); ++i) {
            at_end.emplace(loop.carried[i], loop.result[i]);
        }
        const auto correction = Replacement(std::move(at_end)).of(loop.correction);
        loops_.push_back(loop);
        if (loop.carried.size() > widest_elimination || !eliminate(loop, correction, tangents)) {
            iterate_tangent(loop, correction, tangents);
        }
    }

    // c_x dx = -c_z dz as a program; false if the correction of some x does not depend on it.
    static bool eliminate(const TracedLoop& loop, std::span<const Expression> correction, TangentGraph& tangents) {
        const std::size_t m = loop.carried.size();
        Rows rows(m, std::vector<TangentGraph::Tangent>(m + 1));
        for (std::size_t j = 0; j < m; ++j) {
            TangentGraph along(Seeds{{loop.result[j], Expression(1)}});
            for (std::size_t i = 0; i < m; ++i) {
                rows[i][j] = along.of(correction[i]);
            }
            if (!rows[j][j] || rows[j][j]->is(Op::constant)) {
                return false;
            }
        }
        auto fixed_end = tangents;  // a graph of its own: the results have no tangent in it
        for (std::size_t i = 0; i < m; ++i) {
            rows[i][m] = fixed_end.of(correction[i]);
        }
        const auto y = solved(std::move(rows));
        for (std::size_t i = 0; i < m; ++i) {
            if (y[i]) {
                tangents.seed(loop.result[i], *y[i]);
            }
        }
        return true;
    }

    // Where there are many: dx is iterated as x was, dx + (c_x dx + c_z dz), which converges as fast.
    void iterate_tangent(const TracedLoop& loop, std::span<const Expression> correction, TangentGraph& tangents) {
        const std::size_t m = loop.carried.size();
        std::vector<std::optional<Expression>> carried(m);
        std::vector<TangentGraph::Tangent> change(m), start(m);
        for (std::size_t i = 0; i < m; ++i) {
            start[i] = tangents.of(loop.start[i]);
        }
        // Those that move at all: until no other one moves with them.
        for (bool more = true; more;) {
            auto inside = tangents;
            for (std::size_t i = 0; i < m; ++i) {
                if (carried[i]) {
                    inside.seed(loop.result[i], *carried[i]);
                }
            }
            more = false;
            for (std::size_t i = 0; i < m; ++i) {
                change[i] = inside.of(correction[i]);
                if (!carried[i] && (change[i] || start[i])) {
                    carried[i] = fresh_symbol("carried");
                    more = true;
                }
            }
        }
        // A linear iteration gains the same factor with each pass until rounding stops it, which for multipliers is
        // enlarged by 1/h^2: where it no longer gains anything it has arrived.
        const IterationControl control{.stagnation = 100'000, .patience = 2, .correct_last = true, .foresee = true};
        TracedLoop added{control,
                         {},
                         {},
                         {},
                         {},
                         {},
                         {},
                         fresh_symbol("passes"),
                         fresh_symbol("residual"),
                         fresh_symbol("converged")};
        Expression largest(0), largest_change(0);
        for (std::size_t i = 0; i < m; ++i) {
            if (carried[i]) {
                added.start.push_back(start[i].value_or(Expression(0)));
                added.carried.push_back(*carried[i]);
                added.correction.push_back(change[i].value_or(Expression(0)));
                added.result.push_back(fresh_symbol("result"));
                tangents.seed(loop.result[i], added.result.back());
                const auto size = [](const Expression& e) { return folded(Op::abs, std::array{e}); };
                largest = folded(Op::max, largest, size(added.carried.back()));
                largest_change = folded(Op::max, largest_change, size(added.correction.back()));
            }
        }
        if (added.carried.empty()) {
            return;
        }
        // In units of the rounding of the largest one.
        const Expression unit(8 * std::numeric_limits<double>::epsilon());
        added.residual = folded(Op::floors, largest_change, folded(Op::multiply, unit, largest));
        good_ = folded(Op::select, std::array{folded(Op::equal, added.converged, Expression(1)), good_, Expression(0)});
        loops_.push_back(std::move(added));
    }

    // What the state and its tangent depend on, step after step: entries, and tangents of entries.
    void find_needed() {
        std::unordered_map<Expression, std::pair<std::size_t, bool>> owner;
        for (std::size_t k = 0; k < step_.memory.size(); ++k) {
            owner.emplace(step_.memory[k].before, std::pair(k, false));
            if (tangent_of_[k]) {
                owner.emplace(*tangent_of_[k], std::pair(k, true));
            }
        }
        std::unordered_map<Expression, std::size_t> loop_of;
        for (std::size_t n = 0; n < loops_.size(); ++n) {
            const auto& loop = loops_[n];
            for (const auto& s : loop.result) {
                loop_of.emplace(s, n);
            }
            for (const auto& s : {loop.passes, loop.final_residual, loop.converged}) {
                loop_of.emplace(s, n);
            }
        }
        std::vector<Expression> todo{residual_, good_};
        std::vector<bool> runs(loops_.size(), false);
        const auto need = [&](std::size_t k, bool tangent) {
            if ((tangent ? tangents_needed_ : values_needed_).insert(k).second) {
                todo.push_back(tangent ? after_[k].value_or(Expression(0)) : step_.memory[k].after);
            }
        };
        for (std::size_t k = 0; k < step_.memory.size(); ++k) {
            const auto& entry = step_.memory[k];
            if (is_state(entry) || entry.array == "clock" || entry.array == "owed_kick" ||
                ((entry.array == "q_low" || entry.array == "p_low") && entry.index < dimension_)) {
                need(k, false);
            }
            if (is_state(entry) || is_parameter(entry, "p")) {
                need(k, true);
            }
        }
        std::unordered_map<Expression, bool> seen;
        while (!todo.empty()) {
            const auto e = todo.back();
            todo.pop_back();
            if (!seen.emplace(e, true).second) {
                continue;
            }
            for (const auto& a : e.arguments()) {
                todo.push_back(a);
            }
            if (const auto found = owner.find(e); found != owner.end()) {
                need(found->second.first, found->second.second);
            }
            if (const auto found = loop_of.find(e); found != loop_of.end() && !runs[found->second]) {
                runs[found->second] = true;
                const auto& loop = loops_[found->second];
                todo.insert(todo.end(), loop.start.begin(), loop.start.end());
                todo.insert(todo.end(), loop.correction.begin(), loop.correction.end());
                todo.push_back(loop.residual);
                if (loop.before) {
                    todo.push_back(*loop.before);
                }
            }
        }
        for (std::size_t n = loops_.size(); n-- > 0;) {
            if (!runs[n]) {
                loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(n));
            }
        }
    }

    TangentStep assembled(std::span<const std::int64_t> integers) const {
        TangentStep result;
        result.integers.assign(integers.begin(), integers.end());
        std::vector<Expression> parameters, inputs, outputs;
        const auto take = [&](std::size_t k, bool tangent) {
            const auto before = tangent ? *tangent_of_[k] : step_.memory[k].before;
            const auto after = tangent ? after_[k].value_or(Expression(0)) : step_.memory[k].after;
            const TangentStep::Part part{static_cast<std::uint32_t>(k), tangent};
            const auto& entry = step_.memory[k];
            if (before == after && !is_state(entry)) {
                result.fixed.push_back(part);
                parameters.push_back(before);
                return;
            }
            const auto place = static_cast<std::uint32_t>(result.changing.size());
            if (is_state(entry)) {
                auto& list = entry.array == "p" ? result.p : tangent ? result.dq : result.q;
                if (tangent || entry.array == "q") {
                    list.push_back(place);
                }
            }
            result.changing.push_back(part);
            inputs.push_back(before);
            outputs.push_back(after);
        };
        for (const auto k : values_needed_) {
            take(k, false);
        }
        for (const auto k : tangents_needed_) {
            take(k, true);
        }
        outputs.push_back(residual_);
        outputs.push_back(good_);
        result.program = step_program(loops_, parameters, inputs, outputs);
        return result;
    }

    TracedStep step_;
    std::vector<TracedLoop> loops_;  // those of the step, and those of tangents
    Expression residual_, good_;
    std::size_t dimension_;
    std::vector<std::optional<Expression>> tangent_of_;  // the symbol, by entry
    std::vector<TangentGraph::Tangent> after_;           // by entry
    std::set<std::size_t> values_needed_, tangents_needed_;
};

}  // namespace

std::optional<TangentStep> record_tangent_step(const Model& extended, std::size_t dimension, const Method& method,
                                               std::span<const std::int64_t> integers, std::string& why_not) {
    auto traced = trace_step(extended, method, integers, why_not);
    if (!traced) {
        return std::nullopt;
    }
    Differentiation differentiation(std::move(*traced), dimension);
    return differentiation.made(integers);
}

}  // namespace libration
