"""Mechanical systems of unit mass with quadratic constraints: RATTLE, compositions, multistep methods.

ConsoleHairerLubich2013, (1) to (3) (equations of motion, energy), (6) (RATTLE), (7) to (11) (multistep methods);
Yoshida1990, Suzuki1990 and KahanLi1997 for compositions. The constraints are g_i(q) = q^T C_i q/2 - c_i, so that
row i of G is (C_i q)^T and the second derivative is C_i. States have shape (batch, n).
"""

import numpy as np

from multistep_formulas import formula, momentum_weights, rho_without_double_root


class ConstrainedSystem:
    """q'' = force(q) - G(q)^T lambda, g(q) = 0."""

    def __init__(self, matrices, constants, force, potential):
        self.matrices = np.array(matrices, dtype=float)
        self.constants = np.array(constants, dtype=float)
        self.force, self.potential = force, potential

    def jacobian(self, q):
        return np.matmul(self.matrices, q[..., None, :, None])[..., 0]

    def residual(self, q):
        return np.matmul(self.jacobian(q), q[..., None])[..., 0] / 2 - self.constants

    def multipliers(self, q, p):
        """From the second derivative of the constraint: G G^T lambda = G force + g_qq(p, p)."""
        G = self.jacobian(q)
        right = np.matmul(G, self.force(q)[..., None]) + np.matmul(self.jacobian(p), p[..., None])
        return np.linalg.solve(np.matmul(G, np.swapaxes(G, -1, -2)), right)[..., 0]

    def acceleration(self, q, p):
        return self.force(q) - pull(self.jacobian(q), self.multipliers(q, p))

    def tangential(self, q, p):
        """p + G^T mu with G p = 0."""
        G = self.jacobian(q)
        return p - pull(G, np.linalg.solve(np.matmul(G, np.swapaxes(G, -1, -2)), np.matmul(G, p[..., None]))[..., 0])

    def energy(self, q, p):
        return np.sum(p * p, axis=-1) / 2 + self.potential(q)

    def constrained_position(self, q_free, G_old, guess, iterations=12):
        """Newton's method for q = q_free - G_old^T mu, g(q) = 0; the iteration ends when it stagnates."""
        mu, transposed, last = guess, np.swapaxes(G_old, -1, -2), np.inf
        for _ in range(iterations):
            q = q_free - pull(G_old, mu)
            G = self.jacobian(q)
            residual = np.matmul(G, q[..., None]) / 2 - self.constants[:, None]
            change = np.linalg.solve(np.matmul(G, transposed), residual)[..., 0]
            mu = mu + change
            size = np.max(np.abs(change))
            if size < 1e-16 or (size >= last and size < 1e-13):
                break
            last = size
        return q_free - pull(G_old, mu), mu


def pull(G, multipliers):
    return np.matmul(multipliers[..., None, :], G)[..., 0, :]


def rattle(system, q, p, h):
    """(6); the two multipliers come from g(q1) = 0 and from G(q1) p1 = 0."""
    p_half, G = p + h / 2 * system.force(q), system.jacobian(q)
    q_new, mu = system.constrained_position(q + h * p_half, G, h * h / 2 * system.multipliers(q, p))
    return q_new, system.tangential(q_new, p_half - pull(G, mu) / h + h / 2 * system.force(q_new))


def composed(system, weights, q, p, h):
    for weight in weights:
        q, p = rattle(system, q, p, weight * h)
    return q, p


CUBE_ROOT = 2 ** (1 / 3)
YOSHIDA4 = [1 / (2 - CUBE_ROOT), -CUBE_ROOT / (2 - CUBE_ROOT), 1 / (2 - CUBE_ROOT)]
OUTER = 1 / (4 - 4 ** (1 / 3))
SUZUKI4 = [OUTER, OUTER, 1 - 4 * OUTER, OUTER, OUTER]


def symmetric(half):
    """The middle weight makes the sum 1."""
    return half + [1 - 2 * sum(half)] + half[::-1]


KAHAN_LI6 = symmetric([0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023])
KAHAN_LI8 = symmetric([0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
                       0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
                       0.25837438768632204729397911, 0.29501172360931029887096624])


def accurate_flow(system, q, p, t, pieces, columns=9):
    """The exact solution to round-off: extrapolation of the modified midpoint rule on the underlying ODE."""
    numbers = [2 * (j + 1) for j in range(columns)]
    y, H = np.stack([q, p]), t / pieces

    def field(y):
        return np.stack([y[1], system.acceleration(y[0], y[1])])

    for _ in range(pieces):
        start = field(y)
        table = []
        for row, n in enumerate(numbers):
            step = H / n
            # Increments over y, not values: extrapolation multiplies round-off by a hundred.
            before, now = 0 * y, step * start
            for _ in range(n - 1):
                before, now = now, before + 2 * step * field(y + now)
            table.append((before + now + step * field(y + now)) / 2)
            for j in range(row - 1, -1, -1):
                table[j] = table[j + 1] + (table[j + 1] - table[j]) / ((numbers[row] / numbers[j]) ** 2 - 1)
        y = y + table[0]
    return y[0], y[1]


class MultistepRun:
    """Formula (10) for the half-step momenta, (11) for the output; `starts` are q_0 ... q_(k-1)."""

    def __init__(self, system, parameters, h, starts, multipliers):
        self.system, self.h, self.k = system, h, len(starts)
        sigma = formula(*parameters)[1]
        self.beta = [float(c) for c in sigma]
        # (zeta - 1) times the first sum: with differences of momenta the weights of constant momenta cancel exactly.
        self.weights = [float(c) for c in rho_without_double_root(parameters)]
        self.output = [float(c) for c in momentum_weights(self.k)]
        self.q = list(starts)
        self.p = [(b - a) / h for a, b in zip(starts, starts[1:])]
        self.forces = [system.force(q) - pull(system.jacobian(q), m) for q, m in zip(starts[1:-1], multipliers[1:-1])]
        self.guess = multipliers[-1]

    def step(self):
        """The next position; False where a number is no longer finite."""
        system, h, k, q = self.system, self.h, self.k, self.q[-1]
        impulse = self.beta[k - 1] * system.force(q)
        for beta, force in zip(self.beta[1:k - 1], self.forces):
            impulse = impulse + beta * force
        change = h * impulse
        recent = self.p[1 - k:]
        for weight, before, after in zip(self.weights, recent, recent[1:]):
            change = change - weight * (after - before)
        scale = h * self.beta[k - 1]
        G = system.jacobian(q)
        q_new, mu = system.constrained_position(q + h * (self.p[-1] + change), G, h * scale * self.guess)
        self.guess = mu / (h * scale)
        self.p.append(self.p[-1] + change - pull(G, mu) / h)
        self.forces.append(system.force(q) - pull(G, self.guess))
        self.q.append(q_new)
        self.p, self.forces, self.q = self.p[-k:], self.forces[2 - k:] if k > 2 else [], self.q[-k - 1:]
        return bool(np.all(np.isfinite(q_new)))

    def middle(self):
        """Position and momentum k/2 nodes back."""
        q = self.q[-1 - self.k // 2]
        return q, self.system.tangential(q, sum(weight * p for weight, p in zip(self.output, self.p)))
