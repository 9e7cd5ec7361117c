// Adding parts to a model and ordering its parameters.
#include "draft.hpp"

#include "expression/functions.hpp"
#include "row_names.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

// Depth-first order over "uses"; a parameter met again while it is open closes a cycle.
class ParameterOrder {
  public:
    explicit ParameterOrder(const std::vector<Parameter>& parameters)
        : parameters_(parameters), state_(parameters.size()) {
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            visit(k);
        }
    }
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  private:
    enum class State { untouched, open, done };

    void visit(std::size_t k) {
        if (state_[k] == State::done) {
            return;
        }
        path_.push_back(parameters_[k].name);
        if (state_[k] == State::open) {
            const auto first = std::ranges::find(path_, parameters_[k].name);
            throw InputError(parameters_[k].place, fmt::format("the parameters depend on each other circularly: {}",
                                                               fmt::join(first, path_.end(), " -> ")));
        }
        state_[k] = State::open;
        auto expressions = parameters_[k].values;
        if (parameters_[k].function_of_index) {
            expressions.push_back(*parameters_[k].function_of_index);
        }
        for (const auto& s : symbols_of(expressions)) {
            for (std::size_t j = 0; j < parameters_.size(); ++j) {
                if (parameters_[j].name == s.text() && !(parameters_[k].function_of_index && s.text() == "i")) {
                    visit(j);
                }
            }
        }
        state_[k] = State::done;
        path_.pop_back();
        order_.push_back(k);
    }

    const std::vector<Parameter>& parameters_;
    std::vector<State> state_;
    std::vector<std::string> path_;
    std::vector<std::size_t> order_;
};

}  // namespace

bool is_plain_name(std::string_view name) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
    };
    return !name.empty() && letter(name[0]) &&
           std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void require_plain_row_name(std::string_view name, const Place& place) {
    if (!is_plain_name(name)) {
        throw InputError(place, fmt::format("'{}' cannot be the name of a constraint, whose multiplier would be "
                                            "lambda_{}: use letters, digits and _, as in my_rod",
                                            name, name));
    }
}

void Draft::require_free(const std::string& name, const Place& place) const {
    const auto refuse = [&](const std::string& reason) {
        throw InputError(place, fmt::format("the name '{}' cannot be used: {}", name, reason));
    };
    if (!is_plain_name(name)) {
        refuse("a name consists of letters, digits and _, and does not start with a digit");
    }
    if (name == "t" || name == "pi") {
        refuse(name == "t" ? "t is the time" : "pi is the number pi");
    }
    for (const std::string_view prefix : {"p_", "v_", "lambda_"}) {
        if (name.starts_with(prefix)) {
            refuse(
                fmt::format("names that start with {} are reserved for momenta, velocities and multipliers", prefix));
        }
    }
    const auto taken = [&](const auto& all, auto projection) {
        return std::ranges::find(all, name, projection) != all.end();
    };
    if (taken(model_.parameters, &Parameter::name)) {
        refuse("it is already a parameter");
    }
    if (taken(model_.points, &PointGroup::name) || model_.plain_numbers.contains(name)) {
        refuse("it is already a coordinate");
    }
    if (model_.body_numbers.contains(name)) {
        refuse("it is already a body");
    }
    if (model_.joint_numbers.contains(name)) {
        refuse("it is already a joint");
    }
    if (const auto family = model_.families.find(name); family != model_.families.end()) {
        refuse(fmt::format("it is already a family of {}", family->second.joints ? "joints" : "bodies"));
    }
    if (definitions_.contains(name)) {
        refuse("it is already a definition");
    }
    if (taken(model_.tables, &Table::name)) {
        refuse("it is already a table");
    }
}

void Draft::require_free_column(const std::string& name, const Place& place) const {
    require_free(name, place);
    if (name == "energy" || name == "constraint" || name == "hidden") {
        throw InputError(place, fmt::format("'{}' is recorded anyway; give the observable another name", name));
    }
}

void Draft::add_table(Table table, const Place& place) {
    require_free(table.name(), place);
    model_.tables.push_back(std::move(table));
}

