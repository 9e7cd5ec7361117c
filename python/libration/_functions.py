"""Every function of the language of expressions, under its own name; _functions.pyi lists them for type checkers."""

from ._expressions import FUNCTIONS

globals().update(FUNCTIONS)
__all__ = list(FUNCTIONS)
