"""The figure of a fit: data and predictions over time, and the residuals below."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._gradient import jacobian
from ._panels import line_colours
from ._quantities import unknown
from ._style import INK, PALE, Width, inches, new_figure, style, typeset

if TYPE_CHECKING:
    from ._fit import Fit

MOST = 6  # panels, unless columns are named
DENSE = 400  # times of a predicted curve


def fit_plot(
    fit: "Fit", *, of: Union[None, str, Iterable[str]] = None, width: Width = 4.5, height: Optional[float] = None
) -> Any:
    """One panel per measured quantity, data as dots and the prediction as a line; all residuals in the last one.

    of  the columns of the table to show; default: the first six
    """
    measured = fit._problem.measured
    names = measured.names[:MOST] if of is None else [of] if isinstance(of, str) else [str(one) for one in of]
    for name in names:
        if name not in measured.names:
            raise unknown(name, measured.names)
    times, curves = _curves(fit, names)
    with style():
        figure = new_figure(width, height or (0.27 * len(names) + 0.3) * inches(width))
        grid = figure.add_gridspec(len(names) + 1, 1)
        axes = [figure.add_subplot(grid[0])]
        axes += [figure.add_subplot(grid[k], sharex=axes[0]) for k in range(1, len(names) + 1)]
        for ax, name, colour in zip(axes, names, line_colours(len(names))):
            _panel(ax, fit, name, colour, (times, curves[name]))
            _residuals(axes[-1], fit, name, colour)
        axes[0].margins(x=0.02)
        for ax in axes[:-1]:
            ax.tick_params(labelbottom=False)
        _band(axes[-1], fit)
        axes[-1].set_ylabel("residual / sd" if fit.absolute else "residual")
        axes[-1].set_xlabel("$t$")
        figure.align_ylabels(axes)
        return figure


def _curves(fit: "Fit", names: list[str]) -> tuple[Any, dict[str, Any]]:
    """Predictions at many times: as the fit makes them, for any formula."""
    t = fit._problem.measured.t
    first, last = min(0.0, float(np.min(t))), float(np.max(t))
    times = np.linspace(first, last, DENSE)
    table = {"t": times, **{name: np.zeros(DENSE) for name in names}}
    found = jacobian(fit.model, data=table, by=[fit.names[0]], **fit._problem.options)
    values = np.asarray(found.values).reshape(DENSE, len(names))
    return times, {name: values[:, k] for k, name in enumerate(names)}


def _panel(ax: Any, fit: "Fit", name: str, colour: Any, curve: tuple[Any, Any]) -> None:
    measured = fit._problem.measured
    t, values = measured.column(name, measured.values)
    ax.plot(*curve, color=colour, linewidth=0.9)
    look = {"color": colour, "marker": "o", "markersize": 2.5, "markerfacecolor": "white", "markeredgewidth": 0.6,
            "linestyle": "none"}
    if measured.stated:
        ax.errorbar(t, values, yerr=measured.column(name, measured.sd)[1], elinewidth=0.6, **look)
    else:
        ax.plot(t, values, **look)
    ax.margins(y=0.08)
    ax.set_ylabel(typeset(name) if re.fullmatch(r"[\w.\[\]]+", name) else name)


def _residuals(ax: Any, fit: "Fit", name: str, colour: Any) -> None:
    t, values = fit._problem.measured.column(name, fit.residuals)
    ax.plot(t, values, color=colour, marker="o", markersize=2, linestyle="none")


def _band(ax: Any, fit: "Fit") -> None:
    """Where 95 % of the residuals are expected."""
    ax.axhline(0, color=INK, linewidth=0.5, zorder=0.5)
    level = 1.96 * float(np.sqrt(fit._variance()))
    if np.isfinite(level):
        ax.axhspan(-level, level, color=PALE, alpha=0.25, linewidth=0, zorder=0.1)
    largest = float(np.nanmax([np.max(np.abs(fit.residuals)), level])) or 1.0
    ax.set_ylim(-1.15 * largest, 1.15 * largest)
