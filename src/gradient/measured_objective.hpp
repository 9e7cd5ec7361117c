// Measurements: predictions at given times, and the sum of squares of their deviations.
#pragma once

#include "objective.hpp"

namespace libration {

struct MeasuredValue {
    double t;
    std::size_t column;
    double value, sd;
};

// In the order of rows, without gaps. InputError for tables without values, and for what is no number.
std::vector<MeasuredValue> measured_values(const Measurements& data);

class MeasuredObjective final : public Objective {
  public:
    MeasuredObjective(const Model& model, const Measurements& data, const IntegrationOptions& run);

    [[nodiscard]] bool takes_adaptive_steps() const override { return true; }
    [[nodiscard]] std::optional<double> last_time() const override;
    void plan(IntegrationOptions& run, const StepSequence& steps) override;
    void see(const Sample& sample) override { seen_.push_back(state_of(sample)); }
    std::optional<RunFailure> conclude(const Run& run) override;
    void visit(ProgressBytes& bytes) override { bytes(seen_); }

  protected:
    [[nodiscard]] Mistake named(const std::string& text) const override {
        return {.argument = "data", .problem = fmt::format("the column '{}'", text)};
    }

  private:
    void require_inside(std::int64_t count, const StepSequence& steps) const;
    // The nodes whose states are needed: along the run, and before each measured time.
    void add_nodes(std::int64_t count, const StepSequence& steps);
    void take_rows();

    Measurements data_;
    std::vector<MeasuredValue> values_;
    std::vector<double> asked_;   // times of the states that the run shows, in its order
    double sign_ = 1;             // of its step
    std::vector<double> nodes_;   // of these times, those of nodes
    std::vector<RunState> seen_;  // one for each time
};

}  // namespace libration
