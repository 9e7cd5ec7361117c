"""The choice of a method and a step size for an accuracy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Optional

from . import _core
from ._calls import MethodLike, guided, method_text
from ._errors import speaking_of
from ._model_argument import ModelLike, core_model
from ._numbers import Real
from ._options import request
from ._records import Record, Table, html_table


class Choice:
    """A method and a step size, with the pilots that led to them."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.model: str = content["model"]
        """The name of the model."""
        self.method: str = content["method"]
        """The method that was chosen."""
        self.step: float = content["step"]
        """Its step size."""
        self.steps: int = content["steps"]
        """The number of steps over the duration."""
        self.duration: float = content["duration"]
        """The duration for which they were chosen."""
        self.predicted = Record(content["predicted"])
        """error (relative, of q and p at the end), energy_error (absolute), seconds; None where unknown."""
        self.reason: str = content["reason"]
        """The reason in words."""
        self.growth: str = content["growth"]
        """Growth of errors: linear, quadratic, chaotic or unknown."""
        self.horizon: Optional[float] = content["horizon"]
        """In chaotic motion where positions cannot be promised: the time up to which they can."""
        self.summary = Record(content)
        """All values, as the command `libration choose` gives them."""
        rows = [Record(row) for row in content["candidates"]]
        self.candidates = Table(rows, _COLUMNS)
        """One record per method: method, step, error, energy_error, work (operations), verdict."""

    def _heading(self) -> str:
        return f"{self.model}: {self.method}, step {self.step:.10g} ({self.steps:,} steps) over {self.duration:.10g}"

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{self.candidates!r}\n\n{self.reason}"

    def _repr_html_(self) -> str:
        table = html_table(list(self.candidates._columns), self.candidates.cells(), self._heading())
        return f"<div>{table}<p>{self.reason}</p></div>"


def _number(name: str) -> Any:
    return lambda row: "-" if row[name] is None else f"{row[name]:.2e}"


_COLUMNS: dict[str, Any] = {
    "method": "method",
    "step": lambda row: f"{row.step:.4g}",
    "error": _number("error"),
    "energy": _number("energy_error"),
    "operations": _number("work"),
    "verdict": "verdict",
}


@guided("model, error=1e-8")
def choose(
    model: ModelLike,
    *,
    error: Optional[Real] = None,
    energy_error: Optional[Real] = None,
    duration: Optional[Real] = None,
    method: MethodLike = None,
    step: Optional[Real] = None,
    project: bool = False,
) -> Choice:
    """Choose the method and the step size that reach an accuracy with the fewest operations.

    >>> choice = lb.choose("kepler", error=1e-8)
    >>> run = lb.load("kepler").run(choice.method, step=choice.step, duration=choice.duration)

    model: a Model, the name of a built-in problem or a file.
    error: largest relative error of q and p at the end; 1e-6 if neither this nor energy_error is given.
    energy_error: largest absolute energy error along the run; with error, both are met.
    duration: default: that of the model, or 100 times its slowest time scale.
    method: only its step size is chosen. step: only the method is chosen.
    project: move inconsistent initial values onto the constraints.

    Raises InputError where nothing meets the request. The result does not depend on the speed of the machine.
    """
    options = request(
        "choose",
        {
            "error": error,
            "energy_error": energy_error,
            "duration": duration,
            "method": None if method is None else method_text(method),
            "step": step,
            "project": project,
        },
    )
    with speaking_of(model):
        text = _core.choose_json(core_model(model), options)
    return Choice(json.loads(text))
