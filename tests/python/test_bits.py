"""Python, the command line and files have the same bits."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

PROGRAM = os.environ.get("LIBRATION", "libration")

# Model, options of run, the same on the command line.
CASES: "list[tuple[str, dict[str, Any], list[str]]]" = [
    ("triple-pendulum", {"method": "rattle", "step": 0.01, "steps": 300}, []),
    ("triple-pendulum", {"method": "shake", "step": 0.01, "steps": 300}, []),
    ("triple-pendulum", {"method": "multistep(6, -0.7, 0.4)", "step": 0.01, "steps": 300}, []),
    ("triple-pendulum", {"method": "lobatto(3)", "step": 0.05, "duration": 10.0, "every": 7}, []),
    ("pendulum", {"method": "compose(rattle, kahanli8)", "step": 0.1, "steps": 200, "monitor": 3}, []),
    ("kepler", {"method": "leapfrog", "step": 0.01, "steps": 500, "every": 10}, []),
    ("kepler", {"method": "verlet", "step": 0.01, "steps": 60000, "every": 1000}, []),
    (
        "pendulum",
        {"method": "lobatto(3)", "step": 0.1, "duration": 10.0, "adaptive": "reversible", "tol": 1e-6},
        ["--adaptive", "reversible", "--tol", "1e-6"],
    ),
    ("pendulum", {"method": "rattle", "step": 0.1, "steps": 100, "at": "0.05:0.3:9"}, ["--at", "0.05:0.3:9"]),
    ("damped-spherical-pendulum", {"method": "spark(3)", "step": 0.05, "steps": 100}, []),
    ("rolling-disk", {"method": "spark(3)", "step": 0.05, "steps": 100}, []),
    ("heavy-top", {"method": "rattle", "step": 0.01, "steps": 200}, []),
    ("chain", {"method": "rattle", "step": 0.001, "steps": 50}, []),
]


def command(model: str, options: "dict[str, Any]", more: "list[str]", out: Path) -> "dict[str, Any]":
    words = [PROGRAM, "run", model, "--json", "--full", "--quiet", "--out", str(out)]
    for name in ("method", "step", "steps", "duration", "every", "monitor"):
        if name in options:
            words += [f"--{name}", str(options[name])]
    found = subprocess.run([*words, *more], check=True, capture_output=True, text=True).stdout
    summary: dict[str, Any] = json.loads(found)
    return summary


def without_times(summary: "dict[str, Any]") -> "dict[str, Any]":
    return {name: value for name, value in summary.items() if name not in ("seconds", "setup_seconds", "backend")}


@pytest.mark.parametrize(("name", "options", "more"), CASES, ids=[f"{c[0]}-{c[1]['method']}" for c in CASES])
@pytest.mark.filterwarnings("ignore::libration.LibrationWarning")
def test_a_run_has_the_bits_of_the_command_line(
    name: str, options: "dict[str, Any]", more: "list[str]", tmp_path: Path
) -> None:
    expected = command(name, options, more, tmp_path / "cli.h5")
    run = lb.load(name).run(**options)
    assert without_times(run.summary) == without_times(expected)
    if "at" not in options:
        for column, words in (("q", "q"), ("p", "p"), ("v", "v"), ("lam", "lambda")):
            assert getattr(run, column)[-1].tolist() == expected[words]
    in_file = lb.load(name).run(**options, out=tmp_path / "python.h5")
    with h5py.File(tmp_path / "cli.h5", "r") as file:
        group = file["run"]
        for column, array in (
            ("t", "t"), ("step", "step_numbers"), ("q", "q"), ("p", "p"), ("v", "v"), ("lambda", "lam"),
            ("energy", "energy"),
        ):
            for one in (run, in_file):
                np.testing.assert_array_equal(getattr(one, array), group[column][()], err_msg=column)
        for residual in ("constraint", "hidden"):
            np.testing.assert_array_equal(run.residuals[residual], group[residual][()])
        assert list(run.observables) == list(group["observables"])
        for observable in run.observables:
            np.testing.assert_array_equal(run.observables[observable], group["observables"][observable][()])


def test_the_largest_energy_error_is_that_of_the_rows() -> None:
    run = lb.load("triple-pendulum").run("rattle", step=0.01, steps=200)
    assert np.max(np.abs(run.energy_error)) == run.summary["energy"]["max_error"]
    assert np.max(run.residuals.constraint) == run.summary["constraint"]["max"]
    assert np.max(run.residuals.hidden) == run.summary["constraint"]["hidden_max"]


@pytest.mark.parametrize("name", ["triple-pendulum", "kepler", "chain", "heavy-top", "andrews", "pendulum"])
def test_multipliers_that_are_computed_late_have_the_bits_of_those_in_the_run(name: str) -> None:
    model = lb.load(name)
    step = {} if model._core.run_defaults.get("step") else {"step": 0.01}
    late = model.run(steps=60, **step)
    seen: "list[Any]" = []
    early = model.run(steps=60, callback=seen.append, **step)
    np.testing.assert_array_equal(late.lam, early.lam)
    np.testing.assert_array_equal(late.lam, np.array([state.lam for state in seen]))
    for observable in late.observables:
        np.testing.assert_array_equal(late.observables[observable], early.observables[observable])


@pytest.mark.parametrize("backend", ["interpreted", "generated"])
def test_generated_code_changes_no_bit(backend: str) -> None:
    model = lb.load("triple-pendulum")
    run = model.run("rattle", step=0.01, steps=500, backend=backend)
    usual = model.run("rattle", step=0.01, steps=500)
    np.testing.assert_array_equal(run.q, usual.q)
    np.testing.assert_array_equal(run.lam, usual.lam)
