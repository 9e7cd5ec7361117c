// Functions that cannot be traced: which of them a model may have, and where their rows stand.
#include "draft.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <unordered_set>

namespace libration {

namespace {

void require_complete(const ExternalFunctions& external) {
    if (!external.potential && !external.constraints) {
        throw InputError("external functions are given, but neither a potential nor constraints are among them");
    }
    if (external.potential && (!external.potential->value || !external.potential->gradient)) {
        throw InputError("a potential that cannot be traced needs two functions, its value and its gradient");
    }
    if (!external.constraints) {
        return;
    }
    const auto& constraints = *external.constraints;
    if (!constraints.value || !constraints.jacobian) {
        throw InputError("constraints that cannot be traced need two functions, their value and their Jacobian");
    }
    if (constraints.rows == 0) {
        throw InputError("the number of constraints that cannot be traced is missing; give rows, at least 1");
    }
    if (!constraints.names.empty() && constraints.names.size() != constraints.rows) {
        throw InputError(fmt::format("{} names are given for {} external constraints; give one each, or none",
                                     constraints.names.size(), constraints.rows));
    }
    for (const auto& name : constraints.names) {
        if (!is_plain_name(name)) {
            throw InputError(fmt::format("the name '{}' of an external constraint cannot be used: a name consists of "
                                         "letters, digits and _, and does not start with a digit",
                                         name));
        }
    }
}

}  // namespace

void Draft::set_external(std::shared_ptr<const ExternalFunctions> external) {
    if (!external) {
        return;
    }
    if (external_) {
        throw InputError("external functions are given twice; put the potential and the constraints into one set");
    }
    require_complete(*external);
    external_ = std::move(external);
}

void Draft::add_external_rows() {
    if (external_ && !model_.external) {
        if (model_.dimension > 0 && external_->rows() > model_.dimension) {
            throw InputError(fmt::format("{} external constraints are given, and the model has {} coordinates; there "
                                         "cannot be more constraints than coordinates",
                                         external_->rows(), model_.dimension));
        }
        model_.external = external_;
        model_.constraint_rows += external_->rows();
    }
}

void check_external(const Model& model) {
    if (!model.external) {
        return;
    }
    const char* obstacle = model.field                   ? "a `[field]`"
                           : model.hamiltonian           ? "a hamiltonian"
                           : model.kinetic               ? "a kinetic energy or masses that depend on the position"
                           : model.singular_mass         ? "a singular mass matrix"
                           : !model.nonholonomic.empty() ? "nonholonomic constraints"
                                                         : nullptr;
    if (obstacle != nullptr) {
        throw InputError(fmt::format("{} of '{}' cannot be traced, and the model has {}; such functions need constant "
                                     "masses and holonomic constraints. Write them so that they can be traced",
                                     model.external->what(), model.name, obstacle));
    }
    std::unordered_set<std::string> multipliers;
    for (std::size_t row = 0; row < model.constraint_rows; ++row) {
        if (const auto name = model.multiplier_name(row);
            !multipliers.insert(name).second && row >= model.constraint_rows - model.external_rows()) {
            throw InputError(
                fmt::format("there are two constraints with the multiplier {}; give each its own name", name));
        }
    }
}

}  // namespace libration
