"""Choices in Python are those of the program."""

from __future__ import annotations

import math

import libration as lb
import pytest
from command_line import answer, without


def oscillator() -> lb.Model:
    x = lb.coordinates("x")
    return lb.Model(q=[x], mass=1, potential=2 * x**2, initial={"q": [1], "v": [0]})


def test_choice_is_that_of_the_program() -> None:
    choice = lb.choose("kepler", error=1e-5, duration=20)
    expected = answer("choose", "kepler", "--error", "1e-5", "--duration", 20)
    assert (choice.method, choice.step, choice.steps) == (expected["method"], expected["step"], expected["steps"])
    assert choice.reason == expected["reason"]
    assert [row.method for row in choice.candidates] == [row["method"] for row in expected["candidates"]]
    assert choice.candidates[0].verdict == "chosen"
    assert choice.horizon is None
    assert choice.method in repr(choice) and choice.method in choice._repr_html_()
    assert without(dict(choice.predicted), "seconds") == without(expected["predicted"], "seconds")


def test_run_chooses_what_is_missing() -> None:
    model = oscillator()
    run = model.run(error=1e-7, duration=20)
    choice = model.choose(error=1e-7, duration=20)
    assert (run.summary["method"], run.summary["chosen"]["reason"]) == (choice.method, choice.reason)
    assert abs(run.q[-1, 0] - math.cos(40)) <= 1.1e-7
    same = model.run(choice.method, step=choice.step, duration=choice.duration)
    assert (same.q[-1] == run.q[-1]).all()
    assert "chosen" not in same.summary


def test_model_alone_runs_a_hundred_periods() -> None:
    run = oscillator().run()
    assert run.t[-1] == pytest.approx(100 * math.pi, rel=0.02)
    assert abs(run.q[-1, 0] - math.cos(2 * run.t[-1])) <= 1e-6


def test_auto_in_ensembles() -> None:
    many = lb.load("kepler").ensemble("auto", vary={"e": [0.5, 0.6]}, error=1e-4, duration=20)
    choice = lb.choose("kepler", error=1e-4, duration=20)
    assert many.summary["method"] == choice.method


def test_functions_of_python_take_part() -> None:
    x = lb.coordinates("x")
    spring = lb.external(lambda q: 2 * q[0] ** 2, gradient=lambda q: [4 * q[0]])
    model = lb.Model(q=[x], mass=1, potential=spring, initial={"q": [1], "v": [0]})
    with pytest.warns(lb.LibrationWarning, match="cannot be traced"):
        run = model.run(error=1e-4, duration=5)
    assert abs(run.q[-1, 0] - math.cos(10)) <= 1e-4


def test_refusals() -> None:
    with pytest.raises(lb.InputError, match="error=0"):
        oscillator().choose(error=0)
    with pytest.raises(lb.InputError, match="closest"):
        lb.choose("kepler", error=1e-6, duration=20, step=0.9)
    with pytest.raises(TypeError, match="energy_eror"):
        lb.choose("kepler", energy_eror=1)  # type: ignore[call-arg]
