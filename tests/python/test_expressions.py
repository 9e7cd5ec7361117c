"""Expressions: what Python's operators and numpy build, what is refused, and that no size or depth breaks them."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest

from libration import _core
from libration import _expressions as lb
from libration._core import Expression

x, y = lb.coordinates("x y")
f = lb.FUNCTIONS


def test_operators_build_what_text_says() -> None:
    assert x**2 + 3 * y - f["sin"](x * y) / 4 == lb.parse("x^2 + 3*y - sin(x*y)/4")
    assert 2**x - x**0.5 == lb.parse("2^x - sqrt(x)")
    assert -x // 2 + x % 3 == lb.parse("-x // 2 + x % 3")
    assert abs(x) + +x == lb.parse("abs(x) + x")
    assert divmod(x, 2) == (x // 2, x % 2)
    assert (x < y) & (x <= 2) | ~(y > 1) == lb.parse("x < y and x <= 2 or not (y > 1)")
    assert (x >= y) == lb.parse("x >= y")


def test_numbers_are_exact() -> None:
    assert str(x * 0.1) == "1/10 * x"
    assert x + Fraction(1, 3) == lb.parse("x + 1/3")
    assert str(Expression(10**40)) == str(10**40)
    assert Expression(-(10**40)) == -Expression(10**40)
    assert x**np.int64(3) == x**3
    assert np.float32(0.5) * x == 0.5 * x == Fraction(1, 2) * x
    assert float(Expression(2) ** Fraction(1, 2)) == math.sqrt(2)
    assert float(lb.pi) == math.pi
    for value in (-1e300, 5e-324, 1e22, -0.1, 1 / 3):
        assert lb.parse(str(x + value)) == x + value
        assert float(Expression(value)) == value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan"), 10**400])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="number|range"):
        x * value


@pytest.mark.parametrize("other", ["x", None, 1j, np.complex128(1), [1], {}, object()])
def test_foreign_operands_are_type_errors(other: object) -> None:
    for operation in (operator.add, operator.mul, operator.pow, operator.lt):
        with pytest.raises(TypeError):
            operation(x, other)
        with pytest.raises(TypeError):
            operation(other, x)
    assert x != other


def test_arrays_work_on_both_sides() -> None:
    q = lb.vector(x, y)
    assert list(x * q) == [x * x, x * y] == list(q * x)
    assert list(np.array([1.0, 2.0]) * x) == [x, 2 * x] == list(x * np.array([1, 2]))
    assert np.float64(2) * x == 2 * x
    assert isinstance(np.float64(2) * x, Expression)
    assert q @ q == np.dot(q, q) == np.vdot(q, q) == x * x + y * y
    assert np.sum(q) == x + y
    assert np.linalg.norm(q) == f["norm"](q) == lb.parse("sqrt(x*x + y*y)")
    assert list(np.cross(lb.vector(x, y, 0), lb.vector(1, 2, x))) == [x * y, -(x * x), 2 * x - y]


@pytest.mark.parametrize(
    "name",
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh sqrt cbrt exp log log2 log10 log1p expm1"
    " exp2 fabs abs floor ceil trunc square reciprocal radians degrees deg2rad rad2deg negative conjugate".split(),
)
def test_functions_of_numpy_agree_with_numbers(name: str) -> None:
    function = getattr(np, name)
    at = 1.3 if name == "arccosh" else 0.4
    expected = float(function(at))
    assert function(x).evaluate(x=at) == pytest.approx(expected, rel=1e-14)
    assert function(np.array([x, y]))[1].evaluate(y=at) == pytest.approx(expected, rel=1e-14)


def test_functions_of_two_arguments_agree_with_numbers() -> None:
    for function in (np.arctan2, np.hypot, np.power, np.mod, np.floor_divide, np.subtract):
        assert function(x, y).evaluate(x=0.7, y=0.2) == pytest.approx(float(function(0.7, 0.2)), rel=1e-14)


def test_every_function_of_the_language_is_here_with_a_docstring() -> None:
    for name, arity, summary in _core.functions():
        function = f["where" if name == "if" else name]
        assert (function.__doc__ or "").startswith(summary.replace("if(", "where("))
        if name in ("cross", "dot", "norm", "norm2"):
            continue
        arguments = [x, y, x + y][:arity]
        assert function(*arguments) == _core.call(name, *arguments)
        with pytest.raises(ValueError, match="argument"):
            function()


def test_functions_go_through_arrays_element_by_element() -> None:
    assert f["sin"]([x, y]).tolist() == [f["sin"](x), f["sin"](y)]
    assert f["atan2"](np.array([[x], [y]]), [1, x]).shape == (2, 2)
    assert f["where"](x < y, x, "sqrt(3)/2") == lb.parse("if(x < y, x, sqrt(3)/2)")
    assert f["max"](x, y, 1) == lb.parse("max(x, y, 1)")
    assert f["cross"]([x, y], [1, 2]) == 2 * x - y


def test_an_expression_has_no_truth_value() -> None:
    for what in (lambda: bool(x), lambda: 0 < x < 1, lambda: max(x, y), lambda: np.maximum(x, y), lambda: x and y):
        with pytest.raises(TypeError, match="lb.where"):
            what()
    assert bool(Expression(1)) and not bool(Expression(0))


def test_a_symbolic_expression_is_no_number() -> None:
    for what in (lambda: float(x), lambda: math.sin(x), lambda: np.array([x], dtype=float), lambda: complex(x)):
        with pytest.raises(TypeError, match="symbolic expression.*lb.external"):
            what()
    for refused in (range, len, list, round, iter, lambda e: e[0], lambda e: [1, 2][e]):
        with pytest.raises(TypeError):
            refused(x)


def test_a_caret_is_refused_with_the_way_out() -> None:
    with pytest.raises(TypeError, match=r"\*\*"):
        x ^ 2


def test_equality_is_structural_and_agrees_with_hashes() -> None:
    assert x + y == y + x and hash(x + y) == hash(y + x)
    assert (x == y) is False and (x != y) is True
    assert Expression(2) == 2 and hash(Expression(2)) == hash(2)
    assert {x: 1}[lb.symbol("x")] == 1
    assert x in [y, x]


@pytest.mark.parametrize("text", ["x", "2", "-1/3", "pi", "x^2 + sin(x*y)/3 - if(x < y, 1e300, -y)", "x - (y - x)"])
def test_expressions_survive_pickling_copying_and_printing(text: str) -> None:
    e = lb.parse(text)
    assert pickle.loads(pickle.dumps(e)) == e
    assert copy.copy(e) is e and copy.deepcopy(e) is e
    assert lb.parse(str(e)) == e
    odd = _core.symbol("r[0].x") * e
    assert pickle.loads(pickle.dumps(odd)) == odd


@pytest.mark.parametrize(
    "nodes",
    [(), ((1, 2, 3),), ((1,),), (("+", "", (0, 0)),), (("symbol", "x", ()), ("+", "", (0, -1))), (("no", "", ()),)],
)
def test_damaged_pickles_are_refused(nodes: tuple[object, ...]) -> None:
    with pytest.raises((ValueError, TypeError)):
        Expression(nodes)


def test_objects_without_content_cannot_be_made() -> None:
    with pytest.raises(TypeError):
        Expression.__new__(Expression)
    with pytest.raises(TypeError):
        object.__new__(Expression)


def test_structure_can_be_read() -> None:
    e = f["sin"](x) + y
    assert e.op == "+" and set(e.arguments) == {f["sin"](x), y}
    assert x.op == "symbol" and x.text == "x" and e.symbols == (x, y)
    assert (x * x * y).diff(x).evaluate(x=3, y=2) == 12
    assert (x * y).substitute({x: 2, y: x}) == 2 * x
    with pytest.raises(ValueError, match="not one"):
        e.diff(e)
    with pytest.raises(ValueError, match="'y' is used but has no value"):
        e.evaluate(x=1)


def test_names_are_checked() -> None:
    assert lb.coordinates("θ").text == "θ"
    assert lb.coordinates(["a", "b_1"]) == (lb.symbol("a"), lb.symbol("b_1"))
    for name in ("", "1x", "a-b", "a b\0", "sin", "pi", "t", "if", "and", "x x", "\udc80", "x."):
        with pytest.raises(ValueError, match="name"):
            lb.coordinates(name)
    for wrong in (3, [1], None, [None]):
        with pytest.raises(TypeError, match="name|text"):
            lb.coordinates(wrong)  # type: ignore[arg-type]


def test_velocities_momenta_and_multipliers_have_the_names_of_the_model_language() -> None:
    assert str(lb.velocity(x)) == "v_x" and str(lb.momentum("y")) == "p_y"
    assert [str(v) for v in lb.velocity(lb.vector(x, y))] == ["v_x", "v_y"]
    assert str(lb.multiplier("rod")) == "lambda_rod" and str(lb.multiplier(1)) == "lambda_1"
    with pytest.raises(ValueError, match="not a symbol"):
        lb.velocity(x + y)
    with pytest.raises(ValueError, match="numbered from 1"):
        lb.multiplier(0)


def _random_pair(source: random.Random, depth: int) -> tuple[Expression, float]:
    """The same calculation with symbols and with numbers, for x = 0.3 and y = 0.8."""
    if depth == 0:
        return source.choice([(x, 0.3), (y, 0.8), (Expression(2), 2.0), (Expression(0.75), 0.75)])
    a, b = _random_pair(source, depth - 1), _random_pair(source, depth - 1)
    unary = {"sin": math.sin, "cos": math.cos, "atan": math.atan, "tanh": math.tanh, "asinh": math.asinh}
    kind = source.randrange(9)
    if kind < 5:
        name = source.choice(sorted(unary))
        return f[name](a[0]), unary[name](a[1])
    if kind == 5:
        return f["where"](a[0] < b[0], a[0], b[0]), a[1] if a[1] < b[1] else b[1]
    both = [operator.add, operator.sub, operator.mul][kind - 6]
    return both(a[0], b[0]), both(a[1], b[1])


def test_random_expressions_have_the_values_of_pythons_own_functions() -> None:
    source = random.Random(5)
    for _ in range(400):
        e, value = _random_pair(source, source.randrange(1, 7))
        # Tens of operations on numbers of size 1, each rounded once; sums of up to 2^6 terms.
        assert e.evaluate({x: 0.3, "y": 0.8}) == pytest.approx(value, rel=1e-12, abs=1e-12)
        assert lb.parse(str(e)) == e


def test_shared_parts_get_names_and_the_text_stays_short() -> None:
    e = x
    for _ in range(200):
        e = e * e + e
    with pytest.raises(ValueError, match="longer than"):
        str(e)
    assert len(repr(e)) < 100
    definitions, (text,) = _core.shared_text([e], ["s1"])
    assert sum(len(part) for _, part in definitions) + len(text) < 40_000
    assert all(name != "s1" for name, _ in definitions)
    assert pickle.loads(pickle.dumps(e)) == e
    assert e.diff(x).evaluate(x=1e-9) == pytest.approx(1.0, rel=1e-6)


def test_deep_expressions_do_not_overflow_the_stack() -> None:
    nested = chain = x
    for k in range(100_000):
        nested = f["sin"](nested) if k % 2 else 1 - nested
        chain = chain + k * y
    assert hash(nested) == hash(nested)
    assert lb.parse(str(chain)) == chain
    assert len(str(nested)) > 100_000
    assert chain.diff(x) == 1
    assert math.isfinite(nested.diff(x).evaluate(x=0.5))
    assert math.isfinite(nested.evaluate(x=0.5))
    assert nested.substitute({x: y}).symbols == (y,)
    assert pickle.loads(pickle.dumps(nested)) == nested
    with pytest.raises(ValueError, match="nested"):
        lb.parse("(" * 100_000)


def test_nested_choices_are_not_walked_path_by_path() -> None:
    e = x
    for _ in range(200):
        e = f["where"](e < y, f["min"](e, 2 * e), f["sin"](e))
    assert math.isfinite(e.diff(x).evaluate(x=0.5, y=0.1))
