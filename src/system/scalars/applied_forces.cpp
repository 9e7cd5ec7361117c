// Programs of the forces of a model and of their derivatives.
#include "system/applied_forces.hpp"
#include "model/model_values.hpp"
#include "scalar/second_order.hpp"

#include <algorithm>
#include <unordered_map>

namespace libration {

namespace {

using Columns = std::unordered_map<Expression, std::uint32_t>;

Columns columns_of(std::initializer_list<Symbols> vectors) {
    Columns columns;
    for (const auto& vector : vectors) {
        for (const auto& s : vector) {
            columns.emplace(s, static_cast<std::uint32_t>(columns.size()));
        }
    }
    return columns;
}

// Those that an expression contains, by ascending columns: a force contains few of the variables of a large model.
struct Variables {
    Symbols symbols;
    std::vector<std::uint32_t> columns;
};

Variables variables_of(const Expression& value, const Columns& columns) {
    std::vector<std::pair<std::uint32_t, Expression>> found;
    for (const auto& s : symbols_of(std::array{value})) {
        if (const auto column = columns.find(s); column != columns.end()) {
            found.emplace_back(column->second, s);
        }
    }
    std::ranges::sort(found, {}, &std::pair<std::uint32_t, Expression>::first);
    Variables variables;
    for (auto& [column, s] : found) {
        variables.columns.push_back(column);
        variables.symbols.push_back(std::move(s));
    }
    return variables;
}

// The values, and their derivatives by all variables.
ProgramStore::Programs force_programs(std::span<const Expression> values, std::initializer_list<Symbols> vectors,
                                      std::span<const Expression> parameters) {
    const auto columns = columns_of(vectors);
    std::vector<Expression> derivatives;
    std::vector<std::array<std::uint32_t, 2>> entries;
    for (std::uint32_t component = 0; component < values.size(); ++component) {
        const auto variables = variables_of(values[component], columns);
        const auto row = gradient(values[component], variables.symbols);
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (!row[k].is_constant(0)) {
                entries.push_back({component, variables.columns[k]});
                derivatives.push_back(row[k]);
            }
        }
    }
    ProgramStore::Programs programs{whole_program(values, vectors, parameters),
                                    whole_program(derivatives, vectors, parameters)};
    programs.entries = std::move(entries);
    return programs;
}

}  // namespace

template <class S>
AppliedForces<S>::AppliedForces(const Model& model, const ParameterValues<S>& given) : count_(model.forces.size()) {
    const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
    const Symbols lambda = model.multiplier_symbols();
    std::vector<Expression> values;
    for (std::uint32_t number = 0; number < count_; ++number) {
        for (const auto& [coordinate, expression] : model.forces[number].on) {
            components_.push_back({number, static_cast<std::uint32_t>(coordinate)});
            values.push_back(expression.value);
        }
    }
    const auto programs =
        stored(given.programs.get(), ProgramPurpose::forces, {values, q, v, lambda, given.symbols}, [&] {
            return force_programs(values, {q, v, lambda}, given.symbols);
        });
    for (const auto& [component, column] : programs->entries) {
        slopes_.push_back({component, column});
        depend_on_multipliers_ = depend_on_multipliers_ || column >= 2 * q.size();
    }
    values_ = WholeTape<S>((*programs)[0], given);
    derivatives_ = WholeTape<S>((*programs)[1], given);
}

#define LIBRATION_INSTANTIATE(scalar) template class AppliedForces<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
