"""Runs that start where another run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import InputError
from ._warn import warn_user

if TYPE_CHECKING:
    from ._model import Model


def started_from(model: "Model", run: Any) -> "tuple[Model, float]":
    """The model with the end of the run as its initial values, and the time of that end.

    Momenta, unless the model gives velocities: a model cannot have both. Angles that count turns go on counting.
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
    values.update(_angles(model, other, end))
    return model.set(values), float(end["t"])


def _angles(model: "Model", other: "Model", end: "dict[str, Any]") -> "dict[str, str]":
    """Where the angles of the model that count turns start: where the run left them, as far as it counted them."""
    counted = dict(zip(other._core.angles, end.get("angles", ())))
    missing = [name for name in model._core.angles if name not in counted]
    if missing:
        warn_user(
            f"start: that run did not count the turns of {_shown(tuple(missing))}; here "
            f"{'they start' if len(missing) > 1 else 'it starts'} at the branch nearest to the start of the model"
        )
    return {name: repr(float(counted[name])) for name in model._core.angles if name in counted}


def _shown(names: "tuple[str, ...]") -> str:
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
