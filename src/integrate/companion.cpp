#include "companion.hpp"

#include "methods/good_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

constexpr double share_of_cost = 0.1;
constexpr double steps_of_both = 3;           // one of the repetition, two of the companion
constexpr double free_coordinate_steps = 600;  // of a repetition: a millisecond
constexpr std::int64_t early_steps = 10;
constexpr std::int64_t fewest_steps_of_growth = 8;
constexpr std::size_t most_points = 64;
constexpr double lost = 0.1;  // relative error of positions that are good for nothing but a picture
// Errors of regular motion grow like t to t^2; those that grow faster than t^3 through two decades grow exponentially.
constexpr double steepest_power = 3;

double size_of(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

// The larger of the errors of q and p, relative to the largest so far.
class Distance {
  public:
    double operator()(const Node<double>& a, const Node<double>& b) {
        return std::max(relative(a.q, b.q, size_q_), relative(a.p, b.p, size_p_));
    }

  private:
    static double relative(std::span<const double> a, std::span<const double> b, double& size) {
        size = std::max(size, size_of(b));
        double most = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            const double difference = std::abs(a[k] - b[k]);
            most = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(most, difference);
        }
        return most > 0 ? most / size : 0;
    }
    double size_q_ = 0, size_p_ = 0;
};

bool make_step(Stepper<double>& stepper) {
    if (!good_step(stepper.advance())) {
        return false;
    }
    stepper.accept();
    return true;
}

// Two steps of half the length over a step whose length is known afterwards.
bool follow_step(Stepper<double>& finer, double end) {
    const auto node = finer.node();
    const std::vector<double> q(node.q.begin(), node.q.end()), q_low(node.q_low.begin(), node.q_low.end()),
        p(node.p.begin(), node.p.end()), turns(node.turns.begin(), node.turns.end());
    const double t = node.t;
    finer.start({t, q, q_low, p, turns}, (end - t) / 2);
    return make_step(finer) && make_step(finer);
}

}  // namespace

std::int64_t companion_steps(std::int64_t steps, std::size_t coordinates, double slowness) {
    const auto share = static_cast<std::int64_t>(static_cast<double>(steps) * share_of_cost /
                                                 (steps_of_both * slowness));
    const auto free = static_cast<std::int64_t>(free_coordinate_steps / static_cast<double>(std::max<std::size_t>(1, coordinates)));
    return std::min(steps, std::max(share, free));
}

// Errors C h^p differ from those with half the step by (1 - 2^-p) C h^p.
ErrorHistory::ErrorHistory(int order) : factor_(1 / (1 - std::exp2(-order))) {}

void ErrorHistory::note(std::int64_t step, double t, double difference) {
    const double error = factor_ * difference;
    steps_ = step;
    t_ = t;
    error_ = std::max(error_, error);
    if (step <= early_steps) {
        early_ = error_;
    }
    for (int k = 0; k < decades; ++k) {
        if (first_[k].step < 0 && error_ >= std::pow(10.0, k + 1 - decades)) {
            first_[k] = {step, t};
        }
    }
    if (step % stride_ == 0) {
        times_.push_back(t);
        envelope_.push_back(error_);
    }
    if (times_.size() == most_points) {
        for (std::size_t i = 0; i < most_points / 2; ++i) {
            times_[i] = times_[2 * i + 1];
            envelope_[i] = envelope_[2 * i + 1];
        }
        times_.resize(most_points / 2);
        envelope_.resize(most_points / 2);
        stride_ *= 2;
    }
}

std::optional<double> ErrorHistory::exponent(int decade) const {
    const auto &from = first_[static_cast<std::size_t>(decade)], &to = first_[static_cast<std::size_t>(decade) + 1];
    if (to.step < 0 || from.step < fewest_steps_of_growth) {
        return std::nullopt;
    }
    return to.step == from.step ? std::numeric_limits<double>::infinity() : 1 / std::log10(to.t / from.t);
}

ErrorEstimate ErrorHistory::estimate(double duration) const {
    ErrorEstimate result{.steps = steps_, .duration = t_, .error = error_, .early_error = early_};
    int last = -1;  // the largest power of ten that was reached
    while (last + 1 < decades && first_[static_cast<std::size_t>(last) + 1].step >= 0) {
        ++last;
    }
    const auto steep = [&](int decade) {
        const auto e = decade >= 0 ? exponent(decade) : std::nullopt;
        return e && *e > steepest_power;
    };
    // Where the error is as large as the motion, it no longer grows.
    const int end = std::min(last, decades - 2);
    result.chaotic = end >= 2 && steep(end - 1) && steep(end - 2);
    const int tenth = decades - 2;
    if (result.chaotic) {
        const auto &a = first_[static_cast<std::size_t>(end) - 2], &b = first_[static_cast<std::size_t>(end)];
        const double decade = (b.t - a.t) / 2;
        result.horizon = last >= tenth ? first_[static_cast<std::size_t>(tenth)].t
                                       : t_ + decade * std::max(0.0, std::log10(lost / error_));
        result.at_end = result.horizon < duration ? std::numeric_limits<double>::quiet_NaN()
                                                  : error_ * std::pow(10.0, (duration - t_) / decade);
        return result;
    }
    // Over the second half of the time: the first one has the errors of the start.
    const auto half = std::ranges::lower_bound(times_, t_ / 2) - times_.begin();
    const double before = half < std::ssize(envelope_) ? envelope_[static_cast<std::size_t>(half)] : 0;
    if (steps_ >= 2 * fewest_steps_of_growth && before > 0 && error_ < lost) {
        result.exponent = std::clamp(std::log2(error_ / before), 1.0, 2.0);
    }
    result.at_end = error_ * std::pow(std::max(1.0, duration / t_), result.exponent);
    return result;
}

std::optional<ErrorHistory> follow(const CompanionRun& both, std::int64_t steps) {
    ErrorHistory history(both.order);
    Distance distance;
    const double t0 = both.start.t;
    bool any = false;
    for (int k = 0; k < both.lag; ++k) {
        if (!make_step(*both.run) || !make_step(*both.finer)) {
            return std::nullopt;
        }
    }
    for (std::int64_t n = 1; n <= steps; ++n) {
        if (!make_step(*both.run)) {
            break;
        }
        const auto node = both.run->node();
        const bool followed =
            both.adaptive ? follow_step(*both.finer, node.t) : make_step(*both.finer) && make_step(*both.finer);
        if (!followed) {
            break;
        }
        history.note(n, std::abs(node.t - t0), distance(node, both.finer->node()));
        any = true;
    }
    return any ? std::optional(history) : std::nullopt;
}

}  // namespace libration
