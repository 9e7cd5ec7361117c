// From a trace to a StepProgram: what depends on parameters alone is cut out of the graph and computed beforehand.
#include "step_program.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace libration {

namespace {

// Replaces every largest part of the graph that depends on parameters, and on nothing else that varies, by a symbol.
class ParameterParts {
  public:
    explicit ParameterParts(std::span<const Expression> parameters)
        : parameters_(parameters.begin(), parameters.end()) {}

    std::vector<Expression> without(std::span<const Expression> roots) {
        for (const auto& e : sorted_nodes(roots)) {
            image(e);
        }
        std::vector<Expression> result;
        for (const auto& e : roots) {
            result.push_back(reference(e));
        }
        return result;
    }

    std::vector<Expression> symbols, values;

  private:
    enum class Depends { on_nothing, on_parameters, on_more };
    struct Image {
        Depends depends;
        Expression expression;
    };

    void image(const Expression& e) {
        if (known_.contains(e)) {
            return;
        }
        if (e.arguments().empty()) {
            const auto depends = e.is(Op::constant)        ? Depends::on_nothing
                                 : parameters_.contains(e) ? Depends::on_parameters
                                                           : Depends::on_more;
            known_.emplace(e, Image{depends, e});
            return;
        }
        auto depends = Depends::on_nothing;
        for (const auto& a : e.arguments()) {
            depends = std::max(depends, known_.at(a).depends);
        }
        if (depends != Depends::on_more) {
            known_.emplace(e, Image{depends, e});
            return;
        }
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            arguments.push_back(reference(a));
        }
        known_.emplace(e, Image{depends, verbatim(e.op(), arguments)});
    }

    // What stands for e in an expression that depends on more.
    Expression reference(const Expression& e) {
        const auto& [depends, expression] = known_.at(e);
        if (depends != Depends::on_parameters) {
            return expression;
        }
        const auto [place, added] = symbol_of_.try_emplace(e, Expression());
        if (added) {
            place->second = fresh_symbol("prepared");
            symbols.push_back(place->second);
            values.push_back(e);
        }
        return place->second;
    }

    std::unordered_set<Expression> parameters_;
    std::unordered_map<Expression, Image> known_;
    std::unordered_map<Expression, Expression> symbol_of_;
};

}  // namespace

std::size_t StepProgram::instructions() const {
    std::size_t count = end.instructions.size();
    for (const auto& loop : loops) {
        count += loop.start.instructions.size() + loop.body.instructions.size();
    }
    return count;
}

StepProgram step_program(std::span<const TracedLoop> loops, std::span<const Expression> parameters,
                         std::span<const Expression> inputs, std::span<const Expression> outputs) {
    ParameterParts parts(parameters);
    struct Section {
        std::vector<Expression> start, computed;
    };
    std::vector<Section> sections;
    for (const auto& loop : loops) {
        auto computed = loop.correction;
        computed.push_back(loop.residual);
        auto start = loop.start;
        if (loop.before) {
            start.push_back(*loop.before);
        }
        sections.push_back({parts.without(start), parts.without(computed)});
    }
    const auto end = parts.without(outputs);

    StepProgram program;
    program.memory = inputs.size();
    program.prepare = compile(parts.values, parameters);
    auto known = parts.symbols;
    known.insert(known.end(), inputs.begin(), inputs.end());
    for (std::size_t n = 0; n < sections.size(); ++n) {
        const auto& loop = loops[n];
        program.loops.push_back({loop.control, loop.carried.size(), loop.before.has_value(),
                                 compile(sections[n].start, known),
                                 compile_with_all(sections[n].computed, loop.carried, known)});
        known.insert(known.end(), loop.result.begin(), loop.result.end());
        known.insert(known.end(), {loop.passes, loop.final_residual, loop.converged});
    }
    program.end = compile(end, known);
    return program;
}

}  // namespace libration
