// The requested output times, independent of the steps.
#pragma once

#include <libration/integrate/run.hpp>

namespace libration {

// "0:0.1:10", "0.5, pi, 7": constant expressions and ranges first:step:last. Throws an InputError that names the fault,
// and the argument that `text` belongs to.
std::vector<double> read_times(const std::string& text, const std::string& shown = {});

// In the order of the run, each once.
class OutputTimes {
  public:
    // From `first` to `last`, which is before `first` where steps are negative. Times behind the end are a warning,
    // because a longer run may reach them; no time inside, or one before the start, is an InputError.
    OutputTimes(std::vector<double> times, double first, double last, std::vector<std::string>& warnings);

    // The next time, if it is not behind `t`; within a few units of the last place counts as at t.
    [[nodiscard]] std::optional<double> next(double t) const;
    void advance() { ++next_; }
    // All times up to t have been.
    void skip(double t);

  private:
    std::vector<double> times_;
    double sign_;
    std::size_t next_ = 0;
};

}  // namespace libration
