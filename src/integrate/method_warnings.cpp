// Warnings before the first step.
#include "method_warnings.hpp"

#include "fastest_frequency.hpp"

#include <fmt/format.h>

#include <cmath>

namespace libration {

std::vector<std::string> method_warnings(const Method& method, System<double>& system, const StartState<double>& start,
                                         const IntegrationOptions& options) {
    std::vector<std::string> warnings;
    const auto& record = method.record();
    if (record.caution != nullptr && system.constraints() > 0) {
        if (const auto caution = record.caution(method.spec()); !caution.empty()) {
            warnings.push_back(fmt::format("{}: {}", method.name(), caution));
        }
    }
    if (record.periodicity == nullptr) {
        return warnings;
    }
    // Oscillations that are faster than a method can follow make it unstable.
    const double limit = record.periodicity(method.spec());
    const double frequency = fastest_frequency(system, options.start_time, start.q, start.p);
    if (std::abs(options.step) * frequency > limit) {
        warnings.push_back(fmt::format(
            "the step {:.6g} is beyond the interval of periodicity of {}: the fastest oscillation at the start has the"
            " frequency {:.3g}, so h omega = {:.3g}, and the limit is {:.4g}; take a step below about {:.2g}",
            options.step, method.name(), frequency, std::abs(options.step) * frequency, limit, limit / frequency));
    }
    return warnings;
}

}  // namespace libration
