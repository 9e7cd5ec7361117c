"""A rigid pendulum on a stiff spring: its energy with Lobatto IIIC only, and with IIIA-IIIB for the pendulum.

Jay1998, (17) and section 10, Figs. 5 and 6, with the start chosen for Libration
(problems/stiff-spring-pendulum.toml): the spring at rest, the pendulum horizontal and at rest. With the friction
gamma = 1e12 of the paper the first mass moves by 1e-12 only; here it is fixed (gamma to infinity), which changes
energies by about 1e-12. What is left is a pendulum of length 1, of which (17) treats q' = v and the forces by IIIC
(Fig. 5) or by IIIA and IIIB (Fig. 6), and the constraint by IIIA.
"""

import numpy as np

from pendulum_tables import energy, lobatto
from recipe_checks import named
from runge_kutta_coefficients import doubles, lobatto_family

H, STEPS, FRICTION = 0.12, 800, 1e12


def all_by_IIIC(h, steps):
    """Newton's method for Q, V and three multipliers: g = 0 for the IIIA positions 2 and 3, and q1.v1 = 0."""
    family = lobatto_family(3)
    A, C = doubles(family["A"]), doubles(family["C"])
    gravity, identity = np.array([0.0, -1]), np.eye(2)
    q, v = np.array([1.0, 0]), np.zeros(2)
    V, L = np.tile(v, (3, 1)), np.zeros(3)
    yield complex(*q), complex(*v)
    for _ in range(steps):
        Q = q + h * C @ V
        for _ in range(30):
            positions = (q + h * A @ V)[1:]
            force = gravity - L[:, None] * Q
            residual = np.concatenate([(Q - q - h * C @ V).ravel(), (V - v - h * C @ force).ravel(),
                                       (np.sum(positions ** 2, axis=1) - 1) / 2, [Q[2] @ V[2]]])
            matrix = np.zeros((15, 15))
            matrix[:6, :6] = matrix[6:12, 6:12] = np.eye(6)
            matrix[:6, 6:12] = -h * np.kron(C, identity)
            matrix[6:12, :6] = h * np.kron(C * L, identity)
            for j in range(3):
                matrix[6:12, 12 + j] = h * np.kron(C[:, j], Q[j])
                for row in (0, 1):
                    matrix[12 + row, 6 + 2 * j:8 + 2 * j] = h * A[row + 1, j] * positions[row]
            matrix[14, 4:6], matrix[14, 10:12] = V[2], Q[2]
            change = np.linalg.solve(matrix, residual)
            Q, V, L = Q - change[:6].reshape(3, 2), V - change[6:12].reshape(3, 2), L - change[12:]
            if np.max(abs(change)) < 1e-9:
                break
        q, v = Q[2], V[2]
        yield complex(*q), complex(*v)


def values():
    nodes = list(all_by_IIIC(H, STEPS))
    damped = np.array([energy(*node) for node in nodes])
    bounded = np.array([energy(*node) for node in lobatto(H, STEPS)])
    # Balance of momentum of the first mass, gamma w_x = -p_x of the pendulum.
    sideways = max(abs(v.real) for _, v in nodes) / FRICTION
    return {
        **named("004-fig5", "energy of the pendulum minus its initial value", [damped[100], damped[-1]]),
        **named("004-fig5", "slope, per unit of time", [np.polyfit(H * np.arange(STEPS + 1), damped, 1)[0]]),
        **named("004-fig5", "largest sideways displacement", [sideways]),
        **named("004-fig6", "energy of the pendulum minus its initial value", [
            bounded.min(), bounded.max(), bounded[-1]]),
    }
