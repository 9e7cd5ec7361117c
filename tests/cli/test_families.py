"""Families of bodies and joints: mechanisms that are known otherwise, sizes, formulas with members, files, messages."""

import math
import re

import h5py

from bad_models import BadModelTest

CHAIN = """\
[parameters]
n = 4
l = 0.25
[[body]]
for = "i in 1..n"
name = "link[i]"
planar = true
mass = "1 + i/10"
inertia = "l^2/12"
position = ["(i - 1)*l", 0]
com = ["l/2", 0]
points = { tip = ["l", 0] }
[[joint]]
name = "hinge[1]"
type = "revolute"
between = ["ground", "link[1]"]
at = [0, 0]
[[joint]]
for = "i in 2..n"
name = "hinge[i]"
type = "revolute"
between = ["link[i-1].tip", "link[i]"]
[dynamics]
gravity = [0, -9.81]
[observables]
height = "link[n].tip.y"
bend = "hinge[n].angle"
pull = "hinge[2].force.y"
[[events]]
name = "low"
when = "link[2].tip.y + 0.2"
"""


def one_by_one():
    """The chain with names of its own: rod1, pin1, ..., each in a block of its own."""
    text = "[dynamics]\ngravity = [0, -9.81]\n"
    for i in range(1, 5):
        text += (f'[[body]]\nname = "rod{i}"\nplanar = true\nmass = {1 + i / 10}\ninertia = "0.25^2/12"\n'
                 f'position = [{(i - 1) * 0.25}, 0]\ncom = [0.125, 0]\npoints = {{ tip = [0.25, 0] }}\n')
        ends = f'["rod{i - 1}.tip", "rod{i}"]' if i > 1 else '["ground", "rod1"]\nat = [0, 0]'
        text += f'[[joint]]\nname = "pin{i}"\ntype = "revolute"\nbetween = {ends}\n'
    return text + '[observables]\nheight = "rod4.tip.y"\nbend = "pin4.angle"\npull = "pin2.force.y"\n'


