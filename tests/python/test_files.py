"""Runs in files: out=, save, open, resume, tables."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

PROGRAM = os.environ.get("LIBRATION", "libration")


def command(*words: Any) -> str:
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True, text=True).stdout


def same_states(one: Any, other: Any) -> None:
    for name in ("t", "step_numbers", "q", "p", "v", "lam", "energy"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in one.residuals:
        np.testing.assert_array_equal(one.residuals[name], other.residuals[name])
    assert list(one.observables) == list(other.observables)
    for name in one.observables:
        np.testing.assert_array_equal(one.observables[name], other.observables[name])


def without_times(summary: "dict[str, Any]") -> "dict[str, Any]":
    return {name: value for name, value in summary.items() if name not in ("seconds", "setup_seconds", "backend")}


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return lb.load("triple-pendulum")


@pytest.mark.parametrize("method", ["rattle", "shake", "multistep(4)"])
@pytest.mark.parametrize("every", [1, 7])
def test_a_saved_run_is_the_file_that_the_run_would_have_written(
    pendulum: Any, method: str, every: int, tmp_path: Path
) -> None:
    options = {"step": 0.01, "steps": 101, "every": every}
    in_memory = pendulum.run(method, **options)
    in_memory.save(tmp_path / "saved.h5")
    pendulum.run(method, **options, out=tmp_path / "out.h5")
    with h5py.File(tmp_path / "saved.h5") as saved, h5py.File(tmp_path / "out.h5") as out:
        assert dict(saved.attrs) == dict(out.attrs)
        for name in ("t", "step", "q", "p", "v", "lambda", "energy", "constraint", "hidden"):
            np.testing.assert_array_equal(saved["run"][name][()], out["run"][name][()])
    for name in ("saved.h5", "out.h5"):
        longer = json.loads(command("run", "--resume", tmp_path / name, "--steps", 150, "--json", "--quiet"))
        whole = pendulum.run(method, step=0.01, steps=150, every=every)
        assert without_times(longer) == without_times(whole.summary)
        same_states(lb.open(tmp_path / name), whole)


def test_an_opened_run_is_the_run_that_was_written(pendulum: Any, tmp_path: Path) -> None:
    written = pendulum.run("lobatto(3)", step=0.05, steps=100, every=3, out=tmp_path / "run.h5")
    opened = lb.open(tmp_path / "run.h5")
    same_states(opened, written)
    assert isinstance(opened, lb.Run) and opened.model.to_toml() == pendulum.to_toml()
    assert without_times(opened.summary) == without_times(written.summary)
    assert opened.status == "completed" and opened.seconds == written.seconds and opened.method == "lobatto(3)"
    opened.save(tmp_path / "again.h5")
    same_states(lb.open(tmp_path / "again.h5"), written)


def test_a_run_goes_on_where_it_was_stopped(pendulum: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    whole = pendulum.run("shake", step=0.01, steps=200)
    stopped = pendulum.run("shake", step=0.01, steps=200, out=path, callback=lambda state: state.step == 71)
    assert stopped.status == "stopped" and stopped.t[-1] == stopped.summary["t"]
    assert lb.open(path).status == "stopped"
    finished = lb.resume(path)
    same_states(finished, whole)
    assert without_times(finished.summary) == without_times(whole.summary)
    longer = lb.resume(path, duration=2.5)
    assert longer.steps == 250 and len(longer) == 251
    with pytest.raises(lb.InputError, match=r'lb.resume\("[^"]*run.h5"\): .* can only be extended'):
        lb.resume(path, steps=10)


def test_a_stopped_run_in_memory_can_be_saved_and_resumed(pendulum: Any, tmp_path: Path) -> None:
    run = pendulum.run("rattle", step=0.01, steps=200, callback=lambda state: state.step == 50)
    run.save(tmp_path / "run.h5")
    same_states(lb.resume(tmp_path / "run.h5"), pendulum.run("rattle", step=0.01, steps=200))


def test_files_are_not_replaced_unasked(pendulum: Any, tmp_path: Path) -> None:
    for name in ("run.h5", "run.csv"):
        pendulum.run("rattle", step=0.01, steps=5, out=tmp_path / name)
        with pytest.raises(lb.InputError, match="overwrite=True replaces it"):
            pendulum.run("rattle", step=0.01, steps=5, out=tmp_path / name)
        with pytest.raises(lb.InputError, match="overwrite=True replaces it"):
            pendulum.run("rattle", step=0.01, steps=5).save(tmp_path / name)
        pendulum.run("rattle", step=0.01, steps=6).save(tmp_path / name, overwrite=True)
    assert lb.open(tmp_path / "run.h5").steps == 6
    with pytest.raises(lb.InputError, match="must end in .h5 or .csv"):
        pendulum.run("rattle", step=0.01, steps=5, out=tmp_path / "run.txt")


def test_tables_are_those_of_the_command_line(pendulum: Any, tmp_path: Path) -> None:
    command("run", "triple-pendulum", "--method", "rattle", "--step", 0.01, "--steps", 20, "--quiet", "--out",
            tmp_path / "cli.csv")
    run = pendulum.run("rattle", step=0.01, steps=20, out=tmp_path / "out.csv")
    run.save(tmp_path / "saved.csv")
    text = (tmp_path / "cli.csv").read_text()
    assert (tmp_path / "out.csv").read_text() == (tmp_path / "saved.csv").read_text() == text
    with (tmp_path / "cli.csv").open() as file:
        assert run.column_names() == next(csv.reader(file))


def test_data_frames_have_the_names_of_the_files(pendulum: Any, monkeypatch: Any) -> None:
    run = pendulum.run("rattle", step=0.01, steps=20)
    frame = run.to_dataframe()
    assert list(frame.columns) == [*run.column_names(), "energy_error"] and len(frame) == 21
    assert np.array_equal(frame["v_x2"], run.v[:, 2]) and np.array_equal(frame["energy_error"], run.energy_error)
    np.testing.assert_array_equal(frame["x2"], run.q[:, 2])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        run.to_dataframe()


def test_a_file_can_be_read_while_another_process_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    process = subprocess.Popen([PROGRAM, "run", "triple-pendulum", "--method", "rattle", "--step", "0.01", "--steps",
                                "100000000", "--every", "100", "--quiet", "--out", str(path)])
    try:
        deadline = time.monotonic() + 60
        rows = 0
        while rows < 2000 and time.monotonic() < deadline:
            time.sleep(0.05)
            try:
                run = lb.open(path)
                rows = len(run)
            except lb.FileError:
                continue
        assert rows >= 2000 and run.status == "running"
        assert np.all(np.isfinite(run.q)) and np.all(np.diff(run.step_numbers) == 100)
        assert run.summary["q"] == run.q[-1].tolist() and "running" in repr(run)
        with pytest.raises(lb.FileError):
            lb.resume(path)
    finally:
        process.terminate()
        process.wait()


def test_a_file_of_a_model_without_text_gives_arrays(pendulum: Any, tmp_path: Path) -> None:
    pendulum.run("rattle", step=0.01, steps=20, out=tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        file.attrs["model_text"] = ""
    run = lb.open(tmp_path / "run.h5")
    assert run.model is None and run.q.shape == (21, 6) and run.summary["q"] == run.q[-1].tolist()
    assert list(run.observables) == list(pendulum.observables)
    with pytest.raises(lb.InputError, match="cannot be analyzed"):
        run.analyse("summary")


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(lb.FileError, match=r'written by model.run\(out="FILE.h5"\)'):
        lb.open(tmp_path / "text.h5")
    with pytest.raises(OSError):
        lb.open(tmp_path / "missing.h5")


def test_an_analysis_is_that_of_the_command_line(pendulum: Any, tmp_path: Path) -> None:
    run = pendulum.run("rattle", step=0.01, steps=2000)
    run.save(tmp_path / "run.h5")
    expected = json.loads(command("analyse", tmp_path / "run.h5", "--what", "drift", "--json"))["analyses"][0]
    found = run.analyse("drift")
    assert found.numbers == expected["numbers"] and found.verdict == expected["verdict"]
    assert all(figure.startswith("<svg") or "<svg" in figure for figure in found.figures)
    with pytest.raises(lb.InputError, match=r"lb.analyses\(\) shows all analyses"):
        run.analyse("nothing")
    with pytest.raises(lb.InputError, match="has no option 'colour'"):
        run.analyse("drift", colour=3)
