"""A charged particle on the sphere, a nonseparable Hamiltonian, by Lobatto IIIA-IIIB and Radau IIA.

Jay1996, section 5, Example 1, (5.1) to (5.4), Figs. 5.1 to 5.4. On the sphere the energy is H = |p + Sq|^2/2 - z,
and the axial momentum x p_y - y p_x is kept, too: the extreme heights follow from both.
"""

import math

import numpy as np

from constrained_runge_kutta import QuadraticHamiltonian, Run, lobatto_pair, radau2
from recipe_checks import named

MAGNETIC = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 0]])
SYSTEM = QuadraticHamiltonian(MAGNETIC, [0, 0, 1], [np.eye(3)], [0.5])
START = np.array([0.2, 0.2, math.sqrt(0.92)]), np.array([1.0, -1, 0])


def nodes(method, h, steps, projected=False):
    run, (q, p) = Run(SYSTEM, method, h), START
    result = [(q, p)]
    for _ in range(steps):
        q, p = run.projected_step(q, p) if projected else run.step(q, p)
        result.append((q, p))
    return np.array(result)


def energies(states):
    energy = np.array([SYSTEM.energy(q, p) for q, p in states])
    return energy - energy[0]


def momentum_squared(z):
    """p_z^2 on the exact curve: v = p + Sq has |v|^2 = 2 (H + z), and its part along
    the parallel is (Lz - r^2)/r with r^2 = 1 - z^2."""
    H, Lz = 1.44 - math.sqrt(0.92), -0.4
    return 2 * (1 - z * z) * (H + z) - (1 - z * z - Lz) ** 2


def exact_portrait():
    """Ends of the curve (z, p_z): the two zeros of p_z^2 around its largest value."""
    points = np.linspace(-1, 1, 5)
    heights = np.roots(np.polyfit(points, momentum_squared(points), 4))
    real = sorted(x.real for x in heights if abs(x.imag) < 1e-9 and -1 < x.real < 1)
    low, high = real[-2:]
    return [low, high, math.sqrt(np.max(momentum_squared(np.linspace(low, high, 100001))))]


def orders_at_one():
    exact = nodes(lobatto_pair(5), 0.02, 50)[-1][0]
    result = []
    for s in (2, 3, 4):
        errors = [np.max(abs(nodes(lobatto_pair(s), h, round(1 / h))[-1][0] - exact)) for h in (0.05, 0.025)]
        result.append(math.log2(errors[0] / errors[1]))
    return result


def values():
    lobatto, radau = nodes(lobatto_pair(3), 0.12, 5000), nodes(radau2(), 0.12, 5000)
    energy, lost = energies(lobatto), energies(radau)
    projected = energies(nodes(radau2(), 0.12, 500, True))
    heights, speeds = radau[:, 0, 2], radau[:, 1, 2]
    return {
        **named("003-fig5.1", "ends of the portrait", exact_portrait()),
        **named("003-fig5.1", "largest energy error", [np.max(abs(energy))]),
        **named("003-fig5.1", "order of the positions at t = 1", orders_at_one()),
        **named("003-fig5.2", "energy of the exact solution", [SYSTEM.energy(*START)]),
        **named("003-fig5.2", "H - H0 over all steps", [np.min(energy), np.max(energy)]),
        **named("003-fig5.3", "H - H0 after 5000 steps", [lost[-1]]),
        **named("003-fig5.3", "Radau IIA: smallest z of all steps", [np.min(heights), np.min(heights[4500:])]),
        **named("003-fig5.3", "Radau IIA: largest distance from the exact curve", [
            np.max(abs(speeds ** 2 - momentum_squared(heights)))]),
        **named("003-fig5.4", "H - H0 after 500 steps", [lost[500], projected[500]]),
        **named("003-fig5.4", "H - H0 after 5000 steps", [lost[-1]]),
        **named("003-fig5.4", "slope of the energy", [np.polyfit(0.12 * np.arange(5001), lost, 1)[0]]),
    }
