// Energy, momenta, residuals and cost over a long run in double.
#include "guards.hpp"
#include "measuring.hpp"

#include "integrate/monitor.hpp"

#include <array>
#include <tuple>

namespace libration {

namespace {

constexpr std::int64_t momentum_steps = 1000;  // over which momenta are followed: round-off stays below their errors

// Least squares slope of the energy against time, and its range.
class Trend {
  public:
    void see(double t, double energy) {
        ++n_;
        const double dt = t - mean_t_;
        mean_t_ += dt / n_;
        mean_energy_ += (energy - mean_energy_) / n_;
        tt_ += dt * (t - mean_t_);
        te_ += dt * (energy - mean_energy_);
        low_ = std::min(low_, energy);
        high_ = std::max(high_, energy);
    }
    [[nodiscard]] double slope() const { return tt_ > 0 ? te_ / tt_ : 0; }
    [[nodiscard]] double spread() const { return high_ - low_; }

  private:
    double n_ = 0, mean_t_ = 0, mean_energy_ = 0, tt_ = 0, te_ = 0, low_ = 1e300, high_ = -1e300;
};

double absolute_product(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        sum += a[j] * b[j];
    }
    return std::abs(sum);
}

// Linear in p and, for fixed p, affine in q: linear and angular momenta. Other invariants are not claimed.
class MomentumMaps {
  public:
    MomentumMaps(const Model& model, System<double>& system, const StartState<double>& start) {
        std::vector<double> q = start.q, p = start.p, v(q.size()), lambda(reaction_count(system));
        for (const auto& observable : model.observables) {
            if (!observable.invariant) {
                continue;
            }
            NodeFormula formula(model, observable.value, "the observable " + observable.name);
            const auto at = [&](double by_q, double by_p) {
                for (std::size_t j = 0; j < q.size(); ++j) {
                    q[j] = by_q * start.q[j];
                    p[j] = by_p * start.p[j];
                }
                system.velocity(0, q, p, v);
                return formula.value({0, q, {}, p}, v, lambda);
            };
            const double once = at(1, 1), size = 1e-10 * (std::abs(once) + std::abs(at(2, 1)));
            const bool linear_in_p = std::abs(at(1, 2) - 2 * once) <= size;
            const bool affine_in_q = std::abs(at(3, 1) - 2 * at(2, 1) + once) <= size;
            if (!formula.needs_multipliers() && linear_in_p && affine_in_q) {
                angular = angular || std::abs(at(2, 1) - once) > size;
                names.push_back(observable.name);
                formulas_.push_back(std::move(formula));
                initial_.push_back(0);
            }
        }
    }
    void see(const Node<double>& node, std::span<const double> v, bool first) {
        for (std::size_t k = 0; k < formulas_.size(); ++k) {
            const double value = formulas_[k].value(node, v, {});
            initial_[k] = first ? value : initial_[k];
            const double error = std::abs(value - initial_[k]);
            worst = std::isnan(error) || error > worst ? error : worst;
        }
    }
    std::vector<std::string> names;
    bool angular = false;
    double worst = 0;

  private:
    std::vector<NodeFormula> formulas_;
    std::vector<double> initial_;
};

// A drift continues: the means of eight parts of a run rise, or fall, one after the other. A jump or walk does not.
class Parts {
  public:
    void see(std::int64_t n, std::int64_t steps, double value) {
        const auto part = std::min<std::size_t>(7, static_cast<std::size_t>(8 * n / std::max<std::int64_t>(1, steps)));
        sum_[part] += value;
        count_[part] += 1;
    }
    // What turns back by less than a twentieth has paused.
    [[nodiscard]] bool steady() const {
        std::vector<double> mean;
        for (std::size_t k = 0; k < sum_.size() && count_[k] > 0; ++k) {
            mean.push_back(sum_[k] / count_[k]);
        }
        const auto [low, high] = std::ranges::minmax(mean);
        bool up = true, down = true;
        for (std::size_t k = 1; k < mean.size(); ++k) {
            up = up && mean[k] - mean[k - 1] > -(high - low) / 20;
            down = down && mean[k - 1] - mean[k] > -(high - low) / 20;
        }
        return up || down;
    }

