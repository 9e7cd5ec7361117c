// Values that replace those of the model: --set and [set]. Parameters are replaced where they are read, initial values
// here.
#include "overrides.hpp"
#include "reader.hpp"

#include "text/shorten.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

ModelReader::Overrides ModelReader::with_set(const Document& document, const Overrides& given) {
    auto all = given;
    const auto* section = document.find("set");
    if (section == nullptr || section->kind != Document::Kind::table) {
        return all;
    }
    for (const auto& [name, value] : section->entries) {
        if (std::ranges::find(given, name, &Overrides::value_type::first) != given.end()) {
            continue;
        }
        switch (value.kind) {
            case Document::Kind::text: all.emplace_back(name, value.text); break;
            case Document::Kind::integer: all.emplace_back(name, std::to_string(value.integer)); break;
            case Document::Kind::number: all.emplace_back(name, fmt::format("{}", value.number)); break;
            default: value.fail(fmt::format("`[set] {}` must be a number or a constant expression in quotes", name));
        }
    }
    return all;
}

bool ModelReader::is_parameter(const std::string& name) const {
    const auto* section = document_.find("parameters");
    return section != nullptr && section->find(name) != nullptr;
}

void ModelReader::check_overrides() const {
    constexpr std::size_t most = 100;  // a longer list has regular names
    for (const auto& [name, value] : overrides_) {
        if (is_parameter(name) || initial_target(draft_.model(), name) || angle_target(draft_.model(), name)) {
            continue;
        }
        std::vector<std::string> names;
        if (const auto* section = document_.find("parameters")) {
            for (const auto& [parameter, unused] : section->entries) {
                names.push_back(parameter);
            }
        }
        const std::size_t shown = std::min(draft_.model().dimension, most);
        for (const char* prefix : {"", "p_", "v_"}) {
            for (std::size_t k = 0; k < shown; ++k) {
                names.push_back(prefix + draft_.model().coordinate_name(k));
            }
        }
        std::ranges::transform(draft_.model().windings, std::back_inserter(names), &Winding::name);
        throw InputError(fmt::format("{}: the model has no parameter '{}'{}\nParameters can be set, and "
                                     "initial values: NAME, p_NAME or v_NAME of a coordinate.",
                                     given_override(name, value), shortened(name), suggestion(name, names)));
    }
}

std::string ModelReader::given_override(const std::string& name, const std::string& value) const {
    const auto* section = document_.find("set");
    const auto* entry = section != nullptr && section->kind == Document::Kind::table ? section->find(name) : nullptr;
    const bool in_file = entry != nullptr && (entry->kind != Document::Kind::text || entry->text == value);
    return fmt::format(fmt::runtime(in_file ? "`[set] {} = {}`" : "`set = {}={}`"), shortened(name), shortened(value));
}

void ModelReader::override_initial_values() {
    using Kind = InitialValue::Kind;
    const Model& model = draft_.model();
    for (const auto& [name, text] : overrides_) {
        if (auto* angle = is_parameter(name) ? nullptr : angle_target(draft_.model(), name)) {
            angle->start = override_value(text, given_override(name, text));
            continue;
        }
        const auto target = is_parameter(name) ? std::nullopt : initial_target(model, name);
        if (!target) {
            continue;
        }
        const auto given = given_override(name, text);
        const auto plain = model.coordinate_name(target->coordinate);
        for (const auto& [kind, other, prefix, what] : {std::tuple(Kind::momentum, Kind::velocity, "v_", "velocity"),
                                                        std::tuple(Kind::velocity, Kind::momentum, "p_", "momentum")}) {
            if (target->kind != kind) {
                continue;
            }
            if (std::ranges::any_of(overrides_, [&](const auto& pair) { return pair.first == prefix + plain; })) {
                throw InputError(fmt::format("{}: '{}{}' is also set; set either the momentum or the velocity", given,
                                             prefix, plain));
            }
            if (gives_initial(model, other, target->coordinate)) {
                throw InputError(fmt::format("{0}: the model starts {1} with a {2}; set {3}{1} instead", given, plain,
                                             what, prefix));
            }
        }
        draft_.override_initial({target->kind,
                                 draft_.single_formula(override_value(text, given)),
                                 {static_cast<std::uint32_t>(target->coordinate)}});
    }
}

}  // namespace libration
