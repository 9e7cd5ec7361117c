"""What the core does with objects and arguments that nobody should give it: exceptions, never a crash."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import libration as lb
import numpy as np
import pytest
from libration import _core


def in_a_child(code: str) -> None:
    """A crash ends the child, not the tests."""
    start = "import resource; resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))\nimport libration as lb\n"
    start += "from libration import _core\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


MAKE_OBJECTS = """
states = []
model = lb.load("pendulum")
run = model.run("rattle", step=0.01, steps=3, callback=lambda state: states.append(state))
ensemble = model.ensemble("rattle", vary={"g": [1.0, 2.0]}, step=0.01, steps=3)
external = _core.External(potential=lambda q: 0.0, gradient=lambda q: q)
objects = [model._core, run._core, states[0], ensemble._core, external, run._core.column("q").base.obj]
assert type(objects[-1]) is _core.Memory
"""


def test_objects_of_the_core_refuse_to_be_pickled() -> None:
    in_a_child(
        MAKE_OBJECTS
        + """
import copy, pickle
ways = [copy.copy, copy.deepcopy, lambda one: one.__reduce__()]
ways += [lambda one, p=p: pickle.dumps(one, p) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
ways += [lambda one, p=p: one.__reduce_ex__(p) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
for one in objects:
    for way in ways:
        try:
            way(one)
        except TypeError as error:
            assert "cannot be pickled" in str(error), error
        else:
            raise AssertionError(type(one))
"""
    )


def test_expressions_and_models_are_pickled_by_every_protocol() -> None:
    x, y = lb.coordinates("x y")
    model = lb.load("pendulum").set(g=2)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for one in (x * y + 1, model):
            assert pickle.loads(pickle.dumps(one, protocol)) == one
    assert copy.deepcopy(model) == model


def test_no_function_of_the_core_takes_none_for_an_object() -> None:
    in_a_child(
        """
functions = [getattr(_core, name) for name in dir(_core) if not name.startswith("_")]
methods = [getattr(kind, name) for kind in functions if isinstance(kind, type) for name in dir(kind)
           if not hasattr(object, name)]
methods += [one.fget for one in methods if isinstance(one, property)]
tried = 0
for function in [*functions, *methods]:
    for arguments in [(None,), (None, None), (None, "rattle", {}), (None, {}, [], [], None), (None, "x.h5", True)]:
        if callable(function) and not isinstance(function, type):
            tried += 1
            try:
                function(*arguments)
            except (TypeError, ValueError, AttributeError, OSError):
                pass
assert tried > 300
"""
    )


def test_a_table_of_another_width_than_its_names_is_refused() -> None:
    model = lb.load("pendulum")._core
    options = {"method": "rattle", "step": 0.01, "steps": 2}
    for names, values in (
        (["g"], np.ones((3, 2))),
        (["g", "x"], np.ones((3, 1))),
        (["g", "x"], np.ones(4)),
        ([], np.ones((2, 2))),
        (["g"], np.ones((0, 1))),
        (["g"], np.array(1.0)),
    ):
        with pytest.raises(lb.InputError):
            _core.ensemble(model, options, names, values)
    with pytest.raises(lb.InputError, match="names"):
        _core.ensemble(model, options, ["g"], None)


def test_more_constraints_than_coordinates_are_refused_at_once() -> None:
    in_a_child(
        """
x, y = lb.coordinates("x y")
for rows in (3, 10**9, 2**62):
    many = lb.external(lambda q: q, jacobian=lambda q: q, rows=rows)
    try:
        lb.Model(q=[x, y], mass=1, potential=y, constraints=many, initial={"q": [1, 0]})
    except lb.InputError as error:
        assert f"{rows}" in str(error) and "2 coordinates" in str(error), error
    else:
        raise AssertionError(rows)
"""
    )


@pytest.mark.parametrize("rows", [1.5, "2", None, [1], 1j])
def test_the_number_of_rows_is_a_whole_number(rows: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="rows"):
        lb.external(lambda q: q, jacobian=lambda q: q, rows=rows)


def test_names_that_the_file_system_refuses_are_file_errors(tmp_path: Path) -> None:
    model = lb.load("pendulum")
    long = tmp_path / ("x" * 300 + ".h5")
    with pytest.raises(lb.FileError):
        model.ensemble("rattle", vary={"g": [1.0]}, step=0.01, steps=2, out=long)
    ensemble = model.ensemble("rattle", vary={"g": [1.0]}, step=0.01, steps=2)
    run = model.run("rattle", step=0.01, steps=2)
    for overwrite in (False, True):
        with pytest.raises(lb.FileError):
            ensemble.save(long, overwrite=overwrite)
        for name in (long, long.with_suffix(".csv")):
            with pytest.raises(lb.FileError):
                run.save(name, overwrite=overwrite)
            with pytest.raises(lb.FileError):
                model.run("rattle", step=0.01, steps=2, out=name, overwrite=overwrite)
    for function in (lb.open, lb.resume):
        with pytest.raises(lb.FileError):
            function(long)
    with pytest.raises((lb.FileError, lb.InputError)):
        lb.load(long.with_suffix(".toml"))
