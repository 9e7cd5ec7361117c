"""Runs that start where another run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import InputError

if TYPE_CHECKING:
    from ._model import Model


def started_from(model: "Model", run: Any) -> "tuple[Model, float]":
    """The model with the end of the run as its initial values, and the time of that end.

    Momenta, unless the model gives velocities: a model cannot have both.
    """
    from ._run import Run

    if not isinstance(run, Run):
        raise TypeError(f"start: expected a run, found an object of type {type(run).__name__}")
    other = run.model
    if other is None:
        raise InputError("start: the model of that run has no text, so that its coordinates have no names")
    if other.coordinates != model.coordinates:
        raise InputError(
            f"start: the run has the coordinates {_shown(other.coordinates)}, the model {_shown(model.coordinates)}"
        )
    end = run.summary
    letter = "v" if "v" in model.initial else "p"
    values = {name: repr(float(value)) for name, value in zip(model.coordinates, end["q"])}
    values.update((f"{letter}_{name}", repr(float(value))) for name, value in zip(model.coordinates, end[letter]))
    return model.set(values), float(end["t"])


def _shown(names: "tuple[str, ...]") -> str:
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
