"""Models and measurements for tests of fits."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np

STEP = 0.02


def points(
    model: lb.Model, sd: float = 0.0, seed: int = 1, stated: bool = True, duration: float = 2.0
) -> dict[str, Any]:
    """What one sees of a model's points, with noise."""
    run = model.run(step=STEP, duration=duration, every=4, progress=False)
    generator = np.random.default_rng(seed)
    table: dict[str, Any] = {"t": run.t}
    for name in model.coordinates:
        table[name] = run[name] + sd * generator.standard_normal(len(run.t))
        if sd and stated:
            table[f"sd_{name}"] = np.full(len(run.t), sd)
    return table


PENDULUM = lb.load("double-pendulum").set(g=1.1, l2=0.8, m2=1.3)


def rod(angle: float = 0.6) -> lb.Model:
    """A pendulum whose start is written by its angle."""
    return lb.Model.parse(f"""
[parameters]
g = 1.2
l = 1.0
angle = {angle}
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "g*y"
constraints = ["x^2 + y^2 - l^2"]
[initial]
q = ["l*sin(angle)", "-l*cos(angle)"]
v = [0, 0]
[run]
method = "rattle"
""", "rod")


def spring(**parameters: float) -> lb.Model:
    lines = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    return lb.Model.parse(f"""
[parameters]
{lines}
unused = 3.0
[coordinates]
q = ["x"]
[dynamics]
mass = 2.0
potential = "(a + b)*x^2/2"
[initial]
q = [1.0]
v = [0.0]
[run]
method = "verlet"
""", "spring")
