// Recording what Monitor does.
#include "monitored_step.hpp"

#include "manifold/manifold.hpp"
#include "model/model_values.hpp"

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
    const auto given = parameter_values<Traced>(model);
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

}  // namespace

std::unique_ptr<MonitorInStep> MonitorInStep::make(const Model& model) {
    const auto invariants = invariants_of(model);
    if (!model.windings.empty() || model.carried || !model.nonholonomic.empty() || model.singular_mass ||
        model.external ||
        std::ranges::any_of(invariants, [&](const auto* invariant) { return needs_multipliers(model, *invariant); })) {
        return nullptr;
    }
    return std::unique_ptr<MonitorInStep>(new MonitorInStep(model, invariants.size()));
}

MonitorInStep::MonitorInStep(const Model& model, std::size_t invariants)
    : model_(&model), totals_(kinetic_share(model), invariants), p_(model.dimension, lit<Traced>(0)) {}

void MonitorInStep::visit(MemoryVisitor<Traced>& visitor) {
    totals_.visit(visitor);
    visitor.array("p", p_);
}

Traced MonitorInStep::watch(System<Traced>& system, const Node<Traced>& before, const Node<Traced>& after) {
    const std::size_t d = system.dimension(), m = system.constraints();
    // Methods that compute the momenta of a node on demand would compute them twice.
    const bool remembered = std::ranges::all_of(before.p, [](const Traced& p) { return p.expression.is(Op::symbol); });
    const auto p_before = remembered ? before.p : std::span<const Traced>(p_);
    std::vector<Traced> v_before(d, lit<Traced>(0)), v(v_before), rows(m, lit<Traced>(0)), hidden(rows);
    system.velocity(before.t, before.q, p_before, v_before);
    system.velocity(after.t, after.q, after.p, v);
    const auto energy = system.energy(after.t, after.q, after.p);
    system.constraint(after.t, after.q, after.q_low, rows);
    Manifold<Traced>(system).hidden_residual(after.t, after.q, after.p, hidden);
    std::vector<Traced> invariants;
    for (const auto* invariant : invariants_of(*model_)) {
        invariants.push_back(value_at(*model_, *invariant, after, v));
    }
    const Measured<Traced> at{after.t,      energy,    largest_or_nan<Traced>(rows), largest_or_nan<Traced>(hidden),
                              {after.p, v}, invariants};
    totals_.follow({p_before, v_before}, at);
    totals_.update(at);
    if (!remembered) {
        p_.assign(after.p.begin(), after.p.end());
    }
    return select(equal(energy - energy, lit<Traced>(0)), lit<Traced>(1), lit<Traced>(0));
}

}  // namespace libration
