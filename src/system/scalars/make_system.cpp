// Which kind of system a model needs.
#include "model/model_values.hpp"
#include "system/lane_values.hpp"
#include <libration/kit/make_system.hpp>

#include "system/external_system.hpp"
#include "system/system_at.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

// What a scalar other than double is for, as users know it.
template <class S>
std::string purpose() {
    if constexpr (std::is_same_v<S, Pack>) {
        return "vectorized trajectories";
    } else if constexpr (std::is_same_v<S, Traced>) {
        return "a trace of every operation";
    } else if constexpr (std::is_same_v<S, Dual<double>>) {
        return "exact derivatives of all formulas";
    } else {
        return "more than double precision";
    }
}

template <class S>
std::unique_ptr<System<S>> make_external_system(const Model& model) {
    if constexpr (std::is_same_v<S, double>) {
        return std::make_unique<ExternalSystem>(std::make_unique<TermSystem<double>>(model), model.external,
                                                initial_state<double>(model).q);
    } else {
        throw InputError(fmt::format("{} of the model '{}' cannot be traced, so it is available in double precision "
                                     "only, and this operation needs {}; write it so that it can be traced",
                                     model.external->what(), model.name, purpose<S>()));
    }
}

}  // namespace

template <class S>
std::unique_ptr<System<S>> make_system(const Model& model, const LaneValues& lanes) {
    if (model.external) {
        return make_external_system<S>(model);
    }
    return system_at<S>(model, parameter_values<S>(model, lane_parameters<S>(lanes)));
}

#define LIBRATION_INSTANTIATE(scalar) \
    template std::unique_ptr<System<scalar>> make_system<scalar>(const Model&, const LaneValues&);
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
