// Closed formulas for quadrature nodes (Lobatto), against nodes by Newton's method on Legendre polynomials. Arguments:
//   s          stages
//   formulas   "name = formula", one after the other; later ones use earlier names
//   nodes      formulas of all s nodes, in increasing order
//   title      of the table; may be omitted
// Numbers: each name, `nodes`, `real` (1 if all nodes are real numbers), `ordered` (1 if they increase), `difference`
// (the largest from the true nodes; not a number if a node is not real).
#include "reproduce/computations/exact_number.hpp"
#include "reproduce/computations/list.hpp"

#include "coefficients/tableau.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

std::string without_spaces_around(const std::string& text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

Computed node_formulas(const ComputationArguments& arguments) {
    const auto stages = static_cast<std::size_t>(std::max(0, arguments.integer("s")));
    const auto truth = tableau(Family::lobatto_a, stages).c;
    Computed result;
    std::map<std::string, Wide> names;
    for (const auto& formula : arguments.texts("formulas")) {
        const auto sign = formula.find('=');
        if (sign == std::string::npos) {
            throw InputError(fmt::format("'{}' is not of the form name = formula", formula));
        }
        const auto name = without_spaces_around(formula.substr(0, sign));
        names[name] = exact_number(formula.substr(sign + 1), names);
        result.numbers[name] = {high(names[name])};
    }
    const auto texts = arguments.texts("nodes");
    if (texts.size() != stages) {
        throw InputError(fmt::format("{} stages have {} nodes, and {} are given", stages, stages, texts.size()));
    }
    bool real = true, ordered = true;
    Wide largest = 0, before = -1;
    for (std::size_t i = 0; i < stages; ++i) {
        const Wide node = exact_number(texts[i], names);
        result.numbers["nodes"].push_back(high(node));
        real = real && std::isfinite(high(node));
        ordered = ordered && node > before;
        largest = std::max(largest, wide_abs(node - truth[i]));
        before = node;
    }
    result.numbers["real"] = {real ? 1.0 : 0.0};
    result.numbers["ordered"] = {ordered ? 1.0 : 0.0};
    result.numbers["difference"] = {real ? high(largest) : std::numeric_limits<double>::quiet_NaN()};
    Computed::Table table{arguments.text("title", fmt::format("Nodes of Lobatto quadrature, {} stages", stages)),
                          {"i", "formula", "c_i"},
                          {}};
    for (std::size_t i = 0; i < stages; ++i) {
        table.rows.push_back({fmt::format("{}", i + 1), real ? fmt::format("{:.16g}", result.numbers["nodes"][i]) : "-",
                              wide_to_text(truth[i])});
    }
    result.tables.push_back(std::move(table));
    return result;
}

}  // namespace libration
