// Zeros of Legendre polynomials by Newton's method.
#include "legendre.hpp"

namespace libration {

namespace {

constexpr double pi = 3.14159265358979323846;
// From a start with two correct digits five corrections give 113 bits; the rest costs nothing.
constexpr int newton_steps = 9;

struct ValueAndSlope {
    Wide value, slope;
};

Wide degree_as_number(std::size_t degree) { return static_cast<Wide>(degree); }

// (1 - x^2) P_n'(x), without dividing by what vanishes at the ends.
Wide scaled_slope(const std::vector<Wide>& p, std::size_t n, Wide x) {
    return degree_as_number(n) * (p[n - 1] - x * p[n]);
}

template <class Function>
Wide newton(Wide x, Function f) {
    for (int step = 0; step < newton_steps; ++step) {
        const ValueAndSlope at_x = f(x);
        x -= at_x.value / at_x.slope;
    }
    return x;
}

// The one zero between two bounds where f has different signs; a few halvings bring Newton's method within reach.
template <class Function>
Wide zero_by_newton(Wide lower, Wide upper, Function f) {
    const bool rising = f(lower).value < 0;
    for (int halving = 0; halving < 6; ++halving) {
        const Wide middle = (lower + upper) / 2;
        ((f(middle).value < 0) == rising ? lower : upper) = middle;
    }
    return newton((lower + upper) / 2, f);
}

// The zeros of P_n in increasing order, on [-1, 1].
std::vector<Wide> legendre_zeros(std::size_t n) {
    std::vector<Wide> zeros(n, Wide{0});
    for (std::size_t i = 0; i < n / 2; ++i) {
        // Tricomi's estimate of the zeros, right to O(n^-2).
        const Wide start = cos(pi * static_cast<double>(4 * i + 3) / static_cast<double>(4 * n + 2));
        const Wide zero = newton(start, [n](Wide x) {
            const auto p = legendre(n, x);
            return ValueAndSlope{p[n], scaled_slope(p, n, x) / (1 - x * x)};
        });
        zeros[n - 1 - i] = zero;
        zeros[i] = -zero;
    }
    return zeros;
}

// From the positive half, largest last: c and 1 - c are both exact in Wide, because c >= 1/2 is rounded first.
std::vector<Wide> symmetric_nodes(std::size_t stages, const std::vector<Wide>& x) {
    std::vector<Wide> c(stages, Wide{1} / 2);
    for (std::size_t i = (stages + 1) / 2; i < stages; ++i) {
        c[i] = (1 + x[i]) / 2;
        c[stages - 1 - i] = 1 - c[i];
    }
    return c;
}

}  // namespace

std::vector<Wide> legendre(std::size_t degree, Wide x) {
    std::vector<Wide> p{Wide{1}, x};
    for (std::size_t k = 1; k < degree; ++k) {
        const Wide n = degree_as_number(k);
        p.push_back(((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1));
    }
    p.resize(degree + 1);
    return p;
}

std::vector<Wide> gauss_nodes(std::size_t stages) { return symmetric_nodes(stages, legendre_zeros(stages)); }

std::vector<Wide> lobatto_nodes(std::size_t stages) {
    const std::size_t n = stages - 1;
    const auto bounds = legendre_zeros(n);  // P_n has one extremum between each two of its zeros
    std::vector<Wide> x(stages, Wide{1});
    for (std::size_t i = (stages + 1) / 2; i < n; ++i) {
        // Legendre's equation ((1 - x^2) P')' = -n (n+1) P gives the slope.
        x[i] = zero_by_newton(bounds[i - 1], bounds[i], [n](Wide at) {
            const auto p = legendre(n, at);
            return ValueAndSlope{scaled_slope(p, n, at), -degree_as_number(n) * degree_as_number(n + 1) * p[n]};
        });
    }
    return symmetric_nodes(stages, x);
}

std::vector<Wide> radau_nodes(std::size_t stages) {
    const std::size_t n = stages;
    const auto bounds = legendre_zeros(n);  // P_(n-1) alternates there, hence P_n - P_(n-1) too
    std::vector<Wide> c(stages, Wide{1});
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const Wide x = zero_by_newton(bounds[i], bounds[i + 1], [n](Wide at) {
            const auto p = legendre(n, at);
            const Wide slope = scaled_slope(p, n, at) - scaled_slope(p, n - 1, at);
            return ValueAndSlope{p[n] - p[n - 1], slope / (1 - at * at)};
        });
        c[i] = (1 + x) / 2;
    }
    return c;
}

}  // namespace libration
