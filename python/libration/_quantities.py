"""The recorded quantities of a run, by the names of its model."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._style import formula_of

Floats = NDArray[np.float64]

GROUPS = ("path", "energy", "residuals", "q", "p", "v", "lam", "invariants", "observables")


class Quantities(Mapping[str, Floats]):
    """Everything that a run recorded, by name: t, x, p_x, v_x, lambda_rod, observables, energy_error, ..."""

    def __init__(self, run: Any) -> None:
        if run.model is None:
            raise ValueError("the file of this run contains no model and hence no names: plot run.t and run.q")
        names = list(run.model.coordinates)
        self._columns: dict[str, tuple[Any, Optional[int]]] = {"t": (run.t, None)}
        for prefix, array in (("", run.q), ("p_", run.p), ("v_", run.v)):
            self._columns.update({prefix + name: (array, k) for k, name in enumerate(names)})
        self._columns.update({name: (run.lam, k) for k, name in enumerate(multiplier_names(run))})
        self._columns.update({name: (values, None) for name, values in run.observables.items()})
        self._columns.setdefault("energy_error", (run.energy_error, None))
        self._columns.setdefault("constraint", (run.residuals.constraint, None))
        self._columns.setdefault("hidden", (run.residuals.hidden, None))

    def __getitem__(self, name: str) -> Floats:
        array, column = self._columns[name]
        return np.asarray(array if column is None else array[:, column], dtype=float)

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def required(self, name: Any) -> str:
        """The name itself if there is such a quantity, otherwise an error that suggests others."""
        if isinstance(name, str) and name in self._columns:
            return name
        raise unknown(name, [*self._columns, *GROUPS])


def as_names(what: Any) -> Any:
    """Symbols of models, alone or in tuples and lists, as their names."""
    if what is None or isinstance(what, str):
        return what
    if isinstance(what, (tuple, list)):
        return type(what)(as_names(item) for item in what)
    return as_names(list(what)) if isinstance(what, np.ndarray) else str(what)


def multiplier_names(run: Any) -> list[str]:
    """Names of the columns of run.lam."""
    return [name if name.startswith("lambda_") else f"lambda_{name}" for name in run.model.multipliers]


def unknown(name: Any, known: Sequence[str]) -> ValueError:
    near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
    hint = f": did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    listed = ", ".join(known[:24]) + (", ..." if len(known) > 24 else "")
    return ValueError(f"there is nothing to plot named {name!r}{hint}\n  available: {listed}")


def label_of(name: str) -> str:
    """A label of one quantity; those of the run itself have symbols of their own."""
    own = {"energy_error": "$H - H_0$", "constraint": "$|g|$", "hidden": r"$|G\,v|$"}
    return own.get(name, f"${formula_of(name)}$")
