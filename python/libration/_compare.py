"""Work-precision comparison of several methods on one model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from . import _core
from ._calls import MethodLike, guided, method_texts
from ._errors import speaking_of
from ._model_argument import ModelLike, core_model, is_model
from ._numbers import Real
from ._options import request
from ._progress import shown_progress
from ._records import Record, Table, html_table


class Comparison:
    """Work-precision data of several methods with several step sizes over the same time."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.model: str = content["model"]
        """The name of the model."""
        self.duration: float = content["duration"]
        """The duration of all runs."""
        self.shortened_from: Optional[float] = content["shortened_from"]
        """The duration of the model, where it would have taken too long; None: it was not shortened."""
        self.start: Optional[Record] = Record(content["start"]) if "start" in content else None
        """How a projected start differs from the initial values: q, q_name, p, p_name; None: it is not projected."""
        self.horizon: Optional[float] = content["horizon"]
        """The time after which positions of a chaotic motion cannot be compared; None: they are known to the end."""
        self.compared_at: Optional[float] = content["compared_at"]
        """The time of the errors of q, p and lambda: the end, or as long as a chaotic motion is known well."""
        self.reference = Record(content["reference"])
        """The reference solution for the errors: method, steps, precision, accuracy (None: there is no reference)."""
        rows = [Record(row) for row in content["rows"]]
        self.rows = Table(rows, _columns(any(row["error_lambda"] is not None for row in rows)))
        """One record per method and step size: method, step, steps, error_q, error_p, error_lambda, energy_error,
        evaluations (a record: force, constraint, ...), seconds, status."""

    @property
    def methods(self) -> list[str]:
        """The methods, in their order."""
        return list(dict.fromkeys(row.method for row in self.rows))

    def best(self, error: float, by: str = "evaluations") -> Optional[Record]:
        """The row with the least work whose errors of q and p are at most `error`; None if there is none.

        by: "evaluations" of the force, or "seconds".
        """
        if by not in ("evaluations", "seconds"):
            raise ValueError(f"by={by!r}: choose 'evaluations' or 'seconds'")

        def work(row: Record) -> float:
            return float(row.seconds if by == "seconds" else row.evaluations.force)

        good = [row for row in self.rows if _error(row) <= error]
        return min(good, key=work) if good else None

    def to_dataframe(self) -> Any:
        """The rows as a pandas DataFrame."""
        return self.rows.to_dataframe()

    def plot(self, **options: Any) -> Any:
        """Work-precision diagram, a matplotlib figure; by="seconds" or "step" instead of force evaluations."""
        from ._figures import comparison_plot

        return comparison_plot(self, **options)

    def _heading(self) -> str:
        return f"{self.model}  over t = {self.duration:.10g}"

    def _note(self) -> str:
        text = ""
        if self.shortened_from is not None:
            text += (
                f"Shortened from {self.shortened_from:.6g} to {self.duration:.6g} to keep the comparison short; "
                f"duration={self.shortened_from:.10g} compares all of it. "
            )
        if self.horizon is not None:
            text += f"Chaotic: positions cannot be compared after t = {self.horizon:.6g}. "
        return text + self._errors()

    def _errors(self) -> str:
        if self.reference.accuracy is None:
            return "No errors: no reference solution was found; a shorter duration or smaller step sizes may help."
        at = "the final time" if self.compared_at == self.duration else f"t = {self.compared_at:.6g}"
        return (
            f"Relative errors at {at} against {self.reference.method} with {self.reference.steps:,} steps in "
            f"{self.reference.precision} precision, accurate to {self.reference.accuracy:.0e}."
        )

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{self.rows!r}\n\n{self._note()}"

    def _repr_html_(self) -> str:
        table = html_table(list(self.rows._columns), self.rows.cells(), self._heading())
        return f"<div>{table}<p>{self._note()}</p></div>"


def _error(row: Record) -> float:
    if row.status != "completed" or row.error_q is None:
        return float("inf")
    return float(max(row.error_q, row.error_p or 0.0))


def _columns(constrained: bool) -> dict[str, Any]:
    def number(name: str) -> Any:
        return lambda row: "-" if row[name] is None else f"{row[name]:.2e}"

    columns: dict[str, Any] = {
        "method": "method",
        "step": lambda row: f"{row.step:.4g}",
        "steps": "steps",
        "error q": number("error_q"),
        "error p": number("error_p"),
    }
    if constrained:
        columns["lambda"] = number("error_lambda")
    columns["energy"] = number("energy_error")
    columns["forces"] = lambda row: "failed" if row.status == "failed" else str(row.evaluations.force)
    columns["seconds"] = lambda row: f"{row.seconds:.1e}"
    return columns


@guided('model, ["rattle", "lobatto(3)"], steps=[0.1, 0.05]')
def compare(
    model: ModelLike,
    methods: Union[MethodLike, Iterable[MethodLike]] = None,
    steps: Union[None, Real, Iterable[Real]] = None,
    duration: Optional[Real] = None,
    *,
    project: bool = False,
    progress: Any = None,
    force: bool = False,
) -> Comparison:
    """Run several methods with several step sizes over the same time, and compare errors and work.

    >>> lb.compare("double-pendulum", ["rattle", "lobatto(3)"], steps=[0.1, 0.05, 0.025]).plot()

    model: a Model, the name of a built-in problem or a file.
    methods: a list, a text with commas, or records of lb.methods(); default: up to four of different order that can
        run the model.
    steps: one or several step sizes, which must divide the duration; default: five around the step size of the model.
    duration: default: that of the model, or as much of it as takes a few seconds.
    project: start from the initial values moved onto the constraints, as a run with project=True.
    progress: None shows a progress bar on terminals and in notebooks; True, False, or a function called with a dict.
    force: accept methods that are known not to work.

    Positions of a chaotic motion are compared as long as they are known: compared_at, horizon. Ctrl-C ends the
    comparison.
    """
    if is_model(methods):
        raise TypeError("the first argument of compare() is the model: lb.compare(model, methods)")
    names = ", ".join(method_texts(methods)) or None
    asked = {"methods": names, "steps": steps, "duration": duration, "project": project, "force": force}
    options = request("compare", asked)
    with speaking_of(model), shown_progress(progress) as show:
        text = _core.compare_json(core_model(model), options, show)
    return Comparison(json.loads(text))
