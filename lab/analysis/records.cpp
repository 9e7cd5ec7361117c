#include "records.hpp"

#include "integrate/run_record.hpp"

namespace libration {

namespace {

// One record for each item of a list.
template <class T, class Describe>
std::vector<ResultValue> described(const std::vector<T>& items, Describe describe) {
    std::vector<ResultValue> list;
    for (const auto& item : items) {
        RecordWriter fields;
        describe(fields, item);
        list.emplace_back(std::move(fields.record));
    }
    return list;
}

void describe_window(RecordWriter& fields, const OrderWindow& window) {
    fields("length", window.length);
    fields("duration", window.duration);
    fields("shorter", window.shorter);
    fields("kinks", window.kinks);
    fields("later", window.later);
    fields("text", window_text(window));
}

void describe_finding(RecordWriter& fields, const Finding& finding) {
    fields("claim", finding.claim);
    fields("claimed", finding.claimed);
    fields("measured", finding.measured);
    fields("verdict", to_string(finding.verdict));
}

void describe_rung(RecordWriter& fields, const Rung& rung) {
    fields("steps", rung.steps);
    fields("h", rung.h);
    fields("failed", rung.failed);
    fields("q", rung.q);
    fields("p", rung.p);
    fields("lambda", rung.lambda);
    fields("position", rung.position);
    fields("hidden", rung.hidden);
}

void describe_row(RecordWriter& fields, const CompareRow& row) {
    fields("method", row.method);
    fields("step", row.step);
    fields("steps", row.steps);
    fields("error_q", row.error_q);
    fields("error_p", row.error_p);
    fields("error_lambda", row.error_lambda);
    fields("energy_error", row.energy_error);
    fields("evaluations", record_of(row.evaluations));
    fields("seconds", row.seconds);
    fields("status", to_string(row.failure ? RunStatus::failed : RunStatus::completed));
    if (row.failure) {
        fields("failure", record_of(*row.failure));
    }
}

void describe_assembly(RecordWriter& fields, const CheckedAssembly& assembly) {
    fields("gap_before", assembly.gap_before);
    fields("gap", assembly.gap);
    fields("steps", assembly.steps);
    fields.named("moved", assembly.parts, [](RecordWriter& one, const CheckedAssembly::Part& part) {
        one("by", part.by);
        if (part.body) {
            one("angle", part.angle);
        }
    });
    fields("branch", assembly.branch);
    std::vector<ResultValue> branches;
    for (const auto& branch : assembly.branches) {
        RecordWriter one;
        one("distance", branch.distance);
        one("q", branch.q);
        branches.emplace_back(std::move(one.record));
    }
    fields("branches", std::move(branches));
}

}  // namespace

Record record_of(const ModelCheck& check) {
    RecordWriter fields;
    fields("model", check.name);
    fields("ok", check.faults.empty());
    fields("dimension", check.dimension);
    fields("constraints", check.constraints);
    fields("rank", check.rank);
    fields("mobility", check.mobility);
    fields("redundant", std::vector<ResultValue>(check.redundant.begin(), check.redundant.end()));
    fields("immobile", check.immobile);
    fields("at_dead_point", check.at_dead_point);
    if (check.reaction_length) {
        fields.group("reactions", [&](RecordWriter& inner) {
            inner("length", *check.reaction_length);
            inner("undetermined", check.undetermined);
        });
    }
    fields("energy", check.energy);
    fields.group("constraint", [&](RecordWriter& inner) {
        inner("max", check.position_residual);
        inner("hidden_max", check.hidden_residual);
    });
    if (check.assembly) {
        fields.group("assembly", [&](RecordWriter& inner) { describe_assembly(inner, *check.assembly); });
    }
    if (check.start) {
        fields("start", record_of(*check.start));
    }
    fields("derivative_error", check.derivative_error);
    fields("faults", check.faults);
    fields("warnings", check.warnings);
    return std::move(fields.record);
}

Record record_of(const Certificate& certificate) {
    const auto& measured = certificate.measurement;
    RecordWriter fields;
    fields("method", certificate.method);
    fields("model", certificate.model);
    fields("confirmed", certificate.with(Verdict::contradicted).empty());
    fields("claims", described(certificate.findings, describe_finding));
    fields("constrained", measured.constrained);
    fields.group("window", [&](RecordWriter& inner) { describe_window(inner, measured.window); });
    fields.group("reference", [&](RecordWriter& inner) {
        inner("source", measured.reference);
        inner("accuracy", measured.reference_accuracy);
    });
    fields("ladder", described(measured.ladder, describe_rung));
    return std::move(fields.record);
}

Record record_of(const Comparison& comparison) {
    const auto& reference = comparison.reference;
    RecordWriter fields;
    fields("model", comparison.model);
    fields("duration", comparison.duration);
    fields.when(comparison.shortened_from.has_value(), "shortened_from", comparison.shortened_from.value_or(0));
    if (comparison.start) {
        fields("start", record_of(*comparison.start));
    }
    fields.when(comparison.horizon.has_value(), "horizon", comparison.horizon.value_or(0));
    fields.when(comparison.compared_at.has_value(), "compared_at", comparison.compared_at.value_or(0));
    fields("complete", comparison.complete);
    fields.group("reference", [&](RecordWriter& inner) {
        inner("method", reference.method);
        inner("steps", reference.steps);
        inner("precision", reference.quadruple ? "quadruple" : "double");
        inner("accuracy", reference.accuracy);
    });
    fields("rows", described(comparison.rows, describe_row));
    return std::move(fields.record);
}

}  // namespace libration
