// H, constraints and forces; then q' = H_p, p' = -H_q + forces - G^T lambda - K^T lambda, with derivatives where they
// are short.
#include "equation_motion.hpp"
#include "equation_terms.hpp"
#include "row_names.hpp"
#include "term_groups.hpp"

#include <libration/expression/latex.hpp>
#include <libration/model/to_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t widest_energy = 70;          // of H in one line
constexpr std::size_t most_constraint_lines = 24;  // anything longer is omitted

bool is_rigid_row(const Model& model, std::size_t row) {
    return std::ranges::any_of(model.bodies,
                               [row](const Body& b) { return row >= b.first_row && row < b.first_row + b.rows(); });
}

std::string body_letter(const Body& body, const char* letter) {
    return fmt::format("{}^{{{}}}", letter, symbol_latex(body.name));
}

// 1/2 p^T M^-1 p in its parts; with a singular mass 1/2 v^T M v.
class KineticEnergy {
  public:
    explicit KineticEnergy(const Model& model) : model_(model) {
        std::size_t at = 0;
        for (const auto& block : model.mass.diagonal) {
            add(block, at);
            at += block.value.instances * block.repeat;
        }
        for (const auto& body : model.bodies) {
            if (body.kind == BodyKind::planar) {
                const auto p = symbol("p_" + body_coordinate_name(body, body.first));
                terms_.push_back(to_latex(pow(p, 2) / (2 * body.d[0])));
                continue;
            }
            terms_.push_back(fmt::format("\\frac{{1}}{{2}} \\operatorname{{tr}}(P \\, D^{{-1}} P^{{T}})"));
            if (model.bodies.size() > 1) {
                terms_.back() = fmt::format("\\frac{{1}}{{2}} \\operatorname{{tr}}({0} \\, ({1})^{{-1}} ({0})^{{T}})",
                                            body_letter(body, "P"), body_letter(body, "D"));
            }
        }
    }

    [[nodiscard]] std::string latex() const {
        auto terms = terms_;
        Expression plain(0);
        for (const auto& [mass, squares] : plain_) {
            plain += model_.singular_mass ? mass * squares / 2 : squares / (2 * mass);
        }
        if (!plain.is_constant(0)) {
            terms.insert(terms.begin(), to_latex(plain));
        }
        return joined_sum(terms);
    }

  private:
    void add(const Mass::Block& block, std::size_t at) {
        const auto& mass = block.value.kernel;
        for (const auto& group : model_.points) {
            if (at >= group.first && at < group.first + group.count * group.dimension) {
                add_points(group, block, at);
                return;
            }
        }
        for (const auto& body : model_.bodies) {
            if (body.centre && at == *body.centre) {
                const auto p = written_length("\\lVert \\mathbf{p}_{" + body_letter(body, "r") + "} \\rVert");
                terms_.push_back(to_latex(pow(p, 2) / (2 * mass)));
                return;
            }
        }
        if (at >= model_.plain_coordinates.size()) {
            return;
        }
        const auto prefix = model_.singular_mass ? "v_" : "p_";
        for (std::size_t k = 0; k < block.repeat; ++k) {
            const auto square = pow(symbol(prefix + model_.coordinate_name(at + k)), 2);
            const auto known = std::ranges::find(plain_, mass, &std::pair<Expression, Expression>::first);
            if (known == plain_.end()) {
                plain_.emplace_back(mass, square);
            } else {
                known->second += square;
            }
        }
    }

    // A block of masses is that of all points, of a range of them, or of one. Many different masses are m_i.
    void add_points(const PointGroup& group, const Mass::Block& block, std::size_t at) {
        const std::size_t size = block.value.instances * block.repeat, whole = group.count * group.dimension;
        if (group.name != last_group_) {
            last_group_ = group.name;
            named_ = blocks_of(group) <= most_masses_written && size % group.dimension == 0;
        } else if (!named_) {
            return;
        }
        const auto square = [&](const std::string& index) {
            const auto name = model_.points.size() == 1 ? index : symbol_latex(group.name + "[" + index + "]");
            return pow(written_length("\\lVert \\mathbf{p}_{" + name + "} \\rVert"), 2);
        };
        const auto sum = [&](std::size_t first, std::size_t last, const Expression& mass) {
            terms_.push_back(fmt::format("\\sum_{{i={}}}^{{{}}} {}", first, last, to_latex(square("i") / (2 * mass))));
        };
        const std::size_t first = (at - group.first) / group.dimension, count = size / group.dimension;
        if (!named_) {
            sum(0, group.count - 1, symbol("m_i"));
        } else if (size == whole || count > 1) {
            sum(first, first + count - 1, block.value.kernel);
        } else {
            terms_.push_back(to_latex(square(std::to_string(first)) / (2 * block.value.kernel)));
        }
    }

    std::size_t blocks_of(const PointGroup& group) const {
        std::size_t at = 0, blocks = 0;
        for (const auto& block : model_.mass.diagonal) {
            blocks += at >= group.first && at < group.first + group.count * group.dimension ? 1 : 0;
            at += block.value.instances * block.repeat;
        }
        return blocks;
    }

    static constexpr std::size_t most_masses_written = 4;
    const Model& model_;
    std::string last_group_;
    bool named_ = false;                                    // its masses are written
    std::vector<std::pair<Expression, Expression>> plain_;  // masses, and the squares that belong to them
    std::vector<std::string> terms_;
};

