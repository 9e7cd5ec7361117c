// Guards are found in the graphs of the formulas and evaluated at nodes.
#include "guards.hpp"

#include "integrate/monitor.hpp"
#include "model/model_values.hpp"
#include "scalar/piecewise.hpp"
#include "system/whole_tape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr std::size_t most_guards = 5000;

struct FoundGuard {
    Expression value;
    int kind;  // 0: its sign, 1: its whole part, 2: it touches zero
    bool branch = false;
    std::string text = {};  // in its place in messages
};

std::optional<double> whole_exponent(const Expression& e) {
    if (!e.is(Op::constant)) {
        return std::nullopt;
    }
    const double value = from_text<double>(e.text());
    return value == std::round(value) ? std::optional(value) : std::nullopt;
}

// In an angle that counts turns, the jumps of atan2 and floor cancel.
std::vector<Expression> jumps_that_cancel(const Expression& formula) {
    std::vector<Expression> all;
    for (const auto& e : sorted_nodes(std::array{formula})) {
        const auto inside = sorted_nodes(e.is(Op::floor) ? e.arguments() : std::span<const Expression>());
        if (std::ranges::none_of(inside, is_turn_symbol)) {
            continue;
        }
        all.push_back(e);
        std::ranges::copy_if(inside, std::back_inserter(all), [](const Expression& a) { return a.is(Op::atan2); });
    }
    return all;
}

std::vector<FoundGuard> guards_of(const Expression& formula) {
    std::vector<FoundGuard> found;
    const auto no_guards = jumps_that_cancel(formula);
    for (const auto& e : sorted_nodes(std::array{formula})) {
        if (std::ranges::find(no_guards, e) != no_guards.end()) {
            continue;
        }
        const auto a = e.arguments();
        switch (e.op()) {
            case Op::less:
            case Op::less_equal:
            case Op::equal:
            case Op::min:
            case Op::max: found.push_back({a[0] - a[1], 0, true}); break;
            case Op::abs:
            case Op::sign: found.push_back({a[0], 0, true}); break;
            case Op::cbrt: found.push_back({a[0], 0}); break;
            case Op::divide:
                if (!a[1].is(Op::constant)) {
                    found.push_back({a[1], 0});
                }
                break;
            case Op::floor: found.push_back({a[0], 1, true}); break;
            case Op::sqrt:
            case Op::log: found.push_back({a[0], 2}); break;
            case Op::power:
                if (const auto n = whole_exponent(a[1]); !n || *n < 0) {
                    found.push_back({a[0], n ? 0 : 2});
                }
                break;
            case Op::hypot: found.push_back({a[0] * a[0] + a[1] * a[1], 2}); break;
            case Op::asin:
            case Op::acos: found.push_back({1 - a[0] * a[0], 2}); break;
            // The value jumps where y changes sign left of the origin.
            case Op::atan2: found.push_back({if_(less(a[1], 0), a[0], 1), 0}); break;
            // Between its points a table is a polynomial; a spline, too, has derivatives that jump there.
            case Op::interp:
                found.push_back(
                    {verbatim(Op::interp, std::array{a[0], a[1], Expression(piece_number)}), 1, true, to_string(e)});
                break;
            default: break;
        }
    }
    return found;
}

// What contains parameters alone is the same at all nodes, such as the choice of the directions across an axis.
void remove_constant(std::vector<FoundGuard>& found, std::span<const Expression> parameters) {
    std::erase_if(found, [&](const FoundGuard& guard) {
        return std::ranges::all_of(symbols_of(std::array{guard.value}), [&](const Expression& s) {
            return !is_turn_symbol(s) && std::ranges::find(parameters, s) != parameters.end();
        });
    });
}

}  // namespace

GuardWatch::GuardWatch(const Model& model) : unwatched_(model.external != nullptr) {
    const auto given = parameter_values<double>(model);
    for (const auto& term : model.potential) {
        add_term(term, given);
    }
    for (const auto& constraint : model.constraints) {
        add_term(constraint.term, given);
    }
    const auto whole = [&](const WholeExpression& e) { add_whole(model, e.value, given); };
    if (model.kinetic) {
        whole(*model.kinetic);
    }
    if (model.hamiltonian) {
        whole(*model.hamiltonian);
    }
    if (model.field) {
        std::ranges::for_each(model.field->q, whole);
        std::ranges::for_each(model.field->v, whole);
    }
    for (const auto& force : model.forces) {
        for (const auto& component : force.on) {
            whole(component.value);
        }
    }
    for (const auto& constraint : model.nonholonomic) {
        whole(constraint.equation);
    }
}

