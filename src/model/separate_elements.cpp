// Reads a model twice: to see which elements its formulas use, and with these elements.
#include "separate_elements.hpp"
#include "model_values.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace libration {

namespace {

thread_local ElementWatch* watching = nullptr;

// The parameters that change when some of them do.
std::vector<Expression> following(const Model& model, std::span<const std::string> changing) {
    std::vector<Expression> symbols;
    for (const auto& parameter : model.parameters) {
        const bool follows =
            std::ranges::find(changing, parameter.name) != changing.end() ||
            std::ranges::any_of(parameter.values, [&](const Expression& value) { return depends_on(value, symbols); });
        if (follows) {
            symbols.push_back(symbol(parameter.name));
        }
    }
    return symbols;
}

// The elements of a formula in the index i: numbers, unless they follow parameters that change.
std::vector<Expression> elements_of(const Model& model, const Expression& in_index, std::size_t count,
                                    std::span<const Expression> moving) {
    std::vector<Expression> elements;
    elements.reserve(count);
    if (depends_on(in_index, moving)) {
        for (std::size_t k = 0; k < count; ++k) {
            elements.push_back(
                substitute(in_index, std::array{symbol("i")}, std::array{ratio(static_cast<std::int64_t>(k), 1)}));
        }
        return elements;
    }
    Formula formula{in_index, count, {{symbol("i"), InstanceParameter::Kind::index, {}, {}, nullptr}}};
    for (std::size_t k = 0; k < count; ++k) {
        formula.parameters[0].integers.push_back(static_cast<std::int64_t>(k));
    }
    for (const double value : instance_values(formula, parameter_values<double>(model))) {
        elements.emplace_back(value);
    }
    return elements;
}

Model read_again(const Model& model) {
    return Model::parse(model.saved_text(), model.text_name, model.overrides, model.external);
}

// What is wrong with these uses; empty: nothing.
std::string fault_of(const ElementUse& use) {
    if (use.most < 0) {
        return "the model does not use it";
    }
    return use.least < 0 ? fmt::format("the model uses element {} of it; elements are numbered from 0 on", use.least)
                         : std::string();
}

}  // namespace

ElementWatch::ElementWatch(std::span<const std::string> lists) : outer_(watching) {
    for (const auto& list : lists) {
        uses.emplace(list, ElementUse{});
    }
    watching = this;
}

ElementWatch::~ElementWatch() { watching = outer_; }

ElementUse* ElementWatch::find(std::string_view list, bool applied) {
    if (watching == nullptr || watching->applied_ != applied) {
        return nullptr;
    }
    const auto found = watching->uses.find(list);
    return found == watching->uses.end() ? nullptr : &found->second;
}

ElementUse* ElementWatch::recorded(std::string_view list) { return find(list, false); }
const ElementUse* ElementWatch::applied(std::string_view list) { return find(list, true); }

std::string element_name(std::string_view list, std::int64_t element) { return fmt::format("{}[{}]", list, element); }

std::optional<ElementName> element_of(const Model& model, std::string_view name) {
    const auto bracket = name.find('[');
    if (bracket == std::string_view::npos || name.back() != ']') {
        return std::nullopt;
    }
    const auto list = name.substr(0, bracket);
    const auto found = std::ranges::find(model.parameters, list, &Parameter::name);
    const auto digits = name.substr(bracket + 1, name.size() - bracket - 2);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (found == model.parameters.end() || !(found->list || found->function_of_index) || error != std::errc{} ||
        end != digits.data() + digits.size() || number < 0) {
        return std::nullopt;
    }
    return ElementName{std::string(list), number};
}

Model with_separate_elements(const Model& model, std::span<const std::string> lists,
                             std::span<const std::string> changing, const std::function<void()>& also_read) {
    ElementWatch watch(lists);
    const auto refuse = [&](const std::string& list, const std::string& problem) {
        throw InputError({.argument = "by", .value = list, .problem = problem});
    };
    try {
        read_again(model);
    } catch (const InputError& error) {
        refuse(lists[0], fmt::format("its elements cannot be told apart: {}", error.what()));
    }
    also_read();
    const auto moving = following(model, changing);
    for (auto& [list, use] : watch.uses) {
        const auto& parameter = *std::ranges::find(model.parameters, list, &Parameter::name);
        if (const auto fault = fault_of(use); parameter.function_of_index && !fault.empty()) {
            refuse(list, fault);
        }
        use.values = parameter.function_of_index ? elements_of(model, *parameter.function_of_index,
                                                               static_cast<std::size_t>(use.most + 1), moving)
                                                 : parameter.values;
        if (use.named.empty()) {
            use.named.insert(0);  // by which the model is known to have separate elements
        }
    }
    watch.apply();
    try {
        return read_again(model);
    } catch (const InputError& error) {
        refuse(lists[0], fmt::format("its elements cannot change by themselves: {}", error.what()));
    }
    return model;
}

}  // namespace libration
