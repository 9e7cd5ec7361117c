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
        """Integrates the model. Method, step and length are those of the model unless given.

        >>> run = model.run("lobatto(3)", step=0.05, duration=1000)

        Numbers may be exact texts such as "1/3". Adaptive runs end with their last step, at the duration or after it.
        at: a list of times, or a text; run.t is then `at`.
        events: formulas that pass through zero; stop_if: a condition that ends the run. Both may be expressions.
        callback: called with the state at every recorded step; the run stops where it returns True.
        progress: None shows a bar where somebody can see it.
        start: a run; this one begins where that one ended, at its last time, positions and momenta (or velocities).
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
        """Runs many trajectories at once; each is bitwise identical to a run of its own.

        >>> many = model.ensemble(vary={"g": "uniform(9, 10)", "v_y": "normal(0, 0.1)"}, count=100, duration=10)
        >>> many = model.ensemble(vary={"x": numpy.linspace(0.1, 0.5, 50)}, project=True)

        vary: {name: array or distribution}. Names are parameters, and initial values as x, p_x, v_x; "q", "p" and "v"
        take an array (count, dimension). Distributions: "uniform(a, b)", "normal(mean, deviation)",
        "log_uniform(a, b)", "linspace(a, b)".
        count: where no array says it. trajectories: keep all of them; with `out`, in the file.
        out: an HDF5 file, from which lb.resume continues an ensemble that was stopped.
        Trajectories that fail are no error: see `failed` and `failures`.
        """
        from ._ensemble import run_ensemble

        return run_ensemble(self, method, vary=vary, progress=progress, **options)

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
