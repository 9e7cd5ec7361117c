"""What is kept of a run that fails: the last good state, in the JSON and in the files."""

import h5py
import numpy

from program import OSCILLATOR, PENDULUM, SOURCE_DIR, ProgramTest
from test_run import KEYS, column

# The force -1 - 1/(2 sqrt(x)) pulls x into the end of the domain of its potential.
INTO_THE_WALL = OSCILLATOR.replace('"x^2/2"', '"x + sqrt(x)"')

# A point slides along one line of x y = 0 into the crossing, where the gradient vanishes; 1 - n/8 meets it exactly.
INTO_THE_CROSSING = """\
[coordinates]
q = ["x", "y"]

[dynamics]
mass = 1
constraints = ["x*y"]

[initial]
q = [1, 0]
p = [-1, 0]

[run]
method = "rattle"
step = 0.125
steps = 20
"""

# x = t, and the mass of y is 1 - x.
INTO_NO_MASS = """\
[coordinates]
q = ["x", "y"]

[dynamics]
mass = [1, "1 - x"]

[initial]
q = [0, 0.25]
v = [1, 0]

[run]
method = "lobatto(2)"
step = 0.375
steps = 20
"""

# A body on a rod, whose center of mass comes close to the line of the rod at a high speed: a long step finds positions on
# another branch.
WHIP = """\
[dynamics]
gravity = [-0.461, -9.81]
[[body]]
name = "body"
planar = true
mass = 1.963
inertia = 0.05209
position = [0.0976, -0.8664]
com = [0.1808, 0.2102]
angle = -2.2339
velocity = [0.7129, -0.2511]
omega = 0.7406
[[joint]]
name = "rod"
type = "distance"
between = ["ground", "body"]
at = [[0.2967, -0.1566], [-0.0024, 0.1723]]
"""


class AFailingRun(ProgramTest):
    def test_says_that_a_solution_does_not_continue_the_motion(self):
        """Its residual is below round-off, so that nothing `stagnates`."""
        model = self.write(WHIP, "whip.toml")
        failed = self.run_json(model, "--project", "--method", "lobatto(4)", "--step", 0.01, "--duration", 2, status=1)
        self.assertIn("does not continue the motion", failed["failure"]["message"])
        self.assertNotIn("times round-off", failed["failure"]["message"])
        # The motion itself goes on.
        fine = self.run_json(model, "--project", "--method", "lobatto(4)", "--step", "1e-4", "--duration", "0.5")
        self.assertLess(fine["energy"]["max_error"], 1e-9 * abs(fine["energy"]["initial"]))

    def fails(self, text, *arguments):
        model = self.write(text)
        result = self.libration("run", model, *arguments, "--json", "--out", "a.h5")
        self.assertEqual(result.status, 1, result)
        found = result.json
        self.assertEqual(set(found), KEYS | {"failure"})
        self.assertEqual(set(found["failure"]), {"step", "t", "kind", "message"})
        self.assertEqual(found["status"], "failed")
        self.assertEqual(found["failure"]["step"], found["steps"] + 1)
        self.assertIn(found["failure"]["message"], result.stderr)
        self.assertEqual(self.libration("run", model, *arguments, "--out", "a.csv", "--quiet").status, 1)
        # The state is the last good one: that of a run which ends there.
        good = self.run_json(model, *arguments[:-2], "--steps", found["steps"])
        for key in ("q", "p", "v", "t", "lambda"):
            self.assertEqual(found[key], good[key], key)
        with h5py.File(self.dir / "a.h5", "r") as file:
            self.assertEqual(file.attrs["status"], "failed")
            self.assertEqual(file["run/q"][-1].tolist(), found["q"])
            self.assertEqual(len(file["run/t"]), found["steps"] + 1)
            self.assertTrue(numpy.all(numpy.isfinite(file["run/q"][()])))
        self.assertEqual(column(self.dir / "a.csv", "t")[-1], found["t"])
        self.assertEqual(self.files(), ["a.csv", "a.h5", "model.toml"])
        return found

    def test_into_a_singularity_keeps_what_was_computed(self):
        found = self.fails(INTO_THE_WALL, "--step", "0.01", "--steps", "1000")
        self.assertEqual(found["failure"]["kind"], "not-finite")
        self.assertGreater(found["steps"], 50)

    def test_that_loses_rank_says_so_and_keeps_what_was_computed(self):
        found = self.fails(INTO_THE_CROSSING, "--steps", "20")
        self.assertIn(found["steps"], (7, 8))  # x = 1 - n/8 vanishes at n = 8
        self.assertRegex(found["failure"]["kind"] + found["failure"]["message"], "rank|independent|singular")

    def test_to_where_a_mass_is_negative_names_the_state(self):
        found = self.fails(INTO_NO_MASS, "--steps", "20")
        self.assertEqual((found["steps"], found["failure"]["kind"]), (2, "mass"))
        self.assertIn("not positive definite at t = 1.125: x = 1.125 (detected at coordinate y)", found["failure"]["message"])

    def test_with_a_step_far_too_large_keeps_what_was_computed(self):
        moving = PENDULUM.replace("p = [0, 0]", "p = [0, 1]")
        found = self.fails(moving, "--step", "1.3", "--steps", "1000")
        self.assertIn("smaller step", found["failure"]["message"])

    def test_of_an_implicit_method_keeps_what_was_computed(self):
        # A step of 3 is far beyond the time scale 1 of the pendulum; Gauss with constraints leaves the manifold further at
        # every step, until its stages have no solution.
        model = (SOURCE_DIR / "problems" / "double-pendulum.toml").read_text(encoding="utf-8")
        for method, step, steps in (("lobatto(3)", "3", "5"), ("gauss(2)", "0.12", "5000")):
            with self.subTest(method):
                found = self.fails(model, "--method", method, "--step", step, "--steps", steps)
                self.assertLess(found["steps"], int(steps))
                self.assertIn("smaller step", found["failure"]["message"])
                for key in ("q", "p", "v", "lambda"):
                    self.assertTrue(numpy.all(numpy.isfinite(found[key])), key)
                (self.dir / "a.h5").unlink()
                (self.dir / "a.csv").unlink()

    def test_can_be_asked_for_its_result_again(self):
        found = self.fails(INTO_THE_WALL, "--step", "0.01", "--steps", "1000")
        again = self.libration("run", "--resume", "a.h5", "--json", "--quiet")
        self.assertEqual(again.status, 1, again)
        for key in KEYS - {"seconds", "setup_seconds"}:
            self.assertEqual(again.json[key], found[key], key)

    def test_prints_a_summary_for_people_too(self):
        result = self.libration("run", self.write(INTO_THE_WALL), "--step", "0.01", "--steps", "1000")
        self.assertEqual(result.status, 1)
        self.assertIn("failed", result.stdout)
