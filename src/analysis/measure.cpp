// All measurements of one method on one model.
#include "measuring.hpp"

#include <libration/text/error.hpp>

namespace libration {

namespace {

// Of the model's own start: what a thousandth of a step cannot see and what a step must resolve.
double natural_step(const Model& model, System<double>& system, const StartState<double>& start) {
    if (model.run.step) {
        return 10 * std::abs(*model.run.step);
    }
    std::vector<double> v(start.q.size()), f(start.q.size());
    system.velocity(0, start.q, start.p, v);
    system.force_gradient(0, start.q, start.p, f);
    const auto ratio = [](std::span<const double> a, std::span<const double> b) {
        const double x = largest_of<double>(a), y = largest_of<double>(b);
        return x > 0 && y > 0 ? x / y : 1;
    };
    return std::min(ratio(start.q, v), ratio(start.p, f)) / 4;
}

void check_start(const Model& model, System<double>& system, const StartState<double>& start) {
    if (const auto fault = start_fault(model, system, start.q, start.p); !fault.empty()) {
        throw InputError(fault);
    }
}

}  // namespace

// A twentieth of the momenta that are there, in changing directions; from rest, what the forces give within half a step.
StartKick generic_kick(const Model& model, double step) {
    const auto system = make_system<double>(model);
    StartKick kick;
    if (!system->properties().partitioned) {
        return kick;
    }
    const auto start = start_state<double>(model, *system);
    std::vector<double> f(start.q.size());
    system->force_gradient(0, start.q, start.p, f);
    const double moving = largest_of<double>(start.p);
    const double size = moving > 0 ? moving / 20 : largest_of<double>(f) * step / 2;
    for (std::size_t j = 0; j < start.p.size(); ++j) {
        kick.momentum.push_back(size * std::sin(1.0 + 2.0 * static_cast<double>(j)));
    }
    return kick;
}

Measurement measure(const Method& method, const Model& model, const CertifyOptions& options) {
    const auto system = make_system<double>(model);
    const auto& properties = system->properties();
    if (const auto reason = unmet_needs(method, properties, system->constraints()); !reason.empty()) {
        throw InputError(reason);
    }
    const auto start = start_state<double>(model, *system);
    check_start(model, *system, start);
    Subject subject{&method, &model, options, {}, properties};
    auto& set = subject.options;
    set.step = set.step > 0 ? set.step : natural_step(model, *system, start);
    set.duration = set.exact ? set.exact->time : (set.duration > 0 ? set.duration : 8 * set.step);
    subject.kick = generic_kick(model, set.step);
    Measurement result;
    result.constrained = reaction_count(*system) > 0;
    result.separable = properties.separable;
    result.partitioned = properties.partitioned;
    result.hamiltonian = properties.hamiltonian;
    result.conservative = properties.conservative;
    measure_orders(subject, result);
    measure_symmetry(subject, result);
    if (properties.hamiltonian) {
        measure_symplecticity(subject, result);
    }
    measure_volume(subject, result);
    measure_long_run(subject, result);
    return result;
}

}  // namespace libration
