// Whether rows are dependent, and minimal sets of dependent ones.
#include "rank.hpp"

#include "rank_elimination.hpp"

#include "constraint_matrix.hpp"
#include "system/system_view.hpp"
#include <libration/kit/sparse_product.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace libration {

namespace {

// Below this share of the largest member a row is not a member of a dependent set.
constexpr double member_tolerance = 1e-6;

// Rows whose smallest pivot or smallest singular value (lengths of one) may be below these are looked at with care. A
// straight chain of n rods has 1/n and 3/n, and must take the fast path at n = 10^6.
constexpr double doubtful_smallest_pivot = 1e-8, doubtful_singular_value = 1e-7;

NullVector without_small_terms(NullVector v) {
    double largest = 0;
    for (const auto& term : v) {
        largest = std::max(largest, std::abs(term.value));
    }
    std::erase_if(v, [&](const RowShare& term) { return !(std::abs(term.value) > member_tolerance * largest); });
    for (auto& term : v) {
        term.value /= largest;
    }
    return v;
}

double value_at(const NullVector& v, std::size_t row) {
    const auto found =
        std::lower_bound(v.begin(), v.end(), row, [](const RowShare& term, std::size_t r) { return term.row < r; });
    return found != v.end() && found->row == row ? found->value : 0.0;
}

// v without the last row of `pivot`.
NullVector reduced(const NullVector& v, const NullVector& pivot) {
    const std::size_t last = pivot.back().row;
    const double share = value_at(v, last) / pivot.back().value;
    NullVector sum;
    auto b = pivot.begin();
    for (auto a = v.begin(); a != v.end() || b != pivot.end();) {
        RowShare term{};
        if (b == pivot.end() || (a != v.end() && a->row < b->row)) {
            term = *a++;
        } else if (a == v.end() || b->row < a->row) {
            term = {b->row, -share * b->value};
            ++b;
        } else {
            term = {a->row, a->value - share * b->value};
            ++a, ++b;
        }
        if (term.row != last) {
            sum.push_back(term);
        }
    }
    return without_small_terms(std::move(sum));
}

// The elimination meets rows in an order of its own. What a user should read is: each row that depends on rows of
// smaller number, with the independent ones among those. Null vectors in echelon form from the last row backwards say
// that.
std::vector<NullVector> in_order_of_rows(std::vector<NullVector> vectors) {
    std::vector<NullVector> echelon;
    while (!vectors.empty()) {
        const auto best = std::max_element(vectors.begin(), vectors.end(), [](const auto& a, const auto& b) {
            return a.back().row != b.back().row ? a.back().row < b.back().row
                                                : std::abs(a.back().value) < std::abs(b.back().value);
        });
        const auto pivot = *best;
        vectors.erase(best);
        for (auto& v : vectors) {
            if (v.back().row == pivot.back().row) {
                v = reduced(v, pivot);
            }
        }
        std::erase_if(vectors, [](const auto& v) { return v.empty(); });
        echelon.push_back(pivot);
    }
    for (std::size_t i = 0; i < echelon.size(); ++i) {
        for (std::size_t k = i + 1; k < echelon.size(); ++k) {
            if (value_at(echelon[i], echelon[k].back().row) != 0) {
                echelon[i] = reduced(echelon[i], echelon[k]);
            }
        }
    }
    std::reverse(echelon.begin(), echelon.end());
    return echelon;
}

// |G^T x| / (sum |x_i G_i|^2)^1/2 for x = A^-1 b, b random: a bound of the smallest singular value of G with rows of
// length one that is close where that value is tiny, because x then consists of its vector. Pivots alone can be large
// even so: the rounding of a pivot grows with the square of the condition of G.
double singular_value_bound(const ConstraintMatrix<double>& matrix, const System<double>& system,
                            std::span<const double> G, std::span<const double> A) {
    const auto& pattern = system.pattern();
    std::vector<double> length2(pattern.rows(), 0.0), x(pattern.rows()), y(system.dimension(), 0.0);
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            length2[i] += G[e] * G[e];
        }
        x[i] = std::sqrt(length2[i]) * (static_cast<double>(random() >> 11U) * 0x1p-52 - 1);
    }
    matrix.solve(A, x);
    add_transposed<double>(pattern, G, x, y);
    double sum = 0, terms = 0;
    for (const double component : y) {
        sum += component * component;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        terms += x[i] * x[i] * length2[i];
    }
    return std::sqrt(sum / terms);
}

