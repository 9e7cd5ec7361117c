// Global errors of several methods along one problem, in one picture. [Hairer, Lubich, Wanner 2003, Fig. 5.3]
// Arguments:
//   model      of the catalogue
//   methods    specifications; step: their steps, one each or one for all
//   duration   how long; runs that fail before are drawn as far as they come
// Numbers, for method k = 1, 2, ...: quarter_k, half_k, largest_k (largest error so far after a quarter, a half and all
// of the duration), exponent_k (of its growth, as a power of t), ended_k (the time that was reached). Curves: error_k.
#include "reproduce/computations/list.hpp"

#include "analysis/error_growth.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

Computed global_error(const ComputationArguments& arguments) {
    const auto methods = arguments.texts("methods");
    const auto steps = arguments.numbers("step");
    const double duration = arguments.number("duration");
    if (methods.empty() || (steps.size() != 1 && steps.size() != methods.size())) {
        throw InputError("'global-error' needs methods and their step size (one, or one per method)");
    }
    const auto model = Model::load(arguments.text("model"));
    Computed result;
    for (std::size_t k = 0; k < methods.size(); ++k) {
        const IntegrationOptions options{.step = steps[steps.size() == 1 ? 0 : k], .duration = duration};
        TrajectoryKeeper keeper(model, methods[k], options);
        integrate(model, method(methods[k], Doubts::accept), options, keeper);
        const auto growth = error_growth(keeper.trajectory);
        const auto number = [&](const char* name) -> std::vector<double>& {
            return result.numbers[fmt::format("{}_{}", name, k + 1)];
        };
        number("quarter") = {growth.largest_until(duration / 4)};
        number("half") = {growth.largest_until(duration / 2)};
        number("largest") = {growth.largest_until(duration)};
        number("exponent") = {growth.fit.exponent};
        number("ended") = {growth.t.back()};
        number("accuracy") = {growth.accuracy};
        plot::Series curve;
        curve.x = growth.t;
        curve.y = growth.error;
        result.curves[fmt::format("error_{}", k + 1)] = std::move(curve);
    }
    return result;
}

}  // namespace libration
