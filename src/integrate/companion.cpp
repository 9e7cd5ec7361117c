#include "companion.hpp"

#include "methods/good_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

constexpr double share_of_cost = 0.1;
constexpr double steps_of_both = 3;  // one of the repetition, two of the companion
// Both are interpreted. Longer runs may be generated code, which is up to so many times faster; whether it is must not
// matter, since the result of a run does not depend on its backend.
constexpr std::int64_t most_interpreted_steps = 20000;
constexpr double slowness_of_interpreter = 8;
constexpr double free_coordinate_steps = 600;  // of a repetition: a millisecond
constexpr std::int64_t early_steps = 10;
constexpr std::int64_t fewest_steps_of_growth = 8;
constexpr double rounding_at_rest = 1e-8;  // momenta are smaller than this part of what the forces alone would make
constexpr double lost = 0.1;               // relative error of positions that are good for a picture only
constexpr double saturated = 0.3;          // as large as the motion: nothing is left to grow
constexpr double smallest = 1e-14;         // errors below are rounding of the states themselves
constexpr double growth = 1.3335;          // 10^(1/8), from one passage to the next
constexpr std::size_t fewest_passages = 5;
// Errors of regular motion grow like t to t^2. Those of a motion that starts at rest grow up to the fifth power of t at
// first, but for a part of one oscillation only; in chaotic motions such growth goes on for several (Hénon-Heiles:
// powers 4 to 9).
constexpr double steep_power = 3.5, whole_turn = 6.28;

double size_of(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

struct GrowthLine {
    double slope = 0;
};

// Least squares.
GrowthLine fit_growth(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    GrowthLine line;
    line.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return line;
}

// The larger of the errors of q and p, relative to the largest so far.
class Distance {
  public:
    // Of a system at rest under forces that cancel, momenta are the rounding of these forces.
    explicit Distance(double largest_force) : rest_(rounding_at_rest * largest_force) {}

    double operator()(const Node<double>& a, const Node<double>& b, double time) {
        size_p_ = std::max(size_p_, rest_ * time);
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
    double rest_, size_q_ = 0, size_p_ = 0;
};

bool make_step(Stepper<double>& stepper) {
    if (!good_step(stepper.advance())) {
        return false;
    }
    stepper.accept();
    return true;
}

// By how much of its largest size the momentum changes in a step: summed up, the angle of an oscillation.
class Turns {
  public:
    double operator()(std::span<const double> p) {
        double change = 0, size = 0;
        for (std::size_t k = 0; k < p.size(); ++k) {
            const double before = before_.empty() ? p[k] : before_[k];
            change += (p[k] - before) * (p[k] - before);
            size += p[k] * p[k];
        }
        before_.assign(p.begin(), p.end());
        largest_ = std::max(largest_, size);
        return largest_ > 0 ? std::sqrt(change / largest_) : 0;
    }

  private:
    std::vector<double> before_;
    double largest_ = 0;
};

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

std::int64_t companion_steps(std::int64_t steps, std::size_t coordinates) {
    const auto interpreted = static_cast<double>(std::min(steps, most_interpreted_steps));
    const double share =
        share_of_cost / steps_of_both * std::max(interpreted, static_cast<double>(steps) / slowness_of_interpreter);
    const double free = free_coordinate_steps / static_cast<double>(std::max<std::size_t>(1, coordinates));
    return std::min(steps, static_cast<std::int64_t>(std::max(share, free)));
}

// Errors C h^p differ from those with half the step by (1 - 2^-p) C h^p.
ErrorHistory::ErrorHistory(int order) : factor_(1 / (1 - std::exp2(-order))) {}

void ErrorHistory::note(std::int64_t step, double t, double difference, double turn) {
    steps_ = step;
    turned_ += turn;
    t_ = t;
    error_ = std::max(error_, factor_ * difference);
    if (step <= early_steps) {
        early_ = error_;
    }
    const double next = passages_.empty() ? smallest : growth * passages_.back().error;
    if (step >= fewest_steps_of_growth && error_ >= next && (passages_.empty() || passages_.back().error < saturated)) {
        passages_.push_back({t, error_, turned_});
    }
}

ErrorEstimate ErrorHistory::estimate(double duration) const {
    ErrorEstimate result{.steps = steps_, .duration = t_, .error = error_, .early_error = early_};
    // Of the last three quarters of the growth: before, the errors of the start have their say.
    std::vector<double> t, log_t, log_error;
    double turned = 0;  // before them
    for (const auto& [time, error, angle] : passages_) {
        if (time < passages_.back().t / 4) {
            turned = angle;
        } else {
            t.push_back(time);
            log_t.push_back(std::log(time));
            log_error.push_back(std::log(error));
        }
    }
    const bool grows = t.size() >= fewest_passages && log_t.back() > log_t.front();
    const auto power = grows ? fit_growth(log_t, log_error) : GrowthLine{};
    result.chaotic = grows && power.slope > steep_power && passages_.back().turned - turned > whole_turn;
    const auto reached = std::ranges::find_if(passages_, [](const Passage& at) { return at.error >= lost; });
    if (result.chaotic) {
        const double rate = fit_growth(t, log_error).slope;
        result.horizon = reached != passages_.end() ? reached->t : t_ + std::log(lost / error_) / rate;
        result.at_end = result.horizon < duration ? std::numeric_limits<double>::quiet_NaN()
                                                  : error_ * std::exp((duration - t_) * rate);
        return result;
    }
    const double last = error_ >= saturated && !passages_.empty() ? passages_.back().t : t_;
    result.exponent = grows ? std::clamp(power.slope, 1.0, 2.0) : 1;
    result.at_end = error_ * std::pow(std::max(1.0, duration / last), result.exponent);
    if (result.at_end > lost) {
        result.horizon = reached != passages_.end() ? reached->t
                         : error_ > lost            ? t_
                                                    : t_ * std::pow(lost / error_, 1 / result.exponent);
    }
    return result;
}

std::optional<ErrorHistory> follow(const CompanionRun& both, std::int64_t steps) {
    ErrorHistory history(both.order);
    Distance distance(both.largest_force);
    Turns turns;
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
        const double time = std::abs(node.t - t0);
        history.note(n, time, distance(node, both.finer->node(), time), turns(node.p));
        any = true;
    }
    return any ? std::optional(history) : std::nullopt;
}

}  // namespace libration
