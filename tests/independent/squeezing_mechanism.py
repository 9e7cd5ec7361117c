"""Andrews' squeezing mechanism by the Lobatto IIIA-IIIB method in momentum form.

Jay1998: (8) and (8f) (momentum form without Coriolis terms), (17) and Tables 1, 2 (IIIA for q' = v, IIIB for all
forces), section 10, which prints the forces. Parameters, mass matrix and constraints: HairerWanner1991, section
VI.9 (Schiehlen1990), as in problems/andrews.toml. Coordinates beta, theta, gamma, phi, delta, omega, epsilon. A
stage is evaluated with plain floats, which is faster than arrays of seven.
"""

from math import cos, hypot, sin

import numpy as np

from runge_kutta_coefficients import doubles, lobatto_family

m1, m2, m3, m4, m5, m6, m7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
xa, ya, xb, yb, xc, yc, c0, l0 = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072, 4530, 0.07785
d, da, e, ea, rr, ra, ss, sa, sb = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043
sc, sd, ta, tb, u, ua, ub, zf, zt, fa = 0.018, 0.02, 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
TORQUE = 0.033
START = np.array([-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
                  0.222668390165885884674473185609, 0.487364979543842550225598953530,
                  -0.222668390165885884674473185609, 1.23054744454982119249735015568])


def mass_entries(q):
    """M11, M12, M22 (beta, theta); M33; M44, M45, M55 (phi, delta); M66, M67, M77 (omega, epsilon). The rest is 0."""
    arm, lever = (e - ea) * sin(q[3]), (zf - fa) * sin(q[5])
    crank = da * rr * cos(q[1])
    return (m1 * ra**2 + m2 * (rr**2 - 2 * crank + da**2) + I1 + I2, m2 * (da**2 - crank) + I2, m2 * da**2 + I2,
            m3 * (sa**2 + sb**2) + I3,
            m4 * (e - ea)**2 + I4, m4 * ((e - ea)**2 + zt * arm) + I4,
            m4 * (zt**2 + 2 * zt * arm + (e - ea)**2) + m5 * (ta**2 + tb**2) + I4 + I5,
            m6 * (zf - fa)**2 + I6, m6 * ((zf - fa)**2 - u * lever) + I6,
            m6 * ((zf - fa)**2 - 2 * u * lever + u**2) + m7 * (ua**2 + ub**2) + I6 + I7)


def spring(gamma):
    x, y = sd * cos(gamma) + sc * sin(gamma) + xb - xc, sd * sin(gamma) - sc * cos(gamma) + yb - yc
    return x, y, hypot(x, y)


def forces(q, v, torque):
    """The expressions F of section 10: half the gradient of v^T M v, the spring, the torque."""
    x, y, length = spring(q[2])
    pull, cosine, sine = -c0 * (length - l0) / length, cos(q[2]), sin(q[2])
    return [torque, m2 * da * rr * v[0] * (v[0] + v[1]) * sin(q[1]),
            pull * (x * (sc * cosine - sd * sine) + y * (sd * cosine + sc * sine)),
            m4 * zt * (e - ea) * v[4] * (v[4] + v[3]) * cos(q[3]), 0.0,
            -m6 * u * (zf - fa) * v[6] * (v[6] + v[5]) * cos(q[5]), 0.0]


def constraints(q):
    be, th, ga, ph, de, om, ep = q
    X, Y = rr * cos(be) - d * cos(be + th), rr * sin(be) - d * sin(be + th)
    return [X - ss * sin(ga) - xb, Y + ss * cos(ga) - yb, X - e * sin(ph + de) - zt * cos(de) - xa,
            Y + e * cos(ph + de) - zt * sin(de) - ya, X - zf * cos(om + ep) - u * sin(ep) - xa,
            Y - zf * sin(om + ep) + u * cos(ep) - ya]


def constraint_entries(q):
    """For each coordinate, the derivatives of the x and of the y equations.

    beta and theta occur in all three pairs of equations, the other coordinates in one.
    """
    be, th, ga, ph, de, om, ep = q
    bar_x, bar_y = d * sin(be + th), -d * cos(be + th)
    rod_x, rod_y = -e * cos(ph + de), -e * sin(ph + de)
    link_x, link_y = zf * sin(om + ep), -zf * cos(om + ep)
    return ((bar_x - rr * sin(be), bar_y + rr * cos(be)), (bar_x, bar_y), (-ss * cos(ga), -ss * sin(ga)),
            (rod_x, rod_y), (rod_x + zt * sin(de), rod_y - zt * cos(de)),
            (link_x, link_y), (link_x - u * cos(ep), link_y - u * sin(ep)))


def momentum(q, v):
    M11, M12, M22, M33, M44, M45, M55, M66, M67, M77 = mass_entries(q)
    return [M11 * v[0] + M12 * v[1], M12 * v[0] + M22 * v[1], M33 * v[2], M44 * v[3] + M45 * v[4],
            M45 * v[3] + M55 * v[4], M66 * v[5] + M67 * v[6], M67 * v[5] + M77 * v[6]]


