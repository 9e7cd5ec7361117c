"""Overrides of parameters and initial values: model.set, lb.load and the section [set] of a model file."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import _core
from ._values import as_formula, leaf, symbol_name

Overrides = List[Tuple[str, str]]


def overrides_of(values: Optional[Mapping[Any, Any]], more: Mapping[str, Any]) -> Overrides:
    """Names and constant expressions as texts."""
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"expected a dict of names and values, found {values!r}")
    found: Dict[str, str] = {}
    for name, value in [*(values or {}).items(), *more.items()]:
        text = symbol_name(name, "set")
        if text in found:
            raise _core.InputError(f"'{text}' is set twice")
        formula = as_formula(value) if isinstance(value, str) else str(leaf(value, text))
        found[text] = " ".join(formula.split())  # files keep a value in one line
    return list(found.items())


def joined(before: Overrides, changes: Overrides) -> Overrides:
    """Later values replace earlier ones, and of momentum and velocity only the last one stays."""
    names = {name for name, _ in changes}
    other = {"p_": "v_", "v_": "p_"}
    names |= {other[name[:2]] + name[2:] for name in names if name[:2] in other}
    return [pair for pair in before if pair[0] not in names] + changes


def without_section(text: str) -> str:
    """A model text without [set], as it was before the section was added."""
    return _core.without_set_section(text) if "set" in text else text


def plain_text(text: str) -> str:
    """Likewise, for comparisons: a text whose [set] cannot be cut out stays whole."""
    try:
        return without_section(text)
    except _core.InputError:
        return text
