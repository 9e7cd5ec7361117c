// One run, and the tangents of it.
#include "tangent_work.hpp"

#include "integrate/assembly.hpp"
#include "row_groups.hpp"

#include "directions.hpp"
#include "obstacle.hpp"
#include "second_derivatives.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/text/error.hpp>

#include <algorithm>
#include <unordered_map>

namespace libration {

namespace {

// A generic pair of tangents keeps omega to rounding times growth; a method that is not symplectic does not. Much more
// than rounding, because stiff terms enlarge it inside of a step, and far less than anybody would notice in a gradient.
constexpr double largest_defect = 1e-10;

void require_known_steps(const Model& model, const IntegrationOptions& options, bool may_end_early) {
    const auto ends = [](const Event& event) { return event.terminal; };
    const bool terminal = std::ranges::any_of(options.events, ends) || std::ranges::any_of(model.events, ends);
    if ((terminal && !may_end_early) || !options.stop_if.empty()) {
        throw InputError(
            "the run may end at an event or a condition; gradients are known at the end of a given "
            "number of steps only: remove terminal events and `stop_if`, or give `loss = at(EVENT, EXPR)`");
    }
}

// Where an assembly leads to depends on parameters and rough values in a way that is not differentiated.
void require_given_start(const Model& model, const IntegrationOptions& options) {
    if (model.assembly && !options.project && assembled_start(model, options.start_time)) {
        throw InputError(model.assembly->place,
                         "`[assembly]` moves the start of this run, and an assembly is not differentiated: let "
                         "`project` move the initial values instead; if they are too rough for that, write the "
                         "assembled values, which `libration check` lists as JSON, under `[initial]`");
    }
}

// Before the run, which may be long. Of a large model only after it, by start_check.hpp: along each unknown alone this
// takes the time of a start.
void require_start_that_follows(const Model& model, const IntegrationOptions& options,
                                std::span<const Unknown> unknowns) {
    constexpr std::size_t at_most = 1'000'000;
    if (options.project || unknowns.size() * model.dimension > at_most) {
        return;
    }
    std::vector<Unknown> parameters;
    std::ranges::copy_if(unknowns, std::back_inserter(parameters),
                         [](const Unknown& unknown) { return unknown.kind == Unknown::Kind::parameter; });
    for (const auto& group : grouped(parameters, dual_width)) {
        const auto along = directions_of_model<double>(model, group, options.start_time);
        if (const auto k = leaving_direction<double>(along, group, options.start_time)) {
            refuse_start(group[*k]);
        }
    }
}

struct NodeTimes final : Observer {
    void see(const Sample& sample) override { times.push_back(sample.t); }
    void visit(ProgressBytes& bytes) { bytes(times); }
    std::vector<double> times;
};

// The memory of a run, with what its observer saw up to there.
template <class Observing>
class RunKeeper final : public CheckpointSink {
  public:
    RunKeeper(GradientFile& progress, std::string part, Observing& observer)
        : progress_(&progress), part_(std::move(part)), observer_(&observer) {}

    // Continues what was kept.
    void restore(Integration& integration) {
        if (const auto* kept = progress_->find(part_)) {
            ProgressBytes bytes(*kept);
            std::string memory;
            bytes(memory, seconds_);
            observer_->visit(bytes);
            integration.restore(std::as_bytes(std::span(memory)));
        }
    }

    void save(std::span<const std::byte> memory, const Run& so_far) override {
        ProgressBytes bytes;
        std::string copy(reinterpret_cast<const char*>(memory.data()), memory.size());
        double seconds = seconds_ + so_far.seconds;
        bytes(copy, seconds);
        observer_->visit(bytes);
        progress_->keep(part_, bytes);
    }

    // Of all calls that had a share in the run.
    [[nodiscard]] double seconds(const Run& run) const { return seconds_ + run.seconds; }

