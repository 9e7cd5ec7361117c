"""Labeled tables, such as those of pandas: values are assigned by label, not by position."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from . import _core


def labelled(value: Any) -> "Optional[Dict[str, Any]]":
    """{label: value} of a series whose labels are texts, {column: values} of a table; None for everything else."""
    for names in (getattr(value, "columns", None), getattr(value, "index", None)):
        if names is None or callable(names):
            continue
        texts = list(names)
        if not texts or not all(isinstance(name, str) for name in texts):
            return None
        if len(set(texts)) != len(texts):
            twice = next(name for name in texts if texts.count(name) > 1)
            raise _core.InputError(f"the label '{twice}' occurs twice")
        return {name: value[name] for name in texts}
    return None


def in_order(table: "Dict[str, Any]", names: Sequence[str], argument: str, missing: str) -> List[Any]:
    """The values in the order of the names; every name must be present, and no other."""
    for other in [name for name in table if name not in set(names)]:
        raise _core.InputError(f"{argument}: '{other}' is not one of the coordinates {', '.join(names)}")
    if absent := [name for name in names if name not in table]:
        raise _core.InputError(f"{argument}: {missing} for {', '.join(absent)}")
    return [table[name] for name in names]
