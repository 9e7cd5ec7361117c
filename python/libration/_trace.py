"""Tracing of user functions: they are called once with symbols and return a formula."""

from __future__ import annotations

import inspect
import linecache
import os
import re
import traceback
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np

from . import _core

_PACKAGE = os.path.dirname(os.path.abspath(__file__))

WAY_OUT = (
    "It is called once with expressions instead of numbers, so that its derivatives are exact: use lb.sin, "
    "lb.sqrt, ... or numpy's functions instead of those of math, and lb.where(condition, a, b) instead of if."
)
_OTHER_WAY = {
    "potential": " Code that needs numbers can be given as lb.external(value, gradient=...).",
    "constraints": " Code that needs numbers can be given as lb.external(value, jacobian=..., rows=m).",
}


def symbols(names: Sequence[str], prefix: str = "") -> "np.ndarray[Any, Any]":
    """The symbols of coordinates, velocities (v_) or momenta (p_) as a numpy array."""
    array = np.empty(len(names), dtype=object)
    for k, name in enumerate(names):
        array[k] = _core.symbol(prefix + name)
    return array


def trace(function: Callable[..., Any], argument: str, arrays: Sequence[Any], letters: str) -> Any:
    """What `function` returns for symbols.

    `argument` names it in messages; `letters` are the names of the arrays, such as "qv". The time is passed on to
    functions whose next argument is called t or time.
    """
    shown = f"{argument}: the function {_name(function)}({', '.join(letters)})"
    function = getattr(function, "py_func", function)  # compiled functions know numbers only, their source knows all
    positional, named = _arguments(function, argument, arrays, letters)
    return _called(function, argument, shown, positional, named)


def trace_by_name(function: Callable[..., Any], argument: str, known: "Mapping[str, Callable[[], Any]]") -> Any:
    """What `function` returns for those of the known symbols that its arguments are called after."""
    function = getattr(function, "py_func", function)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    wanted = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    strange = [p.name for p in wanted if p.name not in known and p.default is p.empty]
    shown = f"{argument}: the function {_name(function)}({', '.join(p.name for p in wanted)})"
    if strange or not wanted:
        raise _core.InputError(
            f"{shown} receives its arguments by name, out of {', '.join(known)}; give others their values with "
            "functools.partial"
        )
    chosen = [p for p in wanted if p.name in known]
    positional = [known[p.name]() for p in chosen if p.kind is p.POSITIONAL_ONLY]
    named = {p.name: known[p.name]() for p in chosen if p.kind is not p.POSITIONAL_ONLY}
    return _called(function, argument, shown, positional, named)


def _called(
    function: Callable[..., Any], argument: str, shown: str, positional: "list[Any]", named: "dict[str, Any]"
) -> Any:
    try:
        result = function(*positional, **named)
    except Exception as error:
        reason = str(error).strip().rstrip(".") or "no reason given"
        raise _core.InputError(
            f"{shown} cannot be traced{_place(error, function)}: {type(error).__name__}: {reason}.\n"
            f"{_culprit(error)}{WAY_OUT}{_OTHER_WAY.get(argument.partition('[')[0], '')}"
        ) from error
    if result is None:
        raise _core.InputError(f"{shown} returns None; is a return statement missing?")
    return result


def one_number(result: Any, argument: str) -> Any:
    """A result that must be a single formula."""
    if isinstance(result, np.ndarray) and result.size == 1:
        return result.reshape(-1)[0]
    if isinstance(result, (list, tuple, dict, np.ndarray)):
        size = f"an array of shape {result.shape}" if isinstance(result, np.ndarray) else f"a {type(result).__name__}"
        raise _core.InputError(f"{argument}: the function returns {size}, but a single number is required")
    return result


def _culprit(error: BaseException) -> str:
    """The function of a library that needs numbers, where the error names one."""
    found = re.search(r"ufunc '?(\w+)'?", str(error))
    return f"'{found.group(1)}' needs numerical values and cannot be applied to expressions. " if found else ""


def _name(function: Callable[..., Any]) -> str:
    inner = getattr(function, "func", function)  # of functools.partial
    return str(getattr(inner, "__name__", type(inner).__name__))


def _arguments(
    function: Callable[..., Any], argument: str, arrays: Sequence[Any], letters: str
) -> "tuple[list[Any], dict[str, Any]]":
    """The arrays, and t where the function has room for it."""
    time = _core.symbol("t")
    wanted = len(arrays)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # built in, without a signature
        return list(arrays), {}
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in plain if p.default is p.empty]
    many = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    keywords = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    takes_time = len(plain) > wanted and plain[wanted].name in ("t", "time")
    too_many = len(needed) > wanted + takes_time
    if keywords not in ([], ["t"], ["time"]) or too_many or (len(plain) < wanted and not many):
        call = f"{argument.partition('[')[0]}({', '.join(letters)})"
        some = [str(name) for name in arrays[0][:2]]
        more = f"; q is one array: {', '.join(some)}{', ...' if len(arrays[0]) > 2 else ''} = q" if too_many else ""
        raise _core.InputError(
            f"{argument}: the function {_name(function)}{inspect.signature(function)} is called as {call}, or with the "
            f"time as {call[:-1]}, t){more}; give other arguments their values with functools.partial"
        )
    named = {keywords[0]: time} if keywords else {}
    return [*arrays, time] if takes_time else list(arrays), named


def _place(error: BaseException, function: Callable[..., Any]) -> str:
    """Where it failed in the user's own code: the innermost line of the function's file."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [f for f in frames if not os.path.abspath(f.filename).startswith(_PACKAGE + os.sep)]
    inner = inspect.unwrap(getattr(function, "func", function))
    code = getattr(inner, "__code__", None) or getattr(getattr(type(inner), "__call__", None), "__code__", None)
    own: Optional[str] = getattr(code, "co_filename", None)
    chosen = [f for f in outside if f.filename == own] or outside
    if not chosen:
        return ""
    frame = chosen[-1]
    line = linecache.getline(frame.filename, frame.lineno or 0).strip() or (frame.line or "")
    return f" at line {frame.lineno} of {os.path.basename(frame.filename)}" + (f", `{line}`" if line else "")
