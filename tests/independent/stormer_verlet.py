"""The Störmer-Verlet method and Runge's midpoint rule on small problems without constraints.

HairerLubichWanner2003: section 1 (Kepler problem, Fig. 1.5; one large step, (1.24), (1.25), Fig. 1.6), section 2
(ABC flow, (2.22)), section 3 (Fig. 3.1), section 4 (modified Hamiltonian, (4.8), (4.9), Fig. 4.1; Example 4.6).
Systems are q'' = force(q); (A) is kick-drift-kick, (B) is drift-kick-drift.
"""

import math

import mpmath
import numpy as np

from recipe_checks import named

mpmath.mp.dps = 40


def verlet(force, q, p, h, steps):
    """The nodes of variant (A), the start included."""
    f = force(q)
    yield q, p
    for _ in range(steps):
        half = p + h / 2 * f
        q = q + h * half
        f = force(q)
        p = half + h / 2 * f
        yield q, p


def verlet_b(force, q, p, h, steps):
    """The nodes of variant (B)."""
    yield q, p
    for _ in range(steps):
        half = q + h / 2 * p
        p = p + h * force(half)
        q = half + h / 2 * p
        yield q, p


def runge(force, q, p, h, steps):
    """The nodes of the explicit midpoint rule."""
    yield q, p
    for _ in range(steps):
        q, p = q + h * (p + h / 2 * force(q)), p + h * force(q + h / 2 * p)
        yield q, p


def kepler_values():
    """Complex numbers are the plane. Duration: 20 periods of 2 pi, to the nearest node."""
    start = 0.4 + 0j, 2j

    def force(q):
        return -q / abs(q) ** 3

    def energies(method, h):
        return np.array([abs(p) ** 2 / 2 - 1 / abs(q) for q, p in method(force, *start, h, round(40 * math.pi / h))])

    def runge_lenz(q, p):
        return -p.real * (q.real * p.imag - q.imag * p.real) - q.imag / abs(q)

    steps = (0.05, 0.025, 0.02)
    largest = [np.max(abs(e - e[0])) for e in (energies(verlet, h) for h in steps)]
    final = [e[-1] - e[0] for e in (energies(runge, h) for h in steps)]
    nodes = list(verlet(force, *start, 0.02, round(40 * math.pi / 0.02)))
    (_, v_verlet), (_, v_runge) = (list(method(force, *start, 0.05, 1))[1] for method in (verlet, runge))
    difference = v_verlet - v_runge
    return {
        **named("001-fig1.5", "first step of both methods, h = 0.05: difference of the velocities", [
            difference.real, difference.imag]),
        **named("001-fig1.5", "largest energy error of Störmer-Verlet", largest),
        **named("001-fig1.5", "energy error of Runge's method", final),
        **named("001-fig3.1", "largest energy error in 20 periods", largest[2:]),
        **named("001-fig3.1", "A2 after 1, 10 and 20 periods", [
            runge_lenz(*nodes[round(2 * math.pi * period / 0.02)]) for period in (1, 10, 20)]),
    }


def one_large_step():
    """v' = -sin q - v^2/5 from (-1.8, 0.3) with h = 1.5; the implicit halves are quadratic equations in v."""
    h, q0, v0 = mpmath.mpf("1.5"), mpmath.mpf("-1.8"), mpmath.mpf("0.3")

    def implicit(v, q, step):
        """w = v + step (-sin q - w^2/5), the root near v."""
        a = step / 5
        return (-1 + mpmath.sqrt(1 + 4 * a * (v - step * mpmath.sin(q)))) / (2 * a)

    def explicit(v, q, step):
        return v + step * (-mpmath.sin(q) - v * v / 5)

    # (1.24): implicit to the middle velocity, explicit from there to the end.
    half = implicit(v0, q0, h / 2)
    q = q0 + h * half
    scheme_a = [half, q, explicit(half, q, h / 2)]
    # (1.25): the velocity with half of the force at the old and half at the new velocity.
    middle = q0 + h / 2 * v0
    v = implicit(explicit(v0, middle, h / 2), middle, h / 2)
    scheme_b = [middle, middle + h / 2 * v, v]
    return {
        **named("001-fig1.6", "scheme (A)", scheme_a),
        **named("001-fig1.6", "scheme (B)", scheme_b),
    }


