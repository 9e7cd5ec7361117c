"""Coefficients of Runge-Kutta methods from their definitions, and their stability on the harmonic oscillator.

Jay1996, section 2: Lobatto IIIA as collocation at the Lobatto nodes, IIIB from the symplecticity condition (2.3),
and the nodes (2.7) for s = 11. Jay1998, Tables 1 to 3 and section 5: IIIC from a_i1 = b_1 and C(s-1),
IIIC* as its symplectic conjugate, IIID as the mean of both; interval of periodicity.
"""

import mpmath
import numpy as np
from mpmath import mp

from recipe_checks import named

mp.dps = 40


def lobatto_nodes(s):
    """0, 1 and the zeros of the derivative of the Legendre polynomial of degree s - 1, on [0, 1]."""
    interior = np.polynomial.legendre.Legendre.basis(s - 1).deriv().roots()
    polished = [mpmath.findroot(lambda x: mpmath.diff(lambda y: mpmath.legendre(s - 1, y), x), mpmath.mpf(float(x)))
                for x in interior]
    return [mpmath.mpf(0)] + [(1 + x) / 2 for x in polished] + [mpmath.mpf(1)]


def gauss_nodes(s):
    return [(1 + mpmath.findroot(lambda y: mpmath.legendre(s, y), mpmath.mpf(float(x)))) / 2
            for x in np.polynomial.legendre.Legendre.basis(s).roots()]


RADAU_NODES = [mpmath.mpf(1) / 3, mpmath.mpf(1)]


def integrals(nodes, ends):
    """Integrals of the Lagrange polynomials of the nodes from 0 to each end: sum_j a_ij c_j^(k-1) = c_i^k/k."""
    s = len(nodes)
    powers = mpmath.matrix(s, s)
    for k in range(s):
        for j in range(s):
            powers[k, j] = nodes[j] ** k
    rows = []
    for end in ends:
        rows.append(list(mpmath.lu_solve(powers, mpmath.matrix([end ** (k + 1) / (k + 1) for k in range(s)]))))
    return rows


def collocation(nodes):
    """A, b, c."""
    return integrals(nodes, nodes), integrals(nodes, [mpmath.mpf(1)])[0], nodes


def conjugate(A, b):
    """The coefficients that with A satisfy the symplecticity condition: b_i a^_ij + b_j a_ji = b_i b_j."""
    s = len(b)
    return [[b[j] - b[j] * A[j][i] / b[i] for j in range(s)] for i in range(s)]


def lobatto_c(nodes, b):
    """IIIC: the first column is b_1, the rest from sum_j a_ij c_j^(k-1) = c_i^k/k for k = 1 ... s - 1."""
    s = len(nodes)
    powers = mpmath.matrix(s, s)
    powers[0, 0] = 1
    for k in range(1, s):
        for j in range(s):
            powers[k, j] = nodes[j] ** (k - 1)
    return [list(mpmath.lu_solve(powers, mpmath.matrix([b[0]] + [c ** k / k for k in range(1, s)]))) for c in nodes]


def lobatto_family(s):
    """The matrices of IIIA, IIIB, IIIC, IIIC* and IIID by name, with b and c."""
    nodes = lobatto_nodes(s)
    A, b, c = collocation(nodes)
    C = lobatto_c(nodes, b)
    Cstar = conjugate(C, b)
    D = [[(x + y) / 2 for x, y in zip(*rows)] for rows in zip(C, Cstar)]
    return {"A": A, "B": conjugate(A, b), "C": C, "C*": Cstar, "D": D, "b": b, "c": c}


def doubles(rows):
    return np.array([doubles(row) if isinstance(row, list) else float(row) for row in rows])


def propagation(A, Ahat, b, mu):
    """One step for q' = p, p' = -q with h = mu: the matrix of (q, p)."""
    s = len(b)
    A, Ahat, b = mpmath.matrix(A), mpmath.matrix(Ahat), mpmath.matrix(b)
    one = mpmath.ones(s, 1)
    system = mpmath.eye(s) + mu * mu * A * Ahat          # of the stages Q = q + mu A P, P = p - mu Ahat Q
    columns = []
    for q, p in ((1, 0), (0, 1)):
        Q = mpmath.lu_solve(system, q * one + mu * A * one * p)
        P = p * one - mu * Ahat * Q
        columns.append((q + mu * (b.T * P)[0], p - mu * (b.T * Q)[0]))
    return mpmath.matrix([[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]])


def end_of_periodicity(s, guess):
    """IIIA-IIIB: where the trace of the step is -2."""
    family = lobatto_family(s)

    def trace(mu):
        step = propagation(family["A"], family["B"], family["b"], mu)
        return step[0, 0] + step[1, 1] + 2

    return mpmath.findroot(trace, (mpmath.mpf(guess) - 0.01, mpmath.mpf(guess)), solver="secant", tol=1e-25)


def values():
    eleven = lobatto_nodes(11)
    three = lobatto_family(3)
    # The two eigenvalues are complex conjugates.
    modulus = mpmath.sqrt(mpmath.det(propagation(three["C"], three["C"], three["b"], mpmath.mpf(10))))
    return {
        **named("003-lobatto11", "distances from 1/2", [mpmath.mpf(1) / 2 - eleven[i] for i in (1, 2, 3, 4)]),
        **named("004-table3", "the missing row", [three["c"][2]] + three["D"][2]),
        **named("004-pstability", "IIIA-IIIB: end of the interval", [
            end_of_periodicity(s, guess) for s, guess in ((2, 1.9), (3, 2.8), (4, 3.1), (5, 3.1403))]),
        **named("004-pstability", "IIIC: modulus of the eigenvalues", [modulus]),
    }
