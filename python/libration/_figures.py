"""Figures of comparisons and ensembles, from plain tables and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._panels import TimePanel, fixed_power, line_colours, with_power
from ._quantities import as_names, label_of, unknown
from ._style import ALARM, COLOURS, Width, inches, new_figure, style

MARKERS = "osD^v<>"
OUTCOMES = ("energy_initial", "energy_error_final", "energy_error_max", "constraint_max", "hidden_max")
POINTS = 5000  # dots from which they become a picture inside vector files


def comparison_plot(
    comparison: Any,
    *,
    by: str = "evaluations",
    of: str = "error",
    ax: Any = None,
    width: Width = 4.5,
    height: Optional[float] = None,
) -> Any:
    """Work-precision diagram on logarithmic axes, one line per method; failed runs are crosses at the top.

    comparison  the result of `lb.compare`, or the same as a dict with "rows"
    by          "evaluations" of the force, "seconds", or "step"
    of          "error", the larger of q and p; or "error_q", "error_p", "error_lambda", "energy_error"
    """
    axes_labels = {"evaluations": "force evaluations", "seconds": "seconds", "step": "step size $h$"}
    errors = {
        "error": "relative error of $q$ and $p$",
        "error_q": "relative error of $q$",
        "error_p": "relative error of $p$",
        "error_lambda": r"relative error of $\lambda$",
        "energy_error": "maximum energy error",
    }
    _one_of("by", by, axes_labels)
    _one_of("of", of, errors)
    rows = comparison["rows"] if isinstance(comparison, Mapping) else comparison.rows
    if not len(rows):
        raise ValueError("the comparison has no rows, so there is nothing to plot")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    with style():
        figure, ax = _axes(ax, width, height or 0.72 * inches(width))
        for number, (method, colour) in enumerate(zip(methods, line_colours(len(methods)))):
            mine = [row for row in rows if row["method"] == method]
            good = [(_work(row, by), _error(row, of)) for row in mine if row["status"] == "completed"]
            good = [(x, y) for x, y in good if x > 0 and y > 0 and np.isfinite(y)]
            look = {"color": colour, "marker": MARKERS[number % len(MARKERS)], "markersize": 4, "label": method}
            ax.plot(*(np.array(good).T if good else ([], [])), **look)
            failed = [_work(row, by) for row in mine if row["status"] != "completed" and _work(row, by) > 0]
            # In the frame's own height: where there is no error to show, there is still the work that was lost.
            ax.plot(failed, np.full(len(failed), 0.97), transform=ax.get_xaxis_transform(), color=colour, marker="x",
                    markersize=5, markeredgewidth=1.2, linestyle="none")
            if failed and "failed" not in ax.get_legend_handles_labels()[1]:
                ax.plot([], [], color=ALARM, marker="x", markersize=5, linestyle="none", label="failed")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.margins(0.06)
        ax.set_xlabel(axes_labels[by])
        ax.set_ylabel(errors[of])
        handles, labels = ax.get_legend_handles_labels()
        order = sorted(range(len(labels)), key=lambda k: bool(labels[k] == "failed"))
        ax.legend([handles[k] for k in order], [labels[k] for k in order], loc="best")
        return ax.figure


def _work(row: Mapping[str, Any], by: str) -> float:
    value = row["evaluations"]["force"] if by == "evaluations" else row[by]
    return abs(float(value)) if value is not None else float("nan")


def _error(row: Mapping[str, Any], of: str) -> float:
    names = ("error_q", "error_p") if of == "error" else (of,)
    values = [float(row[name]) for name in names if row[name] is not None]
    return max(values, default=float("nan"))


def band_plot(
    t: ArrayLike,
    quantiles: ArrayLike,
    percents: Sequence[float] = (5, 25, 50, 75, 95),
    *,
    name: str = "q",
    ax: Any = None,
    width: Width = "single",
    height: Optional[float] = None,
    colour: str = COLOURS[0],
) -> Any:
    """Statistics of an ensemble over time: bands between quantiles, and the median as a line.

    t [M], quantiles [M][len(percents)]; percents are ascending and symmetric about 50.
    """
    times, values = np.asarray(t, dtype=float), np.asarray(quantiles, dtype=float)
    if values.ndim != 2 or values.shape != (len(times), len(percents)):
        shape = (len(times), len(percents))
        raise ValueError(f"quantiles have the shape {shape}, times and percents, not {values.shape}")
    with style():
        figure, ax = _axes(ax, width, height or 0.66 * inches(width))
        pairs = len(percents) // 2
        for k in range(pairs):
            label = f"{percents[k]:g} to {percents[-1 - k]:g} %"
            ax.fill_between(times, values[:, k], values[:, -1 - k], color=colour, linewidth=0, label=label,
                            alpha=0.18 + 0.22 * k / max(pairs - 1, 1))
        middle = [values[:, pairs]] if len(percents) % 2 else []
        TimePanel(times, [("median", y) for y in middle], label_of(name)).draw(ax)
        handles, labels = ax.get_legend_handles_labels()
        ax.legend(handles, labels, loc="lower right", bbox_to_anchor=(1, 1), ncol=len(labels), borderpad=0)
        return ax.figure


def scatter_plot(
    x: ArrayLike,
    y: ArrayLike,
    *,
    names: tuple[str, str] = ("x", "y"),
    values: Optional[ArrayLike] = None,
    value_name: str = "",
    ax: Any = None,
    width: Width = "single",
    height: Optional[float] = None,
) -> Any:
    """One dot per member, e.g. final states; `values` determine their colors, with a color bar."""
    across, up = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if across.shape != up.shape or across.ndim != 1:
        raise ValueError(f"x and y must be two lists of equal length, not {across.shape} and {up.shape}")
    with style():
        figure, ax = _axes(ax, width, height or 0.8 * inches(width))
        size = float(np.clip(4000 / max(len(across), 1), 0.3, 8))
        look: dict[str, Any] = {"s": size, "linewidths": 0, "rasterized": len(across) > POINTS}
        if values is None:
            ax.scatter(across, up, color=COLOURS[0], **look)
        else:
            dots = ax.scatter(across, up, c=np.asarray(values, dtype=float), cmap="viridis", **look)
            bar = ax.figure.colorbar(dots, ax=ax, pad=0.02, aspect=30)
            bar.outline.set_linewidth(0.5)
            bar.set_label(label_of(value_name) if value_name else "")
        ax.margins(0.04)
        ax.set_xlabel(label_of(names[0]))
        ax.set_ylabel(label_of(names[1]))
        return ax.figure


def histogram_plot(
    values: ArrayLike,
    *,
    name: str = "q",
    bins: int = 40,
    ax: Any = None,
    width: Width = "single",
    height: Optional[float] = None,
) -> Any:
    """Histogram of values, e.g. the energy errors of an ensemble."""
    found = np.asarray(values, dtype=float)
    found = found[np.isfinite(found)]
    if not len(found):
        raise ValueError("there are no finite values to count")
    with style():
        figure, ax = _axes(ax, width, height or 0.66 * inches(width))
        ax.hist(found, bins=bins, color=COLOURS[0], edgecolor="white", linewidth=0.3)
        power = int(np.floor(np.log10(np.max(np.abs(found))))) if np.any(found) else 0
        if not -2 <= power < 4:
            ax.xaxis.set_major_formatter(fixed_power(power))
            ax.xaxis.offsetText.set_visible(False)
            ax.set_xlabel(with_power(label_of(name), power))
        else:
            ax.set_xlabel(label_of(name))
        ax.set_ylabel("number of members")
        return ax.figure


def _axes(ax: Any, width: Width, height: float) -> tuple[Any, Any]:
    if ax is not None:
        return ax.figure, ax
    figure = new_figure(width, height)
    return figure, figure.add_subplot()


def _one_of(name: str, given: str, known: Mapping[str, str]) -> None:
    if given not in known:
        raise ValueError(f"{name}={given!r}: choose " + " or ".join(repr(choice) for choice in known))


def ensemble_plot(
    ensemble: Any, what: Any = None, *, ax: Any = None, width: Width = "single", height: Optional[float] = None
) -> Any:
    """Statistics of an ensemble over time, or final states.

    what  None: the first coordinates and the energy error. A channel, or a list of channels: bands of quantiles.
          A pair of names, ("x", "p_x"): one dot per member. Names are those of ensemble.to_dataframe(): varied
          quantities, and final values.
    """
    channels, what = list(ensemble.channels), as_names(what)
    if isinstance(what, tuple) and len(what) == 2:
        table = _ends_of_trajectories(ensemble)
        for name in what:
            if name not in table:
                raise unknown(name, list(table))
        return scatter_plot(table[what[0]], table[what[1]], names=(what[0], what[1]), ax=ax, width=width, height=height)
    shown = default_channels(channels) if what is None else [what] if isinstance(what, str) else list(what)
    for name in shown:
        if name not in channels:
            raise unknown(name, channels)
    if not shown:
        raise ValueError("what=[] names no channel; omit it for the default channels")
    with style():
        if ax is None:
            figure = new_figure(width, height or 0.2 + (0.42 if len(shown) > 1 else 0.66) * len(shown) * inches(width))
            given = [figure.add_subplot(len(shown), 1, k + 1) for k in range(len(shown))]
        else:
            given = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(given) != len(shown):
            raise ValueError(f"{len(shown)} channels need {len(shown)} axes, but ax contains {len(given)}")
        for k, (name, axis) in enumerate(zip(shown, given)):
            columns = [ensemble.quantile(percent, name) for percent in ensemble.percents]
            band_plot(ensemble.times, np.column_stack(columns), ensemble.percents, name=name, ax=axis)
            if ax is None and k:
                axis.get_legend().remove()
            if ax is None and k < len(shown) - 1:
                axis.set_xlabel("")
                axis.tick_params(labelbottom=False)
        return given[0].figure


def default_channels(channels: Sequence[str]) -> list[str]:
    """The first coordinates, and the energy error."""
    others = [name for name in channels if name != "energy_error"]
    return others[:3] + [name for name in channels if name == "energy_error"]


def _ends_of_trajectories(ensemble: Any) -> dict[str, Any]:
    table: dict[str, Any] = dict(ensemble.varied)
    for prefix, array in (("", ensemble.q), ("p_", ensemble.p)):
        for k, name in enumerate(ensemble.model.coordinates):
            key = prefix + name
            table[f"{key}_end" if key in table else key] = array[:, k]
    for name in OUTCOMES:
        table.setdefault(name, getattr(ensemble, name))
    return table
