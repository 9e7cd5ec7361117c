"""Files by name: old ones survive a failure, and names are what they seem to be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import libration as lb
import numpy as np
import pytest


@pytest.fixture(scope="module")
def model() -> Any:
    return lb.load("pendulum")


# Files of this process may not grow beyond the limit, as on a disk that is full.
FULL_DISK = """
import resource, signal, sys
import libration as lb
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
model = lb.load("pendulum")
if sys.argv[1].endswith("ensemble.h5"):
    result = model.ensemble("rattle", vary={"g": [1.0, 2.0]}, step=0.01, steps=20000, trajectories=True)
else:
    result = model.run("rattle", step=0.01, steps=20000)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    result.save(sys.argv[1], overwrite=True)
except lb.FileError as error:
    print(error)
else:
    sys.exit("it could be written")
"""


@pytest.mark.parametrize("name", ["run.h5", "run.csv", "ensemble.h5"])
def test_a_file_survives_that_its_successor_cannot_be_written(model: Any, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "ensemble.h5":
        model.ensemble("rattle", vary={"g": [1.0, 2.0]}, step=0.01, steps=3, out=path)
    else:
        model.run("rattle", step=0.01, steps=3, out=path)
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [name]


def test_saving_again_replaces_the_file_only_when_asked(model: Any, tmp_path: Path) -> None:
    run = model.run("rattle", step=0.01, steps=3)
    path = tmp_path / "run.h5"
    run.save(path)
    with pytest.raises(lb.InputError, match="overwrite=True replaces it"):
        model.run("rattle", step=0.01, steps=4).save(path)
    model.run("rattle", step=0.01, steps=5).save(path, overwrite=True)
    opened = lb.open(path)
    assert isinstance(opened, lb.Run) and opened.steps == 5
    opened.save(path, overwrite=True)  # over the file that it comes from
    np.testing.assert_array_equal(opened.q, lb.open(path).q)
    (tmp_path / "link.h5").symlink_to(path)
    with pytest.raises(lb.FileError, match="not a regular file"):
        run.save(tmp_path / "link.h5", overwrite=True)
    assert sorted(os.listdir(tmp_path)) == ["link.h5", "run.h5"]


def calls(model: Any) -> "dict[str, Callable[[Any], object]]":
    """Everything that takes the name of a file."""
    run = model.run("rattle", step=0.01, steps=2)
    ensemble = model.ensemble("rattle", vary={"g": [1.0]}, step=0.01, steps=2)
    return {
        "out": lambda path: model.run("rattle", step=0.01, steps=2, out=path),
        "save": run.save,
        "ensemble": lambda path: model.ensemble("rattle", vary={"g": [1.0]}, step=0.01, steps=2, out=path),
        "ensemble save": ensemble.save,
        "model": model.save,
        "open": lb.open,
        "resume": lb.resume,
        "load": lb.load,
        "reproduce": lambda path: lb.reproduce("001-fig3.1", quick=True, out=path),
    }


def test_a_name_ends_where_it_ends(model: Any, tmp_path: Path) -> None:
    for what, call in calls(model).items():
        for name in ("run.h5\0.h5", "run.h5\0", "\0", "run\0.toml"):
            with pytest.raises(ValueError, match="embedded null byte"):
                call(str(tmp_path / name))
            with pytest.raises(ValueError, match="embedded null byte"):
                call(tmp_path / name)
        for wrong in (None if what not in ("out", "ensemble", "reproduce") else 3, 3, b"run.h5", 1.5, [tmp_path]):
            with pytest.raises(TypeError):
                call(wrong)
        with pytest.raises((ValueError, OSError)):
            call(str(tmp_path / "a\udcffb.h5"))
    assert os.listdir(tmp_path) == []
