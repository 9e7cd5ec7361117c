// Small parts of a run's outcome.
#include <libration/integrate/run.hpp>

namespace libration {

Run::Run() = default;
Run::Run(const Run&) = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(const Run&) = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

std::string to_string(RunStatus status) {
    switch (status) {
        case RunStatus::completed: return "completed";
        case RunStatus::stopped: return "stopped";
        default: return "failed";
    }
}

void RecordedStates::add(const Sample& sample) {
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    step.push_back(sample.step);
    t.push_back(sample.t);
    energy.push_back(sample.energy);
    constraint.push_back(sample.constraint);
    hidden.push_back(sample.hidden);
    q.push_back(copy(sample.q));
    p.push_back(copy(sample.p));
    v.push_back(copy(sample.v));
    lambda.push_back(copy(sample.lambda));
    observables.push_back(copy(sample.observables));
}

Sample RecordedStates::sample(std::size_t row) const {
    return {.step = step[row],
            .t = t[row],
            .q = q[row],
            .p = p[row],
            .v = v[row],
            .lambda = lambda[row],
            .observables = observables[row],
            .energy = energy[row],
            .constraint = constraint[row],
            .hidden = hidden[row]};
}

}  // namespace libration
