"""No input may crash the interpreter: random garbage through the public surface, in children of their own.

LIBRATION_FUZZ_SECONDS makes each part longer (2 seconds otherwise), LIBRATION_FUZZ_SEED starts elsewhere.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("fuzz_child.py")
SECONDS = float(os.environ.get("LIBRATION_FUZZ_SECONDS", "2"))
SEED = int(os.environ.get("LIBRATION_FUZZ_SEED", "1"))
PARTS = ["expressions", "models", "runs", "files", "ensembles", "threads"]


def _limit() -> None:
    gigabytes = 6 << 30
    resource.setrlimit(resource.RLIMIT_AS, (gigabytes, gigabytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@pytest.mark.parametrize("part", PARTS)
def test_garbage_ends_in_exceptions_and_never_in_a_crash(part: str, tmp_path: Path) -> None:
    log = tmp_path / "cases.txt"
    child = subprocess.Popen(
        [sys.executable, "-B", "-X", "faulthandler", str(CHILD), part, str(SEED), str(SECONDS), str(log)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=tmp_path,
        preexec_fn=_limit,
        text=True,
        errors="replace",
    )
    try:
        output, _ = child.communicate(timeout=SECONDS + 120)
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
        output += "\nkilled: it hung"
    cases = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    last = cases[-1][:3000] if cases else "none"
    died = f"died of {signal.Signals(-child.returncode).name}" if child.returncode < 0 else f"status {child.returncode}"
    assert child.returncode == 0, f"{died}; the last case was\n{last}\n{output[-6000:]}"
    assert "cases, last seed" in output
