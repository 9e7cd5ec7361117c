"""Runs without the core: unpickled runs, from another process or a file."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    from ._model import Model
    from ._run import Run


class Facts(NamedTuple):
    """What is known of a run beside its arrays."""

    summary: dict[str, Any]
    status: str
    interrupted: bool
    model_name: str
    path: str
    observables: list[str]
    method: str
    step: float
    warnings: list[str]
    lines: list[tuple[str, str]]


class HeldRun:
    """Answers as the run of the core does, from arrays of numpy."""

    interrupted = False

    def __init__(self, facts: Facts, columns: Mapping[str, Any], events: Mapping[str, Any], model: Any) -> None:
        self._facts = facts
        self._columns = {name: _fixed(array) for name, array in columns.items()}
        self._events = {name: _fixed(array) for name, array in events.items()}
        self.model: Optional[_core.Model] = model
        self.status, self.path = facts.status, facts.path
        self.model_name, self.observables = facts.model_name, facts.observables
        self.method, self.step, self.warnings = facts.method, facts.step, facts.warnings

    @property
    def summary(self) -> dict[str, Any]:
        """A copy, to be changed at will."""
        return copy.deepcopy(self._facts.summary)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The lines of the printed summary."""
        return list(self._facts.lines)

    def column(self, name: str) -> NDArray[Any]:
        """One array."""
        array: NDArray[Any] = self._columns[name]
        return array

    def columns(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return dict(self._columns)

    def event_columns(self) -> dict[str, NDArray[Any]]:
        """The states at events."""
        return dict(self._events)

    def at(self, times: list[float]) -> dict[str, NDArray[Any]]:
        """States at given times, where the file of the run still exists."""
        return self._from_file("computed between its steps").at(times)

    def save(self, path: str, overwrite: bool = False) -> None:
        """As the core does, where the file of the run still exists."""
        self._from_file("saved").save(path, overwrite)

    def analyse(self, name: str, options: Mapping[str, str]) -> tuple[str, list[str]]:
        """Likewise."""
        return self._from_file("analysed").analyse(name, options)

    def _from_file(self, what: str) -> _core.RunResult:
        if self.path and os.path.exists(self.path):
            return _core.open_run(self.path)
        raise _core.InputError(
            "this run was unpickled: it has its arrays, but not the state of the method, so it cannot be "
            f"{what}; "
            'do that where it was computed, or run with out="FILE.h5" and lb.open it here'
        )


def _fixed(array: Any) -> Any:
    array = np.asarray(array)
    array.flags.writeable = False
    return array


def reduced(run: "Run") -> tuple[Any, ...]:
    """What pickle keeps of a run."""
    core = run._core
    path = os.path.abspath(core.path) if core.path else ""
    facts = Facts(core.summary, core.status, core.interrupted, core.model_name, path, list(core.observables),
                  core.method, core.step, list(core.warnings), core.facts)
    return restored, (type(run), tuple(facts), core.columns(), core.event_columns(), run.model)


def restored(kind: "type[Run]", facts: tuple[Any, ...], columns: Mapping[str, Any], events: Mapping[str, Any],
             model: "Optional[Model]") -> "Run":
    """The run again."""
    return kind(HeldRun(Facts(*facts), columns, events, None if model is None else model._core), model)
