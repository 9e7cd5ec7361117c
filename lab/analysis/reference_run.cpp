// A run again, with another method and smaller steps.
#include "analysis/reference_run.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace libration {

namespace {

Method reference_for(const Model& model, const std::string& spec) {
    if (!spec.empty()) {
        return method(spec);
    }
    const auto system = make_system<double>(model);
    const auto found = reference_method(system->properties(), system->constraints());
    if (found.empty()) {
        throw InputError("no high-order method can compute a reference solution for this model: choose a method with "
                         "the option 'reference'");
    }
    return method(found);
}

// Keeps the states of some nodes, or of all that it sees.
class StateKeeper final : public Observer {
  public:
    StateKeeper(std::vector<std::int64_t> wanted, bool all) : wanted_(std::move(wanted)), all_(all) {}
    void see(const Sample& sample) override {
        if (!all_ && (states.size() == wanted_.size() || sample.step != wanted_[states.size()])) {
            return;
        }
        auto& state = states.emplace_back(sample.q.begin(), sample.q.end());
        state.insert(state.end(), sample.p.begin(), sample.p.end());
    }
    States states;

  private:
    std::vector<std::int64_t> wanted_;
    bool all_;
};

}  // namespace

ReferenceRuns::ReferenceRuns(const Trajectory& trajectory, const std::string& spec)
    : trajectory_(&trajectory), method_(reference_for(trajectory.model, spec)), step_(trajectory.options.step) {
    if (!at_nodes()) {
        const double duration = trajectory.t.back() - trajectory.options.start_time;
        step_ = duration / static_cast<double>(std::max<std::int64_t>(1, trajectory.step.back()));
    }
}

std::string ReferenceRuns::name(int parts) const {
    return fmt::format("{} with steps of {:.6g}", to_string(method_.spec()), step_ / parts);
}

States ReferenceRuns::divided(int parts) {
    const auto& from = *trajectory_;
    IntegrationOptions options{.step = step_ / parts, .monitor = 0};
    options.project = from.options.project;
    options.start_time = from.options.start_time;
    std::vector<std::int64_t> wanted;
    if (at_nodes()) {
        std::int64_t every = 0;
        for (const auto step : from.step) {
            wanted.push_back(step * parts);
            every = std::gcd(every, wanted.back());
        }
        options.steps = wanted.back();
        options.every = std::max<std::int64_t>(1, every);
    } else {
        options.duration = from.t.back() - from.options.start_time;
        options.at = from.t;
    }
    StateKeeper keeper(wanted, !at_nodes());
    const auto run = integrate(from.model, method_, options, keeper);
    if (run.status != RunStatus::completed || keeper.states.size() != from.rows()) {
        failure_ = run.failure ? run.failure->message : "the times of the reference run differ";
        return {};
    }
    return std::move(keeper.states);
}

}  // namespace libration
