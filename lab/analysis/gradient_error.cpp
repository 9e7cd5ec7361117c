// The backward gradient in double against forward tangents in quadruple precision, which share the steps and nothing
// else with it: by parameters and initial values, of a loss in which nothing is special.
//
// Round-off: the values of n steps there and the tangents of n steps back make some ten roundings each, in each of d
// coordinates, and the growth k of a disturbance enlarges them: 20 (2 n) d k eps, relative to the largest derivative
// by a change of the unknown of its own size. What stiff terms add is seen in forward tangents in double, too.
#include "largest_step.hpp"

#include "gradient/backward_run.hpp"
#include "gradient/obstacle.hpp"

#include <libration/text/error.hpp>

namespace libration {

namespace {

constexpr std::int64_t gradient_steps = 8, steps_between_nodes = 4;
// After more growth than this round-off is not far enough below the gradient.
constexpr double most_growth = 1e3;
// Forward tangents in quadruple precision are slow: one run for parameters, one for initial values.
constexpr std::size_t most_parameters = dual_width, most_positions = dual_width / 2;

// At most so many, from the first to near the last.
std::vector<Unknown> spread_out(const std::vector<Unknown>& all, std::size_t most) {
    std::vector<Unknown> some;
    const std::size_t number = std::min(all.size(), most);
    for (std::size_t k = 0; k < number; ++k) {
        some.push_back(all[k * all.size() / number]);
    }
    return some;
}

// Those by which the gradient is taken: parameters first.
std::vector<Unknown> unknowns_to_measure(const Model& model) {
    std::vector<Unknown> parameters, positions, momenta;
    try {
        parameters = unknowns_of(model, {});
    } catch (const InputError&) {  // there are none
    }
    for (std::size_t j = 0; j < model.dimension; ++j) {
        const auto name = model.coordinate_name(j);
        positions.push_back({name, Unknown::Kind::position, j});
        momenta.push_back({"p_" + name, Unknown::Kind::momentum, j});
    }
    auto chosen = spread_out(parameters, most_parameters);
    for (const auto& all : {positions, momenta}) {
        std::ranges::copy(spread_out(all, most_positions), std::back_inserter(chosen));
    }
    return chosen;
}

double size_or_one(double size) { return size > 0 ? size : 1; }

class GradientMeasurement {
  public:
    GradientMeasurement(const Subject& subject, const std::vector<Unknown>& unknowns, const ExtendedModel& extended)
        : subject_(&subject), model_(subject.model), unknowns_(&unknowns), extended_(&extended),
          inverse_(inverse_of(*subject.method, extended)), system_(make_system<double>(*model_)),
          start_(kicked_start<double>(*model_, *system_, {})), q_size_(size_or_one(largest_of<double>(start_.q))),
          p_size_(size_or_one(largest_of<double>(start_.p))), loss_(read_loss(*model_, generic_loss())) {}

    Defect attempt(double h, const Defect& symplecticity) {
        Defect defect;
        const auto growth = tangent_growth(*subject_, h, gradient_steps, defect.failure);
        const auto states = growth ? walk_along(h, defect.failure) : std::vector<RunState>{};
        if (states.empty()) {
            return defect;
        }
        const auto& end = states.back();
        auto readings = node_reading({.step = end.step, .t = end.t, .q = end.q, .p = end.p});
        auto task = task_of(h, states.front());
        task.readings = &readings;
        const auto back = backward(task, states);
        if (back.failure) {
            defect.failure = back.failure->message;
            return defect;
        }
        const double enlarged = std::max({growth->q, growth->p, back.growth});
        const auto exact = forward<Fine>(task, defect.failure);
        if (exact.empty() || !(enlarged < most_growth)) {
            if (!exact.empty()) {
                defect.failure = fmt::format("steps of size {:.3g} amplify perturbations by {:.1e}", h, enlarged);
                defect.undecidable = true;
            }
            return defect;
        }
        const double roundings = roundings_a_step * 2 * gradient_steps * static_cast<double>(model_->dimension);
        defect = {
            true, difference(back.derivatives, exact), roundings * enlarged * epsilon<double>(), h, gradient_steps, {}};
        if (!defect.is_round_off()) {
            const auto rounded = forward<double>(task, defect.failure);
            defect.tolerance = std::max(defect.tolerance, rounded.empty() ? 0 : 100 * difference(rounded, exact));
        }
        defect.visible = h == symplecticity.h ? symplecticity.visible : visible_error(*subject_, h, gradient_steps);
        return defect;
    }

