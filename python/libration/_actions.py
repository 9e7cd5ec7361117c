"""What can be done with a model: run it, run many, certify and compare methods."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union, cast

from ._calls import MethodLike, guided
from ._numbers import Real

if TYPE_CHECKING:
    from ._certify import Certificate, Certificates
    from ._compare import Comparison
    from ._ensemble import Ensemble
    from ._model import Model
    from ._run import Run

Path = Union[str, "os.PathLike[str]"]


class Actions:
    """The verbs of a model; what they do is written where the results are."""

    __slots__ = ()

    @guided('"rattle", step=0.1, duration=1')
    def run(
        self,
        method: MethodLike = None,
        *,
        step: Optional[Real] = None,
        duration: Optional[Real] = None,
        steps: Optional[int] = None,
        every: int = 1,
        monitor: int = 1,
        project: bool = False,
        adaptive: Optional[str] = None,
        tol: Optional[Real] = None,
        estimator: Optional[str] = None,
        at: Any = None,
        events: Any = None,
        stop_if: Any = None,
        callback: Optional[Callable[..., Any]] = None,
        out: Optional[Path] = None,
        overwrite: bool = False,
        progress: Any = None,
        force: bool = False,
        backend: Optional[str] = None,
    ) -> Run:
        """Integrates the model. Method, step and length are those of the model unless given.

        >>> run = model.run("lobatto(3)", step=0.05, duration=1000)

        step, duration: numbers, or exact texts such as "1/3". Adaptive runs end with their last step, at the duration
        or behind it.
        every: records every so many steps; monitor: evaluates energy and residuals every so many, 0 only at the ends.
        project: moves initial values that violate the constraints to the nearest ones that do not.
        adaptive: "reversible" or "standard" steps of changing length, with the tolerance tol and an estimator.
        at: times to record, instead of steps: run.t is then `at`.
        events: formulas that pass through zero; stop_if: a condition that ends the run.
        callback: called with the state at every recorded step; the run stops where it returns True.
        out: a file, .h5 or .csv, that the run is recorded in; overwrite replaces it.
        progress: None shows a bar where somebody can see it; force: also methods that are known not to work.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        from ._run import run_model

        return run_model(cast("Model", self), **given)

    @guided('"rattle", vary={"g": [1, 2]}, step=0.1, duration=1')
    def ensemble(
        self,
        method: MethodLike = None,
        *,
        vary: Optional[Mapping[Any, Any]] = None,
        count: Optional[int] = None,
        seed: int = 0,
        step: Optional[Real] = None,
        duration: Optional[Real] = None,
        steps: Optional[int] = None,
        monitor: Optional[int] = None,
        every: Optional[int] = None,
        project: bool = False,
        trajectories: bool = False,
        threads: Optional[int] = None,
        out: Optional[Path] = None,
        overwrite: bool = False,
        progress: Any = None,
        force: bool = False,
        backend: Optional[str] = None,
    ) -> Ensemble:
        """Runs many trajectories at once; each has the bits of a run of its own.

        >>> many = model.ensemble(vary={"g": "uniform(9, 10)", "v_y": "normal(0, 0.1)"}, count=100, duration=10)
        >>> many = model.ensemble(vary={"x": numpy.linspace(0.1, 0.5, 50)}, project=True)

        vary: {name: array or distribution}. Names are parameters, and initial values as x, p_x, v_x; "q", "p" and "v"
        take an array (count, dimension). Distributions: "uniform(a, b)", "normal(mean, deviation)",
        "log_uniform(a, b)", "linspace(a, b)".
        count: the number of trajectories, where no array says it. seed: of the distributions.
        monitor: statistics every so many steps; without it at about a hundred times.
        trajectories: keep all of them, every `every` steps; with `out`, in the file.
        threads: without it one a core.
        out: an HDF5 file, from which lb.resume continues an ensemble that was interrupted.
        The others are those of `run`. Trajectories that fail are no error: see `failed` and `failures`.
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        from ._ensemble import run_ensemble

        return run_ensemble(self, **given)

    @guided('"rattle", step=0.1')
    def certify(
        self,
        method: Union[MethodLike, Iterable[MethodLike]],
        *,
        step: Optional[Real] = None,
        duration: Optional[Real] = None,
        force: bool = False,
    ) -> Union[Certificate, Certificates]:
        """What a method claims, measured with this model: order, symmetry, symplecticity, residuals, energy.

        method: several in a list give several certificates.
        step: the largest step of the measurement; duration: the time over which errors are measured.

        >>> model.certify("rattle").ok
        True
        """
        from ._certify import certify

        return certify(method, self, step=step, duration=duration, force=force)

    @guided('["rattle", "lobatto(3)"], steps=[0.1, 0.05]')
    def compare(
        self,
        methods: Union[MethodLike, Iterable[MethodLike]] = None,
        steps: Union[None, Real, Iterable[Real]] = None,
        duration: Optional[Real] = None,
        *,
        force: bool = False,
    ) -> Comparison:
        """Methods compared on this model: error against work. The arguments are those of lb.compare.

        >>> model.compare(["rattle", "lobatto(3)"], steps=[0.1, 0.05, 0.025]).plot()
        """
        from ._compare import compare

        return compare(self, methods, steps, duration, force=force)
