// Names of a model: parameters, coordinates, points, bodies, indices.
#include "scope.hpp"
#include "joint_formulas.hpp"
#include "separate_elements.hpp"

#include "definitions.hpp"
#include "family_names.hpp"
#include "index.hpp"

#include "model_values.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace libration {

namespace {

constexpr std::int64_t longest_unrolled_sum = 100'000;

bool reads_multiplier(std::string_view name) { return name.starts_with("lambda_"); }

}  // namespace

ModelScope::ModelScope(const Model& model, const NumberMap& numbers, Visible visible, std::vector<std::string> indices)
    : model_(&model), numbers_(&numbers), visible_(visible), indices_(std::move(indices)) {}

bool ModelScope::depends_on_index(const Expression& e) const { return depends_on(e, index_symbols()); }

std::vector<Expression> ModelScope::index_symbols() const {
    std::vector<Expression> symbols;
    for (const auto& name : indices_) {
        symbols.push_back(symbol(name));
    }
    return symbols;
}

std::int64_t ModelScope::integer(const Expression& expression) const {
    return IndexProgram(expression, {}, *numbers_).value({});
}

bool ModelScope::shows(std::string_view name, bool derived) const {
    return derived ? (name[0] == 'p' ? visible_.momenta : visible_.velocities) : visible_.coordinates;
}

bool ModelScope::is_constant(const Expression& kernel) const {
    return std::ranges::none_of(symbols_of(std::array{kernel}), [&](const Expression& s) {
        return std::ranges::find(indices_, s.text()) != indices_.end() || list_elements_.contains(s.text()) ||
               summations_.contains(s.text());
    });
}

void ModelScope::refuse_derived(std::string_view name) const {
    throw std::invalid_argument(
        fmt::format("'{}' is a {} and cannot be used here{}{}", name, name[0] == 'p' ? "momentum" : "velocity",
                    visible_.without_velocities.empty() ? "" : ": ", visible_.without_velocities));
}

std::optional<Value> ModelScope::name(std::string_view name) {
    if (const auto bound = bound_.find(name); bound != bound_.end()) {
        return Value{{bound->second}};
    }
    if (std::ranges::find(indices_, name) != indices_.end()) {
        return Value{{symbol(name)}};
    }
    for (const auto& parameter : model_->parameters) {
        if (parameter.name == name) {
            if (parameter.list || parameter.function_of_index) {
                throw std::invalid_argument(
                    fmt::format("the parameter '{0}' has one value per instance; write {0}[i]", name));
            }
            return Value{{symbol(name)}};
        }
    }
    if (definitions_ != nullptr) {
        if (const auto definition = definitions_->find(name); definition != definitions_->end()) {
            require_visible(name, definition->second, visible_);
            return Value{definition->second.value};
        }
    }
    if (visible_.time && name == "t") {
        return Value{{symbol("t")}};
    }
    if (std::ranges::find(model_->tables, name, &Table::name) != model_->tables.end()) {
        throw std::invalid_argument(fmt::format("'{0}' is a table; write interp({0}, x)", name));
    }
    std::string_view base = name;
    const bool derived = name.starts_with("p_") || name.starts_with("v_");
    if (derived) {
        base.remove_prefix(2);
    }
    for (const auto& group : model_->points) {
        if (group.name == base) {
            throw std::invalid_argument(fmt::format("'{0}' stands for {1} points; write {0}[i]", name, group.count));
        }
    }
    if (const auto* family = family_of(*model_, name)) {
        throw std::invalid_argument(fmt::format("'{0}' stands for {1} {2}; write {0}[i]", name, family->members,
                                                family->joints ? "joints" : "bodies"));
    }
    if (const auto* joint = joint_of(*model_, name)) {
        throw std::invalid_argument(fmt::format("'{0}' is a joint; write the quantity that is meant, such as {0}.{1}",
                                                name, reads_multiplier(name) ? joint->rows[0].name : "force.x"));
    }
    if (has_members(name)) {
        throw std::invalid_argument(fmt::format("'{0}' is a body; write the quantity that is meant, such as {0}.{1}",
                                                name, example_part(name)));
    }
    const bool known = model_->plain_numbers.contains(std::string(base));
    if (known && shows(name, derived)) {
        return Value{{symbol(name)}};
    }
    if (known && derived && visible_.momenta != visible_.velocities) {
        throw std::invalid_argument(fmt::format("'{}' cannot be used here; {} are named {}_{}", name,
                                                visible_.momenta ? "momenta" : "velocities",
                                                visible_.momenta ? "p" : "v", base));
    }
    if (known && derived && visible_.coordinates) {
        refuse_derived(name);
    }
    if (known) {
        throw std::invalid_argument(fmt::format("'{}' varies along the trajectory and cannot be used here", name));
    }
    if (name == "t") {
        throw std::invalid_argument("the time t cannot be used here; it may occur in potentials, masses, kinetic "
                                    "energies, constraints, forces, fields, and observables");
    }
    return visible_.multipliers && reads_multiplier(name) ? multiplier(name) : std::nullopt;
}

