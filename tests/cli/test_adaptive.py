"""Steps that choose their length: options, summary, files and how they are continued."""

import h5py

from program import OSCILLATOR, ProgramTest

KEPLER = ("run", "kepler", "--method", "gauss(2)", "--step", "0.01", "--quiet")
ADAPTIVE = ("--adaptive", "reversible", "--tol", "1e-6")


class AdaptiveSteps(ProgramTest):
    def test_run_until_the_first_node_at_or_past_the_duration_and_say_what_they_did(self):
        found = self.libration(*KEPLER, *ADAPTIVE, "--duration", "3", "--json").json
        self.assertEqual(found["status"], "completed")
        self.assertGreaterEqual(found["t"], 3)
        adaptive = found["adaptive"]
        self.assertLess(found["t"] - adaptive["largest_step"], 3)
        self.assertEqual((adaptive["control"], adaptive["tol"], adaptive["estimator"], adaptive["rejected"]),
                         ("reversible", 1e-6, "antisymmetric", 0))
        self.assertLess(adaptive["smallest_step"], adaptive["largest_step"])
        text = self.libration(*KEPLER, *ADAPTIVE, "--duration", "3").stdout
        self.assertRegex(text, r"adaptive +reversible, tolerance 1e-06, antisymmetric estimator; step sizes from ")

    def test_with_equal_steps_nothing_is_said_of_them(self):
        self.assertNotIn("adaptive", self.libration(*KEPLER, "--steps", "3", "--json").json)

    def test_the_ordinary_controller_counts_what_it_rejects(self):
        found = self.libration(*KEPLER, "--adaptive", "standard", "--tol", "1e-6", "--duration", "30", "--set", "e=0.9", "--json").json
        self.assertGreater(found["adaptive"]["rejected"], 0)

    def test_for_which_no_length_fits_fail_with_the_reason_and_keep_what_was_computed(self):
        model = self.write(OSCILLATOR.replace('"x^2/2"', '"x^2/2*exp(-(t/4)^8)"'))  # free motion makes no error
        result = self.libration("run", model, "--method", "lobatto(3)", "--step", "0.01", "--steps", "300", *ADAPTIVE,
                                "--out", "a.h5", "--json", "--quiet")
        self.assertGreater(result.json["steps"], 10)
        self.assertEqual((result.status, result.json["status"], result.json["failure"]["kind"]), (1, "failed", "step-size"))
        self.assertEqual(result.json["failure"]["step"], result.json["steps"] + 1)
        with h5py.File(self.dir / "a.h5") as file:
            self.assertEqual(file["run/t"][-1], result.json["t"])

    def test_without_what_belongs_to_them_are_refused(self):
        for arguments, says in (
            (("--tol", "1e-6"), ["--tol", "--adaptive"]), (("--estimator", "symmetric"), ["--estimator", "--adaptive"]),
            (("--adaptive", "reversible"), ["--tol"]), (("--adaptive", "backwards", "--tol", "1e-6"), ["backwards", "standard"]),
            ((*ADAPTIVE, "--estimator", "both"), ["both", "antisymmetric"]), ((*ADAPTIVE[:3], "0"), ["between 1e-16"]),
            ((*ADAPTIVE[:3], "-1e-6"), ["between 1e-16"]), ((*ADAPTIVE[:3], "1"), ["between 1e-16"]),
            ((*ADAPTIVE[:3], "nan"), ["between 1e-16"]), ((*ADAPTIVE[:3], "x"), ["--tol", "x"]),
            ((*ADAPTIVE, "--duration", "-1"), ["sign"]), ((*ADAPTIVE, "--estimator", "symmetric"), ["two stages"]),
            ((*ADAPTIVE, "--duration", "inf"), ["duration"]),
        ):
            with self.subTest(arguments):
                self.refused(*KEPLER[1:], *arguments, "--out", "a.h5", says=says)

    def test_are_refused_by_methods_that_cannot_with_the_reason(self):
        for model, method, says in (
            ("pendulum", "rattle", ["rattle", "no error estimate", "lobatto(s)"]),
            ("pendulum", "compose(lobatto(2), yoshida4)", ["composition"]),
            ("pendulum", "multistep(4)", ["must have the same size"]), ("pendulum", "shake", ["must have the same size"]),
            ("pendulum", "gauss(2)", ["constraints"]), ("kepler", "verlet", ["no error estimate", "midpoint"]),
        ):
            with self.subTest(method):
                self.refused(model, "--method", method, *ADAPTIVE, "--out", "a.h5", says=says)

    def test_a_file_that_is_continued_equals_the_whole_run(self):
        for length, short, full in (("--duration", "2", "5"), ("--steps", "20", "55")):
            with self.subTest(length):
                whole = self.libration(*KEPLER, *ADAPTIVE, length, full, "--out", "whole.h5", "--overwrite", "--json").json
                self.libration(*KEPLER, *ADAPTIVE, length, short, "--out", "cut.h5", "--overwrite")
                cut = self.libration("run", "--resume", "cut.h5", length, full, "--json", "--quiet").json
                for clock in ("seconds", "setup_seconds"):
                    whole.pop(clock)
                    cut.pop(clock)
                self.assertEqual(cut, whole)
                with h5py.File(self.dir / "cut.h5") as a, h5py.File(self.dir / "whole.h5") as b:
                    self.assertEqual(a["run/t"][()].tobytes(), b["run/t"][()].tobytes())

    def test_a_file_is_not_continued_with_other_options(self):
        self.libration(*KEPLER, *ADAPTIVE, "--duration", "2", "--out", "a.h5")
        self.libration(*KEPLER, "--steps", "2", "--out", "equal.h5")
        for arguments, says in (
            (("a.h5", "--tol", "1e-7"), ["--tol", "1e-07", "1e-06"]), (("a.h5", "--adaptive", "standard"), ["reversible"]),
            (("a.h5", "--estimator", "symmetric"), ["not set"]), (("a.h5", "--steps", "100"), ["--duration"]),
            (("a.h5", "--duration", "1"), ["extended"]), (("equal.h5", *ADAPTIVE), ["not set"]),
        ):
            with self.subTest(arguments):
                self.refused("--resume", *arguments, says=says)
        again = self.libration("run", "--resume", "a.h5", *ADAPTIVE, "--quiet", "--json")
        self.assertEqual((again.status, again.json["status"]), (0, "completed"))
