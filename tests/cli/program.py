"""Runs the program as a user does and keeps what it said, so that the test files contain only what they test."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LIBRATION = os.environ["LIBRATION"]
SOURCE_DIR = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])

# A run that hangs must fail its test and not the whole suite; nothing here needs more than a few seconds.
TIME_LIMIT = 60

# A message must fit on one screen; the issue says so, fifteen lines leave room for the command itself.
MOST_LINES = 15

PENDULUM = """\
name = "rod"

[parameters]
g = 1.0
l = 1.0

[coordinates]
q = ["x", "y"]

[dynamics]
mass = 1.0
potential = "g*y"
constraints = ["x^2 + y^2 - l^2"]

[initial]
q = [1, 0]
p = [0, 0]

[run]
method = "rattle"
step = 0.01
steps = 10
"""

OSCILLATOR = """\
[coordinates]
q = ["x"]

[dynamics]
mass = 1.0
potential = "x^2/2"

[initial]
q = [1]
p = [0]

[run]
method = "verlet"
step = 0.125
steps = 10
"""


class Result:
    """What one call of the program left behind: status, stdout, stderr, and the JSON object if there is one."""

    def __init__(self, status, stdout, stderr):
        self.status = status
        self.stdout = stdout
        self.stderr = stderr

    @property
    def json(self):
        """The one object on standard output; anything before or after it is an error, and so are NaN and Infinity."""

        def refuse(word):
            raise ValueError(f"{word} is no JSON")

        return json.loads(self.stdout, parse_constant=refuse)

    def __str__(self):
        return f"status {self.status}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}"


def environment(**changes):
    """The caller's environment without what would change colours or numbers; None removes a variable."""
    result = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LC_ALL", "LC_NUMERIC", "LANG")}
    result.update({k: v for k, v in changes.items() if v is not None})
    return result


class ProgramTest(unittest.TestCase):
    """A test case with a directory of its own, in which the program runs."""

    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="libration-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def write(self, text, name="model.toml"):
        """Writes a model file and returns its name, as an argument for the program."""
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return name

    def libration(self, *arguments, env=None):
        done = subprocess.run(
            [LIBRATION, *map(str, arguments)],
            cwd=self.dir,
            env=env or environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    def files(self):
        return sorted(str(path.relative_to(self.dir)) for path in self.dir.rglob("*") if path.is_file())

    def run_json(self, *arguments, status=0):
        """`run ... --json --quiet`, its status checked, as a dictionary."""
        result = self.libration("run", *arguments, "--json", "--quiet")
        self.assertEqual(result.status, status, result)
        return result.json

    def refused(self, *arguments, status=2, says=(), command="run"):
        """The contract of every refusal: status, a short message on stderr only, and no file that was not there."""
        before = self.files()
        results = [self.libration(command, *arguments), self.libration(command, *arguments, "--json")]
        for result in results:
            self.assertEqual(result.status, status, result)
            self.assertEqual(result.stdout, "", "a refusal prints nothing on standard output")
            self.assertLessEqual(len(result.stderr.splitlines()), MOST_LINES, result)
            self.assertTrue(result.stderr.startswith("error: "), result)
            self.assertNotIn("std::", result.stderr)
            self.assertNotIn("terminate called", result.stderr)
            for words in says:
                self.assertIn(words, result.stderr)
            self.assertEqual(self.files(), before, "a refusal leaves no file behind")
        return results[0].stderr

    def refused_model(self, text, *arguments, says=(), status=2):
        """Writes the model and has `run` refuse it."""
        return self.refused(self.write(text), *arguments, status=status, says=says)
