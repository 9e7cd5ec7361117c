"""One and two bodies on the unit sphere: RATTLE, its composition of order 8, and the multistep method of order 8.

ConsoleHairerLubich2013, Example 2, (17), with the formulas (10), (11); HairerLubichWanner2003, section 6, Example
6.1 (two bodies) and the Kepler problem on the sphere with RATTLE. For a sphere, g(q1) = 0 is a quadratic equation
in the multiplier: with |q| = 1, the point a - mu q is on the sphere for mu = a.q - sqrt((a.q)^2 - |a|^2 + 1).
States have shape (bodies, 3).
"""

import math

import numpy as np

from constrained_systems import KAHAN_LI8, ConstrainedSystem, accurate_flow
from multistep_formulas import formula, momentum_weights, rho_without_double_root
from recipe_checks import named


def spherical(phi, theta, phi_speed, theta_speed):
    """Position and velocity from spherical coordinates."""
    sin, cos = math.sin, math.cos
    q = [cos(phi) * sin(theta), sin(phi) * sin(theta), cos(theta)]
    v = [-phi_speed * q[1] + theta_speed * cos(phi) * cos(theta),
         phi_speed * q[0] + theta_speed * sin(phi) * cos(theta), -theta_speed * sin(theta)]
    return q, v


def two_bodies(first, second):
    states = [spherical(*first), spherical(*second)]
    return np.array([q for q, _ in states]), np.array([v for _, v in states])


def pair_force(q):
    """-grad U of (17): d(cos/sin)/d(cos) = 1/sin^3."""
    cosine = q[0] @ q[1]
    return q[::-1] / (1 - cosine * cosine) ** 1.5


def pair_energy(q, p):
    cosine = q[0] @ q[1]
    return np.vdot(p, p) / 2 - cosine / math.sqrt(1 - cosine * cosine)


def angular_momentum(q, p):
    return np.sum(np.cross(q, p), axis=0)


def back_to_sphere(a, q):
    """The multipliers mu, one per body, for which a - mu q is on the sphere."""
    along = np.sum(a * q, axis=1)
    return along - np.sqrt(along * along - (np.sum(a * a, axis=1) - 1))


def tangential(q, p):
    return p - np.sum(q * p, axis=1)[:, None] * q


def rattle(q, p, h):
    free = p + h / 2 * pair_force(q)
    half = free - (back_to_sphere(q + h * free, q) / h)[:, None] * q
    q = q + h * half
    return q, tangential(q, half + h / 2 * pair_force(q))


def exact_nodes(q, p, h, count):
    """Starting values: extrapolation of the underlying ODE."""
    def force(x):
        return pair_force(x.reshape(2, 3)).reshape(x.shape)

    matrices = [np.diag([1.0] * 3 + [0.0] * 3), np.diag([0.0] * 3 + [1.0] * 3)]
    system = ConstrainedSystem(matrices, [0.5, 0.5], force, None)
    nodes = [(q.reshape(1, 6), p.reshape(1, 6))]
    for _ in range(count - 1):
        nodes.append(accurate_flow(system, *nodes[-1], h, 2))
    return [x.reshape(2, 3) for x, _ in nodes], [system.multipliers(*node).reshape(2) for node in nodes]


