// Steps, duration and work of a comparison.
#include "compare_plan.hpp"

#include "interruption.hpp"
#include <libration/analysis/certify.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace libration {

namespace {

// Of all runs together, where no duration is given: some three seconds. Their reference takes about as long.
constexpr double most_operations = 3e9;
constexpr std::int64_t pilot_steps = 8;
// Most rows are run twice: with monitors, and for the time of the steps alone.
constexpr double runs_per_row = 2;
constexpr std::int64_t finest_part = 16;    // largest step over smallest, where no steps are given
constexpr double fewest_largest_steps = 4;  // of the largest size
constexpr int most_multiples = 1000;

double model_duration(const RunRequest& run) {
    if (run.duration) {
        return std::abs(*run.duration);
    }
    return run.steps && run.step ? std::abs(static_cast<double>(*run.steps) * *run.step) : 0;
}

// The step that a user would take, from the model or else from the duration; 0 if neither says anything.
double usual_step(const Model& model, double duration) {
    return model.run.step ? std::abs(*model.run.step) : duration / 400;
}

void check_numbers(const CompareOptions& set) {
    for (const double step : set.steps) {
        if (!std::isfinite(step) || step <= 0) {
            throw InputError(fmt::format("the step size {} cannot be used; step sizes must be positive", step));
        }
    }
    if (!std::isfinite(set.duration) || set.duration < 0) {
        throw InputError(fmt::format("the duration {} must be positive", set.duration));
    }
}

// All runs must end at the same time, otherwise their errors could not be compared.
std::int64_t whole_steps(double duration, double step) {
    const double ratio = duration / step;
    if (ratio > 9e15) {
        throw InputError(fmt::format("the duration {} takes more than 9e15 steps of {}", duration, step));
    }
    const double nearest = std::max(1.0, std::round(ratio));
    if (std::abs(ratio - nearest) > 1e-9 * nearest) {
        throw InputError(fmt::format("the step {} does not divide the duration {}, so its run would end at another "
                                     "time; {:.12g} would ({} step{}), or choose another `duration`",
                                     step, duration, duration / nearest, nearest, nearest == 1 ? "" : "s"));
    }
    return static_cast<std::int64_t>(nearest);
}

// The smallest multiple of the first step that all steps divide; 0 if there is none.
double common_multiple(const std::vector<double>& steps) {
    for (int k = 1; k <= most_multiples; ++k) {
        const double length = k * steps.front();
        if (std::ranges::all_of(steps, [&](double step) {
                const double ratio = length / step;
                return std::abs(ratio - std::round(ratio)) <= 1e-9 * ratio;
            })) {
            return length;
        }
    }
    return 0;
}

// A number with one or two digits that is easy to read, at most x.
double round_number(double x) {
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    double result = power;
    for (const double digits : {1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        result = digits * power <= x ? digits * power : result;
    }
    return result;
}

// Operations per unit of time of all runs together.
double work_per_time(const std::vector<double>& per_step, const std::vector<double>& steps) {
    const double rate =
        std::accumulate(steps.begin(), steps.end(), 0.0, [](double sum, double h) { return sum + 1 / h; });
    return runs_per_row * rate * std::accumulate(per_step.begin(), per_step.end(), 0.0);
}

bool is_among(const Method& one, const std::vector<Method>& methods) {
    return std::ranges::any_of(methods, [&](const Method& other) { return other.name() == one.name(); });
}

class Planner {
  public:
    Planner(const Model& model, const RunCost& cost, const CompareOptions& options, const Method& reference)
        : model_(&model), cost_(&cost), set_(options), reference_(&reference) {
        check_numbers(set_);
        std::ranges::sort(set_.steps, std::greater{});
        const auto again = std::ranges::unique(set_.steps);
        set_.steps.erase(again.begin(), again.end());
    }

    ComparePlan made() {
        if (set_.steps.empty()) {
            plan_default_steps();
        } else {
            plan_given_steps();
        }
        for (const double work : per_step_) {
            auto& row = plan_.operations.emplace_back();
            for (const auto count : plan_.steps) {
                row.push_back(work * static_cast<double>(count));
            }
        }
        return std::move(plan_);
    }

  private:
    double operations_of_step(const Method& method, double step) const {
        const auto pilot = fly_pilot(*model_, method, step);
        return cost_->operations(method, pilot.steps, pilot.evaluations) / pilot.steps;
    }
    // Of the smallest step: larger ones take more passes, but are fewer.
    void weigh(double smallest_step, double largest_step) {
        for (const auto& method : set_.methods) {
            per_step_.push_back(operations_of_step(method, smallest_step));
        }
        const bool is_compared = is_among(*reference_, set_.methods);
        reference_step_ = is_compared ? smallest_step : std::max(largest_step, 4 * usual_step(*model_, 0));
        plan_.reference_operations = operations_of_step(*reference_, reference_step_);
    }

    // As much of the wanted duration as is affordable.
    double affordable(double wanted, const std::vector<double>& steps) {
        // Of the reference a run, and one with twice as many steps.
        const double most = std::min(most_operations / work_per_time(per_step_, steps),
                                     most_reference_operations / 3 * reference_step_ / plan_.reference_operations);
        if (most >= wanted) {
            return wanted;
        }
        plan_.shortened_from = wanted;
        return round_number(most);
    }

    void plan_default_steps() {
        const double natural = model_duration(model_->run);
        const double usual = usual_step(*model_, set_.duration > 0 ? set_.duration : natural);
        if (usual == 0) {
            throw InputError(
                "the model has no default step size; give `steps_list = H1,H2,...`, or `[run] step = H` in the model");
        }
        weigh(usual / 2, 8 * usual);
        plan_.duration = set_.duration;
        if (set_.duration == 0) {
            std::vector<double> steps;
            for (std::int64_t finer = 1; finer <= finest_part; finer *= 2) {
                steps.push_back(8 * usual / static_cast<double>(finer));
            }
            const double wanted = natural > 0 ? natural : 400 * usual;
            plan_.duration =
                std::min(wanted, std::max(affordable(wanted, steps), fewest_largest_steps * steps.front()));
            drop_if_whole(wanted);
        }
        const auto coarsest = std::max<std::int64_t>(1, std::llround(std::min(9e14, plan_.duration / (8 * usual))));
        for (std::int64_t finer = 1; finer <= finest_part; finer *= 2) {
            plan_.steps.push_back(coarsest * finer);
        }
    }

    void plan_given_steps() {
        plan_.duration = set_.duration;
        if (set_.duration == 0) {
            const double largest = set_.steps.front(), unit = common_multiple(set_.steps);
            const double natural = model_duration(model_->run);
            const double wanted = unit > 0 && natural > 0 ? natural : 50 * largest;
            weigh(set_.steps.back(), set_.steps.front());
            plan_.duration = affordable(wanted, set_.steps);
            if (unit > 0) {
                plan_.duration = unit * std::max(1.0, std::floor(plan_.duration / unit * (1 + 1e-12)));
            }
            drop_if_whole(wanted);
        }
        for (const double step : set_.steps) {
            plan_.steps.push_back(whole_steps(plan_.duration, step));
        }
        if (per_step_.empty()) {
            weigh(set_.steps.back(), set_.steps.front());
        }
    }

    void drop_if_whole(double wanted) {
        if (plan_.duration >= wanted * (1 - 1e-9)) {
            plan_.shortened_from.reset();
        }
    }

    const Model* model_;
    const RunCost* cost_;
    CompareOptions set_;
    const Method* reference_;
    double reference_step_ = 0;
    std::vector<double> per_step_;  // operations of a step of each method
    ComparePlan plan_;
};

}  // namespace

double ComparePlan::all_operations() const {
    double sum = 0;
    for (const auto& row : operations) {
        sum += runs_per_row * std::accumulate(row.begin(), row.end(), 0.0);
    }
    return sum;
}

std::int64_t ComparePlan::common_parts() const {
    return std::accumulate(steps.begin(), steps.end(), std::int64_t{0},
                           [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
}

PilotRun fly_pilot(const Model& model, const Method& method, double step) {
    Integration integration(model, method, {.step = step, .steps = pilot_steps, .monitor = 0});
    const auto run = Interruptible::run(integration);
    return {run.evaluations, static_cast<double>(std::max<std::int64_t>(1, run.steps_made))};
}

std::vector<Method> reference_candidates(const Model& model, const SystemProperties& properties,
                                         const std::vector<Method>& compared) {
    auto candidates = compared;
    std::ranges::stable_sort(candidates, std::greater{},
                             [&](const Method& m) { return m.claims(model.constraint_rows > 0).order; });
    const auto spec = reference_method(properties, model.constraint_rows);
    if (model.dimension <= most_stage_coordinates && !spec.empty()) {
        candidates.insert(candidates.begin(), method(spec));
    }
    return candidates;
}

ComparePlan compare_plan(const Model& model, const RunCost& cost, const CompareOptions& options,
                         const Method& reference) {
    return Planner(model, cost, options, reference).made();
}

}  // namespace libration
