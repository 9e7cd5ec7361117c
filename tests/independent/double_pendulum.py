"""The double pendulum by Lobatto IIIA-IIIB pairs, Gauss and Radau IIA: global errors and energies.

Jay1996, section 5, Example 2, (5.5) to (5.8), Figs. 5.5 to 5.8. The multipliers are those of the distance
constraints (5.5).
"""

import math

import numpy as np

from constrained_runge_kutta import QuadraticHamiltonian, Run, gauss2, lobatto_pair, radau2
from constrained_systems import ConstrainedSystem, accurate_flow
from recipe_checks import named

FIRST = np.hstack([np.eye(2), np.zeros((2, 2))])
SECOND = np.hstack([-np.eye(2), np.eye(2)])
MATRICES = [FIRST.T @ FIRST, SECOND.T @ SECOND]
WEIGHT = np.array([0.0, -1, 0, -1])
SYSTEM = QuadraticHamiltonian(np.zeros((4, 4)), WEIGHT, MATRICES, [0.5, 0.5])
START = np.array([0.5, -math.sqrt(0.75), 0, -2 * math.sqrt(0.75)]), np.zeros(4)
STEPS = (0.2, 0.1, 0.05, 0.025, 0.0125)


def exact_at_five():
    system = ConstrainedSystem(MATRICES, [0.5, 0.5], lambda q: np.broadcast_to(WEIGHT, q.shape), None)
    q, p = accurate_flow(system, *(x[None] for x in START), 5.0, 40)
    return q[0], p[0], SYSTEM.multipliers(q[0], p[0])


def errors_at_five(method, steps, projected=False):
    """Errors of q, p, of the multipliers (3.1f) and of the multipliers of the last stage, one list each."""
    exact, rows = exact_at_five(), []
    for h in steps:
        run, (q, p) = Run(SYSTEM, method, h), START
        for _ in range(round(5 / h)):
            q, p = run.projected_step(q, p) if projected else run.step(q, p)
        found = q, p, SYSTEM.multipliers(q, p), run.last_multiplier
        rows.append([np.max(abs(x - y)) for x, y in zip(found, exact + exact[2:])])
    return [list(column) for column in zip(*rows)]


def orders(errors):
    return [math.log2(a / b) for a, b in zip(errors, errors[1:])]


def energies(method, projected, steps=5000, h=0.12):
    run, (q, p) = Run(SYSTEM, method, h), START
    result = [SYSTEM.energy(q, p)]
    for _ in range(steps):
        q, p = run.projected_step(q, p) if projected else run.step(q, p)
        result.append(SYSTEM.energy(q, p))
    return np.array(result) - result[0]


def slope(energy, h=0.12):
    return np.polyfit(h * np.arange(len(energy)), energy, 1)[0]


def global_errors():
    lobatto2, lobatto3 = errors_at_five(lobatto_pair(2), STEPS), errors_at_five(lobatto_pair(3), STEPS)
    lobatto4 = errors_at_five(lobatto_pair(4), STEPS[:4])
    lobatto4_fine = errors_at_five(lobatto_pair(4), STEPS[3:])
    gauss, radau = errors_at_five(gauss2(), STEPS, True), errors_at_five(radau2(), STEPS)
    projected = errors_at_five(radau2(), STEPS, True)
    item = "003-fig5.8"
    return {
        **named("003-fig5.5", "largest error of a position at t = 5", lobatto3[0]),
        **named(item, "Lobatto, 3 stages: error of q", lobatto3[0]),
        **named(item, "projected Gauss: error of q", gauss[0]),
        **named(item, "projected Gauss: error of p", gauss[1]),
        **named(item, "Radau IIA: error of q", radau[0]),
        **named(item, "Radau IIA: error of p", radau[1]),
        **named(item, "Radau IIA: error of the multipliers of the last stage", radau[3]),
        **named(item, "projected Radau IIA: error of q", projected[0]),
        **named(item, "errors with h = 0.0125", [
            *(x[4] for x in lobatto3[:3]), gauss[1][4], gauss[2][4], projected[1][4], projected[2][4]]),
        **named(item, "orders, h = 0.025 to 0.0125: projected Gauss", [orders(x)[3] for x in gauss[:3]]),
        **named(item, "orders of the Lobatto pairs with 2 and with 4 stages",
                [orders(x)[2] for x in lobatto2[:3]] + [orders(x)[1] for x in lobatto4[:3]]),
        **named(item, "Lobatto, 2 stages: errors of q", [
            lobatto2[0][0], lobatto2[0][4], lobatto2[1][0], lobatto2[1][4], lobatto2[2][4]]),
        **named(item, "Lobatto, 4 stages: error of q", lobatto4[0]),
        **named(item, "Lobatto, 4 stages, h = 0.025", [lobatto4[1][3], lobatto4[2][3]]),
        **named(item, "orders of the multipliers of the last stage", [
            orders(lobatto2[3])[3], orders(lobatto3[3])[3], orders(lobatto4_fine[3])[0]]),
    }


def values():
    lobatto = energies(lobatto_pair(3), False)
    runs = [energies(gauss2(), True), energies(radau2(), False)]
    return {
        **global_errors(),
        **named("003-fig5.5", "largest energy error", [np.max(abs(lobatto))]),
        **named("003-fig5.6", "H - H0 over all steps", [np.min(lobatto), np.max(lobatto)]),
        **named("003-fig5.7", "H - H0 after 5000 steps", [energy[-1] for energy in runs]),
        **named("003-fig5.7", "slope of the energy", [slope(energy) for energy in runs]),
    }
