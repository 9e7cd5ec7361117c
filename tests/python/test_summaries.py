"""The summary of a run is in its file: opening it computes nothing, and says what the run itself said."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Callable

import h5py
import libration as lb
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore::libration.LibrationWarning")
PROGRAM = os.environ.get("LIBRATION", "libration")


def completed(path: Path) -> Any:
    return lb.load("triple-pendulum").run("lobatto(3)", step=0.05, steps=101, every=3, out=path)


def stopped_by_a_condition(path: Path) -> Any:
    return lb.load("pendulum").run("rattle", step=0.01, steps=1000, stop_if="y < -0.5", out=path)


def stopped_by_a_callback(path: Path) -> Any:
    return lb.load("kepler").run("leapfrog", step=0.01, steps=1000, out=path, callback=lambda s: s.step == 123)


def failed(path: Path) -> Any:
    x = lb.coordinates("x")
    model = lb.Model(q=[x], mass=1, potential=lb.log(x), initial={"q": [1], "v": [0]})
    with pytest.raises(lb.IntegrationError) as caught:
        model.run("verlet", step=0.3, steps=1000, out=path)
    return caught.value.run


def resumed(path: Path) -> Any:
    lb.load("triple-pendulum").run("multistep(4)", step=0.01, steps=50, every=7, out=path)
    return lb.resume(path, steps=90)


def resumed_without_a_step(path: Path) -> Any:
    lb.load("pendulum").run("rattle", step=0.01, steps=50, out=path)
    return lb.resume(path)


def adaptive_with_events(path: Path) -> Any:
    return lb.load("kepler").run("lobatto(3)", step=0.1, duration=20, adaptive="reversible", tol=1e-6,
                                 events=["side: x", "far: x - 100"], out=path)  # fmt: skip


def at_given_times(path: Path) -> Any:
    return lb.load("pendulum").run("rattle", step=0.01, steps=100, at=[0.105, 0.33], out=path)


def saved(path: Path) -> Any:
    run = lb.load("triple-pendulum").run("rattle", step=0.01, steps=31, every=10)
    run.save(path)
    return run


WAYS = [completed, stopped_by_a_condition, stopped_by_a_callback, failed, resumed, resumed_without_a_step,
        adaptive_with_events, at_given_times, saved]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_an_opened_run_has_the_summary_of_the_run(way: Callable[[Path], Any], tmp_path: Path) -> None:
    run = way(tmp_path / "run.h5")
    opened: Any = lb.open(tmp_path / "run.h5")
    assert opened.summary == run.summary
    assert (opened.status, opened.warnings, opened.seconds) == (run.status, run.warnings, run.seconds)
    assert opened.failure == run.failure and repr(opened) == repr(run)
    opened.save(tmp_path / "again.h5")
    again: Any = lb.open(tmp_path / "again.h5")
    assert again.summary == run.summary


# A model whose first evaluation is refused, and a memory that fits no method: whoever computed anything would fail.
@pytest.mark.parametrize("way", WAYS)
def test_opening_computes_nothing(way: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    run = way(path)
    with h5py.File(path, "r+") as file:
        names = [str(name) for name in file["run/q"].attrs["names"]]
        rows = [f"{names[0]} - 5" for _ in range(file["run/lambda"].shape[1])]
        text = f"[coordinates]\nq = {names}\n[dynamics]\nmass = 1\npotential = \"log(-1 - {names[0]}^2)\"\n"
        text += f"constraints = {rows}\n[initial]\nq = {[0] * len(names)}\n[observables]\n"
        file.attrs["model_text"] = text + "".join(f'"{name}" = "0"\n' for name in file["run/observables"])
        file.attrs["overrides"] = ""
    opened: Any = lb.open(path)
    with pytest.raises((lb.InputError, lb.IntegrationError)):
        opened.model.run("rattle", step=0.1, steps=1)
    assert opened.summary == run.summary


@pytest.mark.parametrize("way", WAYS)
def test_the_outcome_is_in_the_attributes_of_the_file_as_numbers(way: Callable[[Path], Any], tmp_path: Path) -> None:
    summary = way(tmp_path / "run.h5").summary
    with h5py.File(tmp_path / "run.h5") as file:
        attributes = dict(file["run"].attrs)
        assert isinstance(file.attrs["every"], np.integer) and isinstance(file.attrs["start_time"], np.floating)
    assert attributes["steps"] == summary["steps"] and isinstance(attributes["steps"], np.integer)
    assert attributes["t"] == summary["t"] and isinstance(attributes["t"], np.floating)
    for group in ("energy", "constraint", "evaluations", "adaptive", "failure"):
        for name, value in summary.get(group, {}).items():
            assert attributes[f"{group}.{name}"] == value, name
    for name, invariant in summary["invariants"].items():
        assert attributes[f"invariants.{name}.max_error"] == invariant["max_error"]
    for name, event in summary.get("events", {}).items():
        assert attributes[f"events.{name}.count"] == event["count"]
    assert attributes["failure.kind"] == summary.get("failure", {"kind": ""})["kind"]


def test_a_killed_run_has_the_summary_of_its_last_checkpoint_and_row(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    process = subprocess.Popen([PROGRAM, "run", "pendulum", "--step", "0.01", "--steps", "100000000", "--every", "100",
                                "--quiet", "--out", str(path)])  # fmt: skip
    deadline = time.monotonic() + 60
    rows = 0
    while rows < 2000 and time.monotonic() < deadline:
        time.sleep(0.05)
        try:
            rows = len(lb.open(path))
        except lb.FileError:
            continue
    process.send_signal(signal.SIGKILL)
    process.wait()
    run: Any = lb.open(path)
    assert rows >= 2000 and run.status == "running"
    assert run.summary["t"] == run.t[-1] and run.summary["q"] == run.q[-1].tolist()
    assert run.summary["order"] == 2 and run.summary["energy"]["max_error"] is not None


@pytest.mark.parametrize("way", ["out", "saved"])
def test_an_opened_ensemble_has_the_summary_of_the_ensemble(way: str, tmp_path: Path) -> None:
    path = tmp_path / "ensemble.h5"
    asked = {"vary": {"l": [1.0, 1.5, -1.0]}, "step": 0.05, "steps": 20, "threads": 1}
    ensemble: Any = lb.load("pendulum").ensemble("rattle", **asked, **({} if way == "saved" else {"out": path}))
    if way == "saved":
        ensemble.save(path)
    opened: Any = lb.open(path)
    assert opened.summary == ensemble.summary and opened.warnings == ensemble.warnings
    assert opened.summary["threads"] == 1 and opened.summary["trajectory_steps"] == ensemble.summary["trajectory_steps"]
    with h5py.File(path) as file:
        attributes = dict(file["ensemble"].attrs)
        assert isinstance(file.attrs["steps"], np.integer) and file.attrs["steps"] == 20
    assert attributes["seconds"] == ensemble.summary["seconds"] and isinstance(attributes["seconds"], np.floating)
    assert attributes["backend.name"] == ensemble.summary["backend"]["name"]
