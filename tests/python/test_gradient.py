"""Gradients in Python are those of the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import libration as lb
import numpy as np
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


def test_adaptive_steps_are_held_fixed_and_named() -> None:
    given = {"step": 0.05, "duration": 3, "adaptive": "reversible", "tol": 1e-7, "estimator": "antisymmetric"}
    model = lb.load("kepler").set({"e": 0.6})
    backward = lb.gradient(model, "x", by="e,v_y", method="gauss(3)", **given)
    forward = lb.gradient(model, "x", by="e,v_y", method="gauss(3)", mode="forward", **given)
    assert backward.adaptive and backward.mode == "backward" and "adaptive steps" in repr(backward)
    for name in ("e", "v_y"):
        assert backward[name] == pytest.approx(forward[name], rel=1e-12)
    assert not lb.gradient(model, "x", by="e", method="gauss(3)", step=0.05, steps=5).adaptive
    with pytest.raises(lb.InputError, match="integrals or events"):
        lb.gradient(model, "integral(x)", by="e", method="gauss(3)", **given)


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


TABLE = {"t": [0.5, 0.25, 1.013], "x": [0.6, np.nan, 0.2], "atan2(y, x)": [-0.5, -0.1, np.nan], "sd_x": [0.1, 0.1, 0.2]}


def test_measurements_may_be_a_file_a_dictionary_or_a_frame(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    file = tmp_path / "measured.csv"
    frame = pandas.DataFrame(TABLE)
    frame.to_csv(file, index=False)
    options: dict[str, Any] = {"by": ["g", "l"], "step": 0.02}
    expected = answer("gradient", "pendulum", "--data", file, "--by", "g,l", "--step", 0.02)
    for table in (TABLE, frame, file, str(file)):
        found = lb.gradient("pendulum", data=table, **options)
        assert (found.gradient, found.loss, found.measured) == (expected["gradient"], expected["loss"], 4)
        slopes = lb.jacobian("pendulum", table, **options)
        assert slopes.columns == ["x", "atan2(y, x)", "atan2(y, x)", "x"]
        assert slopes.t.tolist() == [0.5, 0.5, 0.25, 1.013]
        assert slopes.measured.tolist() == [0.6, -0.5, -0.1, 0.2]
        assert slopes.sd.tolist() == [0.1, 1, 1, 0.2]
        deviations = (slopes.values - slopes.measured) / slopes.sd
        assert deviations @ deviations == pytest.approx(found.loss, rel=1e-14)
        assert slopes.names == ["g", "l"]
        assert 2 * (deviations / slopes.sd) @ slopes.matrix == pytest.approx(list(found.gradient.values()), rel=1e-12)
    assert "4 values by g, l" in repr(slopes)


def test_predictions_are_those_of_a_run() -> None:
    found = lb.jacobian("double-pendulum", {"t": [0.3, 0.317], "x2": [0, 0], "v_y1": [0, 0]}, by="g", step=0.02)
    run = lb.load("double-pendulum").run(step=0.02, steps=16, at=[0.3, 0.317])
    assert found.values.tolist() == [run.q[0, 2], run.v[0, 1], run.q[1, 2], run.v[1, 1]]


def test_tables_that_are_no_measurements_are_explained() -> None:
    def said(table: Any, **options: Any) -> str:
        with pytest.raises((lb.InputError, TypeError)) as caught:
            lb.gradient("pendulum", data=table, step=0.1, **options)
        return str(caught.value)

    assert "expected a CSV file, a dictionary of columns or a DataFrame, found an object of type float" in said(3.0)
    assert "the column 'x' must be a list of numbers" in said({"t": [1], "x": ["a"]})
    assert "the columns have different lengths (t: 2, x: 1)" in said({"t": [1, 2], "x": [1]})
    assert "not an array of 2 dimensions" in said({"t": [1, 2], "x": [[1, 2]]})
    assert "the table has no column 't' of times" in said({"x": [1]})
    assert "loss and data exclude each other" in said({"t": [1], "x": [1]}, loss="x")
    with pytest.raises(lb.InputError, match='the loss is missing; give loss="EXPR"'):
        lb.gradient("pendulum", step=0.1, steps=1)
    with pytest.raises(lb.FileError, match="No such file"):
        lb.jacobian("pendulum", "nothing.csv", step=0.1)


def test_integrals_and_events() -> None:
    found = lb.gradient("pendulum", "at(bottom, t)", by="g", events={"bottom": {"when": "x", "direction": "falling"}},
                        method="lobatto(5)", step=0.05, duration=3)
    # The time is proportional to 1/sqrt(g); the method is of order 8.
    assert found["g"] == pytest.approx(-found.loss / 2, rel=1e-10)
    whole = lb.gradient("pendulum", "integral(x^2 + y^2)", by="g", step=0.01, duration=3)
    assert whole.loss == pytest.approx(3, rel=1e-13)
    assert whole["g"] == pytest.approx(0, abs=1e-12)

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


def test_a_gradient_that_ran_out_of_time_is_continued_by_the_same_call(tmp_path):
    options = dict(by=["g", "m1"], step=0.001, steps=60000)
    whole = lb.gradient("double-pendulum", "x2*v_y1", **options)
    stops, limit, kept = 0, 0.01, str(tmp_path / "kept")
    while True:
        try:
            slope = lb.gradient("double-pendulum", "x2*v_y1", **options, checkpoint=kept, time_limit=f"{limit}s")
            break
        except lb.IntegrationError as error:
            assert f"the same call continues from {kept}" in str(error)
            stops, limit = stops + 1, 1.5 * limit
    assert stops > 0  # the first limit is shorter than compiling takes
    assert (slope.gradient, slope.loss, slope.digits) == (whole.gradient, whole.loss, whole.digits)
    with pytest.raises(lb.InputError, match="loss was x2\\*v_y1, it is x2 now"):
        lb.gradient("double-pendulum", "x2", **options, checkpoint=kept)


def test_second_derivatives_are_those_along_a_direction():
    options = dict(by=["g", "l"], step=0.02, steps=100)
    slope = lb.gradient("pendulum", "x^2 + v_y", hessian_along={"g": 1, "l": -0.5}, **options)
    change = 1e-4
    more, less = (lb.gradient(lb.load("pendulum").set(g=1 + s * change, l=1 - s * change / 2), "x^2 + v_y", **options)
                  for s in (1, -1))
    for name, product in slope.hessian_product.items():
        # Fourth derivatives are of the order of 100, gradients are known to 1e-15.
        assert (more[name] - less[name]) / (2 * change) == pytest.approx(product, abs=1e-6)
    with pytest.raises(TypeError, match="hessian_along"):
        lb.gradient("pendulum", "x", hessian_along=["g"], **options)
