"""Whole numbers in exponent form: exact, or refused."""

from program import PENDULUM, ProgramTest


class WholeNumbers(ProgramTest):
    def test_may_have_an_exponent(self):
        for text, steps in (("1e3", 1000), ("2.5e1", 25), ("1.20e+2", 120), ("30e-1", 3), ("7.0", 7), ("+4", 4), ("0e9", 0)):
            with self.subTest(text):
                self.assertEqual(self.run_json("pendulum", "--steps", text)["steps"], steps)
        self.run_json("pendulum", "--steps", "1e2", "--every", "5e1", "--monitor", "1e1", "--out", "a.csv")
        self.assertEqual(len((self.dir / "a.csv").read_text().splitlines()), 1 + 3)
        result = self.libration("ensemble", "pendulum", "--vary", "g = uniform(0.9,1.1)", "--count", "2e1", "--seed", "1e15",
                                "--steps", "1e1", "--json", "--quiet")
        self.assertEqual((result.status, result.json["count"]), (0, 20), result)

    def test_that_are_not_whole_or_too_large_are_refused(self):
        for text, says in (("1.5e0", "whole number"), ("25e-1", "whole number"), ("1e", "whole number"),
                           ("1e5x", "whole number"), ("e5", "whole number"), ("0x10", "whole number"), ("1e1.5", "whole number"),
                           ("--1", "whole number"), (".", "whole number"), ("1e30", "too large"), ("9223372036854775808", "too large"),
                           ("1e99999999999999999999", "too large"), ("1e+-3", "whole number")):
            with self.subTest(text):
                self.refused("pendulum", f"--steps={text}", says=[f"--steps {text}", says])

    def test_may_stand_in_the_model(self):
        model = PENDULUM.replace("steps = 10", "steps = 2e1")
        self.assertNotEqual(model, PENDULUM)
        self.assertEqual(self.run_json(self.write(model))["steps"], 20)
        self.refused(self.write(PENDULUM.replace("steps = 10", "steps = 1.5e0")), says=["whole number"])
