// References of comparisons, and where chaos ends what they know.
#include "compare_reference.hpp"

#include "error_growth.hpp"
#include "interruption.hpp"
#include <libration/analysis/certify.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace libration {

namespace {

constexpr std::size_t most_rows = 1000;
constexpr double most_numbers = 2e6;  // that a run keeps
// Operations of the reference in quadruple precision: some two seconds.
constexpr double quadruple_operations = 2e9;
constexpr double double_share = 0.5;  // of the progress
// An operation in quadruple precision takes as long as this many in double, and iterations are longer.
constexpr double quadruple_factor = 100;
// Relative to the size of q and p: what is not known at all. Errors of runs in double end at 1e-16, and nothing is
// gained by a better reference.
constexpr double not_known = 1e-3, reference_goal = 1e-18, double_goal = 1e-15, accurate_enough = 1e-6, useless = 0.1,
                 sufficient = 1e-10;
// What is known well: as well as it is for at least a part of the time until nothing is known. Round-off has then grown
// by a few powers of ten, and so have the errors of methods, which are not yet as large as the motion.
constexpr std::array known_well{1e-12, 1e-11, 1e-10, 1e-9, 1e-8};
constexpr double least_known_part = 0.25;
// Errors of regular motions grow like t or t^2; at an event they jump, which no line fits well.
constexpr double highest_power = 6, least_correlation = 0.85;
constexpr int most_failed_references = 4;

class RowKeeper final : public Observer {
  public:
    RowKeeper(FollowedRun& run, std::vector<std::int64_t> wanted, bool multipliers)
        : run_(&run), wanted_(std::move(wanted)), multipliers_(multipliers) {}
    void see(const Sample& sample) override {
        if (run_->q.size() == wanted_.size() || sample.step != wanted_[run_->q.size()]) {
            return;
        }
        run_->q.emplace_back(sample.q.begin(), sample.q.end());
        run_->p.emplace_back(sample.p.begin(), sample.p.end());
        auto& lambda = run_->lambda.emplace_back();
        if (multipliers_) {
            lambda.assign(sample.lambda.begin(), sample.lambda.end());
        }
    }

  private:
    FollowedRun* run_;
    std::vector<std::int64_t> wanted_;
    bool multipliers_;
};

double largest_magnitude(const std::vector<double>& values) { return largest_of<double>(values); }

std::vector<Fine> finest(const std::vector<double>& values) {
    std::vector<Fine> result;
    std::ranges::transform(values, std::back_inserter(result), [](double x) { return from_double<Fine>(x); });
    return result;
}

// Two runs of one method, the second with twice as many steps.
struct RunPair {
    FollowedRun fine;
    std::vector<double> separation;
    Horizon horizon;
    double accuracy = 0;  // where it is compared
};

class DoubleReference {
  public:
    DoubleReference(const Model& model, const RunCost& cost, const ComparePlan& plan, CompareMeter& meter)
        : model_(&model), cost_(&cost), plan_(&plan), meter_(&meter),
          most_(std::max(most_reference_operations, plan.all_operations() / 2)) {}

    // By the first of the methods that gets through, and by how many steps.
    std::optional<RunPair> found(const std::vector<Method>& candidates, const std::vector<Method>& compared) {
        for (const auto& method : candidates) {
            const bool is_compared =
                std::ranges::any_of(compared, [&](const Method& other) { return other.name() == method.name(); });
            if (auto pair = doubled(method, is_compared)) {
                return pair;
            }
        }
        return std::nullopt;
    }
    // The end of a shorter time, with steps of about the same size as those of `like`.
    std::optional<RunPair> shorter(const RunPair& like, double duration) {
        const double steps = static_cast<double>(like.fine.steps) * duration / plan_->duration;
        const auto half = std::max<std::int64_t>(1, std::llround(std::ceil(steps / 2)));
        const auto coarse = follow(method(like.fine.method, Doubts::accept), half, duration, {half});
        const auto fine = follow(method(like.fine.method, Doubts::accept), 2 * half, duration, {half});
        if (coarse.failure || fine.failure) {
            return std::nullopt;
        }
        return compared_pair(coarse, fine);
    }
    [[nodiscard]] double operations_per_step() const { return per_step_; }

  private:
    // Nodes of a run of so many steps, evenly spaced, as many as memory has room for; with them the end.
    [[nodiscard]] std::vector<std::int64_t> nodes_of(std::int64_t steps) const {
        const auto numbers = static_cast<double>(2 * model_->dimension + model_->multipliers());
        const double room = std::clamp(most_numbers / std::max(1.0, numbers), 2.0, static_cast<double>(most_rows));
        const auto rows = std::min(steps, static_cast<std::int64_t>(room));
        std::vector<std::int64_t> nodes;
        for (std::int64_t k = 1; k <= rows; ++k) {
            nodes.push_back(steps / rows * k + steps % rows * k / rows);
        }
        return nodes;
    }