// |G^T c| / max |c_i G_i|: of the angle between the row that has the largest share and the span of the others
double sine_of(const System<double>& system, std::span<const double> G, std::span<const double> diagonal,
               const NullVector& c) {
    const auto& pattern = system.pattern();
    std::vector<double> x(pattern.rows(), 0.0), y(system.dimension(), 0.0);
    double largest = 0;
    for (const auto& [row, share] : c) {
        x[row] = share / std::sqrt(diagonal[row]);
        double length2 = 0;
        for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
            length2 += G[e] * G[e];
        }
        largest = std::max(largest, x[row] * x[row] * length2);
    }
    add_transposed<double>(pattern, G, x, y);
    double sum = 0;
    for (const double component : y) {
        sum += component * component;
    }
    return c.size() < 2 ? 0 : std::sqrt(sum / largest);
}

// The constraints of the model in an augmented system, with masses of one: rank does not depend on masses, and those of
// the augmented system are not definite.
class GivenRows final : public SystemView<double> {
  public:
    using SystemView<double>::constraint;
    using SystemView<double>::jacobian;

    explicit GivenRows(System<double>& whole)
        : SystemView<double>(whole), all_(whole.pattern().entries()), ones_(whole.dimension(), 1.0) {
        pattern_.row_start.resize(whole.constraints() - whole.properties().added + 1);
        pattern_.column.resize(pattern_.row_start.back());
        properties_.added = 0;
        properties_.separable = true;
        shared_constraint_matrix = nullptr;
    }
    [[nodiscard]] std::span<const double> inverse_masses() const override { return ones_; }
    void solve_mass(const double&, std::span<const double>, std::span<const double>, std::span<const double> x,
                    std::span<double> y) override {
        std::ranges::copy(x, y.begin());
    }
    void jacobian(const double& t, std::span<const double> q, std::span<double> entries, std::span<double>) override {
        whole_->jacobian(t, q, all_);
        std::copy_n(all_.begin(), entries.size(), entries.begin());
    }

  private:
    std::vector<double> all_, ones_;
};

// A test that is as fast as a factorisation can be.
bool clearly_independent(System<double>& system, double t, std::span<const double> q, std::span<const double> G) {
    const auto matrix = constraint_matrix(system);
    std::vector<double> A(matrix->entries());
    matrix->assemble(system, t, q, std::vector<double>(q.size()), G, A);
    return matrix->factor(A) > doubtful_smallest_pivot &&
           singular_value_bound(*matrix, system, G, A) > doubtful_singular_value;
}

}  // namespace

std::vector<Dependence> dependent_constraints(System<double>& system, double t, std::span<const double> q,
                                              std::size_t most_sets, double close) {
    std::vector<Dependence> found;
    if (system.properties().added > 0 && system.constraints() > 0) {
        GivenRows given(system);
        return dependent_constraints(given, t, q, most_sets, close);
    }
    std::vector<double> G(system.pattern().entries());
    system.jacobian(t, q, G);
    // Of numbers that are not finite no rank can be told; they are a fault of their own.
    const bool finite = std::ranges::all_of(G, [](double x) { return std::isfinite(x); });
    if (!finite || system.constraints() == 0 ||
        (close <= doubtful_smallest_pivot && clearly_independent(system, t, q, G))) {
        return found;
    }
    const RankElimination elimination(system, t, q, most_sets, close);
    const auto& aside = elimination.aside();
    // Exact dependences first: combined with nearly exact ones they would look like these.
    std::vector<NullVector> exact, near;
    double largest_exact = 0, largest_near = 0;
    for (const auto& v : elimination.null_vectors()) {
        const double sine = sine_of(system, G, elimination.diagonal(), v);
        const bool is_exact = sine < exact_sine;
        (is_exact ? exact : near).push_back(without_small_terms(v));
        auto& largest = is_exact ? largest_exact : largest_near;
        largest = std::max(largest, sine);
    }
    const std::size_t sets = exact.size() + near.size();
    const auto name_sets = [&](std::vector<NullVector> vectors, double largest) {
        for (const auto& v : in_order_of_rows(std::move(vectors))) {
            // Without its small terms a combination misses by more than it does.
            Dependence set{v.back().row, {}, std::min(sine_of(system, G, elimination.diagonal(), v), largest)};
            for (const auto& term : v) {
                set.rows.push_back(term.row);
            }
            found.push_back(std::move(set));
        }
    };
    name_sets(std::move(exact), largest_exact);
    name_sets(std::move(near), largest_near);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    const auto unnamed = static_cast<std::ptrdiff_t>(found.size());
    for (std::size_t n = sets; n < aside.size(); ++n) {
        found.push_back({aside[n], {}, 0});
    }
    std::sort(found.begin() + unnamed, found.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    return found;
}

}  // namespace libration
