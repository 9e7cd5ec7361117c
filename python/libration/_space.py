"""The spatial part of a run: points, detected from names of coordinates, and rods, detected from constraints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Link = tuple[int, Union[int, Floats]]  # a point, and another one or where its pivot is, [state][axis]

ROUNDED = 1e-8  # what is smaller, compared with what it came from, is round-off


@dataclass(frozen=True)
class Point:
    """One point: its name, and which coordinates are its x, y, z (-1: none, it stays at 0)."""

    name: str
    axes: tuple[int, int, int]


@dataclass(frozen=True)
class RigidBody:
    """A body: its first coordinate of the orientation, and that of the centre's x (None: a point is fixed).

    columns: those of the rotation matrix that are coordinates, row by row; none: the body moves in the plane.
    """

    name: str
    first: int
    centre: Optional[int]
    columns: tuple[int, ...] = (0, 1, 2)

    @property
    def coordinates(self) -> set[int]:
        """The numbers of all its coordinates."""
        size = 3 * len(self.columns) or 1
        centre = range(0) if self.centre is None else range(self.centre, self.centre + (3 if self.columns else 2))
        return {*range(self.first, self.first + size), *centre}

    def matrix(self, values: Floats) -> Floats:
        """The columns that are coordinates, in the places of the matrix, [row][3][3]; zero elsewhere."""
        matrix = np.zeros((len(values), 3, 3))
        width = len(self.columns)
        matrix[:, :, list(self.columns)] = values[:, self.first : self.first + 3 * width].reshape(-1, 3, width)
        return matrix


@dataclass(frozen=True)
class Space:
    """The spatial part of a model."""

    points: tuple[Point, ...] = ()
    bodies: tuple[RigidBody, ...] = ()
    axes: tuple[int, ...] = ()  # those that something moves along: (0, 1) is the x-y plane, (0, 1, 2) is space
    owners: dict[int, int] = field(default_factory=dict)  # coordinate -> point

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the axes."""
        return tuple("xyz"[axis] for axis in self.axes)

    def positions(self, q: Floats) -> Floats:
        """Where the points are: [row][point][axis]."""
        where = np.zeros((len(q), len(self.points), len(self.axes)))
        for k, point in enumerate(self.points):
            for i, axis in enumerate(self.axes):
                if point.axes[axis] >= 0:
                    where[:, k, i] = q[:, point.axes[axis]]
        return where

    def frames(self, q: Floats, body: RigidBody) -> tuple[Floats, Floats]:
        """Centre [row][3] and rotation [row][3][axis of the body], in space."""
        size = 3 if body.columns else 2
        centre = np.zeros((len(q), 3))
        if body.centre is not None:
            centre[:, :size] = q[:, body.centre : body.centre + size]
        return centre, _rotation(q, body)


def _rotation(q: Floats, body: RigidBody) -> Floats:
    if not body.columns:
        cos, sin = np.cos(q[:, body.first]), np.sin(q[:, body.first])
        zero, one = np.zeros(len(q)), np.ones(len(q))
        return np.asarray(np.stack([cos, -sin, zero, sin, cos, zero, zero, zero, one], axis=1).reshape(-1, 3, 3))
    rotation = body.matrix(q)
    if len(body.columns) == 1:  # any direction across will do
        axis = rotation[:, :, body.columns[0]]
        across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis), axis=1)])
        rotation[:, :, (body.columns[0] + 1) % 3] = across / np.linalg.norm(across, axis=1, keepdims=True)
    for k in range(3):
        if not np.any(rotation[:, :, k]):
            rotation[:, :, k] = np.cross(rotation[:, :, (k + 1) % 3], rotation[:, :, (k + 2) % 3])
    return rotation


def space_of(model: Any) -> Space:
    """Points and bodies of a model: those that it declares, and coordinates named like x1, y1 or x_tip, y_tip."""
    names = list(model.coordinates)
    points: list[Point] = []
    taken: set[int] = set()
    for name, count, dimension, first in _declared(model, "points"):
        taken.update(range(first, first + count * dimension))
        if dimension in (2, 3):
            for k in range(count):
                start = first + k * dimension
                axes = (start, start + 1, start + 2 if dimension == 3 else -1)
                points.append(Point(f"{name}[{k}]", axes))
    bodies = tuple(
        RigidBody(name, first, centre, tuple(columns)) for name, first, centre, columns in _declared(model, "bodies")
    )
    for body in bodies:
        taken |= body.coordinates
    points += _named_points([(k, name) for k, name in enumerate(names) if k not in taken])
    used = {axis for point in points for axis in range(3) if point.axes[axis] >= 0}
    for body in bodies:
        used |= {0, 1, 2} if body.columns else {0, 1}
    space_axes = tuple(sorted(used))
    owners = {k: number for number, point in enumerate(points) for k in point.axes if k >= 0}
    return Space(tuple(points), bodies, space_axes, owners)


def _declared(model: Any, what: str) -> Sequence[Any]:
    """Of the model, or of the core's model inside it."""
    for holder in (model, core_of(model)):
        found = getattr(holder, what, None)
        if found is not None:
            return list(found)
    return []


def body_sides(model: Any, number: int) -> Floats:
    """Half the sides of a uniform box with the second moments of a body: I_1 = m (a_2^2 + a_3^2)/3.

    A body with a fixed point has no mass: its longest half side is then 0.8.
    """
    from . import _core

    mass, *moments = _core.body_moments(core_of(model))[number]
    body = space_of(model).bodies[number]
    if not body.columns:  # a square plate: half of its moment of inertia belongs to each side
        moments = [moments[0] / 2, moments[0] / 2, 0.0]
    sides = np.sqrt(np.maximum(moments, 0))
    sides = np.maximum(sides, 0.02 * np.max(sides))  # of flat and slender bodies, to be seen
    if body.centre is None:
        return np.asarray(0.8 * sides / max(float(np.max(sides)), 1e-300))
    return np.asarray(np.sqrt(3 / mass) * sides)


