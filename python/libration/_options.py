"""Options of a run as the core takes them."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional

import numpy as np

from ._core import Expression, InputError
from ._numbers import Real, real, whole
from ._toml import as_formula


def run_options(
    *,
    step: Optional[Real] = None,
    duration: Optional[Real] = None,
    steps: Optional[int] = None,
    every: int = 1,
    monitor: int = 1,
    project: bool = False,
    adaptive: Optional[str] = None,
    tol: Optional[Real] = None,
    estimator: Optional[str] = None,
    at: Any = None,
    events: Any = None,
    stop_if: Any = None,
    backend: Optional[str] = None,
) -> dict[str, Any]:
    """Only those that were given."""
    options: dict[str, Any] = {}
    for name, number in (("step", step), ("duration", duration)):
        if number is not None:
            options[name] = real(number, name)
    for name, count, usual in (("steps", steps, None), ("every", every, 1), ("monitor", monitor, 1)):
        if count is not None and count != usual:
            options[name] = whole(count, name)
    if flag(project, "project"):
        options["project"] = True
    words = {"control": adaptive, "tol": None if tol is None else real(tol, "tol"), "estimator": estimator}
    if any(word is not None for word in words.values()):
        options["adaptive"] = words
    if at is not None:
        options["at"] = at if isinstance(at, str) else times(at)
    if events is not None:
        options["events"] = event_texts(events)
    if stop_if is not None:
        options["stop_if"] = _formula_text(stop_if, "stop_if")
    if backend is not None:
        options["backend"] = backend
    return options


def flag(value: Any, name: str) -> bool:
    """True or False, and nothing that only counts as such: "no" would be true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: expected True or False")
    return bool(value)


def checked_callback(callback: Optional[Callable[[Any], object]]) -> Optional[Callable[[Any], bool]]:
    """A callback whose answers are told apart from mistakes."""
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError(f"callback={callback!r}: expected a function that is called with the state")
    function: Callable[[Any], object] = callback

    def checked(state: Any) -> bool:
        answer = function(state)
        if answer is not None and not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"the callback returned {answer!r}; return True to stop the run, False or nothing to go on")
        return bool(answer)

    return checked


def times(at: Any) -> list[float]:
    """Times to record, as a list."""
    try:
        flat: list[float] = np.asarray(at, dtype=float).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"at={reprlib.repr(at)}: it must be a list of times") from None
    return flat


def event_texts(events: Any) -> list[str]:
    """Events as the library reads them, "name: EXPR rising terminal".

    events: one expression or text, a sequence of them, or {name: expression or {"when":, "direction":, "terminal":}}.
    """
    if isinstance(events, Mapping):
        return [f"{name}: {_event_text(event)}" for name, event in events.items()]
    if isinstance(events, (str, Expression)) or not isinstance(events, Iterable):
        return [_formula_text(events, "events")]
    return [_formula_text(event, "events") for event in (events.ravel() if isinstance(events, np.ndarray) else events)]



def _event_text(event: Any) -> str:
    if not isinstance(event, Mapping):
        return _formula_text(event, "events")
    unknown = set(event) - {"when", "direction", "terminal"}
    if unknown or "when" not in event:
        raise InputError(f"an event has 'when', 'direction' and 'terminal', found {', '.join(map(repr, event))}")
    direction = event.get("direction") or ""
    if direction == "either":
        direction = ""
    words = [_formula_text(event["when"], "events"), direction, "terminal" if event.get("terminal") else ""]
    return " ".join(word for word in words if word)


def _formula_text(value: Any, name: str) -> str:
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value}: == compares two formulas in Python; compare with < or >, or write a text")
    if callable(value):
        raise TypeError(f"{name}: a function can stand in lb.Model(events=...) only; give an expression or a text "
                        "here, or callback=...")
    if not isinstance(value, (str, Expression)):
        raise TypeError(f"{name}: expected an expression or a text, found an object of type {type(value).__name__}")
    return as_formula(str(value))