void Draft::add_parameter(Parameter parameter) {
    require_free(parameter.name, parameter.place);
    model_.parameters.push_back(std::move(parameter));
    keep_used_numbers();
    numbers_.reset();
    values_.reset();
}

void Draft::note_number(const Expression& expression) {
    for (const auto& s : symbols_of(std::array{expression})) {
        used_numbers_.insert(s.text());
    }
}

void Draft::keep_used_numbers() {
    for (const auto& [name, number] : numbers_ ? *numbers_ : NumberMap{}) {
        if (number.used) {
            used_numbers_.insert(name);
        }
    }
}

// Also those of which a parameter that was read was made.
void Draft::mark_read_parameters() {
    keep_used_numbers();
    for (auto parameter = model_.parameters.rbegin(); parameter != model_.parameters.rend(); ++parameter) {
        parameter->read_as_number = used_numbers_.contains(parameter->name);
        for (const auto& value : parameter->values) {
            if (parameter->read_as_number) {
                note_number(value);
            }
        }
    }
}

void Draft::add_event(Event event) {
    require_free(event.name, event.place);
    if (std::ranges::find(model_.events, event.name, &Event::name) != model_.events.end()) {
        throw InputError(event.place, fmt::format("two events are named '{}'", event.name));
    }
    model_.events.push_back(std::move(event));
}

void Draft::add_definition(const std::string& name, const Place& place) {
    require_free(name, place);
    definitions_.emplace(name, KnownDefinition{});
}

void Draft::add_coordinate(const std::string& name, const Place& place) {
    require_free(name, place);
    if (!model_.points.empty() || !model_.bodies.empty()) {
        throw InputError("plain coordinates come before points and bodies");
    }
    model_.plain_numbers.emplace(name, model_.plain_coordinates.size());
    model_.plain_coordinates.push_back(name);
    ++model_.dimension;
}

void Draft::add_points(PointGroup group, const Place& place) {
    require_free(group.name, place);
    group.first = model_.dimension;
    model_.dimension += group.count * group.dimension;
    model_.points.push_back(std::move(group));
}

void Draft::add_constraint(Constraint constraint) {
    // The rows of bodies come last, as they do in texts.
    const bool after_bodies = bodies_with_rows_ > 0 && !is_rigid_name(constraint.name);
    if (model_.external || after_bodies) {
        throw InputError(fmt::format("the constraint {} comes too late: add all constraints before naming multipliers",
                                     constraint.name));
    }
    constraint.first_row = model_.constraint_rows;
    model_.constraint_rows += constraint.term.formula.instances;
    model_.constraints.push_back(std::move(constraint));
}

void Draft::order_parameters() {
    const ParameterOrder sorted(model_.parameters);
    std::vector<Parameter> ordered;
    for (const auto k : sorted.order()) {
        ordered.push_back(model_.parameters[k]);
    }
    model_.parameters = std::move(ordered);
}

const NumberMap& Draft::numbers() {
    if (!numbers_) {
        order_parameters();
        numbers_ = numbers_of(model_);
    }
    return *numbers_;
}

std::size_t Draft::coordinate(const std::string& name, const Place& place) const {
    const auto number = model_.coordinate_number(name);
    // Numbers in brackets are read leniently.
    if (number && model_.coordinate_name(*number) == name) {
        return *number;
    }
    constexpr std::size_t most = 1000;  // a longer list has regular names
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(model_.dimension, most); ++k) {
        names.push_back(model_.coordinate_name(k));
    }
    throw InputError(place, fmt::format("'{}' is not a coordinate{}", name, suggestion(name, names)), name.size());
}

ModelScope Draft::scope(Visible visible, std::vector<std::string> indices) {
    for (const auto& index : indices) {
        require_free(index, {});
    }
    ModelScope scope(model_, numbers(), visible, std::move(indices));
    scope.use(definitions_);
    for (const auto& [index, value] : bound_) {
        scope.bind(index, value);
    }
    return scope;
}

Term Draft::single_term(const Expression& given, const Place& place) {
    const auto kernel = resolved(given);
    return scope({.coordinates = true, .time = true}).term(kernel, std::make_shared<Instances>(), place);
}

}  // namespace libration
