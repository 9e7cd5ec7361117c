"""Files of runs that are readable and wrong: refused, never trusted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

COLUMNS = ("t", "step", "q", "p", "v", "lambda", "energy", "constraint", "hidden")
READ = """
import sys
import libration as lb
try:
    run = lb.open(sys.argv[1])
    for name in ("t", "step_numbers", "q", "p", "v", "lam", "energy"):
        getattr(run, name)
    dict(run.observables), dict(run.residuals), run.summary, run.analyse("summary")
    run.save(sys.argv[1] + ".copy.h5")
except (lb.FileError, lb.InputError) as error:
    sys.exit(f"refused: {error}")
"""


def replaced(path: Path, name: str, values: Any) -> None:
    """One dataset of a file with other content; None: without it."""
    with h5py.File(path, "r+") as file:
        del file["run"][name]
        if values is not None:
            file["run"][name] = values


def wrong(name: str) -> "dict[str, Any]":
    """Contents that this column must not have."""
    rows, width = 11, {"q": 4, "p": 4, "v": 4, "lambda": 2}.get(name, 0)
    cases: dict[str, Any] = {
        "missing": None, "text": np.array([b"text"] * rows), "scalar": 3.0, "cube": np.zeros((rows, 2, 2)),
        "pairs": np.zeros(rows, dtype=[("a", float), ("b", float)]),
    }
    if width:
        cases |= {"wider": np.zeros((rows, 4000)), "narrower": np.zeros((rows, 1)), "empty": np.zeros((rows, 0)),
                  "flat": np.zeros(rows)}
    else:
        cases |= {"matrix": np.zeros((rows, 5))}
    return cases


@pytest.fixture(scope="module")
def whole(tmp_path_factory: Any) -> bytes:
    path = tmp_path_factory.mktemp("run") / "run.h5"
    lb.load("double-pendulum").run("rattle", step=0.01, steps=10, out=path)
    assert lb.open(path).q.shape == (11, 4)
    content: bytes = path.read_bytes()
    return content


def outcome(path: Path) -> "tuple[int, str]":
    """In a process of its own: a crash must not end the test."""
    process = subprocess.run([sys.executable, "-B", "-c", READ, str(path)], capture_output=True, text=True)
    return process.returncode, process.stderr


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_another_shape_or_type_are_refused(name: str, whole: bytes, tmp_path: Path) -> None:
    for case, values in wrong(name).items():
        path = tmp_path / f"{case}.h5"
        path.write_bytes(whole)
        replaced(path, name, values)
        status, errors = outcome(path)
        assert status == 1 and errors.startswith("refused: "), (case, status, errors)


@pytest.mark.parametrize("name", ["q", "energy"])
def test_columns_of_other_lengths_are_read_as_far_as_all_go(name: str, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    path.write_bytes(whole)
    with h5py.File(path) as file:
        values = file["run"][name][()]
    replaced(path, name, values[:6])
    run = lb.open(path)
    assert len(run.q) == len(run.energy) == len(run.lam) == 6
    replaced(path, name, np.concatenate([values, values]))
    assert len(lb.open(path).q) == 11


def test_a_file_whose_model_is_another_is_refused(whole: bytes, tmp_path: Path) -> None:
    for name in ("pendulum", "triple-pendulum"):
        path = tmp_path / f"{name}.h5"
        path.write_bytes(whole)
        with h5py.File(path, "r+") as file:
            file.attrs["model_text"] = lb.load(name).to_toml()
        status, errors = outcome(path)
        assert status == 1 and errors.startswith("refused: "), (name, status, errors)


def test_a_file_with_an_observable_more_or_less_is_refused(tmp_path: Path) -> None:
    model = lb.load("triple-pendulum")
    first = model.observables[0]
    for case in ("more", "less"):
        path = tmp_path / f"{case}.h5"
        model.run("rattle", step=0.01, steps=10, out=path)
        with h5py.File(path, "r+") as file:
            if case == "more":
                file["run/observables/another"] = np.zeros(11)
            else:
                del file[f"run/observables/{first}"]
        status, errors = outcome(path)
        assert status == 1 and errors.startswith("refused: "), (case, status, errors)
