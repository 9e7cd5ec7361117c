"""Exceptions and warnings of the package, and the wording of messages of the library."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, Optional

from ._core import FileError, InputError, told

if TYPE_CHECKING:
    from ._run import Run

__all__ = ["FileError", "InputError", "IntegrationError", "Interrupted", "LibrationWarning"]


class LibrationWarning(UserWarning):
    """A warning of the library about a run or a model."""


class IntegrationError(RuntimeError):
    """A run that could not continue. The states up to there are valid and in .run; .failure says where and why."""

    def __init__(self, message: str, run: Optional["Run"] = None) -> None:
        super().__init__(message)
        self.run = run

    @property
    def failure(self) -> "dict[str, Any]":
        """step, t, kind and message of the failed step."""
        return {} if self.run is None else dict(self.run.failure or {})


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. The states up to there are valid and in .run."""

    def __init__(self, message: str, run: Optional["Run"] = None) -> None:
        super().__init__(message)
        self.run = run


def explained(model: Any, message: str) -> str:
    """A message of the library about this model, in the words in which the model was written."""
    written = _is_written(model)
    text = told(message, written)
    # The argument is named: what the message says of it can begin with "it".
    return re.sub(r"^((\w+)(?:\[[^\]\n]*\])*): (?:\1|\2) ", r"\1: it ", text) if written else text


@contextmanager
def speaking_of(model: Any) -> Iterator[None]:
    """Errors inside are told in the words of the model's arguments; models from files keep those of files."""
    try:
        yield
    except InputError as error:
        message = explained(model, getattr(error, "neutral", str(error)))
        if message == str(error):
            raise
        better = InputError(message)
        better.__dict__.update(error.__dict__)
        raise better from None


def _is_written(model: Any) -> bool:
    """Whether it was built by lb.Model, or is what such a model is built of."""
    return isinstance(model, list) or getattr(model, "_sections", None) is not None
