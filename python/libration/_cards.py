"""Display of one record: its name as a title, one line per value; empty fields are omitted."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, Optional

from ._html import card_html
from ._records import Record
from ._text import Fact, number

TITLES = ("spec", "id", "name", "claim", "method")
SENTENCES = ("summary", "description", "title")
LABELS = {
    "order_p": "order of p",
    "order_q": "order of q",
    "order_lambda": "order of lambda",
    "constrained": "with constraints",
    "dimension": "coordinates",
    "momentum_map": "momenta conserved",
    "lag": "steps behind",
    "lanes": "runs in lanes",
}
WIDTH = 110


def card_text(record: Mapping[str, Any]) -> str:
    """For terminals."""
    title, sentence, facts = parts(record)
    width = max((len(name) for name, _ in facts), default=0)
    lines = [title] if title else []
    lines += [f"  {line}" for line in textwrap.wrap(sentence, WIDTH - 2)]
    for name, value in facts:
        lines += textwrap.wrap(value, WIDTH, initial_indent=f"  {name:<{width}}  ",
                               subsequent_indent=" " * (width + 4)) or [f"  {name}"]
    return "\n".join(lines) or "(nothing)"


def card_page(record: Mapping[str, Any]) -> str:
    """For notebooks."""
    title, sentence, facts = parts(record)
    return card_html(title, ([("", sentence)] if sentence else []) + facts)


def parts(record: Mapping[str, Any]) -> tuple[str, str, list[Fact]]:
    """Title, sentence, and all else."""
    title = next((key for key in TITLES if isinstance(record.get(key), str)), None)
    sentence = next((key for key in SENTENCES if isinstance(record.get(key), str)), None)
    facts: list[Fact] = []
    for key, value in record.items():
        if key in (title, sentence) or _is_nothing(value):
            continue
        if isinstance(value, tuple) and all(isinstance(item, Record) for item in value):
            facts += [_part(item) for item in value]
        else:
            facts.append((_label(key), _text(value)))
    return str(record[title]) if title else "", str(record[sentence]) if sentence else "", facts


def _part(record: Record) -> Fact:
    """A record in a list of a record: one line."""
    key: Optional[str] = next((key for key in (*TITLES, "what", "label", "title") if record.get(key)), None)
    name = str(record[key]) if key else ""
    if record.get("default"):
        name += f" (default {record['default']})"
    if "meaning" in record:
        return name, str(record["meaning"])
    return name, _text(Record({other: value for other, value in record.items() if other != key}))


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, (str, tuple, Mapping)) and len(value) == 0)


def _label(key: str) -> str:
    return LABELS.get(key, key.replace("_", " "))


def _text(value: Any) -> str:
    if isinstance(value, Record):
        return ", ".join(f"{_label(key)} {_text(item)}" for key, item in value.items() if not _is_nothing(item))
    if isinstance(value, tuple):
        return ", ".join(_text(item) for item in value)
    return number(value)
