// Kinetic energies: from masses that depend on q or t, and whether they are quadratic in v.
#include "dynamics.hpp"

#include "model_values.hpp"
#include <libration/expression/differentiate.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace libration {

namespace {

// M(q) is stored and factored as a dense matrix.
constexpr std::size_t largest_dense_mass = 1000;

void require_small(const Model& model, const Place& place) {
    if (model.dimension > largest_dense_mass) {
        refuse(place, fmt::format("a mass that depends on coordinates or the time is stored as a dense matrix, for at "
                                  "most {} coordinates; the model has {}",
                                  largest_dense_mass, model.dimension));
    }
}

// Evaluates expressions in q at t = 0.
std::vector<double> values_at(const Model& model, std::span<const Expression> expressions, std::span<const double> q) {
    const auto given = parameter_values<double>(model);
    auto inputs = model.coordinate_symbols();
    inputs.push_back(symbol("t"));
    Tape<double> tape(compile(expressions, inputs, given.symbols), given.values);
    for (std::size_t k = 0; k < q.size(); ++k) {
        tape.input(k) = q[k];
    }
    tape.run();
    std::vector<double> values;
    for (std::size_t k = 0; k < expressions.size(); ++k) {
        values.push_back(tape.output(k));
    }
    return values;
}

// Simplification leaves 0*sqrt(x) as it is. Where an expression is not plainly 0, its values near the start decide.
bool vanishes(const Model& model, const Expression& expression) {
    if (expression.is_constant(0)) {
        return true;
    }
    auto q = initial_state<double>(model).q;
    for (int sample = 0; sample < 4; ++sample) {
        const double value = values_at(model, std::array{expression}, q)[0];
        if (std::isfinite(value) && value != 0) {
            return false;
        }
        for (std::size_t k = 0; k < q.size(); ++k) {
            q[k] += 0.01 * std::cos(static_cast<double>(3 * k) + sample);
        }
    }
    return true;
}

bool moves(const Model& model, const Expression& e) {
    return std::ranges::any_of(symbols_of(std::array{e}), [&](const Expression& s) {
        return s.text() == "t" || model.coordinate_number(s.text()).has_value();
    });
}

// T = 1/2 v^T M v with a matrix of constants is what a mass says, and gets the system of constant masses.
void kinetic_to_mass(Model& model, std::span<const Expression> matrix) {
    if (std::ranges::any_of(matrix, [&](const Expression& entry) { return moves(model, entry); })) {
        return;
    }
    const std::size_t d = model.dimension;
    const auto place = model.kinetic->place;
    Mass mass{.diagonal = {}, .matrix = {}, .place = place};
    bool diagonal = true;
    for (std::size_t i = 0; i < d; ++i) {
        mass.diagonal.push_back({{matrix[i * d + i], 1, {}}, 1, place});
        for (std::size_t j = 0; j < d; ++j) {
            // Both halves from the same formula: two derivatives of it may be rounded differently.
            mass.matrix.push_back(matrix[std::max(i, j) * d + std::min(i, j)]);
            diagonal = diagonal && (i == j || mass.matrix.back().is_constant(0));
        }
    }
    if (diagonal) {
        mass.matrix.clear();
    } else {
        mass.diagonal.clear();
    }
    model.mass = std::move(mass);
    model.kinetic.reset();
}

std::vector<Expression> mass_matrix(const Model& model) {
    const std::size_t d = model.dimension;
    if (!model.mass.matrix.empty()) {
        return model.mass.matrix;
    }
    std::vector<Expression> matrix(d * d);
    std::size_t k = 0;
    for (const auto& block : model.mass.diagonal) {
        if (!block.value.parameters.empty()) {
            refuse(block.place, "a mass that depends on coordinates or the time cannot be combined with masses that "
                                "depend on an index; write the kinetic energy instead: `[dynamics] kinetic = \"...\"`");
        }
        for (std::size_t repeat = 0; repeat < block.repeat && k < d; ++repeat, ++k) {
            matrix[k * d + k] = block.value.kernel;
        }
    }
    if (k != d) {
        refuse(model.mass.place, fmt::format("masses are given for {} coordinates, the model has {}", k, d));
    }
    return matrix;
}

}  // namespace

