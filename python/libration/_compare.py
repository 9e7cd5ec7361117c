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
from ._records import Record, Table, html_table


class Comparison:
    """Work-precision data of several methods with several step sizes over the same time."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.model: str = content["model"]
        """The name of the model."""
        self.duration: float = content["duration"]
        """The duration of all runs."""
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
        if self.reference.accuracy is None:
            return "No errors: no reference solution was found; a shorter duration or smaller step sizes may help."
        return (
            f"Relative errors at the final time against {self.reference.method} with {self.reference.steps:,} steps in "
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
    force: bool = False,
) -> Comparison:
    """Run several methods with several step sizes over the same time, and compare errors and work.

    >>> lb.compare("double-pendulum", ["rattle", "lobatto(3)"], steps=[0.1, 0.05, 0.025]).plot()

    model: a Model, the name of a built-in problem or a file.
    methods: a list, a text with commas, or records of lb.methods(); default: up to four of different order that can
        run the model.
    steps: one or several step sizes, which must divide the duration; default: five around the step size of the model.
    duration: default: fifty of the largest steps.
    force: accept methods that are known not to work.

    Ctrl-C takes effect when the comparison is finished.
    """
    if is_model(methods):
        raise TypeError("the first argument of compare() is the model: lb.compare(model, methods)")
    names = ", ".join(method_texts(methods)) or None
    options = request("compare", {"methods": names, "steps": steps, "duration": duration, "force": force})
    with speaking_of(model):
        text = _core.compare_json(core_model(model), options)
    return Comparison(json.loads(text))
