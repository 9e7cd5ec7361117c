// Interpolating splines by their second derivatives m. With h_k = x_k+1 - x_k and d_k = (y_k+1 - y_k)/h_k, a continuous
// first derivative means
//
//     h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 (d_k - d_k-1),      k = 1 .. n-2.
//
// Not-a-knot, (m_1 - m_0)/h_0 = (m_2 - m_1)/h_1 and likewise at the other end, eliminates m_0 and m_n-1. What is left
// is tridiagonal and diagonally dominant. [de Boor, A Practical Guide to Splines, ch. IV]
#include "spline.hpp"

namespace libration {

namespace {

using Values = std::vector<WideScalar>;

Values steps_of(const Values& x) {
    Values h;
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
        h.push_back(x[k + 1] - x[k]);
    }
    return h;
}

Values slopes_of(const Values& y, const Values& h) {
    Values d;
    for (std::size_t k = 0; k < h.size(); ++k) {
        d.push_back((y[k + 1] - y[k]) / h[k]);
    }
    return d;
}

Values second_derivatives(const Values& h, const Values& d) {
    const std::size_t n = h.size() + 1;
    if (n == 3) {
        return Values(3, 2 * (d[1] - d[0]) / (h[0] + h[1]));
    }
    Values below(n), diagonal(n), above(n), m(n);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        below[k] = h[k - 1];
        diagonal[k] = 2 * (h[k - 1] + h[k]);
        above[k] = h[k];
        m[k] = 6 * (d[k] - d[k - 1]);
    }
    const auto first = h[0] / h[1], last = h[n - 2] / h[n - 3];
    diagonal[1] += h[0] * (1 + first);
    above[1] -= h[0] * first;
    diagonal[n - 2] += h[n - 2] * (1 + last);
    below[n - 2] -= h[n - 2] * last;
    for (std::size_t k = 2; k + 1 < n; ++k) {
        const auto factor = below[k] / diagonal[k - 1];
        diagonal[k] -= factor * above[k - 1];
        m[k] -= factor * m[k - 1];
    }
    m[n - 2] /= diagonal[n - 2];
    for (std::size_t k = n - 3; k >= 1; --k) {
        m[k] = (m[k] - above[k] * m[k + 1]) / diagonal[k];
    }
    m[0] = (1 + first) * m[1] - first * m[2];
    m[n - 1] = (1 + last) * m[n - 2] - last * m[n - 3];
    return m;
}

}  // namespace

PiecewisePolynomial<WideScalar> linear_interpolant(const Values& x, const Values& y) {
    PiecewisePolynomial<WideScalar> f{x, {}, y.front(), y.back()};
    const auto d = slopes_of(y, steps_of(x));
    for (std::size_t k = 0; k < d.size(); ++k) {
        f.coefficients.push_back({y[k], d[k], 0, 0});
    }
    return f;
}

PiecewisePolynomial<WideScalar> cubic_interpolant(const Values& x, const Values& y) {
    PiecewisePolynomial<WideScalar> f{x, {}, y.front(), y.back()};
    const auto h = steps_of(x), d = slopes_of(y, h), m = second_derivatives(h, d);
    for (std::size_t k = 0; k < h.size(); ++k) {
        f.coefficients.push_back(
            {y[k], d[k] - h[k] * (2 * m[k] + m[k + 1]) / 6, m[k] / 2, (m[k + 1] - m[k]) / (6 * h[k])});
    }
    return f;
}

}  // namespace libration
