// The coefficients of a Runge-Kutta family compared with printed ones. Arguments:
//   family    "Lobatto IIIA", "Lobatto IIIB", "Lobatto IIIC", "Lobatto IIIC*", "Lobatto IIID", "Gauss", "Radau IIA"
//   s         stages
//   entries   as tables are printed, row by row: c_1, a_11, ..., a_1s, c_2, ..., then b_1, ..., b_s. Formulas such as
//   "5/24" or
//             "(5 - sqrt(5))/60"; "" where the print has lost one. May be omitted.
// Numbers: `entries` (ours, in the same order), `difference` (the largest, of all that are printed), `wrong` (how many
// are not ours to all digits that we have), `missing`.
#include "reproduce/computations/exact_number.hpp"
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/named_family.hpp"

#include "reports/closed_form.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// In the order of a printed table.
template <class T>
std::vector<T> in_print_order(const std::vector<T>& c, const std::vector<T>& A, const std::vector<T>& b) {
    std::vector<T> entries;
    for (std::size_t i = 0; i < c.size(); ++i) {
        entries.push_back(c[i]);
        entries.insert(entries.end(), A.begin() + static_cast<std::ptrdiff_t>(i * c.size()),
                       A.begin() + static_cast<std::ptrdiff_t>((i + 1) * c.size()));
    }
    entries.insert(entries.end(), b.begin(), b.end());
    return entries;
}

// Fractions and roots where they were recognised, decimals elsewhere.
Computed::Table table_of(const std::string& title, std::size_t s, const std::vector<Wide>& values,
                         const ClosedForms& forms) {
    Computed::Table table{title, {"c"}, {}};
    for (std::size_t j = 0; j < s; ++j) {
        table.heading.push_back(fmt::format("a_i{}", j + 1));
    }
    const auto cell = [&](std::size_t k) { return forms[k] ? to_string(*forms[k]) : wide_to_text(values[k]); };
    for (std::size_t i = 0; i <= s; ++i) {
        std::vector<std::string> row{i < s ? cell(i * (s + 1)) : "b"};
        for (std::size_t j = 0; j < s; ++j) {
            row.push_back(cell(i < s ? i * (s + 1) + j + 1 : s * (s + 1) + j));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

Computed compare_tableau(const ComputationArguments& arguments) {
    const auto family = family_named(arguments.text("family"));
    const auto ours = tableau(family, static_cast<std::size_t>(std::max(0, arguments.integer("s"))));
    const auto exact = exact_tableau(ours);
    const auto values = in_print_order(ours.c, ours.A, ours.b);
    const auto printed = arguments.texts("entries");
    if (!printed.empty() && printed.size() != values.size()) {
        throw InputError(fmt::format("{} with {} stages has {} entries, row by row c_i, a_i1, ..., and b at the end; "
                                     "{} are given",
                                     name(family), ours.stages, values.size(), printed.size()));
    }
    Computed result;
    double largest = 0, wrong = 0, missing = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        result.numbers["entries"].push_back(high(values[k]));
        if (printed.empty() || printed[k].empty()) {
            missing += 1;
            continue;
        }
        const Wide difference = wide_abs(exact_number(printed[k]) - values[k]);
        largest = std::max(largest, high(difference));
        // Entries of tableaux are good to some ten roundings.
        wrong += difference <= 64 * wide_epsilon ? 0 : 1;
    }
    result.numbers["difference"] = {largest};
    result.numbers["wrong"] = {wrong};
    result.numbers["missing"] = {missing};
    result.tables.push_back(table_of(fmt::format("{}, {} stages", name(family), ours.stages), ours.stages, values,
                                     in_print_order(exact.c, exact.A, exact.b)));
    return result;
}

}  // namespace libration
