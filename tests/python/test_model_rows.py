"""Lists of masses, constraints that are vectors, and forces over indices, as lb.Model takes them."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np
import pytest

TEXT = """
[parameters]
c = 0.5
m = [1, 2, 4]
[points]
a = { count = 3, dimension = 2, mass = "m[i]" }
b = { count = 3, dimension = 2, mass = [1, 2, "1/2"] }
[dynamics]
constraints = { joint = "a[0] - b[0]" }
[[energy]]
for = "i in 0..2"
term = "a[i].y + b[i].x^2"
[[constraint]]
for = "i in 1..2"
name = "pin"
equation = "a[i] - b[i]"
[[forces]]
name = "air"
class = "dissipative"
for = "i in 0..2"
on = { "a[i]" = "-c*v_a[i]", "b[i].x" = "-c*v_b[i].x" }
[observables]
pull = "lambda_joint.x + lambda_pin[2].y"
[initial.a]
for = "i in 0..2"
q = ["i", 0]
v = [0, "1 + i"]
[initial.b]
for = "i in 0..2"
q = ["i", 0]
v = [0, "1 + i"]
[run]
method = "spark(2)"
step = 0.01
steps = 10
"""

i = lb.symbol("i")
a, b, c = lb.points("a", 2), lb.points("b", 2), lb.symbol("c")
AIR = {"class": "dissipative", "for": "i in 0..2",
       "on": {"a[i]": -c * lb.velocity(a[i]), "b[i].x": -c * lb.velocity(b[i])[0]}}


def pins(**changes: Any) -> lb.Model:
    start = {"for": "i in 0..2", "q": [i, 0], "v": [0, 1 + i]}
    given: dict[str, Any] = {
        "name": "model", "parameters": {"c": 0.5, "m": [1, 2, 4]},
        "points": {"a": {"count": 3, "dimension": 2, "mass": lb.listed("m")[i]},
                   "b": {"count": 3, "dimension": 2, "mass": [1, 2, "1/2"]}},
        "constraints": {"joint": a[0] - b[0]},
        "families": [{"for": "i in 0..2", "energy": a[i][1] + b[i][0] ** 2},
                     {"for": "i in 1..2", "name": "pin", "constraint": a[i] - b[i]}],
        "forces": {"air": AIR}, "observables": {"pull": "lambda_joint.x + lambda_pin[2].y"},
        "initial": {"a": start, "b": start}, "run": {"method": "spark(2)", "step": 0.01, "steps": 10},
    }
    return lb.Model(**{**given, **changes})


def test_it_is_the_model_of_its_text() -> None:
    model, text = pins(), lb.Model.parse(TEXT)
    assert model.multipliers == text.multipliers
    assert model.multipliers[:2] == ("lambda_joint.x", "lambda_joint.y") and "lambda_pin[2].y" in model.multipliers
    ours, theirs = model.run(), text.run()
    for name in ("q", "p", "lam"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert lb.Model.parse(model.to_toml()) == model
    # All velocities are damped: what the forces take away is missing in the end.
    assert ours.energy[-1] < ours.energy[0] - 0.01


def test_masses_may_be_an_array_and_follow_their_parameters() -> None:
    array = pins(points={"a": {"count": 3, "dimension": 2, "mass": np.array([1.0, 2.0, 4.0])},
                         "b": {"count": 3, "dimension": 2, "mass": [1, 2, "1/2"]}})
    assert np.array_equal(array.run().q, pins().run().q)
    heavy = pins(points={"a": {"count": 3, "dimension": 2, "mass": [1, 2, lb.symbol("c")]},
                         "b": {"count": 3, "dimension": 2, "mass": 1}})
    many = heavy.ensemble("spark(2)", vary={"c": [0.5, 2.0]}, step=0.01, steps=10)
    for number, value in enumerate((0.5, 2.0)):
        assert np.array_equal(many.q[number], heavy.set(c=value).run().q[-1])
    assert not np.array_equal(many.q[0], many.q[1])


def test_forces_may_be_a_list() -> None:
    assert pins(forces=[{"name": "air", **AIR}]) == pins()
    table = {"class": "dissipative", "for": "(i, j) in pairs", "pairs": [[0, 1], [1, 2]],
             "on": {"a[i]": "c*(v_a[j] - v_a[i])", "a[j]": "c*(v_a[i] - v_a[j])"}}
    run = pins(forces={"air": table}, families=None, constraints=None, observables=None).run()
    # Internal forces: the horizontal momentum of a stays what it was.
    assert np.allclose(run.p[:, 0:6:2].sum(axis=1), 0, atol=1e-14)


def test_a_list_of_vectors_is_a_list_of_rows() -> None:
    numbered = pins(constraints=[a[0] - b[0], a[1][0] - b[1][0]], families=None, observables=None)
    assert numbered.multipliers == ("lambda_1", "lambda_2", "lambda_3")


CASES: list[tuple[dict[str, Any], type[Exception], list[str]]] = [
    ({"points": {"a": {"count": 3, "dimension": 2, "mass": [1, 2]}}}, ValueError,
     ["points['a']", "3 points and 2 masses"]),
    ({"forces": [{"class": "stiff", "on": {"a[0]": 0}}]}, TypeError, ["forces[0]", "'name'"]),
    ({"forces": {"air": {**AIR, "for": "i in 0..3"}}}, ValueError, ["forces['air']", "a[3] does not exist"]),
    ({"forces": {"air": {**AIR, "class": "damping"}}}, ValueError, ["forces['air']", "did you mean 'dissipative'?"]),
    ({"forces": {"air": {"for": "i in 0..2", "on": AIR["on"]}}}, ValueError, ["forces['air']", "'class'", "friction"]),
    ({"constraints": {"joint": "v_a[0]"}}, ValueError, ["constraints['joint']", "is a velocity", "nonholonomic"]),
    ({"observables": {"pull": "lambda_joint.z"}}, ValueError, ["observables['pull']", "'z'"]),
]


@pytest.mark.parametrize("changes, kind, words", CASES, ids=[f"{k}-{'-'.join(c)}" for k, (c, _, _) in enumerate(CASES)])
def test_what_is_wrong_is_named_with_its_argument(
    changes: dict[str, Any], kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        pins(**changes)
    for word in words:
        assert word in str(caught.value), str(caught.value)
    assert "`" not in str(caught.value) and "[[" not in str(caught.value)


def test_habits_are_told_in_the_words_of_python() -> None:
    x, y = lb.coordinates("x y")
    for value, words in ((lb.symbol("x_dot"), "lb.velocity(x)"), (lb.symbol("dx"), "lb.velocity(x)"),
                         (lb.symbol("time") * x, "lb.t"), ("2 x", "write 2*x"), ("x_dot", "v_x"),
                         ("0,04*x", "write 0.04"), ("30 deg", "30*pi/180")):
        with pytest.raises(ValueError, match="unknown name|expected|decimal|radians") as caught:
            lb.Model(q=[x, y], mass=1, potential=y, observables={"o": value}, initial={"q": [1, 0]})
        assert words in str(caught.value) and "observables['o']" in str(caught.value), str(caught.value)
