// The parts of a choice, in the order in which they are made, and what they know.
#pragma once

#include "ladder.hpp"

namespace libration {

class Chooser {
  public:
    Chooser(const Model& model, const ChooseOptions& options);
    Choice choose();

  private:
    void check_request() const;
    [[nodiscard]] std::vector<Method> methods_to_try() const;
    void find_duration();
    void find_reference();  // and how long pilots are
    void find_window();     // the same, where positions do not count
    [[nodiscard]] double first_step_over(double window) const;
    [[nodiscard]] std::vector<Method> reference_methods() const;
    FineSolution reference_over(double window, double step, double accuracy, double most_work);
    void give_up_positions(const FineSolution& lost);
    void climb_ladders();
    enum class Confirmation { confirmed, refuted, not_affordable };
    Confirmation confirm(Ladder& winner);  // over the whole duration, where that is affordable
    std::optional<FineSolution> own_reference(const Method& method, std::int64_t& steps);
    Ladder* confirmed_among(std::vector<Ladder>& ladders);
    bool gives_up_positions();
    [[nodiscard]] bool may_be_extrapolated(const Ladder& ladder) const;
    void fit_budget();
    // False: the difference shows nothing.
    bool fit_growth(FineSolution& solution, const PilotDifference& along) const;
    [[nodiscard]] LadderGoal goal_over(double window) const;
    [[nodiscard]] double growth_factor(double window) const;  // of errors, from the window to the whole duration
    [[nodiscard]] std::string nothing_met(const std::vector<Ladder>& ladders) const;
    void write(const Ladder& winner, const std::vector<Ladder>& ladders);
    [[nodiscard]] bool whole() const { return window_ == std::abs(duration_); }

    const ChooseOptions* options_;
    PilotRuns runs_;
    std::vector<Method> methods_;
    double duration_ = 0;  // signed
    double length_ = 0;    // over which positions are to be accurate: the duration, or less of a chaotic motion
    double window_ = 0;
    double fastest_ = 0;
    double first_step_ = 0;  // of a method of order 2 with one stage, coarse
    double budget_ = 0;
    std::optional<double> error_, energy_error_;
    std::optional<FineSolution> fine_;        // over the window
    std::optional<FineSolution> whole_fine_;  // over the whole duration, where the window is shorter
    PilotDifference attempt_;                 // of two solutions over the whole duration that are not fine enough
    bool confirmed_ = false;                  // the winner was measured over the whole duration
    Choice choice_;
};

}  // namespace libration
