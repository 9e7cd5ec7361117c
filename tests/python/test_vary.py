"""What an ensemble varies: numbers, and nothing that numpy would quietly make numbers of."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np
import pytest


def run(vary: Any) -> Any:
    return lb.load("pendulum").ensemble("rattle", vary=vary, step=0.01, steps=2)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "u1", "b1", ">f8"])
def test_real_numbers_of_every_kind_are_taken(kind: str) -> None:
    np.testing.assert_array_equal(run({"g": np.array([1, 1], dtype=kind)}).values, [[1.0], [1.0]])


@pytest.mark.parametrize(
    "values",
    [
        np.array([1 + 2j, 1]),
        [1, 2j],
        np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"),
        np.array([1, 2], dtype="m8[s]"),
        np.array(["1", "2"]),
        ["1", "2"],
        np.array([b"1", b"2"]),
        np.array([(1.0,), (2.0,)], dtype=[("g", "f8")]),
        np.ma.masked_array([1.0, 2.0], mask=[False, True]),
        np.array([1.0, None], dtype=object),
        {1.0, 2.0},
        {"a": 1},
        [[1.0], [1.0, 2.0]],
    ],
)
def test_what_is_no_real_number_is_refused(values: Any) -> None:
    with pytest.raises(lb.InputError, match="vary: 'g' needs numbers"):
        run({"g": values})


def test_masked_arrays_without_anything_masked_are_arrays() -> None:
    assert len(run({"g": np.ma.masked_array([1.0, 2.0], mask=False)})) == 2


def test_numbers_that_are_objects_are_taken() -> None:
    from fractions import Fraction

    assert run({"g": [Fraction(1, 2), 2]}).values.tolist() == [[0.5], [2.0]]


def test_a_name_is_varied_once() -> None:
    rows = np.array([[0.6, -0.8], [0.8, -0.6]])
    x = lb.symbol("x")
    for vary in ({"q": rows, "x": [0.6, 0.8]}, {"x": [0.6, 0.8], "q": rows}, {"q": rows, "x": "uniform(0, 1)"},
                 {"x": [0.6, 0.8], x: [0.6, 0.8]}):
        with pytest.raises(lb.InputError, match="'x' is given twice"):
            run(vary)
