"""Runs: the results of integrating a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._by_name import Names, picked
from ._calls import MethodLike, guided
from ._columns import Array, Columns
from ._core import InputError
from ._drawings import Drawings
from ._errors import IntegrationError, Interrupted, LibrationWarning, explained, speaking_of
from ._events import Events
from ._options import checked_callback, request
from ._paths import path_text
from ._progress import shown_progress
from ._records import Record
from ._start import started_from
from ._states import States
from ._text import counted
from ._warn import warn_user
from ._where import where_it_is

if TYPE_CHECKING:
    from ._analysis import Analysis
    from ._ensemble import Ensemble
    from ._held import HeldRun
    from ._model import Model

__all__ = ["IntegrationError", "Interrupted", "LibrationWarning", "Run", "open", "resume", "run_model"]

Path = Union[str, "os.PathLike[str]"]


class Run(Drawings):
    """The result of a run: recorded states as arrays, one row per state, and a summary.

    Arrays are read-only and share the memory of the core; run.q[-1] is the last state.
    """

    def __init__(self, core: "Union[_core.RunResult, HeldRun]", model: "Optional[Model]" = None) -> None:
        self._core = core
        self._model = model
        self._energy_error: Optional[Array] = None
        self._summary: Optional[dict[str, Any]] = None

    @property
    def t(self) -> Array:
        """Times of the recorded states, of shape (N,)."""
        return self._core.column("t")

    @property
    def step_numbers(self) -> "NDArray[np.int64]":
        """Step numbers of the recorded states, (N,)."""
        return self._core.column("step")

    @property
    def q(self) -> Array:
        """Positions, (N, dimension)."""
        return self._core.column("q")

    @property
    def p(self) -> Array:
        """Momenta, (N, dimension)."""
        return self._core.column("p")

    @property
    def v(self) -> Array:
        """Velocities, (N, dimension)."""
        return self._core.column("v")

    @property
    def lam(self) -> Array:
        """Lagrange multipliers, (N, constraints)."""
        return self._core.column("lambda")

    @property
    def energy(self) -> Array:
        """H, (N,)."""
        return self._core.column("energy")

    @property
    def energy_error(self) -> Array:
        """H - H_0, (N,); H_0 is the energy at the start of the run. Computed on first access."""
        if self._energy_error is None:
            initial = self.summary["energy"]["initial"]
            self._energy_error = self.energy - (np.nan if initial is None else initial)
            self._energy_error.flags.writeable = False
        return self._energy_error

    @property
    def verdict(self) -> Optional[Record]:
        """How good the run is: `word` (good, rough or meaningless) and `reasons`. None where nothing was monitored."""
        found = self.summary.get("verdict")
        return None if found is None else Record(found)

    @property
    def error_estimate(self) -> Optional[Record]:
        """The relative error of the end state, by a companion run with half the step size over the first part: `error`
        (None beyond the horizon of chaotic motion), `chaotic`, `horizon`, `exponent`, `compared`. None if unknown.
        """
        found = self.summary.get("error_estimate")
        return None if found is None else Record(found)

    @property
    def residuals(self) -> Columns:
        """Constraint residuals: residuals.constraint is max |g_i|, residuals.hidden max |(G v)_i|."""
        return Columns("residuals", {name: self._fetch(name) for name in ("constraint", "hidden")})

    @property
    def observables(self) -> Columns:
        """Observables of the model by name."""
        names = self._core.observables
        return Columns("observables", {name: self._fetch("observables", k) for k, name in enumerate(names)})

    @property
    def invariants(self) -> Columns:
        """The observables that the model declares as conserved."""
        model = self._core.model
        watched = {name for name, invariant in model.observables if invariant} if model is not None else set()
        names = self._core.observables
        found = {name: self._fetch("observables", k) for k, name in enumerate(names) if name in watched}
        return Columns("invariants", found)

    def _fetch(self, column: str, index: Optional[int] = None) -> Callable[[], Array]:
        core = self._core
        return (lambda: core.column(column)) if index is None else (lambda: core.column(column)[:, index])

    @property
    def events(self) -> Events:
        """Events, the states at zero crossings of expressions: run.events["section"].q."""
        return Events(self.summary.get("events", {}), self._core.event_columns())

    @property
    def model(self) -> "Optional[Model]":
        """The model; None for a file that does not contain the text of the model."""
        if self._model is None and self._core.model is not None:
            from ._model import Model

            self._model = Model._of(self._core.model, self._core.model.name)
        return self._model

    @property
    def summary(self) -> "dict[str, Any]":
        """The JSON of `libration run`: counts, maximum errors, the last state."""
        if self._summary is None:
            summary = self._core.summary
            if "failure" in summary:
                summary["failure"]["message"] = explained(self._model, summary["failure"]["message"])
            self._summary = summary
        return self._summary

    @property
    def facts(self) -> "list[tuple[str, str]]":
        """The lines that `libration run` prints: pairs of a label and a text."""
        return self._core.facts

    @property
    def status(self) -> str:
        """'completed', 'stopped' or 'failed'; 'running' in a file that is being written."""
        return self._core.status

    @property
    def method(self) -> str:
        """The method specification."""
        return self._core.method

    @property
    def step(self) -> float:
        """The step size; for adaptive runs, the initial guess."""
        return self._core.step

    @property
    def steps(self) -> int:
        """The number of steps."""
        return int(self.summary["steps"])

    @property
    def warnings(self) -> "list[str]":
        """Warnings of the library."""
        return [explained(self._model, text) for text in self._core.warnings]

    @property
    def failure(self) -> "Optional[dict[str, Any]]":
        """step, t, kind and message of a failed run, otherwise None."""
        return self.summary.get("failure")

    @property
    def path(self) -> Optional[str]:
        """The HDF5 file that contains the states, if any."""
        return self._core.path or None

    @property
    def seconds(self) -> float:
        """Run time of the steps in seconds; NaN if unknown."""
        seconds = self.summary["seconds"]
        return float("nan") if seconds is None else float(seconds)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: str) -> Array:
        """One array by name: run["x"], run["v_x"], run["p_x"], run["lambda_rod"], run["energy"], an observable."""
        if not isinstance(name, str):
            raise TypeError(f"run[{name!r}]: expected a name such as \"energy\"; run.q[{name!r}] has numbers")
        column, number = self._names().place(name)
        if column == "energy_error":
            return self.energy_error
        return picked({column: self._core.column(column)}, (column, number))

    __iter__ = None  # names are not listed by going through a run: run.column_names()

    def _names(self) -> Names:
        model, observables = self._core.model, self._core.observables
        if model is not None:
            return Names(model, observables)
        return Names.of_sizes(self.q.shape[1], self.lam.shape[1], observables)

    def at(self, t: Any) -> States:
        """The states at given times, by the dense output of the method: on the constraints and of its order.

        >>> run.at(2.5).q, run.at([0.1, 0.2])["x"]

        t: one time or several, within the run. Times of recorded states give these; for others the run must have
        recorded the steps before and after (every=1). The trajectory is not computed again.
        """
        times = np.asarray(t, dtype=float)
        if times.ndim > 1:
            raise InputError(f"at: expected a time or a list of times, found an array of shape {times.shape}")
        initial = self.summary["energy"]["initial"]
        columns = self._core.at(times.ravel().tolist())
        return States(columns, self._names(), np.nan if initial is None else initial, times.ndim == 0)

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Write the run to FILE.h5, which can be resumed, analyzed and opened, or to FILE.csv."""
        self._core.save(path_text(path), overwrite)

    def column_names(self) -> "list[str]":
        """Names of the columns of CSV files and first columns of data frames; run[name] is one of them."""
        from ._frame import column_names

        return column_names(self)

    def to_dataframe(self) -> Any:
        """All columns as a pandas DataFrame: the columns of CSV files, then energy_error."""
        from ._frame import data_frame

        return data_frame(self)

    def analyse(self, name: str, **options: Any) -> "Analysis":
        """Analyze the run; lb.analyses() lists the analyses.

        >>> run.analyse("drift", of="energy", from_=1).verdict

        Options that are Python keywords are written with an underscore: from_.
        """
        from ._analysis import Analysis, option_texts

        return Analysis(*self._core.analyse(name, option_texts(options)))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(where_it_is(self, name))

    def __reduce__(self) -> "tuple[Any, ...]":
        from ._held import reduced

        return reduced(self)

    def __repr__(self) -> str:
        summary = self.summary
        parts = [
            f"Run of {summary['model']}: {self.method}, step {self.step:g}",
            f"{counted(self.steps, 'step', 'steps')} to t = {summary['t']:g}",
            f"status {self.status}, {len(self)} recorded states",
        ]
        error = summary["energy"]["max_error"]
        if summary["energy"]["conserved"] and error is not None:
            parts.append(f"maximum energy error {error:.3g}")
        return ", ".join(parts)

    def __str__(self) -> str:
        lines = [f"{self.summary['model']}  {self.status}", *(f"  {label:<13}{text}" for label, text in self.facts)]
        failure = self.failure
        return "\n".join(lines if failure is None else [*lines, f"  failure      {failure['message']}"])

    def _repr_html_(self) -> str:
        from ._html import run_html

        return run_html(self)


