// All measurements of one method on one model.
#include "integrate/projected_start.hpp"
#include "integrate/redundancy.hpp"
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

// A twentieth of the momenta that are there, in changing directions; from rest, what the forces give within half a
// step. Where masses differ by more than these twenty, of the velocities: the momentum of a heavy mass would throw a
// light one out of the model.
StartKick generic_kick(const Model& model, double step) {
    const auto system = make_system<double>(model);
    StartKick kick;
    if (!system->properties().partitioned) {
        return kick;
    }
    const auto start = start_state<double>(model, *system);
    std::vector<double> f(start.q.size());
    system->force_gradient(0, start.q, start.p, f);
    const auto inverse = system->inverse_masses();
    std::vector<double> mass(start.q.size(), 1.0), v(start.q.size());
    const auto [heavy, light] = std::ranges::minmax_element(inverse);
    if (!inverse.empty() && *light > 20 * *heavy) {
        for (std::size_t j = 0; j < v.size(); ++j) {
            mass[j] = 1 / inverse[j];
            f[j] *= inverse[j];
            v[j] = start.p[j] * inverse[j];
        }
    } else {
        v = start.p;
    }
    const double moving = largest_of<double>(v);
    const double size = moving > 0 ? moving / 20 : largest_of<double>(f) * step / 2;
    for (std::size_t j = 0; j < start.p.size(); ++j) {
        kick.momentum.push_back(mass[j] * size * std::sin(1.0 + 2.0 * static_cast<double>(j)));
    }
    return kick;
}

// What is claimed does not depend on how the start was found.
Measurement measure(const Method& method, const Model& given, const CertifyOptions& options) {
    const Model model = carrying(options.project ? with_projected_start(given).model : with_assembled_start(given, 0));
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
    subject.kick = generic_kick(model, set.step);
    Measurement result;
    const auto slope = field_slope(subject);
    subject.rate = fastest_rate(subject, {});
    result.linear = slope.linear;
    result.flat_constraints = slope.flat_constraints;
    choose_window(subject, result);
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
    measure_gradient(subject, result);
    measure_volume(subject, result);
    measure_long_run(subject, result);
    return result;
}

}  // namespace libration
