// run.at(t): dense output of a run that is over.
#include "gil.hpp"
#include "run_result.hpp"
#include "signals.hpp"

#include "integrate/states_between.hpp"
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::python {

namespace py = pybind11;

namespace {

constexpr std::size_t states_between_looks = 256;

// Rows of a run in the order of its time, which may go backward.
class Rows {
  public:
    explicit Rows(const Recording& states) : states_(&states), sign_(states.rows() > 1 && time(1) < time(0) ? -1 : 1) {}

    // The row at t or before it.
    [[nodiscard]] std::size_t before(double t) const {
        std::size_t low = 0, high = states_->rows();
        while (high - low > 1) {
            const auto middle = low + (high - low) / 2;
            (sign_ * time(middle) <= sign_ * t ? low : high) = middle;
        }
        return low;
    }
    [[nodiscard]] bool holds(double t) const {
        return sign_ * t >= sign_ * time(0) && sign_ * t <= sign_ * time(states_->rows() - 1);
    }
    [[nodiscard]] double time(std::size_t row) const { return states_->values(Recording::t, row)[0]; }

  private:
    const Recording* states_;
    double sign_;
};

void require_neighbours(const Sample& left, const Sample& right, double t, bool at_given_times) {
    if (at_given_times) {
        throw InputError(fmt::format("at: the run was recorded at given times, and t = {} is not one of them; run it "
                                     "without `at`, or with this time in it",
                                     t));
    }
    if (right.step != left.step + 1) {
        throw InputError(
            fmt::format("at: the steps around t = {} are not recorded (t = {} is step {}, the next recorded "
                        "state is step {}); run with every=1, or with at=[...] for these times",
                        t, left.t, left.step, right.step));
    }
}

}  // namespace

py::dict RunResult::at(const std::vector<double>& times) {
    if (!model) {
        throw InputError(fmt::format("{}: the model of this run is not in the file as a text, so that nothing between "
                                     "its steps can be computed",
                                     path));
    }
    const auto& held = complete_states();
    if (held.rows() == 0) {
        throw InputError("at: the run has recorded no state");
    }
    const Rows rows(held);
    auto found =
        std::make_shared<Recording>(StateSizes{model->dimension, model->multipliers(), model->observables.size()});
    {
        const ReleasedGil released;
        std::optional<StatesBetween> dense;
        for (std::size_t k = 0; k < times.size(); ++k) {
            const double t = times[k];
            if (!rows.holds(t)) {
                throw InputError(fmt::format("at: t = {} is outside of the run, which is recorded from {} to {}", t,
                                             rows.time(0), rows.time(held.rows() - 1)));
            }
            if (k % states_between_looks == 0) {
                look_for_signals_outside();
            }
            const auto row = rows.before(t);
            const auto left = held.sample(row);
            if (left.t == t) {
                found->see(left);
                continue;
            }
            const auto right = held.sample(row + 1);
            require_neighbours(left, right, t, !settings.options.at.empty());
            if (!dense) {
                dense.emplace(*model, method(settings.method(), Doubts::accept), settings.options.start_time);
            }
            auto sample = dense->between(left, right, t);
            sample.t = t;
            found->see(sample);
        }
    }
    py::dict arrays;
    for (std::size_t column = 0; column < Recording::columns; ++column) {
        arrays[Recording::names[column]] = shared_array(*found, static_cast<Recording::Column>(column));
    }
    return arrays;
}

}  // namespace libration::python
