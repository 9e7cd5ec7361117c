"""Suggestions for attributes that runs do not have."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._run import Run

OTHER_NAMES = {"x": "q", "y": "q", "positions": "q", "position": "q", "momenta": "p", "momentum": "p", "velocity": "v",
               "velocities": "v", "time": "t", "times": "t", "H": "energy", "g": "residuals.constraint",
               "dataframe": "to_dataframe()", "df": "to_dataframe()"}
"""What columns are called elsewhere."""


def where_it_is(run: "Run", name: str) -> str:
    """What to write instead of an attribute that a run does not have."""
    unknown = f"a run has no '{name}'"
    if name.startswith("_"):
        return unknown
    core = run._core
    if name in core.observables:
        return f"{unknown}; write run[{name!r}]"
    if name in run._names().all():
        return f"{unknown}; write run[{name!r}]"
    other = "lam" if name.startswith(("lambda", "multiplier")) else OTHER_NAMES.get(name)
    public = [known for known in dir(type(run)) if not known.startswith("_")]
    near = [other] if other else difflib.get_close_matches(name, public, 1, 0.7)
    return f"{unknown}; write run.{near[0]}" if near else unknown
