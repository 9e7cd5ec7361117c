"""Numbers, tables and summaries as plain text, for terminals and for the cells of tables."""

from __future__ import annotations

import math
from typing import Any, List, Mapping, Sequence, Tuple

Fact = Tuple[str, str]
"""A name and its value, as both are shown."""

MISSING = "-"

WORK = {
    "force": ("force", "forces"),
    "constraint": ("constraint", "constraints"),
    "jacobian": ("Jacobian", "Jacobians"),
    "newton_iterations": ("Newton correction", "Newton corrections"),
    "factorizations": ("factorisation", "factorisations"),
}
"""What was evaluated, as it is called: one and several."""


def number(value: object, digits: int = 6) -> str:
    """A value as people write it: 1.2e-13, 0.1, yes; what is missing or not a number is a dash.

    >>> number(1.2000000000000001e-13)
    '1.2e-13'
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ", ".join(number(item, digits) for item in value)
    try:
        real = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return str(value)
    if math.isnan(real):
        return MISSING
    if real == int(real) if math.isfinite(real) and abs(real) < 1e6 else False:
        return str(int(real))
    return str(value) if isinstance(value, int) else f"{real:.{digits}g}".replace("e-0", "e-").replace("e+0", "e+")


def counted(count: Any, one: str, several: str) -> str:
    """1 step, 2 steps"""
    return f"{number(count)} {one if count == 1 else several}"


def text_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns of text under their headings."""
    texts = [list(headings)] + [[number(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in texts) for k in range(len(headings))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in texts)


def run_facts(summary: Mapping[str, Any]) -> List[Fact]:
    """What a run is judged by: the JSON of `libration run` as names and values."""
    energy: Mapping[str, Any] = summary.get("energy") or {}
    constraint: Mapping[str, Any] = summary.get("constraint") or {}
    evaluations: Mapping[str, Any] = summary.get("evaluations") or {}
    steps = counted(summary.get("steps"), "step", "steps")
    facts: List[Fact] = [
        ("status", str(summary.get("status", MISSING))),
        ("time", f"{number(summary.get('t'))} after {steps} of {number(summary.get('step'))}"),
    ]
    if energy:
        kept = "" if energy.get("conserved", True) else " (not conserved by the model)"
        largest, last = number(energy.get("max_error"), 3), number(energy.get("final_error"), 3)
        facts.append(("energy", f"{number(energy.get('initial'))}, error at most {largest}, at the end {last}{kept}"))
    if constraint and (constraint.get("max") or constraint.get("hidden_max") or summary.get("lambda")):
        largest, hidden = number(constraint.get("max"), 3), number(constraint.get("hidden_max"), 3)
        facts.append(("constraints", f"residual at most {largest}, hidden {hidden}"))
    for name, invariant in (summary.get("invariants") or {}).items():
        error = number(invariant.get("max_error"), 3)
        facts.append((str(name), f"{number(invariant.get('initial'))}, error at most {error}"))
    work = [counted(count, *WORK.get(what, (what, what))) for what, count in evaluations.items() if count]
    if work:
        facts.append(("evaluations", ", ".join(work)))
    seconds = f"{number(summary.get('seconds'), 3)} s, {number(summary.get('setup_seconds'), 3)} s to set up"
    return facts + [("computed in", seconds)]


def run_text(summary: Mapping[str, Any], warnings: Sequence[str] = ()) -> str:
    """A run in a terminal."""
    lines = [f"{summary.get('method', '')} on {summary.get('model', '')}"]
    lines += [f"  {name:<13}{value}" for name, value in run_facts(summary)]
    lines += [f"  warning      {text}" for text in warnings]
    if summary.get("failure"):
        lines.append(f"  failure      {summary['failure'].get('message', '')}")
    return "\n".join(lines)
