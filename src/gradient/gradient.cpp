// Run, choose the mode, differentiate, judge.
#include <libration/gradient/gradient.hpp>

#include "backward_run.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>

#include <algorithm>
#include <chrono>

namespace libration {

namespace {

// The tangents of a backward run follow stored states: one each so many steps, and not more than `most_states`.
constexpr std::int64_t steps_between_states = 100, most_states = 10'000;

// A generic pair of tangents keeps omega to rounding times growth; a method that is not symplectic does not. Much more
// than rounding, because stiff terms enlarge it inside of a step, and far less than anybody would notice in a gradient.
constexpr double largest_defect = 1e-10;

class StateKeeper final : public Observer {
  public:
    void see(const Sample& sample) override {
        states.push_back(
            {sample.step, sample.t, {sample.q.begin(), sample.q.end()}, {sample.p.begin(), sample.p.end()}});
    }
    std::vector<RunState> states;
};

void require_equal_steps(const Model& model, const IntegrationOptions& options) {
    if (options.adaptive) {
        throw InputError({.argument = "adaptive",
                          .problem = "gradients are known of steps of equal length only",
                          .remedy = "omit `adaptive`, and give a `step`"});
    }
    const auto ends = [](const Event& event) { return event.terminal; };
    if (std::ranges::any_of(options.events, ends) || std::ranges::any_of(model.events, ends) ||
        !options.stop_if.empty()) {
        throw InputError("the run may end at an event or a condition; gradients are known at the end of a given "
                         "number of steps only: remove terminal events and `stop_if`");
    }
}

// Why there is no backward run; empty: there is one.
std::string obstacle(const Method& method, const ExtendedModel& extended) {
    if (!extended.obstacle.empty()) {
        return extended.obstacle;
    }
    const auto system = make_system<double>(extended.model);
    const auto claims = method.claims(system->properties(), system->constraints());
    if (claims.symplectic != true || claims.diverges) {
        return fmt::format("{} is not symplectic on this model", method.name());
    }
    if (!method.is_map()) {
        return fmt::format("{} is not a one-step method", method.name());
    }
    if (!claims.symmetric && method.record().adjoint == nullptr) {
        return fmt::format("{} is not symmetric and its adjoint is not known", method.name());
    }
    if (!unmet_needs(method, system->properties(), system->constraints()).empty()) {
        return fmt::format("{} cannot run the model with parameters as coordinates", method.name());
    }
    return {};
}

// The inverse of a step, with the opposite step.
Method inverse_of(const Method& chosen, const ExtendedModel& extended) {
    const auto system = make_system<double>(extended.model);
    return chosen.claims(system->properties(), system->constraints()).symmetric
               ? chosen
               : method(chosen.record().adjoint(chosen.spec()), Doubts::accept);
}

std::vector<std::string> parameter_names(const std::vector<Unknown>& unknowns) {
    std::vector<std::string> names;
    for (const auto& unknown : unknowns) {
        if (unknown.kind == Unknown::Kind::parameter) {
            names.push_back(unknown.name);
        }
    }
    return names;
}

RunFailure failure_of(const TangentFailure& failure) {
    return {.step = failure.step, .t = failure.t, .kind = "gradient", .message = failure.message};
}

class GradientTask {
  public:
    GradientTask(const Model& model, const Method& method, const GradientOptions& options)
        : model_(&model), method_(&method), options_(&options), unknowns_(unknowns_of(model, options.by)),
          loss_(read_loss(model, options.loss)) {
        require_equal_steps(model, options.run);
        result_.model = model.name;
        result_.method = method.name();
        result_.step = options.run.step;
    }

