"""Ensembles: many trajectories of one model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from . import _core
from ._errors import IntegrationError, Interrupted, explained, speaking_of
from ._calls import MethodLike, guided
from ._model_argument import ModelLike, core_model
from ._options import request
from ._paths import path_text
from ._progress import shown_progress
from ._records import Record, Table, html_table, text_table
from ._text import counted
from ._vary import read_variations
from ._warn import warn_user

if TYPE_CHECKING:
    from ._model import Model

STATUS = np.array(["completed", "stopped", "failed"])
STATISTICS = ("mean", "deviation", "min", "max")
MOST_SHOWN = 12
"""Channels that a table of an ensemble shows."""


class Trajectories(NamedTuple):
    """Recorded trajectories; NaN after a failure."""

    t: Any
    """Times of the nodes."""
    q: Any
    """Positions [trajectory, node, coordinate]."""
    p: Any
    """Momenta, likewise."""


def _verdicts(numbers: Any) -> Any:
    """Words of the numbers of the core; "" for NaN."""
    words = np.array(["good", "rough", "meaningless", ""])[np.where(np.isnan(numbers), 3, numbers).astype(int)]
    words.flags.writeable = False
    return words


class Ensemble:
    """Members with different parameters or initial values, and their statistics. All arrays are read-only.

    values (count, names) and `varied`, the same by name: the varied quantities; `names`: in the order of the columns.
    status, steps, t, q, p: final status, number of steps, time and state of each member.
    energy_initial: H at the start; energy_error_final, energy_error_max: |H - H_0| at the end and its maximum,
    both absolute (in the statistics, the channel energy_error is signed, like run.energy_error).
    constraint_max, hidden_max: maximum residuals during the run; floors_max: the former in units of its round-off.
    verdicts: "good", "rough" or "meaningless" for each member, by its monitored energy; "" where it was not judged.
    times, channels: of the statistics: `mean`, `deviation`, `minimum`, `maximum`, `quantile`.
    """

    def __init__(self, core: _core.EnsembleResult, model: Any = None) -> None:
        self._core = core
        self._asked_model = model
        columns = core.columns()
        self.names: list[str] = core.names
        self.values = columns["values"]
        self.status = STATUS[columns["status"]]
        self.steps, self.t, self.q, self.p = columns["steps"], columns["t"], columns["q"], columns["p"]
        self.energy_initial = columns["energy"]
        self.energy_error_final, self.energy_error_max = columns["energy_error"], columns["energy_error_max"]
        self.constraint_max, self.hidden_max = columns["constraint_max"], columns["hidden_max"]
        self.floors_max = columns["floors_max"]
        self.verdicts = _verdicts(columns["verdict"])
        self.times, self.counts = columns["times"], columns["counts"]
        self.channels: list[str] = core.channels
        self.percents: list[int] = core_percents()
        self._statistics = {name: columns[name] for name in (*STATISTICS, "quantiles")}
        self._summary: Optional[dict[str, Any]] = None
        self.status.flags.writeable = False

    def __len__(self) -> int:
        return len(self.status)

    @property
    def model(self) -> Model:
        """The model, with the values that do not vary."""
        from ._model import Model

        return Model._of(self._core.model, self._core.model.name)

    @property
    def varied(self) -> dict[str, Any]:
        """The varied quantities by name: one value per member."""
        return {name: self.values[:, k] for k, name in enumerate(self.names)}

    @property
    def failed(self) -> Any:
        """The indices of the members that failed."""
        return np.flatnonzero(self.status == "failed")

    @property
    def failures(self) -> Table:
        """The reasons: trajectory, step, t, kind, message."""
        columns = {"trajectory": "trajectory", "step": "step", "t": "t", "why": "message"}
        return Table([Record(failure) for failure in self.summary["failures"]], columns)

    @property
    def summary(self) -> dict[str, Any]:
        """The JSON of `libration ensemble`."""
        if self._summary is None:
            summary = self._core.summary
            for failure in summary["failures"]:
                failure["message"] = explained(self._asked_model, failure["message"])
            summary["warnings"] = self.warnings
            self._summary = summary
        return self._summary

    @property
    def warnings(self) -> list[str]:
        """Warnings of the library."""
        return [explained(self._asked_model, text) for text in self._core.warnings]

    def _of(self, statistic: str, channel: Optional[str]) -> Any:
        numbers = self._statistics[statistic]
        return numbers if channel is None else numbers[:, self._channel(channel)]

    def _channel(self, channel: Any) -> int:
        try:
            return self.channels.index(str(channel))
        except ValueError:
            known = ", ".join(self.channels)
            raise KeyError(f"there are no statistics of '{channel}'; available: {known}") from None

    def mean(self, channel: Optional[str] = None) -> Any:
        """The mean over the members at `times`, of one channel or of all (times, channels)."""
        return self._of("mean", channel)

    def deviation(self, channel: Optional[str] = None) -> Any:
        """The standard deviation, likewise."""
        return self._of("deviation", channel)

    def minimum(self, channel: Optional[str] = None) -> Any:
        """The smallest value, likewise."""
        return self._of("min", channel)

    def maximum(self, channel: Optional[str] = None) -> Any:
        """The largest value, likewise."""
        return self._of("max", channel)

    def quantile(self, percent: int, channel: Optional[str] = None) -> Any:
        """The quantile, likewise; percent is 5, 25, 50, 75 or 95."""
        if percent not in self.percents:
            raise ValueError(f"quantile({percent!r}): choose one of {', '.join(map(str, self.percents))} percent")
        numbers = self._statistics["quantiles"][:, :, self.percents.index(percent)]
        return numbers if channel is None else numbers[:, self._channel(channel)]

    @property
    def trajectories(self) -> Optional[Trajectories]:
        """All trajectories, (t, q, p), if they were recorded with ensemble(..., trajectories=True); otherwise None."""
        frames = self._core.frames()
        return None if frames is None else Trajectories(*frames)

    def save(self, path: Union[str, os.PathLike[str]], overwrite: bool = False) -> None:
        """Writes an HDF5 file, which lb.open reads."""
        self._core.save(path_text(path), overwrite)

    def to_dataframe(self) -> Any:
        """One row per member: varied quantities, final status, final q and p."""
        import pandas

        coordinates = self._core.model.coordinates
        columns: dict[str, Any] = {**self.varied, "status": self.status, "steps": self.steps, "t": self.t}
        columns.update({f"{name}_end" if name in columns else name: self.q[:, k] for k, name in enumerate(coordinates)})
        columns.update({f"p_{name}_end" if f"p_{name}" in columns else f"p_{name}": self.p[:, k]
                        for k, name in enumerate(coordinates)})
        for name in ("energy_initial", "energy_error_final", "energy_error_max", "constraint_max", "hidden_max"):
            columns[name] = getattr(self, name)
        return pandas.DataFrame(columns)

    def plot(self, channel: Optional[str] = None, **options: Any) -> Any:
        """Median and quantiles of a channel (default: the first one) over time. Returns a matplotlib figure.

        Options: ax, width, height, colour.
        """
        from ._figures import band_plot

        if channel is not None and str(channel) not in self.channels:
            raise ValueError(f"there is no channel '{channel}' to plot; available: {', '.join(self.channels)}")
        number = 0 if channel is None else self._channel(channel)
        quantiles = self._statistics["quantiles"][:, number, :]
        return band_plot(self.times, quantiles, self.percents, name=self.channels[number], **options)

    def _heading(self) -> str:
        failed = len(self.failed)
        all_of_them = counted(len(self), "trajectory", "trajectories")
        ended = f"{failed} of {all_of_them} failed" if failed else all_of_them
        content = self.summary
        steps = counted(content["steps"], "step", "steps")
        return f"{content['model']}: {ended}; {content['method']}, {steps} of {content['step']}"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        shown = [(name, k) for k, name in enumerate(self.channels)][:MOST_SHOWN]
        rows = []
        for name, k in shown:
            numbers = [self._statistics["mean"][-1, k], self._statistics["deviation"][-1, k],
                       *(self.quantile(percent)[-1, k] for percent in (5, 50, 95))]
            rows.append([name, *(f"{number:.6g}" for number in numbers)])
        return [f"at t = {self.times[-1]:.6g}", "mean", "deviation", "5 %", "median", "95 %"], rows

    def __repr__(self) -> str:
        headings, rows = self._cells()
        more = f"\n... and {len(self.channels) - len(rows)} more" if len(self.channels) > len(rows) else ""
        return f"{self._heading()}\n\n{text_table(headings, rows)}{more}"

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), self._heading())


def core_percents() -> list[int]:
    """The available quantiles, in percent."""
    return list(_core.quantile_percents)


@guided('"rattle", vary={"g": [1, 2]}, step=0.1, duration=1', task="ensemble")
def run_ensemble(
    model: ModelLike,
    method: MethodLike = None,
    *,
    vary: Optional[Mapping[Any, Any]] = None,
    progress: Any = None,
    **options: Any,
) -> Ensemble:
    """Implementation of model.ensemble."""
    core = core_model(model)
    texts, names, values = read_variations(core, vary)
    asked = request("ensemble", {**options, "method": method, "vary": texts})
    with speaking_of(model), shown_progress(progress) as callback:
        result = _core.ensemble(core, asked, names, values, progress=callback)
    return _finished(result, asked.get("out"), model)


def resume_ensemble(path: Union[str, os.PathLike[str]], *, progress: Any = None, **options: Any) -> Ensemble:
    """Continue an ensemble that was stopped; the result is bitwise identical to that of an uninterrupted one."""
    name = path_text(path)
    with shown_progress(progress) as callback:
        result = _core.resume_ensemble(name, request("ensemble", options), callback)
    return _finished(result, name, None)


def open_ensemble(path: Union[str, os.PathLike[str]]) -> Ensemble:
    """Read an ensemble from its HDF5 file; recorded trajectories are read on first access."""
    return Ensemble(_core.open_ensemble(path_text(path)))


def _finished(result: _core.EnsembleResult, path: Optional[str], model: Any) -> Ensemble:
    ensemble = Ensemble(result, model) if result.complete else None
    if result.interrupted:
        how = "ensembles with out=\"FILE.h5\" can be continued" if path is None else f"lb.resume({path!r}) continues it"
        error = Interrupted("the ensemble was interrupted; " + ("it is complete" if ensemble else how))
        setattr(error, "ensemble", ensemble)
        raise error
    if ensemble is None:
        how = "with out=\"FILE.h5\" it could be continued" if path is None else f"lb.resume({path!r}) continues it"
        raise IntegrationError(f"the ensemble was stopped before its end; {how}")
    _warn(ensemble)
    return ensemble


def _warn(ensemble: Ensemble) -> None:
    texts = list(ensemble.warnings)
    if len(ensemble.failed) > 0:
        first = ensemble.failures[0]
        texts.append(
            f"{len(ensemble.failed)} of {len(ensemble)} trajectories failed; trajectory {first.trajectory}, "
            f"step {first.step}: {first.message.splitlines()[0]} (see .failures)"
        )
    for text in texts:
        warn_user(text)
