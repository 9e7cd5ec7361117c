// Work and precision of several methods.
#include <libration/analysis/compare.hpp>
#include <libration/model/model.hpp>

#include "choose/candidates.hpp"
#include "integrate/redundancy.hpp"
#include "reference_solution.hpp"

#include "interruption.hpp"
#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/text/error.hpp>

#include <limits>

namespace libration {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
// Runs shorter than this are timed three times.
constexpr double short_run_seconds = 0.2;
// Evaluations times coordinates that the reference may take, about ten seconds in quadruple precision.
constexpr double reference_work = 8e6;
// Errors of runs in double end at 1e-16; nothing is gained by a better reference.
constexpr double reference_goal = 1e-18;
// With more coordinates, the equations of eight stages take minutes in quadruple precision.
constexpr std::size_t most_fine_coordinates = 64;

// The step that a user would take, from the model or else from the duration; 0 if neither says anything.
double usual_step(const Model& model, double duration) {
    const auto& run = model.run;
    if (run.step) {
        return std::abs(*run.step);
    }
    if (duration == 0 && run.duration) {
        duration = std::abs(*run.duration);
    }
    return duration / 400;
}

void fill_in(const Model& model, CompareOptions& set) {
    for (const double step : set.steps) {
        if (!std::isfinite(step) || step <= 0) {
            throw InputError(fmt::format("the step size {} cannot be used; step sizes must be positive", step));
        }
    }
    if (!std::isfinite(set.duration) || set.duration < 0) {
        throw InputError(fmt::format("the duration {} must be positive", set.duration));
    }
    if (set.steps.empty()) {
        const double usual = usual_step(model, set.duration);
        if (usual == 0) {
            throw InputError(
                "the model has no default step size; give `steps_list = H1,H2,...`, or `[run] step = H` in the model");
        }
        set.duration = set.duration > 0 ? set.duration : 400 * usual;
        const double coarsest = std::max(1.0, std::round(set.duration / (8 * usual)));
        for (int finer = 1; finer <= 16; finer *= 2) {
            set.steps.push_back(set.duration / (coarsest * finer));
        }
        return;
    }
    std::ranges::sort(set.steps, std::greater{});
    const auto again = std::ranges::unique(set.steps);
    set.steps.erase(again.begin(), again.end());
    set.duration = set.duration > 0 ? set.duration : 50 * set.steps.front();
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

void check_methods(const std::vector<Method>& methods, System<double>& system) {
    for (auto one = methods.begin(); one != methods.end(); ++one) {
        if (const auto reason = unmet_needs(*one, system.properties(), system.constraints()); !reason.empty()) {
            throw InputError(reason);
        }
        if (std::find_if(methods.begin(), one, [&](const Method& m) { return m.name() == one->name(); }) != one) {
            throw InputError(fmt::format("the method '{}' is given twice", one->name()));
        }
    }
}

// Without multipliers where they are not unique.
Run run_to_end(const Model& model, const Method& method, const IntegrationOptions& options) {
    Integration integration(model, method, options);
    auto run = Interruptible::run(integration);
    if (model.carried) {
        run.lambda.clear();
    }
    return run;
}

EndState end_of(const Run& run) {
    const auto fine = [](const std::vector<double>& values) {
        std::vector<Fine> result;
        for (const double value : values) {
            result.push_back(from_double<Fine>(value));
        }
        return result;
    };
    return {fine(run.q), fine(run.p), fine(run.lambda)};
}

struct Target {
    CompareReference reference;
    std::optional<EndState> state;
};

// By a method of high order in quadruple precision, where the model is small enough for it.
Target fine_target(const Model& model, const SystemProperties& properties, const CompareOptions& set) {
    const Subject subject{
        nullptr,
        &model,
        {.step = 4 * set.steps.front(), .duration = set.duration, .exact = {}, .work = reference_work / 4},
        {},
        properties};
    // Eight stages with a few corrections each: no run is begun that would take more than everything.
    if (model.dimension > most_fine_coordinates ||
        8 * set.duration / subject.options.step * static_cast<double>(model.dimension) > reference_work / 8) {
        return {};
    }
    const auto system = make_system<Fine>(model);
    const auto start = kicked_start<Fine>(model, *system, {});
    auto solution = reference_solution(subject, *system, start, reference_goal);
    if (!solution) {
        return {};
    }
    if (model.carried) {
        solution->state.lambda.clear();
    }
    return {{solution->method, solution->steps, sizeof(Fine) > sizeof(double), solution->accuracy}, solution->state};
}

// In double, with half of the smallest step: by the method of high order where the model is small, otherwise by that of
// the highest order among those compared; the first that gets through.
Target own_target(const Model& model, const SystemProperties& properties, const CompareOptions& set) {
    auto methods = set.methods;
    std::ranges::stable_sort(methods, std::greater{},
                             [&](const Method& m) { return m.claims(model.constraint_rows > 0).order; });
    const auto spec = reference_method(properties, model.constraint_rows);
    if (model.dimension <= most_fine_coordinates && !spec.empty()) {
        methods.insert(methods.begin(), method(spec));
    }
    const auto steps = 2 * whole_steps(set.duration, set.steps.back());
    for (const auto& method : methods) {
        const auto run_with = [&](std::int64_t n) {
            return run_to_end(model, method, {.step = set.duration / static_cast<double>(n), .steps = n, .monitor = 0});
        };
        const auto fine = run_with(steps), coarse = run_with(steps / 2);
        if (!fine.failure && !coarse.failure) {
            const auto change = difference(end_of(coarse), end_of(fine));
            return {{method.name(), steps, false, std::max({change.q, change.p, change.lambda})}, end_of(fine)};
        }
    }
    return {{"", 0, false, not_known}, std::nullopt};
}

double typical_seconds(const Model& model, const Method& method, IntegrationOptions options) {
    options.monitor = 0;  // the steps alone
    std::vector<double> times{run_to_end(model, method, options).seconds};
    while (times.size() < 3 && times.front() < short_run_seconds) {
        times.push_back(run_to_end(model, method, options).seconds);
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

CompareRow compare_row(const Model& model, const Method& method, std::int64_t steps, double duration,
                       const Target& target) {
    // The step is that of the list up to its last digits: all runs end at the same time.
    const IntegrationOptions options{.step = duration / static_cast<double>(steps), .steps = steps};
    const auto run = run_to_end(model, method, options);
    CompareRow row{run.method, run.step,  steps,           not_known,   not_known,
                   not_known,  not_known, run.evaluations, run.seconds, run.failure};
    if (run.failure) {
        return row;
    }
    if (target.state) {
        const auto error = difference(end_of(run), *target.state);
        row.error_q = error.q;
        row.error_p = error.p;
        row.error_lambda = run.lambda.empty() ? not_known : error.lambda;
    }
    row.energy_error = run.energy.conserved ? run.energy.max_error : not_known;
    row.seconds = typical_seconds(model, method, options);
    return row;
}

}  // namespace

double CompareRow::error() const { return std::isnan(error_p) ? error_q : std::max(error_q, error_p); }

Comparison compare(const Model& given, const CompareOptions& options) {
    const auto model = carrying(given);
    const auto system = make_system<double>(model);
    const auto& properties = system->properties();
    auto set = options;
    if (set.methods.empty()) {
        set.methods = default_methods(properties, system->constraints());
    }
    check_methods(set.methods, *system);
    fill_in(model, set);
    std::vector<std::int64_t> counts;
    for (const double step : set.steps) {
        counts.push_back(whole_steps(set.duration, step));
    }
    const auto start = start_state<double>(model, *system);
    if (const auto fault = start_fault(model, *system, start.q, start.p); !fault.empty()) {
        throw InputError(fault);
    }
    auto target = fine_target(model, properties, set);
    if (!target.state) {
        target = own_target(model, properties, set);
    }
    Comparison result{model.name, set.duration, system->constraints() > 0, target.reference, {}};
    for (const auto& method : set.methods) {
        for (const auto steps : counts) {
            auto row = compare_row(model, method, steps, set.duration, target);
            row.error_p = properties.partitioned ? row.error_p : not_known;
            row.energy_error = properties.hamiltonian ? row.energy_error : not_known;
            result.rows.push_back(std::move(row));
        }
    }
    return result;
}

std::vector<Method> default_methods(const SystemProperties& properties, std::size_t constraints) {
    return usual_methods(properties, constraints);
}

std::vector<std::string> split_methods(std::string_view text) {
    std::vector<std::string> items{""};
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
        if (c == ',' && depth <= 0) {
            items.emplace_back();
        } else {
            items.back() += c;
        }
    }
    for (auto& item : items) {
        const auto first = item.find_first_not_of(" \t");
        if (first == std::string::npos) {
            throw InputError(fmt::format(
                "the list of methods '{}' has an empty item; write it as \"rattle, compose(rattle, kahanli8)\"", text));
        }
        item = item.substr(first, item.find_last_not_of(" \t") - first + 1);
    }
    return items;
}

}  // namespace libration
