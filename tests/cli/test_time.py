"""Models that contain the time t, as a user meets them."""

from program import PENDULUM, ProgramTest

SHRINKING = PENDULUM.replace("l^2", "(1 - t)^2").replace("p = [0, 0]", "p = [-1, 0]").replace("0.01", "0.125")
SHRINKING = SHRINKING.replace("steps = 10", "steps = 20")


class ExplicitTime(ProgramTest):
    def test_a_constraint_that_shrinks_to_a_point_ends_the_run_with_status_1(self):
        for method in ("rattle", "lobatto(3)", "spark(3)", "shake"):
            result = self.libration("run", self.write(SHRINKING), "--method", method, "--json")
            self.assertEqual(result.status, 1, result)
            failure = result.json["failure"]
            self.assertIn(failure["kind"], ("rank", "newton"))
            self.assertIn("g1", failure["message"])
            self.assertTrue(0.75 <= failure["t"] <= 1.25, failure)
            self.assertNotIn("nan", result.stdout.lower())

    def test_a_start_that_does_not_move_with_its_constraint_is_refused_with_status_2(self):
        model = self.write(PENDULUM.replace("x^2", "(x + 2*t)^2"))  # g_t = 4 x = 4 at the start
        result = self.libration("run", model)
        self.assertEqual(result.status, 2, result)
        for text in ("|G v + g_t| = 4", "g1", "at t = 0", "--project"):
            self.assertIn(text, result.stderr)
        projected = self.libration("run", model, "--project", "--steps", "0", "--json")
        self.assertEqual(projected.status, 0, projected)
        self.assertAlmostEqual(projected.json["p"][0], -2.0, delta=1e-12)

    def test_a_constraint_that_has_no_gradient_at_the_start_is_refused_with_status_2(self):
        result = self.libration("run", self.write(PENDULUM.replace("x^2 + y^2 - l^2", "t*(x^2 + y^2 - l^2)")))
        self.assertEqual(result.status, 2, result)
        self.assertIn("the gradient of g1 vanishes", result.stderr)

    def test_the_driven_pendulum_is_checked_and_follows_its_closed_form(self):
        check = self.libration("check", "driven-pendulum", "--json")
        self.assertEqual(check.status, 0, check)
        run = self.libration("run", "driven-pendulum", "--method", "lobatto(4)", "--duration", "2", "--json")
        self.assertEqual(run.status, 0, run)
        for found, exact in zip(run.json["q"], (0.24884529815156442559, -0.58044613926484933481)):
            self.assertAlmostEqual(found, exact, delta=1e-11)
        self.assertAlmostEqual(run.json["lambda"][0], 3.9092974268256816954, delta=1e-10)
        self.assertLess(run.json["constraint"]["max"], 4e-15)
        self.assertLess(run.json["constraint"]["hidden_max"], 4e-15)
