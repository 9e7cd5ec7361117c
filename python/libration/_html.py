"""Display of the objects of the package in notebooks.

Plain dictionaries go in: the JSON of the program. Everything that comes from outside is escaped.

Tables are HTML. A model is Markdown, because it has equations: JupyterLab, the classic notebook, nbconvert and Visual
Studio Code all typeset $$...$$ in Markdown, while Visual Studio Code leaves it as it is in HTML. For the same reason a
model must not offer text/html (or text/latex, which Visual Studio Code prefers) beside it: the richest kind wins,
whatever it can show.
"""

from __future__ import annotations

import html
import re
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from ._text import Fact, number

CELL = "padding: 0.15em 0.7em; vertical-align: top; "
# White on these is readable, and the badge brings its own ground: dark and light pages alike.
GOOD, BAD, UNSURE = "#1f7a44", "#b3261e", "#7a5200"
VERDICTS = {
    "confirmed": GOOD,
    "completed": GOOD,
    "ready": GOOD,
    "reproduced": GOOD,
    "corrected": GOOD,
    "statistical": GOOD,
    "contradicted": BAD,
    "failed": BAD,
    "FAILED": BAD,
    "not ready": BAD,
    "stopped": UNSURE,
    "undecided": UNSURE,
    "not confirmed": UNSURE,
    "not-reproduced (known)": UNSURE,
}
_NUMBER = re.compile(r"[-+]?(\d[\d.]*(e[-+]?\d+)?|inf)$")


def escape(text: object) -> str:
    """Text for HTML: no sign of it can open a tag or an entity."""
    return html.escape(str(text), quote=True)


def badge(verdict: str) -> str:
    """A verdict or status on its colour; other words as they are."""
    colour = VERDICTS.get(verdict)
    if colour is None:
        return escape(verdict)
    style = f"background: {colour}; color: #ffffff; border-radius: 0.3em; padding: 0.05em 0.45em; white-space: nowrap"
    return f'<span style="{style}">{escape(verdict)}</span>'


def table_html(headings: Sequence[str], rows: Sequence[Sequence[object]], caption: str = "") -> str:
    """A table; columns of numbers are aligned to the right, verdicts have colours.

    >>> table_html(["method", "error"], [["rattle", 1.2e-13]])
    """
    texts = [[number(cell) for cell in row] for row in rows]
    right = [
        bool(texts) and all(_NUMBER.match(row[k]) or row[k] in ("-", "") for row in texts if k < len(row))
        for k in range(len(headings))
    ]

    def cell(tag: str, text: str, k: int) -> str:
        align = "right" if right[k] else "left"
        inside = escape(text) if tag == "th" else badge(text)
        return f'<{tag} style="{CELL}text-align: {align}">{inside}</{tag}>'

    def line(tag: str, row: Sequence[str]) -> str:
        return f"<tr>{''.join(cell(tag, text, k) for k, text in enumerate(row[: len(headings)]))}</tr>"

    head = f"<thead>{line('th', headings)}</thead>" if any(headings) else ""
    title = f'<caption style="text-align: left; {CELL}"><b>{escape(caption)}</b></caption>' if caption else ""
    body = "".join(line("td", row) for row in texts)
    return f'<table style="border-collapse: collapse">{title}{head}<tbody>{body}</tbody></table>'


def card_html(title: str, facts: Sequence[Fact], notes: Sequence[Tuple[str, str]] = ()) -> str:
    """A table of names and values under a title, with notes below: pairs of a kind ("warning", "error") and a text."""
    lines = "".join(
        f'<tr><th style="{CELL}text-align: left; font-weight: normal; opacity: 0.75">{escape(name)}</th>'
        f'<td style="{CELL}text-align: left">{badge(value)}</td></tr>'
        for name, value in facts
    )
    below = "".join(_note(kind, text) for kind, text in notes)
    heading = f'<div style="{CELL}"><b>{escape(title)}</b></div>'
    return f'<div>{heading}<table style="border-collapse: collapse"><tbody>{lines}</tbody></table>{below}</div>'


def _note(kind: str, text: str) -> str:
    colour = BAD if kind == "error" else UNSURE
    style = f"border-left: 0.3em solid {colour}; margin: 0.4em 0.7em; padding: 0.1em 0.6em; white-space: pre-wrap"
    return f'<div style="{style}"><b>{escape(kind)}</b> {escape(text)}</div>'


def run_html(run: Any) -> str:
    """A run: an object with summary, facts and warnings."""
    summary: Mapping[str, Any] = run.summary
    facts: List[Fact] = [("status", run.status), ("time", number(summary.get("t"))), *run.facts]
    notes = [("warning", text) for text in run.warnings]
    failure: Optional[Mapping[str, Any]] = summary.get("failure")
    if failure:
        notes.append(("error", str(failure.get("message", failure.get("kind", "")))))
    return card_html(f"{summary.get('method', '')} on {summary.get('model', '')}", facts, notes)


def check_html(check: Any) -> str:
    """What `model.check()` found: an object with ok, facts, faults, warnings and numbers."""
    facts: List[Fact] = [("status", "ready" if check.ok else "not ready"), *check.facts]
    notes = [("warning", text) for text in check.warnings] + [("error", text) for text in check.faults]
    return card_html(str(check.numbers.get("model", "model")), facts, notes)


def certificate_html(certificate: Mapping[str, Any]) -> str:
    """Claims beside measurements: one of the certificates of `libration certify`."""
    columns = ["claim", "claimed", "measured", "verdict"]
    rows = [[claim.get(name) for name in columns] for claim in certificate["claims"]]
    return table_html(columns, rows, f"{certificate['method']} on {certificate['model']}")


def comparison_html(comparison: Mapping[str, Any]) -> str:
    """Errors against work: the JSON of `libration compare`."""
    columns = ["method", "step", "steps", "error_q", "error_p", "error_lambda", "energy_error", "force", "seconds"]
    columns.append("status")
    rows = [[{**row, **row.get("evaluations", {})}.get(name) for name in columns] for row in comparison["rows"]]
    headings = [name.replace("_", " ") for name in columns]
    return table_html(headings, rows, f"{comparison['model']}, duration {number(comparison.get('duration'))}")
