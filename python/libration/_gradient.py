"""Exact derivatives of runs with respect to parameters and initial values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._calls import MethodLike, guided
from ._errors import IntegrationError, explained, speaking_of
from ._model_argument import ModelLike, core_model
from ._options import request
from ._records import html_table, text_table
from ._tables import TableLike, columns_of
from ._warn import warn_user


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=6, threshold=8, edgeitems=3)
    return f"{value:.15g}"


class Gradient:
    """A loss and its derivatives."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.loss: float = content["loss"]
        """The loss."""
        self.measured: int = content.get("measured", 0)
        """The number of measured values that the loss sums up; 0: the loss is a formula."""
        self.gradient: dict[str, Any] = {
            name: np.array(x) if isinstance(x, list) else x for name, x in content["gradient"].items()
        }
        """The derivative with respect to each name, in the order of `by`; for a list parameter an array."""
        self.hessian_product: dict[str, Any] = {
            name: np.array(x) if isinstance(x, list) else x for name, x in content.get("hessian_product", {}).items()
        }
        """The product of the second derivatives with the direction hessian_along, if it is given."""
        self.model: str = content["model"]
        """The name of the model."""
        self.method: str = content["method"]
        """The method."""
        self.step: float = content["step"]
        """The step size; of adaptive runs the initial guess."""
        self.adaptive: bool = content["adaptive"]
        """Whether the run chose its step sizes, which are held fixed in the derivatives."""
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

    def __getitem__(self, name: str) -> Any:
        if name in self.gradient or not name.endswith("]"):
            return self.gradient[name]
        values, index = name[:-1].split("[", 1)
        return float(self.gradient[values][int(index)])

    def _heading(self) -> str:
        return (f"{self.model}  {self.method}, {_steps_text(self)}; {self.mode}, "
                f"{self.digits:.0f} digits left")

    def _cells(self) -> list[list[str]]:
        return [["loss", f"{self.loss:.15g}"], *([f"d/d {name}", _text(x)] for name, x in self.gradient.items())]

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{text_table(['name', 'value'], self._cells())}"

    def _repr_html_(self) -> str:
        return html_table(["name", "value"], self._cells(), self._heading())


class Jacobian:
    """Predictions of measured values and their derivatives."""

    def __init__(self, content: Mapping[str, Any], columns: Sequence[str]) -> None:
        self.values: NDArray[np.float64] = content["values"]
        """The predictions: time after time in the order of the table, then columns, without gaps."""
        self.matrix: NDArray[np.float64] = content["matrix"]
        """[value, name]: the derivative of each prediction with respect to each name."""
        self.names: list[str] = list(content["names"])
        """The names in the order of `by`."""
        self.t: NDArray[np.float64] = content["t"]
        """The time of each value."""
        self.columns: list[str] = [columns[number] for number in content["column"]]
        """The column of each value."""
        self.measured: NDArray[np.float64] = content["measured"]
        """What was measured."""
        self.sd: NDArray[np.float64] = content["sd"]
        """The standard deviation of each measured value; 1 if none is given."""
        self.model: str = content["model"]
        """The name of the model."""
        self.method: str = content["method"]
        """The method."""
        self.step: float = content["step"]
        """The step size; of adaptive runs the initial guess."""
        self.adaptive: bool = content["adaptive"]
        """Whether the run chose its step sizes, which are held fixed in the derivatives."""
        self.steps: int = content["steps"]
        """The number of steps."""
        self.mode: str = content["mode"]
        """"backward" or "forward"."""
        self.why_forward: Union[None, str] = content["why_forward"]
        """Why `mode="auto"` used forward mode although backward mode needs fewer steps."""
        self.tangent_growth: float = content["tangent_growth"]
        """Amplification of a perturbation along the run: growth by 10^k costs k digits."""
        self.digits: float = content["digits"]
        """Estimated number of correct digits."""
        self.seconds: float = content["seconds"]
        """Total time in seconds."""
        self.run_seconds: float = content["run_seconds"]
        """Time of the run itself in seconds."""

    def __repr__(self) -> str:
        return (f"{self.model}  {self.method}, {_steps_text(self)}; {len(self.values)} values by "
                f"{', '.join(self.names)}; {self.mode}, {self.digits:.0f} digits left")


def _steps_text(result: Union[Gradient, Jacobian]) -> str:
    return f"{result.steps:,} " + ("adaptive steps" if result.adaptive else f"steps of {result.step:g}")