def total_force(q, v, torque, multipliers):
    """F - G^T lambda."""
    x1, y1, x2, y2, x3, y3 = multipliers
    pairs = (x1 + x2 + x3, y1 + y2 + y3), (x1 + x2 + x3, y1 + y2 + y3), (x1, y1), (x2, y2), (x2, y2), (x3, y3), (x3, y3)
    return [force - x * a - y * b for force, (x, y), (a, b) in zip(forces(q, v, torque), constraint_entries(q), pairs)]


def matrices(q):
    M11, M12, M22, M33, M44, M45, M55, M66, M67, M77 = mass_entries(q)
    M, G = np.diag([M11, M22, M33, M44, M55, M66, M77]), np.zeros((6, 7))
    for i, j, entry in ((0, 1, M12), (3, 4, M45), (5, 6, M67)):
        M[i, j] = M[j, i] = entry
    occurs_in = (0, 1, 2), (0, 1, 2), (0,), (1,), (1,), (2,), (2,)
    for j, entry in enumerate(constraint_entries(q)):
        for pair in occurs_in[j]:
            G[2 * pair:2 * pair + 2, j] = entry
    return M, G


def energies(q, v):
    """Kinetic energy and energy of the spring."""
    return sum(a * b for a, b in zip(momentum(q, v), v)) / 2, c0 / 2 * (spring(q[2])[2] - l0) ** 2


class Lobatto:
    """Steps of the pair with s stages. Unknowns: V_1 ... V_s and the multipliers L of the stages 1 ... s - 1."""

    def __init__(self, s, h, torque):
        family = lobatto_family(s)
        self.A, self.Ahat, self.b, self.c = (doubles(family[name]) for name in ("A", "B", "b", "c"))
        self.stage_inverse = np.linalg.inv(self.A[1:] @ self.Ahat[:, :-1])
        # Weights that continue the interpolating polynomial of the stages into the next step.
        powers = self.c[:, None] ** np.arange(s)
        self.ahead = (1 + self.c[:, None]) ** np.arange(s) @ np.linalg.inv(powers)
        self.s, self.h, self.torque, self.guess = s, h, torque, None

    def step(self, t, q, v):
        h, s, A0, Ahat0 = self.h, self.s, self.A[1:], self.Ahat[:, :-1]
        M, G = matrices(q)
        inverse = np.linalg.inv(M)
        inverse_G = inverse @ G.T
        inner_inverse = np.linalg.inv(G @ inverse_G)
        p = M @ v
        torque = [self.torque(t + c * h) for c in self.c]
        if self.guess is None:
            # d/dt of G v = 0 without the terms in v^2: enough for a first guess.
            L = np.tile(inner_inverse @ (inverse_G.T @ np.array(forces(q, v, torque[0]))), (s - 1, 1))
            V = np.tile(v, (s, 1))
        else:
            V, L = self.guess
            V = self.ahead @ V
        Q = q + h * (self.A @ V)
        for _ in range(60):
            stages = list(zip(Q.tolist(), V.tolist(), torque, L.tolist() + [[0.0] * 6]))
            F = np.array([total_force(*stage) for stage in stages])
            residual = p + h * (self.Ahat @ F) - np.array([momentum(*stage[:2]) for stage in stages])
            g = np.array([constraints(stage[0]) for stage in stages[1:]])
            # Simplified Newton iteration with M and G of the start of the step; other derivatives are O(h) and omitted.
            # The linear system is M dV + h Ahat0 dL G = residual, h A0 dV G^T = -g.
            free = residual @ inverse
            dL = self.stage_inverse @ ((h * (A0 @ free)) @ G.T + g) @ inner_inverse / (h * h)
            dV = free - h * (Ahat0 @ dL) @ inverse_G.T
            V, L = V + dV, L + dL
            Q = q + h * (self.A @ V)
            if np.max(abs(dV)) < 1e-12 * (1 + np.max(abs(V))):
                break
        self.guess = V, L
        F = np.array([total_force(*stage) for stage in zip(Q.tolist(), V.tolist(), torque, L.tolist() + [[0.0] * 6])])
        q = Q[-1]
        M, G = matrices(q.tolist())
        free = np.linalg.solve(M, p + h * (self.b @ F))
        inverse_G = np.linalg.solve(M, G.T)
        reaction = np.linalg.solve(G @ inverse_G, G @ free)
        # The multiplier of the last stage makes G v = 0 at the end of the step.
        F[-1] -= G.T @ reaction / (h * self.b[-1])
        self.velocities, self.forces = V, F
        return q, free - inverse_G @ reaction

    def nodes(self, duration):
        """From the start at rest to the end of the duration."""
        q, v = START, np.zeros(7)
        result = [(q, v)]
        for n in range(round(duration / self.h)):
            q, v = self.step(n * self.h, q, v)
            result.append((q, v))
        return result
