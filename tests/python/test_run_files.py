"""Runs that remember their file: where it is, whether it is still theirs, how they go on, how they end."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore::libration.LibrationWarning")

x, y = lb.coordinates("x y")


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return lb.load("triple-pendulum")


def falling(potential: Any) -> lb.Model:
    given = lb.external(potential, gradient=lambda q: [0.0, 1.0])
    return lb.Model(q=[x, y], mass=1, potential=given, initial={"q": [1, 0]})


def test_a_run_finds_its_file_from_another_directory(pendulum: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    run = pendulum.run("rattle", step=0.01, steps=10, out="run.h5")
    opened = lb.open("run.h5")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert run.q.shape == opened.q.shape == (11, 6) and os.path.isabs(run.path or "")


def test_a_run_does_not_take_the_states_of_another_for_its_own(pendulum: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    first = pendulum.run("rattle", step=0.01, steps=10, out=path)
    opened = lb.open(path)
    second = pendulum.run("rattle", step=0.02, steps=20, out=path, overwrite=True)
    assert len(second) == 21
    for run in (first, opened):
        with pytest.raises(lb.FileError, match="changed or replaced"):
            run.q
    read_before = pendulum.run("rattle", step=0.01, steps=10, out=path, overwrite=True)
    assert len(read_before) == 11
    path.unlink()
    assert read_before.q.shape == (11, 6)


@pytest.mark.parametrize("way", ["out", "stopped", "resumed", "resumed again"])
def test_a_copy_of_a_run_in_a_file_can_be_resumed(pendulum: Any, way: str, tmp_path: Path) -> None:
    path, copy = tmp_path / "run.h5", tmp_path / "copy.h5"
    stop = (lambda state: state.step == 37) if way == "stopped" else None
    run: Any = pendulum.run("multistep(4)", step=0.01, steps=100, every=7, out=path, callback=stop)
    if way.startswith("resumed"):
        run = lb.resume(path, steps=150)
    if way == "resumed again":
        run = lb.resume(path)
    run.save(copy)
    continued: Any = lb.resume(copy, steps=200)
    whole = pendulum.run("multistep(4)", step=0.01, steps=200, every=7)
    np.testing.assert_array_equal(continued.q, whole.q)
    assert not continued.warnings


def test_an_exception_in_a_function_of_the_user_closes_the_file(tmp_path: Path) -> None:
    calls = 0

    def height(q: Any) -> float:
        nonlocal calls
        calls += 1
        if calls > 500:
            raise LookupError("no more")
        return float(q[1])

    path = tmp_path / "run.h5"
    with pytest.raises(LookupError, match="no more"):
        falling(height).run("verlet", step=0.01, steps=10**6, out=path, progress=False)
    with h5py.File(path) as file:
        assert file.attrs["status"] in ("stopped", b"stopped") and len(file["run/q"]) > 50
    calls = 0
    with pytest.raises(LookupError):
        falling(height).run("verlet", step=0.01, steps=10**6, out=tmp_path / "run.csv", progress=False)
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 50


@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize("out", [None, "run.h5"])
def test_an_interrupt_in_a_function_of_the_user_keeps_the_run(once: bool, out: Any, tmp_path: Path) -> None:
    calls = 0

    def height(q: Any) -> float:
        nonlocal calls
        calls += 1
        if calls == 500 or (calls > 500 and not once):
            raise KeyboardInterrupt
        return float(q[1])

    path = None if out is None else tmp_path / out
    with pytest.raises(lb.Interrupted) as caught:
        falling(height).run("verlet", step=0.01, steps=10**6, out=path, progress=False)
    run = caught.value.run
    assert run is not None and run.status == "stopped" and 50 < len(run) < 1000
    assert run.summary["q"] == run.q[-1].tolist() and "stopped" in repr(run)


def test_h5py_may_be_used_in_another_thread_during_a_run(pendulum: Any, tmp_path: Path) -> None:
    over, faults = threading.Event(), []

    def write() -> None:
        try:
            k = 0
            while not over.is_set():
                k += 1
                with h5py.File(tmp_path / f"other{k % 3}.h5", "w") as file:
                    file["x"] = np.arange(1000.0)
                    assert file["x"][3] == 3
        except Exception as error:  # told below
            faults.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        run = pendulum.run("rattle", step=0.01, steps=20000, out=tmp_path / "run.h5", progress=False)
        assert len(run.q) == 20001
    finally:
        over.set()
        thread.join()
    assert not faults


def test_a_model_that_cannot_be_saved_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text("before")
    with pytest.raises(lb.InputError):
        falling(lambda q: float(q[1])).save(path, overwrite=True)
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["model.toml"]
    lb.load("pendulum").save(path, overwrite=True)
    assert lb.load(path) is not None and os.listdir(tmp_path) == ["model.toml"]
    with pytest.raises(lb.FileError, match="overwrite=True"):
        lb.load("pendulum").save(path)
    with pytest.raises(lb.FileError, match="cannot write"):
        lb.load("pendulum").save(tmp_path / "missing" / "model.toml")


def test_an_ensemble_finds_its_file_and_no_other(pendulum: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    options: Any = {"vary": {"p_x1": [0.0, 0.1]}, "step": 0.01, "trajectories": True, "overwrite": True}
    ensembles = [pendulum.ensemble("rattle", steps=steps, out=f"{steps}.h5", **options) for steps in (5, 6)]
    (tmp_path / "6.h5").replace(tmp_path / "5.h5")
    pendulum.ensemble("rattle", steps=7, out="6.h5", **options)
    pendulum.ensemble("rattle", steps=8, out="8.h5", **options)
    kept = lb.open("8.h5")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert kept.trajectories.q.shape == (2, 9, 6)  # type: ignore[union-attr]
    for ensemble in ensembles:
        with pytest.raises(lb.FileError, match="changed or replaced"):
            ensemble.trajectories


def test_signals_are_looked_for_while_late_columns_are_computed(pendulum: Any) -> None:
    run = pendulum.run("rattle", step=0.01, steps=200000, progress=False)
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        run.lam
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        count = len(seen)
        signal.signal(signal.SIGALRM, before)
    assert count > 3

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    again = pendulum.run("rattle", step=0.01, steps=200000, progress=False)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        with pytest.raises(KeyboardInterrupt):
            again.lam
    finally:
        signal.signal(signal.SIGALRM, before)
    np.testing.assert_array_equal(again.lam, run.lam)