class FamilyTest(BadModelTest):
    def checked(self, model, *arguments):
        result = self.libration("check", model, "--json", *arguments)
        self.assertEqual(result.status, 0, result)
        return result.json

    def json_of(self, *arguments):
        result = self.libration(*arguments, "--json")
        self.assertEqual(result.status, 0, result)
        return result.json

    def last_observables(self, model, options):
        self.run_json(model, *options, "--out", "run.h5", "--overwrite")
        with h5py.File(self.dir / "run.h5") as file:
            return {name: values[-1] for name, values in file["run/observables"].items()}

    def test_a_chain_moves_as_one_whose_links_are_given_one_by_one(self):
        options = ["--method", "rattle", "--step", "0.001", "--steps", "300"]
        family = self.run_json(self.write(CHAIN, "family.toml"), *options)
        single = self.run_json(self.write(one_by_one(), "single.toml"), *options)
        # The same formulas; sums over members are in another order. Rounding of 300 steps, of numbers near 1.
        for ours, theirs in zip(family["q"] + family["p"], single["q"] + single["p"]):
            self.assertAlmostEqual(ours, theirs, delta=1e-12)
        self.assertAlmostEqual(family["energy"]["final"], single["energy"]["final"], delta=1e-12)
        ours, theirs = self.last_observables("family.toml", options), self.last_observables("single.toml", options)
        for name in ("height", "bend", "pull"):
            self.assertAlmostEqual(ours[name], theirs[name], delta=1e-10)

    def test_check_counts_what_a_size_makes(self):
        model = self.write(CHAIN, "chain.toml")
        for n in (2, 3, 40):
            check = self.checked(model, "--set", f"n={n}")
            self.assertEqual((check["dimension"], check["mobility"]), (3 * n, n))
        # Terms do not become more: gravity, and two rows of four kinds of joints.
        terms = [re.search(r"terms +(\d+)", self.libration("check", model, "--set", f"n={n}").stdout).group(1)
                 for n in (9, 90)]
        self.assertEqual(terms[0], terms[1])

    def test_members_have_names_in_files_and_events(self):
        model = self.write(CHAIN, "chain.toml")
        self.run_json(model, "--step", "0.01", "--steps", "20", "--out", "run.csv")
        header = (self.dir / "run.csv").read_text(encoding="utf-8").splitlines()[0]
        for name in ("link[3].r.y", "link[4].angle", "lambda_hinge[2].x", "bend"):
            self.assertIn(name, header)
        run = self.run_json(model, "--step", "0.01", "--steps", "100")
        self.assertIn("low", run["events"])
        stopped = self.run_json(model, "--step", "0.01", "--steps", "100", "--stop-if", "link[n].tip.y < -0.1")
        self.assertLess(stopped["steps"], 100)

    def test_mobility_of_trees_with_loops_and_of_linkages_in_a_row(self):
        for problem, settings, mobility in (("body-tree", ["n=7", "m=0"], 7), ("body-tree", ["n=15", "m=3"], 12),
                                            ("four-bars-in-a-row", ["n=1"], 1), ("four-bars-in-a-row", ["n=5"], 5)):
            arguments = [argument for setting in settings for argument in ("--set", setting)]
            check = self.checked(problem, *arguments)
            self.assertEqual(check["mobility"], mobility, problem)
            self.assertEqual(check["redundant"], [])

    def test_one_linkage_of_the_row_is_the_four_bar_linkage(self):
        # The middle of a crank is at half of its end, and the coupler does not turn.
        start = 2.2
        crank = ["--set", f"B[0].x={math.sin(start)}", "--set", f"B[0].y={math.cos(start)}",
                 "--set", f"B[1].x={1 + math.sin(start)}", "--set", f"B[1].y={math.cos(start)}", "--set", "speed=0"]
        points = self.run_json("four-bar", "--set", "n=1", *crank, "--method", "lobatto(3)", "--step", "0.01", "--duration",
                             "2")

        def row(step):
            run = self.run_json("four-bars-in-a-row", "--set", "n=1", "--step", step, "--duration", "2")
            return [2 * (run["q"][0] - 3), 2 * run["q"][1], run["energy"]["initial"]]

        coarse, fine = row("0.002"), row("0.001")
        for k in range(2):
            # Order 2: the error of the finer run is a third of the difference.
            error = abs(coarse[k] - fine[k]) / 3
            self.assertLess(abs(fine[k] - points["q"][k]), 1.5 * error + 1e-8)
            self.assertGreater(error, 1e-9)
        self.assertAlmostEqual(fine[2], points["energy"]["initial"], delta=1e-13)

    def test_parameters_inside_functions_vary_in_ensembles_and_have_gradients(self):
        # Places of nodes are if(), floor() and log() of the index; masses and moments of inertia are hypot().
        options = ["--set", "n=11", "--method", "rattle", "--step", "0.002", "--steps", "100"]
        members = self.json_of("ensemble", "body-tree", *options, "--count", "9", "--vary", "width=linspace(1.5, 2.5)")
        for member in members["trajectories"][::4]:
            alone = self.run_json("body-tree", *options, "--set", f"width={member['varied']['width']!r}")
            self.assertEqual(member["q"], alone["q"])
        slopes = {}
        for mode in ("backward", "forward"):
            slopes[mode] = self.json_of("gradient", "body-tree", *options, "--loss", "last + rod[3].r.x", "--by",
                                        "g,width,height", "--mode", mode)
        # Rounding of 100 steps, relative to numbers near 10.
        for name, value in slopes["forward"]["gradient"].items():
            self.assertAlmostEqual(slopes["backward"]["gradient"][name], value, delta=1e-11)
        change = 1e-5
        moved = [self.json_of("gradient", "body-tree", *options, "--loss", "last + rod[3].r.x", "--by", "g", "--set",
                               f"width={2 + sign * change}")["loss"] for sign in (1, -1)]
        # The difference quotient has an error of change^2 and of rounding/change.
        self.assertAlmostEqual(slopes["forward"]["gradient"]["width"], (moved[0] - moved[1]) / (2 * change), delta=1e-7)

    def test_mistakes_are_pointed_at(self):
        self.points_at(CHAIN.replace("link[n].tip.y", "link[n+1].tip.y"), "link[n+1]", "the 4 bodies are link[1] to link[4]")
        self.points_at(CHAIN.replace('"hinge[n].angle"', '"hinge.angle"'), "hinge.angle", "'hinge' stands for 4 joints")
        self.points_at(CHAIN.replace('name = "link[i]"', 'name = "link"'), 'link"', 'such as name = "link[i]"')
        self.points_at(CHAIN.replace('between = ["link[i-1].tip"', 'between = ["link[i+1].tip"'), 'link[i+1].tip"',
                       "there is no body 'link[5]'")
        self.points_at(CHAIN.replace("i in 1..n", "i in 1..0"), "[[body]]", "ranges of all families of bodies are empty")
