// What Jay 1998 asks of a SPARK method, section by section.
#include "spark_report.hpp"
#include "coefficients/small_matrix.hpp"

#include "coefficients/tableau_conditions.hpp"

#include <algorithm>

namespace libration {

namespace {

Wide largest(const std::vector<Wide>& a, const std::vector<Wide>& b) {
    Wide worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, wide_abs(a[i] - b[i]));
    }
    return worst;
}

// (21a), (S1): first row 0, last row b.
Wide first_row(const Tableau& t) {
    Wide worst = 0;
    for (std::size_t j = 0; j < t.stages; ++j) {
        worst = std::max(worst, wide_abs(t.a(0, j)));
    }
    return worst;
}

Wide last_row(const Tableau& t) {
    Wide worst = 0;
    for (std::size_t j = 0; j < t.stages; ++j) {
        worst = std::max(worst, wide_abs(t.a(t.stages - 1, j) - t.b[j]));
    }
    return worst;
}

// Rank of A1 A2 without its first row, which is 0, but with b^T.
std::size_t bordered_rank(std::vector<Wide> product, const Tableau& t) {
    std::copy(t.b.begin(), t.b.end(), product.begin());
    return rank(std::move(product), t.stages);
}

// A nonlinear oscillator with damping, drive and spring: each force by its own coefficients, positions by IIIA. The
// drive is such that y = cos t stays the solution.
std::optional<OscillatorOrder> order_with_all_active(const std::vector<FamilyReport>& families) {
    const TreatedForce forces[]{
        {&families[1].tableau, [](Wide, Wide y, Wide z) { return -y * (y * y + z * z); }},
        {&families[2].tableau, [](Wide, Wide y, Wide z) { return -(1 + y * y) * z / 4; }},
        {&families[3].tableau,
         [](Wide t, Wide, Wide) {
             const Wide cosine = wide_cos(t);
             return cosine * cosine * cosine / 8 - (1 + cosine * cosine) * wide_sin(t) / 4;
         }},
        {&families[4].tableau, [](Wide, Wide y, Wide) { return -y * y * y / 8; }},
    };
    return measured_order(families[0].tableau, forces);
}

}  // namespace

SparkReport spark_report(const std::vector<FamilyReport>& families, const std::vector<PairReport>& pairs) {
    const auto& a = families[0].tableau;
    const auto& b = families[1].tableau;
    const auto& c = families[2].tableau;
    const auto& cstar = families[3].tableau;
    const std::size_t s = a.stages;
    const auto product = matrix_product(a.A, b.A, s);
    Wide products = 0;
    for (const auto& family : families) {
        if (family.family != Family::lobatto_a) {
            products = std::max(products, largest(product, matrix_product(a.A, family.tableau.A, s)));
        }
    }
    const std::size_t rank_found = bordered_rank(product, a);
    SparkReport report{};
    const auto add = [&](const char* name, const char* formula, Wide defect) {
        report.conditions.push_back({name, formula, defect, defect <= tableau_round_off(s)});
    };
    add("(S1)", "a1_sj = b_j", last_row(a));
    add("(21a)", "a1_1j = 0", first_row(a));
    add("(21b)", "A1 A2 = A1 A3 = A1 A4 = A1 A5", products);
    add("(21c)", "rank of (N, b^T) is s", static_cast<Wide>(s - rank_found));
    add("(35)", "b_i a2_ij + b_j a1_ji = b_i b_j", symplecticity_residual(a, b));
    add("(36)", "a_(s+1-i,s+1-j) + a_ij = b_j for A1, A2", std::max(symmetry_residual(a), symmetry_residual(b)));
    add("(37)", "a3_(s+1-i,s+1-j) + a4_ij = b_j", largest(symmetric_conjugate(c).A, cstar.A));
    std::vector<Assumptions> methods;
    for (const auto& family : families) {
        methods.push_back(family.assumptions);
    }
    std::vector<PairAssumptions> both;
    for (const auto& pair : pairs) {
        both.push_back(pair.assumptions);
    }
    report.order = spark_order(methods, both, false);
    report.order_linear_in_u = spark_order(methods, both, true);
    report.measured_order = order_with_all_active(families);
    return report;
}

}  // namespace libration
