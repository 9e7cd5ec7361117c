// Named formulas of a model.
#include "definitions.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace libration {

namespace {

constexpr Visible everything{
    .coordinates = true, .momenta = true, .velocities = true, .multipliers = true, .time = true};

constexpr std::array kinds{&KnownDefinition::coordinate, &KnownDefinition::momentum, &KnownDefinition::velocity,
                           &KnownDefinition::multiplier, &KnownDefinition::time};

void keep_first(std::string& kept, const std::string& name) {
    if (kept.empty()) {
        kept = name;
    }
}

void note_kind(const Model& model, const std::string& name, KnownDefinition& contents) {
    if (name == "t") {
        keep_first(contents.time, name);
    } else if (name.starts_with("p_")) {
        keep_first(contents.momentum, name);
    } else if (name.starts_with("v_")) {
        keep_first(contents.velocity, name);
    } else if (name.starts_with("lambda_")) {
        keep_first(contents.multiplier, name);
    } else if (model.coordinate_number(name)) {
        keep_first(contents.coordinate, name);
    }
}

using Waiting = std::map<std::string, const Document*, std::less<>>;

// Thrown when a name is met that has to be read first.
struct Pending {
    std::string name;
};

// What the formula of a definition may use: everything. Where the definition is used decides what it may contain.
class DefinitionScope final : public ModelScope {
  public:
    DefinitionScope(const Model& model, const NumberMap& numbers, const Definitions& known, const Waiting& pending,
                    bool constraints_known)
        : ModelScope(model, numbers, everything), model_(&model), known_(&known), pending_(&pending),
          constraints_known_(constraints_known) {
        use(known);
    }

    std::optional<Value> name(std::string_view name) override {
        if (pending_->contains(name)) {
            throw Pending{std::string(name)};
        }
        if (const auto used = known_->find(name); used != known_->end()) {
            for (const auto kind : kinds) {
                keep_first(contents_.*kind, used->second.*kind);
            }
            return Value{used->second.value};
        }
        return noted(trusts_alone(name) ? Value{{symbol(name)}} : ModelScope::name(name));
    }
    std::optional<Value> element(std::string_view name, const Expression& index) override {
        return noted(trusts(name) ? Value{{symbol(fmt::format("{}[{}]", name, to_string(index)))}}
                                  : ModelScope::element(name, index));
    }
    // Of a constraint that is a vector, lambda_joint.x.
    [[nodiscard]] bool has_members(std::string_view name) const override {
        return trusts(name) || ModelScope::has_members(name);
    }
    Value member(std::string_view name, const Member& wanted) override {
        return *noted(trusts_alone(name) ? Value{{symbol(fmt::format("{}.{}", name, wanted.name))}}
                                         : ModelScope::member(name, wanted));
    }

    [[nodiscard]] KnownDefinition definition(Value value) {
        contents_.value = std::move(value.components);
        return contents_;
    }

  private:
    [[nodiscard]] bool trusts(std::string_view name) const {
        return !constraints_known_ && name.starts_with("lambda_");
    }
    // Not a multiplier of a body.
    [[nodiscard]] bool trusts_alone(std::string_view name) const {
        return trusts(name) && !ModelScope::has_members(name);
    }
    std::optional<Value> noted(std::optional<Value> value) {
        for (const auto& s : value ? symbols_of(value->components) : std::vector<Expression>{}) {
            note_kind(*model_, s.text(), contents_);
        }
        return value;
    }

    const Model* model_;
    const Definitions* known_;
    const Waiting* pending_;
    bool constraints_known_;
    KnownDefinition contents_;
};

}  // namespace

void require_visible(std::string_view name, const KnownDefinition& definition, const Visible& visible) {
    for (const auto& [shown, kind] : {std::pair(visible.coordinates, &KnownDefinition::coordinate),
                                      std::pair(visible.momenta, &KnownDefinition::momentum),
                                      std::pair(visible.velocities, &KnownDefinition::velocity),
                                      std::pair(visible.multipliers, &KnownDefinition::multiplier),
                                      std::pair(visible.time, &KnownDefinition::time)}) {
        if (!shown && !(definition.*kind).empty()) {
            throw std::invalid_argument(
                fmt::format("the definition '{}' contains '{}', which cannot be used here", name, definition.*kind));
        }
    }
}

// A stage of a step knows the angle at the last node, and so does every formula that contains the angle.
Definitions angle_definitions(const Model& model, const Winding& winding) {
    Definitions known;
    known.emplace(winding.name, known_definition(model, {winding.angle}));
    known.emplace("v_" + winding.name, known_definition(model, {winding.rate}));
    auto& node = known.emplace(winding.name + "_at_node", KnownDefinition{.value = {winding.reference}}).first->second;
    node.coordinate = winding.name;
    return known;
}

Definitions definitions_of(const Document& document, const Model& model, const NumberMap& numbers,
                           bool constraints_known) {
    Definitions known;
    for (const auto& winding : model.windings) {
        known.merge(angle_definitions(model, winding));
    }
    const auto* section = document.find("definitions");
    if (section == nullptr) {
        return known;
    }
    Waiting pending;
    for (const auto& [name, value] : section->entries) {
        pending.emplace(name, &value);
    }
    // What a definition uses is read before it; definitions that wait for another one stand in `open`.
    for (const auto& entry : section->entries) {
        std::vector<std::string> open{entry.first};
        while (!open.empty()) {
            const std::string name = open.back();
            const auto waiting = pending.find(name);
            if (waiting == pending.end()) {
                open.pop_back();
                continue;
            }
            const auto& value = *waiting->second;
            // Its own name is pending, too: a definition that uses itself is a circle of one.
            DefinitionScope scope(model, numbers, known, pending, constraints_known);
            try {
                if (value.kind == Document::Kind::list && value.items.size() == 1) {
                    value.fail(fmt::format("in the definition {}: expected a number or a formula in quotes, found a "
                                           "list of one",
                                           name));
                }
                auto read = value_of(value, scope, fmt::format("the definition {}", name));
                known.emplace(name, scope.definition(std::move(read)));
                pending.erase(waiting);
            } catch (const Pending& needed) {
                const bool circle = std::ranges::find(open, needed.name) != open.end();
                open.push_back(needed.name);
                if (circle) {
                    value.fail(fmt::format("the definitions depend on each other circularly: {}",
                                           fmt::join(std::ranges::find(open, needed.name), open.end(), " -> ")));
                }
            }
        }
    }
    return known;
}

KnownDefinition known_definition(const Model& model, std::vector<Expression> value) {
    KnownDefinition definition;
    for (const auto& s : symbols_of(value)) {
        note_kind(model, s.text(), definition);
    }
    definition.value = std::move(value);
    return definition;
}

Definitions definitions_of(const Model& model, std::string_view formula) {
    Definitions known;
    for (const auto& [name, value] : model.definitions) {
        // Looking into all of them would take long where each contains the one before.
        known.emplace(name, formula.find(name) == std::string_view::npos ? KnownDefinition{value}
                                                                         : known_definition(model, value));
    }
    return known;
}

}  // namespace libration
