// A-, L-, P-stability and explosivity, decided from the polynomials of the stability function.
#include "coefficients/measured_sum.hpp"
#include "coefficients/polynomial.hpp"

#include "stability_function.hpp"

#include <algorithm>

namespace libration {

namespace {

using polynomial::Complex;
using polynomial::Polynomial;

// Coefficients of y^0, y^2, y^4, ... of |p(iy)|^2 times `factor`, added to E.
void add_square(std::vector<MeasuredSum>& E, const std::vector<Wide>& p, int factor) {
    for (std::size_t i = 0; i < p.size(); ++i) {
        for (std::size_t j = i % 2; j < p.size(); j += 2) {
            const std::size_t k = (i + j) / 2;
            const int sign = (k + j) % 2 == 0 ? factor : -factor;
            E[k] = E[k] + MeasuredSum(static_cast<Wide>(sign) * p[i] * p[j]);
        }
    }
}

// E(y) = |Q(iy)|^2 - |P(iy)|^2 as a polynomial in y^2 [Hairer and Wanner II, IV.3]. What is round-off is made zero.
Polynomial<Wide> e_polynomial(const std::vector<Wide>& P, const std::vector<Wide>& Q) {
    std::vector<MeasuredSum> E(std::max(P.size(), Q.size()));
    add_square(E, Q, 1);
    add_square(E, P, -1);
    Polynomial<Wide> result;
    for (const auto& x : E) {
        result.push_back(x.vanishes(128 * E.size()) ? Wide{0} : x.value);
    }
    while (!result.empty() && result.back() == 0) {
        result.pop_back();
    }
    return result;
}

bool nonnegative_for_positive(const Polynomial<Wide>& p) {
    if (std::all_of(p.begin(), p.end(), [](Wide x) { return x >= 0; })) {
        return true;
    }
    if (p.back() < 0) {
        return false;
    }
    // It is positive far away, and negative at first or between two changes of its sign.
    const auto first = std::find_if(p.begin(), p.end(), [](Wide x) { return x != 0; });
    return *first > 0 && polynomial::real_roots(p, Wide{0}, polynomial::root_bound(p)).empty();
}

// All roots are in the right half-plane. The variable is scaled so that the product of the roots is 1 in modulus.
bool roots_are_right(std::vector<Wide> p) {
    if (p.size() < 2) {
        return true;
    }
    const auto n = static_cast<int>(p.size()) - 1;
    const Wide scale = wide_root(wide_abs(p.front() / p.back()), n);
    Wide power = 1;
    for (Wide& x : p) {
        x *= power;
        power *= scale;
    }
    const auto roots = polynomial::complex_roots(p, Wide{1});
    // Roots of a polynomial of degree 40 are good to half of the digits; a root on the axis does not count as right.
    return std::all_of(roots.begin(), roots.end(), [](const Complex<Wide>& z) { return z.re > Wide{1e-12}; });
}

std::vector<Wide> reflected(std::vector<Wide> p) {  // p(-z)
    for (std::size_t i = 1; i < p.size(); i += 2) {
        p[i] = -p[i];
    }
    return p;
}

}  // namespace

bool bounded_in_left_half_plane(const std::vector<Wide>& numerator, const std::vector<Wide>& denominator) {
    return nonnegative_for_positive(e_polynomial(numerator, denominator)) && roots_are_right(denominator);
}

Wide modulus_on_axis(const StabilityFunction& function, Wide y) {
    const Complex<Wide> z{0, y};
    const auto r = polynomial::value(function.numerator, z) / polynomial::value(function.denominator, z);
    return wide_sqrt(r.re * r.re + r.im * r.im);
}

LinearStability linear_stability(const StabilityFunction& function) {
    const auto& P = function.numerator;
    const auto& Q = function.denominator;
    LinearStability result{};
    result.a_stable = bounded_in_left_half_plane(P, Q);
    result.l_stable = result.a_stable && P.size() < Q.size();
    result.p_stable = e_polynomial(P, Q).empty();
    // |R(z)| > 1 on the right is |1/R(-z)| < 1 on the left [Jay 1998, section 5.3].
    result.explosive = bounded_in_left_half_plane(reflected(Q), reflected(P));
    result.unconditionally_explosive = result.explosive && P.size() > Q.size();
    return result;
}

}  // namespace libration
