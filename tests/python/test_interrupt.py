"""Ctrl-C: the run ends, what was computed is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PREAMBLE = """
import sys, threading, time
import libration as lb
model = lb.load("triple-pendulum")
started = False
def progress(news):
    global started
    if not started:
        started = True
        print("running", flush=True)
"""

LONG = 'model.run("rattle", step=0.01, steps=10**10, every=10**6, progress=progress{more})'
CHECK = """
    assert run.status == "stopped" and len(run) >= 2, run
    assert run.q[-1].tolist() == run.summary["q"] and run.steps == run.step_numbers[-1] > 0
    print("interrupted", flush=True)
"""


def interrupted(program: str, tmp_path: Path) -> "tuple[int, str, str]":
    """Runs a program, interrupts it once it says that it runs, gives its status, output and errors."""
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env=os.environ,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n", process.communicate()[1]
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, output, errors


@pytest.mark.parametrize("more", ["", ', callback=lambda state: None', ', out="run.h5"'])
def test_an_interrupted_run_is_kept(more: str, tmp_path: Path) -> None:
    attempt = f"try:\n    {LONG.format(more=more)}\n"
    program = f"{PREAMBLE}{attempt}except lb.Interrupted as error:\n    run = error.run{CHECK}"
    status, output, errors = interrupted(program, tmp_path)
    assert (status, output) == (0, "interrupted\n"), errors


def test_a_run_that_calls_no_function_of_python_is_interrupted_too(tmp_path: Path) -> None:
    attempt = f"try:\n    {LONG.format(more='')}\n".replace("progress=progress", "progress=False")
    begin = "print('running', flush=True)\n"
    program = f"{PREAMBLE}{begin}{attempt}except lb.Interrupted as error:\n    run = error.run{CHECK}"
    status, output, errors = interrupted(program, tmp_path)
    assert (status, output) == (0, "interrupted\n"), errors


def test_an_interrupted_file_can_be_resumed(tmp_path: Path) -> None:
    attempt = "try:\n    " + LONG.format(more=', out="run.h5"')
    program = f"{PREAMBLE}{attempt}\nexcept KeyboardInterrupt as error:\n    print(error)"
    status, output, errors = interrupted(program, tmp_path)
    assert status == 0 and "run.h5') continues it" in output, errors
    import libration as lb

    opened = lb.open(tmp_path / "run.h5")
    assert opened.status == "stopped"
    steps = opened.steps + 10
    resumed = lb._core.resume(str(tmp_path / "run.h5"), {}, callback=lambda state: state.step >= steps)
    assert resumed.status == "stopped"


def test_an_interrupt_that_nobody_catches_ends_the_program(tmp_path: Path) -> None:
    status, _, errors = interrupted(PREAMBLE + LONG.format(more=""), tmp_path)
    assert status in (-signal.SIGINT, 130, 1) and "Interrupted" in errors


def test_a_run_in_a_thread_ends_with_the_program(tmp_path: Path) -> None:
    program = PREAMBLE + f"""
def work():
    try:
        {LONG.format(more="")}
    except lb.Interrupted as error:
        run = error.run
        assert run.status == "stopped" and run.q[-1].tolist() == run.summary["q"]
        print("interrupted", flush=True)
threading.Thread(target=work).start()
time.sleep(60)
"""
    status, output, errors = interrupted(program, tmp_path)
    assert status != 0 and output == "interrupted\n" and "KeyboardInterrupt" in errors


def test_the_main_thread_is_interrupted_while_a_run_goes_on_in_another(tmp_path: Path) -> None:
    program = PREAMBLE + """
stop, over = False, threading.Event()
def work():
    model.run("rattle", step=0.01, steps=10**10, every=10**5, progress=progress, callback=lambda state: stop)
    over.set()
threading.Thread(target=work).start()
try:
    time.sleep(60)
except KeyboardInterrupt:
    assert not over.is_set()
    stop = True
    assert over.wait(60)
    print("interrupted", flush=True)
"""
    status, output, errors = interrupted(program, tmp_path)
    assert (status, output) == (0, "interrupted\n"), errors


def test_a_daemon_thread_does_not_keep_the_program(tmp_path: Path) -> None:
    program = PREAMBLE + f"""
threading.Thread(target=lambda: {LONG.format(more="")}, daemon=True).start()
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("over", flush=True)
"""
    status, output, errors = interrupted(program, tmp_path)
    assert (status, output) == (0, "over\n"), errors


@pytest.mark.parametrize(
    "call", ['certify("rattle", step=1e-8, duration=10)', 'compare(["rattle"], steps=[1e-8], duration=10)']
)
def test_measurements_can_be_interrupted(call: str, tmp_path: Path) -> None:
    program = f"{PREAMBLE}print('running', flush=True)\ntry:\n    model.{call}\n"
    program += "except KeyboardInterrupt:\n    print('interrupted', flush=True)"
    status, output, errors = interrupted(program, tmp_path)
    assert (status, output) == (0, "interrupted\n"), errors
