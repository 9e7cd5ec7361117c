"""Functions given by values, from Python: lb.interp with tables, and lb.mod."""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import libration as lb

x = lb.coordinates("x")
PROFILE = {"x": [0, 1, 2], "y": [0, 5, 0]}


def pushed(**given: object) -> lb.Model:
    """x'' = the table at t; with the steps of the run it is at rest, then pushed, then free."""
    arguments = {
        "q": [x],
        "mass": 1,
        "tables": {"profile": PROFILE},
        "forces": {"push": {"class": "driving", "on": {x: lb.interp("profile", lb.t)}}},
        "initial": {"q": [0]},
        "run": {"method": "spark(3)", "step": "1/64", "steps": 256},
    }
    return lb.Model(**{**arguments, **given})  # type: ignore[arg-type]


def test_a_table_drives_a_run_to_its_known_end() -> None:
    run = pushed().run()
    assert run.v[-1][0] == pytest.approx(5, abs=1e-12)
    assert run.q[-1][0] == pytest.approx(15, abs=1e-12)


@pytest.mark.parametrize("values", [np.array, tuple, lambda v: np.array(v, dtype=np.float32)])
def test_values_are_lists_tuples_and_arrays(values: object) -> None:
    given = {"x": values(PROFILE["x"]), "y": values(PROFILE["y"]), "kind": "linear"}  # type: ignore[operator]
    assert pushed(tables={"profile": given}).run().q[-1][0] == pushed().run().q[-1][0]


def test_the_same_model_comes_from_text() -> None:
    model = pushed(tables={"profile": {**PROFILE, "kind": "cubic"}})
    assert '[tables]\nprofile = { x = [0, 1, 2], y = [0, 5, 0], kind = "cubic" }' in model.to_toml()
    again = lb.Model.parse(model.to_toml())
    assert again.run().q[-1][0] == model.run().q[-1][0]
    assert "interp(profile, t)" in model.to_toml()


def test_a_model_with_a_file_keeps_the_values(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("torque.csv").write_text("t, torque\n0, 0\n1, 5\n2, 0\n")
    model = pushed(tables={"profile": {"file": "torque.csv"}}, parameters={"a": 1})
    os.remove("torque.csv")
    assert model.run().q[-1][0] == pytest.approx(15, abs=1e-12)
    assert model.set(a=2).run().q[-1][0] == model.run().q[-1][0]
    assert pickle.loads(pickle.dumps(model)).run().q[-1][0] == model.run().q[-1][0]


def test_ensembles_and_files_know_tables(tmp_path: pathlib.Path) -> None:
    a = lb.parameters("a")
    model = pushed(
        forces={"push": {"class": "driving", "on": {x: a * lb.interp("profile", lb.t)}}}, parameters={a: 1}
    )
    members = model.ensemble(vary={"a": [1, 2, 3]})
    assert members.q[:, 0] == pytest.approx([15, 30, 45], abs=1e-11)
    model.run(out=str(tmp_path / "run.h5"))
    assert lb.open(str(tmp_path / "run.h5")).model.run().q[-1][0] == model.run().q[-1][0]


def test_expressions_with_tables_have_derivatives_texts_and_symbols() -> None:
    e = lb.interp("profile", x**2)
    assert str(e) == "interp(profile, x ^ 2)"
    assert str(e.diff(x)) == "2 * x * interp(profile, x ^ 2, 1)" or "interp(profile, x ^ 2, 1)" in str(e.diff(x))
    assert e.symbols == (x,)
    assert lb.parse(str(e)) == e
    assert pickle.loads(pickle.dumps(e)) == e
    assert [str(part) for part in lb.interp("profile", [x, 2 * x])] == ["interp(profile, x)", "interp(profile, 2 * x)"]
    assert lb.interp("profile", x, 1) == lb.interp("profile", x).diff(x)
    with pytest.raises(ValueError, match="whose values are known in a model only"):
        e.evaluate(x=1.0)


def test_an_expression_with_a_table_moves_to_another_process() -> None:
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    told = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(lb.interp("profile", x)), capture_output=True, check=True
    )
    assert told.stdout.decode().strip() == "interp(profile, x)"


def test_mod_is_the_remainder_of_python() -> None:
    for a in (7, -7, 5.5):
        for b in (3, -3, 2.5):
            assert lb.mod(x, b).evaluate(x=a) == a % b
    assert lb.mod(x, 3) == x % 3
    assert lb.mod(x, 3).diff(x) == 1


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"tables": {"profil": PROFILE}}, ValueError, ["unknown table 'profile'", "did you mean 'profil'?"]),
        ({"tables": None}, ValueError, ["unknown table 'profile'"]),
        ({"tables": {"profile": {"x": [0, 0], "y": [0, 1]}}}, ValueError, ["tables['profile']", "x must increase"]),
        ({"tables": {"profile": {"x": [0, 1], "y": [0]}}}, ValueError, ["x has 2 values and y has 1"]),
        ({"tables": {"profile": {**PROFILE, "kind": "cubc"}}}, ValueError, ["did you mean 'cubic'?"]),
        ({"tables": {"profile": {"x": [0, 1], "y": [0, float("nan")]}}}, ValueError, ["not a finite number"]),
        ({"tables": {"profile": {"file": "missing.csv"}}}, ValueError, ["cannot read the table missing.csv"]),
        ({"tables": {"profile": {"file": 3}}}, TypeError, ["must be the name of a file"]),
        ({"tables": [1, 2]}, TypeError, ["tables: expected a dict such as {'profile'"]),
        ({"tables": {"x": PROFILE, "profile": PROFILE}}, ValueError, ["the name 'x' cannot be used"]),
    ],
)
def test_mistakes_are_told(given: dict[str, object], kind: type[Exception], words: list[str]) -> None:
    with pytest.raises(kind) as told:
        pushed(**given)
    for word in words:
        assert word in str(told.value)


def test_arguments_of_interp_are_checked() -> None:
    with pytest.raises(TypeError, match="the first argument is the name of a table"):
        lb.interp(x, "profile")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="derivative must be 0, 1, 2"):
        lb.interp("profile", x, -1)
    with pytest.raises(ValueError, match="cannot be a name"):
        lb.interp("my table", x)
