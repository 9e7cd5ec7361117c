// Choosing what to leave out, by pivoting in the null space of G^T.
//
// With N a basis of the null space, one column per redundant row, leaving out the rows D is possible if N_D is regular,
// and each row left out is then the combination -N_C N_D^-1 of those that are carried. Complete pivoting for N_D keeps
// these coefficients small, so that the smallest singular value of the rows carried is close to that of all rows (the
// rank-revealing choice for G M^-1/2, made where it costs least: the null space is small and local).
#include "independent_rows.hpp"

#include "constraint_matrix.hpp"
#include "rank_elimination.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Of shares that are equal up to rounding, that of the last row counts: users put first what matters most to them.
constexpr double tie = 1e-6;
// Shares below this are rounding of an elimination.
constexpr double no_share = 1e-12;

struct Pivot {
    std::size_t vector = 0;
    RowShare share{};
};

class NullSpace {
  public:
    NullSpace(std::vector<NullVector> vectors, const std::vector<bool>& stays)
        : vectors_(std::move(vectors)), stays_(&stays) {
        for (auto& v : vectors_) {
            normalize(v);
        }
    }

    [[nodiscard]] bool empty() const { return vectors_.empty(); }

    // The largest share that remains; 0 if there is none.
    [[nodiscard]] Pivot largest() const {
        Pivot best;
        for (std::size_t n = 0; n < vectors_.size(); ++n) {
            for (const auto& share : vectors_[n]) {
                const double size = std::abs(share.value), most = std::abs(best.share.value);
                const bool equal = size > most * (1 - tie) && size < most * (1 + tie);
                if (!(*stays_)[share.row] && (equal ? share.row > best.share.row : size > most)) {
                    best = {n, share};
                }
            }
        }
        return best;
    }

    // Takes the vector of the pivot out, and its row from the others.
    void eliminate(const Pivot& pivot) {
        const auto taken = vectors_[pivot.vector];
        vectors_.erase(vectors_.begin() + static_cast<std::ptrdiff_t>(pivot.vector));
        for (auto& v : vectors_) {
            const auto found = std::ranges::find(v, pivot.share.row, &RowShare::row);
            if (found != v.end()) {
                v = combined(v, taken, -found->value / pivot.share.value, pivot.share.row);
                normalize(v);
            }
        }
    }

  private:
    static void normalize(NullVector& v) {
        double largest = 0;
        for (const auto& share : v) {
            largest = std::max(largest, std::abs(share.value));
        }
        for (auto& share : v) {
            share.value /= largest;
        }
    }

    // a + factor b without the row
    static NullVector combined(const NullVector& a, const NullVector& b, double factor, std::size_t without) {
        NullVector sum;
        for (auto i = a.begin(), j = b.begin(); i != a.end() || j != b.end();) {
            RowShare next{};
            if (j == b.end() || (i != a.end() && i->row < j->row)) {
                next = *i++;
            } else if (i == a.end() || j->row < i->row) {
                next = {j->row, factor * j->value};
                ++j;
            } else {
                next = {i->row, i->value + factor * j->value};
                ++i, ++j;
            }
            if (next.row != without && std::abs(next.value) > no_share) {
                sum.push_back(next);
            }
        }
        return sum;
    }

    std::vector<NullVector> vectors_;
    const std::vector<bool>* stays_;
};

}  // namespace

RowChoice independent_rows(System<double>& system, double t, std::span<const double> q,
                           std::span<const std::size_t> of_bodies) {
    const std::size_t m = system.constraints();
    RowChoice all;
    for (std::size_t row = 0; row < m; ++row) {
        all.rows.push_back(row);
    }
    const RankElimination elimination(system, t, q, m, 0);
    const auto& vectors = elimination.null_vectors();
    if (vectors.empty() || std::ranges::any_of(vectors, [](const NullVector& v) { return v.size() < 2; })) {
        return all;
    }
    std::vector<bool> stays(m);
    for (const auto row : of_bodies) {
        stays[row] = true;
    }
    RowChoice choice;
    for (NullSpace null(vectors, stays); !null.empty();) {
        const auto pivot = null.largest();
        if (pivot.share.value == 0) {
            return all;
        }
        choice.left_out.push_back(pivot.share.row);
        null.eliminate(pivot);
    }
    std::ranges::sort(choice.left_out);
    std::ranges::set_difference(all.rows, choice.left_out, std::back_inserter(choice.rows));
    return choice;
}

double pivot_of_rows(System<double>& system, double t, std::span<const double> q, std::span<const double> p) {
    const auto matrix = constraint_matrix(system);
    std::vector<double> G(system.pattern().entries()), A(matrix->entries());
    system.jacobian(t, q, G);
    matrix->assemble(system, t, q, p, G, A);
    return matrix->factor(A);
}

}  // namespace libration
