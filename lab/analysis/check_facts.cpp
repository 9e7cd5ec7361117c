#include "check_facts.hpp"

#include "integrate/model_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration {

namespace {

std::string mobility_text(const ModelCheck& check) {
    return fmt::format(
        "{}{}{}{}", check.mobility, check.mobility == 1 ? " degree of freedom" : " degrees of freedom",
        check.redundant.empty() ? "" : fmt::format("; redundant sets of constraints: {}", check.redundant.size()),
        check.immobile.empty() ? "" : fmt::format("; cannot move: {}", fmt::join(check.immobile, ", ")));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> check_facts(const ModelCheck& check, const Model& model) {
    return {
        {"coordinates", fmt::format("{}", check.dimension)},
        {"constraints",
         fmt::format("{}, rank of G at the start {}{}", check.constraints, check.rank,
                     model.nonholonomic.empty() ? "" : fmt::format("; {} on velocities", model.nonholonomic.size()))},
        {"mobility", mobility_text(check)},
        {"terms", fmt::format("{}", check.terms)},
        {"energy", model.field ? "none: the model is a vector field without a Hamiltonian"
                               : fmt::format("{:.15g} at the initial values", check.energy)},
        {"residuals",
         fmt::format("largest |g| = {:.1e}, largest |{}| = {:.1e}", check.position_residual,
                     model.multipliers() > 0 ? hidden_residual_name(model) : "G v", check.hidden_residual)},
        {"derivatives", fmt::format("agree with dual numbers to {:.1e} (relative)", check.derivative_error)},
    };
}

}  // namespace libration
