"""Functions that cannot be traced: called with numbers, with derivatives of their own."""

from __future__ import annotations

import gc
import weakref
from typing import Any, Callable

import numpy as np
import pytest

import libration as lb

pytestmark = pytest.mark.filterwarnings("ignore::libration.LibrationWarning")

x, y = lb.coordinates("x y")


def rod(q: np.ndarray) -> Any:
    return q @ q - 1


def rod_jacobian(q: np.ndarray) -> Any:
    return 2 * q


def height(q: np.ndarray) -> Any:
    return q[1]


def height_gradient(q: np.ndarray) -> Any:
    return [0.0, 1.0]


def pendulum(**changes: Any) -> lb.Model:
    given = {"q": [x, y], "mass": 1, "potential": y, "constraints": [x**2 + y**2 - 1], "initial": {"q": [1, 0]}}
    return lb.Model(**{**given, **changes})


def weight(
    value: Callable[[np.ndarray], Any] = height, gradient: Callable[[np.ndarray], Any] = height_gradient
) -> Any:
    return lb.external(value, gradient=gradient)


def pendulum_of_functions(**changes: Any) -> lb.Model:
    return pendulum(
        **{"potential": weight(), "constraints": lb.external(rod, jacobian=rod_jacobian, rows=1), **changes}
    )


@pytest.mark.parametrize("method", ["rattle", "shake", "lobatto(3)", "compose(rattle, kahanli8)"])
def test_functions_move_a_pendulum_like_the_same_formulas(method: str) -> None:
    formulas = pendulum().run(method, step=0.01, steps=1000)
    functions = pendulum_of_functions().run(method, step=0.01, steps=1000)
    assert np.abs(functions.q - formulas.q).max() < 1e-12
    assert np.abs(functions.lam - formulas.lam).max() < 1e-9


def test_a_run_says_that_it_calls_functions() -> None:
    with pytest.warns(lb.LibrationWarning, match="the potential of the model cannot be traced"):
        run = pendulum(potential=weight()).run("rattle", step=0.01, steps=10)
    assert "cannot be traced" in run.summary["backend"]["reason"]


def test_multipliers_and_names_come_with_the_constraints() -> None:
    constraints = lb.external(
        rod, jacobian=rod_jacobian, names=["rod"], curvature=lambda q, v: 2 * (v @ v)
    )
    model = pendulum(constraints=constraints)
    assert list(model.multipliers) == ["lambda_rod"]
    exact = pendulum().run("rattle", step=0.01, steps=100)
    assert np.abs(model.run("rattle", step=0.01, steps=100).lam - exact.lam).max() < 1e-13


def test_functions_see_positions_that_they_cannot_change() -> None:
    seen = []

    def careless(q: np.ndarray) -> float:
        seen.append((q.shape, q.dtype, q.flags.writeable))
        q[0] = 7
        return q[1]

    with pytest.raises(ValueError, match="read-only"):
        pendulum(potential=weight(careless)).run("rattle", step=0.01, steps=10)
    assert seen[0] == ((2,), np.dtype(float), False)


class TableEnds(Exception):
    pass


def test_what_a_function_raises_comes_out_as_it_was() -> None:
    def ends(q: np.ndarray) -> Any:
        if q[1] < -0.5:
            raise TableEnds("below the table", 42)
        return [0.0, 1.0]

    with pytest.raises(TableEnds) as caught:
        pendulum(potential=weight(gradient=ends)).run("rattle", step=0.01, steps=1000)
    assert caught.value.args == ("below the table", 42)
    assert caught.traceback[-1].name == "ends"


@pytest.mark.parametrize(
    "result, message",
    [
        ([1.0, 2.0, 3.0], r"gradient of the external potential must return an array of shape \(2,\), not \(3,\)"),
        (1.0, r"shape \(2,\), not \(\)"),
        ([1j, 2.0], "must return real numbers"),
        (["a", "b"], "must return real numbers"),
        (None, "must return real numbers"),
    ],
)
def test_results_of_another_kind_are_refused_by_the_name_of_the_function(result: Any, message: str) -> None:
    with pytest.raises(lb.InputError, match=message):
        pendulum(potential=weight(gradient=lambda q: result)).run("rattle", step=0.01, steps=10)


def test_a_gradient_that_does_not_fit_is_refused() -> None:
    with pytest.raises(lb.InputError, match="gradient of the external potential with respect to y is inconsistent"):
        pendulum(potential=weight(gradient=lambda q: [0.0, -1.0])).run("rattle", step=0.01, steps=10)


def test_numbers_that_are_not_finite_fail_the_run() -> None:
    def broken(q: np.ndarray) -> Any:
        return [0.0, np.nan if q[1] < -0.5 else 1.0]

    with pytest.raises(lb.IntegrationError) as caught:
        pendulum(potential=weight(gradient=broken)).run("rattle", step=0.01, steps=1000)
    assert caught.value.failure["kind"] == "not-finite"
    assert np.isfinite(caught.value.run.q).all()


def test_an_ensemble_calls_the_functions_from_its_threads() -> None:
    model = pendulum_of_functions()
    speeds = [0.0, 0.1, 0.2, 0.3]
    ensemble = model.ensemble("rattle", vary={"v_y": speeds}, step=0.01, steps=200, threads=2)
    for number, speed in enumerate(speeds):
        alone = model.set(v_y=speed).run("rattle", step=0.01, steps=200)
        assert (np.asarray(ensemble.q[number]) == alone.q[-1]).all()


def test_what_needs_derivatives_or_digits_refuses_functions() -> None:
    model = pendulum_of_functions()
    with pytest.raises(lb.InputError, match="cannot be traced"):
        model.run("dirac-gauss(1)", step=0.01, steps=10)
    with pytest.raises(lb.InputError, match="cannot be traced"):
        model.certify("rattle")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "brings its derivative"),
        ({"gradient": height_gradient, "jacobian": rod_jacobian}, "not both"),
        ({"gradient": height_gradient, "rows": 1}, "are for constraints"),
        ({"jacobian": rod_jacobian}, "rows="),
        ({"jacobian": rod_jacobian, "rows": 1, "names": "rod"}, "names must be a list"),
    ],
)
def test_incomplete_functions_are_refused_where_they_are_given(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lb.external(height, **arguments)


def test_a_potential_is_no_constraint() -> None:
    with pytest.raises(ValueError, match="gradient"):
        pendulum(potential=lb.external(rod, jacobian=rod_jacobian, rows=1))
    with pytest.raises(ValueError, match="jacobian"):
        pendulum(constraints=weight())


def test_functions_are_let_go_with_their_model() -> None:
    class Table:
        def __call__(self, q: np.ndarray) -> Any:
            return q[1]

    table = Table()
    left = weakref.ref(table)
    model = pendulum(potential=weight(table))
    model.run("rattle", step=0.01, steps=5)
    del model, table
    gc.collect()
    assert left() is None
