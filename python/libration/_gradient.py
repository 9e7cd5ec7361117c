"""Exact derivatives of the final state of a run with respect to parameters and initial values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Union

from . import _core
from ._calls import MethodLike, guided
from ._errors import IntegrationError, explained, speaking_of
from ._model_argument import ModelLike, core_model
from ._options import request
from ._records import html_table, text_table
from ._warn import warn_user


class Gradient:
    """A loss at the end of a run and its derivatives."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.loss: float = content["loss"]
        """The loss."""
        self.gradient: dict[str, float] = dict(content["gradient"])
        """The derivative with respect to each name, in the order of `by`."""
        self.model: str = content["model"]
        """The name of the model."""
        self.method: str = content["method"]
        """The method."""
        self.step: float = content["step"]
        """The step size."""
        self.steps: int = content["steps"]
        """The number of steps."""
        self.mode: str = content["mode"]
        """"backward": one tangent run for all derivatives; "forward": one for each four."""
        self.stored_every: Union[None, int] = content["stored_every"]
        """Interval, in steps, of the stored states along which a backward run is computed."""
        self.why_forward: Union[None, str] = content["why_forward"]
        """Why `mode="auto"` used forward mode."""
        self.tangent_growth: float = content["tangent_growth"]
        """Amplification of a perturbation along the run: growth by 10^k costs k digits."""
        self.digits: float = content["digits"]
        """Estimated number of correct digits."""
        self.seconds: float = content["seconds"]
        """Total time in seconds."""
        self.run_seconds: float = content["run_seconds"]
        """Time of the run itself in seconds."""

    def __getitem__(self, name: str) -> float:
        return self.gradient[name]

    def _heading(self) -> str:
        return (f"{self.model}  {self.method}, {self.steps:,} steps of {self.step:g}; {self.mode}, "
                f"{self.digits:.0f} digits left")

    def _cells(self) -> list[list[str]]:
        return [["loss", f"{self.loss:.15g}"], *([f"d/d {name}", f"{x:.15g}"] for name, x in self.gradient.items())]

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{text_table(['name', 'value'], self._cells())}"

    def _repr_html_(self) -> str:
        return html_table(["name", "value"], self._cells(), self._heading())


@guided('model, "x^2", by=["g", "v_x"], step=0.01, duration=5', task="gradient")
def gradient(
    model: ModelLike,
    loss: Any,
    by: Union[None, str, Iterable[Any]] = None,
    method: MethodLike = None,
    **options: Any,
) -> Gradient:
    """The exact derivative of a formula of the state at the end of a run.

    >>> slope = lb.gradient("pendulum", "x^2 + v_y^2", by=["g", "l"], step=0.01, duration=5)
    >>> round(slope["g"], 6)
    -4.772391

    It is the derivative of the numerical solution, not an approximation of it. Method, step and length are those of the
    model unless given.

    model: a Model, a built-in name or a file.
    loss: a text or an expression over coordinates, v_ and p_, lambda_, observables, parameters and t.
    by: names of parameters and of initial values (x, v_x, p_x), in a list or in a text with commas; without it, all
        scalar parameters that are numbers.

    Raises InputError for what has no derivative, IntegrationError where the run fails or no correct digit is left.
    """
    asked = request("gradient", {**options, "loss": loss, "by": by, "method": method})
    with speaking_of(model):
        text, warnings = _core.gradient_json(core_model(model), asked)
    for warning in warnings:
        warn_user(explained(model, warning))
    content = json.loads(text)
    if "failure" in content:
        failure = content["failure"]
        message = explained(model, failure["message"])
        raise IntegrationError(f"step {failure['step']} (t = {failure['t']}): {message}")
    return Gradient(content)
