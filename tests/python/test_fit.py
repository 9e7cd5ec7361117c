"""Fits: what is estimated, from which tables, from which start, and which mistakes are named."""

from __future__ import annotations

import pathlib
import sys
from typing import Any

import libration as lb
import numpy as np
import pytest
from fit_models import PENDULUM, STEP, points, rod, spring


def test_data_without_noise_give_the_true_values_back() -> None:
    start = {"g": 1.0, "l1": 1.1, "l2": 1.0, "m2": 0.7, "theta1": 0.4}
    fit = PENDULUM.fit(points(PENDULUM), by=["g", "l1", "l2", "m2", "theta1"], start=start, step=STEP)
    assert fit.converged and not fit.warnings
    for name, value in fit.parameters.items():
        # Predictions have an error of some 1e-14; standard errors per unit of sd are below 10 here.
        assert value == pytest.approx(PENDULUM.parameters[name], abs=1e-11)
    assert fit.model.parameters == pytest.approx(PENDULUM.parameters, abs=1e-11)
    assert fit["m2"] == fit.parameters["m2"] and fit.evaluations < 20


def test_runs_that_fail_on_the_way_are_steps_that_were_too_long() -> None:
    # From here the first full step leads to a negative mass, of which there is no run.
    fit = PENDULUM.fit(points(PENDULUM), by=["m2", "l2"], start={"m2": 12.0}, step=STEP)
    assert fit.failures > 0 and fit.converged
    assert fit["m2"] == pytest.approx(1.3, rel=1e-9)


def test_a_start_without_a_run_is_an_error_that_says_so() -> None:
    fast = lb.load("pendulum").set(g=1e9)
    with pytest.raises(lb.IntegrationError, match="no run with the starting values: .*(?s:.)*start="):
        fast.fit({"t": [1.0, 2.0], "x": [0.1, 0.2]}, by=["g"], step=0.5)


def test_lengths_need_initial_values_that_follow_or_a_projection() -> None:
    model = lb.load("pendulum")
    table = points(model, sd=1e-3)
    fixed = model.set(x=1, y=0)
    fitted = fixed.fit(table, by=["l", "g"], start={"l": 1.05}, step=STEP, project=True)
    assert fitted["l"] == pytest.approx(1.0, abs=5 * fitted.standard_errors["l"])
    with pytest.raises(lb.InputError, match="the initial values do not follow l.*project=True"):
        fixed.fit(table, by=["l", "g"], step=STEP)


def test_units_do_not_matter() -> None:
    # Beside a stiffness of 1e6 that starts right, every step of the other is short, but not yet the last one.
    text = """
[parameters]
k = 2.5e6
c = 1.5e-6
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "k*x^2/2e6 + (1e6*c*y)^2/2"
[initial]
q = [3e-6, 1e-6]
v = [0, 0]
[run]
method = "verlet"
"""
    model = lb.Model.parse(text, "tiny")
    fit = model.fit(points(model), by=["k", "c"], start={"c": 0.8e-6}, step=STEP)
    assert fit.parameters == pytest.approx({"k": 2.5e6, "c": 1.5e-6}, rel=1e-9)


def test_unknowns_that_start_at_zero() -> None:
    model = spring(a=1.0, b=2.0).set(v_x=0.3)
    fit = model.fit(points(model), by=["a", "v_x"], start={"v_x": 0, "a": 0.5}, step=STEP)
    assert fit.parameters == pytest.approx({"a": 1.0, "v_x": 0.3}, rel=1e-9)


def test_an_equilibrium_as_start_is_left_when_data_say_so() -> None:
    # Upside down nothing depends on g; the angle moves first.
    table = points(rod(2.0))
    fit = rod(np.pi).fit(table, by=["g", "angle"], start={"g": 1.0}, step=STEP)
    assert fit.parameters == pytest.approx({"g": 1.2, "angle": 2.0}, rel=1e-9)
    assert not fit.warnings


def test_tables_may_be_files_dicts_and_data_frames_and_have_gaps(tmp_path: pathlib.Path) -> None:
    import pandas

    table = points(PENDULUM, sd=1e-3)
    table["x1"][3] = np.nan
    frame = pandas.DataFrame(table)
    frame.to_csv("seen.csv", index=False)
    options: dict[str, Any] = {"by": ["g", "m2"], "step": STEP}
    fits = [PENDULUM.fit(data, **options) for data in (table, frame, "seen.csv", tmp_path / "seen.csv")]
    assert all(len(fit.residuals) == 4 * len(table["t"]) - 1 for fit in fits)
    assert all(fit.parameters == fits[0].parameters for fit in fits)


def test_columns_may_be_formulas() -> None:
    run = PENDULUM.run(step=STEP, duration=2, every=4, progress=False)
    table = {"t": run.t, "x1^2 + y2": run["x1"] ** 2 + run["y2"], "v_x2": run["v_x2"]}
    fit = PENDULUM.fit(table, by=["g", "m2"], start={"g": 1.0}, step=STEP)
    assert fit.parameters == pytest.approx({"g": 1.1, "m2": 1.3}, rel=1e-8)


