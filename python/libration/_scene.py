"""The contents of an animation: points, rods, bodies, or a point on its curve; each can draw itself at a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Protocol

import numpy as np
from numpy.typing import NDArray

from ._linkage import Linkage
from ._mechanism import Mechanism, mechanism_of
from ._panels import MANY, dots, equal_axes, label_axes, line_colours, rods_and_pivots
from ._space import Link, Space, body_sides, ends_of, pivots_of
from ._style import COLOURS, GUIDE, INK

Floats = NDArray[np.float64]

# Quads of a box by corner numbers; corner k has the signs of its three bits.
FACES = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])
NORMALS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=float)
CORNERS = np.array([[(k >> 2) & 1, (k >> 1) & 1, k & 1] for k in range(8)], dtype=float) * 2 - 1
LIGHT = np.array([0.35, -0.55, 0.75])


class Actor(Protocol):
    """Something that moves: its artists, and how they are set to a frame."""

    artists: list[Any]

    def show(self, frame: int) -> None: ...


class Trail:
    """The last part of a path, fading into the past; finer than the frames, so that it bends smoothly."""

    def __init__(self, ax: Any, path: Floats, colour: Any, length: int, finer: int, width: float = 1.2) -> None:
        from matplotlib.collections import LineCollection
        from matplotlib.colors import to_rgba
        from mpl_toolkits.mplot3d.art3d import Line3DCollection

        self._path, self._length, self._finer = path, length, finer
        kind = LineCollection if path.shape[1] == 2 else Line3DCollection
        self._colour = np.array(to_rgba(colour))
        self._lines = kind([path[:2]], linewidths=width, capstyle="butt", animated=True, zorder=2)
        ax.add_collection(self._lines)
        self.artists = [self._lines]

    def show(self, frame: int) -> None:
        """The part behind the frame."""
        last = frame * self._finer + 1
        piece = self._path[max(0, last - self._length - 1) : last]
        count = max(len(piece) - 1, 0)
        colours = np.tile(self._colour, (count, 1))
        colours[:, 3] = np.linspace(1, 0, self._length, endpoint=False)[::-1][self._length - count :] ** 1.5 * 0.9
        self._lines.set_segments(np.stack([piece[:-1], piece[1:]], axis=1) if count else [])
        self._lines.set_color(colours)


class Dots:
    """Points at their places."""

    def __init__(self, ax: Any, where: Floats, colours: Sequence[Any]) -> None:
        self.where = where
        size = 6.0 if where.shape[1] <= MANY else 4.0
        self._dots = dots(ax, where[0], colours, size, edgecolors="white", linewidths=0.6, animated=True)
        self.artists = [self._dots]

    def show(self, frame: int) -> None:
        """Move them."""
        if self.where.shape[2] == 3:
            self._dots._offsets3d = tuple(self.where[frame].T)
        else:
            self._dots.set_offsets(self.where[frame])


class Rods:
    """Lines between points, and between points and pivots."""

    def __init__(self, ax: Any, where: Floats, links: Sequence[Link]) -> None:
        self.ends, self.pivots = ends_of(links, where), pivots_of(links, len(where))
        width = 1.5 if where.shape[1] <= MANY else 1.0
        look = {"linewidth": width, "markersize": 4, "animated": True}
        self.artists = rods_and_pivots(ax, self.ends[0], self.pivots[0], **look)

    def show(self, frame: int) -> None:
        """Move them."""
        self.artists[0].set_segments(self.ends[frame])
        if len(self.artists) > 1:
            place_line(self.artists[1], self.pivots[frame])


class Box:
    """A rigid body: a shaded box with the second moments of the body, and its axes."""

    def __init__(self, ax: Any, centre: Floats, rotation: Floats, sides: Floats, colour: Any) -> None:
        from matplotlib.colors import to_rgb
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        self._centre, self._rotation, self._sides = centre, rotation, sides
        self._base = np.array(to_rgb(colour))
        self._box = Poly3DCollection(self._quads(0), linewidths=0.5, edgecolors="white", animated=True)
        ax.add_collection3d(self._box)
        reach = 1.35 * sides
        self._tips = centre[:, :, None] + rotation * reach
        looks = [{"color": colour, "linewidth": width} for colour, width in ((GUIDE, 0.8), (GUIDE, 0.8), (INK, 1.3))]
        self._axes = [ax.plot(*np.zeros((3, 2)), animated=True, **look)[0] for look in looks]
        self._eye = _towards_eye(ax)
        self.artists: list[Any] = []

    def _quads(self, frame: int) -> Floats:
        corners = self._centre[frame] + (CORNERS * self._sides) @ self._rotation[frame].T
        quads: Floats = corners[FACES]
        return quads

    def show(self, frame: int) -> None:
        """Turn and move it; faces towards the light are brighter."""
        self._box.set_verts(self._quads(frame))
        normals = NORMALS @ self._rotation[frame].T
        light = 0.5 + 0.5 * (normals @ (LIGHT / np.linalg.norm(LIGHT)))
        shade = (0.35 + 0.65 * light)[:, None]
        self._box.set_facecolor(np.clip(self._base * shade + (1 - self._base) * 0.35 * shade, 0, 1))
        towards = self._eye @ self._rotation[frame]
        behind = [line for line, side in zip(self._axes, towards) if side < 0]
        before = [line for line, side in zip(self._axes, towards) if side >= 0]
        for order, artist in enumerate([*behind, self._box, *before]):
            artist.set_zorder(3 + order)
        self.artists = [*behind, self._box, *before]
        for k, line in enumerate(self._axes):
            inside = self._centre[frame] + self._rotation[frame][:, k] * self._sides[k]
            place_line(line, np.stack([inside, self._tips[frame][:, k]]))


class Square:
    """A rigid body in the plane: a square with the moment of inertia of the body, and a line along its x axis."""

    def __init__(self, ax: Any, centre: Floats, rotation: Floats, sides: Floats, colour: Any) -> None:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sides[:2]
        self.corners = centre[:, None, :2] + corners @ rotation[:, :2, :2].transpose(0, 2, 1)
        self._ends = np.stack([centre[:, :2], centre[:, :2] + rotation[:, :2, 0] * (1.35 * sides[0])], axis=1)
        look = {"facecolor": colour, "edgecolor": INK, "alpha": 0.5, "zorder": 3}
        (self._square,) = ax.fill(*self.corners[0].T, animated=True, **look)
        (self._axis,) = ax.plot(*self._ends[0].T, color=INK, linewidth=1.3, animated=True, zorder=4)
        self.artists = [self._square, self._axis]

    def show(self, frame: int) -> None:
        """Turn and move it."""
        self._square.set_xy(self.corners[frame])
        place_line(self._axis, self._ends[frame])


def _towards_eye(ax: Any) -> Floats:
    height, direction = np.radians([ax.elev, ax.azim])
    return np.array([np.cos(height) * np.cos(direction), np.cos(height) * np.sin(direction), np.sin(height)])


def place_line(line: Any, points: Floats) -> None:
    """Set the places of a line in the plane or in space."""
    if points.shape[1] == 3:
        line.set_data_3d(*points.T)
    else:
        line.set_data(*points.T)


def spatial_actors(
    ax: Any, run: Any, space: Space, q: Floats, links: Sequence[Link], trail: int, finer: int
) -> list[Actor]:
    """Trails, rods, points, bodies and joints; q holds `finer` states a frame."""
    fine = space.positions(q)
    where = fine[::finer]
    colours = line_colours(len(space.points) + len(space.bodies))
    reach: list[Floats] = [fine.reshape(-1, len(space.axes))]
    reach += [np.asarray(b) for _, b in links if not isinstance(b, int)]
    actors: list[Actor] = []
    crowd = len(space.points) > MANY
    if trail:
        followed = [len(space.points) - 1] if crowd else range(len(space.points))
        actors += [Trail(ax, fine[:, k], colours[k], trail, finer) for k in followed]
    if links:
        actors.append(Rods(ax, where, links))
    mechanism = mechanism_of(run.model, space, q)
    drawn = () if mechanism is None else (*mechanism.outlines, *mechanism.rings)
    for number, colour in enumerate(colours[len(space.points) :]):
        if number not in drawn:
            actors += _body_actors(ax, run, space, q, number, colour, trail, finer, reach)
    if mechanism is not None:
        actors += _mechanism_actors(ax, mechanism, colours[len(space.points) :], trail, finer, reach)
    if space.points:
        actors.append(Dots(ax, where, colours[: len(space.points)]))
    everything = np.concatenate(reach)
    _show_range(ax, everything[np.all(np.isfinite(everything), axis=1)])
    label_axes(ax, [f"${name}$" for name in space.labels])
    equal_axes(ax)
    return actors


def _body_actors(
    ax: Any, run: Any, space: Space, q: Floats, number: int, colour: Any, trail: int, finer: int, reach: list[Floats]
) -> list[Actor]:
    """A body that no joint holds, or whose joints are all at one point: a box, a square in the plane."""
    body, size = space.bodies[number], len(space.axes)
    sides = body_sides(run.model, number)
    centre, rotation = space.frames(q, body)
    tips = centre + rotation[:, :, 2] * (1.35 * sides[2])
    path = (tips if body.centre is None else centre)[:, :size]
    actors: list[Actor] = [Trail(ax, path, COLOURS[1], trail, finer)] if trail else []
    kind: Any = Box if size == 3 else Square
    actors.append(kind(ax, centre[::finer], rotation[::finer], sides, colour))
    margin = 1.35 * float(np.max(sides))
    reach += [centre[:, :size] - margin, centre[:, :size] + margin]
    return actors


def _mechanism_actors(
    ax: Any, mechanism: Mechanism, colours: Sequence[Any], trail: int, finer: int, reach: list[Floats]
) -> list[Actor]:
    """Trails of named points or centers, links and joints."""
    corners = mechanism.corners()
    reach.append(corners.reshape(-1, corners.shape[2]))
    actors: list[Actor] = []
    for number in {*mechanism.outlines, *mechanism.rings} if trail else ():
        places = mechanism.followed[number]
        moving = [k for k in range(places.shape[1]) if np.any(np.ptp(places[:, k], axis=0) > 0)]
        actors += [Trail(ax, places[:, k], colours[number], trail, finer) for k in moving]
    size = float(np.max(np.ptp(np.concatenate(reach), axis=0)))
    return [*actors, Linkage(ax, mechanism.at(slice(None, None, finer)), colours, size, animated=True)]


def _show_range(ax: Any, places: Floats) -> None:
    low, high = places.min(axis=0), places.max(axis=0)
    if places.shape[1] == 3:
        ax.auto_scale_xyz(*np.stack([low, high]).T, had_data=False)
    else:
        ax.dataLim.set_points(np.stack([low, high]))
        ax.dataLim._points_are_data = True
        ax.ignore_existing_data_limits = False


def phase_actors(ax: Any, curve: Floats, states: Floats, labels: Sequence[str], trail: int, finer: int) -> list[Actor]:
    """The whole curve, pale, and a point that runs along it."""
    ax.plot(*curve.T, color="#d5dae0", linewidth=0.6, zorder=1)
    label_axes(ax, labels)
    ax.margins(0.06)
    actors: list[Actor] = [Trail(ax, states, COLOURS[0], trail, finer)] if trail else []
    actors.append(Dots(ax, states[::finer][:, None, :], [COLOURS[0]]))
    return actors


def easy_span(paths: Floats, t: Floats, frames: int, share: float = 0.05) -> Optional[float]:
    """How much time the frames can show before things jump: no more than a share of the picture a frame in the mean."""
    extent = float(np.max(np.nanmax(paths, axis=(0, 1)) - np.nanmin(paths, axis=(0, 1))))
    steps = np.linalg.norm(np.diff(paths, axis=0), axis=2)
    length = float(np.max(np.nansum(steps, axis=0)))
    if extent == 0 or length == 0:
        return None
    return share * extent * frames / (length / abs(float(t[-1] - t[0])))
