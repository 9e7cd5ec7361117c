"""Events of a run: the states at zero crossings of expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Union

import numpy as np

from ._columns import Array
from ._core import InputError

COLUMNS = ("t", "rising", "q", "p", "v", "lambda", "energy", "constraint", "hidden")


class EventStates:
    """The states of one event, or of all in the order of time: t, rising, q, p, v, lam, energy, constraint, hidden."""

    def __init__(self, name: str, columns: Mapping[str, Any]) -> None:
        self.name = name
        self.t: Array = columns["t"]
        self.rising = columns["rising"]
        self.q: Array = columns["q"]
        self.p: Array = columns["p"]
        self.v: Array = columns["v"]
        self.lam: Array = columns["lambda"]
        self.energy: Array = columns["energy"]
        self.constraint: Array = columns["constraint"]
        self.hidden: Array = columns["hidden"]

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        times = "never" if len(self) == 0 else f"{len(self)} times, t = {self.t[0]:.6g} to {self.t[-1]:.6g}"
        return f"event {self.name}: {times}"


class Events(Mapping[str, EventStates]):
    """Events by name: events["section"].q, or events.section.q; events.all has them in the order of time."""

    def __init__(self, counted: "Mapping[str, Mapping[str, Any]]", columns: Mapping[str, Any]) -> None:
        self._names = list(counted)
        self._counted = counted
        self._columns = columns

    def __getitem__(self, name: Union[str, int]) -> EventStates:
        number = self._number(name)
        self._require(self._names[number])
        chosen = self._columns["event"] == number
        return EventStates(self._names[number], {key: _fixed(self._columns[key][chosen]) for key in COLUMNS})

    def _number(self, name: Union[str, int]) -> int:
        if isinstance(name, int) and -len(self._names) <= name < len(self._names):
            return name % len(self._names)
        if name not in self._names:
            known = ", ".join(self._names) or "none"
            raise KeyError(f"there is no event '{name}' in this run; available: {known}")
        return self._names.index(str(name))

    @property
    def lost(self) -> "dict[str, int]":
        """Events whose states are not in the file that was opened or resumed: name and number."""
        numbers = {name: int(np.sum(self._columns["event"] == k)) for k, name in enumerate(self._names)}
        missing = {name: int(self._counted[name]["count"]) - number for name, number in numbers.items()}
        return {name: number for name, number in missing.items() if number > 0}

    def _require(self, *names: str) -> None:
        for name in names:
            if name in self.lost:
                raise InputError(
                    f"the event '{name}' happened {self._counted[name]['count']} times, and its states are not in "
                    f"the file; run.summary['events']['{name}'] has the first and the last time, run.events.held the "
                    "available states; repeat the run to obtain all of them"
                )

    @property
    def held(self) -> EventStates:
        """The available states, in the order of time; for a resumed run, those since it was resumed."""
        return EventStates("held", self._columns)

    @property
    def all(self) -> EventStates:
        """The states of all events in the order of time."""
        self._require(*self._names)
        return EventStates("all", self._columns)

    @property
    def order(self) -> "list[str]":
        """Names of the events in `all`."""
        self._require(*self._names)
        return [self._names[int(number)] for number in self._columns["event"]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __getattr__(self, name: str) -> EventStates:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"there is no event '{name}' in this run")
        return self[name]

    def __dir__(self) -> "list[str]":
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return "\n".join(map(self._line, self)) or "events: none"

    def _line(self, name: str) -> str:
        if name not in self.lost:
            return repr(self[name])
        found = self._counted[name]
        times = f"{found['count']} times, t = {found['first']:.6g} to {found['last']:.6g}"
        return f"event {name}: {times}; their states are not in the file"


def _fixed(array: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    array.flags.writeable = False
    return array
