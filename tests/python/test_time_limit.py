"""A time limit stops runs and ensembles cleanly: what was computed is that of a shorter run, and can be continued."""

from __future__ import annotations

import pathlib
import subprocess

import libration as lb
import numpy as np
import pytest
from command_line import PROGRAM, answer

# Nothing here asks how fast the machine is: none makes so many steps before the limit.
FOREVER = {"step": 1e-3, "steps": 10**12, "backend": "interpreted"}
WORDS = [word for name, value in FOREVER.items() for word in (f"--{name}", str(value))]


def test_a_run_of_the_command_line_stops_and_goes_on() -> None:
    first = answer("run", "pendulum", *WORDS, "--time-limit", "0.3s", "--every", 10**6, "--out", "run.h5")
    assert first["status"] == "stopped"
    again = first
    while again["steps"] == first["steps"]:  # a busy machine may need longer than the limit to begin
        again = answer("run", "--resume", "run.h5", "--time-limit", "0.3s", "--backend", "interpreted")
        assert again["status"] == "stopped"
    for stopped in (first, again):
        whole = answer("run", "pendulum", "--step", 1e-3, "--steps", stopped["steps"])
        assert (whole["q"], whole["p"], whole["lambda"]) == (stopped["q"], stopped["p"], stopped["lambda"])
    said = subprocess.run([PROGRAM, "run", "--resume", "run.h5", "--time-limit", "0.1s", "--quiet"], timeout=60,
                          capture_output=True, text=True, check=True).stderr
    assert "continue with: libration run --resume run.h5" in said


def test_a_run_of_python_stops_and_goes_on(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run.h5"
    run = lb.load("pendulum").run(**FOREVER, time_limit="0.3s", every=10**6, out=path)
    assert run.status == "stopped"
    begun, longer = run.steps, run
    while longer.steps == begun:
        resumed = lb.resume(path, time_limit=0.2)
        assert isinstance(resumed, lb.Run) and resumed.status == "stopped"
        longer = resumed
    whole = lb.load("pendulum").run(step=1e-3, steps=longer.steps, every=10**9)
    assert np.array_equal(whole.q[-1], longer.q[-1])


def test_a_model_may_have_a_limit_and_the_caller_another() -> None:
    text = lb.load("pendulum").to_toml()
    section = "[run]\nmethod = \"rattle\"\nstep = 1e-3\nsteps = 1000000000000\ntime_limit = \"0.2s\"\n"
    model = lb.Model.parse(text[:text.index("[run]")] + section, "limited")
    assert model.run(backend="interpreted", every=10**9).status == "stopped"
    assert model.run(steps=1000, time_limit="1h").status == "completed"


@pytest.mark.parametrize("out", [None, "many.h5"])
def test_an_ensemble_stops_and_goes_on(out: str) -> None:
    model, asked = lb.load("pendulum"), {"vary": {"g": np.linspace(0.9, 1.1, 40)}, "step": 1e-3, "steps": 20000}
    with pytest.raises(lb.IntegrationError, match="stopped before its end.*" + ("lb.resume" if out else "FILE.h5")):
        model.ensemble(**asked, time_limit=1e-4, out=out)
    if out:
        resumed = lb.resume(out, time_limit="1h")
        assert isinstance(resumed, lb.Ensemble)
        assert np.array_equal(resumed.q, model.ensemble(**asked).q)


def test_an_ensemble_of_the_command_line_stops_and_goes_on() -> None:
    asked = ["pendulum", "--vary", "g = linspace(0.9, 1.1)", "--count", 40, "--step", 1e-3, "--steps", 20000]
    subprocess.run([PROGRAM, "ensemble", *map(str, asked), "--time-limit", "0.0001", "--out", "e.h5"], check=True,
                   capture_output=True, timeout=60)
    assert pathlib.Path("e.h5.part").exists() and not pathlib.Path("e.h5").exists()
    resumed, whole = answer("ensemble", "--resume", "e.h5", "--time-limit", "2h"), answer("ensemble", *asked)
    assert [one["q"] for one in resumed["trajectories"]] == [one["q"] for one in whole["trajectories"]]


def test_what_is_no_time_is_refused_in_every_face() -> None:
    for value in ("soon", "-1s", "0", "2 weeks", "nan", "1e400h", ""):
        with pytest.raises(lb.InputError, match=r'time_limit="?.*expected a time such as 90s, 30min, 2h or 1d'):
            lb.load("pendulum").run(time_limit=value)
        done = subprocess.run([PROGRAM, "run", "pendulum", "--time-limit", value], capture_output=True, text=True,
                              timeout=60, check=False)
        assert done.returncode == 2 and "error: --time-limit " in done.stderr, done.stderr
    text = lb.load("pendulum").to_toml().replace("[run]", "[run]\ntime_limit = \"2 weeks\"")
    with pytest.raises(lb.InputError, match=r"mine:\d+:\d+: \[run\] time_limit = 2 weeks: expected a time such as"):
        lb.Model.parse(text, "mine")
