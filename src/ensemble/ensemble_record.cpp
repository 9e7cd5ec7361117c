// Values of an ensemble by name.
#include "ensemble_record.hpp"

#include "integrate/chosen_record.hpp"
#include "integrate/run_record.hpp"

#include <algorithm>

namespace libration {

namespace {

using ValueList = std::vector<ResultValue>;

template <class Fields, class Result>
void describe_ensemble(Fields& fields, Result& result) {
    fields("model", result.model);
    fields("method", result.method);
    fields("threads", result.threads);
    fields.derived("in_lanes", result.lanes_note.empty());
    fields("step", result.step);
    fields("steps", result.steps);
    fields("monitor", result.monitor);
    fields.derived("count", result.trajectories.size());
    fields("complete", result.complete);
    fields.group("backend", [&](auto& inner) {
        inner("name", result.backend);
        inner("reason", result.lanes_note);
    });
    if (fields.present("chosen", result.chosen.has_value())) {
        fields.group("chosen", [&](auto& inner) { describe_chosen(inner, held(result.chosen)); });
    }
    fields("seconds", result.seconds);
    fields("trajectory_steps", result.steps_made);
    fields("warnings", result.warnings);
}

void describe_verdicts(RecordWriter& fields, const EnsembleResult& result) {
    const auto shares = verdict_shares(result.trajectories);
    fields.group("verdicts", [&](auto& inner) {
        inner("good", shares.good);
        inner("rough", shares.rough);
        inner("meaningless", shares.meaningless);
        inner("none", shares.none);
    });
}

ValueList failures_of(const EnsembleResult& result, std::size_t longest) {
    ValueList list;
    for (std::size_t k = 0; k < result.trajectories.size() && list.size() < longest; ++k) {
        if (const auto& failure = result.trajectories[k].failure) {
            Record one;
            one.add("trajectory", k);
            auto words = record_of(*failure);
            std::ranges::move(words.entries, std::back_inserter(one.entries));
            list.emplace_back(std::move(one));
        }
    }
    return list;
}

ValueList trajectories_of(const EnsembleResult& result) {
    ValueList list;
    for (std::size_t k = 0; k < result.trajectories.size(); ++k) {
        const auto& outcome = result.trajectories[k];
        RecordWriter one;
        one.group("varied", [&](RecordWriter& varied) {
            for (std::size_t name = 0; name < result.values.names.size(); ++name) {
                varied(result.values.names[name], result.values.at(k, name));
            }
        });
        one("status", to_string(outcome.status));
        one("steps", outcome.steps);
        for (const auto& [name, member] : outcome_numbers) {
            one(name, outcome.*member);
        }
        one("q", outcome.q);
        one("p", outcome.p);
        list.emplace_back(std::move(one.record));
    }
    return list;
}

Record statistics_of_channel(const EnsembleResult& result, std::size_t channel) {
    const std::size_t nodes = result.times.size(), width = result.channels.size();
    Record one;
    for (const auto& [name, member] : statistic_numbers) {
        std::vector<double> values;
        for (std::size_t node = 0; node < nodes; ++node) {
            values.push_back(result.by_node[node * width + channel].*member);
        }
        one.add(name, std::move(values));
    }
    ValueList quantiles;
    for (std::size_t node = 0; node < nodes; ++node) {
        const auto& found = result.by_node[node * width + channel].quantiles;
        quantiles.emplace_back(std::vector<double>(found.begin(), found.end()));
    }
    one.add("quantiles", std::move(quantiles));
    return one;
}

Record statistics_of_all(const EnsembleResult& result) {
    const std::size_t width = result.channels.size();
    ValueList counts;
    for (std::size_t node = 0; node < result.times.size(); ++node) {
        counts.emplace_back(result.by_node[node * width].count);
    }
    Record all;
    all.add("t", result.times);
    all.add("count", std::move(counts));
    all.add("percents", ValueList(quantile_percents.begin(), quantile_percents.end()));
    Record channels;
    for (std::size_t channel = 0; channel < width; ++channel) {
        channels.add(result.channels[channel], statistics_of_channel(result, channel));
    }
    all.add("of", std::move(channels));
    return all;
}

}  // namespace

Record record_of(const EnsembleResult& result, std::size_t longest) {
    RecordWriter writer;
    describe_ensemble(writer, result);
    if (!result.complete) {
        return std::move(writer.record);
    }
    for (const auto status : {RunStatus::completed, RunStatus::stopped, RunStatus::failed}) {
        writer(to_string(status), result.count(status));
    }
    describe_verdicts(writer, result);
    writer("failures", failures_of(result, longest));
    const bool few_trajectories = result.trajectories.size() <= longest, few_times = result.times.size() <= longest;
    writer.record.add("trajectories", few_trajectories ? ResultValue(trajectories_of(result)) : ResultValue());
    writer.record.add("statistics", few_times ? ResultValue(statistics_of_all(result)) : ResultValue());
    return std::move(writer.record);
}

Record record_of_call(const EnsembleResult& result) {
    RecordWriter writer;
    describe_ensemble(writer, result);
    std::erase_if(writer.record.entries, [](const ResultEntry& entry) {
        return entry.name == "model" || entry.name == "method" || entry.name == "step" || entry.name == "steps" ||
               entry.name == "monitor" || entry.name == "count";
    });
    return std::move(writer.record);
}

void read_call(const Record& record, EnsembleResult& result) {
    RecordReader reader(record);
    describe_ensemble(reader, result);
}

}  // namespace libration
