// A formula of the end, and what all objectives share.
#include "objective.hpp"

#include "measured_objective.hpp"

#include <libration/text/error.hpp>

namespace libration {

namespace {

class EndObjective final : public Objective {
  public:
    EndObjective(const Model& model, const GradientOptions& options)
        : Objective(model, read_loss(model, options.loss)), text_(options.loss) {}

    void plan(IntegrationOptions& run) override {
        store_each(*run.steps);
        run.every = stored_every_;
    }

    void see(const Sample& sample) override { states_.push_back(state_of(sample)); }

    std::optional<RunFailure> conclude(const Run&) override {
        const auto& end = states_.back();
        read(end);
        require_smooth(0, {.argument = "loss", .value = text_}, "at the end of the run");
        value_ = formula_value(0);
        rows_ = {value_};
        readings_ = node_reading({.step = end.step, .t = end.t, .q = end.q, .p = end.p});
        return std::nullopt;
    }

  private:
    std::string text_;
};

}  // namespace

std::unique_ptr<Objective> Objective::make(const Model& model, const GradientOptions& options) {
    if (options.data) {
        if (!options.loss.empty()) {
            throw InputError("`loss` and `data` exclude each other: differentiate a formula, or the sum of squared "
                             "deviations from measurements");
        }
        return std::make_unique<MeasuredObjective>(model, *options.data, options.run);
    }
    return std::make_unique<EndObjective>(model, options);
}

Objective::Objective(const Model& model, Loss loss)
    : model_(&model), loss_(std::move(loss)), system_(make_system<double>(model)),
      given_(parameter_values<double>(model)), reader_(loss_, *system_, given_), kinks_(loss_, model) {}

RunState Objective::state_of(const Sample& sample) {
    return {sample.step, sample.t, {sample.q.begin(), sample.q.end()}, {sample.p.begin(), sample.p.end()}};
}

void Objective::store_each(std::int64_t steps) {
    stored_every_ = std::max(steps_between_states, steps / most_states + 1);
}

void Objective::read(const RunState& state) {
    last_ = state;
    last_.q.resize(system_->dimension());
    last_.p.resize(system_->dimension());
    reader_.read(last_.t, last_.q, last_.p);
}

void Objective::require_smooth(std::size_t formula, const Mistake& named, const std::string& where) {
    auto mistake = named;
    if (const auto kink = kinks_.kink({last_.t, last_.q, {}, last_.p}, formula)) {
        mistake.problem = fmt::format("it has no derivative {}, where {} has a kink or a jump", where, *kink);
        mistake.remedy = "write it with a smooth formula, such as a square";
        throw InputError(mistake);
    }
    if (!std::isfinite(reader_.value(formula))) {
        mistake.problem = fmt::format("it is {} {}", reader_.value(formula), where);
        throw InputError(mistake);
    }
}

}  // namespace libration
