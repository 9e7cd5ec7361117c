// Errors for several steps; stages by fixed-point iteration.
#include "measured_order.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

struct State {
    Wide y{1}, z{0};
};

constexpr int duration = 4;
constexpr int steps[]{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};

class Stages {
  public:
    Stages(const Tableau& position, std::span<const TreatedForce> forces)
        : position_(&position), forces_(forces.begin(), forces.end()), y_(position.stages), z_(y_), slope_(y_),
          force_(forces.size(), y_) {}

    // Nothing if the stages do not converge.
    std::optional<State> run(int number) {
        State state;
        const Wide h = Wide{duration} / number;
        for (int n = 0; n < number; ++n) {
            if (!solve(state, static_cast<Wide>(n) * h, h)) {
                return std::nullopt;
            }
            for (std::size_t i = 0; i < y_.size(); ++i) {
                state.y += h * position_->b[i] * slope_[i];
                for (const auto& force : force_) {
                    state.z += h * position_->b[i] * force[i];
                }
            }
        }
        return state;
    }

  private:
    const Tableau* position_;
    std::vector<TreatedForce> forces_;
    std::vector<Wide> y_, z_, slope_;
    std::vector<std::vector<Wide>> force_;  // of each kind, at each stage

    bool solve(const State& state, Wide t, Wide h) {
        std::fill(y_.begin(), y_.end(), state.y);
        std::fill(z_.begin(), z_.end(), state.z);
        evaluate(t, h);
        Wide least = 1;
        for (int iteration = 0; iteration < 300; ++iteration) {
            const Wide change = update(state, h);
            evaluate(t, h);
            // At round-off, or no longer smaller though nearly there.
            if (change <= 2 * wide_epsilon || (change >= least && change < Wide{1e3} * wide_epsilon)) {
                return true;
            }
            least = std::min(least, change);
            if (!(change < Wide{1e6})) {
                return false;
            }
        }
        return false;
    }

    void evaluate(Wide t, Wide h) {
        slope_ = z_;
        for (std::size_t m = 0; m < forces_.size(); ++m) {
            for (std::size_t i = 0; i < y_.size(); ++i) {
                force_[m][i] = forces_[m].value(t + position_->c[i] * h, y_[i], z_[i]);
            }
        }
    }

    Wide update(const State& state, Wide h) {
        Wide change = 0;
        for (std::size_t i = 0; i < y_.size(); ++i) {
            Wide y = 0;
            Wide z = 0;
            for (std::size_t j = 0; j < y_.size(); ++j) {
                y += position_->a(i, j) * slope_[j];
                for (std::size_t m = 0; m < forces_.size(); ++m) {
                    z += forces_[m].tableau->a(i, j) * force_[m][j];
                }
            }
            y = state.y + h * y;
            z = state.z + h * z;
            change = std::max({change, wide_abs(y - y_[i]), wide_abs(z - z_[i])});
            y_[i] = y;
            z_[i] = z;
        }
        return change;
    }
};

}  // namespace

std::optional<OscillatorOrder> measured_order(const Tableau& position, std::span<const TreatedForce> forces) {
    const Wide floor = Wide{1e3} * wide_epsilon;  // some hundred steps, each with the round-off of its iteration
    Stages stages(position, forces);
    std::optional<OscillatorOrder> result;
    Wide error_before = 0;
    int steps_before = 0;
    for (const int number : steps) {
        const auto state = stages.run(number);
        if (!state) {
            continue;
        }
        const Wide error =
            std::max(wide_abs(state->y - wide_cos(Wide{duration})), wide_abs(state->z + wide_sin(Wide{duration})));
        if (error < floor) {
            break;
        }
        if (steps_before > 0) {
            const double order =
                std::log(high(error_before / error)) / std::log(static_cast<double>(number) / steps_before);
            result = OscillatorOrder{order, result && std::abs(order - result->order) < 0.25};
        }
        error_before = error;
        steps_before = number;
    }
    return result;
}

std::optional<OscillatorOrder> measured_order(const Tableau& position, const Tableau& momentum) {
    const TreatedForce force[]{{&momentum, [](Wide, Wide y, Wide z) { return -y * (y * y + z * z); }}};
    return measured_order(position, force);
}

}  // namespace libration
