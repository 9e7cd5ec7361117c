// Who calls overrides [run].
#include <libration/integrate/run_defaults.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace libration {

std::string method_for(const Model& model, const GivenRun& given) {
    // Each of these can run the models that it stands for, so that nobody is refused a method that nobody asked for.
    const bool only_spark = !model.nonholonomic.empty() || !model.forces.empty();
    return given.method.value_or(!model.run.method.empty()   ? model.run.method
                                 : only_spark                ? "spark(3)"
                                 : model.field               ? "gauss(2)"
                                 : model.constraint_rows > 0 ? "rattle"
                                                             : "verlet");
}

void set_times(const Model& model, const GivenRun& given, IntegrationOptions& options) {
    const auto& defaults = model.run;
    if (!given.step && !defaults.step) {
        throw InputError("the step is missing; give --step H, or step = H under [run] in the model");
    }
    options.step = given.step ? *given.step : *defaults.step;
    const bool replaced = given.duration || given.steps;
    options.duration = replaced ? given.duration : defaults.duration;
    options.steps = replaced ? given.steps : defaults.steps;
    if (!options.duration && !options.steps) {
        throw InputError("the length of the run is missing; give --duration T or --steps N, or duration = T under "
                         "[run] in the model");
    }
}

Backend backend_named(const std::optional<std::string>& name) {
    if (!name || *name == "auto") {
        return Backend::automatic;
    }
    if (*name == "interpreted") {
        return Backend::interpreted;
    }
    if (*name == "generated") {
        return Backend::generated;
    }
    throw InputError(fmt::format("--backend {}: choose auto, interpreted or generated", *name));
}

unsigned thread_count(const std::optional<std::int64_t>& asked) {
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const auto threads = asked.value_or(cores);
    if (threads < 1 || threads > 1024) {
        throw InputError(fmt::format("--threads {}: it must be from 1 to 1024", threads));
    }
    return static_cast<unsigned>(threads);
}

std::optional<AdaptiveOptions> adaptive_options(const GivenAdaptive& given) {
    if (!given.control) {
        if (given.tolerance || given.estimator) {
            throw InputError(fmt::format("{} belongs to --adaptive; give --adaptive reversible or standard, too",
                                         given.tolerance ? "--tol" : "--estimator"));
        }
        return std::nullopt;
    }
    AdaptiveOptions options;
    options.control = control_named(*given.control);
    if (!given.tolerance) {
        throw InputError("--adaptive needs a tolerance; give --tol TOL, e.g. --tol 1e-8");
    }
    options.tolerance = *given.tolerance;
    if (given.estimator) {
        options.estimator = estimator_named(*given.estimator);
    }
    return options;
}

}  // namespace libration
