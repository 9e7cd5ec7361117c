// The command line overrides [run].
#include "defaults.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration::app {

std::string method_for(const Model& model, const GivenRun& given) {
    return given.method.value_or(!model.run.method.empty()     ? model.run.method
                                 : !model.nonholonomic.empty() ? "spark(3)"
                                 : model.constraint_rows > 0   ? "rattle"
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

}  // namespace libration::app
