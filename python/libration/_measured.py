"""What was measured, in the order of predictions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._core import InputError
from ._tables import TableLike, columns_of

Array = NDArray[np.float64]


class Measured:
    """The numbers of a table, time by time, without gaps."""

    def __init__(self, table: TableLike) -> None:
        self.columns = columns_of(table)
        """All columns by name."""
        self.names = [name for name in self.columns if name != "t" and not name.startswith("sd_")]
        """The measured quantities."""
        if not self.names or "t" not in self.columns:
            raise InputError("a table needs a column 't' of times and columns of measured quantities; found "
                             f"{', '.join(self.columns) or 'none'}")
        self.t: Array = self.columns["t"]
        grid = np.column_stack([self.columns[name] for name in self.names])
        self.present = ~np.isnan(grid)
        self.values: Array = grid[self.present]
        with_sd = [name for name in self.names if f"sd_{name}" in self.columns]
        self.stated = bool(with_sd)
        """Whether the standard deviations are known; otherwise all are the same, and sd is 1."""
        if self.stated and len(with_sd) < len(self.names):
            other = next(name for name in self.names if name not in with_sd)
            raise InputError(f"the table has sd_{with_sd[0]}, but not sd_{other}; give the standard deviations of all "
                             "columns, or of none")
        self.sd: Array = np.ones(len(self.values))
        if self.stated:
            self.sd = np.column_stack([self.columns[f"sd_{name}"] for name in self.names])[self.present]

    def column(self, name: str, rows: Array) -> tuple[Array, Array]:
        """Times and values of one quantity, from numbers in the order of predictions."""
        grid = np.full(self.present.shape, np.nan)
        grid[self.present] = rows
        k = self.names.index(name)
        there = self.present[:, k]
        return self.t[there], grid[there, k]