std::string matrix_latex(const std::vector<Expression>& entries, std::size_t dimension) {
    std::string rows;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        rows += to_latex(entries[k]) + (k + 1 == entries.size() ? " " : (k + 1) % dimension != 0 ? " & " : " \\\\ ");
    }
    return "\\begin{pmatrix} " + rows + "\\end{pmatrix}";
}

void append_potential(std::vector<std::string>& lines, const Model& model) {
    const std::array<std::pair<unsigned, const char*>, 3> parts{
        {{slow_part, "slow"}, {fast_part, "fast"}, {stiff_part, "stiff"}}};
    if (model.potential.empty() || model.potential[0].part == 0) {
        append_equation(lines, "U", potential_latex(model, 0));
        return;
    }
    for (const auto& [part, name] : parts) {
        if (std::ranges::any_of(model.potential, [part](const Term& term) { return term.part == part; })) {
            append_equation(lines, fmt::format("U_{{\\mathrm{{{}}}}}", name), potential_latex(model, part));
        }
    }
}

std::string potential_sum(const Model& model) {
    std::vector<std::string> names;
    for (const auto& [part, name] : std::array<std::pair<unsigned, const char*>, 3>{
             {{slow_part, "slow"}, {fast_part, "fast"}, {stiff_part, "stiff"}}}) {
        if (std::ranges::any_of(model.potential, [part](const Term& term) { return term.part == part; })) {
            names.push_back(fmt::format("U_{{\\mathrm{{{}}}}}", name));
        }
    }
    return model.potential.empty() ? "" : names.empty() ? " + U" : " + " + fmt::format("{}", fmt::join(names, " + "));
}

void append_energy(std::vector<std::string>& lines, const Model& model) {
    if (model.hamiltonian) {
        append_equation(lines, "H", to_latex(with_vectors(model.hamiltonian->value, model)));
        return;
    }
    if (model.kinetic || !model.mass.matrix.empty()) {
        lines.push_back((model.kinetic ? "H &= T" : "H &= \\frac{1}{2} p^{T} M^{-1} p") + potential_sum(model));
        if (model.kinetic) {
            append_equation(lines, "T", to_latex(with_vectors(model.kinetic->value, model)));
        } else {
            append_equation(lines, "M", matrix_latex(model.mass.matrix, model.dimension));
        }
        if (!model.potential.empty()) {
            append_potential(lines, model);
        }
        return;
    }
    const auto kinetic = KineticEnergy(model).latex();
    if (model.potential.empty()) {
        append_equation(lines, "H", kinetic);
    } else {
        const bool split = model.potential[0].part != 0;
        const auto whole = joined_sum({kinetic, split ? "" : potential_latex(model, 0)});
        if (!split && width_of(whole) <= widest_energy) {
            lines.push_back("H &= " + whole);
        } else {
            lines.push_back("H &= T" + potential_sum(model));
            append_equation(lines, "T", kinetic);
            append_potential(lines, model);
        }
    }
    for (const auto& body : model.bodies) {
        const bool one = model.bodies.size() == 1;
        std::vector<std::string> d;
        for (const auto k : body.columns) {
            d.push_back(to_latex(body.d.at(k)));
        }
        if (!d.empty()) {
            lines.push_back(fmt::format("{} &= \\operatorname{{diag}}({})", one ? "D" : body_letter(body, "D"),
                                        fmt::join(d, ", ")));
        }
    }
}

void append_constraints(std::vector<std::string>& lines, const Model& model) {
    for (const auto& body : model.bodies) {
        if (body.kind == BodyKind::planar) {
            continue;
        }
        lines.push_back(model.bodies.size() == 1 ? "I &= Q^{T} Q"
                                                 : fmt::format("I &= ({0})^{{T}} {0}", body_letter(body, "Q")));
    }
    std::size_t count = 0;
    for (const auto& constraint : model.constraints) {
        const auto& term = constraint.term;
        if (is_rigid_row(model, constraint.first_row) || term.formula.instances == 0) {
            continue;
        }
        if (++count > most_constraint_lines) {
            lines.emplace_back("&\\;\\,\\vdots");
            break;
        }
        auto remark = '(' + symbol_latex(model.multiplier_name(constraint.first_row)) + ')';
        if (is_family(term)) {
            const auto names = fmt::format("{}", fmt::join(term.origin->names, ","));
            const auto row = "lambda_" + with_indices(constraint.name, fmt::format("[{}]", names));
            remark = fmt::format("({}),\\; {}", symbol_latex(row), family_range(*term.origin).list);
        }
        append_equation(lines, "0", kernel_latex(term, model), remark);
    }
    for (std::size_t k = 0; k < std::min(model.nonholonomic.size(), most_constraint_lines); ++k) {
        append_equation(lines, "0", to_latex(with_vectors(model.nonholonomic[k].equation.value, model)),
                        '(' + symbol_latex(model.multiplier_name(model.constraint_rows + k)) + ')');
    }
}

}  // namespace

std::vector<std::string> latex_equations(const Model& given) {
    const auto model = with_single_terms(given);
    std::vector<std::string> lines;
    if (model.field) {
        append_field(lines, model);
        return lines;
    }
    append_energy(lines, model);
    append_constraints(lines, model);
    if (const auto motion = worked_out_motion(model)) {
        lines.insert(lines.end(), motion->begin(), motion->end());
    } else {
        append_forces(lines, model);
        append_general_motion(lines, model);
    }
    return lines;
}

}  // namespace libration