  private:
    std::array<double, 8> sum_{}, count_{};
};

// How often a quantity turns round, by more than a twentieth of its range.
class Turns {
  public:
    void see(double value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
        const double enough = (high_ - low_) / 20;
        top_ = std::max(top_, value);
        bottom_ = std::min(bottom_, value);
        if (rising_ ? value < top_ - enough : value > bottom_ + enough) {
            rising_ = !rising_;
            top_ = bottom_ = value;
            ++count;
        }
    }
    int count = 0;

  private:
    double low_ = 1e300, high_ = -1e300, top_ = -1e300, bottom_ = 1e300;
    bool rising_ = true;
};

// The energy and the size of its terms along a run.
struct EnergyRun {
    Trend trend;
    Parts parts;
    Turns kinetic, ahead;  // of p v, and of the distance from the start along the first velocity
    double error = 0, size = 0, largest = 0;
    double t = 0;
    std::int64_t steps = 0;
    double forces = 0, work = 0;
    std::string failure;
    bool constant_forces = true;
    bool lost = false;
    double pull = 0;             // largest change of p in one step
    StartState<double> hardest;  // after it
    double nearest = 1e300;      // how near the energy comes to its initial value after a tenth of the time
};

// The last few nodes, to go back to where the energy was lost.
class Recent {
  public:
    static constexpr std::int64_t kept = 9;
    struct Moment {
        StartState<double> state;
        std::vector<double> turns;
        double t = 0, error = 0;
        std::int64_t step = 0;
    };
    void see(std::int64_t step, const Node<double>& node, double error) {
        auto& moment = moments_[static_cast<std::size_t>(step % kept)];
        moment.state.q.assign(node.q.begin(), node.q.end());
        moment.state.p.assign(node.p.begin(), node.p.end());
        moment.turns.assign(node.turns.begin(), node.turns.end());
        std::tie(moment.t, moment.error, moment.step, last_) = std::tuple(node.t, error, step, step);
    }
    [[nodiscard]] const Moment& oldest() const {
        return moments_[static_cast<std::size_t>(std::max<std::int64_t>(0, last_ - kept + 1) % kept)];
    }

  private:
    std::array<Moment, kept> moments_;
    std::int64_t last_ = 0;
};

class LongRun {
  public:
    explicit LongRun(const Subject& subject)
        : subject_(&subject), system_(make_system<double>(*subject.model)),
          start_(kicked_start<double>(*subject.model, *system_, subject.kick)), residuals(*system_),
          maps(*subject.model, *system_, start_), guards(*subject.model), v_(start_.q.size()), f_(v_) {}

