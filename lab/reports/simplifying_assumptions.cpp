// Simplifying assumptions with Legendre polynomials on [0, 1].
#include "coefficients/legendre.hpp"
#include "coefficients/small_matrix.hpp"

#include "simplifying_assumptions.hpp"

#include <algorithm>
#include <functional>

namespace libration {

namespace {

// A polynomial as a sum of shifted Legendre polynomials.
using LegendreSeries = std::vector<Wide>;

LegendreSeries one_polynomial(std::size_t degree) {
    LegendreSeries result(degree + 1, Wide{0});
    result[degree] = 1;
    return result;
}

// int_0^c: of P_k it is (P_(k+1) - P_(k-1)) / (4k+2), which is 0 at 0 for k > 0; of P_0 it is (P_1 + P_0)/2.
LegendreSeries integral(const LegendreSeries& f) {
    LegendreSeries result(f.size() + 1, Wide{0});
    for (std::size_t k = 0; k < f.size(); ++k) {
        const Wide part = f[k] / static_cast<Wide>(4 * k + 2);
        result[k + 1] += part;
        result[k == 0 ? 0 : k - 1] += k == 0 ? part : -part;
    }
    return result;
}

// int_c^1
LegendreSeries integral_to_end(const LegendreSeries& f) {
    auto result = integral(f);
    Wide whole = 0;  // P_k(1) = 1
    for (Wide& x : result) {
        whole += x;
        x = -x;
    }
    result[0] += whole;
    return result;
}

class LegendreStages {
  public:
    explicit LegendreStages(const Tableau& tableau) : tableau_(&tableau) {
        for (const Wide c : tableau.c) {
            polynomials_.push_back(legendre(2 * tableau.stages + 6, 2 * c - 1));
        }
    }

    [[nodiscard]] std::vector<Wide> values(const LegendreSeries& f) const {
        std::vector<Wide> result;
        for (const auto& p : polynomials_) {
            Wide sum = 0;
            for (std::size_t k = 0; k < f.size(); ++k) {
                sum += f[k] * p[k];
            }
            result.push_back(sum);
        }
        return result;
    }

    [[nodiscard]] std::vector<Wide> weighted(std::vector<Wide> values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] *= tableau_->b[i];
        }
        return values;
    }

  private:
    const Tableau* tableau_;
    std::vector<std::vector<Wide>> polynomials_;
};

// Legendre polynomials up to degree 2s are good to some s roundings, sums of s products with numbers below 1 too.
Wide tolerance(std::size_t stages) { return 64 * static_cast<Wide>(stages) * wide_epsilon; }

bool agree(const std::vector<Wide>& a, const std::vector<Wide>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (wide_abs(a[i] - b[i]) > tolerance(a.size())) {
            return false;
        }
    }
    return true;
}

// How many of the first Legendre polynomials satisfy a condition, plus `first`. With w, the product of all x - c_i, the
// left sides for w^2 are 0, while the integrals of w^2 on the right sides are positive, unless they are from 0 to 0 or
// from 1 to 1. So a condition that holds beyond degree 2s has one stage, there, and holds for every degree.
std::size_t count(std::size_t first, std::size_t stages, const std::function<bool(const LegendreSeries&)>& holds) {
    for (std::size_t degree = 0; degree <= 2 * stages; ++degree) {
        if (!holds(one_polynomial(degree))) {
            return first + degree;
        }
    }
    return every_degree;
}

}  // namespace

Assumptions assumptions(const Tableau& tableau) {
    const std::size_t s = tableau.stages;
    const LegendreStages at(tableau);
    Assumptions result{};
    result.p = count(0, s, [&](const LegendreSeries& f) {
        Wide sum = 0;
        for (const Wide term : at.weighted(at.values(f))) {
            sum += term;
        }
        return wide_abs(sum - (f.size() == 1 ? 1 : 0)) <= tolerance(s);
    });
    result.q = count(0, s, [&](const LegendreSeries& f) {
        return agree(matrix_times(tableau.A, at.values(f)), at.values(integral(f)));
    });
    result.r = count(0, s, [&](const LegendreSeries& f) {
        return agree(transposed_times(tableau.A, at.weighted(at.values(f))),
                     at.weighted(at.values(integral_to_end(f))));
    });
    return result;
}

