"""The result of `model.check()`."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Tuple

from . import _core


class Check:
    """The result of checking a model before a run; true if it is ready to run.

    faults: errors that must be fixed. warnings: the model runs, but may not be what was intended.
    facts: the findings, as pairs of texts. numbers: sizes, rank, energy, residuals (the JSON of `libration check`).
    """

    def __init__(self, core: "_core.Model", told: Callable[[str], str], options: Mapping[str, Any]) -> None:
        text, self.facts = core.check(options)
        self.numbers: Dict[str, Any] = json.loads(text)
        self.faults: Tuple[str, ...] = tuple(told(text) for text in self.numbers.pop("faults"))
        self.warnings: Tuple[str, ...] = tuple(told(text) for text in self.numbers.pop("warnings"))

    @property
    def ok(self) -> bool:
        """Whether the model is ready to run."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        lines = [f"{self.numbers['model']}  {'ready to run' if self.ok else 'not ready'}"]
        lines += [f"  {label:<18}{text}" for label, text in self.facts]
        lines += [f"\nwarning: {warning}" for warning in self.warnings]
        lines += [f"\nerror: {fault}" for fault in self.faults]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from ._html import check_html

        return check_html(self)
