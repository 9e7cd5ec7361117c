// The largest step that reaches an error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {

struct Found {
    std::int64_t steps = 0;  // 0: not found
    double error = HUGE_VAL;
};

// The number of steps, a multiple of `blocks`, with which error_of(steps) is `wanted` or a little less; the error goes
// with a power of the step, roughly. An infinite error says that the step was too long.
template <class Error>
Found find_steps(std::int64_t first, std::int64_t blocks, int power, double wanted, Error&& error_of) {
    Found best;
    double steps = static_cast<double>(first);
    for (int trial = 0; trial < 12; ++trial) {
        const auto count = static_cast<std::int64_t>(std::ceil(steps / static_cast<double>(blocks))) * blocks;
        if (count == best.steps) {
            break;
        }
        const double error = error_of(count);
        if (error <= wanted && (best.steps == 0 || count < best.steps)) {
            best = {count, error};
        }
        if (error <= wanted && error > 0.8 * wanted) {
            break;
        }
        steps *= std::isfinite(error) ? std::clamp(std::pow(error / (0.9 * wanted), 1.0 / power), 0.5, 2.0) : 1.6;
    }
    return best;
}

}  // namespace bench
