"""Varied quantities of an ensemble, in the form of the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._labels import in_order, labelled
from ._values import as_formula

BLOCKS = {"q": "", "p": "p_", "v": "v_"}
"""Names of whole arrays of initial values, with the prefix of single ones."""


class Variations(NamedTuple):
    """Distributions as texts, and a table of given values."""

    texts: list[str]
    names: list[str]
    values: Optional[Any]


def read_variations(model: _core.Model, vary: Optional[Mapping[Any, Any]]) -> Variations:
    """From {name: array or "uniform(a, b)"}; "q", "p" and "v" may be arrays with one row per member."""
    vary = vary if (table := labelled(vary)) is None else table
    if not vary:
        raise _core.InputError(
            'vary= is missing: what differs between the members? e.g. vary={"g": "uniform(9, 10)"}, count=100, or '
            'vary={"g": [9.7, 9.8, 9.9]}'
        )
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary={vary!r}: expected a dict of names and values")
    texts: list[str] = []
    columns: dict[str, Any] = {}
    given: list[str] = []
    own_names = {*model.coordinates, *(name for name, _ in model.parameters)}
    for key, value in vary.items():
        name = str(key)
        if isinstance(value, str):
            texts.append(f"{name} = {as_formula(value)}")
            given.append(name)
        elif name in BLOCKS and name not in own_names:
            block = _block(model, name, value)
            columns.update(block)
            given += block
        else:
            columns[name] = _column(name, value)
            given.append(name)
    _refuse_repetitions(given)
    return Variations(texts, list(columns), _table(columns))


def _refuse_repetitions(names: list[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise _core.InputError(f"vary: '{name}' is given twice; omit one of them")


def _real(value: Any) -> Any:
    """Only what is a real number: numpy makes numbers of dates, texts and complex or masked values without a word."""
    given = np.asarray(value)
    exact = given.dtype.kind == "O" and all(isinstance(one, Real) for one in given.ravel())
    if (given.dtype.kind not in "fiub" and not exact) or np.ma.is_masked(value):  # type: ignore[no-untyped-call]
        raise TypeError(given.dtype)
    return given.astype(float)


def _numbers(name: str, value: Any) -> Any:
    try:
        numbers = _real(value)
    except (TypeError, ValueError, OverflowError):
        raise _core.InputError(
            f"vary: '{name}' needs numbers, or a text such as \"uniform(9, 10)\"; found {value!r}"
        ) from None
    if not np.isfinite(numbers).all():
        raise _core.InputError(f"vary: '{name}' contains a value that is not a number or not finite")
    return numbers


def _column(name: str, value: Any) -> Any:
    numbers = _numbers(name, value)
    if numbers.ndim != 1:
        raise _core.InputError(
            f"vary: '{name}' needs one number per member, a list or a one-dimensional array; found the shape "
            f"{numbers.shape}. What is the same in all trajectories belongs to model.set({name}=...)"
        )
    return numbers


def _block(model: _core.Model, name: str, value: Any) -> dict[str, Any]:
    coordinates = model.coordinates
    if (table := labelled(value)) is not None:
        plain = {column.removeprefix(BLOCKS[name]): entries for column, entries in table.items()}
        ordered = in_order(plain, coordinates, f"vary['{name}']", "no column")
        value = np.column_stack([_numbers(name, column) for column in ordered])
    numbers = _numbers(name, value)
    if numbers.ndim != 2 or numbers.shape[1] != len(coordinates):
        raise _core.InputError(
            f"vary: '{name}' needs one row per member and one column per coordinate, (count, {len(coordinates)}); "
            f"found the shape {numbers.shape}"
        )
    return {BLOCKS[name] + coordinate: numbers[:, k] for k, coordinate in enumerate(coordinates)}


def _table(columns: Mapping[str, Any]) -> Optional[Any]:
    if not columns:
        return None
    first, *others = columns
    for name in others:
        if len(columns[name]) != len(columns[first]):
            raise _core.InputError(
                f"vary: '{first}' has {len(columns[first])} values and '{name}' has {len(columns[name])}; "
                "give the same number of each"
            )
    return np.column_stack(list(columns.values()))
