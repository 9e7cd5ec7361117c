"""Every mistake is told in the language of the face where it was made; tests/golden/messages.txt lists them all.

    PYTHONPATH=build/release/python python3 tests/python/test_all_messages.py    writes the list anew; read what changed
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Iterator, Optional

import libration as lb
from command_line import PROGRAM
from mistakes import FILE, MISTAKES, Mistake
from mistakes_in_mechanisms import MECHANISMS
from mistakes_in_rolling import ROLLING

ALL_MISTAKES = MISTAKES + MECHANISMS + ROLLING
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "messages.txt"


def prepare() -> None:
    """The files that mistakes are made with, in the working directory."""
    pathlib.Path("rod.toml").write_text(FILE, encoding="utf-8")
    pathlib.Path("there.h5").write_text("no HDF5 file", encoding="utf-8")
    pathlib.Path("there.csv").write_text("t", encoding="utf-8")
    lb.load("rod.toml").run(out="run.h5")
    lb.load("rod.toml").run(every=2, out="thin.h5")


def names() -> dict[str, Any]:
    x, y = lb.coordinates("x y")
    g, l = lb.symbol("g"), lb.symbol("l")
    written = lb.Model(q=[x, y], mass=1, potential=g * y, constraints={"rod": x**2 + y**2 - l**2}, name="rod",
                       parameters={"g": 1.0, "l": 1.0}, initial={"q": [1, 0], "v": [0, 0]},
                       run={"method": "rattle", "step": 0.01, "steps": 10})
    return {"lb": lb, "x": x, "y": y, "model": written}


def on_the_command_line(command: str) -> str:
    words = shlex.split(command.replace("MODEL", "rod.toml").replace("(", r"\(").replace(")", r"\)"))
    words = [word.replace(r"\(", "(").replace(r"\)", ")") for word in words]
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (2, 3), f"{command}: {done}"
    return done.stderr.strip().removeprefix("error: ")


def in_python(expression: str, known: dict[str, Any]) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lb.LibrationWarning)
        try:
            eval(expression, dict(known))  # pylint: disable=eval-used
        except (ValueError, TypeError, OSError) as error:
            return str(error).strip()
    raise AssertionError(f"{expression} is accepted")


def in_a_file(old: str, new: str) -> str:
    assert FILE.count(old) == 1, old
    pathlib.Path("wrong.toml").write_text(FILE.replace(old, new), encoding="utf-8")
    return on_the_command_line("run wrong.toml")


@contextlib.contextmanager
def directory() -> Iterator[None]:
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="libration-") as place:
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)


def told(mistake: Mistake, known: dict[str, Any]) -> dict[str, Optional[str]]:
    return {
        "command line": mistake.command and on_the_command_line(mistake.command),
        "Python": mistake.python and in_python(mistake.python, known),
        "model file": mistake.file and in_a_file(*mistake.file),
    }


def all_messages() -> str:
    """The list: name, then what each face says, indented."""
    parts = []
    with directory():
        prepare()
        known = names()
        for mistake in ALL_MISTAKES:
            lines = [f"## {mistake.name}"]
            for face, message in told(mistake, known).items():
                if message:
                    lines += [f"{face}:", *(f"    {line}" for line in message.splitlines())]
            parts.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(parts) + "\n"


def sections(text: str) -> dict[str, str]:
    return {part.splitlines()[0]: part.strip() for part in re.split(r"(?m)^(?=## )", text) if part.strip()}


def test_the_list_of_messages_is_what_the_faces_say() -> None:
    kept, found = sections(GOLDEN.read_text(encoding="utf-8")), sections(all_messages())
    assert list(kept) == list(found)
    for name, messages in found.items():
        assert messages == kept[name]


FORBIDDEN = {
    "command line": r"\b[a-z_]+=(True|H\b|\")|lb\.|model\.set|`",
    "Python": r"--[a-z]|\[\[|\[(initial|dynamics|run|field|spark|forces|events)\]|model:\d|`"
              r"|'libration [a-z]+'(?! in a terminal)",
    "model file": r"\b[a-z_]+=(True|H\b|\")|lb\.|model\.set|`",
}


def test_no_face_speaks_the_language_of_another() -> None:
    faces = dict.fromkeys(FORBIDDEN, 0)
    # A model that was loaded from a file keeps the words of files in Python, too.
    loaded = {f"## {mistake.name}" for mistake in ALL_MISTAKES if "lb.load(" in (mistake.python or "")}
    for name, part in sections(GOLDEN.read_text(encoding="utf-8")).items():
        for face, pattern in FORBIDDEN.items():
            found = re.search(rf"(?m)^{face}:\n((?:    .*\n?|\n)+)", part)
            if found and not (face == "Python" and name in loaded):
                faces[face] += 1
                assert not re.search(pattern, found.group(1)), f"{name}, {face}: {found.group(1)}"
    assert min(faces.values()) > 25, faces


if __name__ == "__main__":
    GOLDEN.write_text(all_messages(), encoding="utf-8")
    sys.exit(0)
