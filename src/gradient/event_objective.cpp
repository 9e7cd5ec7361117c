// From an event to the point where it happened, and how that point moves.
#include "event_objective.hpp"

#include "function_text.hpp"

#include "integrate/row_watch.hpp"
#include "text/suggest.hpp"
#include <libration/integrate/events.hpp>
#include <libration/text/error.hpp>

namespace libration {

namespace {

using D = Dual<double>;
constexpr std::size_t observed = 0, event_value = 1;  // formulas

// Beyond this, the event touches zero instead of crossing it.
constexpr double worst_condition = 1e8;

struct EventLoss {
    std::size_t number;  // of the event
    Event event;
    std::string text, formula;
};

Loss formulas_of(const Model& model, const EventLoss& loss) {
    return loss_of(model, {state_formula(model, loss.formula, "the loss"), loss.event.value}, "the loss");
}

class EventObjective final : public Objective {
  public:
    EventObjective(const Model& model, const Method& method, EventLoss asked, const StopSignal* stop)
        : Objective(model, formulas_of(model, asked)), method_(&method), asked_(std::move(asked)), user_stop_(stop) {}

    void plan(IntegrationOptions& run, const StepSequence&) override {
        run.every = 1;
        step_ = run.step;
        store_each(*run.steps);
    }
    [[nodiscard]] const StopSignal* enough() const override { return &enough_; }
    [[nodiscard]] bool may_end_early() const override { return true; }

    void see(const Sample& sample) override {
        if (user_stop_ != nullptr && user_stop_->requested()) {
            enough_.request();
        }
        if (found_) {
            right_ = state_of(sample);
            return;
        }
        left_ = state_of(sample);
        if (sample.step % stored_every_ == 0) {
            states_.push_back(left_);
        }
    }

    // Shown before the node at or after it.
    void happen(std::size_t number, bool, const Sample& sample) override {
        if (number == asked_.number && !found_) {
            found_ = state_of(sample);
            if (states_.empty() || states_.back().step != left_.step) {
                states_.push_back(left_);
            }
            enough_.request();
        }
    }

    void visit(ProgressBytes& bytes) override {
        bytes(states_, left_, right_, found_);
        if (found_) {
            enough_.request();
        }
    }

    std::optional<RunFailure> conclude(const Run& run) override {
        if (!found_) {
            refuse_absent(run);
        }
        if (auto failure = follow(found_->t - left_.t)) {
            return failure;
        }
        const double range =
            std::max(std::abs(run.events[asked_.number].smallest), std::abs(run.events[asked_.number].largest));
        const double slope = rates_[event_value];
        condition_ = std::max(1.0, range / std::abs(slope * (found_->t - states_.front().t)));
        if (!(condition_ < worst_condition)) {
            throw InputError({.argument = "loss",
                              .value = asked_.text,
                              .problem = fmt::format("the event {} touches zero at t = {} without crossing it: its "
                                                     "time has no derivative",
                                                     asked_.event.name, found_->t),
                              .remedy = "choose an event that passes through zero"});
        }
        read(*found_);
        for (const auto formula : {observed, event_value}) {
            require_smooth(formula, asked_.text);
        }
        value_ = formula_value(observed);
        rows_ = {value_};
        ReadPoint point{.step = left_.step, .elapsed = elapsed_, .t = found_->t, .q = found_->q, .p = found_->p};
        point.readings = {{.formula = observed}, {.formula = event_value, .weight = -rates_[observed] / slope}};
        readings_ = Readings({std::move(point)});
        return std::nullopt;
    }

  private:
    [[noreturn]] void refuse_absent(const Run& run) const {
        const auto& event = run.events[asked_.number];
        throw InputError(
            {.argument = "loss",
             .value = asked_.text,
             .problem = fmt::format("the event {} does not occur from t = {} to t = {}; at the nodes its value is "
                                    "between {:.6g} and {:.6g}",
                                    asked_.event.name, states_.front().t, run.t, event.smallest, event.largest),
             .remedy = "make the run longer, or choose another event"});
    }

