"""Messages about a model in the words of Python: arguments of lb.Model in the place of sections of a model file."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, Tuple, Union

from ._core import InputError

_Rule = Tuple[str, Union[str, Callable[["re.Match[str]"], str]]]


def _table(entries: str) -> str:
    """The entries of a table, x = "C", as those of a dict."""
    return re.sub(r"\b(\w+) = ", r'"\1": ', entries)


# Whole phrases first, each on the text that the ones before have left.
_RUN: List[_Rule] = [
    (r"\b(\w+) = (\w+) under \[run\] in the model", r'run={"\1": \2} in the model'),
    (r"\[run\] in the model", "run={...} in the model"),
]
_SECTIONS: List[_Rule] = [
    # A line of the text that is a header shows nothing that the user wrote.
    (r"\n +\[+[\w.\"]+\]+\n +\^+(?=\n|$)", ""),
    (r"^(\w+\['([^']+)'\]): \[\w+\] \2 ", r"\1: it "),
    (r"^([\w']+(?:\['[^']+'\])?): \[+\w+\]+ (?=needs|must)", r"\1: it "),
    (r"\[initial\] q = (\[[^\]]*\]), v = (\[[^\]]*\])", r'initial={"q": \1, "v": \2}'),
    (r"\[coordinates\] q = \[\"x\", \"y\"\]", "q=[x, y]"),
    (r"\[dynamics\] mass = 1\.0", "mass=1"),
    (r"\[dynamics\] (\w+) = ", r"\1="),
    (r"\[dynamics\.potential\] with slow = (\S+) and fast = (\"[^\"]*\")", r'potential={"slow": \1, "fast": \2}'),
    (r"\[dynamics\.(\w+)\]", r"\1"),
    (r"\[spark\] position = \{ (.*?) \}", lambda found: f'spark={{"position": {{{_table(found.group(1))}}}}}'),
    (r" of \[dynamics\]", ""),
    (r" \((?:and|or) every \[\[energy\]\]\)", ""),
    (r"; use \[\[energy\]\] with a", "; use a model file, [energy] with a"),
    (r"add (\w+) = \"\.\.\.\"", r'add "\1": "..."'),
    (r"'terminal' in \[\[events\]\] must be true or false", "'terminal' must be True or False"),
    (r" under \[+(\w+)\]+", r" in \1"),
    (r"\[+(initial|run|spark|field|forces|events|coordinates|parameters|observables|definitions|set)\]+", r"\1"),
]


def explained(model: Any, message: str) -> str:
    """A message of the library about this model. Models from files keep the words of files."""
    text = getattr(model, "_written", None)
    rules = _RUN if text is None else _RUN + _SECTIONS
    if text is not None:
        message = text.explain(message)
    for pattern, words in rules if "[" in message else ():
        message = re.sub(pattern, words, message)
    return message


@contextmanager
def speaking_of(model: Any) -> Iterator[None]:
    """Errors inside are told in the words of the model's arguments."""
    try:
        yield
    except InputError as error:
        message = explained(model, str(error))
        if message == str(error):
            raise
        raise InputError(message) from None
