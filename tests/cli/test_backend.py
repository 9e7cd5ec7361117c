"""Who makes the steps, generated code or the interpreter, never changes what comes out."""

import os
import unittest

import program
from program import PENDULUM, ProgramTest

LONG = ["triple-pendulum", "--steps", "300000", "--monitor", "0"]


def has_code():
    """Whether this build and this machine make code."""
    import subprocess

    done = subprocess.run([program.LIBRATION, "run", "pendulum", "--steps", "3", "--backend", "generated", "--json"],
                          capture_output=True, env=program.environment(), timeout=program.TIME_LIMIT, check=True, text=True)
    return program.Result(0, done.stdout, done.stderr).json["backend"]["name"] != "interpreted"


class BackendTest(ProgramTest):
    def run_with(self, *arguments, **environment):
        result = self.libration("run", *arguments, "--json", "--quiet", env=program.environment(**environment))
        self.assertEqual(result.status, 0, result)
        return result

    def numbers(self, result):
        return {key: value for key, value in result.json.items() if key not in ("seconds", "setup_seconds", "backend")}


# Where everything must be tested the module is there, and its absence is a failure.
@unittest.skipUnless(os.environ.get("CI") == "true" or has_code(), "no code can be generated here")
class GeneratedCode(BackendTest):
    def test_gives_the_numbers_of_the_interpreter(self):
        for arguments in (["triple-pendulum", "--steps", "500"], ["kepler", "--steps", "500", "--monitor", "7"],
                          ["chain", "--set", "n=100", "--steps", "20"],
                          ["triple-pendulum", "--method", "spark(3)", "--steps", "20"]):
            with self.subTest(arguments):
                a = self.run_with(*arguments, "--backend", "interpreted")
                b = self.run_with(*arguments, "--backend", "generated")
                self.assertEqual(a.json["backend"], {"name": "interpreted", "reason": ""})
                self.assertRegex(b.json["backend"]["name"], r"^generated (step|kernels) \(LLVM \d+, ")
                self.assertEqual(self.numbers(a), self.numbers(b))
                self.assertEqual(b.stderr, "")

    def test_leaves_no_trace_in_files(self):
        for kind in ("csv", "h5"):
            for backend in ("interpreted", "generated"):
                self.run_with("triple-pendulum", "--steps", "300", "--every", "7", "--monitor", "0",
                              "--out", f"{backend}.{kind}", "--backend", backend)
        self.assertEqual((self.dir / "interpreted.csv").read_bytes(), (self.dir / "generated.csv").read_bytes())
        import h5py
        with h5py.File(self.dir / "interpreted.h5") as a, h5py.File(self.dir / "generated.h5") as b:
            self.assertEqual(sorted(a.attrs), sorted(b.attrs))
            for name in ("run/t", "run/q", "run/p"):
                self.assertEqual(a[name][()].tobytes(), b[name][()].tobytes())

    def test_is_made_by_itself_for_long_runs_only(self):
        short = self.run_with("triple-pendulum", "--steps", "100").json["backend"]
        self.assertEqual(short["name"], "interpreted")
        self.assertIn("too short", short["reason"])
        self.assertIn("generated step", self.run_with(*LONG).json["backend"]["name"])

    def test_is_named_in_the_summary(self):
        result = self.libration("run", "pendulum", "--steps", "30", "--backend", "generated", "--quiet")
        self.assertRegex(result.stdout, r"\n  code +generated step \(LLVM")
        result = self.libration("run", "pendulum", "--steps", "30", "--quiet")
        self.assertNotIn("code", result.stdout)

    def test_continues_a_file_that_the_interpreter_began(self):
        model = self.write(PENDULUM)
        whole = self.run_with(model, "--steps", "100", "--out", "whole.h5")
        self.run_with(model, "--steps", "41", "--out", "cut.h5", "--backend", "interpreted")
        again = self.run_with("--resume", "cut.h5", "--steps", "100", "--backend", "generated")
        self.assertIn("generated step", again.json["backend"]["name"])
        self.assertEqual(self.numbers(again), self.numbers(whole))


class WithoutCode(BackendTest):
    """The module is missing, or the system forbids code: said once, and the numbers are the same."""

    def test_is_said_once_and_changes_no_number(self):
        expected = self.numbers(self.run_with(*LONG, "--backend", "interpreted"))
        for environment, says in (({"LIBRATION_LLVM_MODULE": "/nonexistent"}, "/nonexistent"),
                                  ({"LIBRATION_DENY_EXECUTABLE_MEMORY": "1"}, "executable memory")):
            for backend in ("generated", "auto"):
                with self.subTest(environment, backend=backend):
                    result = self.run_with(*LONG, "--backend", backend, **environment)
                    self.assertEqual(self.numbers(result), expected)
                    self.assertEqual(result.json["backend"]["name"], "interpreted")
                    self.assertIn(says, result.json["backend"]["reason"])
                    self.assertEqual(result.stderr.count("warning:"), 1, result)
                    self.assertIn(says, result.stderr)

    def test_is_not_worth_a_word_where_none_was_wanted(self):
        for arguments in (["--steps", "100"], ["--steps", "100000", "--backend", "interpreted"]):
            result = self.run_with("pendulum", *arguments, LIBRATION_LLVM_MODULE="/nonexistent")
            self.assertEqual(result.stderr, "")


class AnUnknownBackend(ProgramTest):
    def test_is_refused_with_those_that_exist(self):
        self.refused("pendulum", "--backend", "gpu", says=["gpu", "auto, interpreted or generated"])
        self.refused("pendulum", "--backend", "", says=["auto, interpreted or generated"])


if __name__ == "__main__":
    unittest.main()
