"""Comparisons in Python are those of the program."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np
import pytest
from command_line import answer, without
from libration._records import plain

METHODS = ["rattle", "compose(rattle, kahanli8)"]
STEPS = [0.1, 0.05]


def numbers(comparison: lb.Comparison) -> list[Any]:
    return [without(plain(row), "seconds") for row in comparison.rows]


@pytest.fixture(scope="module")
def comparison() -> lb.Comparison:
    return lb.compare("pendulum", METHODS, STEPS, 2)


def test_rows_are_those_of_the_program(comparison: lb.Comparison) -> None:
    options = ("--methods", ", ".join(METHODS), "--steps-list", "0.1,0.05", "--duration", 2)
    expected = answer("compare", "pendulum", *options)
    assert numbers(comparison) == without(expected["rows"], "seconds")
    assert plain(comparison.reference) == expected["reference"]
    assert (comparison.model, comparison.duration) == (expected["model"], expected["duration"])


def test_methods_may_be_a_text_and_the_model_a_model(comparison: lb.Comparison) -> None:
    other = lb.load("pendulum").compare("rattle, compose(rattle, kahanli8)", np.array(STEPS), 2)
    assert numbers(other) == numbers(comparison)
    assert other.methods == METHODS


def test_the_best_row_is_the_cheapest_that_is_good_enough(comparison: lb.Comparison) -> None:
    best = comparison.best(1.0)
    assert best is not None and best.evaluations.force == min(row.evaluations.force for row in comparison.rows)
    finest = min(row.error_q for row in comparison.rows)
    precise = comparison.best(1e-6)
    assert precise is None or max(precise.error_q, precise.error_p) <= 1e-6
    assert comparison.best(finest / 100) is None
    with pytest.raises(ValueError, match="seconds"):
        comparison.best(1, by="hours")


def test_a_comparison_is_a_table_and_a_dataframe(comparison: lb.Comparison) -> None:
    frame = comparison.to_dataframe()
    assert list(frame["error_q"]) == [row.error_q for row in comparison.rows]
    assert list(frame["evaluations.force"]) == [row.evaluations.force for row in comparison.rows]
    for text in (repr(comparison), comparison._repr_html_()):
        assert "kahanli8" in text and "lambda" in text and "quadruple" in text


def test_a_run_that_fails_is_a_row_and_no_error() -> None:
    rows = lb.compare("pendulum", ["rattle"], [2.0, 0.1], 4).rows
    assert [row.status for row in rows] == ["failed", "completed"]
    assert rows[0].error_q is None and "failed" in repr(rows)


def test_a_comparison_can_be_drawn(comparison: lb.Comparison) -> None:
    axes = comparison.plot().axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_errors_say_what_to_do() -> None:
    with pytest.raises(lb.InputError, match="does not divide"):
        lb.compare("pendulum", ["rattle"], [0.3], 1)
    with pytest.raises(lb.InputError, match="positive"):
        lb.compare("pendulum", ["rattle"], [0.1], -1)
    with pytest.raises(lb.InputError, match="given twice"):
        lb.compare("pendulum", ["rattle", "rattle"], [0.1])
    with pytest.raises(lb.InputError, match="constraints"):
        lb.compare("pendulum", ["verlet"], [0.1])


def test_the_duration_is_that_of_the_model_or_what_a_few_seconds_allow() -> None:
    whole = lb.compare("pendulum", ["rattle"], [0.1, 0.05])
    assert (whole.duration, whole.shortened_from, whole.compared_at, whole.horizon) == (100, None, 100, None)
    shorter = lb.compare("triple-pendulum", ["lobatto(5)"], [0.02])
    assert shorter.shortened_from == 1000 > shorter.duration
    assert f"Shortened from 1000 to {shorter.duration:g}" in repr(shorter) and "duration=1000 compares" in repr(shorter)


def test_positions_of_a_chaotic_motion_are_compared_while_they_are_known() -> None:
    model = lb.load("double-pendulum", theta1=np.pi / 2, theta2=np.pi / 2)
    found = model.compare(["rattle"], [0.04], 160)
    assert found.horizon is not None and found.compared_at is not None
    assert 0 < found.compared_at < found.horizon < 160
    assert f"Chaotic: positions cannot be compared after t = {found.horizon:.6g}" in repr(found)
    assert f"at t = {found.compared_at:.6g} against" in found._repr_html_()


def test_a_projected_start_is_that_of_a_run() -> None:
    x, y = lb.coordinates("x y")
    rough = lb.Model(q=[x, y], mass=1, potential=y, constraints=[x**2 + y**2 - 1], initial={"q": [1, 0.3], "v": [0, 1]})
    with pytest.raises(lb.InputError, match="project"):
        rough.compare(["rattle"], [0.1], 1)
    found = rough.compare(["rattle"], [0.1], 1, project=True)
    run = rough.run("rattle", step=0.1, duration=1, project=True)
    assert found.rows[0].energy_error == run.summary["energy"]["max_error"]
    assert found.start is not None and plain(found.start) == run.summary["start"]
    assert lb.compare("pendulum", ["rattle"], [0.1], 1).start is None
    assert not rough.check() and rough.check(project=True)
    assert rough.check(project=True).numbers["start"] == run.summary["start"]
    certificate = rough.certify("rattle", step=0.1, duration=1, project=True)
    assert isinstance(certificate, lb.Certificate) and certificate.ok
    with pytest.raises(lb.InputError, match="require a model"):
        lb.certify("rattle", project=True)


def test_progress_is_told_to_a_function() -> None:
    seen: list[dict[str, Any]] = []
    lb.compare("double-pendulum", ["rattle"], [0.1, 0.05], 50, progress=seen.append)
    assert (seen[-1]["done"], seen[-1]["total"], seen[-1]["fraction"]) == (3, 3, 1.0)
    assert all(isinstance(news["running"], str) for news in seen)

    def stop(news: dict[str, Any]) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lb.compare("double-pendulum", ["rattle"], [0.1, 0.05], 50, progress=stop)
