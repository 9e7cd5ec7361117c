// Looking methods up and matching them with models.
#include "list.hpp"

#include <libration/text/error.hpp>
#include <libration/text/suggest.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace libration {

std::span<const MethodRecord* const> methods() {
#define LIBRATION_POINTER(method) &method##_record,
    static const std::array records{LIBRATION_METHODS(LIBRATION_POINTER)};
#undef LIBRATION_POINTER
    return records;
}

Method method(std::string_view text) {
    auto spec = parse_spec(text);
    std::vector<std::string> names;
    for (const auto* record : methods()) {
        if (record->name == spec.name) {
            record->check(spec);
            return {*record, std::move(spec)};
        }
        names.emplace_back(record->name);
    }
    throw InputError(fmt::format("unknown method '{}'{}", spec.name, suggestion(spec.name, names, 40)));
}

std::vector<std::string> examples(const MethodRecord& record) {
    if (record.more_examples.empty()) {
        return {std::string(record.name)};
    }
    return {record.more_examples.begin(), record.more_examples.end()};
}

void check_no_parameters(const MethodSpec& spec) {
    if (!spec.arguments.empty()) {
        throw InputError(fmt::format("the method '{}' takes no parameters; write just {}", to_string(spec), spec.name));
    }
}

namespace {

std::string missing(const MethodRecord& record, const SystemProperties& properties, std::size_t constraints) {
    if (record.needs.unconstrained && constraints > 0) {
        return fmt::format("is for systems without constraints, and the model has {}", constraints);
    }
    if (record.needs.constrained && constraints == 0) {
        return "needs constraints, and the model has none";
    }
    const auto& needs = record.needs;
    if (needs.blocks && properties.blocks.empty()) {
        return "needs a field in q with blocks = [[...], ...], which the model does not have";
    }
    if (needs.hamiltonian && !properties.hamiltonian) {
        return "needs a Hamiltonian, and the model is a field without one";
    }
    if (needs.partitioned && !properties.partitioned) {
        return "needs q' and v', and the model is a field in q alone";
    }
    if (needs.separable && !properties.separable) {
        return "needs a separable Hamiltonian H = p^T M^-1 p / 2 + U(q) with constant mass M";
    }
    if (needs.parts != 0 && (needs.parts & properties.parts) == 0) {
        return "needs a split potential: write [dynamics.potential] with slow = \"...\" and fast = \"...\"";
    }
    if (needs.dense_derivatives && !properties.dense_derivatives) {
        return "needs second and third derivatives, which are available for small models only";
    }
    return {};
}

}  // namespace

std::string unmet_needs(const Method& method, const SystemProperties& properties, std::size_t constraints) {
    const auto reason = missing(method.record(), properties, constraints);
    if (reason.empty()) {
        return {};
    }
    std::vector<std::string> fitting;
    for (const auto* record : methods()) {
        if (missing(*record, properties, constraints).empty()) {
            fitting.emplace_back(record->name);
        }
    }
    return fmt::format("the method '{}' {}; methods that would do: {}", method.name(), reason,
                       fmt::join(fitting, ", "));
}

}  // namespace libration
