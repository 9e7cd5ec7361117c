// From the text of a loss to a formula with a derivative.
#include "loss.hpp"

#include "model/definitions.hpp"
#include "model/scope.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Observables are formulas of the state, too.
class LossScope final : public ModelScope {
  public:
    LossScope(const Model& model, const NumberMap& numbers)
        : ModelScope(model, numbers, whole_state(model)), model_(&model) {}

    std::optional<Value> name(std::string_view name) override {
        if (auto known = ModelScope::name(name)) {
            return known;
        }
        const auto found = std::ranges::find(model_->observables, name, &Observable::name);
        return found == model_->observables.end() ? std::nullopt : std::optional(Value{{found->value}});
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        auto all = ModelScope::names();
        for (const auto& observable : model_->observables) {
            all.push_back(observable.name);
        }
        return all;
    }

  private:
    const Model* model_;
};

// What must not be zero where a node of a formula shall have a derivative; nothing: it has one.
std::optional<Expression> edge_of(const Expression& e) {
    const auto a = e.arguments();
    switch (e.op()) {
        case Op::abs:
        case Op::sign:
        case Op::sqrt:
        case Op::cbrt: return a[0];
        case Op::floor: return a[0] - e;
        case Op::hypot: return e;
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::min:
        case Op::max: return a[0] - a[1];
        default: return std::nullopt;
    }
}

}  // namespace

Loss read_loss(const Model& model, const std::string& text) {
    if (text.find_first_not_of(" \t\n") == std::string::npos) {
        throw InputError("the loss is missing; give `loss = EXPR`, a formula of the state at the end, e.g. "
                         "`loss = (x - 1)^2 + v_y^2`");
    }
    const auto numbers = numbers_of(model);
    const auto known = definitions_of(model, text);
    LossScope scope(model, numbers);
    scope.use(known);
    Loss loss{.formula = parse(text, scope, {}, "the loss"), .symbols = {}, .inputs = {}};
    const auto given = parameter_values<double>(model);
    for (const auto& s : symbols_of(std::array{loss.formula})) {
        if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
            continue;
        }
        const auto found = NodeFormula::find(model, s.text());
        if (!found) {
            throw InputError(fmt::format("the loss uses '{}', which the model does not have", s.text()));
        }
        loss.symbols.push_back(s);
        loss.inputs.push_back(*found);
        loss.needs_multipliers = loss.needs_multipliers || found->kind == NodeFormula::Input::Kind::multiplier;
    }
    return loss;
}

void require_differentiable(const Loss& loss, const Model& model, System<double>& system, const Node<double>& node) {
    std::vector<Expression> nodes, edges;
    for (const auto& e : sorted_nodes(std::array{loss.formula})) {
        if (const auto edge = edge_of(e); edge && !symbols_of(std::array{*edge}).empty()) {
            nodes.push_back(e);
            edges.push_back(*edge);
        }
    }
    const auto given = parameter_values<double>(model);
    LossReader<double> reader(loss, edges, system, given);
    reader.read(node.t, node.q, node.p);
    for (std::size_t k = 0; k < edges.size(); ++k) {
        if (reader.value(k) == 0) {
            throw InputError({.argument = "loss",
                              .problem = fmt::format("it has no derivative at the end of the run, where {} has a kink "
                                                     "or a jump",
                                                     to_string(nodes[k])),
                              .remedy = "write it with a smooth formula, such as a square"});
        }
    }
}

}  // namespace libration
