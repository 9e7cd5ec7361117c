// Recording what Monitor does.
#include "monitored_step.hpp"

#include "manifold/manifold.hpp"
#include "model/carried.hpp"
#include "model/model_values.hpp"
#include "system/windings.hpp"
#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

std::vector<const Observable*> invariants_of(const Model& model) {
    std::vector<const Observable*> all;
    for (const auto& observable : model.observables) {
        if (observable.invariant) {
            all.push_back(&observable);
        }
    }
    return all;
}

bool needs_multipliers(const Model& model, const Observable& observable) {
    return NodeFormula(model, observable.value, "the observable " + observable.name).needs_multipliers();
}

Traced value_at(const Model& model, const Observable& observable, const Node<Traced>& node, std::span<const Traced> v) {
    auto given = parameter_values<Traced>(model);
    given.symbols.resize(given.symbols.size() - model.windings.size());  // these are inputs
    given.values.resize(given.symbols.size(), lit<Traced>(0));
    std::vector<Expression> symbols;
    const auto inputs = NodeFormula::find_all(model, observable.value, given.symbols, "an observable", symbols);
    Tape<Traced> tape(compiled(given.programs.get(), std::array{observable.value}, symbols, given.symbols),
                      given.values);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        tape.input(k) = inputs[k].of<Traced>(node, v, {});
    }
    tape.run();
    return tape.output(0);
}

// No addition waits for many others.
Traced sum_in_pairs(std::vector<Traced> values) {
    for (; values.size() > 1; values.resize((values.size() + 1) / 2)) {
        for (std::size_t k = 0; 2 * k < values.size(); ++k) {
            values[k] = 2 * k + 1 < values.size() ? values[2 * k] + values[2 * k + 1] : values[2 * k];
        }
    }
    return values[0];
}

}  // namespace

std::unique_ptr<MonitorInStep> MonitorInStep::make(const Model& model) {
    const auto invariants = invariants_of(model);
    if (!model.nonholonomic.empty() || model.singular_mass || model.external ||
        std::ranges::any_of(invariants, [&](const auto* invariant) { return needs_multipliers(model, *invariant); })) {
        return nullptr;
    }
    return std::unique_ptr<MonitorInStep>(new MonitorInStep(model, invariants.size()));
}

MonitorInStep::MonitorInStep(const Model& model, std::size_t invariants)
    : model_(&model), totals_(kinetic_share(model), invariants),
      p_(totals_.has_energy() ? model.dimension : 0, lit<Traced>(0)) {}

void MonitorInStep::visit(MemoryVisitor<Traced>& visitor) {
    totals_.visit(visitor);
    visitor.array("p", p_);
}

Traced MonitorInStep::watch(System<Traced>& system, const Node<Traced>& before, const Node<Traced>& after) {
    const auto whole = model_->carried ? make_system<Traced>(model_->carried->whole) : nullptr;
    auto& rows_of = whole ? *whole : system;
    // As runs look at the node where a step leads to: angles are counted from those of the node before.
    const Node<Traced> node{after.t, after.q, after.q_low, after.p, before.turns};
    for (auto* each : {&system, &rows_of}) {
        if (auto* windings = each->windings()) {
            windings->refer_to(before.turns);
        }
    }
    // Methods that compute the momenta of a node on demand would compute them twice.
    const bool remembered =
        p_.empty() || std::ranges::all_of(before.p, [](const Traced& p) { return p.expression.is(Op::symbol); });
    const auto p_before = remembered ? before.p : std::span<const Traced>(p_);
    std::vector<Traced> v_before(system.dimension(), lit<Traced>(0)), v(v_before);
    std::vector<Traced> rows(rows_of.constraints(), lit<Traced>(0)), hidden(rows);
    system.velocity(before.t, before.q, p_before, v_before);
    system.velocity(node.t, node.q, node.p, v);
    const auto energy = system.energy(node.t, node.q, node.p);
    rows_of.constraint(node.t, node.q, node.q_low, rows);
    Manifold<Traced>(rows_of).hidden_residual_of(node.t, node.q, v, hidden);
    std::vector<Traced> invariants;
    for (const auto* invariant : invariants_of(*model_)) {
        invariants.push_back(value_at(*model_, *invariant, node, v));
    }
    const Measured<Traced> at{node.t,      energy,    largest_or_nan<Traced>(rows), largest_or_nan<Traced>(hidden),
                              {node.p, v}, invariants};
    const Motion<Traced> motion_before{p_before, v_before};
    totals_.follow(motion_before, at);
    totals_.update(at);
    // Not finite if one of them is not.
    std::vector<Traced> all{energy};
    if (totals_.has_energy()) {
        all.push_back(inner_product<Traced>(node.p, v));
        all.push_back(product_of_changes(motion_before, at.motion));
    }
    for (const auto* values : {&rows, &hidden, &invariants}) {
        std::ranges::transform(*values, std::back_inserter(all), [](const Traced& value) { return absv(value); });
    }
    if (!remembered) {
        p_.assign(node.p.begin(), node.p.end());
    }
    const auto sum = sum_in_pairs(std::move(all));
    return select(equal(sum - sum, lit<Traced>(0)), lit<Traced>(1), lit<Traced>(0));
}

}  // namespace libration
