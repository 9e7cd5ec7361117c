// rho, sigma and the momentum formula of symmetric multistep methods.
#include "multistep.hpp"

#include "polynomial.hpp"

#include <algorithm>
#include <cassert>

namespace libration {

namespace {

using WidePolynomial = polynomial::Polynomial<Wide>;  // lowest power first
using polynomial::product;

// The same polynomial in the powers of z - shift, by repeated synthetic division.
WidePolynomial shifted(WidePolynomial p, int shift) {
    for (std::size_t done = 0; done + 1 < p.size(); ++done) {
        for (std::size_t i = p.size() - 1; i-- > done;) {
            p[i] += p[i + 1] * shift;
        }
    }
    return p;
}

// The first `terms` coefficients of u^2 / log(1 + u)^2.
WidePolynomial inverse_log_squared(std::size_t terms) {
    WidePolynomial log(terms), inverse(terms);  // log(1 + u) / u, and its inverse
    for (std::size_t i = 0; i < terms; ++i) {
        log[i] = Wide(i % 2 == 0 ? 1 : -1) / static_cast<Wide>(i + 1);
    }
    inverse[0] = 1;
    for (std::size_t n = 1; n < terms; ++n) {
        for (std::size_t i = 1; i <= n; ++i) {
            inverse[n] -= log[i] * inverse[n - i];
        }
    }
    WidePolynomial square = product(inverse, inverse);
    square.resize(terms);
    return square;
}

// The palindrome nearest to p: what rounding did to one half differs from what it did to the other.
void make_palindrome(WidePolynomial& p) {
    for (std::size_t i = 0, j = p.size() - 1; i < j; ++i, --j) {
        p[i] = p[j] = (p[i] + p[j]) / 2;
    }
}

// What is below the rounding of the largest coefficient is zero.
void clean(WidePolynomial& p) {
    Wide largest = 0;
    for (const Wide& value : p) {
        largest = std::max(largest, wide_abs(value));
    }
    for (Wide& value : p) {
        value = wide_abs(value) < 64 * wide_epsilon * largest ? Wide{0} : value;
    }
}

// Weights of p_n by p_n+j+1/2, j = -l .. l - 1: those delta_j of the central difference of order 2 l, summed from the
// end. delta_j = -(-1)^j l!^2 / (j (l - j)! (l + j)!)
WidePolynomial momentum_weights(int l) {
    WidePolynomial weights(static_cast<std::size_t>(2 * l));
    Wide ratio = 1;  // l!^2 / ((l - j)! (l + j)!)
    WidePolynomial delta(static_cast<std::size_t>(l));
    for (int j = 1; j <= l; ++j) {
        ratio = ratio * (l - j + 1) / (l + j);
        delta[static_cast<std::size_t>(j - 1)] = (j % 2 == 0 ? -ratio : ratio) / j;
    }
    Wide sum = 0;
    for (int j = l; j-- > 0;) {
        sum += delta[static_cast<std::size_t>(j)];
        weights[static_cast<std::size_t>(l + j)] = weights[static_cast<std::size_t>(l - 1 - j)] = sum;
    }
    return weights;
}

}  // namespace

MultistepPair multistep_pair_of_rho_tilde(std::span<const Wide> rho_tilde, Wide beta) {
    MultistepPair pair;
    const std::size_t k = rho_tilde.size() + 1;
    assert(k % 2 == 0);
    pair.k = static_cast<int>(k);
    pair.beta = beta;
    pair.rho_tilde.assign(rho_tilde.begin(), rho_tilde.end());
    pair.rho = product<Wide>(pair.rho_tilde, {1, -2, 1});
    // sigma(1 + u) = rho~(1 + u) u^2 / log(1 + u)^2 + O(u^k)
    WidePolynomial series = product(shifted(pair.rho_tilde, 1), inverse_log_squared(k + 1));
    pair.error_constant = (series[k] - beta) / series[0];
    series.resize(k + 1);
    series[k] = beta;
    pair.sigma = shifted(series, -1);
    make_palindrome(pair.sigma);
    clean(pair.sigma);
    pair.sigma.front() = pair.sigma.back() = beta;  // 0 for explicit methods, without rounding
    pair.momentum = momentum_weights(pair.k / 2);
    return pair;
}

MultistepPair multistep_pair(std::span<const Wide> a, Wide beta) {
    WidePolynomial rho_tilde{1};
    for (const Wide& parameter : a) {
        rho_tilde = product<Wide>(rho_tilde, {1, 2 * parameter, 1});
    }
    auto pair = multistep_pair_of_rho_tilde(rho_tilde, beta);
    pair.a.assign(a.begin(), a.end());
    return pair;
}

MultistepPair multistep_pair_of_rho(std::span<const Wide> rho, Wide beta) {
    WidePolynomial quotient(rho.begin(), rho.end());
    for (int zero = 0; zero < 2; ++zero) {  // synthetic division by z - 1
        for (std::size_t i = quotient.size() - 1; i-- > 0;) {
            quotient[i] += quotient[i + 1];
        }
        quotient.erase(quotient.begin());
    }
    return multistep_pair_of_rho_tilde(quotient, beta);
}

}  // namespace libration
