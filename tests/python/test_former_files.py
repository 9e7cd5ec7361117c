"""Files of the version before, which kept no summary, are read and continued; tests/files says how they were made."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

FILES = Path(os.environ["LIBRATION_SOURCE_DIR"], "tests", "files")
CLOCK = ("seconds", "setup_seconds", "backend", "threads", "event_states", "trajectory_steps", "warnings")


def unpacked(name: str, tmp_path: Path) -> Path:
    path = tmp_path / f"{name}.h5"
    path.write_bytes(gzip.decompress((FILES / f"{name}_of_format_1.h5.gz").read_bytes()))
    return path


def printed(name: str) -> "dict[str, Any]":
    found: dict[str, Any] = json.loads((FILES / f"{name}_of_format_1.json").read_text())
    return without_clock(found)


def without_clock(summary: "dict[str, Any]") -> "dict[str, Any]":
    return {name: value for name, value in summary.items() if name not in CLOCK}


def opened(path: Path) -> Any:
    with pytest.warns(lb.LibrationWarning, match=r"earlier version.*lb.resume of the file adds them"):
        return lb.open(path)


def test_what_a_former_file_does_not_say_is_missing(tmp_path: Path) -> None:
    run = opened(unpacked("run", tmp_path))
    told = printed("run")
    assert run.status == "completed" and run.steps == 400 and len(run) == 5
    for name in ("model", "method", "step", "steps", "t", "status", "q", "p", "v", "lambda"):
        assert run.summary[name] == told[name], name
    assert run.summary["energy"]["initial"] == told["energy"]["initial"]
    assert run.summary["energy"]["max_error"] is None and run.summary["constraint"]["max"] is None
    assert np.isnan(run.seconds) and "400 steps" in repr(run)


def test_a_former_file_that_is_resumed_has_its_summary(tmp_path: Path) -> None:
    path = unpacked("run", tmp_path)
    with pytest.warns(lb.LibrationWarning, match="states are not in"):
        resumed: Any = lb.resume(path)
    found: Any = lb.open(path)
    summary = without_clock(found.summary)
    assert without_clock(resumed.summary) == summary
    added = {"balance", "error_estimate", "verdict"}  # by later versions
    assert {name: value for name, value in summary.items() if name not in added} == {**printed("run"), "monitor": 1}


@pytest.mark.filterwarnings("ignore:the event .side. happened")
@pytest.mark.parametrize("name", ["run", "stopped"])
def test_a_copy_of_a_former_file_can_be_continued(name: str, tmp_path: Path) -> None:
    opened(unpacked(name, tmp_path)).save(tmp_path / "copy.h5")
    with h5py.File(tmp_path / "copy.h5") as file:
        assert file.attrs["format"] == "libration-trajectory 3" and file.attrs["every"] == 100
    copy = opened(tmp_path / "copy.h5")
    assert copy.summary["energy"]["max_error"] is None
    asked = {"stop_if": "y < -0.9"} if name == "stopped" else {}
    whole: Any = lb.load("pendulum").run("rattle", step=0.01, steps=500, every=100, **asked)
    longer: Any = lb.resume(tmp_path / "copy.h5", steps=500)
    np.testing.assert_array_equal(longer.q, whole.q)
    assert longer.summary["energy"] == whole.summary["energy"]


def test_a_former_ensemble_is_read(tmp_path: Path) -> None:
    ensemble: Any = lb.open(unpacked("ensemble", tmp_path))
    summary = without_clock(ensemble.summary)
    assert summary.pop("verdicts") == {"good": 0, "rough": 0, "meaningless": 0, "none": 1}  # not in such files
    for trajectory in summary["trajectories"]:
        assert trajectory.pop("verdict") is None
    assert summary == {**printed("ensemble"), "in_lanes": True}


def test_a_format_to_come_is_refused_in_words(tmp_path: Path) -> None:
    path = unpacked("run", tmp_path)
    with h5py.File(path, "r+") as file:
        file.attrs["format"] = "libration-trajectory 4"
    with pytest.raises(lb.FileError, match="this version reads.*use the version that wrote it"):
        lb.open(path)