    Gradient made() {
        const auto started = Clock::now();
        if (run()) {
            differentiate();
            judge();
        }
        result_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
        return std::move(result_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    bool run() {
        auto options = options_->run;
        options.steps = count_steps(options);
        options.duration.reset();
        options.monitor = 0;
        options.at.clear();
        options.every = std::max(steps_between_states, *options.steps / most_states + 1);
        result_.stored_every = options.every;
        Integration integration(*model_, *method_, options);
        StateKeeper keeper;
        integration.observe(keeper, Integration::Look::states);
        if (options_->stop != nullptr) {
            integration.stop_on(*options_->stop);
        }
        auto outcome = integration.run();
        result_.steps = outcome.steps;
        result_.run_seconds = outcome.seconds;
        result_.warnings = std::move(outcome.warnings);
        result_.failure = std::move(outcome.failure);
        if (outcome.status == RunStatus::stopped) {
            throw GradientStopped{};
        }
        states_ = std::move(keeper.states);
        if (result_.failure) {
            return false;
        }
        const auto& end = states_.back();
        const auto system = make_system<double>(*model_);
        std::vector<double> q = end.q, p = end.p;
        q.resize(system->dimension());
        p.resize(system->dimension());
        require_differentiable(loss_, *model_, *system, {end.t, q, {}, p});
        const auto given = parameter_values<double>(*model_);
        LossReader<double> reader(loss_, *system, given);
        reader.read(end.t, q, p);
        result_.loss = reader.value();
        if (!std::isfinite(result_.loss)) {
            throw InputError({.argument = "loss",
                              .value = options_->loss,
                              .problem = fmt::format("it is {} at the end of the run", result_.loss)});
        }
        return true;
    }

    void differentiate() {
        const auto& start = states_.front();
        const TangentTask task{.model = model_,
                               .method = method_,
                               .loss = &loss_,
                               .start = {start.t, start.q, start.p, options_->run.project},
                               .step = options_->run.step,
                               .steps = result_.steps,
                               .stop = options_->stop};
        result_.mode = options_->mode;
        if (options_->mode != GradientMode::forward) {
            const auto names = parameter_names(unknowns_);
            const auto extended = extended_model(*model_, names);
            const auto why_not = obstacle(*method_, extended);
            if (why_not.empty()) {
                go_backward(task, extended);
                if (!result_.failure || options_->mode == GradientMode::backward) {
                    return;
                }
                result_.why_forward = result_.failure->message;
                result_.failure.reset();
                result_.derivatives.clear();
            } else if (options_->mode == GradientMode::backward) {
                throw InputError({.argument = "mode",
                                  .value = "backward",
                                  .problem = "there is no backward run, because " + why_not,
                                  .remedy = "use `mode = forward`"});
            } else {
                result_.why_forward = why_not;
            }
        }
        go_forward(task);
    }

    void go_backward(const TangentTask& task, const ExtendedModel& extended) {
        result_.mode = GradientMode::backward;
        const auto inverse = inverse_of(*method_, extended);
        auto back = run_backward(task, inverse, extended, states_, unknowns_);
        if (back.failure) {
            auto mixed = task;
            mixed.mixed = true;
            back = run_backward(mixed, inverse, extended, states_, unknowns_);
        }
        result_.tangent_growth = back.growth;
        defect_ = back.defect;
        if (back.failure) {
            result_.failure = failure_of(*back.failure);
            return;
        }
        for (std::size_t k = 0; k < unknowns_.size(); ++k) {
            result_.derivatives.push_back({unknowns_[k].name, back.derivatives[k]});
        }
        if (!(back.defect <= largest_defect * back.growth)) {
            result_.failure = RunFailure{
                .step = 0,
                .t = states_.front().t,
                .kind = "gradient",
                .message = fmt::format("the steps of {} do not keep the symplectic form, it changes by {:.1e}",
                                       method_->name(), back.defect)};
        }
    }

    void go_forward(const TangentTask& task) {
        result_.mode = GradientMode::forward;
        result_.tangent_growth = 1;
        defect_ = 0;
        auto groups = grouped(unknowns_, dual_width);
        if (task.mixed || std::ranges::all_of(groups, [](const auto& group) { return group.size() == dual_width; })) {
            groups = grouped(unknowns_, dual_width - 1);  // one or all must have room for a generic tangent
        }
        result_.derivatives.resize(unknowns_.size());
        for (const auto& group : groups) {
            const auto along = run_forward<double>(task, group);
            if (along.failure && !task.mixed) {
                auto mixed = task;
                mixed.mixed = true;
                go_forward(mixed);
                return;
            }
            if (along.failure) {
                result_.failure = failure_of(*along.failure);
                return;
            }
            result_.tangent_growth = std::max(result_.tangent_growth, along.growth);
            for (std::size_t k = 0; k < group.size(); ++k) {
                const auto place = std::ranges::find(unknowns_, group[k].name, &Unknown::name) - unknowns_.begin();
                result_.derivatives[static_cast<std::size_t>(place)] = {group[k].name, along.loss.tangent[k]};
            }
        }
    }

    // Rounding is enlarged as disturbances are.
    void judge() {
        const double error = std::max(epsilon<double>() * result_.tangent_growth, defect_);
        result_.digits = std::max(0.0, -std::log10(error));
        const bool finite =
            std::ranges::all_of(result_.derivatives, [](const Derivative& by) { return std::isfinite(by.value); });
        if (!result_.failure && (!(result_.digits >= 1) || !finite)) {
            result_.failure = RunFailure{
                .step = result_.steps,
                .t = states_.back().t,
                .kind = "gradient",
                .message = fmt::format("no correct digit is left: the run enlarges a disturbance by {:.1e}; make it "
                                       "shorter",
                                       result_.tangent_growth)};
        }
        if (result_.failure) {
            result_.derivatives.clear();
            result_.digits = 0;
        }
    }

    const Model* model_;
    const Method* method_;
    const GradientOptions* options_;
    std::vector<Unknown> unknowns_;
    Loss loss_;
    std::vector<RunState> states_;
    double defect_ = 0;
    Gradient result_;
};

}  // namespace

std::string to_string(GradientMode mode) {
    return mode == GradientMode::backward ? "backward" : mode == GradientMode::forward ? "forward" : "auto";
}

Gradient gradient(const Model& model, const Method& method, const GradientOptions& options) {
    return GradientTask(model, method, options).made();
}

}  // namespace libration