def test_bounds_hold_and_are_named_where_they_do() -> None:
    table = points(PENDULUM, sd=1e-3)
    with pytest.warns(lb.LibrationWarning) as said:
        fit = PENDULUM.fit(table, by=["g", "m2"], start={"g": 1.0, "m2": 1.1}, bounds={"m2": (None, 1.2)}, step=STEP)
    assert any("m2 is at its bound" in str(one.message) for one in said)
    assert fit["m2"] == pytest.approx(1.2, abs=1e-6) and fit["m2"] <= 1.2
    inside = PENDULUM.fit(table, by=["g", "m2"], bounds={"m2": (0, None), "g": (0.5, 2)}, step=STEP)
    assert inside["m2"] == pytest.approx(1.3, abs=0.05)


def test_a_fit_that_did_not_converge_says_so() -> None:
    with pytest.warns(lb.LibrationWarning, match="did not converge within"):
        fit = PENDULUM.fit(points(PENDULUM), by=["g", "m2"], start={"g": 1.4, "m2": 2.0}, max_evaluations=2, step=STEP)
    assert not fit.converged and "NOT converged" in str(fit)


@pytest.mark.parametrize(("change", "message"), [
    ({"by": ["g", "l1", "l2", "m2", "theta1", "theta2"]}, "4 measured values cannot determine 6 unknowns"),
    ({"by": ["gg"]}, "by=\"gg\": the model has no parameter and no initial value 'gg'; available: g, l1"),
    ({"by": ["g", "g"]}, "'g' is given twice"),
    ({"by": []}, "the list of unknowns is empty"),
    ({"by": ["p_x1"]}, "the model starts with velocities; use v_x1"),
    ({"by": ["x1"], "project": False}, "omit project=False"),
    ({"start": {"m2": 1}}, "start: 'm2' is not among the unknowns"),
    ({"start": {"g": float("nan")}}, "g = nan is not a finite number"),
    ({"bounds": {"g": (2, 3)}}, "bounds: g starts at 1.1, which is not between 2 and 3"),
    ({"table": {"t": [1.0], "x1": [0.1], "sd_x1": [0.1], "x2": [0.2]}}, "the table has sd_x1, but not sd_x2"),
    ({"table": {"x1": [1.0]}}, "a table needs a column 't' of times and columns of measured quantities; found x1"),
    ({"table": {"t": [1.0, 2.0]}}, "columns of measured quantities; found t"),
])
def test_mistakes_are_named_with_the_way_out(change: dict[str, Any], message: str) -> None:
    four = {"t": [1.0, 2.0], "x1": [0.1, 0.2], "x2": [0.2, 0.3]}
    options: dict[str, Any] = {"table": four, "by": ["g"], "step": STEP, **change}
    with pytest.raises(lb.InputError, match=message):
        PENDULUM.fit(options.pop("table"), **options)


def test_wrong_kinds_are_named() -> None:
    with pytest.raises(TypeError, match="expected a CSV file, a dictionary of columns or a DataFrame"):
        PENDULUM.fit(3.0, by=["g"])
    with pytest.raises(TypeError, match="expected two numbers or None for g"):
        PENDULUM.fit(points(PENDULUM), by=["g"], bounds={"g": 3})
    with pytest.raises(lb.InputError, match="level=95"):
        PENDULUM.fit(points(PENDULUM, sd=1e-3), by=["g"], step=STEP).interval(95)


def test_without_scipy_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match="fit needs SciPy.*apt install python3-scipy"):
        PENDULUM.fit(points(PENDULUM), by=["g"], step=STEP)


def test_the_figure_shows_data_predictions_and_residuals() -> None:
    table = points(PENDULUM, sd=1e-3)
    fit = PENDULUM.fit(table, by=["g", "m2"], step=STEP)
    figure = fit.plot(of=["x1", "y2"])
    assert len(figure.axes) == 3
    curve = figure.axes[1].lines[0]
    np.testing.assert_allclose(np.interp(table["t"], curve.get_xdata(), curve.get_ydata()), table["y2"], atol=5e-3)
    dots = figure.axes[2].lines[0].get_ydata()
    np.testing.assert_array_equal(dots, fit.residuals[0::4])
    assert len(fit.plot().axes) == 5
    figure.savefig("fit.png")
    with pytest.raises(ValueError, match="nothing to plot named 'x3'"):
        fit.plot(of="x3")


def test_the_summary_is_a_table() -> None:
    fit = PENDULUM.fit(points(PENDULUM, sd=1e-3), by=["g", "m2"], step=STEP)
    lines = str(fit).splitlines()
    assert lines[2].split() == ["name", "value", "standard", "error", "95", "%", "from", "to"]
    assert lines[3].startswith("g ") and "standard errors from the given sd" in lines[-1]
    assert "<table" in fit._repr_html_()
