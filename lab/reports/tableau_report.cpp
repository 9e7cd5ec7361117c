// Reports of single methods and pairs.
#include "spark_report.hpp"

#include "coefficients/tableau_conditions.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration {

namespace {

struct NamedFamily {
    std::string_view name;
    Family family;
};

constexpr std::array named_families{
    NamedFamily{"lobatto-a", Family::lobatto_a}, NamedFamily{"lobatto-b", Family::lobatto_b},
    NamedFamily{"lobatto-c", Family::lobatto_c}, NamedFamily{"lobatto-cstar", Family::lobatto_cstar},
    NamedFamily{"lobatto-d", Family::lobatto_d}, NamedFamily{"gauss", Family::gauss},
    NamedFamily{"radau", Family::radau},
};

// IIIA first: A^(1) of a SPARK method.
constexpr std::array lobatto_families{Family::lobatto_a, Family::lobatto_b, Family::lobatto_c, Family::lobatto_cstar,
                                      Family::lobatto_d};

Wide difference(const std::vector<Wide>& a, const std::vector<Wide>& b) {
    Wide worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, wide_abs(a[i] - b[i]));
    }
    return worst;
}

std::optional<Family> family_of(const Tableau& wanted) {
    for (const auto& named : named_families) {
        const bool has_stage_one = named.family == Family::gauss || named.family == Family::radau;
        if (wanted.stages < 2 && !has_stage_one) {
            continue;
        }
        const auto known = tableau(named.family, wanted.stages);
        if (std::max({difference(known.c, wanted.c), difference(known.b, wanted.b), difference(known.A, wanted.A)}) <=
            tableau_round_off(wanted.stages)) {
            return named.family;
        }
    }
    return std::nullopt;
}

// That of A, and of the nodes, which the adjoint of a symmetric method keeps.
Wide symmetry_defect(const Tableau& tableau) {
    return std::max(symmetry_residual(tableau), difference(symmetric_conjugate(tableau).c, tableau.c));
}

FamilyReport family_report(Family family, std::size_t stages) {
    const auto table = tableau(family, stages);
    const auto transform = w_transform(table);
    const auto function = stability_function(transform);
    const auto eigenvalues = algebraic_stability_eigenvalues(transform);
    const bool positive = std::all_of(table.b.begin(), table.b.end(), [](Wide b) { return b >= 0; });
    const Wide small = tableau_round_off(stages);
    const auto simplifying = assumptions(table);
    FamilyReport report{.family = family,
                        .tableau = table,
                        .exact = exact_tableau(table),
                        .assumptions = simplifying,
                        .transform = transform,
                        .symplectic_conjugate = family_of(symplectic_conjugate(table)),
                        .symmetric_conjugate = family_of(symmetric_conjugate(table)),
                        .symplecticity_defect = symplecticity_residual(table),
                        .symmetry_defect = symmetry_defect(table),
                        .symplectic = false,
                        .symmetric = false,
                        .function = function,
                        .stability = linear_stability(function),
                        // The polynomials of the W-transform are below sqrt(2s), so its round-off is larger by 2s.
                        .algebraically_stable = positive && eigenvalues.least >= -static_cast<Wide>(2 * stages) * small,
                        .dilatative = positive && eigenvalues.greatest <= static_cast<Wide>(2 * stages) * small,
                        .order = classical_order(simplifying),
                        .measured_order = measured_order(table, table)};
    report.symplectic = report.symplecticity_defect <= small;
    report.symmetric = report.symmetry_defect <= small;
    return report;
}

PairReport pair_report(Family family, const Tableau& a, const Tableau& ahat) {
    const Wide small = tableau_round_off(a.stages);
    const auto simplifying = assumptions(a);
    PairReport report{.first = family,
                      .second = family_of(ahat),
                      .assumptions = assumptions(a, ahat),
                      .symplecticity_defect = symplecticity_residual(a, ahat),
                      .symmetry_defect = std::max(symmetry_defect(a), symmetry_defect(ahat)),
                      .symplectic = false,
                      .symmetric = false,
                      // A method with itself is stable everywhere or nowhere, and its stability function knows.
                      .periodicity = difference(a.A, ahat.A) <= small &&
                                             linear_stability(stability_function(w_transform(a))).p_stable
                                         ? Periodicity{PeriodicityKind::everywhere}
                                         : periodicity(a, ahat),
                      .at_ten = stability_matrix_moduli(a, ahat, 10),
                      .free_order = {},
                      .constrained_order = {},
                      .measured_order = measured_order(a, ahat)};
    report.symplectic = report.symplecticity_defect <= small;
    report.symmetric = report.symmetry_defect <= small;
    if (report.symplectic) {
        report.free_order = dual_pair_order(simplifying);
    }
    if (fits_constraints(a, ahat)) {
        report.constrained_order = pair_order(simplifying, assumptions(ahat), report.assumptions);
    }
    return report;
}

void check_stages(const std::string& name, std::int64_t stages) {
    const std::int64_t least = name == "gauss" || name == "radau" ? 1 : 2;
    if (stages < least || stages > static_cast<std::int64_t>(max_stages)) {
        throw InputError(fmt::format("'{}' has {} to {} stages, not {}", name, least, max_stages, stages));
    }
}

}  // namespace

std::vector<std::string> tableau_names() {
    std::vector<std::string> names;
    for (const auto& named : named_families) {
        names.emplace_back(named.name);
    }
    names.insert(names.end(), {"lobatto", "spark"});
    return names;
}

void check_tableau_name(const std::string& name) {
    const auto names = tableau_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        auto spelt = name;  // IIIC* of the papers is 'lobatto-cstar' here, since a shell takes * for file names
        if (spelt.ends_with('*')) {
            spelt.replace(spelt.size() - 1, 1, "star");
        }
        throw InputError(fmt::format("unknown tableau '{}'{}", name, suggestion(spelt, names)));
    }
}

TableauReport tableau_report(const std::string& name, std::int64_t stages) {
    check_tableau_name(name);
    check_stages(name, stages);
    const auto s = static_cast<std::size_t>(stages);
    TableauReport report{.name = name, .stages = s, .families = {}, .pairs = {}, .spark = {}};
    const auto* named = std::find_if(named_families.begin(), named_families.end(),
                                     [&](const NamedFamily& known) { return known.name == name; });
    if (named != named_families.end()) {
        report.families.push_back(family_report(named->family, s));
        const auto& table = report.families.front().tableau;
        report.pairs.push_back(pair_report(named->family, table, symplectic_conjugate(table)));
        return report;
    }
    for (const auto family : lobatto_families) {
        if (name == "spark" || family == Family::lobatto_a || family == Family::lobatto_b) {
            report.families.push_back(family_report(family, s));
        }
    }
    for (std::size_t n = 1; n < report.families.size(); ++n) {
        report.pairs.push_back(pair_report(Family::lobatto_a, report.families[0].tableau, report.families[n].tableau));
    }
    if (name == "spark") {
        report.spark = spark_report(report.families, report.pairs);
    }
    return report;
}

}  // namespace libration