def run_model(
    model: "Model",
    method: MethodLike = None,
    *,
    callback: Optional[Callable[[_core.State], object]] = None,
    progress: Any = None,
    start: Optional[Run] = None,
    **options: Any,
) -> Run:
    """Implementation of model.run, with the same arguments."""
    asked = request("run", {"method": method, **options})
    model, start_time = (model, 0.0) if start is None else started_from(model, start)
    with speaking_of(model), shown_progress(progress) as show:
        core = _core.run(model._core, asked, progress=show, callback=checked_callback(callback), start_time=start_time)
    return _finished(Run(core, model))


@guided('"FILE.h5", duration=100', task="run")
def resume(
    path: Union[Path, Run],
    *,
    callback: Optional[Callable[[_core.State], object]] = None,
    progress: Any = None,
    **options: Any,
) -> "Union[Run, Ensemble]":
    """Continue the run of an HDF5 file in place, optionally with a longer duration, counted from its start.

    The result is bitwise identical to that of an uninterrupted run. A finished run returns its result.

    path: the file, or a run that was recorded in one. Only steps or duration may be larger than in the file; other
    arguments that determine the result may be repeated, and must agree with the file.
    """
    if isinstance(path, Run):
        if path.path is None:
            raise _core.InputError(
                'this run has no file that could be continued; run with out="FILE.h5", or use run.save'
            )
        path = path.path
    name = path_text(path)
    if _is_ensemble(name):
        from ._ensemble import resume_ensemble

        if options.get("steps") is not None or options.get("duration") is not None or callback is not None:
            raise _core.InputError(f"{name}: the length of an ensemble cannot be changed, and it has no callback")
        return resume_ensemble(name, progress=progress, **options)
    asked = request("run", options)
    with shown_progress(progress) as show:
        core = _core.resume(name, asked, progress=show, callback=checked_callback(callback))
    run = Run(core)
    for event, count in run.events.lost.items():
        warn_user(f"the event '{event}' happened {count} times before; these states are not in {name}")
    return _finished(run)


