// What stands between a method and a backward run.
#include "obstacle.hpp"

#include "integrate/dense_steps.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>

#include <fmt/format.h>

namespace libration {

std::string obstacle(const Method& method, const ExtendedModel& extended, bool between) {
    if (!extended.obstacle.empty()) {
        return extended.obstacle;
    }
    const auto system = make_system<double>(extended.model);
    const auto claims = method.claims(system->properties(), system->constraints());
    if (claims.symplectic != true || claims.diverges) {
        return fmt::format("{} is not symplectic on this model", method.name());
    }
    if (!method.is_map()) {
        return fmt::format("{} is not a one-step method", method.name());
    }
    if (!claims.symmetric && method.record().adjoint == nullptr) {
        return fmt::format("{} is not symmetric and its adjoint is not known", method.name());
    }
    const auto dense = dense_kind(method, system->properties(), system->constraints());
    if (between && system->constraints() > 0 && (dense.project_position || dense.project_momentum)) {
        return fmt::format("values between nodes of {} are projected onto the constraints", method.name());
    }
    if (!unmet_needs(method, system->properties(), system->constraints()).empty()) {
        return fmt::format("{} cannot run the model with parameters as coordinates", method.name());
    }
    return {};
}

Method inverse_of(const Method& chosen, const ExtendedModel& extended) {
    const auto system = make_system<double>(extended.model);
    return chosen.claims(system->properties(), system->constraints()).symmetric
               ? chosen
               : method(chosen.record().adjoint(chosen.spec()), Doubts::accept);
}

}  // namespace libration
