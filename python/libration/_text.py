"""Numbers, tables and summaries as plain text, for terminals and for the cells of tables."""

from __future__ import annotations

import math
from typing import Any, Sequence, Tuple

Fact = Tuple[str, str]
"""A name and its value, as both are shown."""

MISSING = "-"


def number(value: object, digits: int = 6) -> str:
    """A value in readable form: 1.2e-13, 0.1, yes; a dash if it is missing or not a number.

    >>> number(1.2000000000000001e-13)
    '1.2e-13'
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ", ".join(number(item, digits) for item in value)
    try:
        real = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return str(value)
    if math.isnan(real):
        return MISSING
    if real == int(real) if math.isfinite(real) and abs(real) < 1e6 else False:
        return str(int(real))
    return str(value) if isinstance(value, int) else f"{real:.{digits}g}".replace("e-0", "e-").replace("e+0", "e+")


def counted(count: Any, one: str, several: str) -> str:
    """1 step, 2 steps"""
    return f"{number(count)} {one if count == 1 else several}"


def text_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns of text under their headings."""
    texts = [list(headings)] + [[number(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in texts) for k in range(len(headings))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in texts)
