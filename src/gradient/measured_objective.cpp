// From a table to points of the run, and from their states to rows.
#include "measured_objective.hpp"

#include <libration/text/error.hpp>

#include <cassert>
#include <cmath>

namespace libration {

namespace {

void require_table(const Measurements& data) {
    if (data.columns.empty() || data.t.empty()) {
        throw InputError({.argument = "data",
                          .problem = data.t.empty() ? "the table has no rows" : "the table has no column of values",
                          .remedy = "give a column 't' and a column for each measured quantity"});
    }
    for (const auto& column : data.columns) {
        if (column.values.size() != data.t.size() || (!column.sd.empty() && column.sd.size() != data.t.size())) {
            throw InputError(
                {.argument = "data",
                 .problem = fmt::format("the column '{}' has {} values and {} standard deviations for {} "
                                        "times",
                                        column.formula, column.values.size(), column.sd.size(), data.t.size())});
        }
    }
}

Loss measured_formulas(const Model& model, const Measurements& data) {
    require_table(data);
    std::vector<Expression> formulas;
    for (const auto& column : data.columns) {
        formulas.push_back(
            state_formula(model, column.formula, fmt::format("the column '{}' of the data", column.formula)));
    }
    return loss_of(model, std::move(formulas), "the data");
}

void require_number(const MeasuredValue& one, const std::string& column, std::size_t row) {
    if (!std::isfinite(one.t)) {
        throw InputError({.argument = "data",
                          .problem = fmt::format("the time of row {} is not a finite number", row + 1),
                          .remedy = "give a time for each measured value"});
    }
    if (std::isinf(one.value)) {
        throw InputError({.argument = "data",
                          .problem = fmt::format("the value of {} at t = {} is infinite", column, one.t),
                          .remedy = "leave the cell empty if nothing was measured"});
    }
    if (!(one.sd > 0 && std::isfinite(one.sd))) {
        throw InputError({.argument = "data",
                          .problem = fmt::format("the standard deviation sd_{} at t = {} is {}", column, one.t, one.sd),
                          .remedy = "give a positive number; omit the column to give all values the same weight"});
    }
}

// As dense output judges it.
double time_rounding(double t) { return 4 * epsilon<double>() * std::abs(t); }

}  // namespace

std::vector<MeasuredValue> measured_values(const Measurements& data) {
    require_table(data);
    std::vector<MeasuredValue> values;
    for (std::size_t row = 0; row < data.t.size(); ++row) {
        for (std::size_t k = 0; k < data.columns.size(); ++k) {
            const auto& column = data.columns[k];
            const MeasuredValue one{data.t[row], k, column.values[row], column.sd.empty() ? 1 : column.sd[row]};
            if (!std::isnan(one.value)) {
                require_number(one, column.formula, row);
                values.push_back(one);
            }
        }
    }
    if (values.empty()) {
        throw InputError({.argument = "data",
                          .problem = "the table has no measured value: all cells are empty",
                          .remedy = "give at least one value"});
    }
    return values;
}

MeasuredObjective::MeasuredObjective(const Model& model, const Measurements& data, const IntegrationOptions& run)
    : Objective(model, measured_formulas(model, data)), data_(data), values_(measured_values(data)),
      sign_(run.step > 0 ? 1 : -1) {
    if (!(std::isfinite(run.step) && run.step != 0)) {
        throw InputError("the step size is missing; give `step = H`, or `[run] step = H` in the model");
    }
}

std::optional<double> MeasuredObjective::last_time() const {
    return std::ranges::max_element(values_, {}, [&](const MeasuredValue& one) { return sign_ * one.t; })->t;
}

void MeasuredObjective::plan(IntegrationOptions& run, const StepSequence& steps) {
    if (!run.steps) {
        const double last = steps.place(*last_time());
        run.steps = static_cast<std::int64_t>(std::max(0.0, std::ceil(last - 1e-9)));
    }
    require_inside(*run.steps, steps);
    add_nodes(*run.steps, steps);
    asked_ = nodes_;
    for (const auto& one : values_) {
        asked_.push_back(one.t);
    }
    std::ranges::sort(asked_, {}, [&](double t) { return sign_ * t; });
    asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
    std::ranges::sort(nodes_);
    run.at = asked_;
}

void MeasuredObjective::require_inside(std::int64_t count, const StepSequence& steps) const {
    const double first = steps.time(0), last = steps.time(count);
    for (const auto& one : values_) {
        const double rounding = std::max(time_rounding(first), time_rounding(last));
        if (one.t < std::min(first, last) - rounding || one.t > std::max(first, last) + rounding) {
            const bool before = (one.t - first) * sign_ < 0;
            throw InputError({.argument = "data",
                              .problem = before
                                             ? fmt::format("there is a value at t = {}, before the start of the run "
                                                           "at t = {}",
                                                           one.t, first)
                                             : fmt::format("there is a value at t = {}, but the run goes from t = {} "
                                                           "to t = {}",
                                                           one.t, first, last),
                              .remedy = before ? "remove it, or count the time from the start of the run"
                                               : "remove it, or omit `duration` and `steps`: the run then ends at the "
                                                 "last measured time"});
        }
    }
}

void MeasuredObjective::add_nodes(std::int64_t count, const StepSequence& steps) {
    store_each(count);
    for (std::int64_t n = 0; n < count; n += stored_every_) {
        nodes_.push_back(steps.time(n));
    }
    nodes_.push_back(steps.time(count));
    constexpr double near = 1e-6;  // so near to a node, rounding may say which one is before it
    for (const auto& one : values_) {
        const double place = steps.place(one.t);
        for (const double n : {std::floor(place - near), std::floor(place), std::floor(place + near)}) {
            if (n >= 0 && n <= static_cast<double>(count)) {
                nodes_.push_back(steps.time(static_cast<std::int64_t>(n)));
            }
        }
    }
}

std::optional<RunFailure> MeasuredObjective::conclude(const Run& run) {
    if (seen_.size() != asked_.size()) {  // the run warns of it and says why
        return RunFailure{.step = run.steps,
                          .t = run.t,
                          .kind = "gradient",
                          .message =
                              run.warnings.empty() ? "not all predictions could be computed" : run.warnings.back()};
    }
    for (std::size_t k = 0; k < asked_.size(); ++k) {
        const bool is_node = std::ranges::binary_search(nodes_, asked_[k]);
        if (is_node && (states_.empty() || states_.back().step != seen_[k].step)) {
            states_.push_back(seen_[k]);
        }
    }
    take_rows();
    return std::nullopt;
}

void MeasuredObjective::take_rows() {
    std::vector<ReadPoint> points(asked_.size());
    rows_.resize(values_.size());
    for (std::size_t k = 0; k < values_.size(); ++k) {
        const auto& one = values_[k];
        const auto found = std::ranges::lower_bound(asked_, sign_ * one.t, {}, [&](double t) { return sign_ * t; });
        const auto place = static_cast<std::size_t>(found - asked_.begin());
        const auto& state = seen_[place];
        read(state);
        require_smooth(one.column, data_.columns[one.column].formula);
        rows_[k] = formula_value(one.column);
        const double deviation = (rows_[k] - one.value) / one.sd;
        value_ += deviation * deviation;
        auto& point = points[place];
        if (point.readings.empty()) {
            const auto node = std::ranges::lower_bound(states_, state.step, {}, &RunState::step);
            assert(node != states_.end() && node->step == state.step);
            point = {.step = state.step, .elapsed = state.t - node->t, .t = state.t, .q = state.q, .p = state.p};
        }
        point.readings.push_back(
            {.formula = one.column, .row = k, .weight = 2 * deviation / one.sd, .curvature = 2 / one.sd / one.sd});
    }
    std::erase_if(points, [](const ReadPoint& point) { return point.readings.empty(); });
    readings_ = Readings(std::move(points));
}

}  // namespace libration