def modified_hamiltonian():
    """Pendulum, U = -cos q, h = 0.9: ranges of H and of H + h^2 H3, where H3 combines U''(p, p) and |U'|^2.

    The coefficients follow from (4.8) and (4.9); those of |U'|^2 are printed with errors, and a check has the ranges
    with the printed ones.
    """
    h, q0, p0 = 0.9, -1.2, 1.0
    results = {"H": [], "right": [], "printed": []}
    for method, hessian, square, printed in ((verlet, 1 / 12, -1 / 24, 1 / 24), (verlet_b, -1 / 24, 1 / 12, -1 / 6)):
        q, p = np.array(list(method(lambda x: -math.sin(x), q0, p0, h, 1000))).T
        energy = p * p / 2 - np.cos(q)
        for key, coefficient in (("right", square), ("printed", printed)):
            results[key].append(np.ptp(energy + h * h * (hessian * np.cos(q) * p * p + coefficient * np.sin(q) ** 2)))
        results["H"].append(np.ptp(energy))
    return {
        **named("001-fig4.1", "range of H along 1000 steps", results["H"]),
        **named("001-fig4.1", "range of H + h^2 H3", results["right"]),
        **named("001-fig4.1", "the same with H3 as printed", results["printed"]),
    }


def abc_flow():
    """(2.22): the three shears of the ABC flow, composed symmetrically; determinant of one step and order."""
    A, B, C = 0.5, 1.0, 1.0
    rates = [lambda x, y, z: A * math.sin(z) + C * math.cos(y), lambda x, y, z: B * math.sin(x) + A * math.cos(z),
             lambda x, y, z: C * math.sin(y) + B * math.cos(x)]

    def step(point, h):
        point = list(point)
        for axis, part in ((0, h / 2), (1, h / 2), (2, h), (1, h / 2), (0, h / 2)):
            point[axis] += part * rates[axis](*point)
        return point

    def classical(point, h):
        """Runge-Kutta of order 4 with small steps, for the exact solution."""
        def field(u):
            return np.array([rate(*u) for rate in rates])

        k1 = field(point)
        k2 = field(point + h / 2 * k1)
        k3 = field(point + h / 2 * k2)
        return point + h / 6 * (k1 + 2 * k2 + 2 * k3 + field(point + h * k3))

    def after(method, h, time):
        point = np.array([0.9, 0, 0])
        for _ in range(round(time / h)):
            point = np.array(method(point, h))
        return point

    exact = after(classical, 0.005, 2)
    errors = [np.max(abs(after(step, h, 2) - exact)) for h in (0.2, 0.1, 0.05)]
    return named("001-fig2.3", "order of the method", [math.log2(a / b) for a, b in zip(errors, errors[1:])])


def series_of_example():
    """Example 4.6: the modified equation of q'' = f(t) has the coefficients -(2k - 1) B_2k/(2k)!."""
    b = {m: -(m - 1) * mpmath.bernoulli(m) / mpmath.factorial(m) for m in range(2, 80, 2)}
    return {
        **named("001-ex4.6", "coefficients b2, b4, b6", [b[2], b[4], b[6]]),
        **named("001-ex4.6", "radius of convergence", [mpmath.sqrt(abs(b[76] / b[78]) * mpmath.mpf(77) / 75)]),
        **named("001-ex4.6", "|b_2k| (2 pi)^2k/(2k - 1)", [abs(b[78]) * (2 * mpmath.pi) ** 78 / 77]),
    }


def values():
    return {**kepler_values(), **one_large_step(), **modified_hamiltonian(), **abc_flow(), **series_of_example()}
