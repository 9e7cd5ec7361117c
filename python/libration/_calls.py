"""Checks of call arguments with helpful messages, and tracebacks without the internals of the package."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import os
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union, cast

from ._core import arguments
from ._errors import FileError, InputError, IntegrationError, Interrupted
from ._signatures import described, extended

if TYPE_CHECKING:
    from ._records import Record

Function = TypeVar("Function", bound=Callable[..., Any])
MethodLike = Union[None, str, "Record"]
"""A specification such as "lobatto(3)", or a record of lb.methods() or lb.method(...)."""

OTHER_NAMES = {
    "dt": "step", "h": "step", "step_size": "step", "stepsize": "step", "timestep": "step",
    "T": "duration", "t_end": "duration", "tend": "duration", "t_final": "duration", "time": "duration",
    "length": "duration", "N": "steps", "n": "steps", "n_steps": "steps", "num_steps": "steps",
    "rtol": "tol", "atol": "tol", "tolerance": "tol", "solver": "method", "integrator": "method", "scheme": "method",
    "file": "out", "filename": "out", "path": "out", "t_eval": "at", "times": "at", "samples": "count",
}
"""What arguments are called elsewhere."""


def guided(example: str, task: str = "") -> Callable[[Function], Function]:
    """Makes a function say what it takes when it is called wrongly, and keeps its errors short.

    example: arguments as they are written, for the message of too many without a name.
    task: the request whose arguments stand in the place of **options.
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        if task:
            signature = extended(signature, arguments(task))
            function.__doc__ = described(function.__doc__ or "", arguments(task))
        parameters = signature.parameters.values()
        named = [one.name for one in parameters if one.kind is not inspect.Parameter.VAR_POSITIONAL]
        some = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)
        most = sum(one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for one in parameters)
        method = bool(named) and named[0] == "self"

        @functools.wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            for name in options:
                if name not in named:
                    raise TypeError(f"{function.__name__}() has no argument {name}={suggestion(name, named[method:])}")
            if len(args) > most and not some:
                without = ", ".join(named[method:most])
                raise TypeError(f"{function.__name__}() takes {without or 'no arguments'} by position and all "
                                f"others by keyword: {function.__name__}({example})")
            try:
                return function(*args, **options)
            except (InputError, FileError, IntegrationError, Interrupted) as error:
                # What the package does inside says nothing about a mistake in its arguments; a user's callback does.
                if _only_inside(error.__traceback__):
                    error.__traceback__ = None
                raise

        setattr(call, "__signature__", signature)
        return cast(Function, call)

    return decorate


def _only_inside(traceback: Optional[TracebackType]) -> bool:
    package = os.path.dirname(__file__)
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if os.path.dirname(file) != package and file != contextlib.__file__:
            return False
        traceback = traceback.tb_next
    return True


def suggestion(name: str, known: list[str]) -> str:
    """What was probably meant, or what there is."""
    other = OTHER_NAMES.get(name)
    near = [other] if other in known else difflib.get_close_matches(name, known, 1, 0.7)
    return f": did you mean {near[0]}=?" if near else f"; available: {', '.join(known)}"


def method_text(method: Any, what: str = "method") -> str:
    """A method as the core takes it: a text, or a record of lb.methods() or lb.method(...)."""
    spec = getattr(method, "spec", method)
    if not isinstance(spec, str):
        raise TypeError(f"{what}: expected a text such as \"rattle\" or a record of lb.methods(), found "
                        f"{_kind(method)}")
    return spec


def method_texts(methods: Any) -> list[str]:
    """Several methods, or one."""
    if methods is None:
        return []
    if isinstance(methods, str) or hasattr(methods, "spec"):
        return [method_text(methods)]
    if not hasattr(methods, "__iter__"):
        raise TypeError(f"methods: expected texts such as \"rattle\" or records of lb.methods(), found "
                        f"{_kind(methods)}")
    return [method_text(one) for one in methods]


def _kind(value: Any) -> str:
    from ._model import Model

    return "a model" if isinstance(value, Model) else f"an object of type {type(value).__name__}"
