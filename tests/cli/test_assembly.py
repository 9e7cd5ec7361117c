"""Starts from rough poses: what is said of them, and that every command starts from the same bits."""

import json
import math

import h5py

from program import ProgramTest

MODEL = """\
name = "four-bar"
[parameters]
d = 3
[coordinates]
q = ["x1", "y1", "x2", "y2"]
[dynamics]
mass = 1
potential = "y1 + y2"
[dynamics.constraints]
crank = "x1^2 + y1^2 - 1"
rod = "(x2 - x1)^2 + (y2 - y1)^2 - 2.5^2"
rocker = "(x2 - d)^2 + y2^2 - 4"
[initial]
q = [0.6, 0.9, 2.4, 2.3]
v = [1, 0, 0, 0]
[run]
method = "rattle"
step = 0.01
steps = 20
"""
HELD = MODEL + '[assembly]\nhold = ["atan2(y1, x1)"]\n'


def where_circles_meet(side, d=3.0):
    """The joint of rod and rocker, for the crank of the rough pose."""
    length = math.hypot(0.6, 0.9)
    x, y = 0.6 / length, 0.9 / length
    dx, dy = d - x, -y
    apart = math.hypot(dx, dy)
    along = (apart**2 + 2.5**2 - 4) / (2 * apart)
    across = side * math.sqrt(2.5**2 - along**2)
    return [x, y, x + (along * dx - across * dy) / apart, y + (along * dy + across * dx) / apart]


# Three cranks whose rods keep the distances of their axes: one of six constraints is redundant where all turn alike.
THREE_CRANKS = """\
name = "three cranks"
[coordinates]
q = ["x1", "y1", "x2", "y2", "x3", "y3"]
[dynamics]
mass = 1
potential = "9.81*(y1 + y2 + y3)"
[dynamics.constraints]
c1 = "x1^2 + y1^2 - 1"
c2 = "(x2 - 2)^2 + y2^2 - 1"
c3 = "(x3 - 4)^2 + y3^2 - 1"
b12 = "(x2 - x1)^2 + (y2 - y1)^2 - 4"
b23 = "(x3 - x2)^2 + (y3 - y2)^2 - 4"
b13 = "(x3 - x1)^2 + (y3 - y1)^2 - 16"
[initial]
q = [0.22, 0.03, 2.59, 1.01, 5.28, -0.05]
[run]
method = "rattle"
step = 0.001
steps = 10
"""


# A four-bar linkage of bodies on a base that is welded to the ground; the rough pose does not close.
AT_REST = """\
[[body]]
name = "base"
mass = 1
inertia = [1, 2, 2.5]
frames = { a = { at = [0, 0, 0], axis = [0, 0, 1] }, d = { at = [3, 0, 0], axis = [0, 0, 1] } }
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.2, 0.25]
orientation = { axis = [0, 0, 1], angle = 1.57 }
frames = { p = { at = [0, 0, 0], axis = [0, 0, 1] }, q = { at = [1, 0, 0], axis = [0, 0, 1] } }
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.2, 0.25]
position = [0, 1, 0]
orientation = { axis = [0, 0, 1], angle = 0.2 }
frames = { p = { at = [0, 0, 0], axis = [0, 0, 1] } }
points = { end = [3, 0, 0] }
[[body]]
name = "rocker"
mass = 1
inertia = [0.1, 0.2, 0.25]
position = [3, 0, 0]
orientation = { axis = [0, 0, 1], angle = 1.7 }
frames = { p = { at = [0, 0, 0], axis = [0, 0, 1] } }
points = { end = [2, 0, 0] }
[[joint]]
name = "weld"
type = "fixed"
between = ["ground", "base"]
at = [0, 0, 0]
[[joint]]
name = "A"
type = "revolute"
between = ["base.a", "crank.p"]
[[joint]]
name = "B"
type = "revolute"
between = ["crank.q", "rod.p"]
[[joint]]
name = "C"
type = "spherical"
between = ["rod.end", "rocker.end"]
[[joint]]
name = "D"
type = "revolute"
between = ["base.d", "rocker.p"]
[assembly]
[run]
step = 0.01
steps = 20
"""


