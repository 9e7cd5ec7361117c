// Values of a run by name.
#include "run_record.hpp"

#include "chosen_record.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

template <class Fields, class Failure>
void describe_failure(Fields& fields, Failure& failure) {
    fields("step", failure.step);
    fields("t", failure.t);
    fields("kind", failure.kind);
    fields("message", failure.message);
}

template <class Fields, class Counts>
void describe_counts(Fields& fields, Counts& counts) {
    fields("force", counts.force);
    fields("constraint", counts.constraint);
    fields("jacobian", counts.jacobian);
    fields("newton_iterations", counts.newton_iterations);
    fields("factorizations", counts.factorizations);
}

template <class Fields, class Change>
void describe_start(Fields& fields, Change& change) {
    fields("how", change.how);
    fields("q", change.q);
    fields("q_name", change.q_name);
    fields("p", change.p);
    fields("p_name", change.p_name);
}

template <class Fields, class R>
void describe_adaptive(Fields& fields, R& run) {
    using Asked = AdaptiveOptions;
    auto& asked = held(run.adaptive.options);
    auto& estimator = held(asked.estimator);
    fields.word(
        "control", asked.control, [](Asked::Control c) { return name(c); }, control_named);
    fields("tol", asked.tolerance);
    fields.word(
        "estimator", estimator, [](Asked::Estimator e) { return name(e); }, estimator_named);
    fields("smallest_step", run.adaptive.smallest);
    fields("largest_step", run.adaptive.largest);
    fields("rejected", run.adaptive.rejected);
}

template <class Fields, class V>
void describe_verdict(Fields& fields, V& verdict) {
    fields.word(
        "word", verdict.word, [](VerdictWord word) { return to_string(word); }, verdict_word_named);
    fields("reasons", verdict.reasons);
}

template <class Fields, class E>
void describe_estimate(Fields& fields, E& estimate) {
    fields("error", estimate.at_end);
    fields("chaotic", estimate.chaotic);
    fields("horizon", estimate.horizon);
    fields.when(!estimate.chaotic, "exponent", estimate.exponent);
    fields.group("compared", [&](auto& inner) {
        inner("steps", estimate.steps);
        inner("duration", estimate.duration);
        inner("error", estimate.error);
        inner("early_error", estimate.early_error);
    });
}

