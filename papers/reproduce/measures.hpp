// Numbers from the values of a quantity along a run, taken as they come: nothing is kept that grows with the run.
#pragma once

#include "integrate/quantity.hpp"
#include "recipe.hpp"

#include <limits>

namespace libration {

std::vector<std::string> known_takes();

class Gauge {
  public:
    Gauge(const Model& model, const Measure& measure);
    void see(const Sample& sample, double initial_energy);
    // InputError if no node was inside of the interval.
    [[nodiscard]] double value() const;
    [[nodiscard]] const std::string& name() const { return measure_.name; }

  private:
    void see_value(double t, double value);
    void see_state(const Sample& sample);

    Measure measure_;
    std::optional<Quantity> quantity_;  // of all but `error`
    std::vector<double> reference_;
    // Sums about the first value, with deviations from running means (Welford).
    double count_ = 0, mean_t_ = 0, mean_ = 0, square_t_ = 0, square_ = 0, cross_ = 0;
    double smallest_ = std::numeric_limits<double>::infinity(), largest_ = -smallest_;
    double first_ = 0, last_ = 0, first_t_ = 0, last_t_ = 0, integral_ = 0;
    double first_time_ = -1;
    bool has_nan_ = false;
    double nearest_ = std::numeric_limits<double>::infinity();  // |t - at| of what follows
    double at_value_ = 0;
    double newest_time_ = 0, longest_step_ = 0;  // between nodes that were seen
    bool has_time_ = false;
    std::vector<double> state_;
};

}  // namespace libration
