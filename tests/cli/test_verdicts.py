"""Every run says how good it is: runs that are wrong on purpose are not called good, runs that are right are not called
meaningless, and what is meaningless cannot be missed."""

import unittest

from program import SOURCE_DIR, ProgramTest
from verdict_runs import DAMPED, MORE_RIGHT, WRONG

PROBLEMS = sorted(path.stem for path in (SOURCE_DIR / "problems").glob("*.toml"))
# Their own [run] takes minutes.
SHORTER = {"vehicle": "--duration 0.3", "bicycle": "--duration 2"}


def name_of(model):
    return model.split("\n")[1] if "\n" in model else model


class Verdicts(ProgramTest):
    def run_of(self, model, arguments):
        path = self.write(model) if "\n" in model else model
        result = self.libration("run", path, "--json", "--quiet", *arguments.split())
        self.assertTrue(result.stdout, (model, arguments, result.stderr))
        return result

    def test_wrong_runs_are_rough_or_meaningless(self):
        self.assertGreaterEqual(len(WRONG), 40)
        for model, arguments in WRONG:
            with self.subTest(model=name_of(model), arguments=arguments):
                result = self.run_of(model, arguments)
                run, errors = result.json, result.stderr
                self.assertIn(run["verdict"]["word"], ("rough", "meaningless"), run["verdict"]["reasons"])
                self.assertTrue(run["verdict"]["reasons"][-1].startswith("to do: "))
                self.assertEqual("MEANINGLESS" in errors, run["verdict"]["word"] == "meaningless")

    def test_right_runs_are_not_meaningless(self):
        right = [(name, SHORTER.get(name, "")) for name in PROBLEMS] + MORE_RIGHT
        self.assertGreaterEqual(len(right), 40)
        words = {}
        for model, arguments in right:
            with self.subTest(model=name_of(model), arguments=arguments):
                result = self.run_of(model, arguments)
                verdict = result.json["verdict"]
                word = verdict["word"]
                self.assertEqual(result.status, 0, result.stderr)
                self.assertIn(word, ("good", "rough"), verdict["reasons"])
                words[word] = words.get(word, 0) + 1
        # A verdict that calls everything rough says nothing.
        self.assertGreater(words["good"], 3 * words.get("rough", 0))

    def test_strict_fails_where_the_result_is_meaningless(self):
        arguments = ("run", "kepler", "--step", "30", "--duration", "3000", "--quiet")
        self.assertEqual(self.libration(*arguments).status, 0)
        strict = self.libration(*arguments, "--strict")
        self.assertEqual(strict.status, 1)
        self.assertIn("THIS RESULT IS MEANINGLESS", strict.stderr)
        self.assertEqual(self.libration("run", "kepler", "--strict", "--quiet").status, 0)

    def test_without_monitor_there_is_no_verdict(self):
        run = self.run_json("kepler", "--step", "30", "--duration", "3000", "--monitor", "0")
        self.assertIsNone(run["verdict"])
        self.assertIsNone(run["error_estimate"])
        self.assertIsNone(run["balance"]["max_error"])

    def test_a_run_without_steps_has_no_verdict(self):
        self.assertIsNone(self.run_json("kepler", "--steps", "0")["verdict"])

    def test_a_failed_run_is_never_good(self):
        result = self.libration("run", "two-body-sphere", "--step", "0.3", "--duration", "60", "--json", "--quiet")
        self.assertEqual(result.status, 1)
        verdict = result.json["verdict"]
        self.assertNotEqual(verdict["word"], "good")
        self.assertTrue(any("the run failed" in reason for reason in verdict["reasons"]))

    def test_chaotic_motion_is_told_by_its_horizon_and_is_no_fault(self):
        run = self.run_json("henon-heiles", "--set", "H0=0.16", "--method", "gauss(3)", "--step", "0.2", "--duration",
                            "20000")
        estimate = run["error_estimate"]
        self.assertTrue(estimate["chaotic"], estimate)
        self.assertIsNone(estimate["error"])
        self.assertTrue(50 < estimate["horizon"] < 2000, estimate)
        self.assertTrue(any("chaotic" in reason for reason in run["verdict"]["reasons"]))

    def test_stopped_and_resumed_runs_have_the_verdict_of_the_whole(self):
        model = self.write(DAMPED)
        arguments = ("--method", "spark(3)", "--step", "0.01")
        whole = self.run_json(model, *arguments, "--steps", "400")
        self.run_json(model, *arguments, "--steps", "150", "--out", "run.h5")
        resumed = self.run_json("--resume", "run.h5", "--steps", "400")
        for key in ("verdict", "balance", "error_estimate"):
            self.assertEqual(resumed[key], whole[key])

    def test_adaptive_runs_are_judged(self):
        run = self.run_json("kepler", "--set", "e=0.98", "--method", "gauss(3)", "--step", "1e-4", "--duration",
                            "62.8", "--adaptive", "reversible", "--tol", "1e-7")
        self.assertIn(run["verdict"]["word"], ("good", "rough"))
        self.assertGreater(run["error_estimate"]["compared"]["steps"], 0)

    def test_shares_of_an_ensemble(self):
        result = self.libration("ensemble", "kepler", "--vary", "e = linspace(0, 0.99)", "--count", "40", "--step", "0.05",
                                "--duration", "60", "--method", "verlet", "--monitor", "1", "--json", "--quiet").json
        shares = result["verdicts"]
        self.assertAlmostEqual(sum(shares.values()), 1)
        self.assertGreater(shares["good"], 0.2)
        self.assertGreater(shares["meaningless"], 0.1)
        words = [trajectory["verdict"] for trajectory in result["trajectories"]]
        self.assertAlmostEqual(words.count(2) / 40, shares["meaningless"])


if __name__ == "__main__":
    unittest.main()
