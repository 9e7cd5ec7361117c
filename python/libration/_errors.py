"""What the package raises, and its warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ._core import FileError, InputError

if TYPE_CHECKING:
    from ._run import Run

__all__ = ["FileError", "InputError", "IntegrationError", "Interrupted", "LibrationWarning"]


class LibrationWarning(UserWarning):
    """What the library wants to be known of a run."""


class IntegrationError(RuntimeError):
    """A run that could not go on. What was computed is in .run and valid; .failure says where and why it ended."""

    def __init__(self, message: str, run: Optional["Run"] = None) -> None:
        super().__init__(message)
        self.run = run

    @property
    def failure(self) -> "dict[str, Any]":
        """step, t, kind and message of the step that could not be made."""
        return {} if self.run is None else dict(self.run.failure or {})


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. What was computed is in .run and valid."""

    def __init__(self, message: str, run: Optional["Run"] = None) -> None:
        super().__init__(message)
        self.run = run