    // States at `nodes` of a run with a number of steps of which this is a multiple.
    FollowedRun follow(const Method& method, std::int64_t steps, double duration,
                       const std::vector<std::int64_t>& nodes) {
        FollowedRun run{.method = method.name(), .steps = steps};
        std::vector<std::int64_t> wanted;
        for (const auto node : nodes) {
            wanted.push_back(node * (steps / nodes.back()));
            run.t.push_back(duration * static_cast<double>(wanted.back()) / static_cast<double>(steps));
        }
        const auto every = std::accumulate(wanted.begin(), wanted.end(), std::int64_t{0},
                                           [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
        Integration integration(
            *model_, method,
            {.step = duration / static_cast<double>(steps), .steps = steps, .every = every, .monitor = 0});
        RowKeeper keeper(run, std::move(wanted), !model_->carried);  // multipliers are not unique with redundant rows
        integration.observe(keeper);
        // How many runs there will be is not known.
        const double from = std::exchange(shown_, shown_ + (double_share - shown_) / 2);
        meter_->watch(integration, from, shown_);
        const auto result = Interruptible::run(integration);
        run.failure = result.failure;
        const auto made = static_cast<double>(std::max<std::int64_t>(1, result.steps_made));
        last_ = cost_->operations(method, made, result.evaluations);
        spent_ += last_;
        per_step_ = last_ / made;
        return run;
    }

    // Where to begin: with the nodes of the largest step, or with fewer if these are too many. A method that is
    // compared begins with as many as its finest run: otherwise that would be compared with itself.
    [[nodiscard]] std::int64_t first_steps(bool is_compared) const {
        if (is_compared) {
            return plan_->steps.back();
        }
        constexpr double part = 8, fewest = 16;
        const double affordable = most_ / 3 / part / plan_->reference_operations;
        return std::min<std::int64_t>(plan_->steps.front(), std::llround(std::max(affordable, fewest)));
    }

    // Twice as many steps while that helps and is affordable.
    std::optional<RunPair> doubled(const Method& method, bool is_compared) {
        std::optional<FollowedRun> coarse;
        std::optional<RunPair> best;
        auto steps = first_steps(is_compared);
        const auto nodes = nodes_of(steps);
        int failures = 0;
        spent_ = 0;
        // Twice as much where errors of methods of high order would not be seen.
        const auto most = [&] { return best && best->accuracy < sufficient ? most_ : 2 * most_; };
        for (int runs = 0; runs < 2 || spent_ + 2 * last_ <= most(); ++runs, steps *= 2) {
            auto fine = follow(method, steps, plan_->duration, nodes);
            if (fine.failure) {
                coarse.reset();
                if (++failures == most_failed_references) {
                    break;
                }
                runs = -1;
                continue;
            }
            if (coarse) {
                auto pair = compared_pair(*coarse, fine);
                const bool helped = !best || helps(pair, *best);
                if (helped) {
                    best = std::move(pair);
                }
                if ((!helped && best->accuracy < accurate_enough) || best->separation.back() < double_goal) {
                    break;
                }
            }
            coarse = std::move(fine);
        }
        return best;
    }

    static RunPair compared_pair(const FollowedRun& coarse, const FollowedRun& fine) {
        RunPair pair{fine, separation(coarse, fine), {}, 0};
        pair.horizon = horizon_of(fine.t, pair.separation);
        const auto row = pair.horizon.row;
        const auto change = difference(coarse.state(row), fine.state(row));
        // Two runs may round in the same way.
        pair.accuracy = std::max({change.q, change.p, change.lambda, std::numeric_limits<double>::epsilon() / 2});
        return pair;
    }

    // It is known better, or for longer.
    static bool helps(const RunPair& now, const RunPair& before) {
        const auto rows = now.horizon.row, old = before.horizon.row;
        return now.accuracy < before.accuracy / 2 || (rows > old + old / 20 && now.accuracy < accurate_enough);
    }

    const Model* model_;
    const RunCost* cost_;
    const ComparePlan* plan_;
    CompareMeter* meter_;
    double most_;  // operations
    double spent_ = 0, last_ = 0, per_step_ = 0;
    double shown_ = 0;  // of the progress
};

// By the method of high order in quadruple precision, from about as many steps as double precision needed.
std::optional<ReferenceSolution> quadruple_solution(const Model& model, const SystemProperties& properties,
                                                    double duration, double steps, double per_step) {
    const double first = std::max(4.0, std::round(steps / 2));
    // It, twice and four times as many.
    if (model.dimension > most_stage_coordinates || 7 * first * per_step * quadruple_factor > quadruple_operations) {
        return std::nullopt;
    }
    const auto system = make_system<Fine>(model);
    const Subject subject{nullptr,
                          &model,
                          {.step = 2 * duration / first, .duration = duration, .exact = {}, .work = 1e300},
                          {},
                          properties};
    auto solution = reference_solution(subject, *system, kicked_start<Fine>(model, *system, {}), reference_goal);
    if (solution && model.carried) {
        solution->state.lambda.clear();
    }
    return solution;
}

}  // namespace

namespace {

// The squared correlation of log s and t, from a quarter of the time on: 1 if s grows exponentially, at most 3/4 if it
// jumps.
double log_correlation(std::span<const double> t, std::span<const double> s) {
    double n = 0, mean_t = 0, mean_y = 0, tt = 0, ty = 0, yy = 0, most = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
        most = std::max(most, s[k]);
        if (t[k] < t.back() / 4 || !(most > 0) || !std::isfinite(most)) {
            continue;
        }
        n += 1;
        const double dt = t[k] - mean_t, y = std::log(most), dy = y - mean_y;
        mean_t += dt / n;
        mean_y += dy / n;
        tt += dt * (t[k] - mean_t);
        ty += dt * (y - mean_y);
        yy += dy * (y - mean_y);
    }
    return tt > 0 && yy > 0 ? ty * ty / (tt * yy) : 0;
}

}  // namespace

EndState FollowedRun::state(std::size_t row) const { return {finest(q[row]), finest(p[row]), finest(lambda[row])}; }

std::vector<double> separation(const FollowedRun& coarse, const FollowedRun& fine) {
    std::vector<double> result;
    double q = 0, p = 0;
    for (std::size_t row = 0; row < fine.q.size(); ++row) {
        q = std::max(q, largest_magnitude(fine.q[row]));
        p = std::max(p, largest_magnitude(fine.p[row]));
        const auto relative = [&](const auto& a, const auto& b, double size) {
            return distance<double>(a[row], b[row]) / (size > 0 ? size : 1);
        };
        const double now = std::max(relative(coarse.q, fine.q, q), relative(coarse.p, fine.p, p));
        result.push_back(std::isnan(now) ? std::numeric_limits<double>::infinity() : now);
    }
    return result;
}

Horizon horizon_of(const std::vector<double>& t, const std::vector<double>& separation) {
    Horizon result;
    result.row = t.size() - 1;
    const auto beyond = [&](double limit) {
        return static_cast<std::size_t>(std::ranges::find_if(separation, [&](double s) { return !(s <= limit); }) -
                                        separation.begin());
    };
    const auto lost = beyond(not_known);
    if (lost < least_growth_rows || beyond(known_well.front()) == t.size()) {
        return result;
    }
    const std::size_t rows = std::min(lost + 1, t.size());
    const auto growth = classify_growth(std::span(t).first(rows), std::span(separation).first(rows), 1);
    result.chaotic = growth.exponent > highest_power &&
                     log_correlation(std::span(t).first(rows), std::span(separation).first(rows)) > least_correlation;
    if (!result.chaotic) {
        return result;
    }
    if (lost < t.size()) {
        result.lost = t[lost - 1];
    }
    for (const double level : known_well) {
        const auto well = beyond(level);
        if (well > 0 && t[well - 1] >= least_known_part * t[std::min(lost, t.size()) - 1]) {
            result.row = well - 1;
            break;
        }
    }
    return result;
}

CompareTarget compare_target(const Model& model, const SystemProperties& properties, const RunCost& cost,
                             const std::vector<Method>& compared, const std::vector<Method>& candidates,
                             const ComparePlan& plan, CompareMeter& meter) {
    meter.begin("reference", target_operations(plan));
    CompareTarget target{.part = plan.common_parts()};
    DoubleReference search(model, cost, plan, meter);
    auto pair = search.found(candidates, compared);
    double time = plan.duration;
    if (pair && pair->horizon.row + 1 < pair->fine.t.size()) {
        target.horizon = pair->horizon.lost;
        // The last node of all runs where it is known well.
        const auto parts = static_cast<double>(plan.common_parts());
        target.part = std::llround(std::floor(pair->fine.t[pair->horizon.row] / plan.duration * parts * (1 + 1e-12)));
        time = plan.duration * static_cast<double>(target.part) / parts;
        pair = target.part > 0 ? search.shorter(*pair, time) : std::nullopt;
    }
    if (pair && pair->accuracy < useless) {
        target.state = pair->fine.state(pair->fine.t.size() - 1);
        target.reference = {pair->fine.method, pair->fine.steps, false, pair->accuracy};
        meter.within(double_share);
        const auto solution = quadruple_solution(model, properties, time, static_cast<double>(pair->fine.steps),
                                                 search.operations_per_step());
        if (solution && solution->accuracy < pair->accuracy) {
            target.state = solution->state;
            target.reference = {solution->method, solution->steps, sizeof(Fine) > sizeof(double), solution->accuracy};
        }
    }
    meter.end();
    return target;
}

double target_operations(const ComparePlan& plan) {
    return std::min(most_reference_operations + quadruple_operations, plan.all_operations());
}

}  // namespace libration
