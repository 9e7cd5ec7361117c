"""Models in notebooks: Markdown with equations (see _html.py for the reason)."""

from __future__ import annotations

import re
from typing import Any, List, Mapping

from ._latex import display, model_latex
from ._text import Fact, number

MOST_NAMES = 12
"""Longer lists are cut."""

_SPECIAL = re.compile(r"[^\w\s.,;:/+=']", re.ASCII)


def escape(text: object) -> str:
    """Text for Markdown: special characters are escaped."""
    flat = " ".join(str(text).split())
    return re.sub(r"_", "&#95;", _SPECIAL.sub(lambda sign: f"&#{ord(sign.group())};", flat))


def model_markdown(model: Any) -> str:
    """A model: name, description and source, its equations, sizes, parameters, and how it runs by itself.

    model: the core's model, or one with a core.
    """
    core = getattr(model, "_core", model)
    title = f"**{escape(core.name)}**"
    about = f" {escape(core.description)}" if core.description else ""
    source = f" *{escape(core.source)}*" if core.source else ""
    rows = "\n".join(f"| {escape(name)} | {escape(value)} |" for name, value in _facts(core))
    return f"{title}{about}{source}{display(model_latex(core))}| | |\n|:--|:--|\n{rows}\n"


def _facts(core: Any) -> List[Fact]:
    facts = [("coordinates", _counted(list(core.coordinates)))]
    if core.multipliers:
        facts.append(("multipliers", _counted(list(core.multipliers))))
    parameters = [f"{name} = {_value(value)}" for name, value in core.parameters]
    if parameters:
        facts.append(("parameters", _cut(parameters, ", ")))
    observables = [f"{name} (conserved)" if invariant else name for name, invariant in core.observables]
    if observables:
        facts.append(("observables", _cut(observables, ", ")))
    run: Mapping[str, Any] = core.run_defaults or {}
    if run:
        given = [f"{name} {number(value)}" for name, value in run.items() if value is not None]
        facts.append(("runs with", ", ".join(given)))
    return facts


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{_cut([number(item) for item in value], ', ')}]"
    return number(value)


def _counted(names: List[str]) -> str:
    return f"{len(names)}: {_cut(names, ', ')}"


def _cut(names: List[str], between: str) -> str:
    if len(names) <= MOST_NAMES:
        return between.join(names)
    return between.join(names[: MOST_NAMES - 1]) + f"{between}... {names[-1]}"
