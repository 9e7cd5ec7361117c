// `tableau`: coefficients, conditions, stability and order of Runge-Kutta methods, pairs and the SPARK combination.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "reports/tableau_report.hpp"
#include "request/run_fields.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace libration::app {

namespace {

constexpr std::size_t entries_per_line = 4;
constexpr std::size_t widest_polynomial = 68;
constexpr std::size_t largest_shown_transform = 6;

void property_line(const std::string& label, const std::string& text) { fmt::print("  {:<28}{}\n", label, text); }

std::string yes_or_no(bool yes) { return yes ? green("yes", stdout) : red("no", stdout); }

std::string exact_text(const std::optional<ClosedForm>& form) { return form ? to_string(*form) : ""; }

std::string family_text(const std::optional<Family>& family) {
    return family ? std::string(name(*family)) : "none of the built-in families";
}

// Without the name of the nodes.
std::string_view short_name(Family family) {
    const auto full = name(family);
    return full.starts_with("Lobatto ") ? full.substr(8) : full;
}

std::string degree_text(std::size_t k) { return k == every_degree ? "any" : std::to_string(k); }

std::string order_text(const std::optional<OscillatorOrder>& measured) {
    return measured ? fmt::format("{:.2f}{}", measured->order, measured->settled ? "" : " (not settled)")
                    : "not visible above round-off";
}

std::string short_order_text(const std::optional<OscillatorOrder>& measured) {
    return measured ? fmt::format("{:.2f}{}", measured->order, measured->settled ? "" : "?") : "not visible";
}

// Columns as wide as their widest entry.
void print_rows(const std::vector<std::vector<std::string>>& rows, std::size_t bar_after) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t j = 0; j < row.size(); ++j) {
            widths[j] = std::max(widths[j], row[j].size());
        }
    }
    for (const auto& row : rows) {
        std::string text = "  ";
        for (std::size_t j = 0; j < row.size(); ++j) {
            text += fmt::format("{:<{}}  ", row[j], widths[j]) + (j + 1 == bar_after ? "|  " : "");
        }
        text.erase(text.find_last_not_of(' ') + 1);
        fmt::print("{}\n", text);
    }
}

void print_exact(const ExactTableau& exact) {
    const std::size_t s = exact.c.size();
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < s; ++i) {
        rows.push_back({exact_text(exact.c[i])});
        for (std::size_t j = 0; j < s; ++j) {
            rows.back().push_back(exact_text(exact.A[i * s + j]));
        }
    }
    rows.push_back({"b"});
    for (const auto& b : exact.b) {
        rows.back().push_back(exact_text(b));
    }
    print_rows(rows, 1);
}

// Rational entries are shown as such where not all entries have a closed form, which is shown above otherwise.
void print_decimals(const std::string& label, const Wide* values, const std::optional<ClosedForm>* exact,
                    std::size_t count, bool all_exact) {
    for (std::size_t j = 0; j < count; ++j) {
        if (j % entries_per_line == 0) {
            fmt::print("{}  {:<7}", j == 0 ? "" : "\n", j == 0 ? label : "");
        }
        const auto text = !all_exact && exact[j] ? to_string(*exact[j]) : wide_to_text(values[j]);
        const bool last = j + 1 == count || j % entries_per_line == entries_per_line - 1;
        fmt::print("{:<{}}", text, last ? 0 : 24);
    }
    fmt::print("\n");
}

void print_family_coefficients(const FamilyReport& report) {
    const auto& table = report.tableau;
    const auto& exact = report.exact;
    const bool all = exact.complete();
    if (all) {
        print_exact(exact);
        fmt::print("\n");
    }
    print_decimals("c", table.c.data(), exact.c.data(), table.stages, all);
    print_decimals("b", table.b.data(), exact.b.data(), table.stages, all);
    for (std::size_t i = 0; i < table.stages; ++i) {
        print_decimals(fmt::format("A {}", i + 1), table.A.data() + i * table.stages, exact.A.data() + i * table.stages,
                       table.stages, all);
    }
    fmt::print("\n");
}

std::string entry_text(Wide x) {
    const auto form = recognised(x);
    return form ? to_string(*form) : wide_to_text(x);
}

