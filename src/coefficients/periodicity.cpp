// Zeros of the off-diagonal entries of the stability matrix.
#include "small_matrix.hpp"

#include <libration/coefficients/periodicity.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace libration {

namespace {

constexpr double largest_mu = 100;
// beta and gamma are sin(mu) with the error of the method; their zeros are some three apart.
constexpr double scan_step = 0.125;

Wide sum_of(const std::vector<Wide>& b, const std::vector<Wide>& x) {
    Wide sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        sum += b[i] * x[i];
    }
    return sum;
}

// b^T (I + mu^2 product)^-1 x, and the determinant, its common denominator
struct Quotient {
    Wide value, denominator;
};

Quotient resolvent(const std::vector<Wide>& b, const std::vector<Wide>& product, Wide mu, std::vector<Wide> x) {
    const std::size_t n = x.size();
    auto matrix = product;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            matrix[i * n + j] = mu * mu * matrix[i * n + j] + (i == j ? 1 : 0);
        }
    }
    const Wide determinant = solve(matrix, x);
    return {sum_of(b, x), determinant};
}

// The zero between two bounds of different signs: the secant, with the Illinois rule that moves both bounds.
Wide zero_between(const std::function<Wide(Wide)>& f, Wide low, Wide high_bound) {
    Wide at_low = f(low);
    Wide at_high = f(high_bound);
    if (at_low == 0 && low > 0) {
        return low;
    }
    for (int step = 0; step < 200 && at_high != 0; ++step) {
        const Wide x = high_bound - at_high * (high_bound - low) / (at_high - at_low);
        if (x == high_bound || x == low) {
            break;
        }
        const Wide at_x = f(x);
        if ((at_x < 0) != (at_high < 0)) {
            low = high_bound;
            at_low = at_high;
        } else {
            at_low /= 2;
        }
        high_bound = x;
        at_high = at_x;
        if (wide_abs(high_bound - low) <= 4 * wide_epsilon * high_bound) {
            break;
        }
    }
    return high_bound;
}

// The entries of the stability matrix, (30) solved for the stages of y or of z.
class StabilityMatrix {
  public:
    StabilityMatrix(const Tableau& a, const Tableau& ahat)
        : b_(a.b), ones_(a.stages, Wide{1}), a_ones_(matrix_times(a.A, ones_)), ahat_ones_(matrix_times(ahat.A, ones_)),
          forward_(matrix_product(ahat.A, a.A, a.stages)), backward_(matrix_product(a.A, ahat.A, a.stages)) {}

    [[nodiscard]] Wide alpha(Wide mu) const { return 1 - mu * mu * resolvent(b_, forward_, mu, ahat_ones_).value; }
    [[nodiscard]] Wide alpha_of_z(Wide mu) const { return 1 - mu * mu * resolvent(b_, backward_, mu, a_ones_).value; }
    [[nodiscard]] Wide beta(Wide mu) const { return mu * resolvent(b_, forward_, mu, ones_).value; }
    [[nodiscard]] Wide gamma(Wide mu) const { return mu * resolvent(b_, backward_, mu, ones_).value; }
    // det(I + mu^2 A Ahat) is the denominator of all four: times it they are polynomials, without poles.
    [[nodiscard]] Wide beta_numerator(Wide mu) const { return mu * numerator(resolvent(b_, forward_, mu, ones_)); }
    [[nodiscard]] Wide gamma_numerator(Wide mu) const { return mu * numerator(resolvent(b_, backward_, mu, ones_)); }
    // of alpha - alpha'
    [[nodiscard]] Wide difference_numerator(Wide mu) const {
        return mu * mu *
               (numerator(resolvent(b_, backward_, mu, a_ones_)) - numerator(resolvent(b_, forward_, mu, ahat_ones_)));
    }

  private:
    static Wide numerator(const Quotient& q) { return q.value * q.denominator; }

    std::vector<Wide> b_, ones_, a_ones_, ahat_ones_, forward_, backward_;
};

