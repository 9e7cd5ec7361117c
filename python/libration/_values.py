"""Conversion of model arguments: names, numbers, formulas, and lists and tables of them."""

from __future__ import annotations

import decimal
import fractions
import math
from typing import Any, List, Mapping, Sequence

import numpy as np

from . import _core
from ._labels import labelled


def as_formula(text: str) -> str:
    """A formula as the library reads it: powers may also be written as in Python."""
    return text.replace("**", "^")


def plain_text(text: str) -> str:
    """The text, if a file can hold it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _core.InputError(f"the text {text!r} contains a character that cannot be stored in a file") from None
    return text


def is_list(value: Any) -> bool:
    """Whether it is a list of values: lists, tuples, arrays, and what else can be walked through in order."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if isinstance(value, (str, bytes, dict, np.generic, _core.Expression)):
        return False
    return hasattr(value, "__iter__") and not isinstance(value, (set, frozenset))


def items(value: Any) -> List[Any]:
    """The elements of what `is_list` takes."""
    return list(value.tolist() if hasattr(value, "tolist") else value)


def leaf(value: Any, argument: str) -> Any:
    """One formula: an expression, a number, or a text that is one."""
    if isinstance(value, _core.Expression):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return leaf(value[()], argument)
    if isinstance(value, np.generic):
        value = value if isinstance(value, np.longdouble) else value.item()
    if isinstance(value, str):
        return plain_text(as_formula(value))
    if isinstance(value, bool):
        if argument.partition("[")[0] in ("constraints", "nonholonomic"):
            advice = "== compares two formulas in Python; write an expression that vanishes: x**2 + y**2 - l**2"
            raise TypeError(f"{argument}: found {value}: {advice}")
        raise TypeError(f"{argument}: expected a number, an expression or a text, found {value}")
    if isinstance(value, (int, fractions.Fraction)):
        return value
    if isinstance(value, (float, decimal.Decimal, np.longdouble)):
        if not (value.is_finite() if isinstance(value, decimal.Decimal) else math.isfinite(value)):
            raise _core.InputError(f"{argument}: {value} is not a finite number")
        return str(value) if isinstance(value, np.longdouble) else value
    if isinstance(value, (set, frozenset)):
        raise TypeError(f"{argument}: a set is unordered; give a list")
    if callable(value):
        raise TypeError(f"{argument}: a function is not accepted here; give an expression, or a text such as 'x^2'")
    raise TypeError(
        f"{argument}: expected a number, an expression or a text, found {_shown(value)} of type {type(value).__name__}"
    )


def tree(value: Any, argument: str) -> Any:
    """A formula, or a list of lists of them."""
    return [tree(item, argument) for item in items(value)] if is_list(value) else leaf(value, argument)


def nested(value: Any, argument: str) -> Any:
    """A formula, a flag, a list or a table of such, to any depth; symbols may be keys."""
    if isinstance(value, Mapping):
        return {
            symbol_name(name, argument): nested(item, f"{argument}[{str(name)!r}]") for name, item in value.items()
        }
    return tree(value, argument)


def symbol_name(value: Any, argument: str) -> str:
    """The name of a coordinate or parameter, which may be given as a symbol or as a text."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, _core.Expression):
        if value.op == "symbol":
            return str(value.text)
        raise _core.InputError(f"{argument}: {value} is a formula; a name is required, such as lb.symbol('x') or 'x'")
    raise TypeError(f"{argument}: expected a symbol or a name, found {value!r} of type {type(value).__name__}")


def names_of(value: Any, argument: str) -> List[str]:
    """The coordinates: symbols or names in a list, one of them alone, or a text such as "x y"."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, _core.Expression):
        return [symbol_name(value, argument)]
    if isinstance(value, Mapping) or not is_list(value):
        raise TypeError(f"{argument}: expected a list of coordinates such as [x, y], found {value!r}")
    if isinstance(value, np.ndarray):
        value = value.reshape(-1)  # row by row
    return [symbol_name(item, argument) for item in items(value)]


def by_coordinate(value: Any, names: Sequence[str], argument: str) -> Any:
    """A table {x: formula}; a list is taken in the order of the coordinates."""
    value = value if (table := labelled(value)) is None else table
    if isinstance(value, Mapping):
        return nested(value, argument)
    formulas = items(value) if is_list(value) else [value]
    if len(formulas) != len(names):
        raise _core.InputError(f"{argument}: {len(formulas)} formulas for {len(names)} coordinates, {', '.join(names)}")
    return {name: leaf(formula, f"{argument}[{name!r}]") for name, formula in zip(names, formulas)}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
