// What is differentiated: how the run must be observed, what is read where, and what the values mean.
#pragma once

#include "backward_run.hpp"
#include "loss.hpp"
#include "readings.hpp"

#include <libration/gradient/gradient.hpp>
#include <libration/kit/make_system.hpp>

namespace libration {

// The tangents of a backward run follow stored states: one each so many steps, and not more than `most_states`.
inline constexpr std::int64_t steps_between_states = 100, most_states = 10'000;

class Objective : public Observer {
  public:
    // The one that the options describe. InputError.
    static std::unique_ptr<Objective> make(const Model& model, const GradientOptions& options);

    // Before the run: what it must show. `run.steps` is set, unless the objective sets it.
    virtual void plan(IntegrationOptions& run) = 0;
    // After the run, which reached its end: sets what was read. A failure where that was not possible.
    virtual std::optional<RunFailure> conclude(const Run& run) = 0;

    [[nodiscard]] const Loss& loss() const { return loss_; }
    [[nodiscard]] Readings& readings() { return readings_; }
    [[nodiscard]] const std::vector<RunState>& states() const { return states_; }
    [[nodiscard]] double value() const { return value_; }
    [[nodiscard]] const std::vector<double>& rows() const { return rows_; }
    [[nodiscard]] std::int64_t stored_every() const { return stored_every_; }

  protected:
    Objective(const Model& model, Loss loss);

    static RunState state_of(const Sample& sample);
    void store_each(std::int64_t steps);
    // The formulas at a state.
    void read(const RunState& state);
    [[nodiscard]] double formula_value(std::size_t formula) const { return reader_.value(formula); }
    // Where a formula of the state that was read is not a number or not smooth. `what` and `where`: "the loss", "at
    // the end of the run".
    void require_smooth(std::size_t formula, const Mistake& named, const std::string& where);

    const Model* model_;
    Loss loss_;
    Readings readings_;
    std::vector<RunState> states_;
    std::vector<double> rows_;
    double value_ = 0;
    std::int64_t stored_every_ = 0;

  private:
    std::unique_ptr<System<double>> system_;
    ParameterValues<double> given_;
    LossReader<double> reader_;
    KinkWatch kinks_;
    RunState last_;
};

}  // namespace libration
