"""Symbols of points, lists and rigid bodies: r[i - 1], k[i], top.at(0, 0, 1).

They are resolved by name, as in a text, when a model is built. Derivatives with respect to coordinates
are therefore known to the model, not to the expression.
"""

from __future__ import annotations

from typing import Any, Tuple, Union

import numpy as np

from . import _core
from ._expressions import Term, Vector, symbol


Index = Union[Term, Tuple[Term, ...]]


def _member(name: str, index: Index) -> str:
    """link[3], or cell[1,2]."""
    indices = index if isinstance(index, tuple) else (index,)
    return f"{name}[{','.join(map(str, indices))}]"


def _vector(texts: "list[str]") -> Vector:
    array = np.empty(len(texts), dtype=object)
    array[:] = [_core.symbol(text) for text in texts]
    return array


class Points:
    """The symbols of points: r[3] and r[i - 1] are vectors; lb.velocity(r[i]) and lb.momentum(r[i]) belong to them."""

    def __init__(self, name: str, dimension: int = 3) -> None:
        self.name = str(symbol(name).text)
        if dimension not in (1, 2, 3):
            raise ValueError(f"points must have 1, 2 or 3 components, not {dimension}")
        self.dimension = int(dimension)

    def __getitem__(self, number: Term) -> Vector:
        return _vector([f"{self.name}[{number}].{axis}" for axis in "xyz"[: self.dimension]])


class Listed:
    """The elements of a parameter that is a list, or a formula in i: k[i]."""

    def __init__(self, name: str) -> None:
        self.name = str(symbol(name).text)

    def __getitem__(self, number: Term) -> _core.Expression:
        return _core.symbol(f"{self.name}[{number}]")


class Body:
    """The symbols of a rigid body: Q[1, 3], at(x, y, z), point("pin"), r, omega and L.

    Those of velocities and momenta, v_Q and p_Q, are written as texts. Of a family of bodies, link[3] and link[i - 1]
    are the symbols of one.
    """

    def __init__(self, name: str, planar: bool = False) -> None:
        self.name = str(symbol(name).text)
        self.planar = bool(planar)

    def __getitem__(self, index: Index) -> "Body":
        member = Body("member", self.planar)
        member.name = _member(self.name, index)
        return member

    def at(self, *place: Term) -> Vector:
        """The world position of the point (x, y, z) of the body, (x, y) of a planar one."""
        if len(place) != (2 if self.planar else 3):
            raise ValueError(f"a point of {self.name} has {2 if self.planar else 3} coordinates, not {len(place)}")
        return self._part(f"at({', '.join(map(str, place))})")

    def point(self, name: str) -> Vector:
        """The world position of a named point or frame of the body."""
        return self._part(symbol(name).text)

    def axis(self, name: str) -> Vector:
        """The world direction of the axis of a named frame of the body."""
        return self._part(f"{symbol(name).text}.axis")

    @property
    def angle(self) -> _core.Expression:
        """The angle of a planar body."""
        return _core.symbol(f"{self.name}.angle")

    @property
    def Q(self) -> "Rotation":
        """The rotation matrix from the body frame to the world frame; indices from 1 to 3."""
        return Rotation(self.name)

    @property
    def r(self) -> Vector:
        """The center of a free body."""
        return self._part("r")

    @property
    def omega(self) -> "Union[Vector, _core.Expression]":
        """The angular velocity in the body frame; of a planar body a number."""
        return _core.symbol(f"{self.name}.omega") if self.planar else self._part("omega")

    @property
    def L(self) -> "Union[Vector, _core.Expression]":
        """The angular momentum in the world frame; of a planar body a number."""
        return _core.symbol(f"{self.name}.L") if self.planar else self._part("L")

    def _part(self, part: str) -> Vector:
        return _vector([f"{self.name}.{part}.{axis}" for axis in ("xy" if self.planar else "xyz")])


class Joint:
    """The formulas of a joint: angle, rate, displacement, speed; reactions force, torque, body_force, body_torque.

    Of a rolling joint also the point of contact. Of a family of joints, hinge[3] and hinge[i] are those of one.
    """

    def __init__(self, name: str) -> None:
        self.name = str(symbol(name).text)

    def __getitem__(self, index: Index) -> "Joint":
        member = Joint("member")
        member.name = _member(self.name, index)
        return member

    def __getattr__(self, part: str) -> Any:
        if part in ("force", "torque", "body_force", "body_torque", "point"):
            return _vector([f"{self.name}.{part}.{axis}" for axis in "xyz"])
        if part in ("angle", "angle1", "angle2", "rate", "rate1", "rate2", "displacement", "speed"):
            return _core.symbol(f"{self.name}.{part}")
        raise AttributeError(f"a joint has no '{part}'")


class Rotation:
    """Q[i, j] of a body."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, indices: "Tuple[int, int]") -> _core.Expression:
        return _core.symbol(f"{self._name}.Q[{indices[0]},{indices[1]}]")


def points(name: str, dimension: int = 3) -> Points:
    """The symbols of the points of a model, lb.Model(points={name: ...}).

    >>> r, i = lb.points("r", 2), lb.symbol("i")
    >>> r[i] - r[i - 1]
    """
    return Points(name, dimension)


def listed(name: str) -> Listed:
    """The elements of a parameter that is a list, or a formula in the index i: lb.listed("k")[i]."""
    return Listed(name)


def body(name: str, planar: bool = False) -> Body:
    """The symbols of a rigid body of a model, lb.Model(bodies={name: ...}); planar: one with planar=True.

    >>> link, i = lb.body("link"), lb.symbol("i")
    >>> link[i - 1].point("tip")  # of a family, bodies={"link[i]": {"for": "i in 1..n", ...}}
    """
    return Body(name, planar)


def joint(name: str) -> Joint:
    """The formulas of a joint of a model, lb.Model(joints=[...]); of a family, lb.joint("hinge")[3]."""
    return Joint(name)


def sum_over(index: _core.Expression, first: Term, last: Term, summand: Term) -> _core.Expression:
    """The sum of `summand` over an index from first to last, both included; the bounds may contain other indices."""
    return _core.symbol(f"sum({index} in {first}..{last}, {summand})")
