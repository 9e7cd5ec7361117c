"""Single columns by name: run["x"], run["v_x"], run["lambda_rod"], run["energy"]."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, List, Mapping, Sequence

from ._columns import Array

if TYPE_CHECKING:
    from . import _core

MONITORED = ("energy", "constraint", "hidden")


class Names:
    """The names that a model gives to the numbers of a state."""

    def __init__(self, model: "_core.Model", observables: Sequence[str]) -> None:
        self._coordinates: List[str] = list(model.coordinates)
        self._multipliers: List[str] = list(model.multipliers)
        self._observables = list(observables)

    @classmethod
    def of_sizes(cls, dimension: int, multipliers: int, observables: Sequence[str]) -> "Names":
        """Of a file without a model: q1, q2, ..., lambda_1, ..."""
        names = cls.__new__(cls)
        names._coordinates = [f"q{k + 1}" for k in range(dimension)]
        names._multipliers = [f"lambda_{k + 1}" for k in range(multipliers)]
        names._observables = list(observables)
        return names

    def all(self) -> "List[str]":
        """Every name."""
        coordinates = self._coordinates
        return ["t", *coordinates, *(f"p_{name}" for name in coordinates), *(f"v_{name}" for name in coordinates),
                *self._multipliers, *MONITORED, "energy_error", *self._observables]  # fmt: skip

    def place(self, name: str) -> "tuple[str, int]":
        """The column, and the number within it, -1 where it is one number; KeyError with what was perhaps meant."""
        for column, prefix in (("q", ""), ("p", "p_"), ("v", "v_")):
            if name.startswith(prefix) and name[len(prefix) :] in self._coordinates:
                return column, self._coordinates.index(name[len(prefix) :])
        for column, names in (("lambda", self._multipliers), ("observables", self._observables)):
            if name in names:
                return column, names.index(name)
        if name in ("t", "energy_error", *MONITORED):
            return name, -1
        raise KeyError(self._unknown(name))

    def _unknown(self, name: str) -> str:
        known = self.all()
        same = [one for one in known if one.lower() == name.lower()]
        if near := same or difflib.get_close_matches(name, known, 1, 0.6):
            return f"there is no '{name}' in this run: did you mean '{near[0]}'?"
        shown = ", ".join(known if len(known) <= 20 else [*known[:20], "..."])
        return f"there is no '{name}' in this run; there are: {shown}"


def picked(columns: "Mapping[str, Any]", place: "tuple[str, int]") -> Array:
    """The array at a place."""
    column, number = place
    array: Array = columns[column]
    return array if number < 0 else array[..., number]
