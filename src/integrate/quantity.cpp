// The names of a model, and those that only a run has.
#include "quantity.hpp"
#include "model/model_values.hpp"

#include "model/scope.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration {

namespace {

constexpr std::array run_names{"energy", "energy_error", "constraint", "hidden"};

// A coordinate or a parameter of the same name comes first.
class QuantityScope final : public ModelScope {
  public:
    QuantityScope(const Model& model, const NumberMap& numbers)
        : ModelScope(model, numbers, whole_state(model)), model_(&model) {}

    std::optional<Value> name(std::string_view name) override {
        if (auto known = ModelScope::name(name)) {
            return known;
        }
        const auto is_observable =
            std::ranges::any_of(model_->observables, [&](const auto& o) { return o.name == name; });
        if (is_observable || std::ranges::find(run_names, name) != run_names.end()) {
            return Value{{symbol(std::string(name))}};
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        auto all = ModelScope::names();
        all.insert(all.end(), run_names.begin(), run_names.end());
        for (const auto& observable : model_->observables) {
            all.push_back(observable.name);
        }
        return all;
    }

  private:
    const Model* model_;
};

}  // namespace

Quantity::Input Quantity::find(const Model& model, const std::string& name, const std::string& what) {
    if (const auto at_node = NodeFormula::find(model, name)) {
        return *at_node;
    }
    for (std::size_t k = 0; k < model.observables.size(); ++k) {
        if (model.observables[k].name == name) {
            return OfRun{OfRun::Kind::observable, k};
        }
    }
    using Kind = OfRun::Kind;
    for (const auto& [known, kind] : {std::pair{"energy", Kind::energy}, std::pair{"energy_error", Kind::energy_error},
                                      std::pair{"constraint", Kind::constraint}, std::pair{"hidden", Kind::hidden}}) {
        if (name == known) {
            return OfRun{kind};
        }
    }
    throw InputError(fmt::format("{} uses '{}', which the model does not have", what, name));
}

Quantity::Quantity(const Model& model, const std::string& text, const std::string& what)
    : turns_(model.windings.size()) {
    const auto numbers = numbers_of(model);
    QuantityScope scope(model, numbers);
    const auto formula = parse(text, scope, {}, what);
    const auto given = constant_parameters(model);
    std::vector<Expression> symbols;
    for (const auto& s : symbols_of(std::array{formula})) {
        if (std::ranges::find(given.symbols, s) == given.symbols.end()) {
            symbols.push_back(s);
            inputs_.push_back(find(model, s.text(), what));
        }
    }
    tape_ = Tape<double>(compile(std::array{formula}, symbols, given.symbols), given.values);
}

double Quantity::value(const Sample& sample, double initial_energy) {
    const auto turns_of = [this](const Sample& state) { return state.observables.first(turns_); };
    const auto read = [&](const Input& input) {
        if (const auto* at_node = std::get_if<NodeFormula::Input>(&input)) {
            return at_node->of({sample.t, sample.q, {}, sample.p, turns_of(sample)}, sample.v, sample.lambda);
        }
        const auto [kind, index] = std::get<OfRun>(input);
        using Kind = OfRun::Kind;
        switch (kind) {
            case Kind::observable: return sample.observables[index];
            case Kind::energy: return sample.energy;
            case Kind::energy_error: return sample.energy - initial_energy;
            case Kind::constraint: return sample.constraint;
            case Kind::hidden: return sample.hidden;
        }
        return 0.0;
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        tape_.input(i) = read(inputs_[i]);
    }
    tape_.run();
    return tape_.output(0);
}

}  // namespace libration