// The whole matrix while it is small, then its three diagonals.
void print_transform(const WTransform& transform) {
    const std::size_t s = transform.stages;
    property_line("W-transform",
                  fmt::format("X = W^T B A W, with W^T B W = {}",
                              s == 1 || recognised_rational(transform.sigma - 1).value_or(Rational{1}).numerator == 0
                                  ? "I, so that X = W^-1 A W"
                                  : fmt::format("diag(1, ..., 1, {})", entry_text(transform.sigma))));
    std::vector<std::vector<std::string>> rows;
    if (s <= largest_shown_transform) {
        for (std::size_t i = 0; i < s; ++i) {
            rows.push_back({"    "});
            for (std::size_t j = 0; j < s; ++j) {
                rows.back().push_back(entry_text(transform.x(i, j)));
            }
        }
    } else {
        rows.push_back({"    ", "k", "x_kk", "x_(k,k+1)", "x_(k+1,k)", "all others are 0"});
        for (std::size_t k = 0; k < s; ++k) {
            rows.push_back({"", std::to_string(k + 1), entry_text(transform.x(k, k))});
            if (k + 1 < s) {
                rows.back().push_back(entry_text(transform.x(k, k + 1)));
                rows.back().push_back(entry_text(transform.x(k + 1, k)));
            }
        }
    }
    print_rows(rows, 0);
}

std::string polynomial_text(const std::vector<Wide>& values, const std::vector<std::optional<Rational>>& exact) {
    std::string text;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == 0) {
            continue;
        }
        auto number = exact[i] ? to_string(*exact[i]) : fmt::format("{:.8g}", high(values[i]));
        const bool negative = number.starts_with('-');
        number.erase(0, negative ? 1 : 0);
        const auto power = i == 0 ? "" : (i == 1 ? "z" : fmt::format("z^{}", i));
        const auto term = i == 0 ? number : (number == "1" ? power : number + " " + power);
        if (text.size() - line_start + term.size() > widest_polynomial) {
            text += fmt::format("\n{:30}", "");
            line_start = text.size();
        }
        text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
        text += term;
    }
    return text;
}

void print_function(const FamilyReport& report) {
    const auto& f = report.function;
    property_line("stability function R(z)", polynomial_text(f.numerator, f.exact_numerator));
    property_line("  divided by", polynomial_text(f.denominator, f.exact_denominator));
    const auto degrees = fmt::format("({}, {})", f.numerator.size() - 1, f.denominator.size() - 1);
    property_line("  is", f.pade ? fmt::format("the Padé approximation {} of exp(z)", degrees)
                                 : fmt::format("of degrees {}, not a Padé approximation of exp(z){}", degrees,
                                               f.order ? fmt::format("; order {}", *f.order) : ""));
    property_line("  |R(i mu)|",
                  fmt::format("{:.6g} at mu = 1, {:.4g} at 10, {:.4g} at 100", high(modulus_on_axis(f, 1)),
                              high(modulus_on_axis(f, 10)), high(modulus_on_axis(f, 100))));
}

void print_family(const FamilyReport& report) {
    const auto& a = report.assumptions;
    const auto& stability = report.stability;
    property_line("simplifying assumptions",
                  fmt::format("B({}) C({}) D({})", degree_text(a.p), degree_text(a.q), degree_text(a.r)));
    property_line(
        "order", fmt::format("{} = min(p, 2q+2, q+r+1); measured {}", report.order, order_text(report.measured_order)));
    property_line("symplectic conjugate", family_text(report.symplectic_conjugate));
    property_line("symmetric conjugate", family_text(report.symmetric_conjugate));
    property_line("symplectic",
                  fmt::format("{}, defect {:.2g}", yes_or_no(report.symplectic), high(report.symplecticity_defect)));
    property_line("symmetric",
                  fmt::format("{}, defect {:.2g}", yes_or_no(report.symmetric), high(report.symmetry_defect)));
    property_line("P-stable", yes_or_no(stability.p_stable));
    property_line("A-stable", yes_or_no(stability.a_stable));
    property_line("L-stable", yes_or_no(stability.l_stable));
    property_line("explosive",
                  yes_or_no(stability.explosive) + (stability.unconditionally_explosive ? ", unconditionally" : ""));
    property_line("algebraically stable", yes_or_no(report.algebraically_stable));
    property_line("dilatative", yes_or_no(report.dilatative));
}

