// Reading nodes and keeping maxima.
#include "monitor.hpp"
#include "model/carried.hpp"
#include "model/model_values.hpp"
#include "system/windings.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Measured<double> measured(const Sample& sample, const std::vector<double>& invariants) {
    return {sample.t, sample.energy, sample.constraint, sample.hidden, {sample.p, sample.v}, invariants};
}

}  // namespace

double kinetic_share(const Model& model) {
    if (model.field) {
        return none;
    }
    return model.hamiltonian ? 1 : 0.5;
}

std::optional<NodeFormula::Input> NodeFormula::find(const Model& given, const std::string& name) {
    const auto& model = given.with_all_rows();
    if (name == "t") {
        return Input{Input::Kind::time, 0};
    }
    for (std::size_t k = 0; k < model.windings.size(); ++k) {
        if (model.windings[k].reference.text() == name) {
            return Input{Input::Kind::turn, k};
        }
    }
    for (std::size_t k = 0; k < model.multipliers() && name.starts_with("lambda_"); ++k) {
        if (model.multiplier_name(k) == name) {
            return Input{Input::Kind::multiplier, k};
        }
    }
    // In a field with v, the state holds v in the place of p.
    const bool derived = name.starts_with("p_") || name.starts_with("v_");
    const bool momentum = name.starts_with("p_") || (derived && model.field && !model.field->v.empty());
    const auto kind = !derived ? Input::Kind::position : (momentum ? Input::Kind::momentum : Input::Kind::velocity);
    if (const auto k = model.coordinate_number(derived ? name.substr(2) : name)) {
        return Input{kind, *k};
    }
    return std::nullopt;
}

std::vector<NodeFormula::Input> NodeFormula::find_all(const Model& model, const Expression& formula,
                                                      std::span<const Expression> parameters, const std::string& what,
                                                      std::vector<Expression>& symbols) {
    std::vector<Input> inputs;
    for (const auto& s : symbols_of(std::array{formula})) {
        if (std::ranges::find(parameters, s) != parameters.end()) {
            continue;
        }
        const auto found = find(model, s.text());
        if (!found) {
            throw InputError(fmt::format("{} uses '{}', which the model does not have", what, s.text()));
        }
        symbols.push_back(s);
        inputs.push_back(*found);
    }
    return inputs;
}

NodeFormula::NodeFormula(const Model& model, const Expression& formula, const std::string& what) {
    const auto given = constant_parameters(model);
    std::vector<Expression> symbols;
    inputs_ = find_all(model, formula, given.symbols, what, symbols);
    needs_multipliers_ = std::ranges::find(inputs_, Input::Kind::multiplier, &Input::kind) != inputs_.end();
    tape_ = Tape<double>(compiled(given.programs.get(), std::array{formula}, symbols, given.symbols), given.values);
}

double NodeFormula::value(const Node<double>& node, std::span<const double> v, std::span<const double> lambda) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        tape_.input(i) = inputs_[i].of(node, v, lambda);
    }
    tape_.run();
    return tape_.output(0);
}

NodeReader::NodeReader(const Model& model, System<double>& system, Manifold<double>& manifold, double start_time,
                       const NodeReader* before)
    : system_(&system), manifold_(&manifold), v_(system.dimension()), lambda_(reaction_count(system)),
      rows_(system.constraints()), hidden_(reaction_count(system)) {
    if (model.carried) {
        whole_ = make_system<double>(model.carried->whole);
        whole_manifold_.emplace(*whole_);
        carried_ = carried_rows(model);
        carried_lambda_ = lambda_;
        const auto& whole = model.carried->whole;
        least_norm_.emplace(*whole_, *system_, model.carried->rows, rows_of_bodies(whole));
        wrenches_.emplace(whole, before != nullptr ? before->wrenches_->length()
                                                   : reaction_length(whole, *whole_, start_time));
        lambda_.resize(reaction_count(*whole_));
        rows_.resize(whole_->constraints());
        hidden_.resize(lambda_.size());
    }
    for (const auto& observable : model.observables) {
        observables_.push_back(
            {NodeFormula(model, observable.value, "the observable " + observable.name), observable.invariant});
        invariants_need_multipliers_ =
            invariants_need_multipliers_ || (observable.invariant && observables_.back().formula.needs_multipliers());
    }
    observable_values_.resize(observables_.size());
    invariants_.resize(static_cast<std::size_t>(std::ranges::count(observables_, true, &Watched::invariant)));
}

