"""Runs of mechanisms that start where another one ended: angles go on counting, motions are compared at that time."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import libration as lb

FLYWHEEL = """
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1.2, 1.5]
omega = [0, 0, 20]
[[joint]]
name = "h"
type = "revolute"
between = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[spring]]
joint = "h"
stiffness = 2
[observables]
a = "h.angle"
[run]
method = "rattle"
step = 0.002
duration = 1
"""

CRANK = """
[[body]]
name = "crank"
planar = true
mass = 1
inertia = 0.1
com = [0.5, 0]
[[joint]]
name = "main"
type = "revolute"
between = ["ground", "crank"]
at = [0, 0, 0]
motion = "1.3*t + 0.2*t^2"
[run]
method = "rattle"
step = 0.01
duration = 1
"""

# Of 1000 steps of a spring that turns by 0.03 rad in each, in which a restart loses only low parts of q and predictors.
ROUNDING = 1e-11


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", lb.LibrationWarning)
        yield


@pytest.mark.parametrize("backend", ["interpreted", "generated"])
def test_a_wound_spring_stays_wound(backend: str, tmp_path: Path) -> None:
    model = lb.Model.parse(FLYWHEEL)
    whole: Any = model.run(duration=2, backend=backend)
    first: Any = model.run(out=tmp_path / "first.h5", backend=backend)
    assert first["a"][-1] > 4 * np.pi  # two turns: the principal value would be another one
    for start in (first, lb.open(tmp_path / "first.h5")):
        second: Any = model.run(start=start, steps=500, out=tmp_path / "second.h5", overwrite=True, backend=backend)
        assert abs(second["a"][0] - first["a"][-1]) < 1e-12
        assert abs(second.energy[0] - first.energy[-1]) < 1e-9  # of 400 J in the spring and the wheel
        assert abs(second["a"][-1] - whole["a"][-1]) < ROUNDING
    # The file knows where it started.
    opened: Any = lb.open(tmp_path / "second.h5")
    assert abs(opened["a"][0] - first["a"][-1]) < 1e-12
    longer: Any = lb.resume(tmp_path / "second.h5", steps=600)
    np.testing.assert_array_equal(longer["a"], model.run(start=first, steps=600, backend=backend)["a"])
    third: Any = opened.model.run(start=opened, steps=10)
    assert abs(third["a"][0] - opened["a"][-1]) < 1e-12


def test_the_end_of_a_run_between_rows_is_known() -> None:
    model = lb.Model.parse(FLYWHEEL)
    first: Any = model.run(at=[0.1, 0.5])
    assert abs(model.run(start=first, steps=1)["a"][0] - model.run()["a"][-1]) < 1e-12


def test_angles_are_set_in_turns_only() -> None:
    model = lb.Model.parse(FLYWHEEL)
    assert model.set({"h.angle": "6*pi"}).run(steps=1)["a"][0] == pytest.approx(6 * np.pi, abs=1e-12)
    again = lb.Model.parse(model.set({"h.angle": "6*pi"}).to_toml())
    assert again.run(steps=1)["a"][0] == pytest.approx(6 * np.pi, abs=1e-12)
    with pytest.raises(lb.InputError, match="up to turns: it can start at 0, and at whole turns from there"):
        model.set({"h.angle": 0.5})


def test_a_run_that_did_not_count_is_said() -> None:
    free = lb.Model.parse(FLYWHEEL.replace('[[spring]]\njoint = "h"\nstiffness = 2\n', "").replace(
        '[observables]\na = "h.angle"\n', ""))
    first = free.run()
    with pytest.warns(lb.LibrationWarning, match=r"that run did not count the turns of h.angle"):
        lb.Model.parse(FLYWHEEL).run(start=first, steps=1)


def test_a_motion_is_compared_at_the_time_of_the_start() -> None:
    model = lb.Model.parse(CRANK)
    first: Any = model.run(project=True)
    second: Any = model.run(start=first, steps=50)
    assert second.t[0] == first.t[-1]
    assert abs(second.q[-1][2] - (1.3 * 1.5 + 0.2 * 1.5**2)) < 1e-9
    # Half a turn away, where sin(angle - motion) is zero, too.
    with pytest.raises(lb.InputError, match="main starts at main.angle = 3.14.*, but its motion at 0|main.motion"):
        model.set({"crank.angle": "pi", "crank.r.x": -0.5}).run(steps=1)
