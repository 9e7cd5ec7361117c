// One pass over a run.
#include "reproduce/measures.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::vector<std::string> known_takes() {
    return {"largest", "smallest", "range", "size",       "mean", "average",  "deviation", "slope",
            "first",   "last",     "value", "first_time", "ever", "exponent", "error"};
}

Gauge::Gauge(const Model& model, const Measure& measure) : measure_(measure) {
    if (measure_.take != "error") {
        quantity_.emplace(model, measure_.of, fmt::format("the measure '{}'", measure_.name));
        return;
    }
    for (const auto& text : measure_.reference) {
        reference_.push_back(from_text<double>(text));
    }
    if (reference_.empty() ||
        (measure_.of != "q" && measure_.of != "p" && measure_.of != "v" && measure_.of != "lambda")) {
        throw InputError(
            fmt::format("the measure '{}': an error needs a reference, and is of q, p, v or lambda", measure_.name));
    }
}

void Gauge::see(const Sample& sample, double initial_energy) {
    longest_step_ = has_time_ ? std::max(longest_step_, std::abs(sample.t - newest_time_)) : 0;
    newest_time_ = sample.t;
    has_time_ = true;
    const double slack = 1e-9 * std::max(1.0, std::abs(sample.t));  // ends of an interval are nodes up to rounding
    if ((measure_.from && sample.t < *measure_.from - slack) || (measure_.to && sample.t > *measure_.to + slack)) {
        return;
    }
    if (measure_.take == "error") {
        see_state(sample);
    } else {
        see_value(sample.t, quantity_->value(sample, initial_energy));
    }
}

void Gauge::see_value(double t, double value) {
    if (measure_.at && std::abs(t - *measure_.at) < nearest_) {
        nearest_ = std::abs(t - *measure_.at);
        at_value_ = value;
    }
    if (value > 0 && first_time_ < 0) {
        first_time_ = t;
    }
    has_nan_ = has_nan_ || std::isnan(value);
    if (count_ == 0) {
        first_ = value;
        first_t_ = t;
    } else {
        integral_ += (value + last_) / 2 * (t - last_t_);
    }
    last_ = value;
    last_t_ = t;
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
    double x = t, y = value;
    if (measure_.take == "exponent") {
        if (!(t > 0) || value == 0) {
            return;
        }
        x = std::log(t);
        y = std::log(std::abs(value));
    }
    count_ += 1;
    const double dx = x - mean_t_, dy = y - mean_;
    mean_t_ += dx / count_;
    mean_ += dy / count_;
    square_t_ += dx * (x - mean_t_);
    square_ += dy * (y - mean_);
    cross_ += dx * (y - mean_);
}

void Gauge::see_state(const Sample& sample) {
    if (measure_.at) {
        const double distance = std::abs(sample.t - *measure_.at);
        if (!(distance < nearest_)) {
            return;
        }
        nearest_ = distance;
    }
    const auto values = measure_.of == "q"   ? sample.q
                        : measure_.of == "p" ? sample.p
                        : measure_.of == "v" ? sample.v
                                             : sample.lambda;
    if (values.size() != reference_.size()) {
        throw InputError(fmt::format("the measure '{}' has {} values as reference, {} has {} components", measure_.name,
                                     reference_.size(), measure_.of, values.size()));
    }
    state_.assign(values.begin(), values.end());
    count_ = 1;
}

double Gauge::value() const {
    const auto& take = measure_.take;
    if (count_ == 0) {
        throw InputError(fmt::format("the measure '{}': no recorded state lies between its times", measure_.name));
    }
    // A run that ended early must not be judged at another time.
    if (measure_.at && nearest_ > std::max(1e-9 * std::max(1.0, std::abs(*measure_.at)), longest_step_ / 2)) {
        throw InputError(
            fmt::format("the measure '{}': the run has no state near t = {}", measure_.name, *measure_.at));
    }
    if (take == "error") {
        double most = 0;
        for (std::size_t k = 0; k < state_.size(); ++k) {
            const double error = std::abs(state_[k] - reference_[k]);
            most = std::isnan(error) || std::isnan(most) ? std::numeric_limits<double>::quiet_NaN()
                                                         : std::max(most, error);
        }
        return most;
    }
    if (has_nan_) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (take == "largest") return largest_;
    if (take == "smallest") return smallest_;
    if (take == "range") return largest_ - smallest_;
    if (take == "size") return std::max(std::abs(largest_), std::abs(smallest_));
    if (take == "mean") return mean_;
    if (take == "average") return integral_ / (last_t_ - first_t_);
    if (take == "deviation") return std::sqrt(square_ / count_);
    if (take == "slope" || take == "exponent") return cross_ / square_t_;
    if (take == "first") return first_;
    if (take == "last") return last_;
    if (take == "first_time") return first_time_;
    if (take == "ever") return largest_ > 0 ? 1 : 0;
    if (take == "value" && measure_.at) return at_value_;
    return last_;  // `value` without a time
}

}  // namespace libration
