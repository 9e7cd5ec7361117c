// From texts to formulas with derivatives.
#include "loss.hpp"

#include "model/definitions.hpp"
#include "model/scope.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Observables are formulas of the state, too.
class LossScope final : public ModelScope {
  public:
    LossScope(const Model& model, const NumberMap& numbers, std::span<const std::string> more)
        : ModelScope(model, numbers, whole_state(model)), model_(&model), more_(more) {}

    std::optional<Value> name(std::string_view name) override {
        if (std::ranges::find(more_, name) != more_.end()) {
            return Value{{symbol(std::string(name))}};
        }
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
    std::span<const std::string> more_;
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

Loss loss_of(const Model& model, std::vector<Expression> formulas, const std::string& what) {
    Loss loss{.formulas = std::move(formulas), .symbols = {}, .inputs = {}};
    const auto given = constant_parameters(model);
    for (const auto& s : symbols_of(loss.formulas)) {
        if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
            continue;
        }
        const auto found = NodeFormula::find(model, s.text());
        if (!found) {
            throw InputError(fmt::format("{} uses '{}', which the model does not have", what, s.text()));
        }
        const bool multiplier = found->kind == NodeFormula::Input::Kind::multiplier;
        if (multiplier && model.carried) {
            throw InputError(
                fmt::format("{} uses {}, a multiplier; where constraints are redundant, gradients of "
                            "reactions are not available, not even of those that are determined. Write the "
                            "mechanism without the redundant constraints (one hinge instead of two, or a "
                            "spherical joint for a hinge): reactions that were determined stay the same",
                            what, s.text()));
        }
        loss.symbols.push_back(s);
        loss.inputs.push_back(*found);
        loss.needs_multipliers = loss.needs_multipliers || multiplier;
    }
    return loss;
}

Expression state_formula(const Model& model, const std::string& text, const std::string& what,
                         std::span<const std::string> more) {
    const auto numbers = numbers_of(model);
    const auto known = definitions_of(model, text);
    LossScope scope(model, numbers, more);
    scope.use(known);
    return parse(text, scope, {}, what);
}

Loss read_loss(const Model& model, const std::string& text) {
    if (text.find_first_not_of(" \t\n") == std::string::npos) {
        throw InputError("the loss is missing; give `loss = EXPR`, a formula of the state at the end, e.g. "
                         "`loss = (x - 1)^2 + v_y^2`, or `data = FILE.csv`, a table of measurements");
    }
    return loss_of(model, {state_formula(model, text, "the loss")}, "the loss");
}

KinkWatch::KinkWatch(const Loss& loss, const Model& model)
    : system_(make_system<double>(model)), given_(parameter_values<double>(model)) {
    std::vector<Expression> edges;
    for (std::size_t k = 0; k < loss.formulas.size(); ++k) {
        for (const auto& e : sorted_nodes(std::span(&loss.formulas[k], 1))) {
            if (const auto edge = edge_of(e); edge && !symbols_of(std::array{*edge}).empty()) {
                places_.push_back({k, e});
                edges.push_back(*edge);
            }
        }
    }
    if (!edges.empty()) {
        reader_.emplace(loss, edges, *system_, given_);
    }
}

std::optional<std::string> KinkWatch::kink(const Node<double>& node, std::size_t formula) {
    if (!reader_) {
        return std::nullopt;
    }
    reader_->read(node.t, node.q, node.p, node.turns);
    for (std::size_t k = 0; k < places_.size(); ++k) {
        if (places_[k].formula == formula && reader_->value(k) == 0) {
            return to_string(places_[k].node);
        }
    }
    return std::nullopt;
}

}  // namespace libration
