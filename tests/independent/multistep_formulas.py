"""Symmetric multistep formulas: coefficients, condition (13), intervals of periodicity.

ConsoleHairerLubich2013, section 2, (8) and (11); section 3, (12) and (13); section 4.1 (sigma from the order
condition, Fig. 1) and section 4.2, (16). Symbols: rho, sigma generating polynomials, lowest power first; x = zeta +
1/zeta.
"""

from fractions import Fraction
from math import factorial

import numpy as np

from recipe_checks import named


def product(a, b):
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return result


def rho_without_double_root(parameters):
    """The product of zeta^2 + 2 a_j zeta + 1."""
    result = [Fraction(1)]
    for a in parameters:
        result = product(result, [Fraction(1), 2 * Fraction(a), Fraction(1)])
    return result


def shifted(polynomial):
    """Coefficients in powers of zeta - 1."""
    result = [Fraction(0)]
    for coefficient in reversed(polynomial):
        result = product(result, [Fraction(1), Fraction(1)])
        result[0] += coefficient
    return result


def sigma_of(rho):
    """(8): the explicit formula of order k is rho/(log zeta)^2, cut off before the power k of zeta - 1."""
    k = len(rho) - 1
    logarithm = [Fraction((-1) ** j, j + 1) for j in range(k + 3)]          # log(1 + u)/u
    square = product(logarithm, logarithm)
    numerator = (shifted(rho)[2:] + [Fraction(0)] * (k + 3))[:k]            # rho has a double root at 1
    quotient = []
    for power in range(k):
        quotient.append(numerator[power] - sum(quotient[j] * square[power - j] for j in range(power)))
    sigma = [Fraction(0)]
    for coefficient in reversed(quotient):
        sigma = product(sigma, [Fraction(-1), Fraction(1)])
        sigma[0] += coefficient
    return (sigma + [Fraction(0)] * (k + 1))[:k + 1]


def formula(*parameters):
    """rho and sigma of section 4 for the parameters a_j."""
    rho = product([Fraction(1), Fraction(-2), Fraction(1)], rho_without_double_root(parameters))
    return rho, sigma_of(rho)


def momentum_weights(k):
    """delta-hat of (11): the central difference of order k, divided by zeta - 1."""
    half = k // 2
    delta = {j: Fraction((-1) ** (j + 1) * factorial(half) ** 2, j * factorial(half - j) * factorial(half + j))
             for j in range(1, half + 1)}
    weights, last = [], Fraction(0)
    for j in range(-half, half):
        last -= delta[j] if j > 0 else -delta[-j] if j < 0 else 0
        weights.append(last)
    return weights


def largest_root(polynomial):
    coefficients = [float(c) for c in polynomial]
    return max(abs(np.roots(np.trim_zeros(coefficients)[::-1])))


def in_cosines(palindrome):
    """A palindromic polynomial, divided by its middle power, as a polynomial in x, lowest power first."""
    middle = len(palindrome) // 2
    power_sums = [np.array([2.0]), np.array([0.0, 1.0])]                   # zeta^j + zeta^-j in x
    while len(power_sums) <= middle:
        power_sums.append(np.polynomial.polynomial.polysub(np.append(0, power_sums[-1]), power_sums[-2]))
    result = np.zeros(middle + 1)
    result[0] = palindrome[middle]
    for j in range(1, middle + 1):
        result[:j + 1] += palindrome[middle + j] * power_sums[j][:j + 1]
    return result


def roots_of(polynomials):
    """Roots of many polynomials, lowest power first: eigenvalues of their companion matrices."""
    degree = polynomials.shape[1] - 1
    companion = np.zeros((len(polynomials), degree, degree))
    companion[:, range(1, degree), range(degree - 1)] = 1
    companion[:, :, -1] = -polynomials[:, :-1] / polynomials[:, -1:]
    return np.linalg.eigvals(companion).astype(complex)


def interval_of_periodicity(*parameters):
    """Omega of (16): the scan takes steps of 0.0005 in h omega, the bisection ends at 1e-12."""
    rho, sigma = (in_cosines([float(c) for c in polynomial]) for polynomial in formula(*parameters))

    def unstable(frequencies):
        x = roots_of(rho + np.square(frequencies)[:, None] * sigma)
        root = np.sqrt(x * x - 4)                                          # zeta^2 - x zeta + 1 = 0
        return np.max(np.maximum(abs(x + root), abs(x - root)), axis=1) / 2 > 1 + 1e-6

    scan = np.arange(1, 4000) * 0.0005
    upper = scan[np.argmax(unstable(scan))]
    lower = upper - 0.0005
    while upper - lower > 1e-12:
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if unstable(np.array([middle]))[0] else (middle, upper)
    return lower


