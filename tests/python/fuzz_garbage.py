"""Values that no sensible user would pass, and some that one would."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, List

import numpy as np

import libration as lb
from libration import _expressions as words


TEXTS = [
    *("", " ", "x", "x^2 + y", "sqrt(3)/2", "1/0", "0/0", "x +", "(" * 1000),
    *("-" * 1000 + "x", "\0", "x\0y", "\udc80", "Ω"),
    *("é" * 1000, "a" * 100_000, "\n", "[q]", '"""', "'''", "x = 1\n[run]", "sin(", "sum(i in 0..1000000000, x)"),
    *("1e999", "%s%n", "../../etc", "r[0].x", "lambda_1", "v_x", "p_x", "if(x<y,1,2)", "not", "x.y", "\u202e", "x;y"),
    *("uniform(0, 1)", "normal(0, -1)", "grid(0, 1, 999999999999)", "rattle", "lobatto(3)", "lobatto(-1)"),
    *("gauss(99999999)", "rattle(rattle(", "compose(rattle, kahanli8)", "compose(compose(compose(rattle, x), y), z)"),
    *("bdf(nan)", "adams(1e9)", "nosuchmethod"),
    *("--step=" * 20_000, "--project=yes " * 8_000, "x=1--" * 25_000, "=" * 100_000, "--out FILE.h5" + "=" * 100_000),
]


class Mischief(Exception):
    """Raised by the fuzz test itself, inside of callbacks and of objects with bad manners."""


class BadManners:
    """Every question to this object ends in an exception."""

    def __getattr__(self, name: str) -> Any:
        raise Mischief(name)

    def __iter__(self) -> Any:
        raise Mischief("iter")

    def __len__(self) -> int:
        raise Mischief("len")

    def __float__(self) -> float:
        raise Mischief("float")

    def __index__(self) -> int:
        raise Mischief("index")

    def __bool__(self) -> bool:
        raise Mischief("bool")

    def __repr__(self) -> str:
        return "BadManners()"


def _recurse(*arguments: Any) -> Any:
    return _recurse(*arguments)


def _raise(*arguments: Any, **named: Any) -> Any:
    raise Mischief("raised by a callback")


def _nested_list(depth: int) -> List[Any]:
    inner: List[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


class Garbage:
    """Random values from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.x, self.y = words.coordinates("x y")

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def number(self) -> Any:
        return self.pick(
            0, 1, -1, 2, 0.5, -0.5, 1e-300, 5e-324, 1e308, -1e308, math.nan, math.inf, -math.inf, 2**31, 2**63,
            -(2**63) - 1,
            2**64, 10**30, 10**400, -0.0, True, Fraction(1, 3), Decimal("1E+9999"), Decimal("NaN"), 1j, np.float32(0.1),
            np.int8(-3), np.uint64(2**64 - 1), np.longdouble("1e400"), np.float16(1), np.datetime64("2020"),
            np.bool_(True),
        )  # fmt: skip

    def text(self) -> str:
        made = self.random.choice(TEXTS)
        if self.random.random() < 0.2:
            made = "".join(chr(self.random.choice([self.random.randrange(32, 127), self.random.randrange(0xD7FF)]))
                           for _ in range(self.random.randrange(20)))  # fmt: skip
        return str(made)

    def array(self) -> Any:
        shape = self.pick((), (0,), (1,), (2,), (3,), (2, 2), (0, 2), (2, 0), (1, 2, 3), (1000,))
        kind = self.pick("f8", "f4", "i8", "u1", "c16", "O", "U3", "b1", "M8[s]", ">f8", "f2")
        filling = self.pick(None, self.x, 1.5, "x") if kind == "O" else 1
        made = np.full(shape, filling, dtype=kind if kind[0] != "M" else "i8").astype(kind)
        if kind in ("f8", "f4") and made.size and self.random.random() < 0.3:
            made.flat[0] = self.pick(math.nan, math.inf)
        return self.pick(made, made.T, made[::-1] if made.ndim else made, np.broadcast_to(made, (2, *shape)))

    def expression(self, depth: int = 3) -> Any:
        if depth == 0 or self.random.random() < 0.2:
            return self.pick(self.x, self.y, words.t, words.pi, words.velocity(self.x), words.momentum(self.y),
                             words.symbol("unknown"), 1, 0.1)  # fmt: skip
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        kind = self.random.randrange(8)
        if kind == 0:
            return a + b
        if kind == 1:
            return a * b
        if kind == 2:
            return a - b
        if kind == 3 and isinstance(b, lb.Expression):
            return a / b
        if kind == 4:
            return words.FUNCTIONS["where"](words.FUNCTIONS["max"](a, b) < 1, a, b)
        name = self.pick("sin", "log", "sqrt", "acosh", "floor", "abs", "sign", "exp")
        return words.FUNCTIONS[name](a)

    def callback(self) -> Callable[..., Any]:
        count = [0]

        def counts(*arguments: Any) -> Any:
            count[0] += 1
            return count[0] < 5

        choices = [_raise, _recurse, counts, lambda *_: self.value(1), lambda: None, take_all]
        return self.random.choice(choices)

    def container(self, depth: int) -> Any:
        parts = [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        loop: List[Any] = []
        loop.append(loop)
        texts = [self.text() for _ in parts]
        return self.pick(parts, tuple(parts), dict(zip(texts, parts)), {self.x: 1, self.y: parts}, iter(parts), loop,
                         _nested_list(5000), set(texts), {"q": parts, "v": parts}, (n for n in range(3)))  # fmt: skip

    def value(self, depth: int = 2) -> Any:
        kind = self.random.randrange(9 if depth > 0 else 7)
        if kind < 2:
            return self.number()
        if kind == 2:
            return self.text()
        if kind == 3:
            return self.array()
        if kind == 4:
            return self.expression()
        if kind == 5:
            return self.callback()
        if kind == 6:
            odd = [None, BadManners(), object(), int, b"bytes", bytearray(3), range(3), slice(2), Ellipsis, lb]
            return self.random.choice([*odd, memoryview(b"x")])
        return self.container(depth)


def take_all(*arguments: Any, **named: Any) -> None:
    """A callback that takes whatever comes."""
