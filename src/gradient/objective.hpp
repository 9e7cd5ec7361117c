// What is differentiated: how the run must be observed, what is read where, and what the values mean.
#pragma once

#include "backward_run.hpp"
#include "loss.hpp"
#include "readings.hpp"

#include <libration/gradient/gradient.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

namespace libration {

// The tangents of a backward run follow stored states: one each so many steps, and not more than `most_states`.
inline constexpr std::int64_t steps_between_states = 100, most_states = 10'000;

class Objective : public Observer {
  public:
    // The one that the options describe. InputError.
    static std::unique_ptr<Objective> make(const Model& model, const Method& method, const GradientOptions& options);

    // Of steps whose sizes an adaptive run chose.
    [[nodiscard]] virtual bool takes_adaptive_steps() const { return false; }
    // When the last value is read, where it is not at the end of the run.
    [[nodiscard]] virtual std::optional<double> last_time() const { return std::nullopt; }
    // Before the run: what it must show. `run.steps` is set, unless the objective sets it.
    virtual void plan(IntegrationOptions& run, const StepSequence& steps) = 0;
    // A run that this requests to stop has shown enough; nothing: it goes to its end.
    [[nodiscard]] virtual const StopSignal* enough() const { return nullptr; }
    // Whether a terminal event may end the run.
    [[nodiscard]] virtual bool may_end_early() const { return false; }
    // After the run: sets what was read. A failure where that was not possible.
    virtual std::optional<RunFailure> conclude(const Run& run) = 0;

    // What it saw so far, which a run that is continued does not show again.
    virtual void visit(ProgressBytes& bytes) { bytes(states_); }

    [[nodiscard]] const Loss& loss() const { return loss_; }
    [[nodiscard]] Readings& readings() { return readings_; }
    [[nodiscard]] const std::vector<RunState>& states() const { return states_; }
    [[nodiscard]] double value() const { return value_; }
    [[nodiscard]] const std::vector<double>& rows() const { return rows_; }
    [[nodiscard]] std::int64_t stored_every() const { return stored_every_; }
    // How much worse than the values of the formulas their combination is known.
    [[nodiscard]] double condition() const { return condition_; }

  protected:
    Objective(const Model& model, Loss loss);

    [[nodiscard]] RunState state_of(const Sample& sample) const;
    void store_each(std::int64_t steps);
    void set_loss(Loss loss);
    // The formulas at a state.
    void read(const RunState& state);
    [[nodiscard]] double formula_value(std::size_t formula) const { return reader_->value(formula); }
    // InputError if the formula, which the user wrote as `text`, is not a number or not smooth at the state that was
    // read. `where`: not the time, but "at the end of the run".
    void require_smooth(std::size_t formula, const std::string& text, const char* where = nullptr);
    // How a message on a formula starts: the problem goes on with " has no derivative ...".
    [[nodiscard]] virtual Mistake named(const std::string& text) const {
        return {.argument = "loss", .value = text, .problem = "it"};
    }

    const Model* model_;
    Loss loss_;
    Readings readings_;
    std::vector<RunState> states_;
    std::vector<double> rows_;
    double value_ = 0, condition_ = 1;
    std::int64_t stored_every_ = 0;

  private:
    std::unique_ptr<System<double>> system_;
    ParameterValues<double> given_;
    std::optional<LossReader<double>> reader_;
    std::optional<KinkWatch> kinks_;
    RunState last_;
};

}  // namespace libration
