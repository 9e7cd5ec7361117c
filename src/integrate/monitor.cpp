// Reading nodes and keeping maxima.
#include "monitor.hpp"
#include "model/carried.hpp"
#include "model/model_values.hpp"
#include "system/windings.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/kit/reduce.hpp>
#include <libration/kit/tuned.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

double largest_or_nan(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::isnan(value) ? value : std::max(most, std::abs(value));
    }
    return most;
}

// Keep NaN: a monitor must not hide it.
double larger(double a, double b) { return std::isnan(b) || b > a ? b : a; }
double smaller(double a, double b) { return std::isnan(b) || b < a ? b : a; }

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// T / (p v). Of a whole hamiltonian nothing says what T is: p v itself takes its place.
double kinetic_share(const Model& model) {
    if (model.field) {
        return none;
    }
    return model.hamiltonian ? 1 : 0.5;
}

double product(std::span<const double> p, std::span<const double> v) {
    double sum = 0;
    tuned<double>([&]() LIBRATION_TUNED {
        sum = sum_of<double>(p.size(), [&](std::size_t i) LIBRATION_TUNED { return p[i] * v[i]; });
    });
    return sum;
}

// (p - p_before) (v - v_before)
double product_of_changes(std::span<const double> p, std::span<const double> p_before, std::span<const double> v,
                          std::span<const double> v_before) {
    double sum = 0;
    tuned<double>([&]() LIBRATION_TUNED {
        sum = sum_of<double>(p.size(), [&](std::size_t i)
                                           LIBRATION_TUNED { return (p[i] - p_before[i]) * (v[i] - v_before[i]); });
    });
    return sum;
}

}  // namespace

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

double NodeFormula::Input::of(const Node<double>& node, std::span<const double> v,
                              std::span<const double> lambda) const {
    switch (kind) {
        case Kind::time: return node.t;
        case Kind::position: return node.q[index];
        case Kind::momentum: return node.p[index];
        case Kind::velocity: return v[index];
        case Kind::multiplier: return lambda[index];
        case Kind::turn: return node.turns[index];
    }
    return 0;
}

NodeFormula::NodeFormula(const Model& model, const Expression& formula, const std::string& what) {
    const auto given = constant_parameters(model);
    std::vector<Expression> symbols;
    for (const auto& s : symbols_of(std::array{formula})) {
        if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
            continue;
        }
        const auto found = find(model, s.text());
        if (!found) {
            throw InputError(fmt::format("{} uses '{}', which the model does not have", what, s.text()));
        }
        symbols.push_back(s);
        inputs_.push_back(*found);
        needs_multipliers_ = needs_multipliers_ || found->kind == Input::Kind::multiplier;
    }
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
    manifold.hidden_residual(node.t, node.q, node.p, hidden_);
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
        sample.constraint = largest_or_nan(std::span(rows_).first(m));
        sample.hidden = largest_or_nan(std::span(hidden_).first(hidden_.size() - added));
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
    : invariants_initial_(invariants), invariants_max_(invariants), kinetic_share_(kinetic_share(model)),
      every_(every) {}

void Monitor::begin(const Sample& sample, const std::vector<double>& invariants) {
    totals_ = {sample.energy, 0, sample.constraint, sample.hidden, totals_[4]};
    invariants_initial_ = invariants;
    std::ranges::fill(invariants_max_, 0);
    const double action = product(sample.p, sample.v), potential = sample.energy - kinetic_share_ * action;
    scale_ = {std::abs(action), 0, potential, potential};
    energy_errors_ = ThinnedSeries();
    if (every_ > 0 && !balanced_) {
        energy_errors_.add(0, {sample.t, 0});
    }
    remember(sample);
}

void Monitor::note_floors(double floors) { totals_[4] = larger(totals_[4], floors); }

void Monitor::note_last_balance(double error) { balance_[0] = larger(balance_[0], std::abs(error)); }

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
        p_.assign(sample.p.begin(), sample.p.end());
        v_.assign(sample.v.begin(), sample.v.end());
    }
}

void Monitor::follow(const Sample& sample) {
    if (const std::int64_t n = sample.step / every_; !balanced_ && energy_errors_.wants(n)) {
        energy_errors_.add(n, {sample.t, sample.energy - totals_[0]});
    }
    if (compares_nodes()) {
        scale_[1] = larger(scale_[1], std::abs(product_of_changes(sample.p, p_, sample.v, v_)));
        std::ranges::copy(sample.p, p_.begin());
        std::ranges::copy(sample.v, v_.begin());
    }
}

void Monitor::update(const Sample& sample, const std::vector<double>& invariants) {
    totals_[1] = larger(totals_[1], std::abs(sample.energy - totals_[0]));
    totals_[2] = larger(totals_[2], sample.constraint);
    totals_[3] = larger(totals_[3], sample.hidden);
    const double action = product(sample.p, sample.v), potential = sample.energy - kinetic_share_ * action;
    scale_ = {larger(scale_[0], std::abs(action)), scale_[1], smaller(scale_[2], potential),
              larger(scale_[3], potential)};
    for (std::size_t k = 0; k < invariants.size(); ++k) {
        invariants_max_[k] = larger(invariants_max_[k], std::abs(invariants[k] - invariants_initial_[k]));
    }
}

void Monitor::summarize(Run& run, const Sample& last, const std::vector<double>& invariants, const Model& model) const {
    const auto watched = [&run](double maximum) { return run.monitor > 0 ? maximum : none; };
    run.energy.initial = totals_[0];
    run.energy.final = last.energy;
    run.energy.final_error = std::abs(last.energy - totals_[0]);
    run.energy.max_error = watched(totals_[1]);
    run.balance.max_error = run.energy.changed_by == "no Hamiltonian" ? std::numeric_limits<double>::quiet_NaN()
                                        : watched(run.energy.conserved ? totals_[1] : balance_[0]);
    run.constraint.max = watched(totals_[2]);
    run.constraint.hidden_max = watched(totals_[3]);
    run.constraint.max_floors = totals_[4];
    run.energy_scale = {watched(kinetic_share_ * scale_[0]), watched(scale_[2]), watched(scale_[3])};
    if (compares_nodes() && !std::isnan(kinetic_share_)) {
        run.turn = scale_[1] == 0 ? 0 : std::sqrt(scale_[1] / scale_[0]);
    }
    run.energy_history = {energy_errors_.t(), energy_errors_.values(), energy_errors_.stride()};
    std::size_t k = 0;
    for (const auto& observable : model.observables) {
        if (observable.invariant) {
            run.invariants.push_back(
                {observable.name, invariants_initial_[k], invariants[k], watched(invariants_max_[k])});
            ++k;
        }
    }
}

void Monitor::visit(MemoryVisitor<double>& visitor) {
    visitor.array("monitor", totals_);
    visitor.array("invariants_initial", invariants_initial_);
    visitor.array("invariants_max", invariants_max_);
    if (visitor.has("scale")) {
        visitor.array("scale", scale_);
        energy_errors_.visit(visitor);
    } else {
        scale_.fill(none);
        energy_errors_ = ThinnedSeries::never();
    }
}

}  // namespace libration
