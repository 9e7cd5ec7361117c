// What Jay (1998) promises of the Lobatto families IIIA, IIIB, IIIC, IIIC*, IIID, with 34 digits. Argument:
//   s   numbers of stages
// Numbers, one each number of stages: `conditions`, how many of (S1), (21), (35), (36), (37) there are, and `violated`,
// how many do not hold; `transform`, the largest distance of the W-transforms from the printed X^(1), ..., X^(5);
// `sigma` of these; `functions`, how many of the promised properties of stability functions fail: IIIC is the Pade
// approximation (s-2, s), L-stable and algebraically stable, IIIC* is (s, s-2), unconditionally explosive and
// dilatative, IIIA and IIIB are P-stable.
#include "reproduce/computations/list.hpp"

#include "reports/tableau_report.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// The entries of X^(1..5) as section 8 prints them: tridiagonal with 1/2 in the corner and -+zeta_k beside the
// diagonal, zeta_k = 1/(2 sqrt(4k^2 - 1)); the families differ in the last row and column.
Wide printed_entry(Family family, std::size_t s, std::size_t i, std::size_t j) {
    const auto n = static_cast<Wide>(s);
    const Wide sigma = (2 * n - 1) / (n - 1);
    const auto zeta = [](std::size_t k) {
        const auto x = static_cast<Wide>(k);
        return 1 / (2 * wide_sqrt(4 * x * x - 1));
    };
    if (i == 0 && j == 0) {
        return Wide{1} / 2;
    }
    if (i == j) {
        const Wide corner = i + 1 == s ? sigma / (2 * n - 2) : 0;
        return family == Family::lobatto_c ? corner : family == Family::lobatto_cstar ? -corner : 0;
    }
    if (i == j + 1) {
        return i + 1 < s ? zeta(i) : family == Family::lobatto_b ? 0 : zeta(i) * sigma;
    }
    if (j == i + 1) {
        return j + 1 < s ? -zeta(j) : family == Family::lobatto_a ? 0 : -zeta(j) * sigma;
    }
    return 0;
}

Wide transform_difference(const FamilyReport& report) {
    Wide worst = 0;
    const auto& X = report.transform;
    for (std::size_t i = 0; i < X.stages; ++i) {
        for (std::size_t j = 0; j < X.stages; ++j) {
            worst = std::max(worst, wide_abs(X.x(i, j) - printed_entry(report.family, X.stages, i, j)));
        }
    }
    return worst;
}

int broken_promises(const FamilyReport& report) {
    const std::size_t s = report.tableau.stages;
    const auto is_pade = [&](std::size_t numerator, std::size_t denominator) {
        const auto& pade = report.function.pade;
        return pade && pade->numerator == numerator && pade->denominator == denominator;
    };
    const auto& stability = report.stability;
    switch (report.family) {
        case Family::lobatto_a:
        case Family::lobatto_b: return stability.p_stable ? 0 : 1;
        case Family::lobatto_c:
            return (is_pade(s - 2, s) ? 0 : 1) + (stability.l_stable ? 0 : 1) + (report.algebraically_stable ? 0 : 1);
        case Family::lobatto_cstar:
            return (is_pade(s, s - 2) ? 0 : 1) + (stability.unconditionally_explosive ? 0 : 1) +
                   (report.dilatative ? 0 : 1);
        default: return 0;
    }
}

}  // namespace

Computed spark_conditions(const ComputationArguments& arguments) {
    Computed result;
    Computed::Table table{"Conditions on the coefficients, largest residual", {"condition"}, {}};
    for (const double stages : arguments.numbers("s")) {
        const auto report = tableau_report("spark", static_cast<std::int64_t>(stages));
        if (!report.spark) {
            throw InputError("there is no SPARK method with this number of stages");
        }
        double violated = 0, broken = 0;
        Wide transform = 0;
        table.heading.push_back(fmt::format("s = {}", stages));
        for (std::size_t k = 0; k < report.spark->conditions.size(); ++k) {
            const auto& condition = report.spark->conditions[k];
            violated += condition.holds ? 0 : 1;
            if (table.rows.size() <= k) {
                table.rows.push_back({fmt::format("{}: {}", condition.name, condition.formula)});
            }
            table.rows[k].push_back(fmt::format("{:.1e}", high(condition.defect)));
        }
        for (const auto& family : report.families) {
            transform = std::max(transform, transform_difference(family));
            broken += broken_promises(family);
        }
        result.numbers["conditions"].push_back(static_cast<double>(report.spark->conditions.size()));
        result.numbers["violated"].push_back(violated);
        result.numbers["transform"].push_back(high(transform));
        result.numbers["sigma"].push_back(high(report.families[0].transform.sigma));
        result.numbers["functions"].push_back(broken);
    }
    result.tables.push_back(std::move(table));
    return result;
}

}  // namespace libration