void GuardWatch::add_term(const Term& term, const ParameterValues<double>& given) {
    auto found = guards_of(term.formula.kernel);
    auto constant = given.symbols;
    for (const auto& parameter : term.formula.parameters) {
        constant.push_back(parameter.symbol);
    }
    remove_constant(found, constant);
    if (found.empty()) {
        return;
    }
    branches_ = branches_ || std::ranges::any_of(found, &FoundGuard::branch);
    watched_ += found.size() * term.formula.instances;
    if (watched_ > most_guards) {
        unwatched_ = true;
        return;
    }
    Set set;
    std::vector<Expression> inputs = term.slots, values;
    inputs.push_back(time_symbol());
    for (const auto& parameter : term.formula.parameters) {
        inputs.push_back(parameter.symbol);
    }
    for (const auto& guard : found) {
        set.guards.push_back({static_cast<Kind>(guard.kind), guard.text.empty() ? to_string(guard.value) : guard.text});
        values.push_back(guard.value);
    }
    set.tape = Tape<double>(compile(values, inputs, given.symbols), given.values);
    set.inputs = term.slots.size() + 1;
    set.parameters = term.formula.parameters.size();
    set.instances = term.formula.instances;
    set.table = instance_parameter_table(term.formula, given);
    for (std::size_t k = 0; k < set.instances; ++k) {
        const auto* row = term.indices.data() + k * term.slots.size();
        set.sources.insert(set.sources.end(), row, row + term.slots.size());
        set.sources.push_back(0xffffffff);
    }
    set.histories.resize(set.instances * set.guards.size());
    sets_.push_back(std::move(set));
}

void GuardWatch::add_whole(const Model& model, const Expression& formula, const ParameterValues<double>& given) {
    Set set;
    std::vector<Expression> inputs, values;
    auto found = guards_of(formula);
    remove_constant(found, given.symbols);
    for (const auto& guard : found) {
        branches_ = branches_ || guard.branch;
        set.guards.push_back({static_cast<Kind>(guard.kind), guard.text.empty() ? to_string(guard.value) : guard.text});
        values.push_back(guard.value);
    }
    if (values.empty()) {
        return;
    }
    using Origin = NodeFormula::Input::Kind;
    const auto d = static_cast<std::uint32_t>(model.dimension);
    for (const auto& s : symbols_of(values)) {
        if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
            continue;
        }
        const auto input = NodeFormula::find(model, s.text());
        if (!input || input->kind == Origin::multiplier || input->kind == Origin::turn) {
            unwatched_ = true;
            return;
        }
        inputs.push_back(s);
        const auto index = static_cast<std::uint32_t>(input->index);
        set.sources.push_back(input->kind == Origin::time       ? 0xffffffff
                              : input->kind == Origin::position ? index
                              : input->kind == Origin::velocity ? d + index
                                                                : 2 * d + index);
    }
    set.tape = Tape<double>(compile(values, inputs, given.symbols), given.values);
    set.inputs = inputs.size();
    set.histories.resize(set.guards.size());
    sets_.push_back(std::move(set));
}

// A square that touches zero is seen between nodes: the vertex of the parabola through three of its values is nearer to
// zero than a twentieth of what one step changes.
void GuardWatch::follow(Kind kind, double value, double t, History& history) {
    const double region = kind == Kind::whole ? std::floor(value) : (value > 0 ? 1.0 : (value < 0 ? -1.0 : 0.0));
    if (history.seen == 0) {
        history.region = region;
    }
    const double rise = (value - 2 * history.last + history.before) / 2;
    const bool at_minimum = history.seen >= 2 && history.last <= history.before && history.last <= value && rise > 0;
    const double slope = (value - history.before) / 4;
    const bool touched = kind == Kind::touch && at_minimum && history.last - slope * slope / rise < rise / 20;
    if (history.changed == std::numeric_limits<double>::infinity() &&
        (region != history.region || touched || std::isnan(value))) {
        history.changed = t;
    }
    history.before = history.last;
    history.last = value;
    ++history.seen;
}

void GuardWatch::see(const Node<double>& node, std::span<const double> v) {
    const std::size_t d = node.q.size();
    state_.assign(3 * d, 0);
    std::ranges::copy(node.q, state_.begin());
    std::ranges::copy(v, state_.begin() + static_cast<std::ptrdiff_t>(d));
    std::ranges::copy(node.p, state_.begin() + static_cast<std::ptrdiff_t>(2 * d));
    for (auto& set : sets_) {
        for (std::size_t k = 0; k < set.instances; ++k) {
            for (std::size_t i = 0; i < set.inputs; ++i) {
                const auto source = set.sources[k * set.inputs + i];
                set.tape.input(i) = source == 0xffffffff ? node.t : state_[source];
            }
            for (std::size_t i = 0; i < set.parameters; ++i) {
                set.tape.input(set.inputs + i) = set.table[k * set.parameters + i];
            }
            set.tape.run();
            for (std::size_t g = 0; g < set.guards.size(); ++g) {
                follow(set.guards[g].kind, set.tape.output(g), node.t, set.histories[k * set.guards.size() + g]);
            }
        }
    }
}

GuardWatch::Change GuardWatch::first_change_after(double time) const {
    Change first;
    for (const auto& set : sets_) {
        for (std::size_t k = 0; k < set.histories.size(); ++k) {
            const double changed = set.histories[k].changed;
            if (changed > time && changed < first.time) {
                const auto& text = set.guards[k % set.guards.size()].text;
                first = {changed, text.size() <= 40 ? text : "a condition in a formula"};
            }
        }
    }
    return first;
}

}  // namespace libration
