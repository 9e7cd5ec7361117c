// Looking methods up and matching them with models.
#include "list.hpp"

#include "text/suggest.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace libration {

std::span<const MethodRecord* const> methods() {
#define LIBRATION_POINTER(method) &method##_record,
    static const std::array records{LIBRATION_METHODS(LIBRATION_POINTER)};
#undef LIBRATION_POINTER
    return records;
}

Method method(std::string_view text, Doubts doubts) { return method(parse_spec(text), doubts); }

Method method(MethodSpec spec, Doubts doubts) {
    std::vector<std::string> names;
    for (const auto* record : methods()) {
        if (record->name == spec.name) {
            record->check(spec);
            const Method found(*record, std::move(spec), doubts);
            if (const auto reason = found.doubt(false); !reason.empty()) {
                throw InputError(fmt::format("{}: {}", found.name(), reason));
            }
            return found;
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

void check_number_of_parameters(const MethodSpec& spec, std::size_t number) {
    if (spec.arguments.size() == number) {
        return;
    }
    std::string form = spec.name;
    std::string example = form;
    for (const auto* record : methods()) {
        if (record->name == spec.name) {
            form += record->parameters;
            example = examples(*record).front();
        }
    }
    throw InputError(fmt::format("the method '{}' has {} parameter{} and takes {}; write {}, e.g. {}", to_string(spec),
                                 spec.arguments.size(), spec.arguments.size() == 1 ? "" : "s", number, form, example));
}

int whole_parameter(const MethodSpec& spec, std::size_t number, const Whole& range) {
    const auto fail = [&]() {
        throw InputError(fmt::format("{}: {} must be a whole number from {} to {}", to_string(spec), range.name,
                                     range.low, range.high));
    };
    if (number >= spec.arguments.size()) {
        fail();
    }
    const auto& text = spec.arguments[number].name;
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !spec.arguments[number].key.empty() ||
        value < range.low || value > range.high) {
        fail();
    }
    return value;
}

Method base_method(const MethodSpec& spec, std::size_t number) {
    if (number >= spec.arguments.size() || !spec.arguments[number].key.empty()) {
        throw InputError(
            fmt::format("{}: the name of a method is missing; write e.g. {}(rattle, ...)", to_string(spec), spec.name));
    }
    auto base = method(spec.arguments[number]);
    if (base.needs().forces) {
        throw InputError(
            fmt::format("{}: {} cannot serve as a base method, because it treats terms differently in backward steps "
                        "(C and C* are exchanged); for models without forces lobatto(s) is equivalent and can",
                        to_string(spec), base.name()));
    }
    return base;
}

namespace {

std::string missing(const Needs& needs, const SystemProperties& properties, std::size_t constraints) {
    if (properties.nonholonomic > 0 && !needs.nonholonomic) {
        return "does not support nonholonomic constraints, and the model has some";
    }
    if (needs.unconstrained && constraints > 0) {
        return fmt::format("is for systems without constraints, and the model has {}", constraints - properties.added);
    }
    if (needs.constrained && constraints == 0) {
        return "needs constraints, and the model has none";
    }
    if (needs.blocks && properties.blocks.empty()) {
        return "needs a vector field in q with blocks = [[...], ...], which the model does not have";
    }
    if (needs.hamiltonian && !properties.hamiltonian) {
        return "needs a Hamiltonian, and the model is a vector field without one";
    }
    if (needs.partitioned && !properties.partitioned) {
        return "needs q' and v', and the model is a vector field in q alone";
    }
    if (needs.separable && !properties.separable) {
        return "needs a separable Hamiltonian H = p^T M^-1 p / 2 + U(q) with constant mass M";
    }
    if (needs.parts != 0 && (needs.parts & properties.parts) == 0) {
        return "needs a split potential: write `[dynamics.potential] slow = \"...\", fast = \"...\"`";
    }
    if (needs.fixed_constraints && properties.moving_constraints) {
        return "does not support time-dependent constraints, and those of the model contain t";
    }
    if (properties.forced && !needs.forces) {
        return "does not support non-Hamiltonian forces, and the model has `[[forces]]`";
    }
    if (needs.dense_derivatives && !properties.dense_derivatives) {
        return properties.untraced.empty()
                   ? "needs second and third derivatives, which are available for small models only"
                   : fmt::format("needs second and third derivatives, and {} of the model cannot be traced",
                                 properties.untraced);
    }
    return {};
}

// Counterexamples run, but are never suggested to users: they lose energy on the manifold, or
// even diverge there.
bool can_advise(const Method& method, bool constrained) {
    const auto claims = method.claims(constrained);
    return method.doubt(constrained).empty() &&
           (!constrained || (claims.order > 0 && !claims.diverges && claims.energy_bounded));
}

}  // namespace

std::string unmet_needs(const Method& method, const SystemProperties& properties, std::size_t constraints) {
    const auto reason = missing(method.needs(), properties, constraints);
    if (reason.empty()) {
        const auto doubt = method.doubt(constraints > 0);
        return doubt.empty() ? doubt : fmt::format("{}: {}", method.name(), doubt);
    }
    std::vector<std::string> fitting;
    for (const auto* record : methods()) {
        for (const auto& example : examples(*record)) {
            const auto candidate = libration::method(example);
            if (missing(candidate.needs(), properties, constraints).empty() && can_advise(candidate, constraints > 0)) {
                fitting.push_back(example);
                break;
            }
        }
    }
    return fmt::format("the method '{}' {}; suitable methods: {}", method.name(), reason, fmt::join(fitting, ", "));
}

}  // namespace libration
