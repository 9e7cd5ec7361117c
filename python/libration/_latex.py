"""Models as mathematics."""

from __future__ import annotations

from typing import Protocol, Sequence


class HasEquations(Protocol):
    """What knows its equations: the core's model."""

    def latex_equations(self) -> Sequence[str]:
        """The lines of an aligned environment."""


def aligned(lines: Sequence[str]) -> str:
    r"""Lines with & before their relations as one formula: \begin{aligned} ... \end{aligned}."""
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def model_latex(model: HasEquations) -> str:
    """Energy, constraints, forces and equations of motion, for display mathematics."""
    return aligned(model.latex_equations())


def display(latex: str) -> str:
    """A formula in Markdown; the signs stand on lines of their own, as some readers want it."""
    return f"\n\n$$\n{latex}\n$$\n\n"
