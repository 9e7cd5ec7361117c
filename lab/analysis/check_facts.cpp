#include "check_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

std::string hidden_residual_name(const Model& model) {
    const bool moving = std::ranges::any_of(model.constraints, [](const auto& c) { return c.term.uses_time; });
    const std::string of_g = model.constraint_rows == 0 ? "" : moving ? "G v + g_t" : "G v";
    return model.nonholonomic.empty() ? of_g : of_g.empty() ? "k" : of_g + ", k";
}

std::vector<std::pair<std::string, std::string>> check_facts(const ModelCheck& check, const Model& model) {
    return {
        {"coordinates", fmt::format("{}", check.dimension)},
        {"constraints",
         fmt::format("{}, rank of G at the start {}{}", check.constraints, check.rank,
                     model.nonholonomic.empty() ? "" : fmt::format("; {} on velocities", model.nonholonomic.size()))},
        {"terms", fmt::format("{}", check.terms)},
        {"energy", model.field ? "none: the equations are a field without H"
                               : fmt::format("{:.15g} at the initial values", check.energy)},
        {"residuals",
         fmt::format("largest |g| = {:.1e}, largest |{}| = {:.1e}", check.position_residual,
                     model.multipliers() > 0 ? hidden_residual_name(model) : "G v", check.hidden_residual)},
        {"derivatives", fmt::format("agree with dual numbers to {:.1e} (relative)", check.derivative_error)},
    };
}

}  // namespace libration
