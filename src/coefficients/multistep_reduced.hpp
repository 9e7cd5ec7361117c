// Symmetric pairs in half the degree. With u = zeta + 1/zeta - 2
//     rho(zeta) = zeta^(k/2) R(u),   sigma(zeta) = zeta^(k/2) S(u),   R(u) = u prod_j (u + 2 + 2 a_j),
// and zeta is on the unit circle, but not 1 or -1, if and only if u is real and in (-4, 0): u = 2 cos(angle) - 2.
// With zeta = e^y: y^2 = u - u^2/12 + u^3/90 - ..., and the order condition (8) of [CHL] says that S is the
// series of R(u)/y^2, cut after the power k/2 - 1.
#pragma once

#include "polynomial.hpp"

#include <limits>
#include <span>
#include <utility>

namespace libration::multistep {

using polynomial::Polynomial;

template <class T>
struct Reduced {
    Polynomial<T> rho, sigma;
    T error_constant = 0;  // of the first term left out, divided by sigma(1)
};

// The series of (y^2/u)^-1 up to the power n. y^2 = sum_i (-1)^(i-1) 2 (i!)^2 / (i^2 (2i)!) u^i, i >= 1.
template <class T>
Polynomial<T> reciprocal_square(std::size_t n) {
    Polynomial<T> square{T{1}}, inverse{T{1}};
    for (std::size_t i = 1; i <= n; ++i) {
        // The ratio of two terms: i^2 / ((2i+1)(2i+2)) with the sign.
        const int m = static_cast<int>(i);
        square.push_back(-square.back() * T(m * m) / T((2 * m + 1) * (2 * m + 2)));
        T sum = 0;
        for (std::size_t j = 1; j <= i; ++j) {
            sum = sum - square[j] * inverse[i - j];
        }
        inverse.push_back(sum);
    }
    return inverse;
}

template <class T>
Reduced<T> reduced(std::span<const T> a, T beta) {
    const std::size_t half = a.size() + 1;  // k/2
    Polynomial<T> tilde{T{1}};
    for (const T aj : a) {
        tilde = polynomial::product(tilde, {2 + 2 * aj, T{1}});
    }
    const auto series = polynomial::product(tilde, reciprocal_square<T>(half));
    Reduced<T> result{.rho = polynomial::product(tilde, {T{0}, T{1}}),
                      .sigma = Polynomial<T>(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(half)),
                      .error_constant = (series[half] - beta) / series[0]};
    if (beta != 0) {
        result.sigma.push_back(beta);
    }
    return result;
}

// The polynomial in u of palindromic coefficients, of even degree.
template <class T>
Polynomial<T> in_u(const std::vector<T>& palindrome) {
    const std::size_t half = palindrome.size() / 2;
    // zeta^j + zeta^-j = C_j(u + 2), C_0 = 2, C_1 = x, C_(j+1) = x C_j - C_(j-1).
    Polynomial<T> before{T{2}}, now{T{2}, T{1}}, result{palindrome[half]};
    for (std::size_t j = 1; j <= half; ++j) {
        result = polynomial::combination(result, palindrome[half - j], now);
        auto next = polynomial::combination(polynomial::product(now, {T{2}, T{1}}), T{-1}, before);
        before = std::exchange(now, std::move(next));
    }
    while (result.size() > 1 && result.back() == 0) {
        result.pop_back();
    }
    return result;
}

// The smallest distance of the points from each other and from the ends of [-4, 0]; negative for one outside.
template <class T>
T smallest_gap(std::vector<T> u) {
    std::sort(u.begin(), u.end());
    T gap = 2;  // of a point in the middle; none at all: the largest there can be
    T left = -4;
    for (const T at : u) {
        gap = std::min(gap, at - left);
        left = at;
    }
    return u.empty() ? gap : std::min(gap, -left);
}

// The square of Omega, the end of the interval of periodicity: all k/2 roots of R + mu S are in [-4, 0] for 0 < mu <
// Omega^2. They are where m(u) = -R/S takes the value mu. Between the zeros of m' and the poles m is monotone and takes
// each value at most once, so that the number of roots changes at the ends of these pieces only: no scan, no window is
// too narrow.
template <class T>
T periodicity_squared(const Polynomial<T>& rho, const Polynomial<T>& sigma) {
    using namespace polynomial;
    constexpr T infinite = static_cast<T>(std::numeric_limits<double>::infinity());
    const auto slope = combination(product(rho, derivative(sigma)), T{-1}, product(derivative(rho), sigma));  // m' S^2
    struct End {
        T u;
        bool pole;
    };
    std::vector<End> ends{{T{-4}, false}, {T{0}, false}};
    for (const T u : real_roots(slope, T{-4}, T{0})) {
        ends.push_back({u, false});
    }
    for (const T u : real_roots(sigma, T{-4}, T{0})) {
        ends.push_back({u, true});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.u < b.u; });
    struct Piece {
        T low, high;
    };
    std::vector<Piece> pieces;
    std::vector<T> changes;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const bool rising = value(slope, (ends[i].u + ends[i + 1].u) / 2) > 0;
        const auto at = [&](const End& end, bool upper) {
            return !end.pole ? -value(rho, end.u) / value(sigma, end.u) : (upper ? infinite : -infinite);
        };
        const T left = at(ends[i], !rising);
        const T right = at(ends[i + 1], rising);
        pieces.push_back({std::min(left, right), std::max(left, right)});
        changes.push_back(left);
        changes.push_back(right);
    }
    std::sort(changes.begin(), changes.end());
    T reached = 0;
    for (const T change : changes) {
        if (!(change > reached)) {
            continue;
        }
        const T between = change < infinite ? (reached + change) / 2 : 2 * reached + 1;
        const auto roots = std::count_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
            return piece.low < between && between < piece.high;
        });
        if (static_cast<std::size_t>(roots) + 1 < rho.size()) {
            return reached;
        }
        reached = change;
    }
    if (reached < infinite) {  // beyond the last change nothing is left
        return reached;
    }
    return infinite;
}

// Without a root of sigma outside (-4, 0): the smallest extremum of |S| on [-4, 0], divided by the largest. Roots can
// meet, or reach an end, only when a disturbance lifts an extremum to zero.
template <class T>
T depth(const Polynomial<T>& sigma) {
    auto at = polynomial::real_roots(polynomial::derivative(sigma), T{-4}, T{0});
    at.push_back(-4);
    at.push_back(0);
    T largest = 0, smallest = static_cast<T>(std::numeric_limits<double>::infinity());
    for (const T u : at) {
        const T s = polynomial::value(sigma, u);
        largest = std::max(largest, s < 0 ? -s : s);
        smallest = std::min(smallest, s < 0 ? -s : s);
    }
    return smallest / largest;
}

// scale sum 1/|p'(zeta)| over the roots u in (-4, 0) and both zeta of each; |p'(zeta)| = |P'(u)| sqrt(-u(u + 4)).
template <class T, class SquareRoot>
T response(const Polynomial<T>& p, const std::vector<T>& u, T scale, SquareRoot square_root) {
    const auto slope = polynomial::derivative(p);
    T sum = 0;
    for (const T at : u) {
        const T size = polynomial::value(slope, at);
        sum = sum + 2 / ((size < 0 ? -size : size) * square_root(-at * (at + 4)));
    }
    return scale * sum;
}

}  // namespace libration::multistep
