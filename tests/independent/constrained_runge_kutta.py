"""Partitioned Runge-Kutta methods for Hamiltonian systems with constraints, with Newton's method on all stages.

Jay1996, (3.1), (3.3) and (3.11) (the method and its nonlinear system), (3.1f) (multipliers). Systems have H = |p +
Sq|^2/2 - F.q and constraints g_i = q^T C_i q/2 - c_i, so H_p = p + Sq, H_q = S^T(p + Sq) - F and G_i = (C_i q)^T.
For constraints |q| = 1 the multipliers are those of |q| - 1, because the gradients agree wherever the constraint
holds.
"""

import numpy as np

from runge_kutta_coefficients import RADAU_NODES, collocation, doubles, gauss_nodes, lobatto_family


class QuadraticHamiltonian:
    def __init__(self, magnetic, field, matrices, constants):
        self.S, self.F = np.array(magnetic, dtype=float), np.array(field, dtype=float)
        self.C, self.c = np.array(matrices, dtype=float), np.array(constants, dtype=float)

    def energy(self, q, p):
        v = p + self.S @ q
        return v @ v / 2 - self.F @ q

    def multipliers(self, q, p):
        """(3.1f): G G^T lambda = g_qq(v, v) + G (S v - H_q)."""
        v, G = p + self.S @ q, self.C @ q
        return np.linalg.solve(G @ G.T, v @ self.C @ v + G @ (self.S @ v - self.S.T @ v + self.F))

    def tangential(self, q, p):
        """p - G^T nu with G H_p = 0."""
        G = self.C @ q
        return p - G.T @ np.linalg.solve(G @ G.T, G @ (p + self.S @ q))

    def nearest_position(self, q):
        """q - G(q)^T mu with g = 0."""
        G, mu = self.C @ q, np.zeros(len(self.c))
        for _ in range(5):
            moved = q - G.T @ mu
            mu = mu + np.linalg.solve((self.C @ moved) @ G.T, (self.C @ moved) @ moved / 2 - self.c)
        return q - G.T @ mu


class StageMethod:
    """`lobatto`: the first position is the old one, the last multiplier belongs to the final projection (3.3d)."""

    def __init__(self, A, Ahat, b, lobatto):
        self.A, self.Ahat, self.b, self.lobatto = doubles(A), doubles(Ahat), doubles(b), lobatto


def lobatto_pair(s):
    family = lobatto_family(s)
    return StageMethod(family["A"], family["B"], family["b"], True)


def gauss2():
    A, b, _ = collocation(gauss_nodes(2))
    return StageMethod(A, A, b, False)


def radau2():
    A, b, _ = collocation(RADAU_NODES)
    return StageMethod(A, A, b, False)


class Run:
    """Steps of one method with one step size; the stages of a step, moved along, are the first guess of the next."""

    def __init__(self, system, method, h):
        self.system, self.method, self.h = system, method, h
        s, n, m = len(method.b), len(system.F), len(system.c)
        self.s, self.n, self.m = s, n, m
        self.bound = np.arange(1, s) if method.lobatto else np.arange(s)            # stages with g(Q_i) = 0
        self.pulled = np.arange(s - 1) if method.lobatto else np.arange(s)          # stages with a multiplier
        S, identity = system.S, np.eye(s * n)
        self.linear = np.zeros((2 * s * n + m * len(self.bound),) * 2)
        self.linear[:s * n, :s * n] = identity - h * np.kron(method.A, S)
        self.linear[:s * n, s * n:2 * s * n] = -h * np.kron(method.A, np.eye(n))
        self.linear[s * n:2 * s * n, :s * n] = h * np.kron(method.Ahat, S.T @ S)
        self.linear[s * n:2 * s * n, s * n:2 * s * n] = identity + h * np.kron(method.Ahat, S.T)
        self.weights = h * method.Ahat[:, None, self.pulled, None]
        self.guess = None

    def rates(self, Q, P, L):
        """Velocities and forces of the stages, and their constraint Jacobians."""
        system = self.system
        V = P + Q @ system.S.T
        G = np.matmul(system.C, Q[:, None, :, None])[..., 0]
        force = system.F - V @ system.S
        force[self.pulled] -= np.matmul(L[:, None, :], G[self.pulled])[:, 0]
        return V, force, G

    def jacobian(self, L, G):
        """Of the three blocks of equations in `step`, by Q, P and the multipliers."""
        s, n, m, size = self.s, self.n, self.m, len(self.bound)
        matrix = self.linear.copy()
        momentum_rows = matrix[s * n:2 * s * n]
        curvature = np.zeros((s, n, s, n))
        curvature[:, :, self.pulled] = self.weights * np.tensordot(L, self.system.C, 1).transpose(1, 0, 2)
        momentum_rows[:, :s * n] += curvature.reshape(s * n, s * n)
        momentum_rows[:, 2 * s * n:] = (self.weights * G[self.pulled].transpose(2, 0, 1)).reshape(s * n, size * m)
        constraints = np.zeros((size, m, s, n))
        constraints[np.arange(size), :, self.bound] = G[self.bound] / self.h
        matrix[2 * s * n:, :s * n] = constraints.reshape(size * m, s * n)
        return matrix

    def step(self, q0, p0):
        system, method, h, s, n, m = self.system, self.method, self.h, self.s, self.n, self.m
        if self.guess is None:
            Q, P = np.tile(q0, (s, 1)), np.tile(p0, (s, 1))
            L = np.tile(system.multipliers(q0, p0), (len(self.pulled), 1))
        else:
            Q, P, L, q_before, p_before = self.guess
            Q, P = Q + (q0 - q_before), P + (p0 - p_before)
        for _ in range(30):
            V, force, G = self.rates(Q, P, L)
            residual = np.concatenate([
                (Q - q0 - h * (method.A @ V)).ravel(), (P - p0 - h * (method.Ahat @ force)).ravel(),
                (np.matmul(G, Q[:, :, None])[:, :, 0] / 2 - system.c)[self.bound].ravel() / h])
            change = np.linalg.solve(self.jacobian(L, G), residual)
            Q, P = Q - change[:s * n].reshape(s, n), P - change[s * n:2 * s * n].reshape(s, n)
            L = L - change[2 * s * n:].reshape(-1, m)
            # Convergence is quadratic: after a change of 1e-9 only round-off is left.
            if np.max(abs(change)) < 1e-9:
                break
        self.guess = Q, P, L, q0, p0
        V, force, _ = self.rates(Q, P, L)
        q1, p1 = q0 + h * (method.b @ V), p0 + h * (method.b @ force)
        self.last_multiplier = L[-1]
        if method.lobatto:
            q1, free = Q[-1], p1
            p1 = system.tangential(q1, free)
            G = system.C @ q1
            self.last_multiplier = np.linalg.solve(G @ G.T, G @ (free - p1)) / (h * method.b[-1])
        return q1, p1

    def projected_step(self, q0, p0):
        q1, p1 = self.step(q0, p0)
        q1 = self.system.nearest_position(q1)
        return q1, self.system.tangential(q1, p1)
