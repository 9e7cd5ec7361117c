"""Arguments of another kind than they should be: InputError or TypeError, with their name."""

from __future__ import annotations

from typing import Any

import libration as lb
import pytest
from libration import _core

pytestmark = pytest.mark.filterwarnings("ignore::libration.LibrationWarning")

VARY = {"g": "uniform(0.9, 1.1)"}


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return lb.load("pendulum")


@pytest.mark.parametrize(
    ("name", "value"),
    [("count", "a"), ("count", 10**30), ("count", 2**63), ("count", 1.5), ("count", float("nan")), ("count", [3]),
     ("steps", 10**30), ("steps", "x"), ("steps", -(2**70)), ("monitor", 2**70), ("every", 2**70), ("backend", 3),
     ("threads", "x"), ("threads", 2**70), ("step", "q"), ("duration", []), ("seed", "s"), ("seed", 2**64),
     ("method", 3)],
)
def test_an_ensemble_says_which_argument_is_wrong(pendulum: Any, name: str, value: Any) -> None:
    options: Any = {"count": 10, "step": 0.01, "steps": 10, "trajectories": True, name: value}
    if name == "duration":
        del options["steps"]
    with pytest.raises((lb.InputError, TypeError), match=name):
        pendulum.ensemble(vary=VARY, **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("steps", 10**30), ("steps", "x"), ("steps", 1.5), ("every", 2**70), ("monitor", 2**63), ("backend", 3),
     ("step", "q"), ("step", []), ("step", 10**400), ("duration", "long"), ("tol", "t"), ("at", ["x"]),
     ("at", object()), ("adaptive", 3), ("estimator", 3), ("method", 3)],
)
def test_a_run_says_which_argument_is_wrong(pendulum: Any, name: str, value: Any) -> None:
    options: Any = {"step": 0.01, "steps": 10, name: value}
    if name == "duration":
        del options["steps"]
    with pytest.raises((lb.InputError, TypeError), match=name):
        pendulum.run(**options)


def test_whole_numbers_may_be_written_as_floats(pendulum: Any) -> None:
    assert len(pendulum.ensemble(vary=VARY, count=10.0, step=0.01, steps=1e1)) == 10
    assert pendulum.run(step=0.01, steps=1e1).steps == 10


def test_functions_of_the_user_reach_every_trajectory_of_an_ensemble() -> None:
    x, y = lb.coordinates("x y")
    weight = lb.external(lambda q: 3 * float(q[1]), gradient=lambda q: [0.0, 3.0])
    model = lb.Model(q=[x, y], mass="m", potential=weight, parameters={"m": 1}, initial={"q": [0, 0]},
                     run={"method": "verlet", "step": 0.1, "duration": 1})
    ensemble = model.ensemble(vary={"m": [1.0, 2.0]})
    for k, mass in enumerate((1.0, 2.0)):
        assert ensemble.q[k].tolist() == model.set(m=mass).run().q[-1].tolist()
        assert ensemble.q[k][1] == pytest.approx(-1.5 / mass)


def test_external_functions_cannot_be_made_without_content() -> None:
    for kind in (_core.Model, _core.State, _core.RunResult, _core.EnsembleResult):
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            object.__new__(kind)
    empty = _core.External.__new__(_core.External)
    with pytest.raises(lb.InputError):
        _core.Model.parse("", "nothing", [], empty)
    with pytest.raises(TypeError):
        object.__new__(_core.External)