  private:
    // Of all q and p, each counted by its size.
    [[nodiscard]] std::string generic_loss() const {
        std::string text = "0";
        for (std::size_t j = 0; j < model_->dimension; ++j) {
            const auto name = model_->coordinate_name(j);
            const auto number = static_cast<double>(j);
            text += fmt::format(" + ({:.17g})*{} + ({:.17g})*p_{}", std::cos(1 + 2 * number) / q_size_, name,
                                std::sin(2 + 3 * number) / p_size_, name);
        }
        return text;
    }

    std::vector<RunState> walk_along(double h, std::string& failure) {
        const std::size_t d = model_->dimension;
        std::vector<RunState> states;
        Walk<double> walk(*subject_->method, *subject_->model, *system_);
        bool alive = walk.begin(0, start_.q, start_.p, h);
        for (std::int64_t n = 0; alive; n += steps_between_nodes) {
            const auto node = walk.node();
            const auto q = node.q.first(d), p = node.p.first(d);
            states.push_back({n, node.t, {q.begin(), q.end()}, {p.begin(), p.end()}});
            if (n == gradient_steps) {
                return states;
            }
            alive = walk.go(steps_between_nodes);
        }
        failure = walk.failure();
        return {};
    }

    [[nodiscard]] TangentTask task_of(double h, const RunState& first) const {
        return {.model = model_,
                .method = subject_->method,
                .loss = &loss_,
                .start = {first.t, first.q, first.p, true},
                .sequence = {first.t, h},
                .steps = gradient_steps};
    }

    BackwardResult backward(TangentTask task, const std::vector<RunState>& states) {
        auto result = run_backward(task, inverse_, *extended_, states, *unknowns_);
        if (result.failure) {
            task.mixed = true;
            result = run_backward(task, inverse_, *extended_, states, *unknowns_);
        }
        return result;
    }

    // In the order of the unknowns, which are in groups of parameters first; empty after a failure.
    template <class T>
    std::vector<double> forward(const TangentTask& task, std::string& failure) {
        std::vector<double> slopes;
        for (const auto& group : grouped(*unknowns_, task.mixed ? dual_width - 1 : dual_width)) {
            Interruptible::check();
            const auto along = run_forward<T>(task, group);
            if (along.failure && !task.mixed) {
                auto mixed = task;
                mixed.mixed = true;
                return forward<T>(mixed, failure);
            }
            if (along.failure) {
                failure = along.failure->message;
                return {};
            }
            for (std::size_t k = 0; k < group.size(); ++k) {
                slopes.push_back(to_double(along.loss.tangent[k]));
            }
        }
        return slopes;
    }

    [[nodiscard]] double difference(const std::vector<double>& slopes, const std::vector<double>& exact) const {
        double apart = 0, largest = 0;
        for (std::size_t k = 0; k < exact.size(); ++k) {
            const double unit = unit_of((*unknowns_)[k]);
            const double off = std::abs(slopes[k] - exact[k]) * unit;
            apart = std::isnan(off) ? off : std::max(apart, off);
            largest = std::max(largest, std::abs(exact[k]) * unit);
        }
        return apart / size_or_one(largest);
    }

    // A change that counts.
    [[nodiscard]] double unit_of(const Unknown& unknown) const {
        if (unknown.kind != Unknown::Kind::parameter) {
            return unknown.kind == Unknown::Kind::position ? q_size_ : p_size_;
        }
        const auto given = parameter_values<double>(*model_);
        const auto found = std::ranges::find(given.symbols, symbol(unknown.name));
        return size_or_one(std::abs(given.values[static_cast<std::size_t>(found - given.symbols.begin())]));
    }

    const Subject* subject_;
    const Model* model_;
    const std::vector<Unknown>* unknowns_;
    const ExtendedModel* extended_;
    Method inverse_;
    std::unique_ptr<System<double>> system_;
    StartState<double> start_;
    double q_size_, p_size_;
    Loss loss_;
};

}  // namespace

// With the step with which symplecticity was measured, or smaller ones.
void measure_gradient(const Subject& subject, Measurement& result) {
    const auto unknowns = unknowns_to_measure(*subject.model);
    const auto extended = extended_model(*subject.model, unknowns);
    result.why_forward = obstacle(*subject.method, extended);
    if (!result.why_forward.empty()) {
        return;
    }
    const auto& symplecticity = result.symplecticity;
    if (!symplecticity.measured || !can_be_made<Dual<double>>(*subject.method) ||
        !can_be_made<Dual<Fine>>(*subject.method)) {
        result.gradient =
            Defect{.failure = symplecticity.failure.empty() ? "there are no tangents in quadruple precision"
                                                            : symplecticity.failure,
                   .undecidable = symplecticity.undecidable || symplecticity.measured};
        return;
    }
    GradientMeasurement measurement(subject, unknowns, extended);
    result.gradient =
        with_largest_step(subject, symplecticity.h, [&](double h) { return measurement.attempt(h, symplecticity); });
}

}  // namespace libration
