"""Signatures from the tables of requests, for functions and stubs."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Iterable, List, NamedTuple, Tuple

Row = Tuple[str, str, str]
"""Name, kind and meaning of an argument, as _core.arguments has them."""

_TYPES = {
    "number": "Optional[Real]", "whole": "Optional[int]", "flag": "bool", "text": "Optional[str]", "texts": "Any",
    "numbers": "Any",
}
_OTHER_TYPES = {"out": "Optional[Path]", "at": "Any", "stop_if": "Any", "vary": "Optional[Mapping[Any, Any]]"}


class Keyword(NamedTuple):
    """An argument that is given by name."""

    name: str
    annotation: str
    default: Any
    meaning: str


def keywords(table: Iterable[Row], explicit: Iterable[str]) -> List[Keyword]:
    """The arguments of a table beside those that a function names itself."""
    known = set(explicit)
    return [
        Keyword(name, _OTHER_TYPES.get(name, _TYPES[kind]), False if kind == "flag" else None, meaning)
        for name, kind, meaning in table if name not in known
    ]


def extended(signature: inspect.Signature, table: Iterable[Row]) -> inspect.Signature:
    """The signature with the arguments of the table in the place of **options."""
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    more = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.annotation)
        for one in keywords(table, [one.name for one in own])
    ]
    return signature.replace(parameters=[*own, *more])


def described(docstring: str, table: Iterable[Row]) -> str:
    """The docstring, and the meaning of every argument below it."""
    lines = []
    for name, _, meaning in table:
        lines += textwrap.wrap(f"{name}: {meaning}", 110, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return docstring.rstrip() + "\n\n        Arguments shared with the command line:\n\n" + "\n".join(lines) + "\n"
