// Stability functions from the tridiagonal W-transform.
#include "coefficients/fraction.hpp"
#include "coefficients/measured_sum.hpp"
#include "coefficients/polynomial.hpp"

#include "closed_form.hpp"
#include "stability_function.hpp"
#include <libration/text/error.hpp>

#include <utility>

namespace libration {

namespace {

using polynomial::Polynomial;

// More digits than Wide has are lost in R(z) - exp(z) beyond this number of stages.
constexpr std::size_t most_stages_of_series = 20;

// A tridiagonal matrix up to similarity: its diagonal, and the products of opposite entries beside it.
template <class T>
struct Tridiagonal {
    std::vector<T> diagonal, products;
};

// det(I - z T): D_k = (1 - z d_k) D_(k-1) - z^2 p_(k-1) D_(k-2)
template <class T>
Polynomial<T> determinant(const Tridiagonal<T>& t) {
    Polynomial<T> before{T{1}};
    Polynomial<T> now{T{1}, -t.diagonal[0]};
    for (std::size_t k = 1; k < t.diagonal.size(); ++k) {
        auto next = polynomial::product(Polynomial<T>{T{1}, -t.diagonal[k]}, now);
        for (std::size_t i = 0; i < before.size(); ++i) {
            next[i + 2] = next[i + 2] + -(t.products[k - 1] * before[i]);
        }
        before = std::exchange(now, std::move(next));
    }
    return now;
}

Tridiagonal<Wide> tridiagonal(const WTransform& transform) {
    const std::size_t s = transform.stages;
    // Each entry of X is a sum of s^2 products; the orthonormal polynomials are below sqrt(2s).
    if (transform.beyond_diagonals() > 64 * static_cast<Wide>(s * s) * wide_epsilon) {
        throw InputError("the W-transform of this tableau is not tridiagonal");
    }
    Tridiagonal<Wide> result;
    for (std::size_t k = 0; k < s; ++k) {
        result.diagonal.push_back(transform.similar(k, k));
        if (k > 0) {
            result.products.push_back(transform.similar(k, k - 1) * transform.similar(k - 1, k));
        }
    }
    return result;
}

// Recognised, the entries are free of the round-off of the transformation. Nothing if one is not rational.
std::optional<Tridiagonal<Fraction>> exact(const Tridiagonal<Wide>& t) {
    Tridiagonal<Fraction> result;
    const auto add = [](std::vector<Fraction>& to, Wide x) {
        const auto found = recognised_rational(x);
        to.emplace_back(found.value_or(Rational{}));
        return found.has_value();
    };
    for (const Wide x : t.diagonal) {
        if (!add(result.diagonal, x)) {
            return std::nullopt;
        }
    }
    for (const Wide x : t.products) {
        if (!add(result.products, x)) {
            return std::nullopt;
        }
    }
    return result;
}

Tridiagonal<MeasuredSum> measured(const Tridiagonal<Wide>& t) {
    const auto polished = [](const std::vector<Wide>& values) {
        std::vector<MeasuredSum> result;
        for (const Wide x : values) {
            const auto found = recognised_rational(x);
            result.emplace_back(found ? static_cast<Wide>(found->numerator) / static_cast<Wide>(found->denominator)
                                      : x);
        }
        return result;
    };
    return {polished(t.diagonal), polished(t.products)};
}

// A coefficient takes at most three operations per stage.
std::size_t operations(std::size_t stages) { return 16 * stages; }

void trim(Polynomial<MeasuredSum>& p, std::size_t stages) {
    while (p.size() > 1 && p.back().vanishes(operations(stages))) {
        p.pop_back();
    }
}

std::vector<Wide> values(const Polynomial<MeasuredSum>& p) {
    std::vector<Wide> result;
    for (const auto& x : p) {
        result.push_back(x.value);
    }
    return result;
}

std::vector<std::optional<Rational>> rational_coefficients(Polynomial<Fraction> p, std::size_t size) {
    p.resize(size);
    std::vector<std::optional<Rational>> result;
    for (const auto& x : p) {
        result.push_back(x.rational());
    }
    return result;
}

// Coefficients k! (k+j-i)! / ((k+j)! i! (k-i)!) of z^i above the line; below it k and j change places and z its sign.
bool is_pade(const Polynomial<MeasuredSum>& p, std::size_t k, std::size_t j, int sign) {
    Wide wanted = 1;
    for (std::size_t i = 0; i <= k; ++i) {
        if (!(p[i] + MeasuredSum(-wanted)).vanishes(operations(k + j + 1))) {
            return false;
        }
        wanted *= static_cast<Wide>(sign) * static_cast<Wide>(k - i) / static_cast<Wide>((k + j - i) * (i + 1));
    }
    return true;
}

std::optional<std::size_t> order_of(const Polynomial<MeasuredSum>& p, const Polynomial<MeasuredSum>& q,
                                    std::size_t stages) {
    if (stages > most_stages_of_series) {
        return std::nullopt;
    }
    for (std::size_t m = 0; m <= p.size() + q.size(); ++m) {
        auto rest = m < p.size() ? p[m] : MeasuredSum{};  // coefficient m of P - Q exp(z)
        Wide factorial = 1;
        for (std::size_t i = 0; i <= m; ++i) {
            factorial *= i == 0 ? Wide{1} : static_cast<Wide>(i);
            if (m - i < q.size()) {
                rest = rest + -(q[m - i] * MeasuredSum(1 / factorial));
            }
        }
        if (!rest.vanishes(operations(stages))) {
            return m - 1;
        }
    }
    return std::nullopt;
}

}  // namespace

StabilityFunction stability_function(const WTransform& transform) {
    const std::size_t s = transform.stages;
    const auto below = tridiagonal(transform);
    auto above = below;
    above.diagonal[0] -= 1;  // A - 1 b^T
    auto p = determinant(measured(above));
    auto q = determinant(measured(below));
    trim(p, s);
    trim(q, s);
    StabilityFunction result{values(p), values(q), {}, {}, {}, {}};
    const auto exact_above = exact(above);
    const auto exact_below = exact(below);
    if (exact_above && exact_below) {
        result.exact_numerator = rational_coefficients(determinant(*exact_above), p.size());
        result.exact_denominator = rational_coefficients(determinant(*exact_below), q.size());
    } else {
        result.exact_numerator.resize(p.size());
        result.exact_denominator.resize(q.size());
    }
    const Pade degrees{p.size() - 1, q.size() - 1};
    if (is_pade(p, degrees.numerator, degrees.denominator, 1) &&
        is_pade(q, degrees.denominator, degrees.numerator, -1)) {
        result.pade = degrees;
        result.order = degrees.numerator + degrees.denominator;
    } else {
        result.order = order_of(p, q, s);
    }
    return result;
}

}  // namespace libration