class Assembly(ProgramTest):
    def assert_near(self, found, expected):
        # Positions of the size of 3, each rounded a few times.
        self.assertLess(max(abs(a - b) for a, b in zip(found, expected)), 1e-14)

    def test_check_lists_the_ways_and_what_moved(self):
        result = self.libration("check", self.write(HELD), "--json")
        self.assertEqual(result.status, 0, result)
        found = result.json["assembly"]
        self.assertEqual(len(found["branches"]), 2)
        self.assert_near(found["branches"][0]["q"], where_circles_meet(1))
        self.assert_near(found["branches"][1]["q"], where_circles_meet(-1))
        self.assertEqual(found["branch"], 1)
        self.assertEqual(list(found["moved"])[0], "x2")
        self.assertAlmostEqual(found["moved"]["x2"]["by"], where_circles_meet(1)[2] - 2.4, delta=1e-14)
        self.assertGreater(found["gap_before"], 1)
        self.assertLess(found["gap"], 1e-14)
        self.assertLess(result.json["constraint"]["max"], 1e-14)
        self.assertLess(result.json["constraint"]["hidden_max"], 1e-14)
        text = self.libration("check", "model.toml").stdout
        for part in ("moved x2 by 0.372", "2 ways found", "1 (chosen): ", "2: "):
            self.assertIn(part, text)

    def test_another_branch_is_where_the_run_starts(self):
        name = self.write(HELD + "branch = 2\n")
        run = self.run_json(name, "--steps", 0)
        self.assert_near(run["q"], where_circles_meet(-1))
        self.assertEqual(run["start"]["how"], "assembled")

    def test_a_run_says_what_moved(self):
        run = self.run_json(self.write(HELD))
        self.assertEqual(run["start"]["q_name"], "x2")
        self.assertAlmostEqual(run["start"]["q"], where_circles_meet(1)[2] - 2.4, delta=1e-14)
        self.assertIn("assembled: moved q by at most 0.372 (x2)", self.libration("run", "model.toml").stdout)

    def test_project_says_what_moved(self):
        name = self.write(MODEL.replace("2.4, 2.3", "2.7719, 1.9870").replace("0.6, 0.9", "0.5547, 0.83205"))
        run = self.run_json(name, "--project")
        self.assertEqual(run["start"]["how"], "projected")
        self.assertLess(run["start"]["q"], 1e-3)
        self.assertGreater(run["start"]["q"], 1e-6)
        self.assertIn(run["start"]["p_name"], ("p_x1", "p_y1", "p_x2", "p_y2"))
        self.assertIn("projected: moved q by at most", self.libration("run", name, "--project").stdout)
        self.assertNotIn("start", self.run_json("pendulum", "--steps", 1))

    def test_a_consistent_start_is_used_bit_for_bit(self):
        consistent = MODEL.replace("d = 3", "d = 2").replace("2.5^2", "4").replace('y2^2 - 4"', 'y2^2 - 1"')
        consistent = consistent.replace("[0.6, 0.9, 2.4, 2.3]", "[0, 1, 2, 1]").replace("[1, 0, 0, 0]", "[1, 0, 1, 0]")
        plain = self.run_json(self.write(consistent))
        assembled = self.run_json(self.write(consistent + '[assembly]\nhold = "x1"\n', "assembled.toml"))
        for key in ("q", "p", "v", "lambda", "energy"):
            self.assertEqual(plain[key], assembled[key])
        self.assertEqual(assembled["start"]["q"], 0)
        self.assertIn("nothing moved", self.libration("run", "assembled.toml").stdout)
        self.assertIn("nothing moved", self.libration("check", "assembled.toml").stdout)

    def test_a_resumed_run_ends_in_the_same_bits(self):
        name = self.write(HELD)
        whole = self.run_json(name, "--steps", 40)
        self.run_json(name, "--steps", 20, "--out", "half.h5")
        resumed = self.run_json("--resume", "half.h5", "--steps", 40)
        for key in ("q", "p", "v", "lambda", "start"):
            self.assertEqual(whole[key], resumed[key])

    def test_members_of_an_ensemble_assemble_their_own_values(self):
        name = self.write(HELD)
        done = self.libration("ensemble", name, "--count", 3, "--vary", "d = linspace(2.75, 3.25)", "--out", "all.h5")
        self.assertEqual(done.status, 0, done)
        with h5py.File(self.dir / "all.h5") as file:
            ends = file["ensemble/final/q"][:].tolist()
        for end, d in zip(ends, (2.75, 3, 3.25)):
            self.assertEqual(end, self.run_json(name, "--set", f"d={d}")["q"], d)

    def test_closes_rows_that_are_not_carried(self):
        """The rows carried close in poses in which the others do not hold; check knows of none of them."""
        for rough, hold in (("0.22, 0.03, 2.59, 1.01, 5.28, -0.05", 'hold = ["atan2(y1, x1)"]'),
                            ("-0.4, -1.35, 0.74, -0.31, 3.03, -1.23", "")):
            model = self.write(THREE_CRANKS.replace("0.22, 0.03, 2.59, 1.01, 5.28, -0.05", rough) + "[assembly]\n" + hold)
            result = self.libration("check", model, "--json")
            self.assertEqual(result.status, 0, result)
            closed = result.json["assembly"]["branches"][0]["q"]
            for arguments in (("--steps", "0"), ("--steps", "10")):
                run = self.run_json(model, *arguments)
                self.assertEqual((run["status"], len(run["lambda"])), ("completed", 6))
                self.assertLess(run["constraint"]["max"], 1e-14)
            self.assert_near(self.run_json(model, "--steps", "0")["q"], closed)
            result = self.libration("compare", model, "--duration", "0.01", "--steps-list", "0.005,0.001", "--json")
            self.assertEqual(result.status, 0, result)

    def test_stays_at_rest_where_no_force_acts(self):
        """Rows of size zero, as those of the weld, have round-off, too: what corrections of the others leave there."""
        model = self.write(AT_REST)
        start = self.run_json(model, "--steps", "0")["q"]
        for method in ("rattle", "shake", "bdf(2)", "constrain(verlet)", "compose(rattle, suzuki4)", "lobatto(3)",
                       "spark(2)", "multistep(4)"):
            for step in ("0.1", "0.001", "-0.01"):
                with self.subTest(method=method, step=step):
                    run = self.run_json(model, "--method", method, "--step", step)
                    self.assertEqual(run["status"], "completed")
                    # Rounding of positions of the size of 3, each step corrects anew.
                    self.assertLess(max(abs(a - b) for a, b in zip(run["q"], start)), 1e-14)

    def test_gradients_are_refused_where_the_start_moved(self):
        result = self.libration("gradient", self.write(HELD), "--loss", "x2")
        self.assertEqual(result.status, 2, result)
        self.assertIn("[assembly]", result.stderr)
        self.assertIn("--project", result.stderr)

    def test_project_takes_the_place_of_an_assembly_and_is_differentiated(self):
        near = HELD.replace("[0.6, 0.9, 2.4, 2.3]", "[0.6, 0.8, 2.8, 2.0]")
        name = self.write(near)
        run = self.run_json(name, "--project")
        self.assertEqual(run["start"]["how"], "projected")
        self.write(near.split("[assembly]")[0], "plain.toml")
        self.assertEqual(run["q"], self.run_json("plain.toml", "--project")["q"])
        found = self.libration("gradient", name, "--loss", "x2", "--by", "d", "--project", "--json").json
        h = 1e-4
        ends = [self.run_json(name, "--project", "--set", f"d={3 + s * h}")["q"][2] for s in (1, -1)]
        # Central differences: h^2 times a third derivative of the order of 1, and rounding 1e-15/h.
        self.assertAlmostEqual(found["gradient"]["d"], (ends[0] - ends[1]) / (2 * h), delta=1e-6)

    def test_certificates_confirm_what_starts_from_a_rough_pose(self):
        result = self.libration("certify", "rattle", self.write(HELD))
        self.assertEqual(result.status, 0, result)
        self.assertRegex(result.stdout, "gradient +backward .* confirmed")
        self.assertNotIn("contradicted", result.stdout)


