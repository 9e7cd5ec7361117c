"""The interpreter may exit while threads are at work: its exit status stays that of the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WORK = {
    "certify": 'model.certify("rattle")',
    "certify on all problems": 'lb.certify("rattle")',
    "ensemble": 'model.ensemble("rattle", vary={"p_x1": "uniform(0, 1)"}, count=400, step=0.01, steps=2000, '
        'project=True)',
    "check": "model.check()",
    "load": 'lb.load("chain", n=30)',
    "run": 'model.run("rattle", step=0.01, steps=10**9, every=10**5, progress=False)',
    "short runs": 'model.run("rattle", step=0.01, steps=100).v',
    "run with a callback": 'model.run("rattle", step=0.01, steps=10**6, callback=lambda state: None, progress=False)',
    "run with a file": 'model.run("rattle", step=0.01, steps=10**9, out=f"{threading.get_ident()}.h5", progress=False)',
    "external": 'fall.run("verlet", step=0.01, steps=10**6, progress=False)',
    "analyse": 'model.run("rattle", step=0.01, steps=2000).analyse("drift")',
    "arrays": 'model.run("rattle", step=0.01, steps=20000, progress=False).lam',
}
PROGRAM = """
import sys, threading, time
import libration as lb
x, y = lb.coordinates("x y")
model = lb.load("triple-pendulum")
weight = lb.external(lambda q: float(q[1]), gradient=lambda q: [0.0, 1.0])
fall = lb.Model(q=[x, y], mass=1, potential=weight, initial={{"q": [1, 0]}})
begun = threading.Event()
def work():
    while True:
        begun.set()
        {work}
for _ in range({threads}):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep({seconds})
print("over", flush=True)
sys.exit(7)
"""


@pytest.mark.parametrize("name", WORK)
def test_a_thread_at_work_does_not_change_how_the_program_ends(name: str, tmp_path: Path) -> None:
    for threads, seconds in ((1, 0.05), (1, 0.31), (3, 0.13)):
        program = PROGRAM.format(work=WORK[name], threads=threads, seconds=seconds)
        command = [sys.executable, "-B", "-W", "ignore", "-c", program]
        place = tmp_path / f"{threads} {seconds}"
        place.mkdir()
        process = subprocess.run(command, capture_output=True, text=True, cwd=place, timeout=120)
        assert (process.returncode, process.stdout) == (7, "over\n"), (threads, seconds, process.stderr)
        assert "terminate" not in process.stderr and "Error" not in process.stderr, process.stderr
