"""Expected values of the recipes, and the comparison of recomputed values with them (docs/recipes.md).

A recomputed value is named "ITEM: WHAT [INDEX]": ITEM is the stem of a file in papers/recipes/, WHAT the text `what` of
one of its checks or the beginning of that text, INDEX the position in the list `expected`.
"""

import math
import os
import pathlib
import re
import tomllib

FUNCTIONS = {name: getattr(math, name) for name in ("pi", "sqrt", "exp", "log", "sin", "cos", "atan2")}


def named(item, what, numbers, first=0):
    """The dictionary of values of one check; `first` is the index of the first number."""
    return {f"{item}: {what} [{first + index}]": float(number) for index, number in enumerate(numbers)}


def read_recipes():
    """All recipes of the source tree, by item."""
    source = pathlib.Path(os.environ.get("LIBRATION_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
    paths = sorted(source.glob("papers/recipes/*.toml"))
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def number(entry):
    """A number of a recipe: a literal or a constant expression such as "1/2 - 7/32"."""
    if isinstance(entry, str):
        return float(eval(entry.replace("^", "**"), {"__builtins__": {}}, FUNCTIONS))
    return float(entry)


def split_name(name):
    item, what, index = re.fullmatch(r"([^:]+): (.*) \[(\d+)\]", name).groups()
    return item, what, int(index)


def find_check(recipes, name):
    """The one check that the name of a value refers to; LookupError if there is none or more than one."""
    item, what, _ = split_name(name)
    if item not in recipes:
        raise LookupError(f"there is no recipe '{item}'")
    checks = recipes[item].get("check", [])
    found = [check for check in checks if check["what"] == what]
    found = found or [check for check in checks if check["what"].startswith(what)]
    if len(found) != 1:
        raise LookupError(f"recipe {item} has {len(found)} checks that begin with '{what}'")
    return found[0]


def expected_value(check, index):
    """The number at this index that must come out; a single number is expected of every entry."""
    expected = check.get("expected")
    # A `printed` that is a text and not a list is a remark such as "a figure".
    if expected is None and not isinstance(check.get("printed"), str):
        expected = check.get("printed")
    if expected is None or "below" in check or "above" in check:
        raise LookupError(f"the check '{check['what']}' has no expected number")
    if not isinstance(expected, list):
        return number(expected)
    if index >= len(expected):
        raise LookupError(f"the check '{check['what']}' expects {len(expected)} values, index {index} is too large")
    return number(expected[index])


def tolerance(check, expected):
    return number(check.get("absolute", 0)) + number(check.get("relative", 0)) * abs(expected)


def disagreement(recipes, name, value):
    """None where the value is within the tolerance of its check, otherwise a sentence."""
    check = find_check(recipes, name)
    expected = expected_value(check, split_name(name)[2])
    allowed = tolerance(check, expected)
    # Decimal tolerances are themselves rounded: one part in 1e9 of them decides nothing.
    if abs(value - expected) <= allowed * (1 + 1e-9):
        return None
    return f"{name}: recomputed {value:.12g}, expected {expected:.12g}, tolerance {allowed:.3g}"
