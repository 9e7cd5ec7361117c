"""Nonlinear least squares: residuals and exact Jacobians of runs for SciPy's least_squares."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._core import InputError
from ._determined import determined
from ._errors import IntegrationError, LibrationWarning
from ._gradient import jacobian
from ._measured import Measured
from ._unknowns import Unknowns

Array = NDArray[np.float64]

TOLERANCE = 1e-10
"""Of the sum of squares and of the unknowns, relative: standard errors are rarely smaller than 1e-8 of the values."""

SMALLEST = 1e-10
"""Below, a starting value says nothing about the size of an unknown: sines of pi are rounding."""


@dataclass
class Point:
    """Predictions and their derivatives, in units of the standard deviations, at values of the unknowns."""

    values: Array
    predictions: Array
    residuals: Array
    matrix: Array
    digits: float
    warnings: list[str] = field(default_factory=list)


@dataclass
class Minimum:
    """Where the iteration ended."""

    point: Point
    sizes: Array
    converged: bool
    at_bound: NDArray[np.bool_]
    evaluations: int
    failures: int


class Problem:
    """A model, what was measured, and how it is run."""

    def __init__(self, unknowns: Unknowns, measured: Measured, options: Mapping[str, Any]) -> None:
        self.unknowns, self.measured = unknowns, measured
        self.options = unknowns.run_options(options)
        self.evaluations = self.failures = 0

    def point(self, values: Array) -> Point:
        """InputError, IntegrationError where there is no run."""
        self.evaluations += 1
        # Of many runs only the last one has warnings for the user.
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", LibrationWarning)
            model = self.unknowns.at(values)
            found = jacobian(model, data=self.measured.columns, by=self.unknowns.names, **self.options)
        sd = self.measured.sd
        residuals = (found.values - self.measured.values) / sd
        texts = [str(one.message) for one in said if issubclass(one.category, LibrationWarning)]
        return Point(values.copy(), found.values, residuals, found.matrix / sd[:, None], found.digits, texts)

    def trial(self, values: Array) -> Optional[Point]:
        """Nothing where the model has no run: it may have no mass there, or no consistent start, or move too fast."""
        try:
            point = self.point(values)
        except (InputError, IntegrationError):
            point = None
        if point is None or not (np.isfinite(point.residuals).all() and np.isfinite(point.matrix).all()):
            self.failures += 1
            return None
        return point


def typical_sizes(problem: Problem, first: Point) -> Array:
    """Those of the starting values; where one is 0 or rounding, the change that moves predictions by their own size."""
    lengths = np.linalg.norm(first.matrix, axis=0)
    scale = float(np.linalg.norm(problem.measured.values / problem.measured.sd)) or 1.0
    by_effect = np.divide(scale, lengths, out=np.ones_like(lengths), where=lengths > 0)
    return np.where(np.abs(first.values) > SMALLEST, np.abs(first.values), by_effect)


def minimized(problem: Problem, start: Array, bounds: tuple[Array, Array], most: int) -> Minimum:
    """The minimum next to the start.

    Of unknowns that only together change no prediction, one is held: the trust region of SciPy takes no account of
    combinations without effect, and would step along them. Where data determine more at the end than they do at the
    start, for instance because that was an equilibrium, the others follow.
    """
    point = problem.point(start)
    sizes = typical_sizes(problem, point)
    held: Optional[list[int]] = None
    while True:
        now = determined(point.matrix, np.maximum(sizes, np.abs(point.values)), point.digits).held
        if held is not None and len(now) >= len(held):
            break
        held = now
        end = _descended(problem, point, Active(sizes, held, bounds), most)
        point = end.point
        if not end.converged or len(held) == len(start):
            break
    return Minimum(point, sizes, end.converged, end.at_bound, problem.evaluations, problem.failures)


@dataclass
class Active:
    """The unknowns that move, in units of their typical sizes: tests of convergence take a step as one vector."""

    sizes: Array
    held: list[int]
    bounds: tuple[Array, Array]

    @property
    def places(self) -> list[int]:
        """Their numbers."""
        return [k for k in range(len(self.sizes)) if k not in self.held]


@dataclass
class End:
    """Where a descent ended."""

    point: Point
    converged: bool
    at_bound: NDArray[np.bool_]


def _descended(problem: Problem, first: Point, active: Active, most: int) -> End:
    """A trial without a run gets residuals that are not finite: `trf` then shrinks its trust region, as it does after
    any step that was too long."""
    from scipy.optimize import least_squares

    places = active.places
    at_bound = np.zeros(len(first.values), dtype=bool)
    if not places:
        return End(first, True, at_bound)
    unit = active.sizes[places]
    tried: Optional[Point] = first
    best = first

    def residuals(scaled: Array) -> Array:
        nonlocal tried
        values = first.values.copy()
        values[places] = scaled * unit
        if not np.array_equal(scaled, first.values[places] / unit):
            tried = problem.trial(values)
        return np.full(first.residuals.shape, np.nan) if tried is None else tried.residuals

    def matrix(scaled: Array) -> Array:
        # Asked where a step was accepted: there, residuals were asked just before.
        nonlocal best
        best = tried if tried is not None else best
        return best.matrix[:, places] * unit

    limits = tuple(bound[places] / unit for bound in active.bounds)
    result = least_squares(residuals, first.values[places] / unit, matrix, bounds=limits, method="trf", x_scale="jac",
                           ftol=TOLERANCE, xtol=TOLERANCE, gtol=None, max_nfev=most)
    at_bound[places] = result.active_mask != 0
    return End(best, result.status > 0, at_bound)
