"""Gradients: a list for people, an object for programs, refusals that say what to do."""

from program import ProgramTest

KEYS = {"model", "loss", "gradient", "method", "step", "steps", "mode", "stored_every", "why_forward", "tangent_growth", "digits",
        "seconds", "run_seconds"}
PENDULUM = ["pendulum", "--loss", "x^2 + v_y", "--step", "0.02", "--steps", "100"]


class Gradient(ProgramTest):
    def gradient(self, *arguments):
        result = self.libration("gradient", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def refusal(self, *arguments, status=2):
        result = self.libration("gradient", *arguments)
        self.assertEqual(result.status, status, result)
        return result.stderr

    def test_both_modes_give_the_slope_of_the_loss(self):
        backward = self.gradient(*PENDULUM)
        self.assertEqual(set(backward), KEYS)
        self.assertEqual((backward["mode"], backward["why_forward"], backward["steps"]), ("backward", None, 100))
        self.assertEqual(list(backward["gradient"]), ["g", "l", "m"])
        forward = self.gradient(*PENDULUM, "--mode", "forward")
        self.assertEqual(forward["mode"], "forward")
        change = 1e-6
        for name, slope in backward["gradient"].items():
            self.assertAlmostEqual(forward["gradient"][name], slope, delta=1e-12)
            more, less = (self.gradient(*PENDULUM, "--set", f"{name}={1 + sign*change}")["loss"] for sign in (1, -1))
            # Third derivatives are of the order of 10, the loss is known to 1e-15 or so.
            self.assertAlmostEqual((more - less) / (2 * change), slope, delta=1e-8)

    def test_names_are_parameters_and_initial_values(self):
        found = self.gradient("kepler", "--loss", "x", "--by", "v_y, e,x", "--step", "0.05", "--steps", "20")
        self.assertEqual(list(found["gradient"]), ["v_y", "e", "x"])

    def test_the_list_for_people_has_the_same_numbers(self):
        slope = self.gradient(*PENDULUM, "--by", "g")["gradient"]["g"]
        text = self.libration("gradient", *PENDULUM, "--by", "g").stdout
        self.assertIn(f"{slope:.17g}", text)
        self.assertIn("digits left", text)
        self.assertIn("backward, along states stored every 100 steps", text)

    def test_a_method_that_cannot_go_back_says_why(self):
        found = self.gradient(*PENDULUM, "--method", "bdf(2)")
        self.assertEqual(found["mode"], "forward")
        self.assertIn("bdf(2) is not symplectic", found["why_forward"])

    def test_mistakes_are_named(self):
        self.assertIn("the loss is missing; give --loss EXPR", self.refusal("pendulum"))
        self.assertIn("--by gg: the model has no parameter 'gg'", self.refusal(*PENDULUM, "--by", "gg"))
        self.assertIn("a name is missing", self.refusal(*PENDULUM, "--by", "g,,l"))
        self.assertIn("choose auto, backward or forward", self.refusal(*PENDULUM, "--mode", "sideways"))
        self.assertIn("let --project move them", self.refusal("triple-pendulum", "--loss", "x3", "--steps", "5"))
        self.assertIn("use --mode forward", self.refusal(*PENDULUM, "--mode", "backward", "--method", "bdf(2)"))

    def test_no_digit_left_is_a_failure(self):
        chaos = ["henon-heiles", "--set", "H0=1/6", "--loss", "x", "--by", "y0", "--step", "0.1", "--steps", "20000"]
        self.assertIn("no correct digit is left", self.refusal(*chaos, status=1))
        result = self.libration("gradient", *chaos, "--json")
        self.assertEqual(result.status, 1)
        self.assertIsNone(result.json["gradient"])
        self.assertEqual(result.json["failure"]["kind"], "gradient")
