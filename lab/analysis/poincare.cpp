// The run once more, with an event attached.
#include "poincare.hpp"
#include <libration/model/model.hpp>

#include "integrate/extremes.hpp"

#include "integrate/quantity.hpp"
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

class Crossings final : public Observer {
  public:
    Crossings(const Trajectory& trajectory, const Event& event, const std::vector<std::string>& quantities,
              PoincareSection& section)
        : trajectory_(&trajectory), number_(trajectory.model.events.size()),
          value_(trajectory.model, event.value, "the event"), section_(&section) {
        for (const auto& text : quantities) {
            quantities_.emplace_back(trajectory.model, text, fmt::format("the quantity '{}'", text));
        }
        section.values.resize(quantities.size());
    }

    void see(const Sample& sample) override {
        if (row_ < trajectory_->rows() && sample.step == trajectory_->step[row_]) {
            compare(sample.q, trajectory_->q[row_]);
            compare(sample.p, trajectory_->p[row_]);
            section_->compared = ++row_;
        }
    }

    void happen(std::size_t event, bool, const Sample& sample) override {
        if (event != number_) {
            return;
        }
        auto& found = *section_;
        found.t.push_back(sample.t);
        const Node<double> node{
            sample.t, sample.q, {}, sample.p, sample.observables.first(trajectory_->model.windings.size())};
        found.section = std::max(found.section, std::abs(value_.value(node, sample.v, sample.lambda)));
        found.constraint = std::max(found.constraint, sample.constraint);
        found.hidden = std::max(found.hidden, sample.hidden);
        low_ = found.t.size() == 1 ? sample.energy : std::min(low_, sample.energy);
        high_ = found.t.size() == 1 ? sample.energy : std::max(high_, sample.energy);
        found.energy_spread = high_ - low_;
        for (std::size_t k = 0; k < quantities_.size(); ++k) {
            found.values[k].push_back(quantities_[k].value(sample, trajectory_->energy.front()));
        }
    }

  private:
    void compare(std::span<const double> now, std::span<const double> recorded) {
        for (std::size_t j = 0; j < recorded.size(); ++j) {
            if (!(std::isnan(now[j]) && std::isnan(recorded[j])) && now[j] != recorded[j]) {
                section_->difference =
                    std::max(section_->difference, finite_or_infinite(std::abs(now[j] - recorded[j])));
            }
        }
    }

    const Trajectory* trajectory_;
    std::size_t number_, row_ = 0;
    NodeFormula value_;
    std::vector<Quantity> quantities_;
    PoincareSection* section_;
    double low_ = 0, high_ = 0;
};

}  // namespace

PoincareSection poincare_section(const Trajectory& trajectory, const std::string& event,
                                 const std::vector<std::string>& quantities) {
    const auto& model = trajectory.model;
    auto options = trajectory.options;
    options.events = {read_event(model, event, 1)};
    options.monitor = 0;
    if (!options.adaptive && options.at.empty()) {
        options.steps = trajectory.step.back();  // of a run that ended early, no more than there is
        options.duration.reset();
    }
    PoincareSection section{.event = event};
    Crossings crossings(trajectory, options.events[0], quantities, section);
    Integration integration(model, method(trajectory.method, Doubts::accept), options);
    integration.observe(crossings);
    const auto run = integration.run();
    if (run.status == RunStatus::failed) {
        if (section.t.empty()) {
            throw InputError(fmt::format("the run could not be repeated: {}", run.failure->message));
        }
        section.failure = fmt::format("at t = {:.6g}: {}", run.failure->t, run.failure->message);
    }
    const auto& summary = run.events.back();
    section.smallest = summary.smallest;
    section.largest = summary.largest;
    return section;
}

}  // namespace libration
