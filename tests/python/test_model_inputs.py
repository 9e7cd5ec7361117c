"""What people hand to lb.Model, model.run and model.ensemble: functions, conditions, tables of pandas, texts, flags."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import libration as lb

pandas = pytest.importorskip("pandas")

x, y = lb.coordinates("x y")
g, l = lb.parameters("g l")  # noqa: E741
ROD = x**2 + y**2 - l**2


def pendulum(**changes: Any) -> lb.Model:
    arguments: dict[str, Any] = {
        "q": [x, y], "mass": 1, "potential": g * y, "constraints": [ROD], "parameters": {g: 1, l: 1},
        "initial": {"q": [1, 0]}, "run": {"method": "rattle", "step": 0.01, "steps": 5},
    }
    arguments.update(changes)
    return lb.Model(**arguments)


def refused(kind: type[Exception], *words: str, **changes: Any) -> None:
    with pytest.raises(kind) as caught:
        pendulum(**changes)
    for word in words:
        assert word in str(caught.value), str(caught.value)


# Functions.


def test_only_an_argument_that_is_called_so_is_the_time() -> None:
    refused(ValueError, "potential(q)", "potential(q, t)", "q is one array: x, y = q", potential=lambda x, y: y)
    assert pendulum(potential=lambda q, t: t * q[1]) == pendulum(potential=lb.t * y)
    assert pendulum(potential=lambda q, time: time * q[1]) == pendulum(potential=lb.t * y)
    assert pendulum(potential=lambda q, *, t: t * q[1]) == pendulum(potential=lb.t * y)
    refused(ValueError, "q is one array", constraints=lambda x, y: x**2 + y**2 - 1)
    refused(ValueError, "kinetic(q, v)", mass=None, kinetic=lambda q, v, w: v @ v)


def test_functions_stand_wherever_a_formula_does() -> None:
    def wire(q: Any) -> Any:
        return q[0] ** 2 + q[1] ** 2 - l**2

    assert pendulum(constraints={"wire": wire}) == pendulum(constraints={"wire": ROD})
    assert pendulum(constraints=[wire]) == pendulum()
    assert pendulum(mass=[lambda q: 1, lambda q: 2]) == pendulum(mass=[1, 2])
    assert pendulum(observables={"r": lambda q: q[0]}) == pendulum(observables={"r": x})
    turning = x * lb.momentum(y) - y * lb.momentum(x)
    assert pendulum(invariants={"L": lambda p, q: q[0] * p[1] - q[1] * p[0]}) == pendulum(invariants={"L": turning})
    pull = pendulum(observables={"s": lb.multiplier(1) * lb.t})
    assert pendulum(observables={"s": lambda lam, t: lam[0] * t}) == pull
    named = pendulum(constraints={"rod": wire}, observables={"s": lambda lam: lam[0]})
    assert named == pendulum(constraints={"rod": ROD}, observables={"s": lb.multiplier("rod")})
    assert pendulum(events={"low": {"when": lambda v: v[1]}}) == pendulum(events={"low": {"when": lb.velocity(y)}})
    damper = {"class": "dissipative", "on": {x: -lb.velocity(x), y: -lb.velocity(y)}}
    assert pendulum(forces={"air": {**damper, "on": lambda v: -v}}) == pendulum(forces={"air": damper})
    single = {**damper, "on": {x: lambda v: -v[0], y: lambda v: -v[1]}}
    assert pendulum(forces={"air": single}) == pendulum(forces={"air": damper})


def test_a_function_with_other_arguments_is_told_their_names() -> None:
    refused(ValueError, "observables['r']", "(x)", "q, p, v, t, lam", observables={"r": lambda x: x})
    refused(ValueError, "q, p, v, t, lam", invariants={"L": lambda q, momentum: q[0] * momentum[1]})


def test_an_array_of_coordinates_is_taken_row_by_row() -> None:
    beads = np.array([[lb.symbol(f"x{k}"), lb.symbol(f"y{k}")] for k in range(20)], dtype=object)
    model = lb.Model(q=beads, mass=1, potential=beads[:, 1].sum(), initial={"q": np.zeros((20, 2))})
    assert model.coordinates[:4] == ("x0", "y0", "x1", "y1") and model.dimension == 40


def test_functions_that_cannot_take_expressions_are_named() -> None:
    words = ("'heaviside' needs numerical values", "lb.where", "lb.external")
    refused(ValueError, *words, potential=lambda q: np.heaviside(q[1], 0.5))
    refused(ValueError, "'det' needs numbers", "lb.external", potential=lambda q: np.linalg.det(np.outer(q, q)))
    special = pytest.importorskip("scipy.special")
    refused(ValueError, "'erf' needs numbers", "lb.external", potential=lambda q: special.erf(q[1]))


# Conditions.


def test_a_condition_is_no_constraint_and_no_energy() -> None:
    zero = "a constraint is an expression that is zero"
    refused(lb.InputError, "constraints", zero, constraints=[x**2 + y**2 < l**2])
    refused(lb.InputError, "constraints", zero, constraints=["x^2 + y^2 == 1"])
    refused(lb.InputError, "constraint rod", zero, constraints={"rod": (x < 1) & (y < 1)})
    refused(lb.InputError, "nonholonomic", zero, nonholonomic=[lb.velocity(x) < 1])
    refused(lb.InputError, "potential", "a condition", potential=y < 1)
    refused(lb.InputError, "mass", "a condition", mass=x < 1)
    refused(lb.InputError, "mass", "a condition", mass=["g < 1", 1])
    refused(lb.InputError, "kinetic", "a condition", mass=None, kinetic=lb.velocity(x) < 1)
    refused(lb.InputError, "constraints", "x^2 + y^2 - 1", constraints=["x^2 + y^2 = 1"])
    assert pendulum(potential=lb.where(y < 0, 0, y)).dimension == 2


def test_an_equation_of_python_is_no_constraint() -> None:
    advice = "== compares two formulas in Python; write an expression that vanishes: x**2 + y**2 - l**2"
    refused(TypeError, "constraints", advice, constraints=[x**2 + y**2 == l**2])
    refused(TypeError, "constraints['rod']", advice, constraints={"rod": x**2 + y**2 == l**2})
    refused(TypeError, "constraints", advice, constraints=lambda q: [q[0] == q[1]])


def test_a_run_stops_by_a_condition_only() -> None:
    with pytest.raises(lb.InputError, match="write a condition such as x < 0"):
        pendulum().run(stop_if="x")
    for condition in ("x < 2", x < 2, "x < 2 and y < 2", "if(x < 2, 1, 0)", "not (x > 2)"):
        assert pendulum().run(stop_if=condition).steps <= 1


# Tables of pandas.


def test_a_series_is_read_by_its_labels() -> None:
    series = pandas.Series([0.0, 1.0], index=["y", "x"])
    assert pendulum(initial={"q": series}) == pendulum(initial={"q": [1.0, 0.0]})
    refused(lb.InputError, "initial['q']", "no value for x", initial={"q": series.drop("x")})
    refused(lb.InputError, "initial['q']", "'z'", initial={"q": pandas.Series([0, 1, 2], index=["y", "x", "z"])})
    assert pendulum(initial={"q": pandas.Series([1.0, 0.0])}) == pendulum(initial={"q": [1.0, 0.0]})


def test_a_data_frame_is_read_by_its_columns() -> None:
    frame = pandas.DataFrame({"y": [-0.6, 0.0], "x": [0.8, 1.0]})
    for vary in ({"q": frame}, frame):
        ensemble = pendulum().ensemble(vary=vary, trajectories=True)
        assert ensemble.trajectories is not None
        assert np.array_equal(ensemble.trajectories.q[:, 0], [[0.8, -0.6], [1.0, 0.0]])
    with pytest.raises(lb.InputError, match="'z'"):
        pendulum().ensemble(vary={"q": frame.rename(columns={"x": "z"})})
    with pytest.raises(lb.InputError, match="no column for y"):
        pendulum().ensemble(vary={"q": frame[["x"]]})


# Texts and flags.


def test_powers_in_texts_may_be_written_as_in_python() -> None:
    assert lb.parse("x**2 + 2**-y") == lb.parse("x^2 + 2^-y")
    assert pendulum(constraints=["x**2 + y**2 - l**2"]).equations() == pendulum().equations()
    assert pendulum(observables={"s": "x**2"}).run().observables["s"][0] == 1
    assert pendulum(description="**bold**").description == "**bold**"
    assert pendulum().run(stop_if="x**2 < 3").steps <= 1
    with pytest.raises(TypeError, match=r"\*\*"):
        x ^ 2


@pytest.mark.parametrize("flag", ["project", "overwrite", "force"])
def test_flags_are_true_or_false(flag: str) -> None:
    for value in ("no", 1, None):
        with pytest.raises(TypeError, match=f"{flag}="):
            pendulum().run(**{flag: value})
        with pytest.raises(TypeError, match=f"{flag}="):
            pendulum().ensemble(vary={"g": [1, 2]}, **{flag: value})
    assert pendulum().run(**{flag: np.bool_(False)}).status == "completed"


def test_trajectories_and_progress_are_flags_too() -> None:
    with pytest.raises(TypeError, match="trajectories="):
        pendulum().ensemble(vary={"g": [1, 2]}, trajectories="all")
    with pytest.raises(TypeError, match="progress="):
        pendulum().run(progress=0)
    assert pendulum().run(progress=np.bool_(False)).status == "completed"


def test_a_callback_answers_with_true_false_or_nothing() -> None:
    with pytest.raises(TypeError, match="callback.*'stop'"):
        pendulum().run(callback=lambda state: "stop")
    assert pendulum().run(callback=lambda state: np.bool_(state.t > 0.015)).status == "stopped"
    assert pendulum().run(callback=lambda state: None).status == "completed"


# Models.


def test_a_model_shows_its_initial_values() -> None:
    model = pendulum(initial={"q": ["sqrt(3)/2", "-1/2"], "v": [0.5, 0]})
    assert set(model.initial) == {"q", "v"}
    assert model.initial["q"].tolist() == [math.sqrt(3) / 2, -0.5] and model.initial["v"].tolist() == [0.5, 0]
    assert pendulum(initial={"q": [1, 0], "p": [0, 2]}).initial["p"].tolist() == [0, 2]
    assert pendulum().set(x=0.6, y=0.8).initial["q"].tolist() == [0.6, 0.8]
    assert pendulum().initial["v"].tolist() == [0, 0]


def test_a_model_says_what_to_do_instead_of_a_change() -> None:
    with pytest.raises(AttributeError, match="name="):
        pendulum().name = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="model.set"):
        pendulum().g = 3  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="set x=, y="):
        pendulum().set(q=[0, 1])


def test_names_that_no_model_takes_are_refused_at_once() -> None:
    for name in ("p_0", "v_x", "lambda_rod"):
        for make in (lb.parameters, lb.coordinates):
            with pytest.raises(ValueError, match="reserved for"):
                make(name)
    refused(lb.InputError, "constraints", "my rod", constraints={"my rod": ROD})


def test_numbers_that_no_expression_can_be_are_equal_to_none() -> None:
    for number in (float("nan"), float("inf"), 2**2000):
        assert not x == number and x != number
    assert x not in [float("inf")]
    assert x in [1, x]


SET_TEXT = '''
description = """
A text with the line
[set]
g = 5
in it"""
[parameters]
g = 1
[coordinates]
q = ["x"]
{header}
g = 2  # [not a section]
[dynamics]
mass = 1
potential = "g*x"
[initial]
q = [0]
'''


@pytest.mark.parametrize("header", ["[set]", "[ set ]", '["set"]', "[set] # values", "  [set]"])
def test_values_that_a_file_sets_can_be_replaced(header: str, tmp_path: Path) -> None:
    model = lb.Model.parse(SET_TEXT.replace("{header}", header))
    assert model.parameters == {"g": 2}
    other = model.set(g=3, v_x=1)
    assert other.parameters == {"g": 3} and "in it" in other.description
    other.save(tmp_path / "other.toml")
    again = lb.load(tmp_path / "other.toml")
    assert again.parameters == {"g": 3} and again.initial["v"].tolist() == [1]
    assert again.description == other.description
    assert again.set(p_x=2).initial["p"].tolist() == [2]


def test_a_comment_above_the_next_section_stays() -> None:
    text = SET_TEXT.replace("{header}", "[set]").replace("[dynamics]", "# What moves it.\n[dynamics]")
    assert "# What moves it.\n[dynamics]" in lb.Model.parse(text).set(g=3).to_toml()
    text = text.replace("mass = 1\n", 'mass = 1\n[dynamics.potential]\nslow = "x"\n').replace('potential = "g*x"', "")
    assert lb.Model.parse(text).set(g=4).parameters == {"g": 4}


def test_values_that_stand_in_a_line_can_be_told_from_a_section() -> None:
    model = lb.Model.parse('set = { g = 2 }' + SET_TEXT.replace("{header}\ng = 2  # [not a section]\n", ""))
    assert model.parameters == {"g": 2} and model == model
    with pytest.raises(lb.InputError, match="write these values as a section"):
        model.set(g=3)


def test_values_may_be_written_in_several_lines(tmp_path: Path) -> None:
    model = pendulum().set(g="1 +\n    2")
    assert model.parameters["g"] == 3
    model.run(out=tmp_path / "run.h5")
    assert lb.open(tmp_path / "run.h5").model.parameters["g"] == 3
    assert lb.Model.parse(model.to_toml()) == model
