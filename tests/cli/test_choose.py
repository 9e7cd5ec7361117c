"""The choice of method and step size, as a command and as a part of run and ensemble."""

import math

from program import ProgramTest

# One mass on one spring, omega = 2: cos(2 t).
OSCILLATOR = """
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "2*x^2"
[initial]
q = [1]
v = [0]
"""

# Two rods, started upright: chaotic.
UPRIGHT = """
[coordinates]
q = ["x1", "y1", "x2", "y2"]
[dynamics]
mass = 1.0
potential = "y1 + y2"
constraints = ["x1^2 + y1^2 - 1", "(x2-x1)^2 + (y2-y1)^2 - 1"]
[initial]
q = [0, 1, 1, 1]
v = [0, 0, 0, 0]
"""

CANDIDATE = {"method", "step", "error", "energy_error", "work", "verdict"}
ERROR = ["--error", "1e-6", "--duration", "20"]


class Choose(ProgramTest):
    def model(self, run=""):
        return self.write(OSCILLATOR + run, "oscillator.toml")

    def choose(self, *arguments):
        result = self.libration("choose", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def run_json(self, *arguments):
        result = self.libration("run", *arguments, "--json", "--quiet")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def assert_exact(self, run, error):
        """Against the closed form, with the relative errors that are promised."""
        for name, exact in (("q", math.cos(2 * run["t"])), ("p", -2 * math.sin(2 * run["t"]))):
            self.assertLessEqual(abs(run[name][0] - exact) / abs(exact), 1.05 * error)

    def test_pair_can_be_given_to_run_as_it_stands(self):
        model = self.model()
        choice = self.choose(model, *ERROR)
        self.assertEqual(choice["asked"], {"error": 1e-6, "energy_error": None})
        self.assertEqual(choice["duration"], 20)
        self.assertEqual(choice["step"], 20 / choice["steps"])
        for candidate in choice["candidates"]:
            self.assertEqual(set(candidate), CANDIDATE)
        self.assertEqual(choice["candidates"][0]["verdict"], "chosen")
        self.assertEqual(choice["candidates"][0]["method"], choice["method"])
        run = self.run_json(model, "--method", choice["method"], "--step", repr(choice["step"]), "--duration", "20")
        self.assert_exact(run, 1e-6)
        self.assertEqual(run["energy"]["max_error"], choice["predicted"]["energy_error"])
        self.assertNotIn("chosen", run)

    def test_table_for_people_says_why(self):
        result = self.libration("choose", self.model(), *ERROR)
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        for text in ("verdict", "chosen", "needs the fewest operations", "Predicted: error"):
            self.assertIn(text, result.stdout)

    def test_same_choice_every_time(self):
        first, second = (self.choose("pendulum", "--error", "1e-5", "--duration", "10") for _ in range(2))
        for name in ("method", "step", "work", "pilot_work", "reason"):
            self.assertEqual(first[name], second[name])

    def test_run_with_error_does_what_choose_says(self):
        model = self.model()
        choice, run = self.choose(model, *ERROR), self.run_json(model, *ERROR)
        self.assertEqual((run["method"], run["step"]), (choice["method"], choice["step"]))
        self.assertEqual(run["chosen"]["reason"], choice["reason"])
        self.assert_exact(run, 1e-6)
        result = self.libration("choose", model, *ERROR, "--run", "--json", "--quiet")
        self.assertEqual(result.json["q"], run["q"])

    def test_what_was_chosen_is_said_first(self):
        result = self.libration("run", self.model(), *ERROR, "--json")
        self.assertTrue(result.stderr.startswith("chosen: method "), result.stderr)

    def test_model_without_run_section_runs(self):
        model = self.model()
        run = self.run_json(model)
        self.assertAlmostEqual(run["t"], 100 * math.pi, delta=2 * math.pi)
        self.assert_exact(run, 1e-6)
        said = self.libration("run", model).stderr
        self.assertIn("chosen: method ", said)
        self.assertIn("duration 31", said)

    def test_missing_length_alone_is_chosen(self):
        run = self.run_json(self.model(), "--method", "verlet", "--step", "0.01")
        self.assertEqual((run["method"], run["step"]), ("verlet", 0.01))
        self.assertAlmostEqual(run["t"], 100 * math.pi, delta=2 * math.pi)
        self.assertIn("slowest time scale", run["chosen"]["reason"])

    def test_error_overrides_method_and_step_of_the_model(self):
        model = self.model('[run]\nmethod = "verlet"\nstep = 0.125\nduration = 20\n')
        run = self.run_json(model, "--error", "1e-6")
        self.assert_exact(run, 1e-6)
        self.assertEqual(run["t"], 20)
        self.assertEqual(self.run_json(model)["step"], 0.125)

    def test_auto_and_error_in_the_model(self):
        by_name = self.run_json(self.model('[run]\nmethod = "auto"\nerror = 1e-6\nduration = 20\n'))
        self.assert_exact(by_name, 1e-6)
        by_error = self.run_json(self.model('[run]\nerror = 1e-6\nduration = 20\n'))
        self.assertEqual(by_error["q"], by_name["q"])
        both = self.run_json(self.model('[run]\nerror = 1e-6\nduration = 20\n'), "--method", "verlet", "--step", "0.125")
        self.assertEqual((both["method"], both["step"]), ("verlet", 0.125))

    def test_step_of_a_given_method_and_method_of_a_given_step(self):
        model = self.model()
        step = self.run_json(model, *ERROR, "--method", "gauss(2)")
        self.assertEqual(step["method"], "gauss(2)")
        self.assert_exact(step, 1e-6)
        method = self.run_json(model, *ERROR, "--method", "auto", "--step", "0.25")
        self.assertEqual(method["step"], 0.25)
        self.assert_exact(method, 1e-6)

    def test_energy_error(self):
        run = self.run_json("pendulum", "--energy-error", "1e-7", "--duration", "20")
        self.assertLessEqual(run["energy"]["max_error"], 1e-7)

    def test_resume_needs_no_pilots(self):
        model = self.model()
        whole = self.run_json(model, "--error", "1e-6", "--duration", "20")
        first = self.run_json(model, "--error", "1e-6", "--duration", "20", "--out", "run.h5")
        self.assertEqual(first["q"], whole["q"])
        again = self.run_json("--resume", "run.h5", "--error", "1e-6", "--method", "auto")
        self.assertEqual((again["q"], again["chosen"]), (first["q"], first["chosen"]))
        longer = self.run_json("--resume", "run.h5", "--steps", str(2 * first["steps"]))
        straight = self.run_json(model, "--method", first["method"], "--step", repr(first["step"]), "--steps",
                                 str(2 * first["steps"]))
        self.assertEqual(longer["q"], straight["q"])
        self.refused("--resume", "run.h5", "--error", "1e-5", command="run", says=["error", "1e-05"])

    def test_ensembles_choose_for_the_model_as_it_is(self):
        result = self.libration("ensemble", "kepler", "--count", "4", "--vary", "e = linspace(0.5, 0.6)", "--error", "1e-5",
                                "--duration", "20", "--json", "--quiet")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        choice = self.choose("kepler", "--error", "1e-5", "--duration", "20")
        self.assertEqual((result.json["method"], result.json["step"]), (choice["method"], choice["step"]))
        self.assertEqual(result.json["chosen"]["reason"], choice["reason"])

    def test_chaotic_motion_is_said_to_be_chaotic(self):
        choice = self.choose(self.write(UPRIGHT, "upright.toml"), "--error", "1e-4", "--duration", "200")
        self.assertEqual((choice["growth"], choice["criterion"]), ("chaotic", "energy_error"))
        self.assertIsNone(choice["predicted"]["error"])
        self.assertLess(choice["horizon"], 120)
        self.assertIn("positions can be accurate", choice["reason"])

    def test_refuses_what_cannot_be_met(self):
        model = self.model()
        for arguments, says in (
                (["--error", "0"], ["--error 0", "positive"]),
                (["--error", "-1"], ["positive"]),
                (["--error", "nan"], ["--error"]),
                (["--energy-error", "0"], ["--energy-error 0", "positive"]),
                (["--error", "2"], ["below 1"]),
                (["--error", "1e-3", "--duration", "0"], ["duration"]),
                (["--error", "1e-17", "--duration", "20"], ["1e-17", "1e-14"]),
                (["--error", "1e-6", "--step", "3", "--duration", "30"], ["closest", "--step"]),
                (["--error", "1e-6", "--duration", "20", "--method", "rattl"], ["did you mean"])):
            with self.subTest(arguments=arguments):
                self.refused(model, *arguments, command="choose", says=says)
        self.refused(command="choose", says=["which model"])
        self.refused("damped-spherical-pendulum", "--energy-error", "1e-6", command="choose", says=["not conserved"])

    def test_run_refuses_contradictions(self):
        model = self.model()
        for arguments, says in (
                (["--error", "1e-6", "--method", "verlet", "--step", "0.1", "--duration", "1"], ["--error", "omit"]),
                (["--error", "1e-6", "--steps", "100"], ["--steps 100", "--duration"]),
                (["--error", "1e-6", "--adaptive", "reversible", "--tol", "1e-6", "--duration", "1"], ["--adaptive"])):
            with self.subTest(arguments=arguments):
                self.refused(model, *arguments, command="run", says=says)

