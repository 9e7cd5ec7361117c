"""What lb.Model says when something is wrong: the kind of error, the argument, and what to do."""

from __future__ import annotations

import functools
import math
from typing import Any, Callable

import numpy as np
import pytest

import libration as lb

x, y, z = lb.coordinates("x y z")
k = lb.symbol("k")
START = {"q": [1, 0]}


def model(**changes: Any) -> lb.Model:
    arguments: dict[str, Any] = {"q": [x, y], "mass": 1, "potential": y, "initial": START}
    arguments.update(changes)
    return lb.Model(**arguments)


def by_float(q: Any) -> Any:
    return math.sin(q[0])


def by_branch(q: Any) -> Any:
    if q[0] > 0:
        return q[0]
    return -q[0]


def without_return(q: Any) -> Any:
    q[0] + 1


def out_of_range(q: Any) -> Any:
    return q[2]


def of_three(q: Any, a: Any, b: Any) -> Any:
    return a * q[0] + b


rod = lb.external(lambda q: q @ q - 1, jacobian=lambda q: 2 * q, rows=1)
height = lb.external(lambda q: q[1], gradient=lambda q: np.array([0.0, 1.0]))

CASES: list[tuple[dict[str, Any], type[Exception], list[str]]] = [
    # Arguments that do not exist or are missing.
    ({"potental": y}, TypeError, ["'potental'", "did you mean 'potential'?"]),
    ({"friction": y}, TypeError, ["'friction'", "available:"]),
    ({"q": None}, TypeError, ["q=[x, y]"]),
    ({"q": [], "potential": x}, ValueError, ["coordinates"]),
    ({"q": 3}, TypeError, ["q:", "list of coordinates"]),
    ({"q": [x, 3]}, TypeError, ["q:", "symbol or a name"]),
    ({"q": [x, x + y]}, ValueError, ["q:", "x + y", "formula"]),
    ({"q": [x, x], "potential": x}, ValueError, ["q:", "'x'", "already a coordinate"]),
    ({"q": ["x", "p_y"], "potential": x}, ValueError, ["q:", "p_", "momenta"]),
    ({"q": ["x", "t"], "potential": x}, ValueError, ["q:", "time"]),
    ({"q": ["x", "a b"], "potential": x}, ValueError, ["q:", "letters"]),
    ({"initial": None}, ValueError, ["initial"]),
    ({"mass": None}, ValueError, ["masses are missing"]),
    # Names.
    ({"potential": k * y}, ValueError, ["potential:", "unknown name 'k'", "parameters={'k': ...}"]),
    ({"potential": "k*y"}, ValueError, ["potential:", "unknown name 'k'"]),
    ({"potential": z}, ValueError, ["potential:", "'z'", "q=[x, y, z]"]),
    ({"potential": lb.symbol("grav"), "parameters": {"gravi": 1}}, ValueError, ["'grav'", "did you mean 'gravi'?"]),
    ({"constraints": [x - k]}, ValueError, ["constraints", "'k'"]),
    ({"constraints": {"rod": x - k}}, ValueError, ["constraints['rod']", "'k'"]),
    ({"observables": {"a": lb.momentum(z)}}, ValueError, ["observables['a']", "'p_z'", "not a coordinate"]),
    ({"potential": lb.velocity(x)}, ValueError, ["potential:", "'v_x'"]),
    ({"potential": lb.momentum(x) ** 2}, ValueError, ["potential:", "p_x"]),
    ({"observables": {"x": y}}, ValueError, ["observables['x']", "already a coordinate"]),
    ({"observables": {"energy": y}}, ValueError, ["observables['energy']", "recorded anyway"]),
    ({"parameters": {"x": 1}}, ValueError, ["'x'", "cannot be used"]),
    ({"parameters": {k: 1, "k": 2}}, ValueError, ["parameters", "twice"]),
    ({"parameters": {k: "k2"}}, ValueError, ["parameters", "'k2'"]),
    ({"parameters": {"a": "b", "b": "a"}}, ValueError, ["circularly"]),
    # Kinds.
    ({"potential": True}, TypeError, ["potential:", "found True"]),
    ({"potential": None, "hamiltonian": 1j}, TypeError, ["hamiltonian:", "complex"]),
    ({"potential": object()}, TypeError, ["potential:", "object"]),
    ({"potential": [x, y]}, TypeError, ["potential:", "list"]),
    ({"potential": float("nan")}, ValueError, ["potential:", "not a finite number"]),
    ({"parameters": {k: float("inf")}}, ValueError, ["parameters['k']", "not a finite number"]),
    ({"mass": [1, 2, 3]}, ValueError, ["mass:", "3 masses", "2 coordinates"]),
    ({"mass": [[1, 2], [3, 4]]}, ValueError, ["mass:", "not symmetric"]),
    ({"mass": -1}, ValueError, ["mass:", "-1"]),
    ({"constraints": {x, y}}, TypeError, ["constraints:", "set", "list"]),
    ({"initial": {"q": [lambda q: 1, 0]}}, TypeError, ["initial['q']", "function"]),
    ({"observables": {"a": lambda r: r}}, ValueError, ["observables['a']", "function", "q, p, v, t, lam"]),
    ({"observables": [x]}, TypeError, ["observables:", "dict"]),
    ({"parameters": 3}, TypeError, ["parameters:", "{g: 9.81}"]),
    ({"name": 3}, TypeError, ["name:", "text"]),
    ({"description": "\ud800"}, ValueError, ["character"]),
    # Texts.
    ({"potential": "x +"}, ValueError, ["potential:", "found the end"]),
    ({"potential": "x***2"}, ValueError, ["potential:", "'*'"]),
    ({"potential": "sine(x)"}, ValueError, ["potential:", "unknown function 'sine'"]),
    # Contradictions.
    ({"kinetic": lb.velocity(x) ** 2}, ValueError, ["kinetic", "mass"]),
    ({"hamiltonian": lb.momentum(x) ** 2}, ValueError, ["hamiltonian"]),
    ({"initial": {"q": [1, 0], "p": [0, 0], "v": [0, 0]}}, ValueError, ["initial['v']", "not both"]),
    ({"initial": {"q": [1]}}, ValueError, ["initial['q']", "2 numbers"]),
    ({"initial": {"q": {x: 1}}}, ValueError, ["initial['q']", "no value for y"]),
    ({"initial": {"q": {x: 1, y: 0, z: 0}}}, ValueError, ["initial['q']", "'z'"]),
    ({"initial": {"q": [x, 0]}}, ValueError, ["initial['q']", "'x'"]),
    ({"initial": {"Q": [1, 0]}}, ValueError, ["initial", "'Q'"]),
    ({"initial": [1, 0]}, TypeError, ["initial:", "{'q': [1, 0]"]),
    ({"run": {"stepp": 1}}, ValueError, ["run:", "'stepp'", "did you mean 'step'?"]),
    ({"run": {"step": 0}}, ValueError, ["run:", "step"]),
    ({"forces": {"f": {"clas": "stiff"}}}, ValueError, ["forces['f']", "'clas'"]),
    ({"forces": {"f": {"class": "stif", "on": {x: x}}}}, ValueError, ["forces['f']", "did you mean 'stiff'?"]),
    ({"forces": {"f": {"class": "stiff", "on": {z: x}}}}, ValueError, ["forces['f']", "'z'"]),
    ({"forces": {"f": -x}}, TypeError, ["forces['f']", "'class'"]),
    ({"events": {"e": {"when": x, "dirction": "rising"}}}, ValueError, ["events['e']", "did you mean 'direction'?"]),
    ({"spark": {"position": "Z"}}, ValueError, ["spark", "A, B, C"]),
    ({"observables": {"a": x}, "invariants": {"a": x}}, ValueError, ["'a'", "invariants"]),
    ({"mass": None, "potential": None, "field": {"q": [x]}}, ValueError, ["field['q']", "2 coordinates"]),
    # Functions.
    ({"potential": by_float}, ValueError, ["potential:", "by_float", "math.sin(q[0])", "lb.sin", "external"]),
    ({"potential": by_branch}, ValueError, ["by_branch", "if q[0] > 0", "lb.where"]),
    ({"potential": without_return}, ValueError, ["without_return", "return"]),
    ({"potential": out_of_range}, ValueError, ["out_of_range", "IndexError", "return q[2]"]),
    ({"potential": lambda: 1}, ValueError, ["potential(q)"]),
    ({"potential": of_three}, ValueError, ["of_three", "potential(q, t)", "functools.partial"]),
    ({"potential": functools.partial(by_float)}, ValueError, ["by_float", "math.sin(q[0])"]),
    ({"potential": lambda q: q}, ValueError, ["potential:", "shape (2,)"]),
    ({"potential": lambda q: "x +"}, ValueError, ["potential:", "found the end"]),
    ({"constraints": lambda q: None}, ValueError, ["constraints:", "None"]),
    ({"constraints": by_float}, ValueError, ["constraints:", "lb.external(value, jacobian=..., rows=m)"]),
    ({"mass": None, "kinetic": rod}, TypeError, ["kinetic:", "potential and for constraints"]),
    ({"potential": rod}, ValueError, ["gradient"]),
    ({"constraints": height}, ValueError, ["jacobian"]),
]


