"""Files that were damaged, or changed while they were open: every fault is a FileError, none is a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import h5py
import libration as lb
import numpy as np
import pytest


@pytest.fixture(scope="module")
def model() -> Any:
    return lb.load("pendulum")


def written(model: Any, path: Path, count: int = 4, steps: int = 20) -> Any:
    return model.ensemble(
        "rattle", vary={"g": np.linspace(9, 10, count)}, step=0.01, steps=steps, trajectories=True, out=path
    )


def replace(file: Any, name: str, change: Callable[[Any], Any]) -> None:
    numbers = file[name][()]
    del file[name]
    file[name] = change(numbers)


DAMAGES = {
    "ensemble/final/q": lambda numbers: numbers[:0],
    "ensemble/final/p": lambda numbers: numbers[:, :1],
    "ensemble/t": lambda numbers: numbers[:2],
    "ensemble/steps": lambda numbers: np.full(numbers.shape, np.nan),
    "ensemble/energy": lambda numbers: np.append(numbers, 1.0),
    "ensemble/varied/g": lambda numbers: numbers[:1],
    "statistics/count": lambda numbers: numbers[:1],
    "statistics/time": lambda numbers: np.append(numbers, 1.0),
    "statistics/q/mean": lambda numbers: numbers[:1],
    "statistics/q/quantiles": lambda numbers: numbers[:1],
}


@pytest.mark.parametrize("name", list(DAMAGES))
def test_a_dataset_of_the_wrong_size_is_refused(model: Any, name: str, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.h5"
    written(model, path)
    with h5py.File(path, "r+") as file:
        replace(file, name, DAMAGES[name])
    with pytest.raises(lb.FileError, match="ensemble.h5"):
        lb.open(path)


def test_a_failure_of_a_trajectory_that_is_none_is_refused(model: Any, tmp_path: Path) -> None:
    for number in (-1.0, np.nan, 99.0):
        path = tmp_path / "ensemble.h5"
        model.ensemble("rattle", vary={"g": [9.0, 10.0]}, step=0.01, steps=2, out=path, overwrite=True)
        with h5py.File(path, "r+") as file:
            failures = file["ensemble/failures"]
            for name in list(failures):
                is_text = h5py.check_string_dtype(failures[name].dtype) is not None
                del failures[name]
                failures[name] = ["x"] if is_text else [number]
        with pytest.raises(lb.FileError, match="ensemble.h5"):
            lb.open(path)


@pytest.mark.parametrize("name", ["time", "q", "p"])
@pytest.mark.parametrize("size", [0, 1, 3, 1000])
def test_trajectories_of_the_wrong_size_are_refused(model: Any, name: str, size: int, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.h5"
    written(model, path)
    with h5py.File(path, "r+") as file:
        replace(file, f"trajectories/{name}", lambda numbers: np.resize(numbers, (size, *numbers.shape[1:])))
    with pytest.raises(lb.FileError, match="ensemble.h5"):
        ensemble = lb.open(path)
        assert isinstance(ensemble, lb.Ensemble)
        ensemble.trajectories


def test_trajectories_of_a_file_that_changed_are_refused(model: Any, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.h5"
    made = written(model, path)
    opened = lb.open(path)
    read = lb.open(path)
    assert isinstance(read, lb.Ensemble) and isinstance(opened, lb.Ensemble)
    before = np.array(read.trajectories.q)  # type: ignore[union-attr]
    other = tmp_path / "other.h5"
    written(model.set(x=0.6, y=-0.8), other)  # all sizes are the same
    os.replace(other, path)
    for ensemble in (made, opened):
        with pytest.raises(lb.FileError, match="changed or replaced"):
            ensemble.trajectories
        with pytest.raises(lb.FileError, match="changed or replaced"):
            ensemble.save(tmp_path / "again.h5")
    np.testing.assert_array_equal(read.trajectories.q, before)  # type: ignore[union-attr]
    assert sorted(os.listdir(tmp_path)) == ["ensemble.h5"]


@pytest.mark.parametrize("attribute", ["events", "overrides", "at", "stop_if", "every", "step", "start_time"])
def test_attributes_without_a_last_newline_are_no_trap(model: Any, attribute: str, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    model.run("rattle", step=0.01, steps=5, out=path)
    with h5py.File(path, "r+") as file:
        file.attrs[attribute] = "x"
    code = f"import libration as lb\ntry: lb.open({str(path)!r})\nexcept (lb.FileError, lb.InputError): pass"
    limits = "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
    subprocess.run([sys.executable, "-c", limits + code], check=True, timeout=60)
