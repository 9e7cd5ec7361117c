"""What else there is in a session changes no bit: not other expressions, not the order in which they were made."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

import libration as lb
import numpy as np
import pytest

LENGTH = {"step": 0.01, "steps": 3000}


def pieces(order: "list[int]") -> "tuple[lb.Expression, lb.Expression, list[lb.Expression]]":
    x, y = lb.coordinates("x y")
    makers = [
        lambda: 1.1 * lb.sin(x),
        lambda: lb.cos(2 * x),
        lambda: lb.exp(x / 3),
        lambda: 0.7 * x**4,
        lambda: lb.sin(x * y),
        lambda: lb.tanh(x),
    ]
    made = {k: makers[k]() for k in order}
    return x, y, [made[k] for k in range(len(makers))]


def from_program(text: str, directory: pathlib.Path) -> "list[float]":
    path = directory / "model.toml"
    path.write_text(text)
    program = os.environ.get("LIBRATION", "build/release/libration")
    options = ["--method", "verlet", "--step", "0.01", "--steps", "3000", "--json", "--quiet"]
    command = [program, "run", str(path), *options]
    position: "list[float]" = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["q"]
    return position


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]])
def test_terms_made_in_any_order_give_the_bits_of_the_program(order: "list[int]", tmp_path: pathlib.Path) -> None:
    x, y, parts = pieces(order)
    potential = 3 * x**2 + 2 * y**2 + sum(parts[1:], parts[0])
    model = lb.Model(q=[x, y], mass=1, potential=potential, initial={"q": [0.3, 0.2], "v": [0.1, 0.3]})
    assert model.run("verlet", **LENGTH).q[-1].tolist() == from_program(model.to_toml(), tmp_path)


def test_expressions_that_are_alive_change_no_bit_of_a_model() -> None:
    text = """
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "3*x^2 + 2*y^2 + sin(x) + cos(2*x) + exp(x/3) + 0.7*x^4 + sin(x*y) + tanh(x)"
[initial]
q = [0.3, 0.2]
v = [0.1, 0.3]
"""
    before = lb.Model.parse(text).run("verlet", **LENGTH)
    y, x = lb.coordinates("y x")
    kept = [lb.tanh(x), lb.sin(x * y), lb.exp(x / 3), x**4, y * y, 2 * x]
    after = lb.Model.parse(text).run("verlet", **LENGTH)
    assert kept and np.array_equal(before.q, after.q) and np.array_equal(before.p, after.p)


def test_definitions_have_the_bits_of_what_is_written_out(tmp_path: pathlib.Path) -> None:
    text = """
[coordinates]
q = ["x", "y"]
{definitions}
[dynamics]
mass = 1
potential = "3*x^2 + 2*y^2 + cos(2*x) + exp(x/3) + {swing} + {bend}"
[initial]
q = [0.3, 0.2]
v = [0.1, 0.3]
"""
    named = '[definitions]\nbend = "tanh(x)"\nswing = "sin(x*y)"'
    written_out = text.format(definitions="", swing="sin(x*y)", bend="tanh(x)")
    defined = text.format(definitions=named, swing="swing", bend="bend")
    assert from_program(defined, tmp_path) == from_program(written_out, tmp_path)