@pytest.mark.parametrize("changes, kind, words", CASES, ids=[f"{n}-{'-'.join(c)}" for n, (c, _, _) in enumerate(CASES)])
def test_what_is_wrong_is_named_with_its_argument(
    changes: dict[str, Any], kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        model(**changes)
    message = str(caught.value)
    for word in words:
        assert word in message, message
    assert "model:" not in message, "a place in a text that nobody wrote"


OTHERS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: lb.load("pendulun"), ValueError, "did you mean 'pendulum'?"),
    (lambda: lb.load("no/such.toml"), OSError, "no/such.toml"),
    (lambda: lb.load("pendulum", gg=2), ValueError, "did you mean 'g'?"),
    (lambda: lb.load("pendulum", parameters=3), TypeError, "dict"),
    (lambda: lb.load("pendulum", parameters={"g": 1}, g=2), ValueError, "twice"),
    (lambda: lb.load("pendulum").set(g="one"), ValueError, "unknown name 'one'"),
    (lambda: lb.load("pendulum").set(g=[1]), TypeError, "g:"),
    (lambda: lb.load("pendulum").set(g=float("nan")), ValueError, "g: nan is not a finite number"),
    (lambda: lb.load("pendulum").set(w=1), ValueError, "initial values"),
    (lambda: lb.load("pendulum").set(p_x=1), ValueError, "v_x"),
    (lambda: model().set(p_x=1, v_x=1), ValueError, "either the momentum or the velocity"),
    (lambda: lb.Model.parse("[coordinates]\nq = [1]", "mine"), ValueError, "mine:2:6"),
    (lambda: lb.Model.parse("[coordinates", "mine"), ValueError, "mine:1"),
]


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_what_cannot_be_loaded_or_set_is_refused(number: int) -> None:
    call, kind, word = OTHERS[number]
    with pytest.raises(kind) as caught:
        call()
    assert word in str(caught.value)


def test_the_error_of_a_function_is_kept_as_the_cause() -> None:
    with pytest.raises(lb.InputError) as caught:
        model(potential=out_of_range)
    assert isinstance(caught.value.__cause__, IndexError)


def test_an_interrupt_in_a_function_is_none_of_our_business() -> None:
    def interrupted(q: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model(potential=interrupted)
