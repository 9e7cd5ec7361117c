"""The pendulum of Tables 1 and 2: RATTLE compositions, Lobatto IIIA-IIIB, Gauss (angle and Dirac's Hamiltonian).

Reich1996: section 3.1 (RATTLE), (13) and (27) (composition), (30), (31), (34) (Dirac's Hamiltonian H + g lambda and
its projection), (35), (36) and section 5. In (34) the kicks before and after the step are those of g^t Lambda.
Vectors of the plane are complex numbers.
"""

import math

import mpmath
import numpy as np

from constrained_runge_kutta import QuadraticHamiltonian, Run, lobatto_pair
from constrained_systems import SUZUKI4, YOSHIDA4
from recipe_checks import named

PERIOD = float(4 * mpmath.ellipk(mpmath.mpf(1) / 2))
GAUSS = [[1 / 4, 1 / 4 - math.sqrt(3) / 6], [1 / 4 + math.sqrt(3) / 6, 1 / 4]]


def dot(a, b):
    return a.real * b.real + a.imag * b.imag


def energy(q, p):
    return dot(p, p) / 2 + q.imag


def rattle(q, p, h):
    """The circle makes the position constraint a quadratic equation."""
    p = p - h / 2 * 1j
    free = q + h * p
    along = dot(free, q)
    mu = along - math.sqrt(along * along - (dot(free, free) - 1))
    p, q = p - mu / h * q, free - mu * q
    p = p - h / 2 * 1j
    return q, p - dot(q, p) * q


def composition(weights, h, steps):
    q, p = 1 + 0j, 0j
    yield q, p
    for _ in range(steps):
        for weight in weights:
            q, p = rattle(q, p, weight * h)
        yield q, p


def lobatto(h, steps):
    system = QuadraticHamiltonian(np.zeros((2, 2)), [0, -1], [np.eye(2)], [0.5])
    run, q, p = Run(system, lobatto_pair(3), h), np.array([1.0, 0]), np.zeros(2)
    yield 1 + 0j, 0j
    for _ in range(steps):
        q, p = run.step(q, p)
        yield complex(*q), complex(*p)


def angle_by_gauss(h, steps):
    """Gauss with two stages for phi'' = -sin(phi); q = (sin phi, -cos phi)."""
    phi, speed = math.pi / 2, 0.0
    for _ in range(steps + 1):
        yield complex(math.sin(phi), -math.cos(phi)), speed * complex(math.cos(phi), math.sin(phi))
        force = [-math.sin(phi)] * 2
        for _ in range(60):
            speeds = [speed + h * (a * force[0] + b * force[1]) for a, b in GAUSS]
            before, force = force, [-math.sin(phi + h * (a * speeds[0] + b * speeds[1])) for a, b in GAUSS]
            if max(abs(x - y) for x, y in zip(before, force)) < 1e-16:
                break
        phi, speed = phi + h / 2 * (speeds[0] + speeds[1]), speed + h / 2 * (force[0] + force[1])


