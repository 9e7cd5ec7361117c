// A companion of a run: the same method with half the step size over the first part of it, step by step beside a
// repetition of the run itself.
#pragma once

#include <libration/integrate/verdict.hpp>
#include <libration/kit/stepper.hpp>

#include <optional>
#include <span>
#include <vector>

namespace libration {

// How many steps of a run a companion may repeat so that both together cost at most a tenth of the run, or some
// milliseconds.
std::int64_t companion_steps(std::int64_t steps, std::size_t coordinates);

// When an error first reaches certain sizes, and what its growth will lead to.
class ErrorHistory {
  public:
    explicit ErrorHistory(int order);  // of the method
    // The difference to the companion at a node, `t` after the start, and the angle by which the motion turned since
    // the last one.
    void note(std::int64_t step, double t, double difference, double turn);
    // `duration`: of the whole run.
    [[nodiscard]] ErrorEstimate estimate(double duration) const;

  private:
    struct Passage {
        double t, error, turned;
    };
    double factor_;
    std::int64_t steps_ = 0;
    double t_ = 0, error_ = 0, early_ = 0, turned_ = 0;
    // Where the error grew by a certain factor since the last one, once steps are many enough to speak of growth.
    std::vector<Passage> passages_;
};

// The methods of a run and of its companion, at the start of the run.
struct CompanionRun {
    Stepper<double>* run;    // started at the start
    Stepper<double>* finer;  // likewise, with half the step; of a run with adaptive steps, any map of its method
    Node<double> start;
    bool adaptive = false;
    int lag = 0, order = 1;
    double largest_force = 0;  // of H_q at the start
};
// Nothing if the first step already fails.
std::optional<ErrorHistory> follow(const CompanionRun& both, std::int64_t steps);

}  // namespace libration
