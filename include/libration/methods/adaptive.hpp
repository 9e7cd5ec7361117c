// Options for adaptive step sizes. [Jay 1998, section 9]
#pragma once

#include <optional>
#include <string_view>

namespace [[gnu::visibility("default")]] libration {

struct AdaptiveOptions {
    // reversible: err(h) = TOL^((p~ + 1)/(p + 1)) holds for every step, so that step sizes are time-reversible.
    // standard: the usual controller, which predicts the next step size from the last one and repeats a rejected
    // step.
    enum class Control { reversible, standard };
    // The weights of the error estimate, read from the other end: the same, or the same with the opposite sign.
    enum class Estimator { symmetric, antisymmetric };
    Control control = Control::reversible;
    double tolerance = 0;
    std::optional<Estimator> estimator;  // nothing: symmetric, where there is one
    friend bool operator==(const AdaptiveOptions&, const AdaptiveOptions&) = default;
};

// As options and files write them. An InputError for other names.
std::string_view name(AdaptiveOptions::Control control);
std::string_view name(AdaptiveOptions::Estimator estimator);
AdaptiveOptions::Control control_named(std::string_view name);
AdaptiveOptions::Estimator estimator_named(std::string_view name);

}  // namespace libration
