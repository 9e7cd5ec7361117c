// Zeros of the off-diagonal entries of the stability matrix.
#include "coefficients/small_matrix.hpp"

#include "periodicity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace libration {

namespace {

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
Wide zero_by_secant(const std::function<Wide(Wide)>& f, Wide low, Wide high_bound) {
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

struct Identities {
    bool determinant_one, same_alpha, same_off_diagonal;
};

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

    [[nodiscard]] Identities identities() const;

  private:
    static Wide numerator(const Quotient& q) { return q.value * q.denominator; }

    std::vector<Wide> b_, ones_, a_ones_, ahat_ones_, forward_, backward_;
};

// Rational functions that agree at some places, agree. But at small mu all methods are near the rotation by mu: with 16
// stages alpha and alpha' of IIIC and IIIC* differ by 6e-32 at mu = 7/3. Beyond two per stage they differ by much more
// than round-off.
Identities StabilityMatrix::identities() const {
    const auto s = static_cast<Wide>(b_.size());
    const Wide near = Wide{1e3} * s * wide_epsilon;  // of solutions with matrices near 1
    const Wide far = wide_sqrt(wide_epsilon);        // of solutions with matrices of size mu^2
    Identities result{true, true, true};
    for (const auto& [mu, tolerance] : {std::pair{Wide{0.4}, near},
                                        {Wide{1.3}, near},
                                        {Wide{2.2}, near},
                                        {Wide{2.3} * s, far},
                                        {Wide{3.1} * s, far}}) {
        const Wide a = alpha(mu);
        const Wide a_of_z = alpha_of_z(mu);
        const Wide b = beta(mu);
        const Wide c = gamma(mu);
        const Wide size =
            1 + std::max({wide_abs(a), wide_abs(a_of_z), wide_abs(b), wide_abs(c)});  // a pole may be near
        result.determinant_one = result.determinant_one && wide_abs(a * a_of_z + b * c - 1) <= tolerance * size * size;
        result.same_alpha = result.same_alpha && wide_abs(a - a_of_z) <= tolerance * size;
        result.same_off_diagonal = result.same_off_diagonal && wide_abs(b - c) <= tolerance * size;
    }
    return result;
}

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
                return zero_by_secant(f_, from, at_);
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
    const auto [determinant_one, same_alpha, same_off_diagonal] = m.identities();
    if (!determinant_one) {
        return {PeriodicityKind::none};
    }
    if (!same_alpha && !same_off_diagonal) {
        return {PeriodicityKind::undecided};
    }
    if (same_alpha && same_off_diagonal) {
        return {PeriodicityKind::everywhere};  // alpha^2 + beta^2 = 1: a rotation
    }
    Zeros left([&](Wide mu) {
        return same_alpha ? m.beta_numerator(mu) : 2 * m.beta_numerator(mu) - m.difference_numerator(mu);
    });
    Zeros right([&](Wide mu) {
        return same_alpha ? m.gamma_numerator(mu) : 2 * m.beta_numerator(mu) + m.difference_numerator(mu);
    });
    // Solving with matrices of size mu^2 < 1e4 costs some digits of the zeros.
    const Wide same = Wide{1e6} * static_cast<Wide>(s) * wide_epsilon;
    const Wide end{periodicity_largest_mu};
    for (std::size_t pair = 0;; ++pair) {
        auto first = left.next(end);
        auto second = right.next(first ? std::min(end, *first + 4) : end);
        if (!first && !second) {
            return {.kind = PeriodicityKind::not_found, .passed_over = pair};
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
