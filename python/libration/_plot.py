"""`run.plot()`: figures of a run, ready for publication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ._figures import band_plot, comparison_plot, ensemble_plot, histogram_plot, scatter_plot
from ._panels import CurvePanel, PathPanel, TimePanel, path_panel
from ._quantities import GROUPS, Quantities, as_names, label_of, multiplier_names, unknown
from ._style import Width, inches, new_figure, style, typeset

__all__ = ["band_plot", "comparison_plot", "ensemble_plot", "histogram_plot", "plot", "scatter_plot"]

What = Union[None, str, Sequence[Union[str, Sequence[str]]]]
Panel = Union[TimePanel, CurvePanel, PathPanel]

EPSILON = float(np.finfo(float).eps)


def plot(
    run: Any,
    what: What = None,
    *,
    ax: Any = None,
    width: Optional[Width] = None,
    height: Optional[float] = None,
    title: Union[bool, str] = False,
    letters: bool = True,
) -> Any:
    """Implementation of run.plot."""
    panels = panels_of(run, what)
    with style():
        if ax is not None:
            return _into_axes(panels, ax)
        if width is None:
            width = "single" if len(panels) == 1 else "double"
        figure, axes, order = _laid_out(panels, width, height)
        for panel, axis in zip(panels, axes):
            panel.draw(axis)
        _share_time(panels, axes)
        if letters and len(panels) > 1:
            for letter, k in zip("abcdefghijklmnopqrstuvwxyz", order):
                axes[k].set_title(f"({letter})", loc="left")
        if title:
            figure.suptitle(title if isinstance(title, str) else _title(run))
        return figure


def panels_of(run: Any, what: What) -> list[Panel]:
    """The panels that `what` names."""
    quantities = Quantities(run)
    what = as_names(what)
    if what is None:
        return _default_panels(run, quantities)
    if isinstance(what, str):
        return [_panel(run, quantities, what)]
    items = list(what)
    if not items:
        raise ValueError("what=[] names no panel; omit it for the default figure")
    if isinstance(what, tuple) and _is_curve(items, quantities):
        return [_curve(quantities, items)]
    return [_panel(run, quantities, i) if isinstance(i, str) else _curve(quantities, list(i)) for i in items]


def _is_curve(items: Sequence[Any], quantities: Quantities) -> bool:
    if len(items) not in (2, 3) or not all(isinstance(item, str) for item in items):
        return False
    return not any(item in GROUPS and item not in quantities for item in items)


def _curve(quantities: Quantities, names: Sequence[Any]) -> Panel:
    if len(names) not in (2, 3):
        raise ValueError(f"a curve needs two or three names, ('x', 'p_x') or ('x', 'y', 'z'), not {len(names)}")
    return CurvePanel(quantities, tuple(quantities.required(name) for name in names))


def _panel(run: Any, quantities: Quantities, name: str) -> Panel:
    if name in quantities:  # a coordinate that is called q, too, is meant by "q"
        line = (label_of(name), quantities[name])
        return TimePanel(run.t, [line], label_of(name), zero=name == "energy_error", ended=_ended(run))
    if name == "path":
        panel = path_panel(run)
        if panel is None:
            first = run.model.coordinates[0]
            raise ValueError(
                f"the model '{run.model.name}' has no points in the plane or in space, so there is no path to plot; "
                f"give a pair or triple of names, such as {(first, f'p_{first}')}"
            )
        return panel
    if name == "energy":
        return _energy(run)
    if name == "residuals":
        return _residuals(run)
    if name == "invariants":
        changes = [(f"{typeset(key)}", values - values[0]) for key, values in run.invariants.items()]
        return _group(run, changes, "change of invariants", "invariants", zero=True)
    if name == "observables":
        return _group(run, [(typeset(key), values) for key, values in run.observables.items()], "observables", name)
    if name in GROUPS:
        prefix = {"q": "", "p": "p_", "v": "v_"}
        names = multiplier_names(run) if name == "lam" else [prefix[name] + key for key in run.model.coordinates]
        symbol = r"$\lambda$" if name == "lam" else f"${name}$"
        return _group(run, [(typeset(key), quantities[key]) for key in names], symbol, name)
    raise unknown(name, [*GROUPS, *quantities])


def _group(run: Any, lines: list[Any], ylabel: str, name: str, zero: bool = False) -> TimePanel:
    if not lines:
        kind = {"lam": "constraints and hence no multipliers"}.get(name, name)
        raise ValueError(f"the model '{run.model.name}' has no {kind}")
    if len(lines) == 1:
        ylabel = lines[0][0] if not zero else f"change of {lines[0][0]}"
    return TimePanel(run.t, lines, ylabel, zero=zero, ended=_ended(run))


def _energy(run: Any) -> TimePanel:
    if not _has_energy(run):
        raise ValueError(f"the model '{run.model.name}' is a field without an energy; plot 'q' or 'observables'")
    if _conserved(run):
        return TimePanel(run.t, [("$H - H_0$", run.energy_error)], "$H - H_0$", zero=True, ended=_ended(run))
    return TimePanel(run.t, [("$H$", run.energy)], "$H$", ended=_ended(run))


def _residuals(run: Any) -> TimePanel:
    if not len(run.model.multipliers):
        raise ValueError(f"the model '{run.model.name}' has no constraints and hence no residuals")
    lines = [(r"$|g|$", np.abs(run.residuals.constraint)), (r"$|G\,v|$", np.abs(run.residuals.hidden))]
    if not np.any(lines[0][1] > 0) and np.any(lines[1][1] > 0):
        lines = lines[1:]
    # The round-off of a constraint depends on the size of its terms, which differs from row to row and is not recorded:
    # only the machine's epsilon is certain.
    return TimePanel(run.t, lines, "residuals", logarithmic=True, crests=True, level=EPSILON, ended=_ended(run))


def _conserved(run: Any) -> bool:
    return bool(run.summary.get("energy", {}).get("conserved", True))


def _has_energy(run: Any) -> bool:
    return bool(np.any(np.isfinite(run.energy))) and (_conserved(run) or bool(np.any(run.energy)))


def _ended(run: Any) -> str:
    return "" if run.status == "completed" else str(run.status)


def _default_panels(run: Any, quantities: Quantities) -> list[Panel]:
    coordinates = [(typeset(key), quantities[key]) for key in run.model.coordinates]
    panels: list[Panel] = [path_panel(run) or _group(run, coordinates, "$q$", "q")]
    if _has_energy(run):
        panels.append(_energy(run))
    if len(run.model.multipliers):
        panels.append(_residuals(run))
    if len(panels) == 1 and run.invariants:
        panels.append(_panel(run, quantities, "invariants"))
    return panels


def _laid_out(panels: Sequence[Panel], width: Width, height: Optional[float]) -> tuple[Any, list[Any], list[int]]:
    """Shapes on the left, curves over time on the right; in one column one below the other. Last: reading order."""
    shapes = [k for k, panel in enumerate(panels) if not isinstance(panel, TimePanel)]
    times = [k for k, panel in enumerate(panels) if isinstance(panel, TimePanel)]
    wide = inches(width) >= 5
    if wide and shapes and times:
        columns = [shapes, times]
    elif wide and shapes and len(shapes) > 1:
        count = min(3, len(shapes))
        columns = [shapes[k::count] for k in range(count)]
    else:
        columns = [sorted(shapes + times)]
    share = inches(width) / len(columns)
    tall = {k: min(0.85 * share, 3.2) if k in shapes else (1.45 if len(times) > 1 else 2.1) for k in range(len(panels))}
    if height is None:
        height = max(sum(tall[k] for k in column) for column in columns)
    figure = new_figure(width, height)
    grid = figure.add_gridspec(1, len(columns), width_ratios=[1.0 if c is shapes else 1.15 for c in columns])
    places: dict[int, Any] = {}
    order = sorted(shapes) if len(columns) > 1 and not times else [k for column in columns for k in column]
    for place, column in enumerate(columns):
        inner = grid[0, place].subgridspec(len(column), 1, height_ratios=[tall[k] for k in column])
        places.update({k: inner[row, 0] for row, k in enumerate(column)})
    kinds = ["3d" if panel.dimension == 3 else None for panel in panels]
    return figure, [figure.add_subplot(places[k], projection=kind) for k, kind in enumerate(kinds)], order


def _share_time(panels: Sequence[Panel], axes: Sequence[Any]) -> None:
    """Panels over time that stand below each other have one time axis, labelled once."""
    times = [axis for panel, axis in zip(panels, axes) if isinstance(panel, TimePanel)]
    for upper, lower in zip(times, times[1:]):
        if upper.get_subplotspec().get_gridspec() is lower.get_subplotspec().get_gridspec():
            upper.sharex(lower)
            upper.tick_params(labelbottom=False)
            upper.set_xlabel("")


def _into_axes(panels: Sequence[Panel], ax: Any) -> Any:
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    count = len(panels)
    if len(given) != count:
        raise ValueError(f"{count} panels need {count} axes, but ax contains {len(given)}; what= selects the panels")
    for panel, axis in zip(panels, given):
        if (panel.dimension == 3) != hasattr(axis, "get_zlim"):
            needed = "subplot_kw={'projection': '3d'}" if panel.dimension == 3 else "plain axes"
            raise ValueError(f"a panel in {panel.dimension} dimensions needs other axes; create them with {needed}")
        panel.draw(axis)
    return given[0].figure


def _title(run: Any) -> str:
    name = str(run.model.name).replace("_", r"\_")
    return f"{name}, {run.method}, $h = {run.step:g}$, {run.steps} steps"