    // The state of the event on the dense step and the rates of both formulas along it: with the step as a dual
    // number. The event is refined first, because the rounded time of the run says less than the time since the node.
    // A tangent that starts from zero has no size by which its rounding could be judged: a generic one is added, which
    // travels alone in the other lane.
    std::optional<RunFailure> follow(double elapsed) {
        const auto& after = right_.q.empty() ? *found_ : right_;
        const auto model = with_rows_of_step(*model_, node_of(left_), node_of(after));
        const auto system = make_system<D>(model);
        DenseSteps<D> dense(*system, *method_);
        const auto given = parameter_values<D>(model);
        LossReader<D> reader(loss_, *system, given);
        const Kept left(model, *system, left_), right(model, *system, after);
        for (const bool refined : {false, true}) {
            const D t{left_.t + elapsed, {1}};  // in the lane `moving`
            if (dense.find(left.node(), right.node(), {elapsed, {1}}, t) != DenseSteps<D>::Fault::none) {
                return RunFailure{
                    left_.step, t.value, "gradient",
                    fmt::format("the tangents at the event {} could not be computed; a slightly different "
                                "step may help",
                                asked_.event.name)};
            }
            reader.read(t, dense.q(), dense.p());
            for (const auto formula : {observed, event_value}) {
                const auto& along = reader.value(formula).tangent;
                rates_[formula] = along[moving] - along[generic];
            }
            if (refined) {
                break;
            }
            const double correction = -reader.value(event_value).value / rates_[event_value];
            constexpr double small = 1e-9;
            if (std::abs(correction) <= small * std::abs(step_)) {
                elapsed += correction;
            }
        }
        elapsed_ = elapsed;
        found_->t = left_.t + elapsed;
        for (std::size_t j = 0; j < found_->q.size(); ++j) {
            found_->q[j] = dense.q()[j].value;
            found_->p[j] = dense.p()[j].value;
        }
        return std::nullopt;
    }

    static Node<double> node_of(const RunState& state) { return {state.t, state.q, {}, state.p, state.turns}; }

    static constexpr std::size_t moving = 0, generic = 1;  // lanes

    // A state of the run with the rest of its rounding, and a generic tangent.
    class Kept {
      public:
        Kept(const Model& model, System<D>& system, const RunState& state)
            : t_(from_double<D>(state.t)), q_(system.dimension(), lit<D>(0)), low_(q_), p_(q_) {
            const auto plain = make_system<double>(model);
            for (const double angle : state.turns) {
                turns_.push_back(from_double<D>(angle));
            }
            if (!turns_.empty()) {
                plain->windings()->refer_to(state.turns);
                system.windings()->refer_to(turns_);
            }
            std::vector<double> q(state.q), p(state.p), low(q_.size());
            q.resize(q_.size());
            p.resize(q_.size());
            Manifold<double>(*plain).refine_position(state.t, q, low, p);
            for (std::size_t j = 0; j < q_.size(); ++j) {
                q_[j].value = q[j];
                low_[j].value = low[j];
                p_[j].value = p[j];
            }
            set_generic_direction<double>(system, state.t, q_, p_, generic);
            for (auto* x : {&q_, &p_}) {
                for (auto& value : *x) {
                    value.tangent[moving] = value.tangent[generic];
                }
            }
        }
        [[nodiscard]] Node<D> node() const { return {t_, q_, low_, p_, turns_}; }

      private:
        D t_;
        std::vector<D> q_, low_, p_, turns_;
    };

    const Method* method_;
    EventLoss asked_;
    const StopSignal* user_stop_;
    StopSignal enough_;
    double step_ = 0, elapsed_ = 0;
    RunState left_, right_;
    std::optional<RunState> found_;
    std::array<double, 2> rates_{};
};

}  // namespace

std::unique_ptr<Objective> event_objective(const Model& model, const Method& method, const GradientOptions& options) {
    const auto call = find_call(options.loss, "at");
    if (!call) {
        return nullptr;
    }
    const auto rest = options.loss.substr(0, call->first) + options.loss.substr(call->first + call->size);
    if (rest.find_first_not_of(" \t\n") != std::string::npos || call->arguments.size() != 2) {
        throw InputError({.argument = "loss",
                          .value = options.loss,
                          .problem = "a loss at an event is at(EVENT, EXPR) alone: a formula of the state at the first "
                                     "occurrence of an event",
                          .remedy = "write the whole formula inside, e.g. `loss = at(hit, x^2 + v_y)`"});
    }
    const auto events = all_events(model, options.run.events);
    const auto found = std::ranges::find(events, call->arguments[0], &Event::name);
    if (found == events.end()) {
        std::vector<std::string> names;
        for (const auto& event : events) {
            names.push_back(event.name);
        }
        throw InputError(
            {.argument = "loss",
             .value = options.loss,
             .problem = names.empty() ? "the model has no events"
                                      : fmt::format("there is no event '{}'{}", call->arguments[0],
                                                    suggestion(call->arguments[0], names)),
             .remedy = names.empty() ? "add one under `[[events]]` in the model, or give `events = NAME: EXPR`" : ""});
    }
    return std::make_unique<EventObjective>(
        model, method,
        EventLoss{static_cast<std::size_t>(found - events.begin()), *found, options.loss, call->arguments[1]},
        options.stop);
}

}  // namespace libration
