// Elimination that sets dependent rows aside and reads off which earlier rows they consist of.
#include <libration/manifold/rank.hpp>

#include <libration/manifold/constraint_matrix.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// The rows of which row i consists: coefficients c with L^T c = l_i over the independent rows before i.
std::vector<std::size_t> members(const Profile& profile, std::span<const double> a, std::span<const double> diagonal,
                                 std::size_t i) {
    std::vector<double> c(i, 0.0);
    for (std::size_t j = profile.first(i); j < i; ++j) {
        c[j] = a[profile.place(i, j)];
    }
    for (std::size_t k = i; k-- > 0;) {
        for (std::size_t j = profile.first(k); j < k; ++j) {
            c[j] -= a[profile.place(k, j)] * c[k];
        }
    }
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < i; ++k) {
        if (std::abs(c[k]) * std::sqrt(diagonal[k]) > 1e-6 * std::sqrt(diagonal[i])) {
            rows.push_back(k);
        }
    }
    rows.push_back(i);
    return rows;
}

}  // namespace

std::vector<Dependence> dependent_constraints(System<double>& system, double t, std::span<const double> q,
                                              std::size_t most_sets) {
    std::vector<Dependence> found;
    const std::size_t m = system.constraints();
    if (m == 0) {
        return found;
    }
    ProfileConstraintMatrix<double> matrix(system);
    const auto& profile = matrix.profile();
    std::vector<double> G(system.pattern().entries()), a(matrix.entries()), diagonal(m);
    system.jacobian(t, q, G);
    matrix.assemble(system, t, q, G, a);
    for (std::size_t i = 0; i < m; ++i) {
        diagonal[i] = a[profile.place(i, i)];
        for (std::size_t j = profile.first(i); j < i; ++j) {
            double& entry = a[profile.place(i, j)];
            for (std::size_t k = std::max(profile.first(i), profile.first(j)); k < j; ++k) {
                entry -= a[profile.place(i, k)] * a[profile.place(j, k)];
            }
        }
        double pivot = diagonal[i];
        for (std::size_t j = profile.first(i); j < i; ++j) {
            double& entry = a[profile.place(i, j)];
            const double scaled = entry * a[profile.place(j, j)];
            pivot -= entry * scaled;
            entry = scaled;
        }
        if (pivot > rank_tolerance * diagonal[i]) {
            a[profile.place(i, i)] = 1 / pivot;
            continue;
        }
        found.push_back({i, found.size() < most_sets ? members(profile, a, diagonal, i) : std::vector<std::size_t>{}});
        // Set aside: later rows see zeros where this row was.
        for (std::size_t j = profile.first(i); j <= i; ++j) {
            a[profile.place(i, j)] = 0;
        }
    }
    return found;
}

}  // namespace libration