void mass_to_kinetic(Model& model) {
    // Large models have few formulas for masses, but many coordinates: ask the symbols.
    const auto varies = [&](const Expression& e) { return moves(model, e); };
    if (std::ranges::none_of(model.mass.matrix, varies) &&
        std::ranges::none_of(model.mass.diagonal, [&](const auto& block) { return varies(block.value.kernel); })) {
        return;
    }
    const std::size_t d = model.dimension;
    const auto place =
        model.mass.place.source || model.mass.diagonal.empty() ? model.mass.place : model.mass.diagonal[0].place;
    require_small(model, place);
    const auto matrix = mass_matrix(model);
    const auto values = values_at(model, matrix, initial_state<double>(model).q);
    const auto v = model.coordinate_symbols("v_");
    Expression twice(0);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            if (!nearly_equal_entries(values, d, i, j)) {
                refuse(model.mass.place, fmt::format("the mass matrix is not symmetric: at the initial values entry "
                                                     "({},{}) is {}, entry ({},{}) is {}",
                                                     i + 1, j + 1, values[i * d + j], j + 1, i + 1, values[j * d + i]));
            }
            twice += v[i] * matrix[i * d + j] * v[j];
        }
    }
    model.kinetic = {ratio(1, 2) * twice, place};
    model.variable_mass = std::exchange(model.mass, {});
}

void check_kinetic(Model& model) {
    const auto& [T, place] = *model.kinetic;
    const std::size_t d = model.dimension;
    require_small(model, place);
    const auto v = model.coordinate_symbols("v_");
    const std::vector<Expression> rest(d, Expression(0));
    if (!vanishes(model, substitute(T, v, rest))) {
        refuse(place, "the kinetic energy does not vanish at rest; move the terms without velocities to the potential, "
                      "with the opposite sign");
    }
    const auto momenta = gradient(T, v);
    std::vector<Expression> matrix;
    for (std::size_t i = 0; i < d; ++i) {
        if (!vanishes(model, substitute(momenta[i], v, rest))) {
            refuse(place,
                   fmt::format("the kinetic energy must be quadratic in the velocities, but has a part linear in {}; "
                               "write hamiltonian = \"H(q, p)\" instead",
                               v[i].text()));
        }
        const auto row = gradient(momenta[i], v);
        for (std::size_t j = 0; j < d; ++j) {
            if (depends_on(row[j], v)) {
                refuse(
                    place,
                    fmt::format(
                        "the kinetic energy must be quadratic in the velocities, but its second derivative with "
                        "respect to {} and {} still contains velocities; write it with products of two velocities only "
                        "(norm2 instead of norm), or write hamiltonian = \"H(q, p)\" instead",
                        v[i].text(), v[j].text()));
            }
            matrix.push_back(row[j]);
        }
    }
    const auto start = initial_state<double>(model).q;
    const auto values = values_at(model, matrix, start);
    const auto row = indefinite_row(values, d);
    model.singular_mass = row && is_singular_mass(values, d);
    if (row && !model.singular_mass) {
        refuse(place, indefinite_mass(model, {.row = *row, .where = "at the initial values", .q = start}) +
                          "; give every coordinate a kinetic energy, or change the initial values");
    }
    kinetic_to_mass(model, matrix);
}

std::string indefinite_mass(const Model& model, const IndefiniteMass& seen) {
    constexpr std::size_t most = 8;
    // T = 1/2 v^T M v contains the coordinates that M contains.
    std::set<std::size_t> numbers;
    for (const auto& s : symbols_of(std::array{model.kinetic->value})) {
        if (const auto k = model.coordinate_number(s.text())) {
            numbers.insert(*k);
        }
    }
    std::vector<std::string> state;
    for (const auto k : numbers) {
        if (state.size() < most) {
            state.push_back(fmt::format("{} = {:.10g}", model.coordinate_name(k), seen.q[k]));
        }
    }
    if (numbers.size() > most) {
        state.emplace_back("...");
    }
    return fmt::format("the mass matrix is not positive definite {}{}{} (detected at coordinate {})", seen.where,
                       state.empty() ? "" : ": ", fmt::join(state, ", "), model.coordinate_name(seen.row));
}

bool nearly_equal_entries(std::span<const double> matrix, std::size_t d, std::size_t i, std::size_t j) {
    return std::abs(matrix[i * d + j] - matrix[j * d + i]) <=
           1e-14 * (std::abs(matrix[i * d + i]) + std::abs(matrix[j * d + j]));
}

std::optional<std::size_t> indefinite_row(std::vector<double> m, std::size_t d) {
    for (std::size_t j = 0; j < d; ++j) {
        double pivot = m[j * d + j];
        for (std::size_t k = 0; k < j; ++k) {
            pivot -= m[j * d + k] * m[j * d + k];
        }
        if (!(pivot > 1e-14 * std::abs(m[j * d + j])) || !std::isfinite(pivot)) {
            return j;
        }
        m[j * d + j] = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < d; ++i) {
            double sum = m[i * d + j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= m[i * d + k] * m[j * d + k];
            }
            m[i * d + j] = sum / m[j * d + j];
        }
    }
    return std::nullopt;
}

}  // namespace libration
