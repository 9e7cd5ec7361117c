// Run, choose the mode, differentiate, judge: what gradients and Jacobians share.
#pragma once

#include "objective.hpp"

namespace libration {

struct TangentOutcome {
    std::vector<double> derivatives;  // of the loss, or of all rows, row after row; empty after a failure
    std::vector<double> hessian_product;
    GradientMode mode = GradientMode::backward;
    std::string why_forward;
    double tangent_growth = 1, defect = 0, digits = 0;
    std::int64_t steps = 0;
    double run_seconds = 0, setup_seconds = 0;
    std::string backend;  // of the backward run
    std::int64_t compiled_steps = 0;
    std::vector<std::string> warnings;
    std::optional<RunFailure> failure;
};

class TangentWork {
  public:
    // `matrix`: derivatives of all rows, and not of the loss. InputError.
    TangentWork(const Model& model, const Method& method, const GradientOptions& options, bool matrix);

    // `progress`: where the work is kept and continued; null: nowhere.
    TangentOutcome made(GradientFile* progress);
    [[nodiscard]] const Objective& objective() const { return *objective_; }
    [[nodiscard]] const std::vector<Unknown>& unknowns() const { return unknowns_; }

  private:
    bool run();
    template <class Observing>
    Run observed_run(const IntegrationOptions& options, Observing& observer, const std::string& part);
    bool freeze_steps(IntegrationOptions& options);
    TangentTask task();
    void differentiate();
    void differentiate_twice();
    void go_backward(const TangentTask& task, const ExtendedModel& extended);
    void go_forward(const TangentTask& task);
    bool forward_is_cheaper(const TangentTask& task) const;
    void judge();

    const Model* model_;
    const Method* method_;
    const GradientOptions* options_;
    bool matrix_;
    GradientFile* progress_ = nullptr;
    std::vector<Unknown> unknowns_, direction_;
    StepSequence sequence_;
    std::unique_ptr<Objective> objective_;
    TangentOutcome result_;
};

}  // namespace libration
