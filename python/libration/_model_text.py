"""The text of a model: Python's arguments as a model file in the order and style of the built-in problems."""

from __future__ import annotations

import difflib
import re
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np

from . import _core
from ._labels import labelled
from ._toml import WIDTH, Tree, is_list, items, key, leaf, quoted, rendered, tree

Nested = Union[Tree, Mapping[str, "Nested"]]


class Entry(NamedTuple):
    """A line `name = value` of a section, and the argument that it comes from."""

    name: str
    value: Nested
    argument: str


class Section(NamedTuple):
    """A part of the file: its header, "" for what stands above all sections."""

    header: str
    entries: List[Entry]


class ModelText(NamedTuple):
    """A text, and for each of its lines the argument that it comes from."""

    text: str
    arguments: List[str]

    @property
    def _written(self) -> "ModelText":
        return self

    def explain(self, message: str) -> str:
        """A message of the library about the text: the place becomes the name of an argument."""
        place = re.search(rf"(?:^|(?<=: )){SOURCE_NAME}:(\d+):\d+: ", message)
        if place is None or not 0 < int(place.group(1)) <= len(self.arguments):
            return message
        argument = self.arguments[int(place.group(1)) - 1]
        before, rest = message[: place.start()], message[place.end() :]
        if argument and not before:
            # The argument is named: what the message says of it can begin with "it".
            for subject in (argument, argument.partition("[")[0]):
                if rest.startswith(f"{subject} "):
                    rest = f"it{rest[len(subject):]}"
                    break
            lines = rest.split("\n")
            if len(lines) > 2 and re.fullmatch(r" +\[+[\w.\"]+\]+", lines[1]) and not lines[2].strip(" ^"):
                rest = "\n".join(lines[:1] + lines[3:])  # a header shows nothing that the user wrote
        if argument or before:
            return before + (f"{argument}: " if argument else "") + rest
        told = rest.split("\n")  # the message, a line of the text that says nothing to the user, and a mark under it
        return "\n".join(told[:1] + told[3:])


SOURCE_NAME = "model"
"""The name of the text in messages of the library, before it is replaced by that of an argument."""


def symbol_name(value: Any, argument: str) -> str:
    """The name of a coordinate or parameter, which may be given as a symbol or as a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, _core.Expression):
        if value.op == "symbol":
            return str(value.text)
        raise _core.InputError(f"{argument}: {value} is a formula; a name is wanted, such as lb.symbol('x') or 'x'")
    raise TypeError(f"{argument}: expected a symbol or a name, found {value!r} of type {type(value).__name__}")


def names_of(value: Any, argument: str) -> List[str]:
    """The coordinates: symbols or names in a list, one of them alone, or a text such as "x y"."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, _core.Expression):
        return [symbol_name(value, argument)]
    if isinstance(value, Mapping) or not is_list(value):
        raise TypeError(f"{argument}: expected a list of coordinates such as [x, y], found {value!r}")
    if isinstance(value, np.ndarray):
        value = value.reshape(-1)  # row by row
    return [symbol_name(item, argument) for item in items(value)]


def nested(value: Any, argument: str) -> Nested:
    """A formula, a list or a table of such, to any depth; symbols may be keys."""
    if isinstance(value, Mapping):
        return {
            symbol_name(name, argument): nested(item, f"{argument}[{str(name)!r}]") for name, item in value.items()
        }
    return tree(value, argument)


def by_coordinate(value: Any, names: Sequence[str], argument: str) -> Nested:
    """A table {x: formula}; a list is taken in the order of the coordinates."""
    value = value if (table := labelled(value)) is None else table
    if isinstance(value, Mapping):
        return nested(value, argument)
    formulas = items(value) if is_list(value) else [value]
    if len(formulas) != len(names):
        raise _core.InputError(f"{argument}: {len(formulas)} formulas for {len(names)} coordinates, {', '.join(names)}")
    return {name: leaf(formula, f"{argument}[{name!r}]") for name, formula in zip(names, formulas)}


