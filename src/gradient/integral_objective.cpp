// Integrands at all nodes, and the formula of the end around their integrals.
#include "integral_objective.hpp"

#include "function_text.hpp"

#include "coefficients/gregory.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/text/error.hpp>

namespace libration {

namespace {

constexpr const char* integral_name = "integral";
constexpr std::int64_t most_corrections = 10;

// "2*integral(x^2) + y": integrands, and the formula with a name in the place of each integral.
struct IntegralTexts {
    std::string formula;
    std::vector<std::string> integrands, names;
};

IntegralTexts integral_texts(const std::string& text) {
    IntegralTexts found{.formula = text};
    while (const auto call = find_call(found.formula, integral_name)) {
        const auto written = found.formula.substr(call->first, call->size);
        if (call->arguments.size() != 1 || call->arguments[0].empty() || find_call(call->arguments[0], integral_name)) {
            throw InputError({.argument = "loss",
                              .value = text,
                              .problem = fmt::format("'{}' is not an integral over the run", written),
                              .remedy = "write integral(EXPR) with one formula of the state, e.g. `loss = "
                                        "integral(x^2)`"});
        }
        found.integrands.push_back(call->arguments[0]);
        found.names.push_back(fmt::format("__integral_{}", found.names.size() + 1));
        found.formula.replace(call->first, call->size, found.names.back());
    }
    return found;
}

class IntegralObjective final : public Objective {
  public:
    IntegralObjective(const Model& model, const std::string& text, const IntegralTexts& texts)
        : Objective(model, integrands_of(model, texts)), text_(text),
          formula_(state_formula(model, texts.formula, "the loss", texts.names)), sums_(texts.names.size()) {
        for (const auto& name : texts.names) {
            symbols_.push_back(symbol(name));
        }
    }

    void plan(IntegrationOptions& run, const StepSequence&) override {
        run.every = 1;
        steps_ = *run.steps;
        store_each(steps_);
        const auto count = static_cast<int>(std::min(most_corrections, steps_ + 1));
        readings_ = Readings(steps_, {}, gregory_corrections(count), run.step);
    }

    void see(const Sample& sample) override {
        if (sample.step % stored_every_ == 0 || sample.step == steps_) {
            states_.push_back(state_of(sample));
        }
        read(state_of(sample));
        const double weight = readings_.node_weight(sample.step);
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            require_smooth(k, text_);
            sums_[k] += weight * formula_value(k);
        }
    }

    void visit(ProgressBytes& bytes) override { bytes(states_, sums_); }

    std::optional<RunFailure> conclude(const Run&) override {
        // The formula and its derivatives by the integrals, with these as numbers.
        std::vector<Expression> values, all = gradient(formula_, symbols_);
        for (const double sum : sums_) {
            values.push_back(constant(fmt::format("{:.17g}", sum)));
        }
        all.push_back(formula_);
        for (auto& one : all) {
            one = substitute(one, symbols_, values);
        }
        auto integrands = loss_.formulas;
        set_loss(loss_of(*model_, all, "the loss"));
        read(states_.back());
        const std::size_t last = all.size() - 1;
        require_smooth(last, text_, "at the end of the run");
        value_ = formula_value(last);
        rows_ = {value_};
        std::vector<Reading> each;
        for (std::size_t k = 0; k < sums_.size(); ++k) {
            each.push_back({.formula = k, .weight = formula_value(k)});
        }
        readings_.set_each(std::move(each));
        if (!symbols_of(std::span(&all[last], 1)).empty()) {
            readings_.add_at_end({.formula = integrands.size()});
            integrands.push_back(all[last]);
        }
        set_loss(loss_of(*model_, std::move(integrands), "the loss"));
        return std::nullopt;
    }

  private:
    static Loss integrands_of(const Model& model, const IntegralTexts& texts) {
        std::vector<Expression> formulas;
        for (const auto& integrand : texts.integrands) {
            formulas.push_back(state_formula(model, integrand, "the integral of the loss"));
        }
        return loss_of(model, std::move(formulas), "the loss");
    }

    std::string text_;
    Expression formula_;
    std::vector<Expression> symbols_;  // of the integrals
    std::vector<double> sums_;
    std::int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Objective> integral_objective(const Model& model, const GradientOptions& options) {
    const auto texts = integral_texts(options.loss);
    return texts.names.empty() ? nullptr : std::make_unique<IntegralObjective>(model, options.loss, texts);
}

}  // namespace libration
