"""All functions of expressions, under their names; _functions.pyi lists them for type checkers."""

from ._expressions import FUNCTIONS

globals().update(FUNCTIONS)
__all__ = list(FUNCTIONS)
