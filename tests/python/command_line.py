"""The program, whose answers the package must give, too."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import libration as lb

BESIDE = pathlib.Path(lb.__file__).parents[2] / "libration"
PROGRAM = os.environ.get("LIBRATION", str(BESIDE))


def answer(*arguments: object, status: int = 0) -> Any:
    """The JSON object that `libration ARGUMENTS --json` prints."""
    assert os.access(PROGRAM, os.X_OK), f"there is no program {PROGRAM}; build it, or name it in LIBRATION"
    command = [PROGRAM, *map(str, arguments), "--json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == status, result.stderr
    return json.loads(result.stdout)


def without(content: Any, *names: str) -> Any:
    """The same without these keys, wherever they are: seconds differ from one call to the next."""
    if isinstance(content, dict):
        return {name: without(value, *names) for name, value in content.items() if name not in names}
    if isinstance(content, list):
        return [without(value, *names) for value in content]
    return content
