// Work and precision of several methods.
#include <libration/analysis/compare.hpp>
#include <libration/model/model.hpp>

#include "choose/candidates.hpp"
#include "compare_plan.hpp"
#include "compare_progress.hpp"
#include "compare_reference.hpp"
#include "integrate/projected_start.hpp"
#include "integrate/redundancy.hpp"

#include "interruption.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/text/error.hpp>

#include <limits>

namespace libration {

namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
// Runs that are shorter than this, with their setup, are timed three times.
constexpr double short_run_seconds = 0.02;
// In a step, beside which monitors cost nothing.
constexpr std::int64_t many_evaluations = 30;

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

// The state at one node.
class NodeKeeper final : public Observer {
  public:
    NodeKeeper(std::int64_t step, bool multipliers) : step_(step), multipliers_(multipliers) {}
    void see(const Sample& sample) override {
        if (sample.step == step_) {
            q = {sample.q.begin(), sample.q.end()};
            p = {sample.p.begin(), sample.p.end()};
            lambda.assign(sample.lambda.begin(), multipliers_ ? sample.lambda.end() : sample.lambda.begin());
        }
    }
    std::vector<double> q, p, lambda;

  private:
    std::int64_t step_;
    bool multipliers_;
};

EndState end_state(const NodeKeeper& node) {
    const auto fine = [](const std::vector<double>& values) {
        std::vector<Fine> result;
        for (const double value : values) {
            result.push_back(from_double<Fine>(value));
        }
        return result;
    };
    return {fine(node.q), fine(node.p), fine(node.lambda)};
}

class Comparer {
  public:
    Comparer(const Model& model, const ComparePlan& plan, const CompareTarget& target, CompareMeter& meter)
        : model_(&model), plan_(&plan), target_(&target), meter_(&meter) {}

    CompareRow row(const Method& method, std::int64_t steps, double operations) {
        // The step is that of the list up to its last digits: all runs end at the same time.
        IntegrationOptions options{.step = plan_->duration / static_cast<double>(steps), .steps = steps};
        meter_->begin(fmt::format("{}, step {:.4g}", method.name(), options.step), operations);
        const auto node = steps / plan_->common_parts() * target_->part;
        options.every = node;
        NodeKeeper keeper(node, !model_->carried);  // they are not unique where rows are redundant
        const auto run = made(method, options, &keeper);
        CompareRow row{run.method,   run.step,     steps,           not_measured, not_measured,
                       not_measured, not_measured, run.evaluations, run.seconds,  run.failure};
        if (!run.failure) {
            if (target_->state) {
                const auto error = difference(end_state(keeper), *target_->state);
                row.error_q = error.q;
                row.error_p = error.p;
                row.error_lambda = keeper.lambda.empty() ? not_measured : error.lambda;
            }
            row.energy_error = run.energy.conserved ? run.energy.max_error : not_measured;
            row.seconds = typical_seconds(run, method, options);
        }
        meter_->end();
        return row;
    }

  private:
    Run made(const Method& method, const IntegrationOptions& options, Observer* observer) {
        Integration integration(*model_, method, options);
        if (observer != nullptr) {
            integration.observe(*observer);
        }
        meter_->watch(integration, observer != nullptr ? 0.0 : 0.5, observer != nullptr ? 0.5 : 1.0);
        return Interruptible::run(integration);
    }

    // Of the steps alone, without the monitors of `run`.
    double typical_seconds(const Run& run, const Method& method, IntegrationOptions options) {
        const bool is_short = run.setup_seconds + run.seconds < short_run_seconds;
        const auto& counts = run.evaluations;
        if (!is_short && counts.force + counts.constraint + counts.jacobian > many_evaluations * run.steps) {
            return run.seconds;
        }
        options.monitor = 0;
        std::vector<double> times{made(method, options, nullptr).seconds};
        while (is_short && times.size() < 3) {
            times.push_back(made(method, options, nullptr).seconds);
        }
        std::ranges::sort(times);
        return times[times.size() / 2];
    }

    const Model* model_;
    const ComparePlan* plan_;
    const CompareTarget* target_;
    CompareMeter* meter_;
};

Model compared_model(const Model& given, const CompareOptions& options, std::optional<StartChange>& change) {
    if (!options.project) {
        return carrying(with_assembled_start(given, 0));
    }
    auto projected = with_projected_start(given);
    change = projected.change;
    return carrying(projected.model);
}

void compare_all(Comparison& result, const Model& model, System<double>& system, const CompareOptions& set,
                 CompareMeter& meter) {
    const auto& properties = system.properties();
    const RunCost cost(system);
    const auto candidates = reference_candidates(model, properties, set.methods);
    const auto plan = compare_plan(model, cost, set, candidates.front());
    result.duration = plan.duration;
    result.shortened_from = plan.shortened_from;
    meter.expect(target_operations(plan) + plan.all_operations(), 1 + set.methods.size() * plan.steps.size());
    const auto target = compare_target(model, properties, cost, set.methods, candidates, plan, meter);
    result.reference = target.reference;
    result.horizon = target.horizon;
    if (target.state) {
        const auto parts = plan.common_parts();
        result.compared_at = target.part == parts
                                 ? plan.duration
                                 : plan.duration * static_cast<double>(target.part) / static_cast<double>(parts);
    }
    Comparer comparer(model, plan, target, meter);
    for (std::size_t k = 0; k < set.methods.size(); ++k) {
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            auto row = comparer.row(set.methods[k], plan.steps[i], 2 * plan.operations[k][i]);
            row.error_p = properties.partitioned ? row.error_p : not_measured;
            row.energy_error = properties.hamiltonian ? row.energy_error : not_measured;
            result.rows.push_back(std::move(row));
        }
    }
}

}  // namespace

double CompareRow::error() const { return std::isnan(error_p) ? error_q : std::max(error_q, error_p); }

Comparison compare(const Model& given, const CompareOptions& options) {
    Comparison result;
    const auto model = compared_model(given, options, result.start);
    const auto system = make_system<double>(model);
    auto set = options;
    if (set.methods.empty()) {
        set.methods = default_methods(system->properties(), system->constraints());
    }
    check_methods(set.methods, *system);
    const auto start = start_state<double>(model, *system);
    if (const auto fault = start_fault(model, *system, start.q, start.p); !fault.empty()) {
        throw InputError(fault);
    }
    result.model = model.name;
    result.constrained = system->constraints() > 0;
    CompareMeter meter(options);
    try {
        compare_all(result, model, *system, set, meter);
        result.complete = true;
    } catch (const Interrupted&) {
        return result;  // with the rows that there are
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