def quadratic_holds(a1, a2):
    """(13) for k = 6: alpha (x^2 - 2) + beta x + gamma has two different roots between -2 and 2."""
    alpha = (79 + 9 * (a1 + a2) - a1 * a2) / 60
    beta = (-14 + 26 * (a1 + a2) + 6 * a1 * a2) / 15
    gamma = (97 + 7 * (a1 + a2) + 97 * a1 * a2) / 30
    at_ends = np.minimum(2 * alpha + gamma + 2 * beta, 2 * alpha + gamma - 2 * beta)
    return (beta ** 2 > 4 * alpha * (gamma - 2 * alpha)) & (at_ends > 0) & (abs(beta) < 4 * alpha)


def upper_end(a1):
    """(13) holds for a2 from -1 to this value."""
    lower, upper = -1 + 1e-9, 0.0
    while upper - lower > 1e-13:
        middle = (lower + upper) / 2
        lower, upper = (middle, upper) if quadratic_holds(a1, middle) else (lower, middle)
    return lower


def share_of_square(cells):
    middles = (np.arange(cells) + 0.5) * 2 / cells - 1
    return np.mean([np.mean(quadratic_holds(a1, middles)) for a1 in middles])


def share_of_cube(cells):
    """k = 8: share of the cube of (a1, a2, a3), by the middles of cells; sigma is linear in s1, s2, s3."""
    a = (np.arange(cells) + 0.5) * 2 / cells - 1
    a1, a2, a3 = (x.ravel() for x in np.meshgrid(a, a, a))
    symmetric = np.array([np.ones_like(a1), a1 + a2 + a3, a1 * a2 + a1 * a3 + a2 * a3, a1 * a2 * a3])
    # sigma for the corners s = (0,0,0), then one s_i = 1: rho in x is (x - 2) (x^3 + 2 s1 x^2 + 4 s2 x + 8 s3).
    cubics = np.zeros((4, 4))
    for which in range(4):
        s = [1] + [int(which == i) for i in (1, 2, 3)]
        rho = product([Fraction(1), Fraction(-2), Fraction(1)], [Fraction(c) for c in (
            1, 2 * s[1], 3 + 4 * s[2], 4 * s[1] + 8 * s[3], 3 + 4 * s[2], 2 * s[1], 1)])
        cubics[which] = in_cosines([float(c) for c in sigma_of(rho)[1:-1]])
    cubics[1:] -= cubics[0]
    roots = roots_of(symmetric.T @ cubics)
    return np.mean(np.all((abs(roots.imag) < 1e-9) & (abs(roots.real) < 2), axis=1))


def largest_interval():
    """Omega is largest on the edge of the region of Fig. 1: golden-section search along the edge."""
    ratio, lower, upper = (5 ** 0.5 - 1) / 2, 0.6, 0.72
    while upper - lower > 1e-3:
        left, right = upper - ratio * (upper - lower), lower + ratio * (upper - lower)
        on_edge = [interval_of_periodicity(a1, upper_end(a1) - 1e-9) for a1 in (left, right)]
        lower, upper = (left, upper) if on_edge[0] < on_edge[1] else (lower, right)
    return max(on_edge)


def values():
    half = Fraction(1, 2)
    # The methods SY8, SY8B and SY8C of HairerLubichWanner2006, Table XV.7.1.
    table_methods = [[1, -2, 2, -1, 0, -1, 2, -2, 1], [1, 0, 0, -half, -1, -half, 0, 0, 1],
                     [1, -1, 0, 0, 0, 0, 0, -1, 1]]
    chosen = formula("-0.8", "-0.4", "0.7")
    roots = [largest_root(chosen[1])] + [largest_root(sigma_of([Fraction(c) for c in rho])) for rho in table_methods]
    return {
        **named("000-coefficients", "largest modulus of a root of sigma, order 8", roots),
        **named("000-coefficients", "share of the cube", [share_of_cube(40)]),
        **named("000-explosion", "largest modulus of a root of sigma", [largest_root(formula("-0.1", "0.4")[1])]),
        **named("000-fig1", "share of the square", [share_of_square(3000)]),
        **named("000-fig1", "for a given a1", [upper_end(a1) for a1 in (0.9, 0.66, 0.4, 0.2, 0.0)]),
        **named("000-periodicity", "k = 6: the largest Omega", [largest_interval()]),
        **named("000-periodicity", "Omega of methods with six steps", [
            interval_of_periodicity("-0.7", "0.4"), interval_of_periodicity("0.66", "-0.26")]),
        **named("000-periodicity", "Omega of the method of order 8", [interval_of_periodicity("-0.8", "-0.4", "0.7")]),
        **named("000-periodicity", "a window that a coarse scan misses", [interval_of_periodicity("-0.85", "-0.99")]),
    }
