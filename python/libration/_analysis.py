"""Analyses of recorded runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Union

from ._html import escape
from ._records import html_table, inline_svg, preformatted, text_table
from ._text import number


class Analysis(Mapping[str, float]):
    """The result of an analysis: a verdict in words, and numbers by name, analysis["slope"] or analysis.slope.

    verdict: one sentence. numbers: a mapping of all numbers. warnings: caveats about them.
    figures: as SVG texts, displayed by notebooks.
    """

    def __init__(self, report: str, figures: list[str]) -> None:
        content = json.loads(report)["analyses"][0]
        self.what: str = content["what"]
        self.verdict: str = content["verdict"]
        self.numbers: dict[str, float] = {name: _number(value) for name, value in content["numbers"].items()}
        self.warnings: list[str] = content["warnings"]
        self.figures = list(figures)

    def __getitem__(self, name: str) -> float:
        return self.numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getattr__(self, name: str) -> float:
        if name.startswith("__") or "numbers" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(f"no number '{name}' in this analysis; available: {', '.join(self.numbers)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.numbers]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        return ["number", "value"], [[name, number(value)] for name, value in self.numbers.items()]

    def __repr__(self) -> str:
        parts = [f"{self.what}: {self.verdict}"]
        if self.numbers:
            parts.append(text_table(*self._cells()))
        parts += [f"warning: {warning}" for warning in self.warnings]
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        notes = "".join(preformatted(f"warning: {warning}") for warning in self.warnings)
        pictures = "".join(map(inline_svg, self.figures))
        verdict = f"<p><b>{escape(self.what)}</b>: {escape(self.verdict)}</p>"
        table = html_table(*self._cells()) if self.numbers else ""
        return f"<div>{verdict}{table}{notes}{pictures}</div>"


def _number(value: Union[None, float]) -> float:
    return float("nan") if value is None else float(value)


def option_texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Options of an analysis in the form of the library; None means not given."""
    return {name.removesuffix("_"): _option_text(value) for name, value in options.items() if value is not None}


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(_option_text(item) for item in value)
    return repr(float(value)) if isinstance(value, float) else str(value)
