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
