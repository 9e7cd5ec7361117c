// A symmetric multistep method with its first k - 1 steps made by other methods than its own starter. Arguments:
//   model, method   as for runs; the method is multistep(...)
//   from            the start is the state at this time (lobatto(8) with the step 0.02): a moving state
//   starters        methods; "N * METHOD": N substeps of it for each step
//   steps, duration as for runs
//   powers          m: multipliers of the starting positions with errors +h^m, -h^m in turn, everything else exact; may be
//   omitted
// Numbers of the starter number i, i = 1, 2, ...: energy_i (largest |H - H0| for each step) and order_i, log2 of their
// ratios. Of the power m: multipliers_m and multipliers_order_m. Curves: energy_i and multipliers_m, against the step.
#include "methods/good_step.hpp"
#include "reproduce/computations/list.hpp"
#include "reproduce/recipe_values.hpp"

#include "integrate/start.hpp"
#include "methods/multistep_stepper.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/integrate/trajectory.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct Start {
    std::vector<double> q, p;
};

Start moving_state(System<double>& system, const Model& model, double from) {
    const auto rest = start_state<double>(model, system);
    const auto steps = static_cast<int>(std::lround(from / 0.02));
    if (steps == 0) {
        return {rest.q, rest.p};
    }
    const auto stepper = make_stepper<double>(method("lobatto(8)"), system);
    stepper->start(0, rest.q, rest.p, from / steps);
    for (int n = 0; n < steps; ++n) {
        if (!good_step(stepper->advance())) {
            throw InputError(fmt::format("step {} toward the start at t = {} failed; start earlier", n + 1, from));
        }
        stepper->accept();
    }
    const auto node = stepper->node();
    return {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
}

// N equal substeps as one map.
class Substeps final : public Map<double> {
  public:
    Substeps(System<double>& system, std::unique_ptr<Map<double>> base, int count)
        : matrix_(constraint_matrix(system)), base_(std::move(base)), count_(count), before_(system, *matrix_) {}
    void reserve(std::size_t slots) override { base_->reserve(slots); }
    void prepare(const double& t, State<double>& z, Evaluations<double>& evaluations) override {
        base_->prepare(t, z, evaluations);
    }
    MapReport<double> apply(const Substep<double>& step, const State<double>& z0, State<double>& z1,
                            Evaluations<double>& evaluations) override {
        const double h = step.h / count_;
        MapReport<double> report = base_->apply({step.t, step.t + h, h}, z0, z1, evaluations);
        for (int n = 1; n < count_; ++n) {
            base_->accept();
            std::swap(before_, z1);
            report.join(base_->apply({step.t + n * h, step.t + (n + 1) * h, h}, before_, z1, evaluations));
        }
        return report;
    }
    void accept() override { base_->accept(); }
    void visit(MemoryVisitor<double>& visitor) override { base_->visit(visitor); }

  private:
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    std::unique_ptr<Map<double>> base_;
    int count_;
    State<double> before_;
};

std::unique_ptr<Map<double>> starter_map(System<double>& system, const std::string& text) {
    const auto star = text.find('*');
    const auto base = method(star == std::string::npos ? text : text.substr(text.find_first_not_of(' ', star + 1)));
    if (!base.is_map()) {
        throw InputError(fmt::format("{} is not a one-step method and cannot start another method", base.name()));
    }
    auto map = make_map<double>(base, system);
    if (star == std::string::npos) {
        return map;
    }
    const auto number = text.substr(0, star);
    const double count = constant_value(number, fmt::format("the number of substeps in '{}'", text));
    if (!(count >= 1 && count <= 1e6 && count == std::floor(count))) {
        throw InputError(fmt::format("'{}': the number of substeps must be a whole number, at least 1", text));
    }
    return std::make_unique<Substeps>(system, std::move(map), static_cast<int>(count));
}

// Adds an error to all multipliers that a started method remembers, and G^T times it to the reactions U_q + G^T lambda.
// The memory lists q, reaction and lambda of one position after the other.
class DisturbedMultipliers final : public MemoryVisitor<double> {
  public:
    DisturbedMultipliers(System<double>& system, double error) : system_(&system), error_(error) {}
    void array(std::string_view name, std::span<double> values) override {
        if (name == "q") {
            q_ = values;
        } else if (name == "reaction") {
            const auto& pattern = system_->pattern();
            std::vector<double> entries(pattern.entries()), rounding(pattern.entries());
            system_->jacobian(0, q_, entries, rounding);
            for (std::size_t i = 0; i < pattern.rows(); ++i) {
                for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                    values[pattern.column[e]] += error_ * entries[e];
                }
            }
        } else if (name == "lambda") {
            for (auto& value : values) {
                value += error_;
            }
            error_ = -error_;
        }
    }
    void integer(std::string_view, std::int64_t&) override {}

  private:
    System<double>* system_;
    double error_;
    std::span<double> q_;
};

double energy_error(System<double>& system, const MultistepPair& pair, const std::string& starter, const Start& start,
                    double h, double duration, double multiplier_error = 0) {
    MultistepStepper<double> stepper(system, pair, starter_map(system, starter));
    stepper.start(0, start.q, start.p, h);
    if (multiplier_error != 0) {
        DisturbedMultipliers disturbed(system, multiplier_error);
        stepper.visit(disturbed);
    }
    const double initial = system.energy(0, start.q, start.p);
    double largest = 0;
    const auto steps = std::lround(duration / h) + pair.k / 2;  // nodes are k/2 steps late
    for (long n = 0; n < steps; ++n) {
        const auto report = stepper.advance();
        if (!good_step(report)) {
            throw InputError(fmt::format("started with {}, h = {}, step {} failed", starter, h, n + 1));
        }
        stepper.accept();
        const auto node = stepper.node();
        largest = std::max(largest, std::abs(system.energy(node.t, node.q, node.p) - initial));
    }
    return largest;
}

}  // namespace

Computed multistep_starter(const ComputationArguments& arguments) {
    const auto model = Model::load(arguments.text("model"));
    const auto system = make_system<double>(model);
    const auto pair = multistep_pair_of(method(arguments.text("method")).spec());
    const auto start = moving_state(*system, model, arguments.number("from", 0));
    const auto steps = arguments.numbers("steps");
    const double duration = arguments.number("duration");
    Computed result;
    const auto keep = [&](const std::string& name, const std::string& order, const std::string& title,
                          std::vector<double> errors) {
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            result.numbers[order].push_back(std::log(errors[i] / errors[i + 1]) / std::log(steps[i] / steps[i + 1]));
        }
        result.curves[name] = {title, steps, errors, plot::Style::line_and_points};
        result.numbers[name] = std::move(errors);
    };
    int number = 0;
    for (const auto& starter : arguments.texts("starters")) {
        std::vector<double> errors;
        for (const double h : steps) {
            errors.push_back(energy_error(*system, pair, starter, start, h, duration));
        }
        ++number;
        keep(fmt::format("energy_{}", number), fmt::format("order_{}", number), starter, std::move(errors));
    }
    for (const double m : arguments.numbers("powers")) {
        if (!(m >= 1 && m <= 20 && m == std::floor(m))) {
            throw InputError(fmt::format("'powers' are whole numbers of at least 1, not {}", m));
        }
        std::vector<double> errors;
        for (const double h : steps) {
            errors.push_back(energy_error(*system, pair, "lobatto(8)", start, h, duration, std::pow(h, m)));
        }
        keep(fmt::format("multipliers_{}", m), fmt::format("multipliers_order_{}", m), fmt::format("h^{}", m),
             std::move(errors));
    }
    return result;
}

}  // namespace libration