PairAssumptions assumptions(const Tableau& m, const Tableau& n) {
    const LegendreStages at(m);
    PairAssumptions result{};
    result.Q = count(1, m.stages, [&](const LegendreSeries& f) {
        return agree(matrix_times(m.A, matrix_times(n.A, at.values(f))), at.values(integral(integral(f))));
    });
    // The right side of D D(R) is b_l int_(c_l)^1 x^(k-2) (x - c_l) dx, a double integral to the end.
    result.R = count(1, m.stages, [&](const LegendreSeries& f) {
        return agree(transposed_times(n.A, transposed_times(m.A, at.weighted(at.values(f)))),
                     at.weighted(at.values(integral_to_end(integral_to_end(f)))));
    });
    return result;
}

std::size_t classical_order(const Assumptions& a) { return std::min({a.p, 2 * a.q + 2, a.q + a.r + 1}); }

std::size_t dual_pair_order(const Assumptions& a) { return std::min({a.p, 2 * a.q + 2, 2 * a.r + 2, a.q + a.r + 1}); }

ConstrainedOrder pair_order(const Assumptions& a, const Assumptions& hat, const PairAssumptions& both) {
    const std::size_t common = std::min({a.p, 2 * a.q + 2, 2 * hat.q + 2, a.q + a.r + 1, a.q + hat.r + 2,
                                         hat.q + a.r + 2, hat.q + hat.r + 1, both.Q + hat.r, both.Q + both.R});
    return {std::min(common, 2 * both.Q), std::min(common, 2 * both.Q - 1)};
}

ConstrainedOrder spark_order(std::span<const Assumptions> methods, std::span<const PairAssumptions> pairs,
                             bool linear_in_u) {
    auto least = methods.front();
    std::size_t kappa = least.q + least.r;
    for (const auto& m : methods) {
        least = {std::min(least.p, m.p), std::min(least.q, m.q), std::min(least.r, m.r)};
        kappa = std::min(kappa, m.q + m.r);
    }
    std::size_t r_others = methods[1].r;  // r'
    for (const auto& m : methods.subspan(1)) {
        r_others = std::min(r_others, m.r);
    }
    auto both = pairs.front();
    for (const auto& pair : pairs) {
        both = {std::min(both.Q, pair.Q), std::min(both.R, pair.R)};
    }
    const std::size_t raised = linear_in_u ? 1 : 0;
    const std::size_t mu = std::min({least.p, 2 * least.q + 2, least.q + least.r + 2, kappa + 1, both.Q + r_others,
                                     2 * both.Q - 1 + raised, both.Q + both.R});
    return {mu, std::min(mu, 2 * both.Q - 2 + raised)};
}

bool fits_constraints(const Tableau& a, const Tableau& ahat) {
    const std::size_t s = a.stages;
    for (std::size_t j = 0; j < s; ++j) {
        const Wide worst =
            std::max({wide_abs(a.a(0, j)), wide_abs(a.a(s - 1, j) - a.b[j]), wide_abs(ahat.a(j, s - 1))});
        if (worst > tolerance(s)) {
            return false;
        }
    }
    if (s < 2) {
        return false;
    }
    std::vector<Wide> product((s - 1) * (s - 1),
                              Wide{0});  // A_0: without the first row, Ahat_0: without the last column
    for (std::size_t i = 1; i < s; ++i) {
        for (std::size_t k = 0; k < s; ++k) {
            for (std::size_t j = 0; j + 1 < s; ++j) {
                product[(i - 1) * (s - 1) + j] += a.a(i, k) * ahat.a(k, j);
            }
        }
    }
    return rank(product, s - 1) == s - 1;
}

}  // namespace libration