  private:
    GradientFile* progress_;
    std::string part_;
    Observing* observer_;
    double seconds_ = 0;
};

RunFailure failure_of(const TangentFailure& failure) {
    return {.step = failure.step, .t = failure.t, .kind = "gradient", .message = failure.message};
}

// One group or all must have room for a generic tangent.
std::vector<std::vector<Unknown>> forward_groups(const std::vector<Unknown>& unknowns, bool all) {
    auto groups = grouped(unknowns, dual_width);
    if (all || std::ranges::all_of(groups, [](const auto& group) { return group.size() == dual_width; })) {
        groups = grouped(unknowns, dual_width - 1);
    }
    return groups;
}

}  // namespace

TangentWork::TangentWork(const Model& model, const Method& method, const GradientOptions& options, bool matrix)
    : model_(&model), method_(&method), options_(&options), matrix_(matrix), unknowns_(unknowns_of(model, options.by)),
      sequence_(options.run.start_time, options.run.step), objective_(Objective::make(model, method, options)) {
    if (!options.hessian_along.empty()) {
        require_second_derivatives(model, method, options);
        direction_ = direction_of(model, options.hessian_along);
    }
    require_given_start(model, options.run);
    require_known_steps(model, options.run, objective_->may_end_early());
    require_start_that_follows(model, options.run, unknowns_);
    if (options.run.adaptive && !objective_->takes_adaptive_steps()) {
        throw InputError({.argument = "adaptive",
                          .problem = "losses with integrals or events are differentiated with steps of equal size only",
                          .remedy = "omit `adaptive`, and give a `step`"});
    }
}

TangentOutcome TangentWork::made(GradientFile* progress) {
    progress_ = progress;
    if (run()) {
        differentiate();
        judge();
        if (!direction_.empty() && !result_.failure) {
            differentiate_twice();
        }
    }
    return std::move(result_);
}

bool TangentWork::run() {
    auto options = options_->run;
    if (options.adaptive) {
        if (!freeze_steps(options)) {
            return false;
        }
    } else if (options.steps || options.duration || !options_->data) {
        options.steps = count_steps(options);
    }
    options.duration.reset();
    options.monitor = 0;
    options.at.clear();
    objective_->plan(options, sequence_);
    const auto outcome = observed_run(options, *objective_, "run");
    if (!result_.failure) {
        result_.failure = objective_->conclude(outcome);
    }
    return !result_.failure;
}

template <class Observing>
Run TangentWork::observed_run(const IntegrationOptions& options, Observing& observer, const std::string& part) {
    Integration integration(*model_, *method_, options);
    integration.observe(observer, Integration::Look::states);
    if (const auto* stop = objective_->enough() != nullptr ? objective_->enough() : options_->stop; stop != nullptr) {
        integration.stop_on(*stop);
    }
    std::optional<RunKeeper<Observing>> keeper;
    if (progress_ != nullptr) {
        keeper.emplace(*progress_, part, observer);
        keeper->restore(integration);
        integration.checkpoint_to(*keeper, options_->checkpoint_seconds);
    }
    auto outcome = integration.run();
    if (keeper) {
        outcome.seconds = keeper->seconds(outcome);
    }
    result_.steps = outcome.steps;
    result_.run_seconds = outcome.seconds;
    result_.setup_seconds = outcome.setup_seconds;
    result_.warnings = outcome.warnings;
    result_.failure = outcome.failure;
    if (options_->stop != nullptr && options_->stop->requested()) {
        throw GradientStopped{};
    }
    return outcome;
}

// An adaptive run is made twice: first to learn its steps, by which the second one is planned.
bool TangentWork::freeze_steps(IntegrationOptions& options) {
    if (const auto last = objective_->last_time(); last && !options.steps && !options.duration) {
        options.duration = *last - options.start_time;
    }
    auto first = options;
    first.every = 1;
    first.monitor = 0;
    first.at.clear();
    NodeTimes nodes;
    options.steps = observed_run(first, nodes, "steps").steps;
    if (!result_.failure) {
        sequence_ = StepSequence(std::move(nodes.times));
    }
    return !result_.failure;
}

TangentTask TangentWork::task() {
    const auto& start = objective_->states().front();
    return {.model = model_,
            .method = method_,
            .loss = &objective_->loss(),
            .start = {start.t, start.q, start.p, options_->run.project},
            .sequence = sequence_,
            .steps = result_.steps,
            .stop = options_->stop,
            .backend = options_->run.backend,
            .readings = &objective_->readings(),
            .rows = matrix_ ? objective_->rows().size() : 0,
            .progress = progress_};
}

void TangentWork::differentiate() {
    const auto task = this->task();
    if (options_->mode == GradientMode::forward ||
        (options_->mode == GradientMode::automatic && forward_is_cheaper(task))) {
        go_forward(task);
        return;
    }
    const auto extended = extended_model(*model_, unknowns_);
    auto why_not = obstacle(*method_, extended, task.readings->between_nodes());
    if (!why_not.empty() && options_->mode == GradientMode::backward) {
        throw InputError({.argument = "mode",
                          .value = "backward",
                          .problem = "there is no backward run, because " + why_not,
                          .remedy = "use `mode = forward`"});
    }
    if (why_not.empty()) {
        go_backward(task, extended);
        if (!result_.failure || options_->mode == GradientMode::backward) {
            return;
        }
        why_not = result_.failure->message;
        result_.failure.reset();
    }
    result_.why_forward = why_not;
    go_forward(task);
}

// Of a matrix, whose rows travel some at a time; a gradient is one row.
bool TangentWork::forward_is_cheaper(const TangentTask& task) const {
    if (!matrix_) {
        return false;
    }
    const auto runs = static_cast<std::int64_t>(forward_groups(unknowns_, false).size());
    return runs * task.steps <= row_steps(*task.readings);
}

void TangentWork::go_backward(const TangentTask& task, const ExtendedModel& extended) {
    result_.mode = GradientMode::backward;
    const auto inverse = inverse_of(*method_, extended);
    const auto run = matrix_ ? run_rows_backward : run_backward;
    auto attempt = task;
    const auto made = [&](const char* part) {
        attempt.part = part;
        return finished_part<BackwardResult>(
            progress_, part, [&] { return run(attempt, inverse, extended, objective_->states(), unknowns_); });
    };
    auto back = made("backward");
    if (back.failure) {
        attempt.mixed = true;
        back = made("backward, mixed");
    }
    result_.backend = back.backend;
    result_.compiled_steps = back.compiled_steps;
    result_.setup_seconds += back.setup_seconds;
    result_.tangent_growth = back.growth;
    result_.defect = back.defect;
    if (back.failure) {
        result_.failure = failure_of(*back.failure);
        return;
    }
    result_.derivatives = std::move(back.derivatives);
    if (!(back.defect <= largest_defect * back.growth)) {
        result_.failure =
            RunFailure{.step = 0,
                       .t = task.start.t,
                       .kind = "gradient",
                       .message = fmt::format("the steps of {} do not keep the symplectic form, it changes by {:.1e}",
                                              method_->name(), back.defect)};
    }
}

void TangentWork::go_forward(const TangentTask& task) {
    result_.mode = GradientMode::forward;
    result_.tangent_growth = 1;
    result_.defect = 0;
    const std::size_t rows = matrix_ ? task.rows : 1;
    result_.derivatives.assign(rows * unknowns_.size(), 0);
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
        places.emplace(unknowns_[k].name, k);
    }
    std::size_t number = 0;
    for (const auto& group : forward_groups(unknowns_, task.mixed)) {
        auto share = task;
        share.part = fmt::format("forward{}, {}", task.mixed ? ", mixed" : "", ++number);
        const auto along = finished_part<ForwardResult<double>>(progress_, share.part,
                                                                [&] { return run_forward<double>(share, group); });
        if (along.failure && !task.mixed) {
            auto mixed = task;
            mixed.mixed = true;
            go_forward(mixed);
            return;
        }
        if (along.failure) {
            result_.failure = failure_of(*along.failure);
            return;
        }
        result_.tangent_growth = std::max(result_.tangent_growth, along.growth);
        for (std::size_t k = 0; k < group.size(); ++k) {
            const auto place = places.at(group[k].name);
            for (std::size_t r = 0; r < rows; ++r) {
                result_.derivatives[r * unknowns_.size() + place] = matrix_ ? along.rows[r][k] : along.loss.tangent[k];
            }
        }
    }
}

