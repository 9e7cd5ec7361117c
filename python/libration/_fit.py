"""Fits: unknown parameters and initial values of a model from measurements, by nonlinear least squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._core import InputError
from ._determined import Determined, determined, freedom_texts, hardly_determined
from ._errors import IntegrationError
from ._gradient import jacobian
from ._least_squares import Minimum, Problem, minimized
from ._measured import Measured
from ._numbers import real, whole
from ._records import html_table, text_table
from ._unknowns import Unknowns
from ._values import symbol_name
from ._warn import warn_user

if TYPE_CHECKING:
    from ._model import Model

Array = NDArray[np.float64]

IMPLAUSIBLE = 1e-6
"""Probability of a larger sum of squares from which on stated standard deviations are doubted."""


class Fit:
    """Estimated values with their uncertainties, and how well they describe the data."""

    def __init__(self, problem: Problem, minimum: Minimum, start: Start, known: Determined) -> None:
        point = minimum.point
        self._problem, self._rows = problem, start.rows
        self.names: tuple[str, ...] = tuple(problem.unknowns.names)
        """The unknowns, in the order of `by`."""
        self.values: Array = start.values
        """The estimated values."""
        self.model: Model = start.model
        """The model with the estimated values."""
        self.residuals: Array = point.residuals
        """(prediction - value)/sd, time by time, without gaps; without standard deviations, prediction - value."""
        self.predictions: Array = point.predictions
        """The predictions, in the same order."""
        self.chi2 = float(point.residuals @ point.residuals)
        """The sum of the squares of the residuals."""
        self.degrees_of_freedom = len(point.residuals) - known.rank
        """Measured values less independent unknowns."""
        self.absolute: bool = problem.measured.stated
        """Whether the standard deviations of the data were given; otherwise they are estimated from the residuals."""
        self.covariance: Array = known.covariance(start.rows) * self._variance()
        """Of the estimated values, in the order of the names; infinite on the diagonal where data do not decide."""
        self.converged = minimum.converged
        """Whether the iteration came to its end."""
        self.evaluations = minimum.evaluations
        """The number of runs with derivatives."""
        self.failures = minimum.failures
        """How many of them failed, on the way: the fit went on with shorter steps."""
        self.warnings: tuple[str, ...] = ()
        """What to know before the values are used."""

    @property
    def parameters(self) -> dict[str, float]:
        """The estimated values by name."""
        return dict(zip(self.names, self.values.tolist()))

    @property
    def standard_errors(self) -> dict[str, float]:
        """The standard errors by name: infinite where the data do not determine the value."""
        return dict(zip(self.names, np.sqrt(np.diag(self.covariance)).tolist()))

    def interval(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Confidence intervals by name, each for itself: normal, or Student's t if deviations were estimated."""
        level = real(level, "level")
        if not 0 < level < 1:
            raise InputError(f"level={level}: it must be between 0 and 1, such as 0.95")
        from scipy.stats import norm, t

        upper = (1 + level) / 2
        factor = float(norm.ppf(upper) if self.absolute else t.ppf(upper, max(self.degrees_of_freedom, 1)))
        errors = self.standard_errors
        return {name: (value - factor * errors[name], value + factor * errors[name])
                for name, value in self.parameters.items()}

    def plot(self, **options: Any) -> Any:
        """Data, predictions and residuals over time, a matplotlib figure; of=["x", "y"] selects columns."""
        from ._fit_plot import fit_plot

        return fit_plot(self, **options)

    def __getitem__(self, name: str) -> float:
        return self.parameters[name]

    def _variance(self) -> float:
        """Of a datum, in units of the square of its stated standard deviation."""
        if self.absolute:
            return 1.0
        return self.chi2 / self.degrees_of_freedom if self.degrees_of_freedom > 0 else float("nan")

    def _heading(self) -> str:
        how = "converged" if self.converged else "NOT converged"
        return (f"{self.model.name}: {len(self.residuals)} data, {len(self.names)} unknowns; {how} after "
                f"{self.evaluations} runs")

    def _cells(self) -> list[list[str]]:
        errors, limits = self.standard_errors, self.interval()
        return [[name, _shown(value, errors[name]), f"{errors[name]:.2g}",
                 *(_shown(limit, errors[name]) for limit in limits[name])]
                for name, value in self.parameters.items()]

    def _note(self) -> str:
        free = self.degrees_of_freedom
        text = f"chi2 = {self.chi2:.6g}, {free} degrees of freedom"
        if self.absolute:
            return f"{text}; standard errors from the given sd"
        return f"{text}; standard errors from the residuals (sd = {np.sqrt(self._variance()):.3g}, Student's t)"

    def __str__(self) -> str:
        table = text_table(COLUMNS, self._cells())
        return "\n".join([f"{self._heading()}\n\n{table}\n\n{self._note()}", *(f"! {one}" for one in self.warnings)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(COLUMNS, self._cells(), self._heading())
        more = "".join(f"<p>{one}</p>" for one in (self._note(), *self.warnings))
        return f"<div>{table}{more}</div>"


def _shown(value: float, error: float) -> str:
    """With as many digits as the standard error leaves, and one more."""
    if not (np.isfinite(error) and error > 0 and np.isfinite(value)):
        return f"{value:.10g}"
    decimals = 2 - int(np.floor(np.log10(error)))
    return f"{value:.{decimals}f}" if 0 <= decimals <= 12 and abs(value) < 1e9 else f"{value:.10g}"


COLUMNS = ["name", "value", "standard error", "95 % from", "to"]


class Start:
    """The estimated values as the runs see them: initial values of constrained models are projected ones."""

    def __init__(self, problem: Problem, values: Array) -> None:
        unknowns = problem.unknowns
        self.values = values.copy()
        self.rows: Array = np.eye(len(values))
        """Their derivatives by the unknowns."""
        self.model = unknowns.at(values)
        if not unknowns.project:
            return
        letter = "v" if "v" in self.model.initial else "p"
        state = [prefix + name for prefix in ("", f"{letter}_") for name in self.model.coordinates]
        at_start = {"t": [0.0], **{name: [0.0] for name in state}}
        found = jacobian(self.model, data=at_start, by=unknowns.names, **problem.options)
        for k, name in enumerate(unknowns.names):
            if name in unknowns.initial:
                row = state.index(name)
                self.values[k], self.rows[k] = found.values[row], found.matrix[row]
        self.model = self.model.set(dict(zip(state, map(float, found.values))))


def fit(
    model: Model,
    table: Any,
    by: Union[None, str, Iterable[Any]],
    start: Optional[Mapping[Any, Any]],
    bounds: Optional[Mapping[Any, Any]],
    max_evaluations: Optional[int],
    options: Mapping[str, Any],
) -> Fit:
    """See Actions.fit."""
    _require_scipy()
    measured = Measured(table)
    names = _names(model, by, measured, options)
    unknowns = Unknowns(model, names)
    if len(measured.values) < len(names):
        count = f"{len(measured.values)} measured value{'s' if len(measured.values) != 1 else ''}"
        raise InputError(f"{count} cannot determine {len(names)} unknowns ({', '.join(names)}); give more data, or "
                         "fewer names in by=[...]")
    problem = Problem(unknowns, measured, options)
    first = unknowns.with_start(start)
    most = 100 * (len(names) + 1) if max_evaluations is None else whole(max_evaluations, "max_evaluations")
    limits = _limits(unknowns, bounds, first)
    try:
        minimum = minimized(problem, first, limits, most)
    except IntegrationError as error:
        raise IntegrationError(f"no run with the starting values: {error}\nGive others, start={{...}}, or fewer times.",
                               error.run) from None
    known = determined(minimum.point.matrix, np.maximum(minimum.sizes, np.abs(minimum.point.values)),
                       minimum.point.digits)
    found = Fit(problem, minimum, Start(problem, minimum.point.values), known)
    found.warnings = tuple(_warnings(found, minimum, known))
    for text in found.warnings:
        warn_user(text)
    return found


def _require_scipy() -> None:
    try:
        import scipy.optimize  # noqa: F401
    except ImportError:
        raise ImportError("fit needs SciPy: install it with 'pip install scipy', or on Debian and Ubuntu with "
                          "'apt install python3-scipy'") from None


def _names(
    model: Model, by: Union[None, str, Iterable[Any]], measured: Measured, options: Mapping[str, Any]
) -> list[str]:
    if by is None:
        return list(jacobian(model, data=measured.columns, **options).names)
    names = by.split(",") if isinstance(by, str) else [symbol_name(one, "by") for one in by]
    names = [name.strip() for name in names]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"by: '{name}' is given twice; omit one of them")
    if not any(names):
        raise InputError("by: the list of unknowns is empty; omit it for all scalar parameters that are numbers")
    return names


def _limits(unknowns: Unknowns, bounds: Optional[Mapping[Any, Any]], start: Array) -> tuple[Array, Array]:
    if bounds is not None and not isinstance(bounds, Mapping):
        raise TypeError(f"bounds: expected a dict such as {{'m': (0, None)}}, found {bounds!r}")
    low, high = np.full(len(start), -np.inf), np.full(len(start), np.inf)
    for key, pair in (bounds or {}).items():
        name = symbol_name(key, "bounds")
        k = unknowns.place(name, "bounds")
        try:
            lower, upper = pair
        except (TypeError, ValueError):
            raise TypeError(f"bounds: expected two numbers or None for {name}, found {pair!r}") from None
        low[k] = -np.inf if lower is None else real(lower, name)
        high[k] = np.inf if upper is None else real(upper, name)
        if not low[k] < start[k] < high[k]:
            raise InputError(f"bounds: {name} starts at {start[k]:g}, which is not between {low[k]:g} and {high[k]:g}; "
                             f"give another start={{'{name}': ...}}")
    return low, high


def _warnings(found: Fit, minimum: Minimum, known: Determined) -> Iterable[str]:
    yield from minimum.point.warnings
    if not minimum.converged:
        yield (f"the fit did not converge within {minimum.evaluations} runs: start closer, give bounds, or allow more, "
               f"max_evaluations={2 * minimum.evaluations}")
    yield from freedom_texts(known.free_changes(found._rows), found.names, minimum.point.values)
    for k in np.flatnonzero(~np.any(found._rows != 0, axis=1)):
        yield (f"the constraints do not let the initial value {found.names[k]} change at this start; name another "
               "coordinate in by=[...]")
    errors = found.standard_errors
    for name in hardly_determined(found.names, found.values, np.array(list(errors.values())), minimum.sizes):
        yield f"the data hardly determine {name}: {found[name]:.3g} with a standard error of {errors[name]:.3g}"
    for name in np.array(found.names)[minimum.at_bound].tolist():
        yield f"{name} is at its bound: its standard error, and those of values correlated with it, do not apply"
    if found.degrees_of_freedom == 0 and not found.absolute:
        yield ("as many unknowns as data: nothing is left to estimate the standard errors from; give columns sd_NAME, "
               "or more data")
    yield from _doubts(found)


def _doubts(found: Fit) -> Iterable[str]:
    if not found.absolute or found.degrees_of_freedom == 0:
        return
    from scipy.stats import chi2

    if chi2.sf(found.chi2, found.degrees_of_freedom) < IMPLAUSIBLE:
        yield (f"chi2 is {found.chi2:.4g} with {found.degrees_of_freedom} degrees of freedom: the model does not "
               "describe the data to within the given sd. A wrong minimum (try another start), a wrong model, or too "
               "small sd")