void NodeReader::read_residuals(const Node<double>& node) {
    auto& system = whole_ ? *whole_ : *system_;
    auto& manifold = whole_ ? *whole_manifold_ : *manifold_;
    system.constraint(node.t, node.q, node.q_low, rows_);
    manifold.hidden_residual_of(node.t, node.q, v_, hidden_);
}

void NodeReader::read_multipliers(const Node<double>& node) {
    manifold_->multipliers(node.t, node.q, node.p, whole_ ? carried_lambda_ : lambda_);
    for (std::size_t i = 0; i < carried_.size(); ++i) {
        lambda_[carried_[i]] = carried_lambda_[i];
    }
    if (least_norm_ && least_norm_->available()) {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            if (!std::ranges::binary_search(carried_, row)) {
                lambda_[row] = 0;
            }
        }
        least_norm_->set_state(node.t, node.q, node.p, wrenches_->at(node));
        least_norm_->distribute(std::span(lambda_).first(rows_.size()));
    }
}

Sample NodeReader::read(const Node<double>& node, std::int64_t step, bool complete) {
    // What an augmented system adds is internal.
    const std::size_t added = system_->properties().added, d = node.q.size() - added, m = rows_.size() - added;
    Sample sample;
    sample.step = step;
    sample.t = node.t;
    sample.q = node.q.first(d);
    sample.p = node.p.first(d);
    refer(node);
    sample.energy = system_->energy(node.t, node.q, node.p);
    system_->velocity(node.t, node.q, node.p, v_);
    sample.v = std::span(v_).first(d);
    if (!lambda_.empty()) {
        read_residuals(node);
        sample.constraint = largest_or_nan<double>(std::span(rows_).first(m));
        sample.hidden = largest_or_nan<double>(std::span(hidden_).first(hidden_.size() - added));
        if (complete || invariants_need_multipliers_) {
            read_multipliers(node);
        }
        sample.lambda = std::span(lambda_).first(lambda_.size() - added);
    }
    std::size_t invariant = 0;
    for (std::size_t k = 0; k < observables_.size(); ++k) {
        auto& [formula, conserved] = observables_[k];
        if (complete || conserved || k < node.turns.size()) {
            observable_values_[k] = formula.value(node, v_, lambda_);
        }
        if (conserved) {
            invariants_[invariant++] = observable_values_[k];
        }
    }
    sample.observables = observable_values_;
    return sample;
}

void NodeReader::refer(const Node<double>& node) {
    for (auto* system : {system_, whole_.get()}) {
        if (auto* windings = system != nullptr ? system->windings() : nullptr) {
            windings->refer_to(node.turns);
        }
    }
}

double NodeReader::evaluate(NodeFormula& formula, const Node<double>& node) {
    refer(node);
    system_->velocity(node.t, node.q, node.p, v_);
    if (formula.needs_multipliers()) {
        read_multipliers(node);
    }
    return formula.value(node, v_, lambda_);
}

Monitor::Monitor(const Model& model, std::size_t invariants, std::int64_t every)
    : totals_(kinetic_share(model), invariants), every_(every) {}

void Monitor::begin(const Sample& sample, const std::vector<double>& invariants) {
    totals_.begin(measured(sample, invariants));
    energy_errors_ = ThinnedSeries();
    if (every_ > 0 && !balanced_) {
        energy_errors_.add(0, {sample.t, 0});
    }
    remember(sample);
}

void Monitor::note_floors(double floors) {
    auto& most = totals_.total[Totals::floors];
    most = larger_or_nan(most, floors);
}

