// Least squares slope of the energy against time.
#pragma once

#include <libration/integrate/run.hpp>

#include <algorithm>

namespace libration::conformance {

struct Trend final : Observer {
    void see(const Sample& sample) override {
        ++n;
        const double dt = sample.t - mean_t;
        mean_t += dt / n;
        mean_h += (sample.energy - mean_h) / n;
        tt += dt * (sample.t - mean_t);
        th += dt * (sample.energy - mean_h);
        low = std::min(low, sample.energy);
        high = std::max(high, sample.energy);
    }
    [[nodiscard]] double slope() const { return th / tt; }
    double n = 0, mean_t = 0, mean_h = 0, tt = 0, th = 0, low = 1e300, high = -1e300;
};

}  // namespace libration::conformance
