// Running pilots and comparing their states.
#include "pilot.hpp"

#include "integrate/redundancy.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace libration {

namespace {

// Numbers that all states of a pilot may have together.
constexpr std::size_t most_numbers = 4'000'000;

// States at every K-th node; the start is dropped.
class StateKeeper final : public Observer {
  public:
    StateKeeper(Pilot& pilot, bool partitioned) : pilot_(&pilot), partitioned_(partitioned) {}
    void see(const Sample& sample) override {
        if (sample.step == 0) {
            return;
        }
        pilot_->q.emplace_back(sample.q.begin(), sample.q.end());
        pilot_->p.emplace_back();
        if (partitioned_) {
            pilot_->p.back().assign(sample.p.begin(), sample.p.end());
        }
        double twice = 0;
        for (std::size_t k = 0; k < sample.p.size(); ++k) {
            twice += sample.p[k] * sample.v[k];
        }
        pilot_->kinetic = std::max(pilot_->kinetic, std::abs(twice) / 2);
    }

  private:
    Pilot* pilot_;
    bool partitioned_;
};

double largest_size(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

double largest_change(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double change = std::abs(a[k] - b[k]);
        most = std::isfinite(change) ? std::max(most, change) : std::numeric_limits<double>::infinity();
    }
    return most;
}

// Momenta that are round-off have no relative error: what is this much smaller than on the way counts as this.
constexpr double smallest_part = 1e-10;

double ratio_of(double change, double size, double size_on_the_way) {
    const double scale = std::max(size, smallest_part * size_on_the_way);
    return change == 0 ? 0 : change / (scale > 0 ? scale : 1);
}

}  // namespace

PilotDifference difference_of(const Pilot& coarse, const Pilot& fine) {
    PilotDifference result;
    const std::size_t states = std::gcd(coarse.q.size(), fine.q.size());
    if (states == 0) {
        result.end = std::numeric_limits<double>::infinity();
        return result;
    }
    const std::size_t coarse_stride = coarse.q.size() / states, fine_stride = fine.q.size() / states;
    double q_size = 0, p_size = 0;
    for (std::size_t k = 1; k <= states; ++k) {
        const std::size_t c = k * coarse_stride - 1, f = k * fine_stride - 1;
        const double q_now = largest_size(fine.q[f]), p_now = largest_size(fine.p[f]);
        q_size = std::max(q_size, q_now);
        p_size = std::max(p_size, p_now);
        const double dq = largest_change(coarse.q[c], fine.q[f]), dp = largest_change(coarse.p[c], fine.p[f]);
        result.t.push_back(std::abs(fine.duration) * static_cast<double>(k) / static_cast<double>(states));
        result.relative.push_back(std::max(ratio_of(dq, q_size, q_size), ratio_of(dp, p_size, p_size)));
        result.end = std::max(ratio_of(dq, q_now, q_size), ratio_of(dp, p_now, p_size));
    }
    return result;
}

PilotRuns::PilotRuns(const Model& model, const ChooseOptions& options)
    : model_(carrying(model, options.start_time)), options_(&options), system_(make_system<double>(model_)),
      work_(model_, *system_) {
    model_.events.clear();  // one may end a run
}

std::int64_t PilotRuns::usual_states() const {
    std::int64_t states = most_states;
    while (states > 1 && static_cast<std::size_t>(states) * model_.dimension > most_numbers) {
        states /= 2;
    }
    return states;
}

void PilotRuns::tell(const std::string& text) const {
    if (options_->progress) {
        options_->progress(text);
    }
}

Pilot PilotRuns::run(const Method& method, std::int64_t steps, double duration, std::int64_t states) {
    tell(fmt::format("{}, {} steps over {:.4g}", method.name(), steps, duration));
    Pilot pilot;
    pilot.steps = steps;
    pilot.duration = duration;
    IntegrationOptions options{.step = duration / static_cast<double>(steps), .steps = steps};
    options.every = std::max<std::int64_t>(1, steps / std::max<std::int64_t>(states, 1));
    options.project = options_->project;
    options.start_time = options_->start_time;
    StateKeeper keeper(pilot, properties().partitioned);
    Integration integration(model_, method, options);
    integration.observe(keeper, Integration::Look::states);
    if (options_->stop != nullptr) {
        integration.stop_on(*options_->stop);
    }
    const auto run = integration.run();
    if (options_->stop != nullptr && options_->stop->requested()) {
        throw ChoiceInterrupted();
    }
    pilot.work = work_.of(run, method);
    pilot.seconds = run.seconds;
    spent_ += pilot.work;
    pilot.energy_error = run.energy.conserved && properties().hamiltonian ? run.energy.max_error
                                                                          : std::numeric_limits<double>::quiet_NaN();
    if (run.failure) {
        pilot.failure = run.failure->message;
    }
    return pilot;
}

}  // namespace libration