def multistep_errors(parameters, q, p, h, duration):
    """Largest errors of the energy and of the first component of the angular momentum."""
    k = 2 * len(parameters) + 2
    beta = np.array([float(c) for c in formula(*parameters)[1]])[1:k]
    weights = np.array([float(c) for c in rho_without_double_root(parameters)])[:k - 2]
    output = np.array([float(c) for c in momentum_weights(k)])
    start = pair_energy(q, p), angular_momentum(q, p)[0]
    nodes, multipliers = exact_nodes(q, p, h, k)
    momenta = np.array([b - a for a, b in zip(nodes, nodes[1:])]).reshape(k - 1, 6) / h
    forces = [(pair_force(x) - m[:, None] * x).ravel() for x, m in zip(nodes[1:-1], multipliers[1:-1])]
    forces = np.array(forces + [np.zeros(6)])
    momenta = np.concatenate([np.zeros((1, 6)), momenta])
    positions, worst_energy, worst_momentum = nodes, 0.0, 0.0
    for _ in range(round(duration / h) - k // 2 + 1):
        q = positions[-1]
        forces[-1] = pair_force(q).ravel()
        change = h * (beta @ forces) - weights @ np.diff(momenta[1:], axis=0)
        free = (momenta[-1] + change).reshape(2, 3)
        mu = back_to_sphere(q + h * free, q)
        half = free - (mu / h)[:, None] * q
        forces[-1] -= ((mu / (h * h * beta[-1]))[:, None] * q).ravel()
        momenta = np.concatenate([momenta[1:], half.reshape(1, 6)])
        forces = np.concatenate([forces[1:], forces[:1]])
        positions = positions[-k:] + [q + h * half]
        middle = positions[-1 - k // 2]
        p = tangential(middle, (output @ momenta).reshape(2, 3))
        worst_energy = max(worst_energy, abs(pair_energy(middle, p) - start[0]))
        x, y = middle, p
        Lx = x[0, 1] * y[0, 2] - x[0, 2] * y[0, 1] + x[1, 1] * y[1, 2] - x[1, 2] * y[1, 1]
        worst_momentum = max(worst_momentum, abs(Lx - start[1]))
    return worst_energy, worst_momentum


def composition_error(q, p, h, duration):
    """Largest energy error of 17 steps of RATTLE in the composition of KahanLi1997."""
    start, worst = pair_energy(q, p), 0.0
    for _ in range(round(duration / h)):
        for weight in KAHAN_LI8:
            q, p = rattle(q, p, weight * h)
        worst = max(worst, abs(pair_energy(q, p) - start))
    return worst


def kepler_energies(h, steps):
    """H - H0 of RATTLE on the Kepler problem on the sphere: smallest, largest, mean. Scalars, since the run is long."""
    ax = ay = 0.3 * math.sqrt(2)
    az, sqrt = 0.8, math.sqrt
    (x, y, z), (u, v, w) = spherical(1.0, 1.1, 1.2, -1.1)
    c = ax * x + ay * y + az * z
    start = (u * u + v * v + w * w) / 2 - c / sqrt(1 - c * c)
    low = high = total = 0.0
    kick = h / 2 / (1 - c * c) ** 1.5
    for _ in range(steps):
        u, v, w = u + kick * ax, v + kick * ay, w + kick * az
        X, Y, Z = x + h * u, y + h * v, z + h * w
        along = x * X + y * Y + z * Z
        mu = along - sqrt(along * along - (X * X + Y * Y + Z * Z - 1))
        u, v, w = u - mu / h * x, v - mu / h * y, w - mu / h * z
        x, y, z = X - mu * x, Y - mu * y, Z - mu * z
        c = ax * x + ay * y + az * z
        kick = h / 2 / (1 - c * c) ** 1.5
        u, v, w = u + kick * ax, v + kick * ay, w + kick * az
        along = x * u + y * v + z * w
        u, v, w = u - along * x, v - along * y, w - along * z
        error = (u * u + v * v + w * w) / 2 - c / sqrt(1 - c * c) - start
        low, high, total = min(low, error), max(high, error), total + error
    return low, high, total / (steps + 1), start


def values():
    parameters = ["-0.8", "-0.4", "0.7"]
    state = two_bodies((0.8, 0.6, 1.1, -0.2), (0.5, 1.5, -0.8, 0.0))
    close = two_bodies((-0.3, 1.1, 0.9, -0.5), (-0.8, 0.6, 0.3, -0.1))
    energies, momenta = zip(*[multistep_errors(parameters, *state, h, 200) for h in (0.02, 0.01)])
    coarse = multistep_errors(parameters, *state, 0.04, 200)[0]
    long = kepler_energies(0.07, 100000)
    finer = [-kepler_energies(h, round(700 / h))[0] for h in (0.035, 0.0175)]
    return {
        **named("000-fig3", "largest energy error to t = 200", energies),
        **named("000-fig3", "largest error of the first component", momenta),
        **named("000-fig3", "h = 0.04: largest energy error", [coarse]),
        # The largest error of this step size comes before t = 200.
        **named("000-comparison", "composition, h = 0.15: largest energy error", [
            composition_error(*state, 0.15, 200)]),
        **named("001-fig6.1", "energies at the start", [long[3], pair_energy(*close)]),
        **named("001-fig6.2", "the same, with all known digits", [-long[0]]),
        **named("001-fig6.2", "smallest, largest and mean value", long[:3]),
        **named("001-fig6.2", "largest energy error with smaller steps", finer),
    }
