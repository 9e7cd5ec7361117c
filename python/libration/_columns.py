"""Named arrays: a mapping that is read only, with the names as attributes, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Columns(Mapping[str, Array]):
    """Arrays by name, columns["energy1"] or columns.energy1. They are fetched on first access."""

    _what: str
    _columns: "dict[str, Callable[[], Array]]"

    def __init__(self, what: str, columns: Mapping[str, Callable[[], Array]]) -> None:
        self._what: str
        self._columns: dict[str, Callable[[], Array]]
        self.__dict__["_what"] = what
        self.__dict__["_columns"] = dict(columns)

    def __getitem__(self, name: str) -> Array:
        try:
            fetch = self._columns[name]
        except KeyError:
            raise KeyError(self._unknown(name)) from None
        return fetch()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __getattr__(self, name: str) -> Array:
        if name.startswith("__") or name not in self._columns:
            raise AttributeError(self._unknown(name))
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._what} cannot be changed")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def _unknown(self, name: str) -> str:
        known = ", ".join(self._columns) if self._columns else "none"
        return f"there is no '{name}' among the {self._what} of this run; available: {known}"

    def __repr__(self) -> str:
        if not self:
            return f"{self._what}: none"
        width = max(len(name) for name in self)
        return "\n".join([f"{self._what}:", *(f"  {name:<{width}}  {_range(self[name])}" for name in self)])

    def __reduce__(self) -> "tuple[Any, ...]":
        return _rebuilt, (self._what, dict(self))


def _rebuilt(what: str, arrays: Mapping[str, Array]) -> Columns:
    return Columns(what, {name: (lambda array=array: array) for name, array in arrays.items()})  # type: ignore[misc]


def _range(array: Array) -> str:
    if array.size == 0:
        return "no values"
    return f"{array.shape[0]} values, {np.min(array):.6g} to {np.max(array):.6g}"