// The same for several families, one per row.
void print_families(const std::vector<FamilyReport>& families) {
    std::vector<std::vector<std::string>> rows{{"", "B", "C", "D", "order", "measured", "P", "A", "L", "explosive",
                                                "algebr.", "dilat.", "sympl. conj.", "symm. conj."}};
    const auto word = [](bool yes) { return std::string(yes ? "yes" : "-"); };
    for (const auto& f : families) {
        const auto conjugate = [&](const std::optional<Family>& family) {
            return family ? std::string(family == f.family ? "itself" : short_name(*family)) : "other";
        };
        const auto& st = f.stability;
        rows.push_back({std::string(short_name(f.family)), degree_text(f.assumptions.p), degree_text(f.assumptions.q),
                        degree_text(f.assumptions.r), std::to_string(f.order), short_order_text(f.measured_order),
                        word(st.p_stable), word(st.a_stable), word(st.l_stable),
                        st.unconditionally_explosive ? "uncond." : word(st.explosive), word(f.algebraically_stable),
                        word(f.dilatative), conjugate(f.symplectic_conjugate), conjugate(f.symmetric_conjugate)});
    }
    print_rows(rows, 0);
    fmt::print("\n");
}

std::string periodicity_text(const PairReport& report) {
    const auto& found = report.periodicity;
    if (found.kind == PeriodicityKind::none || found.kind == PeriodicityKind::undecided) {
        return fmt::format("{}; |eigenvalues| at mu = 10: {:.4g}, {:.4g}",
                           found.kind == PeriodicityKind::none ? "none" : "not determined for such pairs",
                           report.at_ten.larger, report.at_ten.smaller);
    }
    if (found.kind == PeriodicityKind::everywhere) {
        return "all mu: P-stable";
    }
    if (found.kind == PeriodicityKind::not_found) {
        return fmt::format(
            "undetermined: up to mu = {} no interval of instability is wider than round-off ({} may be narrower)",
            periodicity_largest_mu, found.passed_over);
    }
    const auto square = recognised_rational(found.end * found.end);
    auto text = fmt::format("0 < mu < {:.10g}", high(found.end));
    if (square && square->denominator == 1 && !recognised_rational(found.end)) {
        text += fmt::format(" = sqrt({})", square->numerator);
    }
    if (found.stable_again) {
        text += fmt::format(", then unstable over an interval of length {:.3g}", high(*found.stable_again - found.end));
    }
    if (found.passed_over > 0) {
        text += fmt::format(" ({} earlier, narrower than round-off)", found.passed_over);
    }
    return text;
}

void print_pair(const PairReport& report) {
    fmt::print("{}\n", bold(fmt::format("  {} for positions, {} for momenta", name(report.first),
                                        report.second ? std::string(name(*report.second)) : "its symplectic conjugate"),
                            stdout));
    property_line("simplifying assumptions",
                  fmt::format("CC({}) DD({})", degree_text(report.assumptions.Q), degree_text(report.assumptions.R)));
    property_line("symplectic",
                  fmt::format("{}, defect {:.2g}", yes_or_no(report.symplectic), high(report.symplecticity_defect)));
    property_line("symmetric",
                  fmt::format("{}, defect {:.2g}", yes_or_no(report.symmetric), high(report.symmetry_defect)));
    property_line("interval of periodicity", periodicity_text(report));
    property_line("order", fmt::format("{}measured {}",
                                       report.free_order ? fmt::format("{} (003 Thm 2.2); ", *report.free_order) : "",
                                       order_text(report.measured_order)));
    if (const auto& order = report.constrained_order) {
        property_line("with constraints",
                      fmt::format("{} of q, {} of p and lambda (003 (4.2))", order->position, order->momentum));
    } else {
        property_line("with constraints", "not applicable: 003 requires a_1j = 0, a_sj = b_j, ahat_js = 0");
    }
    fmt::print("\n");
}

