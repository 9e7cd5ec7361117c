// Measures see every node that the run shows, figures and analyses what they keep.
#include "reproduce/run_watch.hpp"

namespace libration {

RunWatch::RunWatch(const Model& model, const RecipeRun& run, const IntegrationOptions& options,
                   const std::vector<Column>& columns)
    : every_(run.keep), whole_(!run.analyses.empty()), keeper_(model, run.method, options) {
    for (const auto& measure : run.measures) {
        gauges_.emplace_back(model, measure);
    }
    for (const auto& column : columns) {
        quantities_.emplace(column, Quantity(model, column.formula, "a figure"));
        columns_[column];
    }
}

bool RunWatch::needed() const { return whole_ || !gauges_.empty() || !quantities_.empty(); }

void RunWatch::see(const Sample& sample) {
    if (seen_ == 0) {
        initial_energy_ = sample.energy;
    }
    for (auto& gauge : gauges_) {
        gauge.see(sample, initial_energy_);
    }
    if (!quantities_.empty() || whole_) {
        newest_.is_kept = seen_ % every_ == 0;
        if (newest_.is_kept) {
            keep(sample);
        } else {
            copy(sample);
        }
    }
    ++seen_;
}

void RunWatch::keep(const Sample& sample) {
    for (auto& [column, quantity] : quantities_) {
        if (!column.at_events) {
            columns_[column].push_back(quantity.value(sample, initial_energy_));
        }
    }
    if (whole_) {
        keeper_.see(sample);
    }
}

void RunWatch::copy(const Sample& sample) {
    const auto take = [](std::span<const double>& from, std::vector<double>& to) {
        to.assign(from.begin(), from.end());
        from = to;
    };
    newest_.sample = sample;
    take(newest_.sample.q, newest_.q);
    take(newest_.sample.p, newest_.p);
    take(newest_.sample.v, newest_.v);
    take(newest_.sample.lambda, newest_.lambda);
    take(newest_.sample.observables, newest_.observables);
}

void RunWatch::happen(std::size_t, bool, const Sample& sample) {
    ++events;
    for (auto& [column, quantity] : quantities_) {
        if (column.at_events) {
            columns_[column].push_back(quantity.value(sample, initial_energy_));
        }
    }
}

void RunWatch::finish() {
    if (!newest_.is_kept) {
        keep(newest_.sample);
        newest_.is_kept = true;
    }
}

}  // namespace libration
