// A companion of a run: the same method with half the step size over the first part of it, step by step beside a
// repetition of the run itself.
#pragma once

#include <libration/integrate/verdict.hpp>
#include <libration/kit/stepper.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace libration {

// How many steps of a run a companion may repeat so that both together cost at most a tenth of the run, or very little.
// `slowness`: of its steps, which are interpreted, compared with those of the run.
std::int64_t companion_steps(std::int64_t steps, std::size_t coordinates, double slowness);

// When an error first reaches each power of ten, and what its growth will lead to.
class ErrorHistory {
  public:
    explicit ErrorHistory(int order);  // of the method
    // The difference to the companion at a node.
    void note(std::int64_t step, double t, double difference);
    // `duration`: of the whole run.
    [[nodiscard]] ErrorEstimate estimate(double duration) const;

  private:
    static constexpr int decades = 14;  // 1e-13 ... 1
    struct Passage {
        std::int64_t step = -1;
        double t = 0;
    };
    // The exponent of t with which the error grew through a decade; nothing where that took too few steps.
    [[nodiscard]] std::optional<double> exponent(int decade) const;

    double factor_;
    std::array<Passage, decades> first_{};
    std::int64_t steps_ = 0;
    double t_ = 0, error_ = 0, early_ = 0;
    std::vector<double> times_, envelope_;  // at most 64 points
    std::int64_t stride_ = 1;
};

// The methods of a run and of its companion, at the start of the run.
struct CompanionRun {
    Stepper<double>* run;   // started at the start
    Stepper<double>* finer;  // likewise, with half the step; of a run with adaptive steps, any map of its method
    Node<double> start;
    bool adaptive = false;
    int lag = 0, order = 1;
};
// Nothing if the first step already fails.
std::optional<ErrorHistory> follow(const CompanionRun& both, std::int64_t steps);

}  // namespace libration
