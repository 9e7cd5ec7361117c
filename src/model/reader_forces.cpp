// Sections of a model file: non-Hamiltonian forces, and how `spark` treats the terms.
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

struct ClassFact {
    const char* name;
    ForceClass kind;
    const char* meaning;
};
constexpr std::array<ClassFact, 4> classes{
    {{"conservative", ForceClass::conservative, "neither adds nor removes energy over a cycle"},
     {"dissipative", ForceClass::dissipative, "dampers, friction"},
     {"driving", ForceClass::driving, "motors: adds energy"},
     {"stiff", ForceClass::stiff, "fast oscillations that should be damped out"}}};

// What people call them elsewhere.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> other_names{{{"damping", "dissipative"},
                                                                                     {"damped", "dissipative"},
                                                                                     {"damper", "dissipative"},
                                                                                     {"friction", "dissipative"},
                                                                                     {"viscous", "dissipative"},
                                                                                     {"drag", "dissipative"},
                                                                                     {"dissipation", "dissipative"},
                                                                                     {"motor", "driving"},
                                                                                     {"driven", "driving"},
                                                                                     {"forcing", "driving"},
                                                                                     {"actuator", "driving"},
                                                                                     {"excitation", "driving"},
                                                                                     {"potential", "conservative"},
                                                                                     {"elastic", "conservative"}}};

std::string all_classes() {
    std::string text;
    for (const auto& [name, kind, meaning] : classes) {
        text += fmt::format("\n  {:<12}  {}", name, meaning);
    }
    return text;
}

ForceClass class_of(const Document& value) {
    std::vector<std::string> names;
    for (const auto& [name, kind, meaning] : classes) {
        if (value.text == name) {
            return kind;
        }
        names.emplace_back(name);
    }
    const auto other =
        std::ranges::find(other_names, value.text, &std::pair<std::string_view, std::string_view>::first);
    throw InputError(value.place,
                     fmt::format("unknown class '{}' of a force{}", value.text,
                                 other != other_names.end() ? fmt::format(": did you mean '{}'?", other->second)
                                                            : suggestion(value.text, names)),
                     std::max<std::size_t>(characters(value.text), 1));
}

std::optional<std::size_t> letter_number(std::string_view letter) {
    const auto found = std::ranges::find(lobatto_letters, letter);
    return found == lobatto_letters.end() ? std::nullopt
                                          : std::optional(static_cast<std::size_t>(found - lobatto_letters.begin()));
}

std::size_t require_letter(const std::string& letter, const Place& place) {
    if (const auto number = letter_number(letter)) {
        return *number;
    }
    throw InputError(place, fmt::format("unknown coefficients '{}'; choose A, B, C, C* or D", letter),
                     std::max<std::size_t>(letter.size(), 1));
}

}  // namespace

// Whether it is given as a load of a mechanism, not on coordinates; it is one of both.
bool ModelReader::require_one_load(const Document& block) {
    const Document* known = nullptr;
    for (const auto* key : {"on", "torque", "force", "joint"}) {
        const auto* value = block.find(key);
        if (value != nullptr && known != nullptr) {
            value->fail(
                "a force acts 'on' coordinates, as a 'torque', as a 'force' at a point or in a 'joint'; give one "
                "of these keys, and another force for another one");
        }
        known = value != nullptr ? value : known;
    }
    const auto* value = block.find("value");
    if (value != nullptr && block.find("joint") == nullptr) {
        value->fail("the key 'value' belongs to 'joint'; give the value inside 'torque' or 'force'");
    }
    return known != nullptr && known != block.find("on");
}

void ModelReader::read_forces() {
    const auto* blocks = document_.find("forces");
    if (blocks == nullptr) {
        return;
    }
    for (const auto& block : blocks->items) {
        const auto all = instances(block, "`[[forces]]`", {"name", "class", "on", "torque", "force", "joint", "value"});
        const auto& name = require(block, "name", Document::Kind::text, "`[[forces]]`");
        if (block.find("class") == nullptr) {
            block.fail("`[[forces]]` needs the key 'class', which is one of" + all_classes());
        }
        const auto& kind = require(block, "class", Document::Kind::text, "`[[forces]]`");
        Force force{name.text, class_of(kind), {}, name.place};
        if (require_one_load(block)) {
            add_load(force, block, *all);
            draft_.model().forces.push_back(std::move(force));
            continue;
        }
        const auto& on = require(block, "on", Document::Kind::table, "`[[forces]]`");
        for (const auto& [key, value] : on.entries) {
            add_force_components(force, key, value, all);
        }
        // Over no instances there is no force, but one of this name can be treated by `[spark]`.
        if (all->count == 0 && !on.entries.empty()) {
            force.on.push_back({0, {Expression(0), name.place}});
        }
        draft_.model().forces.push_back(std::move(force));
    }
}