std::optional<Expression> ModelScope::table(std::string_view name) {
    const auto found = std::ranges::find(model_->tables, name, &Table::name);
    return found == model_->tables.end() ? std::nullopt : std::optional(found->handle());
}

std::vector<std::string> ModelScope::table_names() const {
    std::vector<std::string> names;
    std::ranges::transform(model_->tables, std::back_inserter(names), &Table::name);
    return names;
}

std::optional<Value> ModelScope::element(std::string_view name, const Expression& index) {
    for (const auto& parameter : model_->parameters) {
        if (parameter.name != name) {
            continue;
        }
        if (parameter.function_of_index) {
            note_element(parameter, index);
            return Value{{substitute(*parameter.function_of_index, std::array{symbol("i")}, std::array{index})}};
        }
        if (!parameter.list) {
            throw std::invalid_argument(fmt::format("the parameter '{}' is a single number and takes no index", name));
        }
        if (depends_on_index(index)) {
            const auto text = fmt::format("{}[{}]", name, to_string(index));
            list_elements_.emplace(text, ListElement{&parameter, index});
            return Value{{symbol(text)}};
        }
        const auto k = integer(index);
        if (k < 0 || k >= static_cast<std::int64_t>(parameter.values.size())) {
            throw std::invalid_argument(fmt::format("{}[{}] does not exist; the list has elements 0 to {}", name, k,
                                                    parameter.values.size() - 1));
        }
        note_element(parameter, index);
        return Value{{separate_element(parameter, k).value_or(parameter.values[static_cast<std::size_t>(k)])}};
    }
    const bool prefixed = name.starts_with("p_") || name.starts_with("v_");
    const bool derived = prefixed && shows(name, true);
    for (const auto& group : model_->points) {
        if (prefixed && !derived && visible_.momenta != visible_.velocities && group.name == name.substr(2)) {
            throw std::invalid_argument(fmt::format("'{}' cannot be used here; {} are named {}_{}", name,
                                                    visible_.momenta ? "momenta" : "velocities",
                                                    visible_.momenta ? "p" : "v", group.name));
        }
        if (prefixed && !derived && visible_.coordinates && group.name == name.substr(2)) {
            refuse_derived(name);
        }
        if (visible_.coordinates && group.name == name) {
            return point_element(name, "", group, index);
        }
        if (derived && group.name == name.substr(2)) {
            return point_element(name, name.substr(0, 2), group, index);
        }
    }
    return visible_.multipliers && reads_multiplier(name) ? multiplier_element(name, index) : std::nullopt;
}

void ModelScope::note_element(const Parameter& list, const Expression& index) {
    auto* use = ElementWatch::recorded(list.name);
    if (use == nullptr) {
        return;
    }
    if (depends_on_index(index)) {
        watched_elements_.push_back({&list, index});
        return;
    }
    const auto k = integer(index);
    use->named.insert(k);
    use->see(k);
}

void ModelScope::note_elements(const Instances& instances, const Place& place) const {
    for (const auto& [list, index] : watched_elements_) {
        if (auto* use = ElementWatch::recorded(list->name)) {
            for_each_integer(index, instances, {}, place, [&](std::int64_t k) { use->see(k); });
        }
    }
}

std::optional<Expression> ModelScope::separate_element(const Parameter& list, std::int64_t k) const {
    const auto has = [&](const std::string& name) {
        return std::ranges::find(model_->parameters, name, &Parameter::name) != model_->parameters.end();
    };
    if (const auto name = element_name(list.name, k); has(name)) {
        return symbol(name);
    }
    return std::nullopt;
}

