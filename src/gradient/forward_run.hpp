// Forward mode: tangents of a whole run along some unknowns at a time, with any method.
#pragma once

#include "directions.hpp"
#include "loss.hpp"

#include "methods/good_step.hpp"
#include <libration/integrate/run.hpp>
#include <libration/kit/method_record.hpp>

namespace libration {

// A step that dual numbers could not make; a double could.
struct TangentFailure {
    std::int64_t step = 0;
    double t = 0;
    std::string message;
};

// Asked to stop.
struct GradientStopped {};

// What a run of tangents is made of.
struct TangentTask {
    const Model* model;
    const Method* method;
    const Loss* loss;
    StartPoint start;
    double step = 0;
    std::int64_t steps = 0;
    const StopSignal* stop = nullptr;
    // Add a generic tangent to all others, and subtract what it did in the end: a tangent that vanishes has no size by
    // which its rounding could be judged, and iterations do not end.
    bool mixed = false;
};

// The loss as a dual number: its derivatives along the unknowns.
template <class T>
struct ForwardResult {
    Dual<T> loss;
    double growth = 1;  // of the generic direction, if there was room for one
    std::optional<TangentFailure> failure;
};

// One step; nothing, or why it failed.
template <class S>
std::optional<TangentFailure> tangent_step(Stepper<S>& stepper, std::int64_t number, double t, const StopSignal* stop) {
    if (stop != nullptr && stop->requested()) {
        throw GradientStopped{};
    }
    const auto report = stepper.advance();
    if (!good_step(report)) {
        return TangentFailure{number, t, "the tangents of this step could not be computed; a smaller step may help"};
    }
    stepper.accept();
    return std::nullopt;
}

template <class T>
double tangent_size(std::span<const Dual<T>> q, std::span<const Dual<T>> p, std::size_t lane) {
    double sum = 0;
    for (std::size_t j = 0; j < q.size(); ++j) {
        const double x = to_double(q[j].tangent[lane]), y = to_double(p[j].tangent[lane]);
        sum += x * x + y * y;
    }
    return std::sqrt(sum);
}

template <class T>
ForwardResult<T> run_forward(const TangentTask& task, std::span<const Unknown> unknowns) {
    using S = Dual<T>;
    auto along = start_directions<T>(*task.model, unknowns, task.start);
    auto& system = *along.system;
    constexpr std::size_t spare = dual_width - 1;
    const bool measures = unknowns.size() <= spare;
    if (measures) {
        set_generic_direction<T>(system, from_double<T>(task.start.t), along.q, along.p, spare);
    }
    const double first = tangent_size<T>(along.q, along.p, spare);
    std::array<double, dual_width> share{};  // of the generic tangent in the others
    for (std::size_t k = 0; k < unknowns.size() && measures && task.mixed; ++k) {
        share[k] = 1 / direction_detail::unit_of<T>(along.given, unknowns[k]);
        for (auto* x : {&along.q, &along.p}) {
            for (auto& value : *x) {
                value.tangent[k] = value.tangent[k] + from_double<T>(share[k]) * value.tangent[spare];
            }
        }
    }
    ForwardResult<T> result;
    const auto stepper = make_stepper<S>(*task.method, system);
    stepper->start(from_double<S>(task.start.t), along.q, along.p, from_double<S>(task.step));
    const std::int64_t ahead = task.steps > 0 ? task.method->lag() : 0;
    for (std::int64_t n = 0; n < task.steps + ahead; ++n) {
        const double t = task.start.t + static_cast<double>(n + 1) * task.step;
        if (auto failure = tangent_step(*stepper, n + 1, t, task.stop)) {
            result.failure = std::move(failure);
            return result;
        }
        if (measures) {
            const auto node = stepper->node();
            result.growth = std::max(result.growth, tangent_size<T>(node.q, node.p, spare) / first);
        }
    }
    const auto node = stepper->node();
    LossReader<S> reader(*task.loss, system, along.given);
    reader.read(node.t, node.q, node.p);
    result.loss = reader.value();
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        result.loss.tangent[k] =
            result.loss.tangent[k] - from_double<T>(share[k]) * (measures ? result.loss.tangent[spare] : lit<T>(0));
    }
    return result;
}

}  // namespace libration
