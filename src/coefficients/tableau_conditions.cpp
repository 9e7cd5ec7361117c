// Residuals of simplifying assumptions, see Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I,
// II.7.
#include "tableau_conditions.hpp"

#include <algorithm>
#include <cassert>

namespace libration {

namespace {

// The next powers: element by element.
void multiply(std::vector<Wide>& powers, const std::vector<Wide>& x) {
    std::transform(powers.begin(), powers.end(), x.begin(), powers.begin(), [](Wide a, Wide b) { return a * b; });
}

void note(Wide& worst, Wide residual) { worst = std::max(worst, wide_abs(residual)); }

}  // namespace

Wide residual_b(const Tableau& tableau, std::size_t p) {
    Wide worst = 0;
    auto weighted = tableau.b;
    for (std::size_t k = 1; k <= p; ++k) {
        Wide sum = 0;
        for (const Wide term : weighted) {
            sum += term;
        }
        note(worst, sum - 1 / static_cast<Wide>(k));
        multiply(weighted, tableau.c);
    }
    return worst;
}

Wide residual_c(const Tableau& tableau, std::size_t q) {
    const std::size_t s = tableau.stages;
    Wide worst = 0;
    std::vector<Wide> power(s, Wide{1});
    for (std::size_t k = 1; k <= q; ++k) {
        for (std::size_t i = 0; i < s; ++i) {
            Wide sum = 0;
            for (std::size_t j = 0; j < s; ++j) {
                sum += tableau.a(i, j) * power[j];
            }
            note(worst, sum - tableau.c[i] * power[i] / static_cast<Wide>(k));
        }
        multiply(power, tableau.c);
    }
    return worst;
}

Wide residual_d(const Tableau& tableau, std::size_t r) {
    const std::size_t s = tableau.stages;
    Wide worst = 0;
    auto weighted = tableau.b;
    for (std::size_t k = 1; k <= r; ++k) {
        for (std::size_t j = 0; j < s; ++j) {
            Wide sum = 0;
            for (std::size_t i = 0; i < s; ++i) {
                sum += weighted[i] * tableau.a(i, j);
            }
            note(worst, sum - (tableau.b[j] - weighted[j] * tableau.c[j]) / static_cast<Wide>(k));
        }
        multiply(weighted, tableau.c);
    }
    return worst;
}

Wide symplecticity_residual(const Tableau& a, const Tableau& ahat) {
    assert(a.stages == ahat.stages);
    const std::size_t s = a.stages;
    Wide worst = 0;
    for (std::size_t i = 0; i < s; ++i) {
        note(worst, a.b[i] - ahat.b[i]);
        note(worst, a.c[i] - ahat.c[i]);
        for (std::size_t j = 0; j < s; ++j) {
            note(worst, ahat.b[i] * ahat.a(i, j) + a.b[j] * a.a(j, i) - a.b[i] * ahat.b[j]);
        }
    }
    return worst;
}

Wide symplecticity_residual(const Tableau& tableau) { return symplecticity_residual(tableau, tableau); }

Wide symmetry_residual(const Tableau& tableau) {
    const std::size_t s = tableau.stages;
    Wide worst = 0;
    for (std::size_t i = 0; i < s; ++i) {
        for (std::size_t j = 0; j < s; ++j) {
            note(worst, tableau.a(s - 1 - i, s - 1 - j) + tableau.a(i, j) - tableau.b[j]);
        }
    }
    return worst;
}

}  // namespace libration