@guided('model, "x^2", by=["g", "v_x"], step=0.01, duration=5', task="gradient")
def gradient(
    model: ModelLike,
    loss: Any = None,
    by: Union[None, str, Iterable[Any]] = None,
    method: MethodLike = None,
    data: TableLike = None,
    hessian_along: Union[None, str, Mapping[str, float]] = None,
    **options: Any,
) -> Gradient:
    """The exact derivative of a formula of the state at the end of a run, or of a sum of squares over measurements.

    >>> slope = lb.gradient("pendulum", "x^2 + v_y^2", by=["g", "l"], step=0.01, duration=5)
    >>> round(slope["g"], 6)
    -4.772391

    It is the derivative of the numerical solution, not an approximation of it. Method, step and length are those of the
    model unless given; with data, the run ends at the last measured time unless its length is given.

    model: a Model, a built-in name or a file.
    loss: a text or an expression over coordinates, v_ and p_, lambda_, observables, parameters and t.
    by: names of parameters and of initial values (x, v_x, p_x), in a list or in a text with commas; a list
        parameter as m, or one element as m[3]; without it, all scalar parameters that are numbers.
    data: in place of a loss, a table of measurements: a CSV file, a dictionary of columns or a DataFrame, with a column
        t, columns under names or formulas, and optional standard deviations under sd_NAME; nan is a gap. The loss is
        the sum of ((prediction - value)/sd)^2.
    hessian_along: a direction, as {"g": 1, "v_x": 0.5}: the result then has the product of the second derivatives with
        it in .hessian_product; for rattle, verlet, lobatto and, without constraints, gauss.
    checkpoint: a file in which the work is kept every few seconds, and when it is stopped by Ctrl-C or time_limit; the
        same call then continues it, with bitwise identical results.

    Raises InputError for what has no derivative, IntegrationError where the run fails or no correct digit is left.
    """
    asked = request("gradient", {**options, "loss": loss, "by": by, "method": method,
                                 "hessian_along": _direction_text(hessian_along)})
    table = None if data is None else columns_of(data)
    with speaking_of(model):
        made = _core.gradient_json(core_model(model), asked, table)
    text, warnings = made if made is not None else _out_of_time(asked)
    for warning in warnings:
        warn_user(explained(model, warning))
    content = json.loads(text)
    if "failure" in content:
        failure = content["failure"]
        raise _failed(model, failure["step"], failure["t"], failure["message"])
    return Gradient(content)


@guided('model, data="FILE.csv", by=["g", "v_x"], step=0.01', task="jacobian")
def jacobian(
    model: ModelLike,
    data: TableLike,
    by: Union[None, str, Iterable[Any]] = None,
    method: MethodLike = None,
    **options: Any,
) -> Jacobian:
    """Predictions of measured values and their exact derivatives with respect to parameters and initial values.

    >>> found = lb.jacobian("pendulum", {"t": [0.5, 1.0, 1.5], "x": [0.0, 0.0, 0.0]}, by=["g", "l"], step=0.01)
    >>> found.matrix.shape
    (3, 2)

    model, data, by, method: as for gradient(); the measured values decide only which predictions are computed.

    Raises InputError for what has no derivative, IntegrationError where the run fails or no correct digit is left.
    """
    asked = request("gradient", {**options, "by": by, "method": method})
    table = columns_of(data)
    with speaking_of(model):
        made = _core.jacobian(core_model(model), asked, table)
    content, warnings = made if made is not None else _out_of_time(asked)
    for warning in warnings:
        warn_user(explained(model, warning))
    if "failure" in content:
        raise _failed(model, *content["failure"])
    return Jacobian(content, [name for name in table if name != "t" and not name.startswith("sd_")])


def _direction_text(direction: Union[None, str, Mapping[str, float]]) -> Union[None, str]:
    if direction is None or isinstance(direction, str):
        return direction
    if not isinstance(direction, Mapping):
        raise TypeError(f"hessian_along={direction!r}: expected a dictionary, e.g. {{'g': 1, 'v_x': 0.5}}")
    return ",".join(f"{name}={float(size)!r}" for name, size in direction.items())


def _out_of_time(asked: Mapping[str, Any]) -> NoReturn:
    how = (f"the same call continues from {asked['checkpoint']}" if asked.get("checkpoint") else
           "with checkpoint='FILE', the same call would continue it")
    raise IntegrationError(f"stopped by its time limit; {how}")


def _failed(model: ModelLike, step: int, t: float, message: str) -> IntegrationError:
    return IntegrationError(f"step {step} (t = {t}): {explained(model, message)}")
