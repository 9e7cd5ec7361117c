"""Andrews' squeezing mechanism with reversible variable steps: number and size of steps, energy errors.

Jay1998, section 9, (38) and (39), and section 10, Fig. 2, with TOL = 1e-8. The step size solves err(h) =
TOL^((q+1)/(p+1)), p = 4 (the exponent is printed without parentheses), where err is the norm of h sum e_i V_i plus
that of h sum e_i (F_i - G_i^T L_i): for three stages e = (1, -2, 1)/6 and q = 2, or e = (1, 0, -1)/6 and q = 1. The
start is the state at t = 0.02 of Fig. 1.
"""

import numpy as np

from recipe_checks import named
from squeezing_mechanism import Lobatto, energies
from squeezing_values import ramp

TOLERANCE, DURATION = 1e-8, 0.08


def swing_state():
    """t = 0.02, by the pair of order 6."""
    return Lobatto(4, 5e-5, ramp).nodes(0.02)[-1]


def reversible_run(weights, estimator_order, state):
    """Times, step sizes and energy errors; the last step is shortened to end at the duration."""
    target = TOLERANCE ** ((estimator_order + 1) / 5)
    method = Lobatto(3, 1e-4, lambda t: 0.0)
    weights = np.array(weights) / 6

    def attempt(h):
        method.h, method.guess = h, None
        result = method.step(0.0, q, v)
        return result, h * (np.linalg.norm(weights @ method.velocities) + np.linalg.norm(weights @ method.forces))

    (q, v), t, h = state, 0.0, 1e-4
    start = sum(energies(q, v))
    times, steps, errors = [0.0], [], [0.0]
    while t < DURATION - 1e-12:
        for _ in range(40):
            result, error = attempt(h)
            factor = (target / error) ** (1 / (estimator_order + 1))
            if abs(factor - 1) < 1e-9:
                break
            h *= factor
        if t + h > DURATION:
            h = DURATION - t
            result, _ = attempt(h)
        (q, v), t = result, t + h
        times.append(t)
        steps.append(h)
        errors.append(sum(energies(q, v)) - start)
    return np.array(times), np.array(steps), np.array(errors)


def values():
    state = swing_state()
    runs = [reversible_run((1, -2, 1), 2, state), reversible_run((1, 0, -1), 1, state)]
    ends = [x for _, steps, _ in runs for x in (np.min(steps[:-1]), np.max(steps[:-1]))]
    return {
        **named("004-fig2", "linear growth: slope", [np.polyfit(runs[0][0], runs[0][2], 1)[0]]),
        **named("004-fig2", "shortest and longest step", ends),
        **named("004-fig2", "number of steps", [len(steps) for _, steps, _ in runs]),
        **named("004-fig2", "energy error: smallest and largest", [
            x for _, _, errors in runs for x in (np.min(errors), np.max(errors))]),
    }