void Monitor::note_last_balance(double error) { balance_[0] = larger_or_nan(balance_[0], std::abs(error)); }

void Monitor::note_balance(double t, double error) {
    note_last_balance(error);
    if (energy_errors_.wants(balanced_nodes_)) {
        energy_errors_.add(balanced_nodes_, {t, error});
    }
    ++balanced_nodes_;
}

void Monitor::visit_balance(MemoryVisitor<double>& visitor) {
    visitor.array("balance", balance_);
    visitor.integer("balanced_nodes", balanced_nodes_);
}

void Monitor::remember(const Sample& sample) {
    if (compares_nodes()) {
        p_.resize(sample.p.size());
        v_.resize(sample.v.size());
        std::copy(sample.p.begin(), sample.p.end(), p_.begin());
        std::copy(sample.v.begin(), sample.v.end(), v_.begin());
        knows_node_before_ = true;
    }
}

void Monitor::follow(const Sample& sample) {
    keep_energy(every_ == 1 ? sample.step : sample.step / every_, sample.t, sample.energy);
    if (compares_nodes()) {
        totals_.follow({p_, v_}, measured(sample, {}));
        remember(sample);
    }
}

void Monitor::update(const Sample& sample, const std::vector<double>& invariants) {
    totals_.update(measured(sample, invariants));
}

void Monitor::arrive(std::int64_t n) {
    knows_node_before_ = false;
    keep_energy(n, totals_.node[0], totals_.node[1]);
}

void Monitor::keep_energy(std::int64_t n, double t, double energy) {
    if (!balanced_ && energy_errors_.wants(n)) {
        energy_errors_.add(n, {t, energy - totals_.total[Totals::initial_energy]});
    }
}

void Monitor::summarize(Run& run, const Sample& last, const std::vector<double>& invariants, const Model& model) const {
    const auto watched = [&run](double maximum) { return run.monitor > 0 ? maximum : none; };
    const auto& total = totals_.total;
    const auto& scale = totals_.scale;
    run.energy.initial = total[Totals::initial_energy];
    run.energy.final = last.energy;
    run.energy.final_error = std::abs(last.energy - run.energy.initial);
    run.energy.max_error = watched(total[Totals::energy_error]);
    run.balance.max_error = run.energy.changed_by == "no Hamiltonian"
                                ? none
                                : watched(run.energy.conserved ? total[Totals::energy_error] : balance_[0]);
    run.constraint.max = watched(total[Totals::constraint]);
    run.constraint.hidden_max = watched(total[Totals::hidden]);
    run.constraint.max_floors = total[Totals::floors];
    run.energy_scale = {watched(totals_.kinetic_share * scale[Totals::action]), watched(scale[Totals::potential_low]),
                        watched(scale[Totals::potential_high])};
    if (compares_nodes()) {
        const double change = scale[Totals::change];
        run.turn = change == 0 ? 0 : std::sqrt(change / scale[Totals::action]);
    }
    run.energy_history = {energy_errors_.t(), energy_errors_.values(), energy_errors_.stride()};
    std::size_t k = 0;
    for (const auto& observable : model.observables) {
        if (observable.invariant) {
            run.invariants.push_back(
                {observable.name, totals_.invariants_initial[k], invariants[k], watched(totals_.invariants_max[k])});
            ++k;
        }
    }
}

void Monitor::visit(MemoryVisitor<double>& visitor) {
    visitor.array("monitor", totals_.total);
    visitor.array("invariants_initial", totals_.invariants_initial);
    visitor.array("invariants_max", totals_.invariants_max);
    if (visitor.has("scale")) {
        visitor.array("scale", totals_.scale);
        energy_errors_.visit(visitor);
    } else {
        totals_.scale.fill(none);
        energy_errors_ = ThinnedSeries::never();
    }
}

void Monitor::visit_for_steps(MemoryVisitor<double>& visitor) {
    totals_.visit(visitor);
    visitor.array("p", p_);
}

}  // namespace libration