// The zeros of a function that is positive at first, one after the other.
class Zeros {
  public:
    explicit Zeros(std::function<Wide(Wide)> f) : f_(std::move(f)) {}

    // The next zero, at most at `last`.
    std::optional<Wide> next(Wide last) {
        while (at_ < last) {
            const bool before = positive_;
            const Wide from = at_;
            at_ += Wide{scan_step};
            positive_ = f_(at_) > 0;
            if (positive_ != before) {
                return zero_between(f_, from, at_);
            }
        }
        return std::nullopt;
    }

  private:
    std::function<Wide(Wide)> f_;
    Wide at_ = 0;
    bool positive_ = true;
};

}  // namespace

Periodicity periodicity(const Tableau& a, const Tableau& ahat) {
    const std::size_t s = a.stages;
    const StabilityMatrix m(a, ahat);
    bool same_alpha = true;
    bool same_off_diagonal = true;
    for (const double sample : {0.4, 1.3, 2.2}) {  // rational functions that agree there, agree
        const Wide mu{sample};
        const Wide tolerance = Wide{1e3} * static_cast<Wide>(s) * wide_epsilon;  // of solutions with matrices near 1
        const Wide alpha = m.alpha(mu);
        const Wide alpha_of_z = m.alpha_of_z(mu);
        const Wide beta = m.beta(mu);
        const Wide gamma = m.gamma(mu);
        if (wide_abs(alpha * alpha_of_z + beta * gamma - 1) > tolerance) {
            return {PeriodicityKind::none};
        }
        same_alpha = same_alpha && wide_abs(alpha - alpha_of_z) <= tolerance;
        same_off_diagonal = same_off_diagonal && wide_abs(beta - gamma) <= tolerance;
    }
    if (!same_alpha && !same_off_diagonal) {
        return {PeriodicityKind::undecided};
    }
    Zeros left([&](Wide mu) {
        return same_alpha ? m.beta_numerator(mu) : 2 * m.beta_numerator(mu) - m.difference_numerator(mu);
    });
    Zeros right([&](Wide mu) {
        return same_alpha ? m.gamma_numerator(mu) : 2 * m.beta_numerator(mu) + m.difference_numerator(mu);
    });
    // Solving with matrices of size mu^2 < 1e4 costs some digits of the zeros.
    const Wide same = Wide{1e6} * static_cast<Wide>(s) * wide_epsilon;
    const Wide end{largest_mu};
    for (std::size_t pair = 0;; ++pair) {
        auto first = left.next(end);
        auto second = right.next(first ? std::min(end, *first + 4) : end);
        if (!first && !second) {
            return {PeriodicityKind::everywhere};
        }
        const bool right_first = !first || (second && *second < *first);
        if (right_first) {
            std::swap(first, second);
        }
        if (second && *second - *first <= same) {
            continue;
        }
        const Wide near = *first + Wide{3.2};
        const auto again = (right_first ? right : left).next(near);  // the same function may be the next to vanish
        if (again && (!second || *again < *second)) {
            second = again;
        }
        return {PeriodicityKind::interval, *first, second && *second < near ? second : std::nullopt, pair};
    }
}

Moduli stability_matrix_moduli(const Tableau& a, const Tableau& ahat, Wide mu) {
    const StabilityMatrix m(a, ahat);
    const Wide alpha = m.alpha(mu);
    const Wide other = m.alpha_of_z(mu);
    const Wide beta = m.beta(mu);
    const Wide gamma = m.gamma(mu);
    const Wide half_trace = (alpha + other) / 2;
    const Wide determinant = alpha * other + beta * gamma;
    const Wide discriminant = half_trace * half_trace - determinant;
    if (discriminant <= 0) {
        const double modulus = std::sqrt(std::abs(high(determinant)));
        return {modulus, modulus};
    }
    const Wide larger = wide_abs(half_trace) + wide_sqrt(discriminant);
    return {high(larger), std::abs(high(determinant / larger))};
}

}  // namespace libration
