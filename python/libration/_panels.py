"""The panels of figures: how one panel is drawn into axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._linkage import Linkage
from ._mechanism import Mechanism, mechanism_of
from ._quantities import Floats, Quantities
from ._space import Space, ends_of, links_of, pivots_of, space_of
from ._style import ALARM, COLOURS, GUIDE, INK, PALE, typeset
from ._thinning import crests, envelope, same_path

MANY = 7  # lines: from there on colours run along a scale, and there is no legend
PATHS = 60  # of a crowd of points no more are drawn
CRESTS = 250  # places of a line along crests
RASTER = 20000  # points from which a line inside a vector file is a picture


def with_power(label: str, power: int) -> str:
    """The label of an axis whose numbers are in units of ten to a power."""
    factor = f"10^{{{-power}}}"
    if not label.startswith("$"):
        return rf"${factor}\times$ {label}"
    symbol = label.strip("$")
    return rf"${factor}\,({symbol})$" if " - " in symbol else rf"${factor}\,{symbol}$"


def fixed_power(power: int) -> Any:
    """Tick labels in units of ten to a power that the axis label names."""
    from matplotlib.ticker import ScalarFormatter

    class FixedPower(ScalarFormatter):  # type: ignore[misc]
        def _set_order_of_magnitude(self) -> None:
            self.orderOfMagnitude = power

    return FixedPower(useOffset=False, useMathText=True)


def line_colours(count: int) -> list[Any]:
    """The palette for a few lines, a scale from dark to light for many."""
    if count <= MANY:
        return list(COLOURS[:count])
    import matplotlib

    return list(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.9, count)))


@dataclass
class TimePanel:
    """Quantities over time."""

    t: Floats
    lines: list[tuple[str, Floats]]  # label, values
    ylabel: str
    logarithmic: bool = False
    level: Optional[float] = None  # machine epsilon, to compare with
    zero: bool = False  # a thin line at zero
    crests: bool = False  # of long runs draw the largest values, and all others pale behind
    ended: str = ""  # why the run ended early
    dimension = 2
    height = 1.0

    def draw(self, ax: Any) -> None:
        """Draw into the axes; existing contents are kept."""
        if self.zero:
            ax.axhline(0, color=PALE, linewidth=0.5, zorder=0.5)
        few = len(self.lines) <= MANY
        for (label, values), colour in zip(self.lines, line_colours(len(self.lines))):
            look = {"color": colour, "linewidth": 0.9 if few else 0.6, "label": label if few else None}
            t, y = envelope(self.t, values, logarithmic=self.logarithmic)
            if self.crests and len(self.t) > 4 * CRESTS:
                # Noise that falls to zero again and again: a line along the crests can be read.
                ax.plot(t, y, color=colour, linewidth=0.4, alpha=0.25, zorder=1)
                t, y = crests(self.t, values, CRESTS)
            ax.plot(t, y, **look)
        if self.logarithmic:
            self._scale_logarithmically(ax)
        if self.ended:
            ax.axvline(self.t[-1], color=ALARM, linewidth=0.8, linestyle=(0, (4, 2)))
            ax.annotate(self.ended, (1, 1), xycoords="axes fraction", xytext=(-3, -3), textcoords="offset points",
                        ha="right", va="top", color=ALARM, fontsize="small")
        ax.set_xlabel("$t$")
        ax.set_ylabel(self.ylabel)
        if not self.logarithmic:
            self._power_into_label(ax)
        self._show_legend(ax)

    def _power_into_label(self, ax: Any) -> None:
        """No power of ten above the axis, where letters and legends are: it goes into the label."""
        largest = max((float(np.max(np.abs(y[np.isfinite(y)]), initial=0)) for _, y in self.lines), default=0.0)
        if largest == 0 or 1e-2 <= largest < 1e4:
            return
        power = int(np.floor(np.log10(largest)))
        ax.set_ylabel(with_power(self.ylabel, power))
        ax.yaxis.set_major_formatter(fixed_power(power))
        ax.yaxis.offsetText.set_visible(False)

    def _scale_logarithmically(self, ax: Any) -> None:
        positive = [y[np.isfinite(y) & (y > 0)] for _, y in self.lines]
        positive = [y for y in positive if len(y)]
        low = min((float(np.min(y)) for y in positive), default=1e-16)
        high = max((float(np.max(y)) for y in positive), default=1e-15)
        if positive:
            # Residuals pass through zero; what is far below the others says no more than zero. In long runs most of
            # them may be that small, so that the crests are what counts.
            low = max(low, min(float(np.median(self._crests(y))) for y in positive) / 1000)
        ax.set_ylim(low / 2, high * 4)  # first: without positive data a logarithmic axis finds no ends by itself
        ax.set_yscale("log", nonpositive="clip")
        if self.level and low / 2 <= self.level <= high * 4:
            look = {"color": GUIDE, "linewidth": 0.5, "linestyle": (0, (5, 3))}
            ax.axhline(self.level, label="machine epsilon", zorder=3, **look)

    def _crests(self, values: Floats) -> Floats:
        return crests(values, values, CRESTS)[1] if self.crests and len(values) > 4 * CRESTS else values

    def _show_legend(self, ax: Any) -> None:
        handles, labels = ax.get_legend_handles_labels()
        if len(labels) > 1:
            ax.legend(handles, labels, loc="lower right", bbox_to_anchor=(1, 1), ncol=len(labels), borderpad=0)


@dataclass
class CurvePanel:
    """One quantity against another, or three in space."""

    quantities: Quantities
    names: tuple[str, ...]
    height = 2.0

    @property
    def dimension(self) -> int:
        return len(self.names)

    def draw(self, ax: Any) -> None:
        """Draw into the axes: the curve, and where it starts and ends."""
        points = np.column_stack([self.quantities[name] for name in self.names])
        draw_path(ax, points, COLOURS[0])
        draw_ends(ax, points, COLOURS[0])
        label_axes(ax, [typeset(name) for name in self.names])
        ax.margins(0.05)


@dataclass
class PathPanel:
    """The paths of points and bodies, with the final position of the mechanism."""

    run: Any
    space: Space
    height = 2.0

    @property
    def dimension(self) -> int:
        return len(self.space.axes)

    def draw(self, ax: Any) -> None:
        """Draw into the axes: paths, rods and points at the end, open circles at the start."""
        q = np.asarray(self.run.q, dtype=float)
        where = self.space.positions(q)
        colours = line_colours(len(self.space.points) + len(self.space.bodies))
        crowd = len(colours) > MANY
        every = max(1, len(self.space.points) // PATHS)
        for number in range(len(self.space.points) - 1, -1, -every):
            draw_path(ax, where[:, number], colours[number], linewidth=0.35 if crowd else 0.6)
        mechanism = mechanism_of(self.run.model, self.space, q)
        for number, (body, colour) in enumerate(zip(self.space.bodies, colours[len(self.space.points) :])):
            if mechanism is None or number not in mechanism.followed:
                self._draw_body(ax, q, body, colour)
        if mechanism is not None:
            self._draw_mechanism(ax, mechanism, colours[len(self.space.points) :])
        links = links_of(self.run.model, self.space, self.run.t[-1:], q[-1:])
        if links:
            rods_and_pivots(ax, ends_of(links, where[-1:])[0], pivots_of(links, 1)[0], linewidth=1.0, markersize=3)
        if crowd and self.space.points:
            dots(ax, where[-1], colours[: len(self.space.points)], size=2.5)
        else:
            for number in range(len(self.space.points)):
                draw_ends(ax, where[:, number], colours[number])
        label_axes(ax, [f"${name}$" for name in self.space.labels])
        equal_axes(ax)

    def _draw_mechanism(self, ax: Any, mechanism: Mechanism, colours: Sequence[Any]) -> None:
        """Paths of named points or centers, and the mechanism at the end."""
        for number, places in mechanism.followed.items():
            for k in range(places.shape[1]):
                if np.any(np.ptp(places[:, k], axis=0)):
                    draw_path(ax, places[:, k], colours[number])
        corners = mechanism.corners()
        size = float(np.max(np.ptp(corners.reshape(-1, corners.shape[2]), axis=0)))
        Linkage(ax, mechanism.at(slice(-1, None)), colours, size, linewidth=2.0)

    def _draw_body(self, ax: Any, q: Floats, body: Any, colour: Any) -> None:
        centre, rotation = (part[:, : self.dimension] for part in self.space.frames(q, body))
        path = rotation[:, :, 2] if body.centre is None else centre
        draw_path(ax, path, colour, linewidth=0.6)
        draw_ends(ax, path, colour)
        size = 1.0 if body.centre is None else 0.5 * float(np.max(np.ptp(centre, axis=0)) or 1)
        for k in range(self.dimension):
            axis = np.array([centre[-1], centre[-1] + size * rotation[-1, :, k]])
            ax.plot(*axis.T, color=INK if k == 2 else GUIDE, linewidth=1.1 if k == 2 else 0.7)


def rods_and_pivots(
    ax: Any, ends: Floats, pivots: Floats, *, linewidth: float, markersize: float, **look: Any
) -> list[Any]:
    """Rods [rod][end][axis] as one artist, and the places where they are fastened as another one."""
    from matplotlib.collections import LineCollection
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    kind = LineCollection if ends.shape[2] == 2 else Line3DCollection
    artists = [ax.add_collection(kind(ends, colors=INK, linewidths=linewidth, capstyle="round", zorder=4, **look))]
    if len(pivots):
        artists += ax.plot(*pivots.T, marker="o", markersize=markersize, color="white", markeredgecolor=INK,
                           markeredgewidth=0.8, linestyle="none", zorder=5, **look)
    return artists


def dots(ax: Any, where: Floats, colours: Sequence[Any], size: float, **look: Any) -> Any:
    """Points [point][axis] with a colour each, as one artist."""
    flat = {} if where.shape[1] == 2 else {"depthshade": False}
    return ax.scatter(*where.T, s=size**2, c=list(colours), zorder=6, **flat, **look)


def draw_path(ax: Any, points: Floats, colour: Any, linewidth: float = 0.6) -> None:
    """A path in the plane or in space; a very long one becomes a picture inside vector files."""
    thin = same_path(points)
    look: dict[str, Any] = {"color": colour, "linewidth": linewidth}
    if len(thin) > RASTER:
        look.update(linewidth=0.7 * linewidth, rasterized=True)
    ax.plot(*thin.T, **look)


def draw_ends(ax: Any, points: Floats, colour: Any, size: float = 3.5, start: bool = True) -> None:
    """An open circle where a path starts, a full one where it ends."""
    if start:
        ax.plot(*points[:1].T, marker="o", markersize=size, color="white", markeredgecolor=colour,
                markeredgewidth=0.8, linestyle="none", zorder=5)
    ax.plot(*points[-1:].T, marker="o", markersize=size, color=colour, linestyle="none", zorder=6)


def label_axes(ax: Any, labels: Sequence[str]) -> None:
    """Labels of two or three axes; space gets pale walls."""
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    if len(labels) == 3:
        ax.set_zlabel(labels[2])
        for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
            axis.set_pane_color((0.97, 0.975, 0.98, 1.0))
            axis._axinfo["grid"].update(color="#dfe3e8", linewidth=0.4)
            axis._axinfo["tick"].update(inward_factor=0.15, outward_factor=0.0)
            axis.set_major_locator(_few_ticks())
            axis.labelpad = -7
        ax.tick_params(pad=-3)
        ax.zaxis.set_rotate_label(False)
        ax.zaxis.label.set_rotation(0)
        ax.zaxis.labelpad = -4


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=4, steps=[1, 2, 5, 10])


def equal_axes(ax: Any, margin: float = 0.06) -> None:
    """Equal units on all axes, with a margin."""
    names = "xyz" if hasattr(ax, "get_zlim") else "xy"
    data = [getattr(ax, f"{name}axis").get_data_interval() for name in names]
    spans = [high - low for low, high in data]
    largest = max(max(spans), 1e-12)
    sides = []
    for name, (low, high), span in zip(names, data, spans):
        side = max(span, 0.25 * largest) + 2 * margin * largest
        middle = (low + high) / 2
        getattr(ax, f"set_{name}lim")(middle - side / 2, middle + side / 2)
        sides.append(side)
    if len(names) == 3:
        ax.set_box_aspect(sides, zoom=0.92 if max(sides) < 1.5 * min(sides) else 0.82)  # long boxes reach further
    else:
        ax.set_aspect("equal", adjustable="box")


def path_panel(run: Any) -> Optional[PathPanel]:
    """The path in space; None where the model has no points and no bodies."""
    space = space_of(run.model)
    return PathPanel(run, space) if space.axes else None
