"""Options of runs and ensembles in the form of the core."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional

import numpy as np

from ._calls import method_text
from ._core import Expression, InputError, arguments
from ._numbers import real, reals, whole
from ._paths import path_text
from ._values import as_formula


def request(task: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a task in the form of the core; only those that were given."""
    asked: dict[str, Any] = {}
    for name, kind, _ in arguments(task):
        value = options.get(name)
        if value is not None or (kind == "flag" and name in options):
            asked[name] = _CONVERTERS.get(name, _KINDS[kind])(value, name)
    return asked


def flag(value: Any, name: str) -> bool:
    """True or False, and nothing that merely converts to it: "no" would be true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: expected True or False")
    return bool(value)


def checked_callback(callback: Optional[Callable[[Any], object]]) -> Optional[Callable[[Any], bool]]:
    """A callback whose return values are checked."""
    if callback is None:
        return None
    if not callable(callback):
        raise TypeError(f"callback={callback!r}: expected a function that is called with the state")
    function: Callable[[Any], object] = callback

    def checked(state: Any) -> bool:
        answer = function(state)
        if answer is not None and not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"the callback returned {answer!r}; return True to stop the run, False or None to continue")
        return bool(answer)

    return checked


def times(at: Any, name: str = "at") -> str:
    """Times to record, as a text."""
    if isinstance(at, str):
        return at
    try:
        flat: list[float] = np.asarray(at, dtype=np.float64).ravel().tolist()
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}={reprlib.repr(at)}: it must be a list of times") from None
    if not flat:
        raise InputError(f"{name}: the list of times is empty; omit it to record every step")
    return ",".join(map(repr, flat))


def event_texts(events: Any, name: str = "events") -> list[str]:
    """Events as the library reads them, "name: EXPR rising terminal".

    events: one expression or text, a sequence of them, or {name: expression or {"when":, "direction":, "terminal":}}.
    """
    if isinstance(events, Mapping):
        return [f"{label}: {_event_text(event)}" for label, event in events.items()]
    if isinstance(events, (str, Expression)) or not isinstance(events, Iterable):
        return [_formula_text(events, name)]
    return [_formula_text(event, name) for event in (events.ravel() if isinstance(events, np.ndarray) else events)]


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
        raise TypeError(f"{name}: functions are accepted in lb.Model(events=...) only; give an expression or a text "
                        "here, or use callback=...")
    if not isinstance(value, (str, Expression)):
        raise TypeError(f"{name}: expected an expression or a text, found an object of type {type(value).__name__}")
    return as_formula(str(value))


def _unchanged(value: Any, name: str) -> Any:
    return value


def _text(value: Any, name: str) -> Any:
    """A text; numbers may stand for themselves."""
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _names(value: Any, name: str) -> str:
    """Names in a text with commas, or in a list; of symbols their names."""
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return ",".join(str(one) for one in value)
    return str(value)


_KINDS: dict[str, Callable[[Any, str], Any]] = {
    "number": real, "whole": whole, "flag": flag, "text": _text, "texts": _unchanged, "numbers": reals,
}
# What is written in other ways than the kind of the argument says.
_CONVERTERS: dict[str, Callable[[Any, str], Any]] = {
    "method": method_text, "at": times, "events": event_texts, "stop_if": _formula_text, "loss": _formula_text,
    "by": _names,
    "out": lambda path, name: path_text(path),
}
