// Adaptive steps, examined one by one: their local error against TOL, and their reversibility. [Jay 1998,
// section 9]
#include "methods/good_step.hpp"
#include "reproduce/computations/list.hpp"

#include "integrate/start.hpp"
#include "methods/adaptive_stepper.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct Point {
    std::vector<double> q, p;
};

Point point_of(const Node<double>& node) { return {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}}; }

double largest_difference(std::span<const double> a, std::span<const double> b) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        largest = std::max(largest, std::abs(a[k] - b[k]));
    }
    return largest;
}

void take_steps(Stepper<double>& stepper, int steps) {
    for (int n = 0; n < steps; ++n) {
        if (!good_step(stepper.advance())) {
            throw InputError(fmt::format("step {} failed; try another initial step size or tolerance", n + 1));
        }
        stepper.accept();
    }
}

// As exact as doubles are: steps of the pair IIIA-IIIB of order 14.
Point exact_flow(System<double>& system, const Point& from, double time, int steps) {
    const auto stepper = make_stepper<double>(method("lobatto(8)"), system);
    stepper->start(0, from.q, from.p, time / steps);
    take_steps(*stepper, steps);
    return point_of(stepper->node());
}

AdaptiveStepper<double> chosen_stepper(System<double>& system, const ComputationArguments& arguments,
                                       double tolerance) {
    const auto chosen = method(arguments.text("method"));
    const AdaptiveOptions options{.control = control_named(arguments.text("kind", "reversible")),
                                  .tolerance = tolerance,
                                  .estimator = estimator_named(arguments.text("estimator", "symmetric"))};
    auto control = step_control(chosen, system.properties(), system.constraints(), options);
    return {system, make_map<double>(chosen, system), std::move(control)};
}

}  // namespace

// model, without explicit time; method; kind (default: reversible) and estimator (symmetric) as for runs; tolerance: of
// the library, one step each, which has err(h) = tolerance^((p~+1)/(p+1)); from: the time whose state it starts from;
// step: first guess. Numbers, one a tolerance: `error`, the largest of q and p after the step against the exact flow;
// `length` of the step.
Computed local_error(const ComputationArguments& arguments) {
    const auto model = Model::load(arguments.text("model"));
    const auto system = make_system<double>(model);
    const auto rest = start_state<double>(model, *system);
    const double from = arguments.number("from"), guess = arguments.number("step");
    if (!(from > 0 && from < 1e4 && guess > 0)) {
        throw InputError("'local-error' needs a time 'from' and an initial step size 'step', both positive");
    }
    const auto start = exact_flow(*system, {rest.q, rest.p}, from, static_cast<int>(std::ceil(20 * from)));
    Computed result;
    for (const double tolerance : arguments.numbers("tolerance")) {
        auto stepper = chosen_stepper(*system, arguments, tolerance);
        stepper.start(0.0, start.q, start.p, guess);
        take_steps(stepper, 1);
        const auto node = stepper.node();
        const auto exact = exact_flow(*system, start, node.t, 4);
        result.numbers["error"].push_back(
            std::max(largest_difference(node.q, exact.q), largest_difference(node.p, exact.p)));
        result.numbers["length"].push_back(node.t);
    }
    return result;
}

// model, method, kind, estimator, tolerance, step as above; steps: this many forward, and as many back, with the first
// guess of the step turned round. Numbers: `q` and `v`, the largest differences from the start; `there` and `back`, the
// times these ways take.
Computed way_back(const ComputationArguments& arguments) {
    const auto model = Model::load(arguments.text("model"));
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const double tolerance = arguments.number("tolerance");
    const int steps = arguments.integer("steps");
    if (steps < 1) {
        throw InputError("'way-back' needs at least one step");
    }
    auto there = chosen_stepper(*system, arguments, tolerance), back = chosen_stepper(*system, arguments, tolerance);
    there.start(0.0, start.q, start.p, arguments.number("step"));
    take_steps(there, steps);
    back.start(there.node(), -there.trial_step());
    take_steps(back, steps);
    const auto end = back.node();
    std::vector<double> v(start.q.size()), v_end(v);
    system->velocity(0, start.q, start.p, v);
    system->velocity(0, end.q, end.p, v_end);
    Computed result;
    result.numbers["q"] = {largest_difference(end.q, start.q)};
    result.numbers["v"] = {largest_difference(v_end, v)};
    result.numbers["there"] = {there.node().t};
    result.numbers["back"] = {there.node().t - end.t};
    return result;
}

}  // namespace libration
