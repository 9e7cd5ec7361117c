"""Energies of Andrews' squeezing mechanism: left to swing, and driven by a constant torque.

Jay1998, section 10, Figs. 1, 3 and 4, with the method of squeezing_mechanism.py.
"""

import math

import numpy as np

from recipe_checks import named
from squeezing_mechanism import TORQUE, Lobatto, energies


def ramp(t):
    """Fig. 1: the motor is switched off linearly until t = 0.02."""
    return TORQUE * max(0.0, 1 - t / 0.02)


def left_to_swing(s, h):
    """Energy at t = 0.02, and the smallest and largest deviation from it on [0.02, 0.1]."""
    nodes = Lobatto(s, h, ramp).nodes(0.1)
    energy = np.array([sum(energies(q, v)) for q, v in nodes])[round(0.02 / h):]
    return energy[0], np.min(energy - energy[0]), np.max(energy - energy[0])


def values():
    h = 5e-5
    start, low, high = left_to_swing(3, h)
    _, coarse_low, coarse_high = left_to_swing(3, 2 * h)
    _, low_two, high_two = left_to_swing(2, h)
    driven = Lobatto(3, h, lambda t: TORQUE).nodes(0.1)
    energy = np.array([sum(energies(q, v)) - TORQUE * q[0] for q, v in driven])
    errors = abs(energy - energy[0])
    windows = [np.max(errors[200 * n:200 * n + 201]) for n in range(10)]
    return {
        **named("004-fig1", "smallest and largest E - E(0.02)", [low, high]),
        **named("004-fig1", "energy when the motor stops", [start]),
        **named("004-fig1", "the same with half and with twice the step", [coarse_low, coarse_high], first=2),
        **named("004-fig1", "order of the energy error", [math.log2((coarse_high - coarse_low) / (high - low))]),
        **named("004-fig1", "two stages, h = 5e-5", [low_two, high_two]),
        **named("004-fig3", "largest |E - E0|, window by window", windows),
        **named("004-fig3", "exponent of the growth", [math.log(windows[9] / windows[1]) / math.log(5)]),
        **named("004-fig4", "total energy at t = 0.1", [energy[-1]]),
    }
