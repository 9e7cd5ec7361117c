"""Initial values by the names of single coordinates."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence

from . import _core

LETTERS = {"q": "", "p": "p_", "v": "v_"}


def by_letter(given: Mapping[str, Any], names: Sequence[str]) -> "Dict[str, Any]":
    """{"x": 1, "v_y": 2} as {"q": [1, 0], "v": [0, 2]}: values that are not given are zero; the rest as it is."""
    values: Dict[str, Any] = {}
    single: Dict[str, Dict[str, Any]] = {}
    places = {prefix + name: (letter, name) for letter, prefix in LETTERS.items() for name in names}
    for name, value in given.items():
        if name in LETTERS or name not in places:
            values[name] = value
        else:
            letter, coordinate = places[name]
            single.setdefault(letter, {})[coordinate] = value
    for letter, table in single.items():
        if letter in values:
            first = LETTERS[letter] + next(iter(table))
            raise _core.InputError(f"initial: '{first}' is given twice, by its name and in '{letter}'")
        values[letter] = [table.get(name, 0) for name in names]
    if single and "q" not in values and names:
        values["q"] = [0] * len(names)
    return values
