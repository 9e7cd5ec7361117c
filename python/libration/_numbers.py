"""Numbers as arguments: of Python and numpy, and exact texts."""

from __future__ import annotations

import contextlib
import operator
import reprlib
from typing import Any, Union

import numpy as np

from . import _core
from ._core import InputError

Real = Union[float, str, _core.Expression]
"""A number, an exact text such as "1/3", or a formula without symbols."""


def real(value: Any, name: str) -> float:
    """A number; also of a text such as "1/3" or of a formula without symbols."""
    if isinstance(value, (str, _core.Expression)):
        formula = value if isinstance(value, _core.Expression) else _core.parse(value)
        try:
            return formula.evaluate()
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"{name}={str(value)!r}: {error}") from None
    array = np.asarray(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    if array is not None and array.ndim > 0:
        raise TypeError(f"{name} is one number, not {array.size} of them")
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"{name}={reprlib.repr(value)}: it is outside of the range of numbers") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} is a number or a text such as \"1/3\", not an object of type "
                        f"{type(value).__name__}") from None


def reals(values: Any, name: str) -> list[float]:
    """Numbers, or one."""
    if values is None:
        return []
    if isinstance(values, (str, _core.Expression)) or np.ndim(values) == 0:
        return [real(values, name)]
    return [real(value, name) for value in values]


def whole(count: Any, name: str) -> int:
    """An integer, also written as 1e6 or as the text "1e6"."""
    try:
        return operator.index(count)
    except TypeError:
        pass
    if isinstance(count, str) and count.isdecimal():
        return int(count)  # exact beyond 2^53
    number = count
    if isinstance(count, (str, _core.Expression)):
        with contextlib.suppress(InputError):
            number = real(count, name)
    if isinstance(number, (float, np.floating)) and float(number).is_integer():
        return int(number)
    raise InputError(f"{name}={reprlib.repr(count)}: it must be a whole number")
