// The window of the orders, by a pilot run in double with steps H/4 beside one with H/8.
//
// Their difference shows where errors stop being small, and the guards of the formulas where the motion is not smooth.
// It costs little beside the ladder, which works in quadruple precision.
#include "guards.hpp"
#include "measuring.hpp"

namespace libration {

namespace {

constexpr const char* exact_known = "the exact solution is known there";
constexpr double fewest_steps = 8;  // of the largest size, in every window
constexpr double most_error =
    0.02;  // of the pilot, as a part of the extent of the motion: the next rungs are well below
constexpr double returns_within = 64;  // largest steps, where the model names no duration

// The largest distance between two values of one coordinate.
class Extent {
  public:
    void see(std::span<const double> values) {
        if (low_.empty()) {
            low_.assign(values.begin(), values.end());
            high_ = low_;
        }
        for (std::size_t j = 0; j < values.size(); ++j) {
            low_[j] = std::min(low_[j], values[j]);
            high_[j] = std::max(high_[j], values[j]);
            size = std::max(size, high_[j] - low_[j]);
            largest = std::max(largest, std::abs(values[j]));
        }
    }
    double size = 0, largest = 0;
    // A motion that has hardly begun has no extent yet: roundings of its place are all there is.
    [[nodiscard]] double part() const { return size > 0 ? std::min(1.0, size / largest) : 1; }

  private:
    std::vector<double> low_, high_;
};

// When the motion passes through its start again in the same direction.
class Return {
  public:
    Return(std::span<const double> q, std::span<const double> v) : q_(q.begin(), q.end()), v_(v.begin(), v.end()) {}
    bool see(std::span<const double> q) {
        double ahead = 0;
        for (std::size_t j = 0; j < q.size(); ++j) {
            ahead += (q[j] - q_[j]) * v_[j];
        }
        behind_ = behind_ || ahead < 0;
        return behind_ && ahead > 0;
    }

