// Small real polynomials and all of their roots, for T = double (searches) and Wide (reports). Coefficients are stored
// lowest power first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace libration::polynomial {

template <class T>
using Polynomial = std::vector<T>;

template <class T>
T value(const Polynomial<T>& p, T x) {
    T sum = 0;
    for (std::size_t i = p.size(); i-- > 0;) {
        sum = sum * x + p[i];
    }
    return sum;
}

template <class T>
Polynomial<T> derivative(const Polynomial<T>& p) {
    Polynomial<T> result;
    for (std::size_t i = 1; i < p.size(); ++i) {
        result.push_back(static_cast<T>(static_cast<int>(i)) * p[i]);
    }
    return result;
}

template <class T>
Polynomial<T> product(const Polynomial<T>& p, const Polynomial<T>& q) {
    Polynomial<T> result(p.size() + q.size() - 1, T{0});
    for (std::size_t i = 0; i < p.size(); ++i) {
        for (std::size_t j = 0; j < q.size(); ++j) {
            result[i + j] = result[i + j] + p[i] * q[j];
        }
    }
    return result;
}

// p + factor q
template <class T>
Polynomial<T> combination(Polynomial<T> p, T factor, const Polynomial<T>& q) {
    p.resize(std::max(p.size(), q.size()), T{0});
    for (std::size_t i = 0; i < q.size(); ++i) {
        p[i] += factor * q[i];
    }
    return p;
}

// The root between two ends of opposite sign: Newton's method, bisection where it would leave the interval.
template <class T>
T root_between(const Polynomial<T>& p, const Polynomial<T>& slope, T low, T high) {
    const bool sign = value(p, low) >= 0;
    T x = (low + high) / 2;
    for (int i = 0; i < 300; ++i) {
        const T at = value(p, x);
        ((at >= 0) == sign ? low : high) = x;
        T next = x - at / value(slope, x);
        if (!(next > low && next < high) || i % 8 == 7) {
            next = (low + high) / 2;
        }
        if (next == x || next == low || next == high) {
            break;
        }
        x = next;
    }
    return x;
}

// The roots in [low, high] where p changes its sign, in increasing order. Between two roots of p' there is at most one.
template <class T>
std::vector<T> real_roots(const Polynomial<T>& p, T low, T high) {
    std::vector<T> roots;
    if (p.size() < 2) {
        return roots;
    }
    const auto slope = derivative(p);
    auto ends = real_roots(slope, low, high);
    ends.push_back(high);
    T left = low;
    for (const T right : ends) {
        if ((value(p, left) >= 0) != (value(p, right) >= 0)) {
            roots.push_back(root_between(p, slope, left, right));
        }
        left = right;
    }
    return roots;
}

template <class T>
struct Complex {
    T re = 0, im = 0;

    friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
    friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
    friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
    friend Complex operator/(Complex a, Complex b) {
        const T norm = b.re * b.re + b.im * b.im;
        return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
    }
};

template <class T>
T size(Complex<T> z) {
    return (z.re < 0 ? -z.re : z.re) + (z.im < 0 ? -z.im : z.im);
}

template <class T>
Complex<T> value(const Polynomial<T>& p, Complex<T> z) {
    Complex<T> sum;
    for (std::size_t i = p.size(); i-- > 0;) {
        sum = sum * z + Complex<T>{p[i], 0};
    }
    return sum;
}

// All roots have modulus below this bound of Cauchy.
template <class T>
T root_bound(const Polynomial<T>& p) {
    T largest = 0;
    for (const T c : p) {
        const T ratio = c / p.back();
        largest = std::max(largest, ratio < 0 ? -ratio : ratio);
    }
    return 1 + largest;
}

// All roots by the simultaneous iteration of Ehrlich and Aberth, started on a circle; p.back() != 0.
template <class T>
std::vector<Complex<T>> complex_roots(const Polynomial<T>& p, T radius) {
    const std::size_t n = p.size() - 1;
    const auto slope = derivative(p);
    std::vector<Complex<T>> z(n);
    for (std::size_t i = 0; i < n; ++i) {  // on a circle, and on no axis of symmetry
        const double angle = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(n) + 0.4;
        z[i] = {radius * static_cast<T>(std::cos(angle)), radius * static_cast<T>(std::sin(angle))};
    }
    T change = 1;
    for (int sweep = 0; sweep < 200 && change > 0; ++sweep) {
        change = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = value(p, z[i]);
            if (size(at) == 0) {
                continue;
            }
            Complex<T> others;
            for (std::size_t j = 0; j < n; ++j) {
                const auto gap = z[i] - z[j];
                others = j == i || size(gap) == 0 ? others : others + Complex<T>{1, 0} / gap;
            }
            const auto step = Complex<T>{1, 0} / (value(slope, z[i]) / at - others);
            const auto moved = z[i] - step;
            if (moved.re == moved.re && moved.im == moved.im) {  // finite
                change = std::max(change, moved.re == z[i].re && moved.im == z[i].im ? T{0} : size(step));
                z[i] = moved;
            }
        }
    }
    return z;
}

template <class T>
std::vector<Complex<T>> complex_roots(const Polynomial<T>& p) {
    return complex_roots(p, root_bound(p) / 2);
}

}  // namespace libration::polynomial
