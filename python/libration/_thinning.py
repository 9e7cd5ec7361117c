"""Thinning of long curves without visible changes: points in the same pixel are drawn once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COLUMNS = 2100  # pixel columns of a figure of two columns' width at 300 dpi
CELLS = 4200  # of a path in the plane: side of the grid, finer than any print


def envelope(t: Floats, y: Floats, columns: int = COLUMNS, logarithmic: bool = False) -> tuple[Floats, Floats]:
    """Of a curve y(t) with t that never turns back: first, last, lowest and highest point of every pixel column.

    At most four points per column, in order, taken from the data: extremes are exact, gaps (NaN) are preserved.
    """
    count = len(t)
    if count <= 4 * columns:
        return t, y
    span = t[-1] - t[0]
    if not np.isfinite(span) or span == 0:
        return t, y
    column = np.minimum(((t - t[0]) * (columns / span)).astype(np.int64), columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    ends = np.append(starts[1:], count) - 1
    finite = np.isfinite(y) & (y > 0) if logarithmic else np.isfinite(y)
    keep = np.zeros(count, dtype=bool)
    keep[starts] = keep[ends] = True
    extremes: list[tuple[Any, float]] = [(np.minimum, np.inf), (np.maximum, -np.inf)]
    for extreme, worst in extremes:
        value = np.where(finite, y, worst)
        best = np.repeat(extreme.reduceat(value, starts), ends - starts + 1)
        hits = np.flatnonzero((value == best) & finite)
        first_of_column = np.unique(column[hits], return_index=True)[1]
        keep[hits[first_of_column]] = True
    # A gap is kept as one point, so that the line is still broken there.
    gaps = np.flatnonzero(~np.isfinite(y))
    if len(gaps):
        keep[gaps[np.unique(column[gaps], return_index=True)[1]]] = True
    return t[keep], y[keep]


def same_path(points: Floats, cells: int = CELLS) -> Floats:
    """Of a path, one point a row: those that leave the cell of the point before, on a grid finer than any print."""
    count = len(points)
    if count <= 4 * COLUMNS:
        return points
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    side = float(np.max(high - low))
    if not np.isfinite(side) or side == 0:
        return points
    with np.errstate(invalid="ignore"):
        cell = np.floor((points - low) * (cells / side))
    keep = np.ones(count, dtype=bool)
    keep[1:-1] = np.any(cell[1:-1] != cell[:-2], axis=1)
    # The last point before the cell is left, too: the line out of it starts where it did.
    keep[:-1] |= keep[1:]
    kept: Floats = points[keep]
    return kept


def crests(t: Floats, y: Floats, places: int) -> tuple[Floats, Floats]:
    """The largest value of every stretch of rows, at its own time."""
    starts = np.linspace(0, len(y), places + 1).astype(np.int64)
    value = np.where(np.isfinite(y), y, -np.inf)
    stretches = [(first, last) for first, last in zip(starts, starts[1:]) if last > first]
    at = np.array([first + int(np.argmax(value[first:last])) for first, last in stretches])
    return t[at], y[at]
