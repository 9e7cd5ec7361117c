"""Values as TOML, exactly: what is written reads back to the same number, text or expression."""

from __future__ import annotations

import decimal
import fractions
import json
import math
import re
from typing import Any, Iterable, List, Union

import numpy as np

from . import _core

WIDTH = 110
"""Longer lists are broken into lines."""

Leaf = Union["_core.Expression", str]
"""An expression, or TOML that is ready to be written."""

Tree = Union[Leaf, List["Tree"]]


def quoted(text: str) -> str:
    """A basic string."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _core.InputError(f"the text {text!r} contains a character that a file cannot hold") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_formula(text: str) -> str:
    """A formula as the library reads it: powers may also be written as in Python."""
    return text.replace("**", "^")


def key(name: str) -> str:
    """A key, in quotes where TOML wants them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


def is_list(value: Any) -> bool:
    """Whether it is a list for TOML: lists, tuples, arrays, and what else can be walked through in order."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if isinstance(value, (str, bytes, dict, np.generic, _core.Expression)):
        return False
    return hasattr(value, "__iter__") and not isinstance(value, (set, frozenset))


def items(value: Any) -> List[Any]:
    """The elements of what `is_list` takes."""
    return list(value.tolist() if hasattr(value, "tolist") else value)


def leaf(value: Any, argument: str) -> Leaf:
    """One formula: an expression, a number, or a text that is one."""
    if isinstance(value, _core.Expression):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return leaf(value[()], argument)
    if isinstance(value, np.generic):
        value = value if isinstance(value, np.longdouble) else value.item()
    if isinstance(value, str):
        return quoted(as_formula(value))
    if isinstance(value, bool):
        if argument.partition("[")[0] in ("constraints", "nonholonomic"):
            advice = "== compares two formulas in Python; write what is zero: x**2 + y**2 - l**2"
            raise TypeError(f"{argument}: found {value}: {advice}")
        raise TypeError(f"{argument}: expected a number, an expression or a text, found {value}")
    if isinstance(value, int):
        # Larger ones are exact as a text only.
        return str(value) if abs(value) < 2**53 else quoted(str(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _core.InputError(f"{argument}: {value} is not a finite number")
        return repr(value)
    if isinstance(value, fractions.Fraction):
        return quoted(str(value)) if value.denominator != 1 else leaf(int(value), argument)
    if isinstance(value, (decimal.Decimal, np.longdouble)):
        if not (value.is_finite() if isinstance(value, decimal.Decimal) else np.isfinite(value)):
            raise _core.InputError(f"{argument}: {value} is not a finite number")
        return quoted(str(value))
    if isinstance(value, (set, frozenset)):
        raise TypeError(f"{argument}: a set has no order; give a list")
    if callable(value):
        raise TypeError(f"{argument}: no function can stand here; give an expression, or its text such as 'x^2 + y^2'")
    raise TypeError(
        f"{argument}: expected a number, an expression or a text, found {_shown(value)} of type {type(value).__name__}"
    )


def tree(value: Any, argument: str) -> Tree:
    """A formula, or a list of lists of them."""
    return [tree(item, argument) for item in items(value)] if is_list(value) else leaf(value, argument)


def rendered(node: Tree, indent: int = 0) -> str:
    """A list in brackets, one element a line where it is long. Expressions must have been replaced by their texts."""
    if not isinstance(node, list):
        return str(node)
    parts = [rendered(item, indent + 1) for item in node]
    line = f"[{', '.join(parts)}]"
    if indent + len(line) <= WIDTH and "\n" not in line:
        return line
    if all(isinstance(item, str) and len(item) < 30 for item in node):
        return "[" + _filled(parts, indent + 1) + "]"
    return "[" + (",\n" + " " * (indent + 1)).join(parts) + "]"


def _filled(parts: Iterable[str], indent: int) -> str:
    """Short elements, as many as fit on each line."""
    lines, line = [], ""
    for part in parts:
        if line and indent + len(line) + len(part) + 2 > WIDTH:
            lines.append(line + ",")
            line = part
        else:
            line = f"{line}, {part}" if line else part
    return ("\n" + " " * indent).join([*lines, line])


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

