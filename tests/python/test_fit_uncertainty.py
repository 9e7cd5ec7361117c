"""Uncertainties of fits, and what is said where data do not determine a value."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np
import pytest
from fit_models import PENDULUM, STEP, points, rod, spring
from libration._determined import determined, freedom_texts
from scipy import stats

COORDINATES = ("x1", "y1", "x2", "y2")


def test_uncertainties_with_given_sd_are_those_of_the_jacobian() -> None:
    table = points(PENDULUM, sd=1e-3)
    names = ["g", "l1", "m2"]
    fit = PENDULUM.fit(table, by=names, start={"g": 1.0}, step=STEP)
    matrix = lb.jacobian(fit.model, data=table, by=names, step=STEP).matrix / 1e-3
    expected = np.linalg.inv(matrix.T @ matrix)
    # The condition number of J^T J is below 1e6: ten digits of its inverse are left.
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-8)
    errors = np.sqrt(np.diag(expected))
    assert fit.standard_errors == pytest.approx(dict(zip(names, errors)), rel=1e-8)
    low, high = fit.interval(0.9)["m2"]
    assert (high - low) / 2 == pytest.approx(1.6448536269514722 * errors[2], rel=1e-8)
    assert (high + low) / 2 == pytest.approx(fit["m2"], rel=1e-12)
    assert fit.degrees_of_freedom == len(fit.residuals) - 3
    assert fit.chi2 == pytest.approx(float(np.sum(fit.residuals**2)), rel=1e-12)
    measured = np.column_stack([table[name] for name in COORDINATES]).ravel()
    np.testing.assert_allclose(fit.residuals, (fit.predictions - measured) / 1e-3, atol=1e-9)


def test_without_sd_the_residuals_give_the_scale_and_students_t_the_interval() -> None:
    names = ["g", "l1", "m2"]
    stated = PENDULUM.fit(points(PENDULUM, sd=1e-3), by=names, step=STEP)
    fit = PENDULUM.fit(points(PENDULUM, sd=1e-3, stated=False), by=names, step=STEP)
    # Both minimize the same sum, up to the relative tolerance of the iteration.
    assert fit.parameters == pytest.approx(stated.parameters, rel=1e-7)
    free = stated.degrees_of_freedom
    np.testing.assert_allclose(fit.covariance, stated.covariance * stated.chi2 / free, rtol=1e-5)
    low, high = fit.interval()["g"]
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, free) * fit.standard_errors["g"], rel=1e-12)


def test_masses_that_only_their_ratio_matters_of_are_named() -> None:
    with pytest.warns(lb.LibrationWarning, match="do not determine m1, m2 separately: scaling them together"):
        fit = PENDULUM.fit(points(PENDULUM, sd=1e-3), by=["g", "m1", "m2"], start={"g": 1.0, "m2": 1.6}, step=STEP)
    assert fit.standard_errors["m1"] == fit.standard_errors["m2"] == np.inf
    assert 0 < fit.standard_errors["g"] < 0.01
    assert fit.interval()["m1"] == (-np.inf, np.inf)
    assert np.isnan(fit.covariance[0, 1]) and fit.degrees_of_freedom == len(fit.residuals) - 2
    # Without a mass that is held on the way, the trust region would have to shrink first: 20 runs.
    assert fit.converged and fit.evaluations <= 10
    assert "hold one of them" in str(fit) and "inf" in str(fit)
    held = PENDULUM.fit(points(PENDULUM, sd=1e-3), by=["g", "m2"], start={"g": 1.0, "m2": 1.6}, step=STEP)
    assert fit["m2"] / fit["m1"] == pytest.approx(held["m2"], rel=1e-6)
    assert fit.standard_errors["g"] == pytest.approx(held.standard_errors["g"], rel=1e-5)


def test_sums_and_unused_parameters_are_named() -> None:
    model = spring(a=1.0, b=2.0)
    with pytest.warns(lb.LibrationWarning) as said:
        fit = model.fit(points(model, sd=1e-3), by=["a", "b", "unused", "x"], start={"a": 1.2}, step=STEP)
    texts = [str(one.message) for one in said]
    assert list(fit.warnings) == texts and len(texts) == 2
    assert any(text.startswith("the data do not determine unused: no prediction depends on it") for text in texts)
    # dx/da = dx/db: what a gains b must lose.
    assert any("determine a, b separately: changes in the proportion" in text and "+1 in" in text and "-1 in" in text
               for text in texts)
    assert fit["a"] + fit["b"] == pytest.approx(3.0, abs=0.05)
    assert np.isfinite(fit.standard_errors["x"])


def test_a_value_that_is_all_uncertainty_is_named() -> None:
    model = spring(a=1e-6, b=2.0)
    with pytest.warns(lb.LibrationWarning, match="the data hardly determine a: .* with a standard error of"):
        fit = model.fit(points(model, sd=1e-2), by=["a"], step=STEP)
    assert fit.standard_errors["a"] > 1e-5


def test_initial_values_of_a_constrained_model_are_those_after_the_projection() -> None:
    true = rod()
    table = points(true, sd=1e-3)
    expected = true.fit(table, by=["g", "angle"], start={"g": 1.0}, step=STEP)
    model = rod(angle=0.8)
    fit = model.fit(table, by=["g", "x", "y"], step=STEP)
    angle, error = expected["angle"], expected.standard_errors["angle"]
    # The same minimum in other coordinates, and the same uncertainty along the rod's circle, by first derivatives.
    assert (fit["x"], fit["y"]) == pytest.approx((np.sin(angle), -np.cos(angle)), abs=1e-8)
    assert fit.standard_errors["x"] == pytest.approx(np.cos(angle) * error, rel=1e-5)
    assert fit.standard_errors["y"] == pytest.approx(np.sin(angle) * error, rel=1e-5)
    assert fit.standard_errors["g"] == pytest.approx(expected.standard_errors["g"], rel=1e-5)
    assert not fit.warnings and fit.degrees_of_freedom == expected.degrees_of_freedom
    # The fitted model starts on the constraints: it runs as it stands.
    run = fit.model.run(step=STEP, duration=2.0, every=4, progress=False)
    np.testing.assert_allclose(np.column_stack([run["x"], run["y"]]).ravel(), fit.predictions, atol=1e-12)


def test_an_initial_value_across_the_constraint_is_named() -> None:
    model = lb.load("pendulum")
    with pytest.warns(lb.LibrationWarning, match="the constraints do not let the initial value x change"):
        fit = model.fit(points(model, sd=1e-3), by=["g", "x"], step=STEP)
    assert fit["x"] == pytest.approx(1.0, abs=1e-12)


def test_as_many_unknowns_as_data_leave_no_standard_error() -> None:
    model = lb.load("pendulum")
    with pytest.warns(lb.LibrationWarning, match="as many unknowns as data"):
        fit = model.fit({"t": [1.0], "x": [0.85]}, by=["g"], step=STEP)
    assert np.isnan(fit.standard_errors["g"]) and fit.chi2 < 1e-20


def test_a_model_that_cannot_describe_the_data_is_doubted() -> None:
    table = points(PENDULUM, sd=1e-3)
    with pytest.warns(lb.LibrationWarning, match="the model does not describe the data to within the given sd"):
        PENDULUM.set(l1=1.2).fit(table, by=["g"], step=STEP)


def test_intervals_contain_the_true_value_as_often_as_they_say() -> None:
    """A small version of bench/fit_coverage."""
    true = rod()
    sets, names = 150, ["g", "l", "angle"]
    inside = dict.fromkeys(names, 0)
    for seed in range(sets):
        fit = true.fit(points(true, sd=1e-3, seed=seed, duration=4), by=names, step=STEP)
        for name, (low, high) in fit.interval().items():
            inside[name] += low <= true.parameters[name] <= high
    # The number is binomial: of 150 at 95 %, fewer than 132 or more than 149.5 have a probability below 5e-4.
    assert stats.binom.cdf(131, sets, 0.95) < 5e-4 < stats.binom.cdf(133, sets, 0.95)
    assert all(132 <= count <= 149 for count in inside.values()), inside


def generic(rows: int, columns: int) -> Any:
    return np.random.default_rng(7).standard_normal((rows, columns))


def test_combinations_without_effect_come_apart() -> None:
    # a, b only as a product, c, d only as a sum, e has no effect, f is determined.
    a, b, c, d, e, f = values = np.array([2.0, 1e-3, 5.0, 7e4, 1.0, 3.0])
    sources = generic(40, 3)
    jacobian = np.column_stack([sources[:, 0] * b, sources[:, 0] * a, sources[:, 1], sources[:, 1],
                                1e-17 * sources[:, 2], sources[:, 2]])
    known = determined(jacobian, np.abs(values), digits=14)
    assert known.rank == 3 and len(known.held) == 3 and 4 in known.held
    texts = freedom_texts(known.free, ["a", "b", "c", "d", "e", "f"], values)
    assert texts[0] == "the data do not determine e: no prediction depends on it; omit it from by=[...]"
    assert sorted(text.split(":")[0] for text in texts[1:]) == [
        "the data do not determine a, b separately", "the data do not determine c, d separately"]
    errors = np.sqrt(np.diag(known.covariance(np.eye(6))))
    assert np.isinf(errors[:5]).all()
    # What is known of f is what is left when one of each pair, and e, are held.
    held = np.linalg.inv(sources.T @ sources)[2, 2]
    assert errors[5] == pytest.approx(np.sqrt(held), rel=1e-10)
    # The product is determined: (da/a + db/b) has no part along the free direction.
    product = np.array([[1 / a, 1 / b, 0, 0, 0, 0]])
    assert known.covariance(product)[0, 0] == pytest.approx(np.linalg.inv(sources.T @ sources)[0, 0] / (a * b) ** 2,
                                                            rel=1e-8)


@pytest.mark.parametrize(("angle", "rank"), [(1e-4, 2), (1e-13, 1)])
def test_digits_decide_what_is_rounding(angle: float, rank: int) -> None:
    first, second, _ = generic(30, 3).T
    jacobian = np.column_stack([first, first + angle * second])
    assert determined(jacobian, np.ones(2), digits=14).rank == rank
    assert determined(jacobian, np.ones(2), digits=3).rank == 1
