# The functions of _functions.py for type checkers and editors; tests/python/test_types.py compares them.

from typing import Any

__all__ = [
    "sqrt",
    "cbrt",
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "abs",
    "sign",
    "floor",
    "mod",
    "min",
    "max",
    "hypot",
    "where",
    "dot",
    "cross",
    "norm",
    "norm2",
]

def sqrt(x: Any, /) -> Any:
    """Square root."""

def cbrt(x: Any, /) -> Any:
    """Cube root, also of negative numbers."""

def exp(x: Any, /) -> Any:
    """Exponential function."""

def log(x: Any, /) -> Any:
    """Natural logarithm."""

def sin(x: Any, /) -> Any:
    """Sine of an angle in radians."""

def cos(x: Any, /) -> Any:
    """Cosine of an angle in radians."""

def tan(x: Any, /) -> Any:
    """Tangent of an angle in radians."""

def asin(x: Any, /) -> Any:
    """Inverse sine, from -pi/2 to pi/2."""

def acos(x: Any, /) -> Any:
    """Inverse cosine, from 0 to pi."""

def atan(x: Any, /) -> Any:
    """Inverse tangent, from -pi/2 to pi/2."""

def atan2(y: Any, x: Any, /) -> Any:
    """The angle of the point (x, y), written atan2(y, x), from -pi to pi."""

def sinh(x: Any, /) -> Any:
    """Hyperbolic sine."""

def cosh(x: Any, /) -> Any:
    """Hyperbolic cosine."""

def tanh(x: Any, /) -> Any:
    """Hyperbolic tangent."""

def asinh(x: Any, /) -> Any:
    """Inverse hyperbolic sine."""

def acosh(x: Any, /) -> Any:
    """Inverse hyperbolic cosine."""

def atanh(x: Any, /) -> Any:
    """Inverse hyperbolic tangent."""

def abs(x: Any, /) -> Any:
    """Absolute value."""

def sign(x: Any, /) -> Any:
    """-1, 0 or 1: the sign of a number."""

def floor(x: Any, /) -> Any:
    """The largest integer not greater than x."""

def mod(a: Any, b: Any, /) -> Any:
    """a - b*floor(a/b): the remainder of a division, with the sign of b."""

def min(a: Any, b: Any, *more: Any) -> Any:
    """The smallest of two or more numbers."""

def max(a: Any, b: Any, *more: Any) -> Any:
    """The largest of two or more numbers."""

def hypot(a: Any, b: Any, /) -> Any:
    """sqrt(a^2 + b^2) without intermediate overflow."""

def where(condition: Any, a: Any, b: Any, /) -> Any:
    """where(condition, a, b): a if the condition holds, otherwise b."""

def dot(a: Any, b: Any, /) -> Any:
    """Scalar product of two vectors of equal length."""

def cross(a: Any, b: Any, /) -> Any:
    """Vector product; for vectors in the plane, the number a.x*b.y - a.y*b.x."""

def norm(x: Any, /) -> Any:
    """Euclidean length of a vector."""

def norm2(x: Any, /) -> Any:
    """Square of the Euclidean length of a vector."""
