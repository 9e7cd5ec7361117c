// Tangent steps of RATTLE written out, in double precision with machine code for the terms: for large models, where
// dual numbers cost many times more than the steps themselves.
#pragma once

#include "backward_run.hpp"
#include "start_pairing.hpp"
#include "term_tangent.hpp"

#include "manifold/multiplier_history.hpp"
#include "methods/kick_drift.hpp"

namespace libration {

class RattleTangent {
  public:
    // Whether the steps of the task are of this kind.
    static bool suits(const TangentTask& task, const Method& method);
    RattleTangent(const TangentTask& task, const ExtendedModel& extended);
    // Its parts refer to each other.
    RattleTangent(const RattleTangent&) = delete;
    RattleTangent& operator=(const RattleTangent&) = delete;

    // A state of the run; what follows is there.
    void set_state(const RunState& state);
    // What end_tangent.hpp says, of a gradient by q, p and parameters (in `pi`).
    [[nodiscard]] StartTangent end_tangent(const StartTangent& gradient);
    // Sums of all rows, with generic weights.
    [[nodiscard]] RowSums row_sums();

    // From the state that was set back to an earlier one.
    std::optional<TangentFailure> go_back(const RunState& from, const RunState& to, StartTangent& w);
    // Where the steps led to, and the largest tangent on the way.
    [[nodiscard]] std::span<const double> q() const { return q_.high; }
    [[nodiscard]] std::span<const double> p() const { return p_.high; }
    [[nodiscard]] double largest_size() const { return largest_; }
    void take_largest_size(double size) { largest_ = size; }
    [[nodiscard]] std::span<const double> inverse_masses() const { return system_->inverse_masses(); }

  private:
    void note_size(const StartTangent& w);
    bool step(double t1, bool inner, StartTangent& w);
    void finish_state(double t1);
    void differentiate(std::span<const double> direction, double kicks, StartTangent& w);
    void differentiate_potential(std::span<const double> direction, double kicks, StartTangent& w);
    void take_rows(std::size_t term, std::size_t first, std::size_t count, std::size_t row, StartTangent& w);
    void finish_arrival(StartTangent& w);
    bool leave(StartTangent& w);
    bool find_reactions(std::span<const double> dq);
    void collect_parameters(std::span<const double> y, double sign, StartTangent& w);

    const TangentTask* task_;
    std::size_t d_, parameters_;
    std::unique_ptr<System<double>> system_;
    std::size_t m_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    Manifold<double> manifold_;
    KickDrift<double> kick_drift_;
    TransposedProduct transposed_;
    PositionData<double> here_, there_;
    PairVector<double> q_, p_, next_q_, next_p_;
    MultiplierHistory<double> history_, of_lambda_;
    std::vector<TermTangent> potential_, rows_;
    std::vector<std::vector<double>> slopes_;  // of rows to parameters, [slot][instance]
    std::vector<double> v_, w_, arriving_, leaving_, force_;
    std::vector<double> lambda_, mu_, d_lambda_, d_mu_, rhs_, hidden_, change_;
    Evaluations<double> evaluations_;
    double t_ = 0, h_ = 0, largest_ = 0;
};

}  // namespace libration
