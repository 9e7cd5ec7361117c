#include "check_facts.hpp"

#include "integrate/assembly_words.hpp"
#include "integrate/model_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration {

namespace {

std::vector<std::pair<std::string, std::string>> assembly_facts(const CheckedAssembly& assembly) {
    const auto count = assembly.branches.size();
    std::vector<std::pair<std::string, std::string>> facts{
        {"assembly", assembly.moved ? fmt::format("closed from |g| = {:.2g} to {:.1e}: moved {}", assembly.gap_before,
                                                  assembly.gap, assembly.moved_by)
                                    : std::string("nothing moved: the initial positions satisfy the constraints")}};
    for (std::size_t k = 0; k < count; ++k) {
        facts.emplace_back(k > 0 ? "" : fmt::format("{} way{} found", count, count == 1 ? "" : "s"),
                           assembly.branches[k].description);
    }
    return facts;
}

std::string mobility_text(const ModelCheck& check) {
    return fmt::format(
        "{}{}{}{}{}", check.mobility, check.mobility == 1 ? " degree of freedom" : " degrees of freedom",
        check.redundant.empty() ? "" : fmt::format("; redundant sets of constraints: {}", check.redundant.size()),
        check.immobile.empty() ? "" : fmt::format("; cannot move: {}", fmt::join(check.immobile, ", ")),
        check.at_dead_point.empty() ? ""
                                    : fmt::format("; at a dead point, without velocity at this position: {}",
                                                  fmt::join(check.at_dead_point, ", ")));
}

std::string reactions_text(const ModelCheck& check) {
    return check.undetermined.empty()
               ? std::string("all components are determined")
               : fmt::format("of least norm, with torques divided by the length {:.6g}; not determined: {}",
                             *check.reaction_length, fmt::join(check.undetermined, ", "));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> check_facts(const ModelCheck& check, const Model& model) {
    std::vector<std::pair<std::string, std::string>> facts{
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
    if (check.reaction_length) {
        facts.insert(facts.begin() + 3, {"reactions", reactions_text(check)});
    }
    if (check.assembly) {
        const auto assembled = assembly_facts(*check.assembly);
        facts.insert(facts.begin() + 4, assembled.begin(), assembled.end());
    }
    if (check.start) {
        facts.insert(facts.begin() + 4, {"start", to_text(*check.start)});
    }
    return facts;
}

}  // namespace libration