class Writer:
    """Collects the sections of a model file and writes them.

    Formulas that are used several times, or are nested deeply, are written once, under [definitions].
    """

    def __init__(self, coordinates: Sequence[str], parameters: Iterable[str]) -> None:
        self._sections: List[Section] = []
        self._coordinates = list(coordinates)
        self._parameters = list(parameters)
        self._taken: Set[str] = {*self._coordinates, *self._parameters}

    def section(self, header: str, entries: Iterable[Tuple[str, Optional[Nested], str]]) -> None:
        """Adds a section with those entries that are given; without any there is no section."""
        given = [Entry(name, value, argument) for name, value, argument in entries if value is not None]
        if given:
            self._sections.append(Section(header, given))

    def reserve(self, names: Iterable[str]) -> None:
        """Names that no definition may have."""
        self._taken.update(names)

    def finish(self) -> ModelText:
        """The text."""
        found: List[Tuple[_core.Expression, str]] = []
        for section in self._sections:
            for entry in section.entries:
                _collect(entry.value, entry.argument, found)
        for expression, argument in found:
            self._check_names(expression, argument)
        texts = self._share([expression for expression, _ in found])
        lines: List[str] = []
        arguments: List[str] = []
        for section in self._sections:
            for line, argument in _lines(section, texts):
                lines.append(line)
                arguments.append(argument)
        while lines and not lines[-1]:
            lines.pop()
            arguments.pop()
        return ModelText("\n".join(lines) + "\n", arguments)

    def _check_names(self, expression: "_core.Expression", argument: str) -> None:
        for symbol in expression.symbols:
            name = str(symbol.text)
            plain = name[2:] if name.startswith(("p_", "v_")) else name
            if plain in self._taken or name == "t" or name.startswith("lambda_"):
                continue
            near = difflib.get_close_matches(name, [*self._coordinates, *self._parameters], 1, 0.75)
            raise _core.InputError(
                f"{argument}: unknown name '{name}'"
                + (f": did you mean '{near[0]}'?" if near else "")
                + (
                    f"\n'{plain}' is no coordinate of the model, q = [{', '.join(self._coordinates)}]."
                    if plain != name
                    else f"\nGive it a value, parameters={{'{name}': ...}}, or make it a coordinate, "
                    f"q=[{', '.join([*self._coordinates, name])}]."
                )
            )

    def _share(self, expressions: Sequence["_core.Expression"]) -> Dict["_core.Expression", str]:
        unique = list(dict.fromkeys(expressions))
        definitions, texts = _core.shared_text(unique, sorted(self._taken))
        if definitions:
            written = Section("definitions", [Entry(name, quoted(text), "definitions") for name, text in definitions])
            first = [s.header in ("", "parameters", "coordinates") for s in self._sections]
            self._sections.insert(first.count(True), written)
        return {expression: quoted(text) for expression, text in zip(unique, texts)}


def _collect(value: Nested, argument: str, found: "List[Tuple[_core.Expression, str]]") -> None:
    if isinstance(value, _core.Expression):
        found.append((value, argument))
    elif isinstance(value, Mapping):
        for name, item in value.items():
            _collect(item, f"{argument}[{name!r}]", found)
    elif isinstance(value, list):
        for item in value:
            _collect(item, argument, found)


def _with_texts(value: Nested, texts: "Mapping[_core.Expression, str]") -> Nested:
    if isinstance(value, _core.Expression):
        return texts[value]
    if isinstance(value, Mapping):
        return {name: _with_texts(item, texts) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item, texts) for item in value]  # type: ignore[misc]
    return value


def _inline(value: Nested, indent: int) -> str:
    if isinstance(value, Mapping):
        entries = ", ".join(f"{key(name)} = {_inline(item, 0)}" for name, item in value.items())
        return "{ " + entries + " }" if value else "{}"
    return rendered(value, indent)


def _lines(section: Section, texts: "Mapping[_core.Expression, str]") -> "List[Tuple[str, str]]":
    """The lines of a section. A table that is too long for one line becomes a section of its own."""
    written: List[Tuple[str, str]] = []
    if section.header:
        first = section.entries[0].argument
        whole = first if section.header.startswith("[") else first.partition("[")[0]
        # What is said of [dynamics] as a whole concerns arguments that are missing.
        written.append((f"[{section.header}]", "" if section.header == "dynamics" else whole))
    later: List[Section] = []
    for name, value, argument in section.entries:
        value = _with_texts(value, texts)
        start = f"{key(name)} = "
        text = _inline(value, len(start))
        if isinstance(value, Mapping) and (len(start + text) > WIDTH or "\n" in text):
            inner = [Entry(k, v, f"{argument}[{k!r}]") for k, v in value.items()]
            later.append(Section(f"{section.header.strip('[]')}.{key(name)}", inner))
            continue
        written.extend((line, argument) for line in (start + text).split("\n"))
    if not section.header or len(written) > 1 or section.header.startswith("[") or not later:
        written.append(("", ""))
    else:
        written.clear()
    for part in later:
        written.extend(_lines(part, texts))
    return written
