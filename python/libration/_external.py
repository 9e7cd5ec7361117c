"""Functions that cannot be traced and supply their own derivatives."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Tuple

from . import _core

Function = Callable[..., Any]


@dataclass(frozen=True)
class External:
    """A potential or constraints that cannot be traced, created by `external`."""

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
    """A function for `lb.Model` that needs numerical values: a table, a fit, code in another language.

    A potential needs its gradient; constraints need their Jacobian and their number. All functions take a
    read-only array of the positions. They are called at every evaluation, so such a model is much slower than one whose
    functions can be traced; it runs in double precision only, and is refused by everything that needs more (`certify`,
    `dirac-gauss`, Lyapunov exponents, ...). A derivative that is inconsistent with the value is refused at the start.

    value: a number for a potential, an array of `rows` numbers for constraints.
    gradient: of a potential, an array with one number per coordinate.
    jacobian: of constraints, an array of shape (rows, coordinates).
    rows: the number of constraints; default: the number of names.
    curvature: of constraints, a function of (q, v): the second derivative along v, one number per row. Without it the
        multipliers are computed from differences of the Jacobian and are accurate to about ten digits.
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
            raise ValueError("rows, curvature and names are for constraints; a potential has only a gradient")
        return External(value, gradient=gradient)
    if rows is not None:
        try:
            operator.index(rows)
        except TypeError:
            raise TypeError(f"rows={rows!r}: the number of constraints must be an integer") from None
    count = operator.index(rows) if rows is not None else len(names) if names is not None else 0
    if count < 1:
        raise ValueError("give rows=..., the number of constraints")
    if isinstance(names, str):
        raise ValueError('names must be a list with one name per constraint: names=["rod"]')
    return External(value, jacobian=jacobian, rows=count, curvature=curvature, names=tuple(names or ()))


def join(potential: Optional[External], constraints: Optional[External]) -> Optional[_core.External]:
    """What the core takes besides the text of a model; None where there is neither."""
    if potential is None and constraints is None:
        return None
    if potential is not None and not potential.is_potential:
        raise ValueError("the potential is lb.external(...) with a Jacobian; a potential needs gradient=...")
    if constraints is not None and constraints.is_potential:
        raise ValueError("the constraints are lb.external(...) with a gradient; they need jacobian=... and rows=...")
    return _core.External(
        potential=potential.value if potential else None,
        gradient=potential.gradient if potential else None,
        constraints=constraints.value if constraints else None,
        jacobian=constraints.jacobian if constraints else None,
        rows=constraints.rows if constraints else 0,
        names=list(constraints.names) if constraints else [],
        curvature=constraints.curvature if constraints else None,
    )