def body_radius(model: Any, number: int) -> float:
    """How far its mass is from its center, in the mean."""
    return float(np.linalg.norm(body_sides(model, number)) / np.sqrt(3))


def core_of(model: Any) -> Any:
    """The core's model inside a model; None if there is none."""
    return getattr(model, "_core", None)


def _named_points(coordinates: Iterable[tuple[int, str]]) -> list[Point]:
    groups: dict[str, list[int]] = {}
    for number, name in coordinates:
        match = re.fullmatch(r"([xyz])_?(\w*)", name) or re.fullmatch(r"(?P<of>[A-Za-z]\w*?)_?(?P<axis>[xyz])", name)
        if match:
            axis, of = (match["axis"], match["of"]) if match.re.groupindex else (match[1], match[2])
            groups.setdefault(of, [-1, -1, -1])["xyz".index(axis)] = number
    # One coordinate alone, the x1 of a building's floor, is no point in the plane.
    return [Point(of, (axes[0], axes[1], axes[2])) for of, axes in groups.items() if sum(k >= 0 for k in axes) >= 2]


def links_of(model: Any, space: Space, t: Floats, q: Floats) -> list[Link]:
    """The rods at the states (t, q), found from the gradients of the constraints.

    A row over two points whose gradient is k (r_a - r_b) for one and the opposite for the other ties them together;
    a row over one point whose gradient is k (r - c) ties it to c, which may move.
    """
    core = core_of(model)
    if core is None or not space.points or not len(q):
        return []
    from . import _core

    q = np.ascontiguousarray(q, dtype=float)
    starts, columns, here = _core.constraint_gradients(core, t, q)
    # Rods are quadratic in q: a second look at shifted places gives k to round-off.
    shift = np.random.default_rng(0).uniform(0.5, 1, q.shape[1]) * max(1.0, float(np.max(np.abs(q))))
    there = _core.constraint_gradients(core, t, q + shift)[2]
    where, shifts = space.positions(q), space.positions(shift[None, :])[0]
    links: list[Link] = []
    for first, last in zip(starts[:-1], starts[1:]):
        row = np.asarray(columns[first:last])
        ends = sorted({space.owners.get(int(k), -1) for k in row})
        if not ends or ends[0] < 0 or len(ends) > 2:
            continue
        gradient, slope = np.zeros((2, len(q), len(ends), len(space.axes)))
        for k, entry in zip(row, range(first, last)):
            end = space.owners[int(k)]
            axis = space.axes.index(space.points[end].axes.index(int(k)))
            gradient[:, ends.index(end), axis] = here[:, entry]
            slope[:, ends.index(end), axis] = there[:, entry] - here[:, entry]
        link = _rod(ends, where, gradient, slope, shifts)
        if link is not None:
            links.append(link)
    return links


def _rod(ends: list[int], where: Floats, gradient: Floats, slope: Floats, shift: Floats) -> Optional[Link]:
    if len(ends) == 2:
        offset, step = where[:, ends[0]] - where[:, ends[1]], shift[ends[0]] - shift[ends[1]]
        if not _small(gradient[:, 0] + gradient[:, 1], gradient):
            return None
    else:
        offset, step = where[:, ends[0]], shift[ends[0]]
    stiffness = slope[:, 0] @ step / (step @ step)
    if not np.all(np.abs(stiffness) > 0) or not _small(slope[:, 0] - stiffness[:, None] * step, slope):
        return None
    remainder = offset - gradient[:, 0] / stiffness[:, None]  # c, or 0 for a rod between two points
    if len(ends) == 1:
        return ends[0], remainder
    return (ends[0], ends[1]) if _small(remainder, offset) else None


def ends_of(links: Sequence[Link], where: Floats) -> Floats:
    """Both ends of every rod: [state][rod][end][axis]; where: [state][point][axis]."""
    ends = np.empty((len(where), len(links), 2, where.shape[2]))
    for number, (a, b) in enumerate(links):
        ends[:, number, 0] = where[:, a]
        ends[:, number, 1] = where[:, b] if isinstance(b, int) else b
    return ends


def pivots_of(links: Sequence[Link], states: int) -> Floats:
    """Where rods are fastened to the world: [state][pivot][axis]."""
    fixed = [np.broadcast_to(b, (states, b.shape[1])) for _, b in links if not isinstance(b, int)]
    return np.stack(fixed, axis=1) if fixed else np.empty((states, 0, 0))


def _small(values: Floats, beside: Floats) -> bool:
    return bool(np.max(np.abs(values)) <= ROUNDED * np.max(np.abs(beside)))


def given_links(links: Iterable[Any], space: Space) -> list[Link]:
    """Rods as the user gives them: pairs of points, by number or name, or a point and a fixed place."""
    names = {point.name: k for k, point in enumerate(space.points)}

    def number(end: Any) -> int:
        if isinstance(end, str) and end in names:
            return names[end]
        if isinstance(end, (int, np.integer)) and 0 <= end < len(space.points):
            return int(end)
        raise ValueError(f"links= identifies points by number, 0 to {len(space.points) - 1}, or name, not {end!r}")

    found: list[Link] = []
    for a, b in links:
        if isinstance(b, (str, int, np.integer)):
            found.append((number(a), number(b)))
        else:
            place = np.asarray(b, dtype=float).reshape(1, -1)
            if place.shape[1] != len(space.axes):
                raise ValueError(f"a fixed end of a link needs {len(space.axes)} coordinates, not {place.shape[1]}")
            found.append((number(a), place))
    return found