void print_pairs(const std::vector<PairReport>& pairs) {
    fmt::print("{}\n", bold("  IIIA for positions, with momenta treated by", stdout));
    std::vector<std::vector<std::string>> rows{
        {"", "CC", "DD", "symplectic", "symmetric", "measured", "interval of periodicity"}};
    for (const auto& pair : pairs) {
        rows.push_back({std::string(short_name(pair.second.value_or(pair.first))), degree_text(pair.assumptions.Q),
                        degree_text(pair.assumptions.R), pair.symplectic ? "yes" : "-", pair.symmetric ? "yes" : "-",
                        short_order_text(pair.measured_order), periodicity_text(pair)});
    }
    print_rows(rows, 0);
    fmt::print("\n");
}

void print_spark(const SparkReport& report) {
    fmt::print("{}\n", bold("  Combined: A1 ... A5 are IIIA, IIIB, IIIC, IIIC*, IIID", stdout));
    for (const auto& condition : report.conditions) {
        property_line(condition.name, fmt::format("{:<42}{}, defect {:.2g}", condition.formula,
                                                  condition.holds ? green("holds", stdout) : red("fails", stdout),
                                                  high(condition.defect)));
    }
    const auto text = [](const ConstrainedOrder& order) {
        return fmt::format("{} of y, {} of z and u", order.position, order.momentum);
    };
    property_line("order (004 Thm 4.5)",
                  fmt::format("{}; forces linear in u: {}", text(report.order), text(report.order_linear_in_u)));
    property_line("measured", order_text(report.measured_order) + ", on a driven oscillator with one force per family");
    fmt::print("\n");
}

void print_tableau_report(const TableauReport& report) {
    const bool single = report.families.size() == 1;
    for (const auto& family : report.families) {
        fmt::print("{}  {}, {} stage{}\n\n", bold(fmt::format("{} {}", report.name, report.stages), stdout),
                   name(family.family), report.stages, report.stages == 1 ? "" : "s");
        print_family_coefficients(family);
        print_transform(family.transform);
        print_function(family);
        if (single) {
            print_family(family);
        }
        fmt::print("\n");
    }
    if (!single) {
        print_families(report.families);
    }
    if (report.spark) {
        print_pairs(report.pairs);
        print_spark(*report.spark);
    } else {
        print_pair(report.pairs.front());
    }
    fmt::print("  003, 004: Jay 1996, 1998. A defect is the largest residual of a condition. Each line is explained in "
               "docs/tableaux.md\n");
}

struct TableauRequest {
    std::string name, stages;
    bool json = false;
};
constexpr std::array tableau_fields{
    RequestField<TableauRequest>{
        "name", &TableauRequest::name, "NAME",
        "gauss, radau, lobatto-a, -b, -c, -cstar, -d; lobatto: the pair A-B; spark: all Lobatto families"},
    RequestField<TableauRequest>{"stages", &TableauRequest::stages, "S",
                                 "number of stages: 2 to 40, gauss and radau from 1"},
    RequestField<TableauRequest>{"json", &TableauRequest::json, "", "print the result as one JSON object"},
};

std::int64_t stages_of(const TableauRequest& request) {
    const auto& text = request.stages;
    if (!request.name.empty() && text.empty()) {
        check_tableau_name(request.name);
    }
    if (request.name.empty() || text.empty()) {
        throw InputError(fmt::format("the {} is missing; e.g. 'libration tableau {} 3'",
                                     request.name.empty() ? "tableau" : "number of stages",
                                     request.name.empty() ? "lobatto-c" : request.name));
    }
    std::int64_t stages = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), stages);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw InputError(fmt::format("S = {}: expected a whole number of stages up to {}, e.g. 3", text, max_stages));
    }
    return stages;
}

int start_tableau(const TableauRequest& request) {
    const auto report = tableau_report(request.name, stages_of(request));
    if (request.json) {
        fmt::print("{}\n", json_of(report));
    } else {
        print_tableau_report(report);
    }
    return success;
}

}  // namespace

Command tableau_command() {
    return make_command<TableauRequest>("tableau", "analyse a Runge-Kutta method", tableau_examples, tableau_fields,
                                        start_tableau);
}

}  // namespace libration::app