std::optional<Value> ModelScope::point_element(std::string_view full, std::string_view prefix, const PointGroup& group,
                                               const Expression& index) {
    const bool varies = depends_on_index(index);
    Value value;
    for (std::size_t c = 0; c < group.dimension; ++c) {
        if (varies) {
            const auto text = fmt::format("{}[{}].{}", full, to_string(index), "xyz"[c]);
            point_elements_.emplace(text, PointElement{&group, c, index});
            value.components.push_back(symbol(text));
            continue;
        }
        const auto k = integer(index);
        if (k < 0 || k >= static_cast<std::int64_t>(group.count)) {
            throw std::invalid_argument(
                fmt::format("{}[{}] does not exist; the points are numbered 0 to {}", group.name, k, group.count - 1));
        }
        value.components.push_back(symbol(fmt::format("{}{}[{}].{}", prefix, group.name, k, "xyz"[c])));
    }
    return value;
}

Value ModelScope::sum(const std::string& index, const Expression& lower, const Expression& upper,
                      const std::function<Value(Scope&)>& body) {
    if (name(index)) {
        throw std::invalid_argument(
            fmt::format("the index '{}' of the sum is already in use; choose another name", index));
    }
    if (!depends_on_index(lower) && !depends_on_index(upper)) {
        return unrolled_sum(index, integer(lower), integer(upper), body);
    }
    auto inner_indices = indices_;
    inner_indices.push_back(index);
    const auto inner = std::make_shared<ModelScope>(*model_, *numbers_, Visible{}, inner_indices);
    inner->bound_ = bound_;
    inner->definitions_ = definitions_;
    const auto summand = body(*inner);
    if (summand.is_vector()) {
        throw std::invalid_argument("the summand must be a number");
    }
    const auto text = fmt::format("sum({} in {}..{}, {})", index, to_string(lower), to_string(upper),
                                  to_string(summand.components[0]));
    summations_.emplace(text, Summation{index, lower, upper, summand.components[0], inner});
    return {{symbol(text)}};
}

Value ModelScope::unrolled_sum(const std::string& index, std::int64_t first, std::int64_t last,
                               const std::function<Value(Scope&)>& body) {
    if (number_of_integers(first, last) > longest_unrolled_sum) {
        throw std::invalid_argument(
            fmt::format("the sum has {} terms, at most {} are possible here; use `[[energy]]` with a"
                        " `for` range for large systems",
                        last - first + 1, longest_unrolled_sum));
    }
    Value total{{Expression(0)}};
    // An empty sum is zero, but its summand must still be well formed.
    for (std::int64_t k = first; k <= std::max(first, last); ++k) {
        bound_.insert_or_assign(index, ratio(k, 1));
        Value part;
        try {
            part = body(*this);
        } catch (...) {
            bound_.erase(index);
            throw;
        }
        bound_.erase(index);
        if (part.is_vector()) {
            throw std::invalid_argument("the summand must be a number");
        }
        if (k <= last) {
            total.components[0] += part.components[0];
        }
    }
    return total;
}

std::vector<std::string> ModelScope::names() const {
    std::vector<std::string> all = indices_;
    for (const auto& parameter : model_->parameters) {
        all.push_back(parameter.name);
    }
    for (const auto& [definition, unused] : definitions_ != nullptr ? *definitions_ : Definitions{}) {
        all.push_back(definition);
    }
    if (visible_.coordinates) {
        all.insert(all.end(), model_->plain_coordinates.begin(), model_->plain_coordinates.end());
        for (const auto& group : model_->points) {
            all.push_back(group.name);
        }
        // Members are named by their families.
        for (const auto& [family, unused] : model_->families) {
            all.push_back(family);
        }
        for (const auto& body : model_->bodies) {
            if (!body.name.ends_with(']')) {
                all.push_back(body.name);
            }
        }
        for (const auto& joint : model_->joints) {
            if (!joint.name().ends_with(']')) {
                all.push_back(joint.name());
            }
        }
    }
    for (const auto& q : model_->plain_coordinates) {
        if (visible_.momenta) {
            all.push_back("p_" + q);
        }
        if (visible_.velocities) {
            all.push_back("v_" + q);
        }
    }
    if (visible_.multipliers) {
        for (std::size_t row = 0; row < std::min<std::size_t>(model_->multipliers(), 100); ++row) {
            all.push_back(model_->multiplier_name(row));
        }
    }
    if (visible_.time) {
        all.emplace_back("t");
    }
    return all;
}

NumberMap numbers_of(const Model& model) {
    NumberMap numbers;
    const auto given = parameter_values<double>(model);
    for (std::size_t k = 0; k < given.symbols.size(); ++k) {
        numbers.emplace(given.symbols[k].text(), ParameterNumber{given.values[k]});
    }
    return numbers;
}

}  // namespace libration