    // Ends early where the energy is lost.
    EnergyRun run(double h, std::int64_t steps, bool watch) {
        EnergyRun result;
        if (watch) {  // of each run for itself: from one end to the next start would be a jump
            guards = GuardWatch(*subject_->model);
        }
        Walk<double> walk(*subject_->method, *subject_->model, *system_);
        bool alive = walk.begin(0, start_.q, start_.p, h);
        double initial = 0, step_forces = -1;
        for (std::int64_t n = 0; alive; ++n) {
            const auto node = walk.node();
            system_->velocity(node.t, node.q, node.p, v_);
            const double energy = system_->energy(node.t, node.q, node.p);
            initial = n == 0 ? energy : initial;
            result.trend.see(node.t, energy);
            result.parts.see(n, steps, energy - initial);
            const double moving = absolute_product(node.p, v_);
            result.size = std::max(result.size, moving);
            // H is rounded at the size of its terms, and as q is rounded at its own.
            result.largest = std::max({result.largest, moving, std::abs(energy)});
            if (const double pull = n > 0 ? distance<double>(node.p, before_p_) : 0; pull > result.pull) {
                result.pull = pull;
                result.hardest = {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
            }
            before_p_.assign(node.p.begin(), node.p.end());
            if (n % 16 == 0) {
                system_->force_gradient(node.t, node.q, node.p, f_);
                for (std::size_t j = 0; j < f_.size(); ++j) {
                    result.largest = std::max(result.largest, std::abs(f_[j] * node.q[j]));
                }
            }
            result.error = std::max(result.error, std::abs(energy - initial));
            result.nearest = n > steps / 10 ? std::min(result.nearest, std::abs(energy - initial)) : result.nearest;
            result.t = node.t;
            result.steps = n;
            first_v_ = n == 0 ? v_ : first_v_;
            result.kinetic.see(moving);
            result.ahead.see(way_along(node.q));
            if (watch) {
                guards.see(node, v_);
            }
            if (watch && n <= momentum_steps) {
                residuals.see(walk, h);
                maps.see(node, v_, n == 0);
                q_size = std::max(q_size, largest_of<double>(node.q));
                p_size = std::max(p_size, largest_of<double>(node.p));
            }
            result.lost = subject_->properties.conservative && !(result.error <= 0.2 * result.size);
            recent_.see(n, node, result.error);
            if (n == steps || result.lost) {
                break;
            }
            const double before = walk.forces();
            alive = walk.go(1);
            const double forces = walk.forces() - before;
            result.constant_forces = result.constant_forces && (step_forces < 0 || forces == step_forces);
            // First steps, which may belong to a starter, can have more or less to do.
            step_forces = n <= subject_->method->lag() ? -1 : forces;
        }
        result.failure = walk.failure();
        result.forces = step_forces;
        result.work = walk.work();
        return result;
    }
    // Of the last run: if most of its energy was lost within the last few steps, these are repeated in 64 parts each.
    std::optional<EnergyTrend::Event> event(const EnergyRun& lost, double h) {
        constexpr int parts = 64;
        const auto& before = recent_.oldest();
        if (!lost.lost || before.error > lost.error / 2) {
            return {};
        }
        std::vector<StartState<double>> states;
        Walk<double> walk(*subject_->method, *subject_->model, *system_);
        bool alive = walk.begin(before.t, before.state.q, before.state.p, h / parts, before.turns);
        for (std::int64_t n = parts * (lost.steps - before.step); alive && n > 0; --n) {
            const auto node = walk.node();
            states.push_back({{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}});
            alive = walk.go(1);
        }
        return EnergyTrend::Event{lost.t, h * fastest_rate(*subject_, states), h * subject_->rate};
    }

  private:
    [[nodiscard]] double way_along(std::span<const double> q) const {
        double sum = 0;
        for (std::size_t j = 0; j < q.size(); ++j) {
            sum += (q[j] - start_.q[j]) * first_v_[j];
        }
        return sum;
    }
    const Subject* subject_;
    std::unique_ptr<System<double>> system_;
    StartState<double> start_;

  public:
    Residuals<double> residuals;
    MomentumMaps maps;
    GuardWatch guards;
    double q_size = 0, p_size = 0;

  private:
    std::vector<double> v_, first_v_, f_, before_p_;
    Recent recent_;
};

void keep_larger(Defect& defect, double units, double h) {
    if (!(units <= defect.size)) {
        defect.size = units;
        defect.h = h;
    }
}

}  // namespace

void measure_long_run(const Subject& subject, Measurement& result) {
    LongRun runs(subject);
    // A step at which the energy is in error, so that a drift shows, but small enough for the theory of bounded energy
    // to hold: the higher the order, the smaller the error at the largest such step.
    const int order = subject.method->claims(subject.model->constraint_rows > 0).order;
    double h = (order >= 8 ? 4 : 1) * subject.options.step;
    const double largest_error = order < 4 ? 1e-2 : (order < 8 ? 1e-4 : 1e-6);
    // Long enough for a method with a memory to become unstable, if the step is too large.
    const long long fewest = 40 * subject.method->lag();
    EnergyRun trial;
    for (int halvings = 0; halvings < 10; ++halvings, h /= 2) {
        trial = runs.run(h, std::max(fewest, std::llround(std::ceil(subject.options.duration / h))), false);
        if (trial.failure.empty() && trial.error <= largest_error * trial.size) {
            break;
        }
    }
    const bool undecidable = !resolves(subject, h);
    if (!trial.failure.empty()) {
        result.energy.failure = trial.failure;
        result.momentum_map.failure = trial.failure;
        result.energy.undecidable = result.momentum_map.undecidable = undecidable;
        return;
    }
    const double work_a_step = trial.work / static_cast<double>(std::max<std::int64_t>(1, trial.steps));
    const auto steps =
        static_cast<std::int64_t>(std::clamp(5 * subject.options.work / work_a_step, 10'000.0, 100'000.0));
    auto run = runs.run(h, steps, true);
    for (int halvings = 0; halvings < 3 && !run.failure.empty(); ++halvings) {  // the trial was too short to meet this
        h /= 2;
        run = runs.run(h, steps, true);
    }
    // The same where the trial did not meet the fastest motion.
    for (int halvings = 0;
         halvings < 2 && run.failure.empty() && !run.lost && run.error > 10 * largest_error * run.size; ++halvings) {
        h /= 2;
        run = runs.run(h, steps, true);
    }
    auto event = runs.event(run, h);
    const auto fine = runs.run(h / 16, 200, false);
    const double visible = visible_error(subject, h, 8);
    // A drift may be over soon, when the motion has escaped: then the energy does not come back either.
    const auto start = runs.run(h, std::max<std::int64_t>(1000, steps / 100), false);
    if (trial.steps > 2 && fine.steps > 2) {
        result.constant_forces = trial.constant_forces && fine.constant_forces && trial.forces == fine.forces;
        result.forces_a_step = run.forces;
        result.iterations_show = visible > 1e6 * epsilon<double>();
    }
    if (subject.properties.hamiltonian && subject.properties.conservative) {
        // Every step rounds terms of this size, and roundings add up like a random walk at least, like a sum at most.
        const double round_off = 4 * epsilon<double>() * run.largest * static_cast<double>(run.steps);
        const auto share = [](const EnergyRun& part) {
            return std::abs(part.trend.slope() * part.t) / part.trend.spread();
        };
        const bool escaped = share(start) > 0.5 && run.nearest > run.trend.spread() / 4;
        const auto& told = escaped ? start : run;
        result.energy = {true,
                         told.trend.slope() * told.t,
                         told.trend.spread(),
                         round_off,
                         h,
                         told.steps,
                         run.failure,
                         run.lost && !escaped,
                         run.error};
        result.energy.turns = std::max(told.kinetic.count, told.ahead.count);
        result.energy.steady = told.parts.steady();
        result.energy.ended = run.lost || !run.failure.empty();
        result.energy.large = run.error > largest_error * run.size;
        result.energy.kinks = runs.guards.first_change().time <= run.t;
        result.energy.visible = visible * static_cast<double>(run.steps) / 8 * run.size > 1e3 * round_off;
        auto along = subject;
        along.rate = std::max(subject.rate, run.pull > 0 ? fastest_rate(subject, {run.hardest}) : 0);
        result.energy.undecidable = !follows(along, h, order);
        result.energy.event = std::move(event);
    }
    // A model without a duration is followed as far as this run goes.
    auto& window = result.window;
    const auto late = runs.guards.first_change_after(window.length);
    if (window.duration == 0 && window.later.empty() && late.time <= run.t) {
        window.later = fmt::format("{} changes at t = {:.4g}", late.what, late.time);
    }
    result.position_size = runs.residuals.position_size;
    result.hidden_size = runs.residuals.hidden_size;
    if (result.constrained) {
        keep_larger(result.position_defect, runs.residuals.position, h);
        keep_larger(result.hidden_defect, runs.residuals.hidden, h);
    }
    result.momenta = runs.maps.names;
    result.angular = runs.maps.angular;
    if (!result.momenta.empty()) {
        const auto n = std::min(momentum_steps, run.steps);
        const double terms = static_cast<double>(subject.model->dimension) * std::max(1.0, runs.q_size) * runs.p_size;
        result.momentum_map = {true, runs.maps.worst, 4 * epsilon<double>() * static_cast<double>(n) * terms, h, n, {}};
        result.momentum_map.visible = visible * static_cast<double>(n) / 8 * terms;
    }
}

}  // namespace libration