  private:
    std::vector<double> q_, v_;
    bool behind_ = false;
};

struct Pilot {
    double end = 0;                     // reached
    double small = 0;                   // until then errors are small
    double fastest = 0, strongest = 0;  // largest |v| and |p'|
    double work_a_step = 0;
    bool failed = false, returned = false;
    Extent q, p;
    std::vector<StartState<double>> states;  // some on the way
};

Pilot fly(const Subject& subject, double h, double wanted, bool to_return, GuardWatch& guards) {
    Pilot pilot;
    const auto system = make_system<double>(*subject.model);
    const StartKick kick = subject.options.exact ? StartKick{} : subject.kick;
    const auto start = kicked_start<double>(*subject.model, *system, kick);
    Walk<double> coarse(*subject.method, *subject.model, *system);
    const auto other = make_system<double>(*subject.model);
    Walk<double> fine(*subject.method, *subject.model, *other);
    std::vector<double> v(start.q.size()), before;
    system->velocity(0, start.q, start.p, v);
    Return section(start.q, v);
    StartState<double> hardest;
    bool alive = coarse.begin(0, start.q, start.p, h), close = fine.begin(0, start.q, start.p, h / 2);
    const auto steps = static_cast<std::int64_t>(std::ceil(wanted / h - 1e-9));
    const auto stride = std::max<std::int64_t>(1, steps / 200);
    // The extent of the first steps is no measure of the motion: errors count from the fewest steps of a window on.
    const auto first = std::min<std::int64_t>(steps, std::llround(fewest_steps * subject.options.step / h));
    for (std::int64_t n = 0; alive; ++n) {
        const auto node = coarse.node();
        system->velocity(node.t, node.q, node.p, v);
        guards.see(node, v);
        pilot.fastest = std::max(pilot.fastest, largest_of<double>(v));
        if (const double pull = n > 0 ? distance<double>(node.p, before) / h : 0; pull > pilot.strongest) {
            pilot.strongest = pull;
            hardest = {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
        }
        before.assign(node.p.begin(), node.p.end());
        if (n % stride == stride / 2) {
            pilot.states.push_back({{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}});
        }
        pilot.q.see(node.q);
        pilot.p.see(node.p);
        pilot.end = node.t;
        if (close) {
            const auto better = fine.node();
            const double q = distance<double>(node.q, better.q), p = distance<double>(node.p, better.p);
            close = n < first || (q <= most_error * pilot.q.size && p <= most_error * pilot.p.size);
            pilot.small = close ? node.t : pilot.small;
        }
        pilot.returned = pilot.returned || section.see(node.q);
        if (n == steps || (to_return && pilot.returned) || coarse.work() > subject.options.work ||
            (!close && guards.empty())) {
            break;
        }
        alive = coarse.go(1);
        close = close && fine.go(2);
    }
    if (!hardest.q.empty()) {
        pilot.states.push_back(hardest);
    }
    pilot.failed = !alive;
    pilot.work_a_step = coarse.work() / std::max(1.0, std::round(pilot.end / h));
    return pilot;
}

double duration_of(const RunRequest& run) {
    if (run.duration) {
        return std::abs(*run.duration);
    }
    return run.steps && run.step ? std::abs(static_cast<double>(*run.steps) * *run.step) : 0;
}

}  // namespace

void choose_window(Subject& subject, Measurement& result) {
    auto& set = subject.options;
    auto& window = result.window;
    window.duration = duration_of(subject.model->run);
    const bool given = set.exact || set.duration > 0;
    if (given) {
        set.duration = set.exact ? set.exact->time : set.duration;
        window.length = set.duration;
    }
    GuardWatch guards(*subject.model);
    if (given && !(set.exact && guards.branches())) {
        if (!guards.empty() && !set.exact) {
            fly(subject, set.step / 4, set.duration, false, guards);
            subject.kinks = window.kinks = guards.first_change().time <= window.length;
        }
        window.shorter = window.length >= window.duration ? "" : (set.exact ? exact_known : "as given");
        return;
    }
    const double wanted = window.duration > 0 ? window.duration : returns_within * set.step;
    Pilot pilot;
    for (int k = 0; k < 4; ++k) {
        guards = GuardWatch(*subject.model);
        pilot = fly(subject, std::ldexp(set.step, -2 - 2 * k), wanted, window.duration == 0, guards);
        if (!pilot.failed) {
            break;
        }
    }
    // Reactions turn the motion, too: a pendulum is as fast as it crosses its extent.
    const auto ratio = [](double speed, double size) { return size > 0 ? speed / size : 0; };
    subject.rate = std::max({subject.rate, fastest_rate(subject, pilot.states), ratio(pilot.fastest, pilot.q.size),
                             ratio(pilot.strongest, pilot.p.size)});
    subject.q_extent = pilot.q.part();
    subject.p_extent = pilot.p.part();
    if (!given) {
        const double least = std::min(wanted, fewest_steps * set.step);
        const double whole = window.duration > 0 ? window.duration : (pilot.returned ? pilot.end : wanted);
        const double affordable = set.step * set.work / (128 * pilot.work_a_step);
        window.length = std::clamp(std::min(pilot.small, affordable), least, std::max(least, whole));
        window.shorter = window.length >= window.duration * (1 - 1e-9) ? ""
                         : pilot.small <= affordable                   ? "errors become too large beyond it"
                                                                       : "too expensive beyond it";
        set.duration = window.length;
    } else {
        window.shorter = window.length < window.duration ? exact_known : "";
    }
    window.kinks = guards.first_change().time <= window.length;
    subject.kinks = window.kinks;
    const auto late = guards.first_change_after(window.length);
    if (late.time <= std::max(window.duration, window.length)) {
        window.later = fmt::format("{} changes at t = {:.4g}", late.what, late.time);
    } else if ((guards.branches() || guards.unwatched()) && pilot.end < window.duration * (1 - 1e-9)) {
        window.later = fmt::format("conditions in formulas are not tracked beyond t = {:.4g}", pilot.end);
        subject.kinks = true;
    }
}

}  // namespace libration
