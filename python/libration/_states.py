"""States of a run at given times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._by_name import Names, picked
from ._columns import Array


class States:
    """States at given times: t, q, p, v, lam, energy, constraint, hidden, and single numbers by name, states["v_x"].

    For one time, t is a number and q has the shape (dimension,); for a list of times, arrays have one row per time.
    """

    def __init__(self, columns: Mapping[str, Any], names: Names, initial_energy: float, single: bool) -> None:
        self._columns = {name: array[0] if single else array for name, array in columns.items()}
        self._columns["energy_error"] = self._columns["energy"] - initial_energy
        self._names = names
        self.t: Array = self._columns["t"]
        self.q: Array = self._columns["q"]
        self.p: Array = self._columns["p"]
        self.v: Array = self._columns["v"]
        self.lam: Array = self._columns["lambda"]
        self.energy: Array = self._columns["energy"]
        self.constraint: Array = self._columns["constraint"]
        self.hidden: Array = self._columns["hidden"]

    def __getitem__(self, name: str) -> Array:
        return picked(self._columns, self._names.place(name))

    def __len__(self) -> int:
        return int(np.size(self.t))

    def __repr__(self) -> str:
        if np.ndim(self.t) == 0:
            return f"state at t = {float(self.t):g}: q = {self.q}, p = {self.p}"
        return f"{len(self)} states at given times" if len(self) else "no states"
