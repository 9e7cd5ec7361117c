"""Symbols and functions for models."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Expression
from ._values import as_formula

Number = Union[int, float, Fraction, "np.integer[Any]", "np.floating[Any]"]
Term = Union[Expression, Number]
Vector = NDArray[np.object_]

# Names that mean something else in every model.
_WORDS = frozenset({"pi", "t", "and", "or", "not", "in", "sum", "interp"})


def _reserved() -> frozenset[str]:
    return _WORDS | {name for name, _, _ in _core.functions()}


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a name must be a text, not an object of type {type(name).__name__}")
    plain = bool(name) and not name[0].isdigit() and all(c == "_" or c.isalpha() or c in "0123456789" for c in name)
    if not plain:
        raise ValueError(f"'{name}' cannot be a name: use letters, digits and _, and start with a letter, as in x_1")
    if name in ("t", "pi"):
        meaning = "the time" if name == "t" else "the number"
        raise ValueError(f"'{name}' cannot be a name: it is reserved for {meaning}, lb.{name}")
    if name in _reserved():
        raise ValueError(f"'{name}' cannot be a name: it is reserved in expressions; use another one, such as {name}_1")
    return name


def _split_names(names: str | Iterable[str]) -> list[str]:
    if isinstance(names, str):
        return names.replace(",", " ").split()
    if not isinstance(names, Iterable):
        raise TypeError(f"names are a text or a list of texts, not an object of type {type(names).__name__}")
    return list(names)


def _symbols(names: str | Iterable[str], what: str) -> Any:
    found = [_checked_name(name) for name in _split_names(names)]
    for name in found:
        if name.startswith(("p_", "v_", "lambda_")):
            prefix = name.partition("_")[0] + "_"
            raise ValueError(
                f"'{name}' cannot be a name: names that start with {prefix} are reserved for momenta, velocities and "
                "multipliers"
            )
    if not found:
        raise ValueError(f'{what} needs at least one name, as in {what}("x y")')
    seen: set[str] = set()
    for name in found:
        if name in seen:
            raise ValueError(f"the name '{name}' is given twice")
        seen.add(name)
    made = tuple(_core.symbol(name) for name in found)
    return made[0] if isinstance(names, str) and len(made) == 1 else made


def coordinates(names: str | Iterable[str]) -> Any:
    """Coordinates: symbols from a text of names, or from a list of names.

    One name gives a symbol, several names give a tuple:

    >>> theta = lb.coordinates("theta")
    >>> x, y = lb.coordinates("x y")
    """
    return _symbols(names, "coordinates")


def parameters(names: str | Iterable[str]) -> Any:
    """Parameters: symbols with values given by the model, which `set` and ensembles can change.

    >>> g, l = lb.parameters("g l")
    """
    return _symbols(names, "parameters")


def symbol(name: str) -> Expression:
    """One symbol."""
    return _core.symbol(_checked_name(name))


def _prefixed(prefix: str, of: Any) -> Any:
    if isinstance(of, Expression):
        if of.op != "symbol":
            raise ValueError(f"{prefix}_ requires a coordinate, and '{of!r}' is not a symbol")
        return _core.symbol(f"{prefix}_{of.text}")
    if isinstance(of, str):
        return _core.symbol(f"{prefix}_{_checked_name(of)}")
    if isinstance(of, (int, float)):
        raise TypeError(f"{prefix}_ requires a coordinate, not a number")
    parts = [_prefixed(prefix, part) for part in of]
    if isinstance(of, np.ndarray):
        return _object_array(parts)
    return tuple(parts) if isinstance(of, tuple) else parts


def velocity(of: Any) -> Any:
    """The velocity v_x of the coordinate x, or the velocities of several coordinates."""
    return _prefixed("v", of)


def momentum(of: Any) -> Any:
    """The momentum p_x of the coordinate x, or the momenta of several coordinates."""
    return _prefixed("p", of)


def multiplier(of: str | int) -> Expression:
    """The Lagrange multiplier of a constraint, by its name or its number (from 1).

    >>> lb.multiplier("rod"), lb.multiplier(1)
    (lambda_rod, lambda_1)
    """
    if isinstance(of, bool) or not isinstance(of, (str, int, np.integer)):
        raise TypeError(f"multiplier() takes the name or the number of a constraint, not a {type(of).__name__}")
    if isinstance(of, str):
        return _core.symbol(f"lambda_{_checked_name(of)}")
    if of < 1:
        raise ValueError(f"multipliers are numbered from 1; there is no multiplier {of}")
    return _core.symbol(f"lambda_{int(of)}")


def parse(text: str) -> Expression:
    """Parse a text: lb.parse("x^2 + sin(y)/3"), also with x**2."""
    if not isinstance(text, str):
        raise TypeError(f"parse takes a text, not an object of type {type(text).__name__}")
    return _core.parse(as_formula(text))


t: Expression = _core.symbol("t")
"""The time."""

pi: Expression = _core.constant("pi")
"""The number pi, exact in any precision."""


def _object_array(parts: Sequence[Any]) -> Vector:
    array = np.empty(len(parts), dtype=object)
    for k, part in enumerate(parts):
        array[k] = part
    return array


def vector(*components: Any) -> Vector:
    """A vector of expressions: a numpy array whose elements are expressions.

    >>> r = lb.vector(x, y)
    >>> lb.norm(r), r @ r, np.sin(r), 2*r
    """
    if len(components) == 1 and not isinstance(components[0], (Expression, int, float, str)):
        components = tuple(components[0])
    if not components:
        raise ValueError("a vector needs at least one component, as in vector(x, y)")
    return _object_array([_term(part, "a component of a vector") for part in components])


def _term(value: Any, what: str) -> Expression:
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        return parse(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _term(value.item(), what)
    if isinstance(value, tuple):  # Expression(tuple) restores a stored expression
        raise TypeError(f"{what} must be an expression or a number, not a tuple")
    try:
        return Expression(value)
    except TypeError:
        raise TypeError(
            f"{what} must be an expression or a number, not an object of type {type(value).__name__}"
        ) from None


def _is_many(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _vector_function(name: str, summary: str) -> Callable[..., Any]:
    def function(*vectors: Any) -> Any:
        result = _core.call(name, *(vector(part) if _is_many(part) else _term(part, "an argument") for part in vectors))
        return _object_array(result) if isinstance(result, list) else result

    function.__doc__ = f"{summary}\n\n    Vectors are arrays, lists or tuples of expressions and numbers.\n    "
    return function


def _scalar_function(name: str, summary: str) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:
        if not any(_is_many(argument) for argument in arguments):
            return _core.call(name, *(_term(argument, "an argument") for argument in arguments))
        arrays = np.broadcast_arrays(*(np.asarray(argument, dtype=object) for argument in arguments))
        result = np.empty(arrays[0].shape, dtype=object)
        for place in np.ndindex(result.shape):
            result[place] = _core.call(name, *(_term(array[place], "an element") for array in arrays))
        return result

    function.__doc__ = f"{summary}\n\n    Arrays, lists and tuples are processed element by element.\n    "
    return function


def interp(table: str, x: Any, derivative: int = 0) -> Any:
    """The function of a table of the model at x, or its derivative of the given order.

    The model gives the values: lb.Model(..., tables={"profile": {"x": [0, 1, 2], "y": [0, 5, 0], "kind": "cubic"}}).
    Of arrays, lists and tuples: element by element.

    >>> torque = lb.interp("profile", lb.t)
    """
    if not isinstance(table, str):
        raise TypeError(f"interp: the first argument is the name of a table, not a {type(table).__name__}")
    if isinstance(derivative, bool) or not isinstance(derivative, (int, np.integer)) or derivative < 0:
        raise ValueError(f"interp: derivative must be 0, 1, 2, ..., not {derivative!r}")
    name, order = _checked_name(table), int(derivative)
    if not _is_many(x):
        return _core.interp(name, _term(x, "x of interp"), order)
    array = np.asarray(x, dtype=object)
    result = np.empty(array.shape, dtype=object)
    for place in np.ndindex(result.shape):
        result[place] = _core.interp(name, _term(array[place], "an element"), order)
    return result


def _functions() -> dict[str, Callable[..., Any]]:
    made: dict[str, Callable[..., Any]] = {}
    of_vectors = set(_core.vector_functions())
    for name, _, summary in _core.functions():
        python_name = "where" if name == "if" else f"{name}_" if keyword.iskeyword(name) else name
        if python_name == "where":
            summary = summary.replace("if(", "where(")
        function = _vector_function(name, summary) if name in of_vectors else _scalar_function(name, summary)
        function.__name__ = function.__qualname__ = python_name
        function.__module__ = "libration"
        made[python_name] = function
    return made


FUNCTIONS: dict[str, Callable[..., Any]] = _functions()
"""All functions of expressions by name: sin, where, norm, ..."""

__all__ = [
    "Expression",
    "coordinates",
    "interp",
    "momentum",
    "multiplier",
    "parameters",
    "parse",
    "pi",
    "symbol",
    "t",
    "vector",
    "velocity",
]
