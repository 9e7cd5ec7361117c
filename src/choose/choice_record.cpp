// A choice as named values.
#include <libration/choose/choose.hpp>

namespace libration {

Record record_of(const Choice& choice) {
    RecordWriter fields;
    fields("model", choice.model);
    fields("method", choice.method);
    fields("step", choice.step);
    fields("steps", choice.steps);
    fields("duration", choice.duration);
    fields.group("asked", [&](auto& inner) {
        inner.when(choice.asked.error.has_value(), "error", choice.asked.error.value_or(0));
        inner.when(choice.asked.energy_error.has_value(), "energy_error", choice.asked.energy_error.value_or(0));
    });
    fields.group("predicted", [&](auto& inner) {
        inner("error", choice.predicted.error);
        inner("energy_error", choice.predicted.energy_error);
        inner("seconds", choice.predicted.seconds);
    });
    fields("reason", choice.reason);
    fields("criterion", choice.criterion);
    fields("growth", to_string(choice.growth));
    fields.when(choice.horizon > 0, "horizon", choice.horizon);
    fields("window", choice.window);
    fields.when(choice.energy_limit > 0, "energy_limit", choice.energy_limit);
    fields.when(choice.fastest > 0, "fastest_time_scale", choice.fastest);
    fields.when(choice.slowest > 0, "slowest_time_scale", choice.slowest);
    fields("work", choice.work);
    fields("pilot_work", choice.pilot_work);
    std::vector<ResultValue> candidates;
    for (const auto& candidate : choice.candidates) {
        RecordWriter one;
        one("method", candidate.method);
        one("step", candidate.step);
        one("error", candidate.error);
        one("energy_error", candidate.energy_error);
        one("work", candidate.work);
        one("verdict", candidate.verdict);
        candidates.emplace_back(std::move(one.record));
    }
    fields("candidates", candidates);
    return std::move(fields.record);
}

}  // namespace libration
