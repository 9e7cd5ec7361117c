// A formula of the end, and what all objectives share.
#include "objective.hpp"

#include "event_objective.hpp"
#include "integral_objective.hpp"
#include "measured_objective.hpp"

#include <libration/text/error.hpp>

namespace libration {

namespace {

class EndObjective final : public Objective {
  public:
    EndObjective(const Model& model, const GradientOptions& options)
        : Objective(model, read_loss(model, options.loss)), text_(options.loss) {}

    [[nodiscard]] bool takes_adaptive_steps() const override { return true; }
    void plan(IntegrationOptions& run, const StepSequence&) override {
        store_each(*run.steps);
        run.every = stored_every_;
    }

    void see(const Sample& sample) override { states_.push_back(state_of(sample)); }

    std::optional<RunFailure> conclude(const Run&) override {
        const auto& end = states_.back();
        read(end);
        require_smooth(0, text_, "at the end of the run");
        value_ = formula_value(0);
        rows_ = {value_};
        readings_ = node_reading({.step = end.step, .t = end.t, .q = end.q, .p = end.p});
        return std::nullopt;
    }

  private:
    std::string text_;
};

}  // namespace

std::unique_ptr<Objective> Objective::make(const Model& model, const Method& method, const GradientOptions& options) {
    if (options.data) {
        if (!options.loss.empty()) {
            throw InputError("`loss` and `data` exclude each other: differentiate a formula, or the sum of squared "
                             "deviations from measurements");
        }
        return std::make_unique<MeasuredObjective>(model, *options.data, options.run);
    }
    if (auto event = event_objective(model, method, options)) {
        return event;
    }
    if (auto integral = integral_objective(model, options)) {
        return integral;
    }
    return std::make_unique<EndObjective>(model, options);
}

Objective::Objective(const Model& model, Loss loss)
    : model_(&model), system_(make_system<double>(model)), given_(parameter_values<double>(model)) {
    set_loss(std::move(loss));
}

void Objective::set_loss(Loss loss) {
    loss_ = std::move(loss);
    reader_.emplace(loss_, *system_, given_);
    kinks_.emplace(loss_, *model_);
}

RunState Objective::state_of(const Sample& sample) const {
    const auto turns = sample.observables.first(model_->windings.size());  // their observables come first
    return {sample.step,
            sample.t,
            {sample.q.begin(), sample.q.end()},
            {sample.p.begin(), sample.p.end()},
            {turns.begin(), turns.end()}};
}

void Objective::store_each(std::int64_t steps) {
    stored_every_ = std::max(steps_between_states, steps / most_states + 1);
}

void Objective::read(const RunState& state) {
    last_ = state;
    last_.q.resize(system_->dimension());
    last_.p.resize(system_->dimension());
    reader_->read(last_.t, last_.q, last_.p, last_.turns);
}

void Objective::require_smooth(std::size_t formula, const std::string& text, const char* where) {
    const auto kink = kinks_->kink({last_.t, last_.q, {}, last_.p, last_.turns}, formula);
    if (!kink && std::isfinite(reader_->value(formula))) {
        return;
    }
    const auto place = where != nullptr ? std::string(where) : fmt::format("at t = {}", last_.t);
    auto mistake = named(text);
    if (kink) {
        mistake.problem += fmt::format(" has no derivative {}, where {} has a kink or a jump", place, *kink);
        mistake.remedy = "write it with a smooth formula, such as a square";
    } else {
        mistake.problem += fmt::format(" is {} {}", reader_->value(formula), place);
    }
    throw InputError(mistake);
}

}  // namespace libration