// Along one direction, with the steps and the start of the gradient.
void TangentWork::differentiate_twice() {
    std::vector<double> sizes;
    for (const auto& part : options_->hessian_along) {
        sizes.push_back(part.value);
    }
    auto attempt = task();
    attempt.second = direction_;
    attempt.second_sizes = sizes;
    for (const auto& group : grouped(direction_, dual_width)) {
        static_cast<void>(start_directions<double>(*model_, group, attempt.start));  // refuses what leaves the manifold
    }
    const auto made = [&](const char* part) {
        return finished_part<SecondDerivatives>(progress_, part, [&] {
            return second_derivatives(attempt, unknowns_, forward_groups(unknowns_, attempt.mixed));
        });
    };
    auto found = made("second");
    if (found.failure) {
        attempt.mixed = true;
        found = made("second, mixed");
    }
    if (found.failure) {
        result_.failure = failure_of(*found.failure);
        result_.derivatives.clear();
        return;
    }
    result_.hessian_product = std::move(found.along);
}

// Rounding is enlarged as disturbances are.
void TangentWork::judge() {
    const double error = std::max(epsilon<double>() * result_.tangent_growth, result_.defect) * objective_->condition();
    result_.digits = std::max(0.0, -std::log10(error));
    const bool finite = std::ranges::all_of(result_.derivatives, [](double x) { return std::isfinite(x); });
    if (!result_.failure && (!(result_.digits >= 1) || !finite)) {
        result_.failure = RunFailure{
            .step = result_.steps,
            .t = sequence_.time(result_.steps),
            .kind = "gradient",
            .message = fmt::format("no correct digit is left: the run enlarges a disturbance by {:.1e}; make "
                                   "it shorter",
                                   result_.tangent_growth)};
    }
    if (result_.failure) {
        result_.derivatives.clear();
        result_.digits = 0;
    }
}

}  // namespace libration
