"""Gradients in Python are those of the program."""

from __future__ import annotations

import libration as lb
import pytest
from command_line import answer


def test_values_are_those_of_the_program() -> None:
    found = lb.gradient("double-pendulum", "x2^2 + v_y1", by=["g", "m1", "theta1"], step=0.02, steps=50)
    options = ("--loss", "x2^2 + v_y1", "--by", "g,m1,theta1", "--step", 0.02, "--steps", 50)
    expected = answer("gradient", "double-pendulum", *options)
    assert found.gradient == expected["gradient"]
    assert (found.loss, found.mode, found.steps) == (expected["loss"], "backward", 50)
    assert found["g"] == found.gradient["g"]
    assert "d/d theta1" in repr(found) and "d/d theta1" in found._repr_html_()


def test_a_model_of_expressions_and_a_loss_of_expressions() -> None:
    x, y = lb.coordinates("x y")
    g, length = lb.parameters("g length")
    model = lb.Model(
        q=[x, y], mass=1, potential=g * y, constraints=[x**2 + y**2 - length**2], parameters={g: 9.81, length: 2.0},
        initial={"q": [length, 0], "v": [0, 0]},
    )
    found = lb.gradient(model, x**2 + y, by=[g, length], method="lobatto(3)", step=0.02, steps=50)
    change = 1e-6
    for name, value in (("g", 9.81), ("length", 2.0)):
        more, less = (
            lb.gradient(model.set({name: value + sign * change}), x**2 + y, by="g", method="lobatto(3)", step=0.02,
                        steps=50).loss
            for sign in (1, -1)
        )
        # Third derivatives are of the order of 10 at most.
        assert found[name] == pytest.approx((more - less) / (2 * change), abs=1e-7)


def test_mistakes_are_told_in_the_words_of_python() -> None:
    with pytest.raises(lb.InputError, match="by=\"gg\": the model has no parameter 'gg'"):
        lb.gradient("pendulum", "x", by="gg", step=0.1, steps=1)
    with pytest.raises(lb.InputError, match="project=True"):
        lb.gradient("triple-pendulum", "x3", step=0.1, steps=1)
    with pytest.raises(TypeError, match="expected an expression or a text"):
        lb.gradient("pendulum", 3.0, step=0.1, steps=1)


def test_no_digit_left_is_an_error() -> None:
    with pytest.raises(lb.IntegrationError, match="no correct digit is left"):
        lb.gradient(lb.load("henon-heiles").set(H0="1/6"), "x", by="y0", step=0.1, steps=20000)


def test_list_parameters_have_arrays() -> None:
    found = lb.gradient("uneven-chain", "r[9].x", by=["m", "l", "g"], step=0.01, steps=20)
    expected = answer("gradient", "uneven-chain", "--loss", "r[9].x", "--by", "m,l,g", "--step", 0.01, "--steps", 20)
    assert found["m"].shape == (10,) and found["l"].tolist() == expected["gradient"]["l"]
    assert found["l[3]"] == found["l"][3] == pytest.approx(
        lb.gradient("uneven-chain", "r[9].x", by="l[3]", step=0.01, steps=20)["l[3]"], rel=1e-12
    )
    assert "d/d l" in repr(found)
    with pytest.raises(lb.InputError, match="the list has elements 0 to 9"):
        lb.gradient("uneven-chain", "r[9].x", by="m[10]", step=0.01, steps=1)