class BadAssemblies(ProgramTest):
    def fault(self, text, *arguments):
        result = self.libration("run", self.write(text), *arguments)
        self.assertEqual(result.status, 2, result)
        self.assertEqual(result.stdout, "")
        check = self.libration("check", "model.toml", *arguments)
        self.assertEqual(check.status, 2, check)
        return result.stderr

    def test_nothing_closes(self):
        fault = self.fault(HELD, "--set", "d=9")
        for part in ("cannot be satisfied", "smallest gap", "rocker", "rod", "[assembly]"):
            self.assertIn(part, fault)
        result = self.libration("check", "model.toml", "--set", "d=9", "--json")
        self.assertIn("cannot be satisfied", json.loads(result.stdout)["faults"][0])

    def test_only_what_is_held_stands_in_the_way(self):
        fault = self.fault(HELD.replace("[0.6, 0.9,", "[-0.9, 0.1,"), "--set", "d=4.5")
        self.assertIn("while `[assembly]` holds atan2(y1, x1); without it they can".replace("`", ""), fault.replace("`", ""))

    def test_hold_of_nothing(self):
        self.assertIn("'x3'", self.fault(MODEL + '[assembly]\nhold = "x3"\n'))
        self.assertIn("contains no coordinate", self.fault(MODEL + '[assembly]\nhold = "d"\n'))
        self.assertIn("v_x1", self.fault(MODEL + '[assembly]\nhold = "v_x1"\n'))

    def test_branches_that_do_not_exist(self):
        self.assertIn("branch 7, but 2 ways", self.fault(HELD + "branch = 7\n"))
        for branch in ("0", "-1", "1.5", '"up"'):
            self.assertIn("1, 2, ...", self.fault(HELD + f"branch = {branch}\n"))

    def test_unknown_keys(self):
        self.assertIn("holt", self.fault(MODEL + '[assembly]\nholt = "x1"\n'))
        self.assertIn("the model has no joints", self.fault(MODEL + "[assembly]\nsnap = 1e-5\n"))
        self.assertIn("[assembly]", self.fault("assembly = 1\n" + MODEL))

    def test_rough_values_that_are_not_finite(self):
        self.assertIn("not a finite number", self.fault(HELD.replace("2.4", '"log(-1)"')))
        fault = self.fault(HELD.replace('"x1^2 + y1^2 - 1"', '"sqrt(x1 - 1) + y1 - 1"'))
        self.assertIn("not a finite number", fault)

    def test_inconsistent_starts_without_a_section_mention_both_ways_out(self):
        fault = self.fault(MODEL)
        self.assertIn("--project", fault)
        self.assertIn("[assembly]", fault)


