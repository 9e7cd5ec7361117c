"""Redundant constraints in many parts, units and places: which reactions they share, and what is inside bodies."""

import csv

from program import SOURCE_DIR, ProgramTest


class ManyDoors(ProgramTest):
    """N doors in a row of this distance, on two hinges each, whose axes are vertical; gravity along y."""

    TEXT = """\
[parameters]
n = 2
unit = 1        # one metre
start = 0       # where the row starts, and how far it is from door to door, in metres
apart = 2
[[body]]
for = "i in 1..n"
name = "d[i]"
mass = 20
inertia = ["2*unit^2", "4*unit^2", "5*unit^2"]
com = ["0.4*unit", 0, 0]
position = ["(start + apart*i)*unit", 0, 0]
[[joint]]
for = "i in 1..n"
name = "lower[i]"
type = "revolute"
between = ["ground", "d[i]"]
at = ["(start + apart*i)*unit", 0, 0]
axis = [0, 0, 1]
[[joint]]
for = "i in 1..n"
name = "upper[i]"
type = "revolute"
between = ["ground", "d[i]"]
at = ["(start + apart*i)*unit", 0, "1.8*unit"]
axis = [0, 0, 1]
[dynamics]
gravity = [0, "-9.81*unit", 0]
length = "1.8*unit"   # not the mean distance of all hinges
[observables]
low = "lower[1].force.y/unit"
high = "upper[1].force.y/unit"
[run]
step = 0.001
steps = 3
"""

    def test_are_redundant_in_any_unit_and_place(self):
        model = self.write(self.TEXT)
        for settings in ("unit=1", "unit=1000", "unit=1000 start=2", "unit=1000 start=200", "start=10000", "start=1e5",
                         "n=1 start=10000", "n=1 unit=1000 start=1000", "apart=1000", "unit=1e-3", "unit=1e-3 start=100"):
            with self.subTest(settings):
                sets = [word for setting in settings.split() for word in ("--set", setting)]
                result = self.libration("check", model, *sets, "--json")
                self.assertEqual(result.status, 0, result)
                n = 1 if "n=1" in settings else 2
                self.assertEqual((result.json["rank"], result.json["mobility"]), (11 * n, n))
                run = self.run_json(model, *sets)
                self.assertEqual(run["status"], "completed")


    def test_share_loads_in_any_number(self):
        """Doors do not interact: what the hinges of one carry does not depend on how many there are."""
        model = self.write(self.TEXT)
        shares = {}
        for n in (1, 10, 260):
            self.run_json(model, "--set", f"n={n}", "--set", "apart=0", "--steps", "0", "--out", f"{n}.csv")
            with open(self.dir / f"{n}.csv", encoding="utf-8") as file:
                row = next(csv.DictReader(file))
            shares[n] = [float(row["low"]), float(row["high"])]
        # The weight hangs beside the lower hinge: both pull, not equally.
        self.assertGreater(min(shares[1]), 10)
        for n in (10, 260):
            for a, b in zip(shares[n], shares[1]):
                self.assertAlmostEqual(a, b, delta=1e-12)  # of about 50, in some roundings

    def test_of_which_too_many_interact_is_said(self):
        text = self.TEXT.replace("for = \"i in 1..n\"\nname = \"upper", "for = \"i in 1..250\"\nname = \"upper")
        text = text.replace('"d[i]"]\nat = ["(start + apart*i)*unit", 0, "1.8*unit"]', '"d[1]"]\nat = ["(start + apart)*unit", 0, "0.01*i"]')
        model = self.write(text)
        for command, more in (("check", ()), ("run", ("--steps", "0"))):
            result = self.libration(command, model, "--set", "n=1", *more)
            self.assertEqual(result.status, 0, result)
            self.assertIn("reactions are not those of least norm", result.stderr)
        self.assertNotIn("of least norm, with", self.libration("check", model, "--set", "n=1").stdout)


class RowsInsideBodies(ProgramTest):
    ROD = """\
[[body]]
name = "rod"
mass = 3
inertia = [0, 2, 2]
JOINTS
[dynamics]
gravity = [-9.81, 0, 0]
[run]
step = 0.01
steps = 2
"""

    def test_stay_also_in_slender_and_flat_ones(self):
        ends = "".join(f"""
[[joint]]
name = "{name}"
type = "{type}"
between = ["ground", "rod"]
at = [{x}, 0, 0]
{more}""" for name, x, type, more in (("a", -1, "spherical", ""), ("b", 1, "spherical", "")))
        flat = ends.replace('name = "b"\ntype = "spherical"', 'name = "b"\naxis = [0, 0, 1]\ntype = "revolute"')
        for inertia, joints in (("[0, 2, 2]", ends), ("[1, 2, 3]", flat)):
            result = self.libration("run", self.write(self.ROD.replace("[0, 2, 2]", inertia).replace("JOINTS", joints)))
            self.assertEqual(result.status, 0, result)
            self.assertNotIn("rod.rigid", result.stderr[result.stderr.index("Not carried"):])

    def test_weigh_nothing(self):
        """A rod that is held at -1 and at 1/2: m r'' = a + b = F, and the stress takes up what is left along the rod.
        The rows of G M^-1/2 have the squared lengths 1/3 + 1/2 and 1/3 + 1/8, by which a^2 and b^2 count."""
        rows = """
[dynamics.constraints]
a = ["rod.at(-1, 0, 0).x + 1", "rod.at(-1, 0, 0).y", "rod.at(-1, 0, 0).z"]
b = ["rod.at(1/2, 0, 0).x - 1/2", "rod.at(1/2, 0, 0).y", "rod.at(1/2, 0, 0).z"]
"""
        run = self.run_json(self.write(self.ROD.replace("JOINTS", "") + rows), "--steps", "0")
        a, b = run["lambda"][0], run["lambda"][3]
        self.assertAlmostEqual(a + b, -3 * 9.81, delta=1e-12)
        self.assertAlmostEqual(a * (1 / 3 + 1 / 2), b * (1 / 3 + 1 / 8), delta=1e-12)


class Forces(ProgramTest):
    def test_may_contain_undetermined_reactions_and_angles_that_count_turns(self):
        """That a force notices what the constraints leave open is found at the angle of the start."""
        force = """
[[forces]]
name = "push"
class = "driving"
joint = "lower"
value = "1e-6*lower.force.x^2*(1 + lower.angle^2)"
"""
        text = (SOURCE_DIR / "problems/door.toml").read_text(encoding="utf-8").split("[certify]")[0]
        for angle in ("lower.angle", "0.1"):  # the second without turns
            model = self.write(text + force.replace("lower.angle", angle))
            result = self.libration("run", model, "--method", "spark(3)", "--steps", "10", "--step", "0.01")
            self.assertEqual(result.status, 0, result)
            self.assertIn("the force 'push' depends on reactions that the redundant constraints do not determine",
                          result.stderr)
