"""Tables of measurements as the core takes them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError
from ._paths import PathLike, path_text

TableLike = Union[PathLike, Mapping[str, Any], Any]
"""A CSV file, a mapping from names to columns, or a pandas DataFrame."""


def columns_of(table: TableLike) -> dict[str, NDArray[np.float64]]:
    """The columns of a table by their names: t, quantities, and standard deviations as sd_NAME; nan is a gap."""
    if isinstance(table, (str, os.PathLike)):
        return dict(_core.read_measurements(path_text(table)))
    if not isinstance(table, Mapping) and not (hasattr(table, "columns") and hasattr(table, "__getitem__")):
        raise TypeError("data: expected a CSV file, a dictionary of columns or a DataFrame, found an object of type "
                        f"{type(table).__name__}")
    names = list(table) if isinstance(table, Mapping) else list(table.columns)
    columns = {str(name): _numbers(str(name), table[name]) for name in names}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        text = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise InputError(f"data: the columns have different lengths ({text})")
    return columns


def _numbers(name: str, values: Any) -> NDArray[np.float64]:
    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"data: the column '{name}' must be a list of numbers; nan where nothing was "
                         "measured") from None
    if column.ndim != 1:
        raise InputError(f"data: the column '{name}' must be a list of numbers, not an array of {column.ndim} "
                         "dimensions")
    return column