class Dirac:
    """Equations (30): q' = p + w g lambda_p, p' = -grad V - G lambda - w g lambda_q with w = 1, or w = 1/2 as a slip.

    `length`: g = |q| - 1, otherwise (|q|^2 - 1)/2. `brackets`: lambda of (18), which for g = |q| - 1 is
    |p|^2/r - (q.p)^2/r^3 - q_y/r off the manifold, too; otherwise |p|^2 - q_y as printed below (36).
    """

    def __init__(self, length, brackets, weight=1.0):
        self.length, self.brackets, self.weight = length, brackets, weight

    def constraint(self, q):
        return abs(q) - 1 if self.length else (dot(q, q) - 1) / 2

    def gradient(self, q):
        return q / abs(q) if self.length else q

    def field(self, q, p):
        r, square, radial = abs(q), dot(p, p), dot(q, p)
        if self.brackets:
            multiplier = square / r - radial ** 2 / r ** 3 - q.imag / r
            by_p = 2 * p / r - 2 * radial * q / r ** 3
            by_q = (3 * radial ** 2 / r ** 2 + q.imag - square) / r ** 3 * q - 2 * radial * p / r ** 3 - 1j / r
        else:
            multiplier, by_p, by_q = square - q.imag, 2 * p, -1j
        g = self.weight * self.constraint(q)
        return p + g * by_p, -1j - self.gradient(q) * multiplier - g * by_q

    def nodes(self, h, steps, projected=True):
        q, p = 1 + 0j, 0j
        yield q, p
        stages = [self.field(q, p)] * 2
        for _ in range(steps):
            kick, G = 0.0, self.gradient(q)
            for _ in range(200):
                start = p - h / 2 * kick * G
                before = stages
                stages = [self.field(q + h * (a * before[0][0] + b * before[1][0]),
                                     start + h * (a * before[0][1] + b * before[1][1])) for a, b in GAUSS]
                q_new = q + h / 2 * (stages[0][0] + stages[1][0])
                change = max(abs(x - y) for old, new in zip(before, stages) for x, y in zip(old, new))
                if projected:
                    # Simplified Newton iteration for g(q_new) = 0, where q_new moves by -h^2/2 G per unit of the kick.
                    correction = self.constraint(q_new) / (h * h / 2 * dot(self.gradient(q_new), G))
                    kick, change = kick + correction, max(change, h * h * abs(correction))
                if change < 2e-16:
                    break
            p = p - h / 2 * kick * G + h / 2 * (stages[0][1] + stages[1][1])
            q = q_new
            if projected:
                G = self.gradient(q)
                p = p - dot(G, p) / dot(G, G) * G
            yield q, p


def results(method):
    """|p_y| after one, two and four periods with h = 0.04 T; largest energy errors with h = 0.04 T and 0.004 T."""
    coarse, fine = (list(method(PERIOD / parts, 4 * parts)) for parts in (25, 250))
    phases = [abs(coarse[25 * n][1].imag) for n in (1, 2, 4)]
    return phases, [max(abs(energy(*node)) for node in run) for run in (coarse, fine)]


def instability():
    """H + g lambda without projection: the distance from the circle, and lambda as printed."""
    free = Dirac(True, True)
    runs = {parts: list(free.nodes(PERIOD / parts, 3 * parts // 2, False)) for parts in (250, 500)}
    distance = {parts: [abs(abs(q) - 1) for q, _ in nodes] for parts, nodes in runs.items()}
    printed = Dirac(True, False)
    coarse = list(printed.nodes(PERIOD / 25, 20 * 25, False))
    item = "002-instability"
    return {
        **named(item, "brackets of (18): |r - 1| after one period", [distance[parts][parts] for parts in (250, 500)]),
        **named(item, "lambda = |p|^2 - q_y: |p_y| after one period", [abs(coarse[25][1].imag)]),
        **named(item, "lambda = |p|^2 - q_y: largest |r - 1|", [max(abs(abs(q) - 1) for q, _ in coarse)]),
    }


def values():
    rows = {
        "Yoshida": results(lambda h, steps: composition(YOSHIDA4, h, steps)),
        "Lobatto IIIA-IIIB": results(lobatto),
        "SSF": results(angle_by_gauss),
        "Gauss-Legendre on Dirac's Hamiltonian": results(Dirac(True, True).nodes),
        "the same with lambda = |p|^2 - q_y": results(Dirac(True, False).nodes),
        "where the printed row comes from": results(Dirac(False, False, 0.5).nodes),
    }
    result = {}
    for what, (phases, errors) in rows.items():
        result |= named("002-table1", what, phases) | named("002-table2", what, errors)
    main = [rows[name] for name in ("Yoshida", "Lobatto IIIA-IIIB", "SSF", "Gauss-Legendre on Dirac's Hamiltonian")]
    alone, five = (results(lambda h, steps: composition(weights, h, steps)) for weights in ([1.0], SUZUKI4))
    (phase_y, energy_y), (phase_l, energy_l) = main[:2]
    return {
        **result,
        **named("002-table1", "growth from T to 4T", [phases[2] / phases[0] for phases, _ in main]),
        **named("002-table1", "the period", [PERIOD]),
        **named("002-table1", "for comparison", [alone[0][0], five[0][0]]),
        **named("002-table2", "for comparison", alone[1] + five[1]),
        **named("002-bdf", "factor by which", [
            (a / b) ** 0.25 for a, b in ((phase_y[0], phase_l[0]), *zip(energy_y, energy_l))]),
        **instability(),
    }
