// Reading nodes and keeping maxima.
#include <libration/integrate/monitor.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace libration {

namespace {

double largest(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::isnan(value) ? value : std::max(most, std::abs(value));
    }
    return most;
}

// Keeps NaN: a monitor must not hide it.
double larger(double a, double b) { return std::isnan(b) || b > a ? b : a; }

}  // namespace

NodeReader::NodeReader(const Model& model, System<double>& system)
    : model_(&model), system_(&system), manifold_(system), v_(system.dimension()), lambda_(system.constraints()),
      g_(system.constraints()), hidden_(system.constraints()), G_(system.pattern().entries()) {
    if (model.observables.empty()) {
        return;
    }
    std::unordered_map<std::string, Input> known;
    known.emplace("t", Input{Input::Kind::time, 0});
    for (std::size_t k = 0; k < model.dimension; ++k) {
        const auto name = model.coordinate_name(k);
        known.emplace(name, Input{Input::Kind::position, k});
        known.emplace("p_" + name, Input{Input::Kind::momentum, k});
        known.emplace("v_" + name, Input{Input::Kind::velocity, k});
    }
    for (std::size_t k = 0; k < model.constraint_rows; ++k) {
        known.emplace(model.multiplier_name(k), Input{Input::Kind::multiplier, k});
    }
    const auto given = parameter_values<double>(model);
    for (const auto& observable : model.observables) {
        ObservableTape entry{{}, {}, observable.invariant, false};
        std::vector<Expression> inputs;
        for (const auto& s : symbols_of(std::array{observable.value})) {
            if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
                continue;
            }
            const auto found = known.find(s.text());
            if (found == known.end()) {
                throw InputError(fmt::format("the observable {} uses '{}', which the model does not have",
                                             observable.name, s.text()));
            }
            inputs.push_back(s);
            entry.inputs.push_back(found->second);
            entry.needs_multipliers = entry.needs_multipliers || found->second.kind == Input::Kind::multiplier;
        }
        entry.tape = Tape<double>(compile(std::array{observable.value}, inputs, given.symbols), given.values);
        invariants_need_multipliers_ = invariants_need_multipliers_ || (entry.invariant && entry.needs_multipliers);
        observables_.push_back(std::move(entry));
    }
    observable_values_.resize(observables_.size());
    invariants_.resize(static_cast<std::size_t>(std::ranges::count(observables_, true, &ObservableTape::invariant)));
}

Sample NodeReader::read(const Node<double>& node, std::int64_t step, bool complete) {
    Sample sample;
    sample.step = step;
    sample.t = node.t;
    sample.q = node.q;
    sample.p = node.p;
    sample.energy = system_->energy(node.t, node.q, node.p);
    system_->velocity(node.t, node.q, node.p, v_);
    sample.v = v_;
    if (!g_.empty()) {
        // g on the pair q + q_low, G v at q; one Jacobian serves both.
        system_->jacobian(node.t, node.q, G_);
        system_->constraint(node.t, node.q, g_);
        if (!node.q_low.empty()) {
            apply_jacobian<double>(system_->pattern(), G_, node.q_low, hidden_);
            for (std::size_t i = 0; i < g_.size(); ++i) {
                g_[i] += hidden_[i];
            }
        }
        apply_jacobian<double>(system_->pattern(), G_, v_, hidden_);
        sample.constraint = largest(g_);
        sample.hidden = largest(hidden_);
        if (complete || invariants_need_multipliers_) {
            manifold_.multipliers(node.t, node.q, node.p, lambda_);
        }
        sample.lambda = lambda_;
    }
    evaluate_observables(node, complete);
    sample.observables = observable_values_;
    return sample;
}

void NodeReader::evaluate_observables(const Node<double>& node, bool complete) {
    std::size_t invariant = 0;
    for (std::size_t k = 0; k < observables_.size(); ++k) {
        auto& observable = observables_[k];
        if (!complete && !observable.invariant) {
            continue;
        }
        for (std::size_t i = 0; i < observable.inputs.size(); ++i) {
            const auto [kind, index] = observable.inputs[i];
            switch (kind) {
                case Input::Kind::time: observable.tape.input(i) = node.t; break;
                case Input::Kind::position: observable.tape.input(i) = node.q[index]; break;
                case Input::Kind::momentum: observable.tape.input(i) = node.p[index]; break;
                case Input::Kind::velocity: observable.tape.input(i) = v_[index]; break;
                case Input::Kind::multiplier: observable.tape.input(i) = lambda_[index]; break;
            }
        }
        observable.tape.run();
        observable_values_[k] = observable.tape.output(0);
        if (observable.invariant) {
            invariants_[invariant++] = observable_values_[k];
        }
    }
}

void Monitor::begin(const Sample& sample, const std::vector<double>& invariants) {
    totals_ = {sample.energy, 0, sample.constraint, sample.hidden};
    invariants_initial_ = invariants;
    std::ranges::fill(invariants_max_, 0);
}

void Monitor::update(const Sample& sample, const std::vector<double>& invariants) {
    totals_[1] = larger(totals_[1], std::abs(sample.energy - totals_[0]));
    totals_[2] = larger(totals_[2], sample.constraint);
    totals_[3] = larger(totals_[3], sample.hidden);
    for (std::size_t k = 0; k < invariants.size(); ++k) {
        invariants_max_[k] = larger(invariants_max_[k], std::abs(invariants[k] - invariants_initial_[k]));
    }
}

void Monitor::summarize(Run& run, const Sample& last, const std::vector<double>& invariants, const Model& model) const {
    run.energy.initial = totals_[0];
    run.energy.final = last.energy;
    run.energy.final_error = std::abs(last.energy - totals_[0]);
    run.energy.max_error = totals_[1];
    run.constraint.max = totals_[2];
    run.constraint.hidden_max = totals_[3];
    std::size_t k = 0;
    for (const auto& observable : model.observables) {
        if (observable.invariant) {
            run.invariants.push_back({observable.name, invariants_initial_[k], invariants[k], invariants_max_[k]});
            ++k;
        }
    }
}

void Monitor::visit(MemoryVisitor<double>& visitor) {
    visitor.array("monitor", totals_);
    visitor.array("invariants_initial", invariants_initial_);
    visitor.array("invariants_max", invariants_max_);
}

}  // namespace libration
