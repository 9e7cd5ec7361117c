"""Actions on a model: run, ensemble, fit, certify, compare, choose."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union, cast

from ._calls import MethodLike, guided
from ._numbers import Real

if TYPE_CHECKING:
    from ._certify import Certificate, Certificates
    from ._choose import Choice
    from ._compare import Comparison
    from ._ensemble import Ensemble
    from ._fit import Fit
    from ._model import Model
    from ._run import Run

Path = Union[str, "os.PathLike[str]"]


class Actions:
    """The actions of a model; they are implemented next to their results."""

    __slots__ = ()

    @guided('"rattle", step=0.1, duration=1', task="run")
    def run(
        self,
        method: MethodLike = None,
        *,
        callback: Optional[Callable[..., Any]] = None,
        progress: Any = None,
        start: Optional[Run] = None,
        **options: Any,
    ) -> Run:
        """Integrate the model. Method, step size and duration default to those of the model.

        What is missing is chosen (see `choose`), also method="auto"; run.summary["chosen"] then says what and why.

        >>> run = model.run("lobatto(3)", step=0.05, duration=1000)

        Numbers may be exact texts such as "1/3". Adaptive runs end at the first step at or after the duration.
        at: output times, a list or a text; run.t is then `at`.
        events: expressions whose zero crossings are located; stop_if: a condition that ends the run. Both may be texts.
        callback: called with the state at every recorded step; the run stops if it returns True.
        progress: None shows a progress bar on terminals and in notebooks.
        start: a run; this one begins at its last time, positions and momenta (or velocities).
        """
        from ._run import run_model

        return run_model(cast("Model", self), method, callback=callback, progress=progress, start=start, **options)

    @guided('"rattle", vary={"g": [1, 2]}, step=0.1, duration=1', task="ensemble")
    def ensemble(
        self,
        method: MethodLike = None,
        *,
        vary: Optional[Mapping[Any, Any]] = None,
        progress: Any = None,
        **options: Any,
    ) -> Ensemble:
        """Integrate many variants of the model at once; each is bitwise identical to a single run.

        >>> many = model.ensemble(vary={"g": "uniform(9, 10)", "v_y": "normal(0, 0.1)"}, count=100, duration=10)
        >>> many = model.ensemble(vary={"x": numpy.linspace(0.1, 0.5, 50)}, project=True)

        vary: {name: array or distribution}. Names are parameters, or initial values x, p_x, v_x; "q", "p" and "v"
        take an array (count, dimension). Distributions: "uniform(a, b)", "normal(mean, deviation)",
        "log_uniform(a, b)", "linspace(a, b)".
        count: the number of members, if no array determines it.
        trajectories: record all trajectories; with `out`, in the file.
        out: an HDF5 file; lb.resume continues an ensemble that was stopped.
        Members that fail do not raise an exception: see `failed` and `failures`.
        """
        from ._ensemble import run_ensemble

        return run_ensemble(self, method, vary=vary, progress=progress, **options)

    @guided('table, by=["g", "l"], step=0.01', task="jacobian")
    def fit(
        self,
        table: Any,
        by: Union[None, str, Iterable[Any]] = None,
        start: Optional[Mapping[Any, Any]] = None,
        *,
        method: MethodLike = None,
        bounds: Optional[Mapping[Any, Any]] = None,
        max_evaluations: Optional[int] = None,
        **options: Any,
    ) -> Fit:
        """Estimate parameters and initial values from measurements, by least squares with exact derivatives.

        >>> seen = {"t": [0.5, 1, 1.5, 2], "x": [0.992, 0.879, 0.472, -0.205], "y": [-0.125, -0.475, -0.883, -0.979]}
        >>> model.fit(seen, by=["g", "l"], start={"g": 1.1}, step=0.01)

        Minimizes the sum of ((prediction - value)/sd)^2 with SciPy's least_squares. The result has the estimated values
        with their covariance, and warns of unknowns that the data do not determine.

        table: the path of a CSV file, a dict of columns or a pandas DataFrame: "t", names of coordinates, velocities or
            observables or formulas of them, and standard deviations as "sd_" and the name. Gaps are nan or empty.
        by: the unknowns: names of parameters and of initial values (x, v_x, p_x); without it, all scalar parameters
            that are numbers.
        start: {name: value}, where to start; by default at the values of the model.
        bounds: {name: (low, high)}, None where there is no bound.
        max_evaluations: the largest number of runs, by default 100 for each unknown.

        Raises InputError for what cannot be fitted, IntegrationError where the run fails at the starting values.
        """
        from ._fit import fit

        return fit(cast("Model", self), table, by, start, bounds, max_evaluations, {**options, "method": method})

    @guided('"rattle", step=0.1')
    def certify(
        self,
        method: Union[MethodLike, Iterable[MethodLike]],
        *,
        step: Optional[Real] = None,
        duration: Optional[Real] = None,
        project: bool = False,
        force: bool = False,
    ) -> Union[Certificate, Certificates]:
        """Measure the claims of a method on this model: order, symmetry, symplecticity, residuals, energy.

        method: a list of methods gives several certificates.
        step: the largest step size of the measurement; duration: the time over which errors are measured.
        project: start from the initial values moved onto the constraints, as a run with project=True.

        >>> model.certify("rattle").ok
        True
        """
        from ._certify import certify

        return certify(method, self, step=step, duration=duration, project=project, force=force)

    @guided('["rattle", "lobatto(3)"], steps=[0.1, 0.05]')
    def compare(
        self,
        methods: Union[MethodLike, Iterable[MethodLike]] = None,
        steps: Union[None, Real, Iterable[Real]] = None,
        duration: Optional[Real] = None,
        *,
        project: bool = False,
        progress: Any = None,
        force: bool = False,
    ) -> Comparison:
        """Compare methods on this model: error versus work. The arguments are those of lb.compare.

        >>> model.compare(["rattle", "lobatto(3)"], steps=[0.1, 0.05, 0.025]).plot()
        """
        from ._compare import compare

        return compare(self, methods, steps, duration, project=project, progress=progress, force=force)

    @guided("error=1e-8")
    def choose(
        self,
        *,
        error: Optional[Real] = None,
        energy_error: Optional[Real] = None,
        duration: Optional[Real] = None,
        method: MethodLike = None,
        step: Optional[Real] = None,
        project: bool = False,
    ) -> Choice:
        """Choose method and step size for an accuracy. The arguments are those of lb.choose.

        >>> choice = model.choose(error=1e-6, duration=20)
        >>> run = model.run(choice.method, step=choice.step, duration=choice.duration)
        """
        from ._choose import choose

        return choose(
            self,
            error=error,
            energy_error=energy_error,
            duration=duration,
            method=method,
            step=step,
            project=project,
        )
