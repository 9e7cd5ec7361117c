// q' = H_p, p' = -H_q + forces - g_q^T lambda - k_v^T lambda.
#include "equation_motion.hpp"

#include "equation_terms.hpp"

#include <libration/expression/differentiate.hpp>
#include <libration/expression/latex.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t largest_dimension = 8;
constexpr std::size_t widest_equation = 150, widest_motion = 700;
constexpr std::size_t most_forces = 30, most_equations = 60;

std::string rate_of_momentum(const std::string& coordinate) {
    return "\\dot{p}" + symbol_latex("p_" + coordinate).substr(1);
}

bool is_single(const Term& term) { return !is_family(term) && term.formula.parameters.empty(); }

// Everything in whole expressions of the model's symbols.
struct Whole {
    Expression potential{0};
    std::vector<Expression> constraints;
};

std::optional<Whole> whole_of(const Model& model) {
    Whole whole;
    for (const auto& term : model.potential) {
        if (!is_single(term)) {
            return std::nullopt;
        }
        whole.potential += term.formula.kernel;
    }
    for (const auto& constraint : model.constraints) {
        if (!is_single(constraint.term)) {
            return std::nullopt;
        }
        whole.constraints.push_back(constraint.term.formula.kernel);
    }
    return whole;
}

// The mass of every coordinate; empty where it is a matrix or depends on an instance.
std::vector<Expression> masses_of(const Model& model) {
    std::vector<Expression> masses;
    for (const auto& block : model.mass.diagonal) {
        if (block.value.instances != 1 || !block.value.parameters.empty()) {
            return {};
        }
        masses.insert(masses.end(), block.repeat, block.value.kernel);
    }
    return masses;
}

// The non-Hamiltonian force on coordinate k.
Expression other_forces(const Model& model, const Whole& whole, std::size_t k) {
    const auto q = symbol(model.coordinate_name(k)), v = symbol("v_" + model.coordinate_name(k));
    const auto lambda = model.multiplier_symbols();
    Expression sum(0);
    for (const auto& force : model.forces) {
        for (const auto& component : force.on) {
            if (component.coordinate == k) {
                sum += component.value.value;
            }
        }
    }
    for (std::size_t row = 0; row < whole.constraints.size(); ++row) {
        sum += -(lambda[row] * derivative(whole.constraints[row], q));
    }
    for (std::size_t row = 0; row < model.nonholonomic.size(); ++row) {
        sum += -(lambda[model.constraint_rows + row] * derivative(model.nonholonomic[row].equation.value, v));
    }
    return sum;
}

std::string general_momentum(const Model& model) {
    std::string text = model.hamiltonian ? "-\\frac{\\partial H}{\\partial q}" : "";
    if (model.kinetic) {
        text += "\\frac{\\partial T}{\\partial q}";
    }
    if (!model.hamiltonian && !model.potential.empty()) {
        text += text.empty() ? "-\\nabla U(q)" : " - \\nabla U(q)";
    }
    if (!model.forces.empty()) {
        text += text.empty() ? "F" : " + F";
    }
    if (!model.constraints.empty()) {
        text += text.empty() ? "-G^{T} \\lambda" : " - G^{T} \\lambda";
    }
    if (!model.nonholonomic.empty()) {
        text += text.empty() ? "-K^{T} \\lambda" : " - K^{T} \\lambda";
    }
    return text.empty() ? "0" : text;
}

}  // namespace

