// What can be said of an ensemble before its first step.
#include "varied_model.hpp"

#include <libration/ensemble/ensemble.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

void require_room(double numbers, const std::string& what, const std::string& remedy) {
    if (numbers > static_cast<double>(most_sampled_numbers)) {
        throw InputError(fmt::format("{} need {:.3g} GiB, the limit is {} GiB; {}", what,
                                     numbers * 8 / (std::int64_t{1} << 30), (most_sampled_numbers * 8) >> 30U, remedy));
    }
}

double nodes(std::int64_t steps, std::int64_t every) {
    return (every > 0 ? static_cast<double>(steps) / static_cast<double>(every) : 0) + 2;
}

}  // namespace

void check_ensemble_size(const Model& model, const IntegrationOptions& options, std::size_t count, bool trajectories) {
    const auto steps = count_steps(options);
    const auto channels = static_cast<double>(model.dimension + 1 + model.observables.size());
    require_room(static_cast<double>(count) * nodes(steps, options.monitor) * channels,
                 fmt::format("the statistics of {} trajectories at {:.0f} times", count, nodes(steps, options.monitor)),
                 "use fewer trajectories, or monitor less often (a larger `monitor`)");
    if (trajectories) {
        require_room(nodes(steps, options.every) * 2 * static_cast<double>(model.dimension * trajectories_a_batch),
                     fmt::format("{} recorded trajectories", trajectories_a_batch),
                     "record less often (a larger `every`)");
    }
}

void check_ensemble(const Model& model, const Method& method, const IntegrationOptions& options,
                    const EnsembleOptions& ensemble) {
    if (options.adaptive || !options.at.empty() || !options.stop_if.empty() || !options.events.empty()) {
        throw InputError("ensembles use one constant step size: adaptive step sizes, output times, events and stop "
                         "conditions are not supported");
    }
    if (options.every < 1) {
        throw InputError(fmt::format("every = {}: it must be at least 1 (record every K-th step)", options.every));
    }
    if (options.monitor < 0) {
        throw InputError(
            fmt::format("monitor = {}: it must be at least 0 (0: only at start and end)", options.monitor));
    }
    if (ensemble.values.count() == 0) {
        throw InputError(
            "the ensemble has no trajectories; vary a parameter or an initial value, and give a count of at least 1");
    }
    const VariedModel names(model, ensemble.values);
    const auto system = make_system<double>(model);
    if (const auto reason = unmet_needs(method, system->properties(), system->constraints()); !reason.empty()) {
        throw InputError(reason);
    }
    check_ensemble_size(model, options, ensemble.values.count(), ensemble.trajectories);
}

}  // namespace libration