SNAPPED = """\
[parameters]
eps = 5e-4
lean = "2*eps"
m = 1.0
l = 1.0
[dynamics]
gravity = [0, -9.81, 0]
[[body]]
name = "a"
mass = "m"
inertia = [1, 2, 2.5]
com = [0.5, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [1, 2, 2.5]
com = [0.5, 0, 0]
position = ["l", 0, 0]
[[joint]]
name = "j1"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "j2"
type = "revolute"
between = ["a", "b"]
at = ["l", 0, 0]
axis = [0, "lean/2", 1]
[assembly]
snap = 1e-3
[run]
method = "rattle"
step = 0.01
steps = 50
"""


class Gradients(ProgramTest):
    """Where an axis is aligned, it no longer follows the parameters in it: that is not a derivative of zero."""

    def gradient(self, text, *arguments):
        result = self.libration("gradient", self.write(text), "--loss", "b.r.x", *arguments, "--json")
        self.assertEqual(result.status, 0, result)
        return result.json["gradient"]

    def test_by_parameters_in_aligned_axes_are_refused(self):
        for name in ("eps", "lean"):
            for value in ("5e-4", "0"):  # an axis that is parallel already would be aligned with any other value
                self.refused(self.write(SNAPPED), "--loss", "b.at(1,0,0).z", "--by", name, "--set", f"eps={value}",
                             command="gradient", says=[name, "[assembly] snap aligns", "remove 'snap'"])

    def test_by_other_parameters_are_those_of_the_aligned_model(self):
        found = self.gradient(SNAPPED)
        self.assertEqual(list(found), ["m", "l"])
        exact = self.gradient(SNAPPED.replace('"lean/2"', "0").replace("[assembly]\nsnap = 1e-3\n", ""), "--by", "m,l")
        for name, value in exact.items():
            self.assertAlmostEqual(found[name], value, delta=1e-12)


if __name__ == "__main__":
    import unittest

    unittest.main()