std::optional<std::vector<std::string>> worked_out_motion(const Model& model) {
    const auto whole = model.dimension <= largest_dimension && model.bodies.empty() ? whole_of(model) : std::nullopt;
    const auto masses = masses_of(model);
    const bool diagonal = !model.kinetic && !model.hamiltonian && model.mass.matrix.empty();
    if (!whole || (diagonal && masses.size() != model.dimension)) {
        return std::nullopt;
    }
    std::vector<std::string> positions, momenta;
    std::size_t total = 0;
    bool short_enough = true;
    const auto put = [&](std::vector<std::string>& lines, const std::string& left, const Expression& right) {
        const auto text = to_latex(with_vectors(right, model));
        const auto width = width_of(text);
        total += width;
        short_enough = short_enough && width <= widest_equation && text.find("\\ldots") == std::string::npos;
        append_equation(lines, left, text);
    };
    if (!model.mass.matrix.empty()) {
        positions.emplace_back("\\dot{q} &= M^{-1} p");
    }
    for (std::size_t k = 0; k < model.dimension && short_enough; ++k) {
        const auto name = model.coordinate_name(k);
        const auto q = symbol(name), p = symbol("p_" + name), v = symbol("v_" + name);
        auto rate = other_forces(model, *whole, k);
        if (model.hamiltonian) {
            put(positions, symbol_latex("v_" + name), derivative(model.hamiltonian->value, p));
            rate = -derivative(model.hamiltonian->value, q) + rate;
        } else {
            rate = -derivative(whole->potential, q) + rate;
        }
        if (model.kinetic) {
            put(positions, symbol_latex("p_" + name), derivative(model.kinetic->value, v));
            rate = derivative(model.kinetic->value, q) + rate;
        } else if (diagonal && model.singular_mass) {
            put(positions, symbol_latex("p_" + name), masses[k] * v);
        } else if (diagonal) {
            put(positions, symbol_latex("v_" + name), p / masses[k]);
        }
        put(momenta, rate_of_momentum(name), rate);
    }
    if (!short_enough || total > widest_motion) {
        return std::nullopt;
    }
    positions.insert(positions.end(), momenta.begin(), momenta.end());
    return positions;
}

void append_general_motion(std::vector<std::string>& lines, const Model& model) {
    const bool rolling = !model.nonholonomic.empty();
    if (model.bodies.size() == 1 && model.dimension == 9 && model.multipliers() == 6 && model.forces.empty()) {
        lines.emplace_back("\\dot{Q} &= P \\, D^{-1}");
        lines.push_back(std::string("\\dot{P} &= ") +
                        (model.potential.empty() ? "-Q \\, \\Lambda" : "-\\nabla U(Q) - Q \\, \\Lambda") +
                        " \\qquad \\Lambda = \\Lambda^{T}");
        return;
    }
    if (model.hamiltonian) {
        lines.emplace_back("\\dot{q} &= \\frac{\\partial H}{\\partial p}");
    } else if (model.kinetic) {
        lines.emplace_back("p &= \\frac{\\partial T}{\\partial \\dot{q}}");
    } else {
        lines.emplace_back(model.singular_mass ? "M \\, \\dot{q} &= p" : "\\dot{q} &= M^{-1} p");
    }
    std::string where;
    if (!model.constraints.empty()) {
        where = "G = \\frac{\\partial g}{\\partial q}";
    }
    if (rolling) {
        where += std::string(where.empty() ? "" : ",\\; ") + "K = \\frac{\\partial k}{\\partial \\dot{q}}";
    }
    append_equation(lines, "\\dot{p}", general_momentum(model), where);
}

void append_forces(std::vector<std::string>& lines, const Model& model) {
    std::size_t count = 0;
    for (const auto& force : model.forces) {
        for (const auto& component : force.on) {
            if (++count > most_forces) {
                lines.emplace_back("&\\;\\,\\vdots");
                return;
            }
            append_equation(lines,
                            fmt::format("F_{{{}}}^{{{}}}", symbol_latex(model.coordinate_name(component.coordinate)),
                                        text_latex(force.name)),
                            to_latex(with_vectors(component.value.value, model)));
        }
    }
}

void append_field(std::vector<std::string>& lines, const Model& model) {
    const auto& field = *model.field;
    // v need not be the rate of q here, so that it must not be printed as one.
    const auto velocities = model.coordinate_symbols("v_");
    std::vector<Expression> letters;
    for (std::size_t k = 0; k < model.dimension; ++k) {
        letters.push_back(written_symbol("v_{" + symbol_latex(model.coordinate_name(k)) + '}'));
    }
    for (std::size_t k = 0; k < std::min(field.q.size() + field.v.size(), most_equations); ++k) {
        const bool position = k < field.q.size();
        const auto coordinate = position ? k : k - field.q.size();
        const auto& value = position ? field.q[k].value : field.v[coordinate].value;
        const auto name = symbol_latex(model.coordinate_name(coordinate));
        append_equation(lines,
                        position ? symbol_latex("v_" + model.coordinate_name(coordinate)) : "\\dot{v}_{" + name + '}',
                        to_latex(substitute(value, velocities, letters)));
    }
    if (field.q.size() + field.v.size() > most_equations) {
        lines.emplace_back("&\\;\\,\\vdots");
    }
}

}  // namespace libration
