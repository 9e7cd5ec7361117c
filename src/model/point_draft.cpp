// Points on their way into a model, and symbols that only a scope knows.
#include "definitions.hpp"
#include "document.hpp"
#include "draft.hpp"
#include "expression/table_handle.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

bool needs_scope(const Model& model, const Expression& symbol) {
    const auto& name = symbol.text();
    if (is_table(symbol)) {
        return true;
    }
    if (name.find_first_of("[(") == std::string::npos || name.starts_with("lambda_")) {
        return false;
    }
    const auto plain = name.starts_with("p_") || name.starts_with("v_") ? name.substr(2) : name;
    const auto number = model.coordinate_number(plain);
    return !(number && model.coordinate_name(*number) == plain);
}

}  // namespace

Mass::Block Draft::point_mass(const PointGroup& group, const Expression& kernel, const ModelScope& scope,
                              const Place& place) {
    // One value for all points needs no table.
    if (scope.is_constant(kernel)) {
        return {{kernel, 1, {}}, group.count * group.dimension, place};
    }
    Instances all{{"i"}, std::vector<IndexColumn>(1), group.count, {}};
    for (std::size_t i = 0; i < all.count; ++i) {
        all.columns[0].push_back(static_cast<std::int64_t>(i));
    }
    return {scope.formula(kernel, all, place), group.dimension, place};
}

void Draft::set_mass_of_all(Expression mass) {
    model_.mass.diagonal.clear();
    mass_of_all_ = std::move(mass);
}

void Draft::place_masses() {
    auto& diagonal = model_.mass.diagonal;
    const std::size_t plain = model_.plain_coordinates.size();
    if (mass_of_all_ && plain > 0) {
        diagonal.push_back({single_formula(*mass_of_all_), plain});
    }
    for (std::size_t k = 0; k < point_masses_.size(); ++k) {
        const auto& group = model_.points[k];
        if (const auto& masses = point_masses_[k]; !masses.empty()) {
            diagonal.insert(diagonal.end(), masses.begin(), masses.end());
        } else if (mass_of_all_) {
            diagonal.push_back({single_formula(*mass_of_all_), group.count * group.dimension});
        } else if (!diagonal.empty()) {
            throw InputError(fmt::format("the points {} have no mass; give them one", group.name));
        }
    }
}

void Draft::start_points(const PointGroup& group, std::size_t component, InitialValue value, const Place& place) {
    const auto& numbers = value.origin->columns[0];
    value.coordinates.reserve(value.origin->count);
    for (std::size_t k = 0; k < value.origin->count; ++k) {
        const auto i = numbers[k];
        if (i < 0 || i >= static_cast<std::int64_t>(group.count)) {
            throw InputError(place, fmt::format("the point {}[{}] does not exist; numbers run from 0 to {}", group.name,
                                                i, group.count - 1));
        }
        value.coordinates.push_back(
            static_cast<std::uint32_t>(group.first + static_cast<std::size_t>(i) * group.dimension + component));
    }
    model_.initial.push_back(std::move(value));
}

void Draft::add_known_definition(const std::string& name, std::vector<Expression> value) {
    require_free(name, {});
    definitions_.emplace(name, known_definition(model_, std::move(value)));
}

Expression Draft::resolved(const Expression& kernel, ModelScope& scope) const {
    std::vector<Expression> symbols, meanings;
    for (const auto& s : symbols_of(std::array{kernel})) {
        if (!needs_scope(model_, s)) {
            continue;
        }
        const auto found = meaning(s, scope, {}, "the expression");
        if (found != s) {
            symbols.push_back(s);
            meanings.push_back(found);
        }
    }
    return symbols.empty() ? kernel : substitute(kernel, symbols, meanings);
}

Expression Draft::resolved(const Expression& kernel) {
    const auto symbols = symbols_of(std::array{kernel});
    const auto needed = [&](const Expression& s) { return needs_scope(model_, s); };
    if (std::ranges::none_of(symbols, needed)) {
        return kernel;
    }
    auto everything =
        scope({.coordinates = true, .momenta = true, .velocities = true, .multipliers = true, .time = true});
    return resolved(kernel, everything);
}

}  // namespace libration
