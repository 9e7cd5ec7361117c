// Warnings before the first step.
#include "method_warnings.hpp"
#include <libration/kit/method_record.hpp>

#include "fastest_frequency.hpp"

#include <fmt/format.h>

#include <cmath>

namespace libration {

std::string untraced_warning(const System<double>& system) {
    return fmt::format(
        "{} of the model cannot be traced: every evaluation calls a function, which is slow; nothing is compiled, and "
        "features that need more than double precision or exact derivatives are not available",
        system.properties().untraced);
}

std::vector<std::string> method_warnings(const Method& method, System<double>& system, const StartState<double>& start,
                                         const IntegrationOptions& options) {
    std::vector<std::string> warnings;
    const auto& record = method.record();
    if (!system.properties().untraced.empty()) {
        warnings.push_back(untraced_warning(system));
    }
    if (record.caution != nullptr && system.constraints() > 0) {
        if (const auto caution = record.caution(method.spec()); !caution.empty()) {
            warnings.push_back(fmt::format("{}: {}", method.name(), caution));
        }
    }
    if (record.periodicity == nullptr) {
        return warnings;
    }
    // Oscillations that are faster than a method can follow make it unstable. Motions that are not small contain
    // multiples of their frequencies, which meet those of the parasitic roots long before that: seen from a third of
    // the interval on.
    constexpr double share_for_large_motions = 0.25;
    const double limit = record.periodicity(method.spec());
    const double frequency = fastest_frequency(system, options.start_time, start.q, start.p);
    const double found = std::abs(options.step) * frequency;
    if (!(limit > 0) || !std::isfinite(limit) || found <= share_for_large_motions * limit) {
        return warnings;
    }
    const auto what = fmt::format(
        "the fastest oscillation at the start has the frequency {:.3g}, so |h| omega = {:.3g}", frequency, found);
    const double safe = share_for_large_motions * limit / frequency;
    warnings.push_back(found > limit
                           ? fmt::format("the step {:.6g} is beyond the interval of periodicity of {}: {}, and the "
                                         "limit is {:.4g}; no |h| above"
                                         " {:.2g} can be stable, and large motions need about {:.2g}",
                                         options.step, method.name(), what, limit, limit / frequency, safe)
                           : fmt::format("the step {:.6g} is large for {}: {}, and the limit for small motions is "
                                         "{:.4g}; if the energy grows or steps fail, use |h| below about {:.2g}",
                                         options.step, method.name(), what, limit, safe));
    return warnings;
}

}  // namespace libration