def open(path: Path) -> "Union[Run, Ensemble]":
    """Read a run or an ensemble from its HDF5 file, also while another process is writing to it."""
    name = path_text(path)
    if name.endswith(".csv"):
        raise InputError(
            f"{name}: a CSV file holds states, but neither the model nor the method, so that it cannot be opened as a "
            'run; run with out="FILE.h5" or run.save("FILE.h5") to open it again. Read the columns with '
            "pandas.read_csv or numpy.genfromtxt(..., delimiter=',', names=True), or analyze them with `libration "
            "analyse` on the command line"
        )
    if _is_ensemble(name):
        from ._ensemble import open_ensemble

        return open_ensemble(name)
    core = _core.open_run(name)
    if core.is_former:
        warn_user(
            f"{name} was written by an earlier version, which did not store a summary: maximum errors, invariants, "
            "events and counts are missing; lb.resume of the file adds them, without any step if the run was complete"
        )
    return Run(core)


def _is_ensemble(name: str) -> bool:
    known: Any = getattr(_core, "is_ensemble_file", None)
    return known is not None and (known(name) or (not os.path.exists(name) and os.path.exists(f"{name}.part")))


def _finished(run: Run) -> Run:
    """Warn, and raise an exception if the run did not complete."""
    for text in run.warnings:
        warn_user(text)
    if run._core.interrupted:
        how = f"; lb.resume({run.path!r}) continues it" if run.path else ""
        raise Interrupted(f"the run was interrupted at t = {run.summary['t']:g}{how}", run)
    if run.status == "failed":
        failure = run.summary["failure"]
        raise IntegrationError(f"step {failure['step']} (t = {failure['t']}): {failure['message']}", run)
    return run
