"""Methods, problems and analyses of the library, read from its registries."""

from __future__ import annotations

import functools
import json
import textwrap
from typing import Any, Callable, Union

from . import _core
from ._calls import method_text
from ._records import Cell, Record, Table, text_table

METHOD_COLUMNS: dict[str, Cell] = {
    "method": "spec",
    "order": lambda record: str(record.family.order),
    "symmetric": lambda record: str(record.family.symmetric),
    "symplectic": lambda record: str(record.family.symplectic),
    "explicit": "explicit",
    "description": "summary",
}
PROBLEM_COLUMNS = {"problem": "name", "coord.": "dimension", "constraints": "constraints", "description": "description"}
ANALYSIS_COLUMNS: dict[str, Cell] = {
    "analysis": "name",
    "options": lambda record: ", ".join(option.name for option in record.options),
    "description": "summary",
}


@functools.lru_cache(maxsize=None)
def _all_methods() -> Table:
    return Table([Record(entry) for entry in json.loads(_core.methods_json())["methods"]], METHOD_COLUMNS, "spec")


@functools.lru_cache(maxsize=None)
def _all_problems() -> Table:
    return Table([Record(entry) for entry in json.loads(_core.problems_json())["problems"]], PROBLEM_COLUMNS, "name")


@functools.lru_cache(maxsize=None)
def _all_analyses() -> Table:
    return Table([Record(entry) for entry in json.loads(_core.analyses_json())["analyses"]], ANALYSIS_COLUMNS, "name")


def methods(**fields: Any) -> Table:
    """All methods, or those whose fields have these values.

    >>> lb.methods(symplectic=True, explicit=True)

    For a family such as `lobatto(s)`, order and properties are those of its first example, `family` describes what
    holds for all members, and lb.method("lobatto(3)") describes one of them. Fields: spec, parameters, examples,
    family, order, symmetric, symplectic, explicit, needs, reference, summary.
    """
    return _all_methods().where(**fields)


def method(spec: Union[str, Record]) -> Record:
    """All claims of one method: lb.method("lobatto(3)").order is 4.

    `constrained`: claims that differ with constraints; `doubt`: why the method should not be used, if any.
    """
    return Record(json.loads(_core.method_json(method_text(spec))))


def problems(**fields: Any) -> Table:
    """The built-in problems, for lb.load. Fields: name, dimension, constraints, source, description."""
    return _all_problems().where(**fields)


def analyses(**fields: Any) -> Table:
    """The analyses for run.analyse. Fields: name, summary, options (each with name, default, meaning)."""
    return _all_analyses().where(**fields)


def _methods_text() -> str:
    return text_table(["method", "order", "description"], [[m.spec, m.family.order, m.summary] for m in methods()], 112)


def _problems_text() -> str:
    return text_table(["problem", "description"], [[p.name, p.description] for p in problems()], 112)


def _analyses_text() -> str:
    lines = []
    for analysis in analyses():
        lines.append(f"{analysis.name}: {analysis.summary}")
        for option in analysis.options:
            default = f" (default {option.default})" if option.default else ""
            lines.append(f"    {option.name}: {option.meaning}{default}")
    return "\n".join(lines)


LISTS: dict[str, Callable[[], str]] = {
    "{methods}": _methods_text,
    "{problems}": _problems_text,
    "{analyses}": _analyses_text,
}


def document(function: Callable[..., Any], template: str = "") -> None:
    """Completes a docstring from the registries: {methods}, {problems}, {analyses} become lists of what there is.

    template: appended to the docstring before that. A list that is not asked for is not made.
    """
    first, _, rest = (function.__doc__ or "").partition("\n")
    text = f"{first}\n{textwrap.dedent(rest)}".strip()
    if template:
        text = f"{text}\n\n{textwrap.dedent(template).strip()}"
    for place, make in LISTS.items():
        if place in text:
            text = text.replace(place, make())
    function.__doc__ = text + "\n"
