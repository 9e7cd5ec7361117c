"""Parameters and initial values of a model as a vector of numbers, for fits and for other programs' optimizers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._calls import suggestion
from ._core import InputError
from ._numbers import real
from ._values import symbol_name

if TYPE_CHECKING:
    from ._model import Model

Vector = NDArray[np.float64]


class Unknowns:
    """Names of a model, and the models that have other values there.

    Each of them becomes a number of its own: a parameter or an initial value that is a formula then follows no others.
    """

    def __init__(self, model: "Model", names: Sequence[str]) -> None:
        self.model = model
        self.names = list(names)
        given = model.parameters
        starts = _initial_by_name(model)
        self.initial = [name for name in self.names if name not in given]
        """Those that are initial values."""
        self.values: Vector = np.array([_number(name, given, starts) for name in self.names], dtype=float)
        """The values of the model."""

    @property
    def project(self) -> bool:
        """Whether the constraints decide about the start: one initial value alone cannot be changed."""
        return bool(self.initial) and bool(self.model.multipliers)

    def run_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of runs at other values."""
        if not self.project:
            return dict(options)
        if options.get("project") is False:
            raise InputError(
                f'by="{",".join(self.initial)}": initial values of a model with constraints are varied along the '
                "constraints; omit project=False"
            )
        return {**options, "project": True}

    def at(self, values: Vector) -> "Model":
        """The model with these values."""
        return self.model.set(dict(zip(self.names, values.tolist())))

    def with_start(self, start: Optional[Mapping[Any, Any]]) -> Vector:
        """The values of the model, replaced where others are given."""
        if start is not None and not isinstance(start, Mapping):
            raise TypeError(f"start: expected a dict of names and values, found {start!r}")
        values = self.values.copy()
        for key, value in (start or {}).items():
            name = symbol_name(key, "start")
            values[self.place(name, "start")] = _finite(real(value, name), name)
        return values

    def place(self, name: str, argument: str) -> int:
        """The number of an unknown."""
        if name not in self.names:
            raise InputError(f"{argument}: '{name}' is not among the unknowns{_near(name, self.names)}")
        return self.names.index(name)


def _initial_by_name(model: "Model") -> dict[str, float]:
    values: dict[str, float] = {}
    for letter, array in model.initial.items():
        prefix = "" if letter == "q" else f"{letter}_"
        values.update(zip((prefix + name for name in model.coordinates), array.tolist()))
    return values


def _number(name: str, given: Mapping[str, Any], starts: Mapping[str, float]) -> float:
    value = given.get(name, starts.get(name))
    if value is None and isinstance(given.get(name.partition("[")[0]), (list, str)):
        value = []  # an element
    if value is None and name[2:] in starts and name[:2] in ("p_", "v_"):
        other = {"p_": "v_", "v_": "p_"}[name[:2]] + name[2:]
        raise InputError(f'by="{name}": the model starts with {_kind(other)}; use {other}')
    if value is None:
        raise InputError(f"by=\"{name}\": the model has no parameter and no initial value '{name}'"
                         f"{_near(name, [*given, *starts])}")
    if not isinstance(value, (int, float)):
        raise InputError(f'by="{name}": it is a list; values of lists cannot be unknowns here: give a parameter of its '
                         "own to each value that is unknown")
    return float(value)


def _kind(name: str) -> str:
    return "momenta" if name.startswith("p_") else "velocities"


def _near(name: str, known: Sequence[str]) -> str:
    return suggestion(name, list(known)).replace("=?", "?")


def _finite(value: float, name: str) -> float:
    if not math.isfinite(value):
        raise InputError(f"start: {name} = {value} is not a finite number")
    return value
