"""Functions that cannot be traced: they bring their own derivatives."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Tuple

from . import _core

Function = Callable[..., Any]


@dataclass(frozen=True)
class External:
    """A potential or constraints that cannot be traced, as `external` makes them."""

    value: Function
    gradient: Optional[Function] = None
    jacobian: Optional[Function] = None
    rows: int = 0
    curvature: Optional[Function] = None
    names: Tuple[str, ...] = ()

    @property
    def is_potential(self) -> bool:
        """Whether it is a potential; otherwise it is constraints."""
        return self.gradient is not None


def external(
    value: Function,
    *,
    gradient: Optional[Function] = None,
    jacobian: Optional[Function] = None,
    rows: Optional[int] = None,
    curvature: Optional[Function] = None,
    names: Optional[Sequence[str]] = None,
) -> External:
    """A function for `lb.Model` that needs numbers: a table, a fit, a program of another language.

    A potential brings its gradient, constraints bring their Jacobian and say how many they are. All functions take a
    read-only array of the positions. They are called at every evaluation, so such a model is much slower than one whose
    functions can be traced; it runs in double precision only, and what needs more (`certify`, `dirac-gauss`, Lyapunov
    exponents, ...) refuses it. A derivative that does not fit the value is refused at the start of a run.

    value: a number for a potential, an array of `rows` numbers for constraints.
    gradient: of a potential, an array with one number a coordinate.
    jacobian: of constraints, an array of shape (rows, coordinates).
    rows: how many constraints there are; one a name where names are given.
    curvature: of constraints, the second derivative along v, one number a row, from (q, v). Without it the multipliers
        come from differences of the Jacobian and are good to about ten digits.
    names: of the constraints.

    >>> rod = lb.external(lambda q: [q @ q - 1], jacobian=lambda q: [2 * q], rows=1)
    >>> model = lb.Model(q=[x, y], mass=1, potential=y, constraints=rod, initial={"q": [1, 0]})
    """
    if gradient is None and jacobian is None:
        raise ValueError(
            "a function that cannot be traced brings its derivative: give gradient=... for a potential, or "
            "jacobian=... and rows=... for constraints"
        )
    if gradient is not None and jacobian is not None:
        raise ValueError("give gradient=... for a potential, or jacobian=... for constraints, not both")
    if gradient is not None:
        if rows is not None or curvature is not None or names is not None:
            raise ValueError("rows, curvature and names belong to constraints; a potential has a gradient only")
        return External(value, gradient=gradient)
    if rows is not None:
        try:
            operator.index(rows)
        except TypeError:
            raise TypeError(f"rows={rows!r}: the number of constraints is a whole number") from None
    count = operator.index(rows) if rows is not None else len(names) if names is not None else 0
    if count < 1:
        raise ValueError("give rows=..., the number of constraints")
    if isinstance(names, str):
        raise ValueError('names is a list, one name a constraint: names=["rod"]')
    return External(value, jacobian=jacobian, rows=count, curvature=curvature, names=tuple(names or ()))


def join(potential: Optional[External], constraints: Optional[External]) -> Optional[_core.External]:
    """What the core takes besides the text of a model; None where there is neither."""
    if potential is None and constraints is None:
        return None
    if potential is not None and not potential.is_potential:
        raise ValueError("the potential is lb.external(...) with a Jacobian; a potential brings gradient=...")
    if constraints is not None and constraints.is_potential:
        raise ValueError("the constraints are lb.external(...) with a gradient; they bring jacobian=... and rows=...")
    return _core.External(
        potential=potential.value if potential else None,
        gradient=potential.gradient if potential else None,
        constraints=constraints.value if constraints else None,
        jacobian=constraints.jacobian if constraints else None,
        rows=constraints.rows if constraints else 0,
        names=list(constraints.names) if constraints else [],
        curvature=constraints.curvature if constraints else None,
    )
