"""Models: from expressions, from functions, from text; what they say of themselves."""

from __future__ import annotations

import copy
import fractions
import json
import os
import pickle
import subprocess
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import libration as lb
from libration import _core

x, y, z = lb.coordinates("x y z")
g, k = lb.parameters("g k")

PENDULUM = """\
name = "rod"

[parameters]
g = 9.81

[coordinates]
q = ["x", "y"]

[dynamics]
mass = 1
potential = "g * y"
constraints = { rod = "x ^ 2 + y ^ 2 - 1" }

[observables]
Lz = "x * p_y - y * p_x"
invariants = ["Lz"]

[initial]
q = [0.6, -0.8]
v = [0.4, 0.3]

[run]
method = "rattle"
step = 0.01
steps = 100
"""


def pendulum(**changes: Any) -> lb.Model:
    arguments: dict[str, Any] = dict(
        q=[x, y],
        mass=1,
        potential=g * y,
        constraints={"rod": x**2 + y**2 - 1},
        invariants={"Lz": x * lb.momentum(y) - y * lb.momentum(x)},
        parameters={g: 9.81},
        initial={"q": ["3/5", "-4/5"], "v": [0.4, 0.3]},
        run={"method": "rattle", "step": 0.01, "steps": 100},
        name="rod",
    )
    arguments.update(changes)
    return lb.Model(**arguments)


