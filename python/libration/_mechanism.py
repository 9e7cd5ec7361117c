"""Mechanisms: the places of joints and the outlines of the bodies that they connect, at given states."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._space import Space, body_radius, core_of

Floats = NDArray[np.float64]

SLIDING = ("prismatic", "cylindrical", "screw")
ROTATING = ("revolute", "universal")
FREE_AXIS = ("spherical", "fixed", "distance", "rolling")  # joints to which no direction belongs
THIN = 1e-3  # an outline that is thinner, compared with its length, is a stick
RING = 48  # corners of a ring


@dataclass(frozen=True)
class Joint:
    """A joint: the points of both sides, [state][axis], and its directions, of length 1."""

    name: str
    kind: str
    grounded: bool
    first: Floats
    point: Floats  # of the second body
    directions: tuple[Floats, ...]
    travel: tuple[float, float]  # of the second point along the first direction
    bodies: tuple[Optional[int], Optional[int]]

    def at(self, states: slice) -> "Joint":
        """At some of the states."""
        directions = tuple(direction[states] for direction in self.directions)
        return replace(self, first=self.first[states], point=self.point[states], directions=directions)


@dataclass(frozen=True)
class Mechanism:
    """What is drawn: joints, and for the bodies that they connect outlines and rings."""

    joints: tuple[Joint, ...]
    outlines: dict[int, Floats]  # [state][corner][axis], in the order in which they are connected; two: a stick
    rings: dict[int, Floats]  # likewise, of bodies that turn about one point; a wheel begins with its spoke
    followed: dict[int, Floats]  # points whose paths are drawn, [state][point][axis]

    def corners(self) -> Floats:
        """All places, [state][point][axis]."""
        places = [np.stack([joint.first, joint.point], axis=1) for joint in self.joints]
        return np.concatenate([*places, *self.rings.values(), *self.outlines.values()], axis=1)

    def at(self, states: slice) -> "Mechanism":
        """At some of the states; guides keep how far they reach."""
        return Mechanism(
            tuple(joint.at(states) for joint in self.joints),
            {body: corners[states] for body, corners in self.outlines.items()},
            {body: corners[states] for body, corners in self.rings.items()},
            {body: places[states] for body, places in self.followed.items()},
        )


def mechanism_of(model: Any, space: Space, q: Floats) -> Optional[Mechanism]:
    """The mechanism at the states q; None where there are no joints."""
    from . import _core

    core = core_of(model)
    facts = [] if core is None else _core.joints(core)
    if not facts:
        return None
    sides, marks = _core.joint_places(core, np.ascontiguousarray(q, dtype=float))
    size = len(space.axes)
    joints = tuple(_joint(fact, sides[:, k, :, :, :size]) for k, fact in enumerate(facts))
    mechanism = Mechanism(joints, {}, {}, {})
    owners = [body for body, _ in _core.body_points(core)]
    for number, body in enumerate(space.bodies):
        mine = [(k, side) for k, (_, _, bodies) in enumerate(facts) for side in (0, 1) if bodies[side] == number]
        if not mine:
            continue
        centre = space.frames(q, body)[0][:, None, :size]
        named = marks[:, [k for k, owner in enumerate(owners) if owner == number], :size]
        mechanism.followed[number] = named if named.shape[1] else centre
        # A contact moves through the body on which something rolls.
        held = [sides[:, [k], side, 0, :size] for k, side in mine if facts[k][1] != "rolling" or side == 1]
        places = np.concatenate([*held, named, centre], axis=1)
        outline = places[:, hull(places[0])]
        if outline.shape[1] >= 2:
            mechanism.outlines[number] = outline
        contact = next((k for k, side in mine if facts[k][1] == "rolling" and side == 1), None)
        if contact is not None:
            mechanism.rings[number] = _rim(space, q, number, sides[:, contact])[:, :, :size]
        elif np.max(np.ptp(outline[0], axis=0)) <= body_radius(model, number):
            circle = _ring(model, space, q, number, [joints[k] for k, _ in mine])
            if circle is not None:
                mechanism.rings[number] = circle
    return mechanism


def _joint(fact: tuple[str, str, tuple[Optional[int], Optional[int]]], sides: Floats) -> Joint:
    name, kind, bodies = fact
    directions: list[Floats] = []
    for side in (0, 1) if kind == "universal" else (0,):
        # A slender body may turn about its own axis: then the other body knows the direction.
        known = [sides[:, k, 1] for k in (side, 1 - side) if np.any(sides[:, k, 1])]
        directions += known[:1] if kind not in FREE_AXIS else []
    first, point = sides[:, 0, 0], sides[:, 1, 0]
    moved = np.sum((point - first) * directions[0], axis=1) if directions else np.zeros(1)
    travel = (float(np.min(moved)), float(np.max(moved)))
    return Joint(name, kind, None in bodies, first, point, tuple(directions), travel, bodies)


def _ring(model: Any, space: Space, q: Floats, number: int, joints: list[Joint]) -> Optional[Floats]:
    """A body that only turns about one point: a ring through two axes, or a wheel about its only one."""
    if any(joint.kind not in ROTATING for joint in joints):
        return None
    radius, size = body_radius(model, number), len(space.axes)
    centre, rotation = space.frames(q, space.bodies[number])
    directions = [direction for joint in joints for direction in joint.directions]
    for second in directions[1:]:
        across = _across(second, directions[0])
        if across is not None:
            return _circle(joints[0].point, directions[0], across, radius)
    wheel = _wheel(centre, rotation, directions[0] if directions else rotation[:, :, 2], radius)
    return None if wheel is None else wheel[:, :, :size]


def _rim(space: Space, q: Floats, number: int, sides: Floats) -> Floats:
    """A body that rolls: a wheel about its axle, which a sphere does not have; its circle is across its own z axis."""
    contact, centre, axle = sides[:, 0, 0], sides[:, 1, 0], sides[:, 1, 1]
    rotation = space.frames(q, space.bodies[number])[1]
    radius = float(np.linalg.norm(centre[0] - contact[0]))
    wheel = _wheel(centre, rotation, axle if np.any(axle) else rotation[:, :, 2], radius)
    assert wheel is not None
    return wheel


def _wheel(centre: Floats, rotation: Floats, axis: Floats, radius: float) -> Optional[Floats]:
    """A circle that begins with a spoke, which turns with the body; None if the axis is not fixed in the body."""
    columns = [_across(rotation[:, :, k], axis) for k in range(3)]
    spoke = next((column for column in columns if column is not None), None)
    if spoke is None:
        return None
    wheel = _circle(centre, spoke, np.cross(axis, spoke), radius)
    return np.asarray(np.concatenate([centre[:, None], wheel], axis=1))


def _across(direction: Floats, axis: Floats) -> Optional[Floats]:
    """The part of a direction across an axis, of length 1; None where there is next to none."""
    across = direction - np.sum(axis * direction, axis=1, keepdims=True) * axis
    length = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / length) if np.all(length > 0.1) else None


def _circle(centre: Floats, first: Floats, second: Floats, radius: float) -> Floats:
    """Closed, [state][corner][axis]."""
    turn = np.linspace(0, 2 * np.pi, RING + 1)[None, :, None]
    circle = centre[:, None] + radius * (np.cos(turn) * first[:, None] + np.sin(turn) * second[:, None])
    return np.asarray(circle)


def hull(points: Floats) -> list[int]:
    """The corners of the convex outline of points, seen across the plane that is next to them; of a stick its ends."""
    offsets = points - points.mean(axis=0)
    _, spread, directions = np.linalg.svd(offsets, full_matrices=False)
    size = float(np.max(np.abs(offsets)))
    if size <= 1e-9 * max(1.0, float(np.max(np.abs(points)))):
        return [0]
    along = offsets @ directions[0]
    if len(points) == 2 or spread[1] <= THIN * spread[0]:
        return [int(np.argmin(along)), int(np.argmax(along))]
    flat = np.stack([along, offsets @ directions[1]], axis=1)
    order = [int(k) for k in np.lexsort((flat[:, 1], flat[:, 0]))]
    return _chain(flat, order, size)[:-1] + _chain(flat, order[::-1], size)[:-1]


def _chain(flat: Floats, order: list[int], size: float) -> list[int]:
    """Half of the outline: corners at which it turns to the left. [Andrew 1979]"""
    chain: list[int] = []
    for k in order:
        while len(chain) > 1 and _turn(flat[chain[-2]], flat[chain[-1]], flat[k]) <= 1e-9 * size**2:
            chain.pop()
        if not chain or np.max(np.abs(flat[k] - flat[chain[-1]])) > 1e-9 * size:
            chain.append(k)
    return chain


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
