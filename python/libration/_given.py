"""Arguments of lb.Model as dicts, lists and texts of names and values; what is none of these is a TypeError."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _core
from ._values import is_list, nested, plain_text, symbol_name


def given_table(value: Any, argument: str) -> "Dict[str, Any]":
    """A mapping with its keys as names."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        example = _EXAMPLES.get(argument, "{name: formula}")
        raise TypeError(f"{argument}: expected a dict such as {example}, found {value!r}")
    table: Dict[str, Any] = {}
    for name, item in value.items():
        text = symbol_name(name, argument)
        if text in table:
            raise _core.InputError(f"{argument}: '{text}' is given twice, as a symbol and as a name")
        table[text] = item
    return table


def with_values(table: Any, argument: str) -> Any:
    """A table whose values do not depend on a file any more, which may be elsewhere when the model is copied."""
    if not isinstance(table, Mapping) or "file" not in table or "x" in table or "y" in table:
        return table
    file = table["file"]
    if not isinstance(file, str) or not file:
        raise TypeError(f"{argument}: 'file' must be the name of a file, not {file!r}")
    try:
        x, y = _core.read_table(file)
    except _core.InputError as error:
        raise _core.InputError(f"{argument}: {error}") from None
    return {**{name: value for name, value in table.items() if name != "file"}, "x": x, "y": y}


_EXAMPLES = {
    "tables": "{'profile': {'x': [0, 1, 2], 'y': [0, 5, 0]}}",
    "parameters": "{g: 9.81}",
    "initial": "{'q': [1, 0], 'v': [0, 0]}",
    "run": "{'method': 'rattle', 'step': 0.01, 'steps': 1000}",
    "events": "{'down': y + 1}",
    "forces": "{'damper': {'class': 'dissipative', 'on': {x: -lb.velocity(x)}}}",
}


def given_forces(value: Any) -> "List[Tuple[str, Any, str]]":
    """Names, forces and arguments of a dict of forces, or of a list of them, each with its name."""
    if value is None or isinstance(value, Mapping) or not is_list(value):
        return [(name, force, f"forces[{name!r}]") for name, force in given_table(value, "forces").items()]
    forces = []
    for number, force in enumerate(value):
        argument = f"forces[{number}]"
        if not isinstance(force, Mapping) or "name" not in force:
            raise TypeError(
                f"{argument}: expected a dict such as {{'name': 'damper', 'class': 'dissipative', "
                f"'on': {{x: formula}}}}, found {force!r}"
            )
        rest = {part: item for part, item in force.items() if part != "name"}
        forces.append((symbol_name(force["name"], argument), rest, argument))
    return forces


def given_blocks(value: Any, argument: str) -> "List[Tuple[str, Mapping[str, Any]]]":
    """A list of dicts, or a dict of dicts by their names; each with the argument that it is."""
    if isinstance(value, Mapping):
        names = {name: symbol_name(name, argument) for name in value}
        return [
            (f"{argument}[{names[name]!r}]", {"name": names[name], **given_dict(item, argument)})
            for name, item in value.items()
        ]
    if value is not None and not is_list(value):
        raise TypeError(f"{argument}: expected a list of dicts such as {_BLOCKS[argument]}, found {value!r}")
    return [(f"{argument}[{number}]", given_dict(item, argument)) for number, item in enumerate(value or [])]


def given_dict(value: Any, argument: str) -> "Mapping[str, Any]":
    if not isinstance(value, Mapping):
        raise TypeError(f"{argument}: expected dicts such as {_BLOCKS[argument]}, found {value!r}")
    return value


_BLOCKS = {
    "joints": "{'name': 'hinge', 'type': 'revolute', 'between': ['ground', 'arm'], 'at': [0, 0, 0], 'axis': [0, 0, 1]}",
    "springs": "{'between': ['arm.tip', [2, 0, 0]], 'stiffness': 40}",
    "dampers": "{'joint': 'hinge', 'coefficient': 0.1}",
    "bushings": "{'between': ['ground', 'engine'], 'at': [0, 0, 0], 'stiffness': [1e5, 1e5, 2e5]}",
}


def given_families(value: Any) -> "List[Mapping[str, Any]]":
    if value is not None and (isinstance(value, Mapping) or not is_list(value)):
        raise TypeError(f"families: expected a list of dicts, found {value!r}")
    families = [] if value is None else list(value)
    for number, family in enumerate(families):
        if not isinstance(family, Mapping) or ("energy" in family) == ("constraint" in family):
            raise TypeError(
                f"families[{number}]: expected a dict such as {{'for': 'i in 1..n-1', 'energy': formula}}, or with "
                f"'constraint' instead of 'energy'; found {family!r}"
            )
    return families


def given_text(value: Any, argument: str) -> Optional[str]:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected a text, found {value!r}")
    return plain_text(value)


def given_value(value: Any, argument: str) -> Any:
    """A flag, a formula, a list or a table of such."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Mapping):
        names = {name: symbol_name(name, argument) for name in value}
        return {names[name]: given_value(item, f"{argument}[{names[name]!r}]") for name, item in value.items()}
    return nested(value, argument)