def program(*arguments: str) -> Any:
    done = subprocess.run([os.environ["LIBRATION"], *arguments], capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def test_the_first_example_of_the_documentation_builds() -> None:
    model = lb.Model(
        q=[x, y], mass=1, potential=y, constraints=[x**2 + y**2 - 1], initial={"q": [1, 0], "v": [0, 0]}
    )
    assert model.check()
    assert (model.name, model.dimension) == ("model", 2)
    assert (model.coordinates, model.multipliers) == (("x", "y"), ("lambda_1",))


def test_the_text_of_a_model_reads_like_a_problem_file() -> None:
    model = pendulum(
        potential="g*y",
        constraints={"rod": "x^2 + y^2 - 1"},
        invariants={"Lz": "x*p_y - y*p_x"},
        parameters={"g": 9.81},
    )
    assert model.to_toml() == PENDULUM
    assert model == lb.Model.parse(PENDULUM)


def test_a_model_from_expressions_is_the_model_of_its_text(tmp_path: Path) -> None:
    model = pendulum()
    assert model._core.check_json() == lb.Model.parse(PENDULUM)._core.check_json()
    model.save(tmp_path / "rod.toml")
    (tmp_path / "by-hand.toml").write_text(PENDULUM, encoding="utf-8")
    assert lb.load(tmp_path / "rod.toml") == model
    assert json.loads(model._core.check_json()) == program("check", str(tmp_path / "rod.toml"), "--json")
    runs = [program("run", str(tmp_path / f"{name}.toml"), "--json", "--quiet") for name in ("rod", "by-hand")]
    for key in ("q", "p", "v", "lambda", "energy", "constraint", "invariants", "evaluations"):
        assert runs[0][key] == runs[1][key], key


def test_a_model_is_saved_over_another_only_when_told_to(tmp_path: Path) -> None:
    path = tmp_path / "rod.toml"
    pendulum().save(path)
    with pytest.raises(lb.FileError, match="overwrite=True"):
        pendulum().save(path)
    pendulum().set(g=1).save(path, overwrite=True)
    assert lb.load(path).parameters == {"g": 1.0}
    with pytest.raises(lb.InputError, match="must end in .toml"):
        pendulum().save(tmp_path / "rod.txt")
    with pytest.raises(lb.FileError, match="cannot write"):
        pendulum().save(tmp_path / "none" / "rod.toml")


@pytest.mark.parametrize("problem", [p["name"] for p in json.loads(_core.problems_json())["problems"]])
def test_every_problem_is_written_and_read_back(problem: str, tmp_path: Path) -> None:
    model = lb.load(problem)
    again = lb.Model.parse(model.to_toml(), problem)
    assert again == model and hash(again) == hash(model)
    assert again.to_toml() == model.to_toml()
    assert pickle.loads(pickle.dumps(model)) == model
    assert problem in repr(model) and "\n" not in repr(model)
    assert len(model.coordinates) == model.dimension


def test_functions_of_all_kinds_are_traced() -> None:
    class Field:
        strength = 2

        def energy(self, q: Any) -> Any:
            return self.strength * q[1]

        def __call__(self, q: Any, t: Any) -> Any:
            return 2 * q[1]

    class Compiled:
        def __init__(self, function: Any) -> None:
            self.py_func = function

        def __call__(self, q: Any) -> Any:
            raise AssertionError("knows numbers only")

    def scaled(scale: Any, q: Any) -> Any:
        return scale * q[1]

    expected = lb.Model(q=[x, y], mass=1, potential=2 * y, initial={"q": [1, 0]})
    for function in (
        lambda q: 2 * q[1],
        lambda q, t: 2 * q[1] + 0 * 1,
        lambda q, t=0: 2 * q[1],
        lambda q, *, t: 2 * q[1],
        lambda *q: 2 * q[0][1],
        lambda q: np.array(2 * q[1]),
        lambda q: np.array([2]) @ q[1:],
        lambda q: np.float64(2) * q[1],
        Field().energy,
        Field(),
        partial(scaled, 2),
        partial(lambda q, scale: scale * q[1], scale=2),
        Compiled(lambda q: 2 * q[1]),
    ):
        model = lb.Model(q=[x, y], mass=1, potential=function, initial={"q": [1, 0]})
        assert model == expected


def test_functions_of_energies_constraints_and_fields_are_traced() -> None:
    v, p = lb.vector(*lb.velocity([x, y])), lb.vector(*lb.momentum([x, y]))
    start = {"q": [1, 0]}
    kinetic = lb.Model(
        q="x y",
        kinetic=lambda q, v: (1 + q[0] ** 2) * (v @ v) / 2,
        potential=lambda q, t: q[1] * lb.sin(t),
        initial=start,
    )
    assert kinetic == lb.Model(q="x y", kinetic=(1 + x**2) * (v @ v) / 2, potential=y * lb.sin(lb.t), initial=start)
    whole = lb.Model(q="x y", hamiltonian=lambda q, p: p @ p / 2 + q[0] * p[1], initial=start)
    assert whole == lb.Model(q="x y", hamiltonian=p @ p / 2 + x * p[1], initial=start)
    rod = lb.Model(q="x y", mass=1, constraints=[x * x + y * y - 1], initial=start)
    for function in (
        lambda q: q @ q - 1,
        lambda q: [q @ q - 1],
        lambda q: (q @ q - 1,),
        lambda q: np.array([q @ q - 1]),
        lambda q: np.array(q @ q - 1),
    ):
        assert lb.Model(q="x y", mass=1, constraints=function, initial=start) == rod
    named = lb.Model(q="x y", mass=1, constraints=lambda q: {"rod": q @ q - 1}, initial=start)
    assert named.multipliers == ("lambda_rod",)
    field = lb.Model(q="x y", field=lambda q: [q[1], -q[0]], initial=start)
    assert field == lb.Model(q="x y", field={"q": {x: y, y: -x}}, initial=start)
    swinging = lb.Model(q="x y", field={"q": lambda q, v: v, "v": lambda q, v: -q}, initial={"q": [1, 0], "v": [0, 0]})
    assert swinging.check()


def test_everything_that_a_model_file_can_say_of_plain_coordinates_can_be_said() -> None:
    v_x, v_y = lb.velocity([x, y])
    model = lb.Model(
        q=[x, y, z],
        mass=["m", 2, fractions.Fraction(1, 3)],
        potential={"slow": g * y, "fast": k * x**2 / 2},
        nonholonomic={"roll": v_x - v_y * lb.sin(z)},
        forces={"damper": {"class": "dissipative", "on": {x: -v_x, "y": -v_y}}},
        spark={"position": {x: "C"}, "force": {"damper": {x: {"B": 0.9, "C": "1/10"}}}, "newton": "full"},
        observables={"height": y, "both": "x + y"},
        events={"down": y, "end": {"when": x - 1, "direction": "rising", "terminal": True}},
        parameters={"m": 1, g: 9.81, k: "1/3"},
        initial={"q": {x: 0, y: 0, z: 0}, "v": [0, 0, 0]},
        run={"method": "spark(2)", "step": 0.01, "duration": 1},
        description='a "quoted" text',
        source="here",
    )
    assert model.multipliers == ("lambda_roll",)
    assert model.observables == ("height", "both") and model.invariants == ()
    assert model.parameters["k"] == 1 / 3
    assert model._core.events == ["down", "end"]
    assert model.description == 'a "quoted" text'
    assert lb.Model.parse(model.to_toml()) == model


def test_numbers_are_exact() -> None:
    values = [0.1, 1e-300, 2**80, fractions.Fraction(1, 3), Decimal("0.1"), np.float32(0.1), np.int8(3), np.array(2.5)]
    model = lb.Model(q="x", mass=1, parameters={f"a{n}": value for n, value in enumerate(values)}, initial={"q": [1]})
    assert list(model.parameters.values()) == [float(value) for value in values]
    assert '"1/3"' in model.to_toml() and f'"{2**80}"' in model.to_toml()


def test_masses_are_numbers_lists_or_matrices() -> None:
    matrices = ([[2, 1], [1, 2]], np.eye(2), [[2, x], [x, 2 + x**2]])
    for mass in (2, [1, 2], np.array([1.0, 2.0]), *matrices, lambda q: 1 + q[0] ** 2):
        assert lb.Model(q=[x, y], mass=mass, initial={"q": [0, 0]}).check(), mass


def test_shared_parts_keep_the_text_short() -> None:
    e = x / 4
    for _ in range(100):
        e = (e * e + e) / 2
    model = lb.Model(q=[x], mass=1, potential=e, initial={"q": [1]})
    assert len(model.to_toml()) < 10_000
    assert "[definitions]" in model.to_toml()
    assert lb.Model.parse(model.to_toml()) == model
    assert model.check()


def test_deep_formulas_are_written_so_that_they_can_be_read() -> None:
    e = x
    for _ in range(1000):
        e = lb.sin(e) / 2
    assert lb.Model(q=[x], mass=1, potential=e, initial={"q": [1]}).dimension == 1


def test_parameters_and_initial_values_can_be_set() -> None:
    model = pendulum().set(g=2, x=0.6, v_x=0.8).set({y: fractions.Fraction(-4, 5)}, v_y="3/5", g=3)
    assert model.parameters == {"g": 3.0}
    assert model == lb.Model.parse(model.to_toml())
    assert "[set]" in model.to_toml() and lb.Model.parse(model.to_toml()).set(g=3) == model
    assert lb.Model.parse(model.to_toml()).set(g=4).parameters == {"g": 4.0}
    assert pendulum() == pendulum() and pendulum().set(g=2) != pendulum()
    assert lb.load("pendulum", g=2).parameters["g"] == 2
    assert lb.load("pendulum", parameters={"g": 2}).parameters["g"] == 2
    rest = pendulum(initial={"q": ["3/5", "-4/5"]})
    assert rest.set(p_x=1).set(v_x=2)._core.overrides == [("v_x", "2")]


def test_what_check_finds_is_told_as_the_program_tells_it(tmp_path: Path) -> None:
    good = pendulum().check()
    assert good and good.ok and good.faults == () and good.warnings == ()
    assert good.numbers["rank"] == 1
    bad = pendulum().set(x=2).check()
    assert not bad and "do not satisfy the constraints" in bad.faults[0]
    for model, check in ((pendulum(), good), (pendulum().set(x=2), bad)):
        model.save(tmp_path / "rod.toml", overwrite=True)
        command = [os.environ["LIBRATION"], "check", str(tmp_path / "rod.toml")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        printed = [line for line in (done.stdout + done.stderr).splitlines() if line and "--project" not in line]
        told = [line for line in repr(check).splitlines() if line and "project" not in line]
        assert told == printed


def test_a_model_does_not_change() -> None:
    model = pendulum()
    with pytest.raises(AttributeError, match="name="):
        model.name = "other"  # type: ignore[misc]
    assert copy.copy(model) is model and copy.deepcopy(model) is model
    assert {model: 1}[pendulum()] == 1
    assert pickle.loads(pickle.dumps(model.set(g=2))) == model.set(g=2)
    assert model != PENDULUM


def test_functions_that_no_text_can_hold_are_passed_on() -> None:
    rod = lb.external(lambda q: q @ q - 1, jacobian=lambda q: 2 * q, rows=1)
    height = lb.external(lambda q: q[1], gradient=lambda q: np.array([0.0, 1.0]))
    model = lb.Model(q=[x, y], mass=1, potential=height, constraints=rod, initial={"q": [1, 0]})
    assert model.multipliers == ("lambda_1",)
    assert model.check()
    assert model.set(x=-1).multipliers == ("lambda_1",)
    with pytest.raises(lb.InputError, match="cannot be written as text"):
        model.to_toml()
