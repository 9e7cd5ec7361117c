// Elimination that sets dependent rows aside and reads off of which other rows they consist.
#include <libration/manifold/rank.hpp>

#include <libration/manifold/constraint_matrix.hpp>
#include <libration/manifold/constraint_products.hpp>
#include <libration/manifold/elimination.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// Below this share of the largest member a row is no member of a dependent set.
constexpr double member_tolerance = 1e-6;

// L D L^T column after column, each from those before it: slower than a factorisation with places known beforehand, but in
// no need of them, so that it serves any fill. A dependent row leaves a column of zeros.
class RankElimination {
  public:
    RankElimination(System<double>& system, double t, std::span<const double> q) {
        const auto [graph, order] = ordered_graph<double>(system);
        structure_ = *eliminate(graph, order, std::numeric_limits<std::size_t>::max());
        std::vector<double> G(system.pattern().entries());
        L_.assign(structure_.places(), 0.0);
        diagonal_.resize(system.constraints());
        system.jacobian(t, q, G);
        ConstraintAssembly<double> assembly(system, L_.size(), PlaceFinder(structure_));
        assembly(system, t, q, G, L_);
        for (std::uint32_t k = 0; k < structure_.columns(); ++k) {
            diagonal_[row(k)] = L_[structure_.start[k]];
        }
        factor();
    }

    // Columns of the rows that were set aside.
    [[nodiscard]] const std::vector<std::uint32_t>& aside() const { return aside_; }
    [[nodiscard]] std::uint32_t row(std::uint32_t column) const { return structure_.row[structure_.start[column]]; }

    // c with G^T c = 0, c = -1 for the row that was set aside, otherwise zero but for independent rows before it; in units of
    // the lengths of the rows.
    [[nodiscard]] std::vector<double> null_vector(std::uint32_t column) const {
        std::vector<double> c(diagonal_.size(), 0.0);
        c[row(column)] = -1;
        for (std::uint32_t k = column; k-- > 0;) {
            double sum = 0;
            for (std::uint32_t i = structure_.start[k] + 1; i < structure_.start[k + 1]; ++i) {
                if (c[structure_.row[i]] != 0) {
                    sum -= L_[i] * c[structure_.row[i]];
                }
            }
            c[row(k)] += sum;
        }
        for (std::size_t i = 0; i < c.size(); ++i) {
            c[i] *= std::sqrt(diagonal_[i]);
        }
        return c;
    }

  private:
    void factor() {
        const auto& [start, row] = structure_;
        const std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
        const auto position = structure_.positions();
        std::vector<double> pivots(structure_.columns(), 0.0), update(diagonal_.size(), 0.0);
        // next_place[j] is the first entry of column j that is not used yet; columns whose entry stands in row k are listed.
        std::vector<std::uint32_t> next_place(structure_.columns()), first(structure_.columns(), none),
            next(structure_.columns(), none);
        const auto list = [&](std::uint32_t j) {
            if (next_place[j] < start[j + 1]) {
                const auto k = position[row[next_place[j]]];
                next[j] = first[k];
                first[k] = j;
            }
        };
        for (std::uint32_t k = 0; k < structure_.columns(); ++k) {
            for (std::uint32_t j = first[k], after = none; j != none; j = after) {
                after = next[j];
                const double scaled = L_[next_place[j]] * pivots[j];
                for (std::uint32_t i = next_place[j]; i < start[j + 1]; ++i) {
                    update[row[i]] += scaled * L_[i];
                }
                ++next_place[j];
                list(j);
            }
            for (std::uint32_t i = start[k]; i < start[k + 1]; ++i) {
                L_[i] -= update[row[i]];
                update[row[i]] = 0;
            }
            const double pivot = L_[start[k]];
            const bool independent = pivot > rank_tolerance * diagonal_[row[start[k]]];
            for (std::uint32_t i = start[k] + 1; i < start[k + 1]; ++i) {
                L_[i] = independent ? L_[i] / pivot : 0.0;
            }
            if (independent) {
                pivots[k] = pivot;
                next_place[k] = start[k] + 1;
                list(k);
            } else {
                aside_.push_back(k);
            }
        }
    }

    Elimination structure_;
    std::vector<double> L_, diagonal_;
    std::vector<std::uint32_t> aside_;
};

// A sparse vector over the rows, ascending.
struct Term {
    std::size_t row;
    double value;
};
using NullVector = std::vector<Term>;

NullVector without_small_terms(NullVector v) {
    double largest = 0;
    for (const auto& term : v) {
        largest = std::max(largest, std::abs(term.value));
    }
    std::erase_if(v, [&](const Term& term) { return !(std::abs(term.value) > member_tolerance * largest); });
    for (auto& term : v) {
        term.value /= largest;
    }
    return v;
}

double value_at(const NullVector& v, std::size_t row) {
    const auto found =
        std::lower_bound(v.begin(), v.end(), row, [](const Term& term, std::size_t r) { return term.row < r; });
    return found != v.end() && found->row == row ? found->value : 0.0;
}

// v without the last row of `pivot`.
NullVector reduced(const NullVector& v, const NullVector& pivot) {
    const std::size_t last = pivot.back().row;
    const double share = value_at(v, last) / pivot.back().value;
    NullVector sum;
    auto b = pivot.begin();
    for (auto a = v.begin(); a != v.end() || b != pivot.end();) {
        Term term{};
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

// The elimination meets rows in an order of its own. What a user shall read is: each row that depends on rows of smaller
// number, with the independent ones among those. Null vectors in echelon form from the last row backwards say that.
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

// A test that is as fast as a factorisation can be.
bool all_independent(System<double>& system, double t, std::span<const double> q) {
    const auto matrix = make_constraint_matrix<double>(system);
    std::vector<double> G(system.pattern().entries()), A(matrix->entries());
    system.jacobian(t, q, G);
    matrix->assemble(system, t, q, G, A);
    return matrix->factor(A) > rank_tolerance;
}

}  // namespace

std::vector<Dependence> dependent_constraints(System<double>& system, double t, std::span<const double> q,
                                              std::size_t most_sets) {
    std::vector<Dependence> found;
    if (system.constraints() == 0 || all_independent(system, t, q)) {
        return found;
    }
    const RankElimination elimination(system, t, q);
    const auto& aside = elimination.aside();
    const std::size_t sets = std::min(most_sets, aside.size());
    std::vector<NullVector> vectors;
    for (std::size_t n = 0; n < sets; ++n) {
        const auto c = elimination.null_vector(aside[n]);
        const std::size_t row = elimination.row(aside[n]);
        const double own = std::abs(c[row]);
        NullVector v;
        for (std::size_t i = 0; i < c.size(); ++i) {
            if (i == row) {
                v.push_back({i, own > 0 ? c[i] / own : -1});  // a row that vanishes is a set of its own
            } else if (std::abs(c[i]) > member_tolerance * own) {
                v.push_back({i, c[i] / own});
            }
        }
        vectors.push_back(std::move(v));
    }
    for (const auto& v : in_order_of_rows(std::move(vectors))) {
        Dependence set{v.back().row, {}};
        for (const auto& term : v) {
            set.rows.push_back(term.row);
        }
        found.push_back(std::move(set));
    }
    const auto unnamed = static_cast<std::ptrdiff_t>(found.size());
    for (std::size_t n = sets; n < aside.size(); ++n) {
        found.push_back({elimination.row(aside[n]), {}});
    }
    std::sort(found.begin() + unnamed, found.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    return found;
}

}  // namespace libration
