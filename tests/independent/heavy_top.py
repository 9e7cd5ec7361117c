"""The heavy top by multistep methods of order 2 to 8 and by RATTLE: errors at t = 10.

ConsoleHairerLubich2013, Example 3, (18), with X = Q D^(1/2), for which the kinetic energy is |X'|^2/2 and X^T X =
D; methods (10), (11) of the same paper; RATTLE: HairerLubichWanner2003, section 6. Data chosen for Libration
(problems/heavy-top.toml): moments of inertia 2, 1.5, 1; potential Q33; tilt 1; angular velocity (0.3, -0.2, 2).
"""

import numpy as np

from constrained_systems import ConstrainedSystem, MultistepRun, accurate_flow, rattle
from recipe_checks import named

INERTIA = np.array([2, 1.5, 1])
D = INERTIA.sum() / 2 - INERTIA
ROOT = np.sqrt(D)
STEPS = [0.1, 0.05, 0.025, 0.0125]


def heavy_top():
    """X is stored row by row; the constraints are the six scalar products of its columns."""
    matrices, constants = [], []
    for i in range(3):
        for j in range(i, 3):
            matrix = np.zeros((9, 9))
            for row in range(3):
                matrix[3 * row + i, 3 * row + j] += 1
                matrix[3 * row + j, 3 * row + i] += 1
            matrices.append(matrix)
            constants.append(D[i] if i == j else 0)
    gradient = np.zeros(9)
    gradient[8] = 1 / ROOT[2]
    return ConstrainedSystem(matrices, constants, lambda X: np.broadcast_to(-gradient, X.shape), lambda X: X @ gradient)


def initial_state():
    cosine, sine = np.cos(1), np.sin(1)
    Q = np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
    w = [0.3, -0.2, 2]
    hat = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return (Q * ROOT).reshape(1, 9), (Q @ hat * ROOT).reshape(1, 9)


def multistep_error(top, parameters, h, exact):
    k = 2 * len(parameters) + 2
    start = initial_state()
    nodes = [start] + [accurate_flow(top, *start, j * h, 2) for j in range(1, k)]
    run = MultistepRun(top, parameters, h, [q for q, _ in nodes], [top.multipliers(q, p) for q, p in nodes])
    for _ in range(k, round(10 / h) + 1):
        run.step()
    return np.max(abs(run.q[-1] - exact))


def rattle_errors(top, h, end, exact):
    """Error of the position at the end, in X and in Q, and the largest energy error."""
    q, p = initial_state()
    start, worst = top.energy(q, p), 0
    for _ in range(round(end / h)):
        q, p = rattle(top, q, p, h)
        worst = max(worst, abs(top.energy(q, p) - start)[0])
    difference = abs(q - exact)
    return np.max(difference), np.max(difference / np.tile(ROOT, 3)), worst


def orders(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def values():
    top = heavy_top()
    start = initial_state()
    at_one, at_ten = (accurate_flow(top, *start, t, 8 * t)[0] for t in (1, 10))
    errors = {len(a) * 2 + 2: [multistep_error(top, a, h, at_ten) for h in STEPS]
              for a in ([], ["-0.2"], ["-0.7", "0.4"], ["-0.8", "-0.4", "0.7"])}
    of_rattle, _, energies = zip(*[rattle_errors(top, h, 10, at_ten) for h in STEPS])
    at_one_in_Q = [rattle_errors(top, h, 1, at_one)[1] for h in STEPS]
    what = "error of Q(10) D^(1/2)"
    return {
        **named("000-heavy-top", "orders", [orders(errors[k])[1] for k in (2, 4, 6, 8)]),
        **named("000-heavy-top", f"k = 2: {what}", errors[2]),
        **named("000-heavy-top", f"k = 4: {what}", errors[4]),
        **named("000-heavy-top", f"k = 6: {what}", errors[6]),
        **named("000-heavy-top", f"k = 8: {what}", errors[8][:3]),
        **named("000-heavy-top", f"RATTLE: {what}", of_rattle),
        **named("001-rigid-body", "order of the error of Q at t = 1", orders(at_one_in_Q)),
        **named("001-rigid-body", "energy at the start", top.energy(*start)),
        **named("001-rigid-body", "largest error of an element of Q D^(1/2)", of_rattle),
        **named("001-rigid-body", "order of the energy error", orders(energies)),
    }