void ModelReader::read_spark() {
    const auto* section = document_.find("spark");
    if (section == nullptr) {
        return;
    }
    for (const auto& [key, value] : section->entries) {
        if (std::ranges::find(draft_.model().forces, key, &Force::name) != draft_.model().forces.end()) {
            throw InputError(value.key_place,
                             fmt::format("write force.{0} = ... to choose how the force '{0}' is treated", key),
                             key.size());
        }
    }
    section->allow_only(std::array<std::string, 3>{"position", "force", "newton"}, "`[spark]`");
    if (const auto* position = section->find("position")) {
        read_spark_term("position", *position);
    }
    if (const auto* forces = section->find("force")) {
        if (forces->kind != Document::Kind::table) {
            forces->fail("write which force is meant: force.NAME = \"C\"");
        }
        for (const auto& [term, value] : forces->entries) {
            if (term == "position") {
                value.fail("position is not a force; write `[spark] position = ...`");
            }
            read_spark_term(term, value);
        }
    }
    if (const auto* newton = section->find("newton")) {
        if (newton->kind != Document::Kind::text || (newton->text != "full" && newton->text != "simplified")) {
            newton->fail(
                "newton is \"simplified\" (one matrix per step) or \"full\" (a new matrix in every iteration)");
        }
        draft_.model().treatment.full_newton = newton->text == "full";
    }
}

// Weights for all components, or one choice a coordinate.
bool ModelReader::is_mix(const Document& table) const {
    const auto is_coordinate = [&](const auto& entry) {
        return draft_.model().coordinate_number(entry.first).has_value();
    };
    const auto is_letter = [](const auto& entry) { return letter_number(entry.first).has_value(); };
    const auto is_number = [](const auto& entry) {
        return entry.second.kind == Document::Kind::number || entry.second.kind == Document::Kind::integer ||
               entry.second.kind == Document::Kind::expression;
    };
    if (std::ranges::none_of(table.entries, is_coordinate)) {
        return std::ranges::any_of(table.entries, is_letter) || std::ranges::any_of(table.entries, is_number);
    }
    // Coordinates that are called like letters.
    if (std::ranges::all_of(table.entries, is_letter) && std::ranges::any_of(table.entries, [&](const auto& entry) {
            return entry.second.kind != Document::Kind::table &&
                   (entry.second.kind != Document::Kind::text || !letter_number(entry.second.text));
        })) {
        const auto found = std::ranges::find_if(table.entries, is_coordinate);
        table.fail(
            fmt::format("is '{0}' the coordinate or the coefficients here? Write the weights for each coordinate: "
                        "{{ {0} = {{ B = 0.9, C = 0.1 }} }}",
                        found->first));
    }
    return false;
}

LobattoWeights ModelReader::lobatto_weights(const Document& value, const std::string& where) {
    if (value.kind == Document::Kind::text) {
        return weights_of(static_cast<Lobatto>(require_letter(value.text, value.place)));
    }
    if (value.kind != Document::Kind::table || value.entries.empty()) {
        value.fail(
            fmt::format("{} must be one of the coefficients \"A\", \"B\", \"C\", \"C*\", \"D\", or weights such as "
                        "{{ B = 0.9, C = 0.1 }}",
                        where));
    }
    LobattoWeights weights;
    auto scope = draft_.scope({});
    for (const auto& [letter, weight] : value.entries) {
        const auto number = require_letter(letter, weight.key_place);
        weights[number] = formula(weight, scope, fmt::format("the weight of {} in {}", letter, where));
    }
    return weights;
}

void ModelReader::read_spark_term(const std::string& term, const Document& value) {
    const auto where = term == "position" ? std::string("`[spark] position`") : fmt::format("`[spark] force.{}`", term);
    auto& choices = draft_.model().treatment.choices;
    if (value.kind != Document::Kind::table || value.entries.empty() || is_mix(value)) {
        // The term may be wrong, too: its name is the better place to point at.
        choices.push_back({term, std::nullopt, lobatto_weights(value, where), value.key_place});
        return;
    }
    for (const auto& [key, choice] : value.entries) {
        choices.push_back({term, draft_.coordinate(key, choice.key_place),
                           lobatto_weights(choice, fmt::format("{} of {}", where, key)), choice.key_place});
    }
}

}  // namespace libration
