// Gregory's coefficients c_k, of z/log(1 + z) = sum c_k z^k, exactly: log(1 + z)/z times this series is 1.
//
//     integral - sum f(n) = sum over m of (-1)^(m+1) |c_(m+1)| (Delta^m f_0 + (-1)^m Nabla^m f_N)
#include "gregory.hpp"

#include "fraction.hpp"

#include <cassert>

namespace libration {

namespace {

Fraction sign(int power) { return power % 2 == 0 ? 1 : -1; }

std::vector<Fraction> gregory_coefficients(int count) {
    std::vector<Fraction> c{1};
    for (int n = 1; n <= count; ++n) {
        Fraction sum = 0;
        for (int i = 0; i < n; ++i) {
            sum = sum + c[static_cast<std::size_t>(i)] * sign(n - i) / Fraction(n - i + 1);
        }
        c.push_back(-sum);
    }
    return c;
}

Fraction binomial(int m, int j) {
    Fraction result = 1;
    for (int i = 0; i < j; ++i) {
        result = result * Fraction(m - i) / Fraction(i + 1);
    }
    return result;
}

}  // namespace

std::vector<double> gregory_corrections(int count) {
    assert(count >= 1 && count <= 10);
    const auto c = gregory_coefficients(count);
    std::vector<double> corrections;
    for (int j = 0; j < count; ++j) {
        Fraction sum = 0;
        for (int m = j; m < count; ++m) {
            // |c_(m+1)| is (-1)^m c_(m+1); the difference Delta^m has (-1)^(m-j) binomial(m, j) f_j.
            sum = sum + sign(j + 1) * binomial(m, j) * sign(m) * c[static_cast<std::size_t>(m) + 1];
        }
        const auto exact = sum.rational();
        assert(exact);
        corrections.push_back(static_cast<double>(exact->numerator) / static_cast<double>(exact->denominator));
    }
    return corrections;
}

}  // namespace libration
