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

constexpr std::array kinds{&Definition::coordinate, &Definition::momentum, &Definition::velocity,
                           &Definition::multiplier, &Definition::time};

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
                keep_first(kind, used->second.*kind);
            }
            return Value{used->second.value};
        }
        return noted(trusts(name) && !has_members(name) ? Value{{symbol(name)}} : ModelScope::name(name));
    }
    std::optional<Value> element(std::string_view name, const Expression& index) override {
        return noted(trusts(name) ? Value{{symbol(fmt::format("{}[{}]", name, to_string(index)))}}
                                  : ModelScope::element(name, index));
    }
    Value member(std::string_view name, const Member& wanted) override {
        return *noted(ModelScope::member(name, wanted));
    }

    [[nodiscard]] Definition definition(Value value) {
        contents_.value = std::move(value.components);
        return contents_;
    }

  private:
    [[nodiscard]] bool trusts(std::string_view name) const {
        return !constraints_known_ && name.starts_with("lambda_");
    }
    void keep_first(std::string Definition::*kind, const std::string& name) {
        if ((contents_.*kind).empty()) {
            contents_.*kind = name;
        }
    }
    std::optional<Value> noted(std::optional<Value> value) {
        for (const auto& s : value ? symbols_of(value->components) : std::vector<Expression>{}) {
            const auto& name = s.text();
            if (name == "t") {
                keep_first(&Definition::time, name);
            } else if (name.starts_with("p_")) {
                keep_first(&Definition::momentum, name);
            } else if (name.starts_with("v_")) {
                keep_first(&Definition::velocity, name);
            } else if (name.starts_with("lambda_")) {
                keep_first(&Definition::multiplier, name);
            } else if (model_->coordinate_number(name)) {
                keep_first(&Definition::coordinate, name);
            }
        }
        return value;
    }

    const Model* model_;
    const Definitions* known_;
    const Waiting* pending_;
    bool constraints_known_;
    Definition contents_;
};

Value read_value(const Document& value, Scope& scope, const std::string& what) {
    return value.kind == Document::Kind::text ? parse_value(value.text, scope, value.place, what)
                                              : Value{{formula_of(value, scope, what)}};
}

}  // namespace

void require_visible(std::string_view name, const Definition& definition, const Visible& visible) {
    for (const auto& [shown, kind] :
         {std::pair(visible.coordinates, &Definition::coordinate), std::pair(visible.momenta, &Definition::momentum),
          std::pair(visible.velocities, &Definition::velocity), std::pair(visible.multipliers, &Definition::multiplier),
          std::pair(visible.time, &Definition::time)}) {
        if (!shown && !(definition.*kind).empty()) {
            throw std::invalid_argument(
                fmt::format("the definition '{}' contains '{}', which cannot be used here", name, definition.*kind));
        }
    }
}

Definitions definitions_of(const Document& document, const Model& model, const NumberMap& numbers,
                           bool constraints_known) {
    Definitions known;
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
                auto read = read_value(value, scope, fmt::format("the definition {}", name));
                known.emplace(name, scope.definition(std::move(read)));
                pending.erase(waiting);
            } catch (const Pending& needed) {
                const bool circle = std::ranges::find(open, needed.name) != open.end();
                open.push_back(needed.name);
                if (circle) {
                    value.fail(fmt::format("the definitions depend on each other in a circle: {}",
                                           fmt::join(std::ranges::find(open, needed.name), open.end(), " -> ")));
                }
            }
        }
    }
    return known;
}

Definitions definitions_of(const Model& model, const NumberMap& numbers) {
    if (model.text.find("definitions") == std::string::npos) {  // most have none, and texts may be long
        return {};
    }
    const auto source = std::make_shared<const Source>(Source{model.name, model.text});
    return definitions_of(read_document(source), model, numbers, true);
}

}  // namespace libration
