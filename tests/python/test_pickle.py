"""Runs and errors go from one process to another."""

from __future__ import annotations

import multiprocessing
import pathlib
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import libration as lb
import numpy as np
import pytest

def swing(gravity: float) -> lb.Run:
    return lb.load("pendulum").set(g=gravity).run("rattle", step=0.01, duration=1, events=["x - 0.95 falling"])


def fail(_: Any) -> lb.Run:
    return lb.load("pendulum").run("rattle", step=3.0, steps=1000)


def same(one: lb.Run, other: lb.Run) -> None:
    for name in ("t", "step_numbers", "q", "p", "v", "lam", "energy", "energy_error"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert np.array_equal(mine, theirs) and mine.dtype == theirs.dtype and not mine.flags.writeable, name
    assert one.summary["energy"] == other.summary["energy"] and one.method == other.method and one.step == other.step
    assert dict(one.summary["evaluations"]) == dict(other.summary["evaluations"])
    assert one.status == other.status and one.model == other.model and repr(one) == repr(other)
    assert list(one.observables) == list(other.observables) and list(one.residuals) == list(other.residuals)
    assert np.array_equal(one.observables.angle, other.observables.angle)
    assert np.array_equal(one.events.all.t, other.events.all.t) and list(one.events) == list(other.events)


def test_runs_come_back_from_other_processes() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(swing, [1.0, 2.0]))
    for gravity, run in zip([1.0, 2.0], runs):
        same(run, swing(gravity))


def test_an_error_comes_back_with_its_run() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(lb.IntegrationError) as error:
            pool.submit(fail, None).result()
    assert error.value.run is not None and error.value.run.status == "failed"
    assert error.value.failure["step"] == error.value.run.failure["step"]  # type: ignore[index]
    assert error.value.failure["message"] in str(error.value)


def test_interruptions_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(lb.Interrupted("stopped", swing(1.0))))
    assert str(error) == "stopped" and error.run.q.shape == (101, 2)


def test_a_pickled_run_can_be_drawn_tabulated_and_pickled_again() -> None:
    run = pickle.loads(pickle.dumps(swing(1.0)))
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    assert len(run.plot().axes) == 3 and len(run.to_dataframe()) == 101 and "<table" in run._repr_html_()
    same(pickle.loads(pickle.dumps(run)), run)


def test_what_needs_the_core_says_so_unless_there_is_a_file(tmp_path: pathlib.Path) -> None:
    run = pickle.loads(pickle.dumps(swing(1.0)))
    for call in (lambda: run.save(tmp_path / "run.h5"), lambda: run.analyse("drift")):
        with pytest.raises(lb.InputError, match='pickle.*out="FILE.h5"'):
            call()
    recorded = lb.load("pendulum").run("rattle", step=0.01, duration=1, out=tmp_path / "kept.h5")
    back = pickle.loads(pickle.dumps(recorded))
    assert back.analyse("drift").numbers == recorded.analyse("drift").numbers
    back.save(tmp_path / "run.h5")
    assert np.array_equal(lb.open(tmp_path / "run.h5").q, recorded.q)
