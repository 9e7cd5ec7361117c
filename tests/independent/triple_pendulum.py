"""The triple pendulum by multistep methods of order 6: energy errors, instability, starting procedures.

ConsoleHairerLubich2013, Example 1 with methods (A) and (B); (10), (11); the assumption on starting values in
section 3.
"""

import numpy as np

from constrained_systems import (
    KAHAN_LI6, KAHAN_LI8, SUZUKI4, ConstrainedSystem, MultistepRun, accurate_flow, composed)
from recipe_checks import named

A, B = ["-0.7", "0.4"], ["-0.1", "0.4"]
GRAVITY = np.array([0.0, -1, 0, -1, 0, -1])


def triple_pendulum():
    """The constraints of the paper: squared lengths minus 1."""
    matrices = []
    for body in range(3):
        ends = np.zeros((2, 6))
        ends[:, 2 * body:2 * body + 2] = np.eye(2)
        if body > 0:
            ends[:, 2 * body - 2:2 * body] = -np.eye(2)
        matrices.append(2 * ends.T @ ends)
    return ConstrainedSystem(matrices, [1, 1, 1], lambda q: np.broadcast_to(GRAVITY, q.shape), lambda q: -q @ GRAVITY)


def initial_state():
    q = np.cumsum([[np.sin(angle), -np.cos(angle)] for angle in (np.pi / 6, np.pi / 4, np.pi / 2)], axis=0)
    return q.reshape(1, 6), np.zeros((1, 6))


def exact_start(system, state, h):
    nodes = [state]
    for _ in range(5):
        nodes.append(accurate_flow(system, *nodes[-1], h, 1))
    return nodes


def started(system, parameters, h, nodes, perturbation=0.0):
    """The run from these nodes; the perturbation is added to the multipliers with alternating sign."""
    multipliers = [system.multipliers(q, p) + (-1) ** j * perturbation for j, (q, p) in enumerate(nodes)]
    return MultistepRun(system, parameters, h, [q for q, _ in nodes], multipliers)


def largest_energy_error(run, start_energy, steps):
    worst = 0
    for _ in range(steps):
        run.step()
        worst = np.maximum(worst, abs(run.system.energy(*run.middle()) - start_energy))
    return worst


def explosion_step(system, h):
    """Method (B): the step at which |H - H0| passes 10 or Newton's method fails."""
    state = initial_state()
    run = started(system, B, h, exact_start(system, state, h))
    start_energy = system.energy(*state)
    with np.errstate(all="ignore"):
        for step in range(6, 400):
            try:
                finite = run.step()
            except np.linalg.LinAlgError:
                return step
            if not finite or np.max(abs(system.residual(run.q[-1]))) > 1e-6:
                return step
            if step > 8 and not abs(system.energy(*run.middle()) - start_energy) < 10:
                return step
    return -1


def starting_procedures(system, h):
    """Energy errors on [0, 20] after each starting procedure, then with perturbed multipliers, all in one batch."""
    state = accurate_flow(system, *initial_state(), 1.0, 20)
    procedures = [([1.0], 1), ([1.0], 10), (SUZUKI4, 1), (KAHAN_LI6, 1), (KAHAN_LI8, 1)]
    exact = exact_start(system, state, h)
    runs = []
    for weights, substeps in procedures:
        nodes = [state]
        for _ in range(5):
            q, p = nodes[-1]
            for _ in range(substeps):
                q, p = composed(system, weights, q, p, h / substeps)
            nodes.append((q, p))
        runs.append(nodes)
    powers = (2, 3, 5, 6)
    runs += [exact] * (1 + len(powers))
    nodes = [tuple(np.concatenate([run[j][part] for run in runs]) for part in (0, 1)) for j in range(6)]
    perturbation = np.array([0.0] * 6 + [h ** m for m in powers])[:, None]
    run = started(system, A, h, nodes, perturbation)
    return largest_energy_error(run, system.energy(*state), round(20 / h) - 2)


def values():
    system, state = triple_pendulum(), initial_state()
    start_energy = system.energy(*state)
    at_five = accurate_flow(system, *state, 5.0, 100)[0]
    position_errors = []
    for h in (0.04, 0.02, 0.01, 0.005):
        run = started(system, A, h, exact_start(system, state, h))
        for _ in range(6, round(5 / h) + 1):
            run.step()
        position_errors.append(np.max(abs(run.q[-1] - at_five)))
    energies = []
    for h in (0.04, 0.02):
        run = started(system, A, h, exact_start(system, state, h))
        energies.append(largest_energy_error(run, start_energy, round(100 / h) - 2)[0])
    steps = (0.02, 0.01, 0.005)
    errors = np.array([starting_procedures(system, h) for h in steps]).T
    starters = "000-starters"
    return {
        **named("000-fig2", "largest energy error", energies),
        # Not h = 0.005: 2e-13 is the round-off of plain doubles here, and differs from processor to processor.
        **named("000-fig2", "largest error of a position at t = 5", position_errors[:3]),
        **named("000-explosion", "the same against an independent program", [
            explosion_step(system, h) for h in (0.01, 0.005, 0.0025, 0.001)]),
        **named("000-explosion", "step at which the run fails, where", [
            explosion_step(system, h) for h in (0.04, 0.02)]),
        **named(starters, "order of the energy error with good starters", np.log2(errors[3:6, 1] / errors[3:6, 2])),
        **named(starters, "energy error with RATTLE as starter", errors[0]),
        **named(starters, "energy error with ten substeps of RATTLE", errors[1]),
        **named(starters, "energy error with a composition of order 4", errors[2]),
        # Not h = 0.005 of the composition of order 8: the round-off of its 17 substeps is as large as the tolerance.
        **named(starters, "energy error with compositions of order 6", errors[3]),
        **named(starters, "energy error with compositions of order 6", errors[4, :2], first=3),
        **named(starters, "energy error with compositions of order 6", errors[5], first=6),
        **named(starters, "energy error with errors +h^m, -h^m", errors[8:10, 1:].ravel()),
    }