template <class Fields, class R>
void describe_run(Fields& fields, R& run) {
    fields("model", run.model);
    fields("method", run.method);
    fields("order", run.order);
    fields("step", run.step);
    fields("steps", run.steps);
    fields.kept("steps_made", run.steps_made);
    fields("t", run.t);
    fields.word(
        "status", run.status, [](RunStatus status) { return to_string(status); }, status_named);
    if (fields.present("failure", run.failure.has_value())) {
        fields.group("failure", [&](auto& inner) { describe_failure(inner, held(run.failure)); });
    }
    fields.maybe("verdict", run.verdict, [](auto& inner, auto& verdict) { describe_verdict(inner, verdict); });
    fields.maybe("error_estimate", run.error_estimate,
                 [](auto& inner, auto& estimate) { describe_estimate(inner, estimate); });
    fields("q", run.q);
    fields("p", run.p);
    fields("v", run.v);
    fields("lambda", run.lambda);
    if (fields.present("angles", !run.angles.empty())) {
        fields("angles", run.angles);
    }
    fields("seconds", run.seconds);
    fields("setup_seconds", run.setup_seconds);
    fields("monitor", run.monitor);
    fields.group("energy", [&](auto& inner) {
        inner("initial", run.energy.initial);
        inner("final", run.energy.final);
        inner("final_error", run.energy.final_error);
        inner("max_error", run.energy.max_error);
        inner("conserved", run.energy.conserved);
        inner.kept("changed_by", run.energy.changed_by);
        inner.kept("kinetic", run.energy_scale.kinetic);
        inner.kept("potential_low", run.energy_scale.potential_low);
        inner.kept("potential_high", run.energy_scale.potential_high);
        inner.kept("history_t", run.energy_history.t);
        inner.kept("history_error", run.energy_history.error);
        inner.kept("history_stride", run.energy_history.stride);
    });
    fields.group("balance", [&](auto& inner) { inner("max_error", run.balance.max_error); });
    fields.group("constraint", [&](auto& inner) {
        inner("max", run.constraint.max);
        inner("hidden_max", run.constraint.hidden_max);
        inner("max_floors", run.constraint.max_floors);
        inner.kept("hidden_name", run.constraint.hidden_name);
    });
    fields.kept("turn", run.turn);
    if (fields.present("adaptive", run.adaptive.options.has_value())) {
        fields.group("adaptive", [&](auto& inner) { describe_adaptive(inner, run); });
    }
    fields.named("invariants", run.invariants, [](auto& inner, auto& invariant) {
        inner("initial", invariant.initial);
        inner("final", invariant.final);
        inner("max_error", invariant.max_error);
    });
    if (fields.present("events", !run.events.empty())) {
        fields.named("events", run.events, [](auto& inner, auto& event) {
            inner("count", event.count);
            inner.when(event.count > 0, "first", event.first);
            inner.when(event.count > 0, "last", event.last);
            inner("smallest", event.smallest);
            inner("largest", event.largest);
        });
    }
    fields.group("evaluations", [&](auto& inner) { describe_counts(inner, run.evaluations); });
    if (fields.present("chosen", run.chosen.has_value())) {
        fields.group("chosen", [&](auto& inner) { describe_chosen(inner, held(run.chosen)); });
    }
    if (fields.present("start", run.start.has_value())) {
        fields.group("start", [&](auto& inner) { describe_start(inner, held(run.start)); });
    }
    fields.kept("warnings", run.warnings);
    fields.group("backend", [&](auto& inner) {
        inner("name", run.backend.name);
        inner("reason", run.backend.reason);
        inner.kept("seconds", run.backend.seconds);
    });
}

// Nothing where they were too many, or where nobody kept all of them.
ResultValue states_of(const Run& run, const EventRecorder& events) {
    std::size_t happened = 0;
    for (const auto& event : run.events) {
        happened += static_cast<std::size_t>(event.count);
    }
    if (!events.complete || events.states.size() < happened) {
        return {};
    }
    std::vector<ResultValue> list;
    for (const auto& state : events.states) {
        RecordWriter one;
        one("name", run.events[state.event].name);
        one("t", state.t);
        one("rising", state.rising);
        one("q", state.q);
        one("p", state.p);
        one("v", state.v);
        one("lambda", state.lambda);
        list.emplace_back(std::move(one.record));
    }
    return list;
}

}  // namespace

Record record_of(const Run& run) {
    RecordWriter writer;
    describe_run(writer, run);
    return std::move(writer.record);
}

Record record_of(const Run& run, const EventRecorder& events) {
    auto record = record_of(run);
    const auto at = std::ranges::find(record.entries, "events", &ResultEntry::name);
    if (at != record.entries.end()) {
        record.entries.insert(at + 1, ResultEntry{"event_states", states_of(run, events)});
    }
    return record;
}

Run run_of(const Record& record) {
    Run run;
    RecordReader reader(record);
    describe_run(reader, run);
    return run;
}

Record record_of(const RunFailure& failure) {
    RecordWriter writer;
    describe_failure(writer, failure);
    return std::move(writer.record);
}

Record record_of(const EvaluationCounts& counts) {
    RecordWriter writer;
    describe_counts(writer, counts);
    return std::move(writer.record);
}

Record record_of(const StartChange& change) {
    RecordWriter writer;
    describe_start(writer, change);
    return std::move(writer.record);
}

RunStatus status_named(std::string_view name) {
    for (const auto status : {RunStatus::completed, RunStatus::stopped, RunStatus::failed}) {
        if (to_string(status) == name) {
            return status;
        }
    }
    throw FileError(fmt::format("unknown status '{}'", name));
}

}  // namespace libration
