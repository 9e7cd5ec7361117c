"""The backward differentiation formula of order 4 on the pendulum, from exact starting values.

Reich1996, section 5, with the equations (36): in the angle; in Cartesian coordinates with lambda = |p|^2 - q_y put
in and the force -q lambda (as printed) or -q lambda/|q|; and projected onto the circle and its tangent after each
step. The formula is sum_{j=1}^{4} (nabla^j y)/j = h f(y). Vectors of the plane are complex numbers.
"""

import math

import mpmath

from pendulum_tables import PERIOD, dot, energy
from recipe_checks import named

WEIGHTS = [25 / 12, -4.0, 3.0, -4 / 3, 1 / 4]


def exact_state(t):
    """sin(phi/2) = k cd(t), k^2 = 1/2, phi'^2 = 2 cos(phi); before a quarter of the period phi' < 0."""
    half_sine = mpmath.ellipfun("cd", t, m=mpmath.mpf(1) / 2) / mpmath.sqrt(2)
    phi = 2 * mpmath.asin(half_sine)
    return float(phi), -float(mpmath.sqrt(max(0, 2 * mpmath.cos(phi))))


def bdf4(field, starts, h, steps, project=lambda *state: state):
    """Nodes as pairs; the implicit equations by fixed-point iteration. Ends early where it does not converge."""
    nodes = list(starts)
    while len(nodes) <= steps:
        known = [-sum(weight * node[part] for weight, node in zip(WEIGHTS[1:], nodes[:-5:-1])) for part in (0, 1)]
        state = tuple(2 * last - before for last, before in zip(nodes[-1], nodes[-2]))
        for _ in range(400):
            rates = field(*state)
            before, state = state, tuple((k + h * rate) / WEIGHTS[0] for k, rate in zip(known, rates))
            change = max(abs(x - y) for x, y in zip(before, state))
            if not change < 1e6:
                return nodes
            if change < 1e-16:
                break
        if not change < 1e-12:
            return nodes
        nodes.append(project(*state))
    return nodes


def on_circle(q, p):
    q = q / abs(q)
    return q, p - dot(q, p) * q


def printed(q, p):
    return p, -1j - q * (dot(p, p) - q.imag)


def unit(q, p):
    return p, -1j - q / abs(q) * (dot(p, p) - q.imag)


def cartesian(field, parts, periods, project=lambda *state: state):
    h = PERIOD / parts
    angles = [exact_state(j * h) for j in range(4)]
    starts = [(complex(math.sin(phi), -math.cos(phi)), speed * complex(math.cos(phi), math.sin(phi)))
              for phi, speed in angles]
    return bdf4(field, starts, h, parts * periods, project)


def at_periods(nodes, parts, periods):
    return [energy(*nodes[parts * period]) for period in periods]


def values():
    h = PERIOD / 25
    angle = bdf4(lambda phi, speed: (speed, -math.sin(phi)), [exact_state(j * h) for j in range(4)], h, 1000)
    projected = {parts: cartesian(printed, parts, 10 if parts > 25 else 1, on_circle) for parts in (25, 50, 100)}
    free = {25: cartesian(printed, 25, 1), 50: cartesian(printed, 50, 10), 100: cartesian(printed, 100, 60)}
    along_unit = {25: cartesian(unit, 25, 1), 50: cartesian(unit, 50, 10)}
    item = "002-bdf"
    return {
        **named(item, "BDF4 for the angle", [
            angle[25 * n][1] ** 2 / 2 - math.cos(angle[25 * n][0]) for n in (1, 4, 10, 40)]),
        **named(item, "BDF4 for (36) with projection", [
            at_periods(projected[parts], parts, [1])[0] for parts in (25, 50, 100)]),
        **named(item, "and it continues to grow", [at_periods(projected[parts], parts, [10])[0] for parts in (50, 100)]),
        **named(item, "BDF4 for (36) as printed, no projection, h = 0.02 T",
                at_periods(free[50], 50, [1, 2, 3, 4, 10])),
        **named(item, "(36) as printed, no projection, h = 0.01 T", [
            max(q.imag for q, _ in free[100][100 * period - 99:100 * period + 1]) for period in (4, 10, 20, 40, 60)]),
        **named(item, "(36) as printed, no projection, h = 0.04 T", at_periods(free[25], 25, [1])),
        **named(item, "force along the unit vector, no projection", at_periods(along_unit[25], 25, [1])),
        **named(item, "force along the unit vector, h = 0.02 T", at_periods(along_unit[50], 50, [1, 2, 3, 4, 10])),
        **named(item, "but the largest energy in between", [max(energy(*node) for node in along_unit[50])]),
    }
