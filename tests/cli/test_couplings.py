"""Gears, racks, mimics and screws: known motions, reactions by Newton and Euler, circles, restarts and messages."""

import math
import os
import unittest

import h5py
import numpy as np
from test_mechanisms import EPSILON, MechanismTest, reaction_formulas, state_formulas, with_observables

from newton_euler import Mechanism

FINE = ("--method", "lobatto(4)", "--step", "0.005", "--steps", "400")


def wheel(name, inertia, x, planar=False):
    """On a hinge about z."""
    if planar:
        return f"""\
[[body]]
name = "{name}"
planar = true
inertia = {inertia}
mass = 1
position = [{x}, 0]
[[joint]]
name = "{name}_hinge"
type = "revolute"
between = ["ground", "{name}"]
at = [{x}, 0]
"""
    return f"""\
[[body]]
name = "{name}"
inertia = [1, 1, {inertia}]
mass = 1
position = [{x}, 0, 0]
[[joint]]
name = "{name}_hinge"
type = "revolute"
between = ["ground", "{name}"]
at = [{x}, 0, 0]
axis = [0, 0, 1]
"""


def slider(name, mass, axis, at=(0, 0, 0)):
    return f"""\
[[body]]
name = "{name}"
inertia = [1, 1, 1]
mass = {mass}
position = {list(at)}
[[joint]]
name = "{name}_guide"
type = "prismatic"
between = ["ground", "{name}"]
at = {list(at)}
axis = {list(axis)}
"""


def coupling(kind, name, first, second, more=""):
    return f'[[joint]]\nname = "{name}"\ntype = "{kind}"\nof = ["{first}", "{second}"]\n{more}\n'


def driven(torque, hinge="a_hinge"):
    """A constant torque has a potential, as long as the angle counts turns."""
    return f'[dynamics]\npotential = "-{torque}*{hinge}.angle"\n'


SCREW = """\
[dynamics]
gravity = [0, 0, -9.81]
[[body]]
name = "nut"
inertia = [1, 1, 0.2]
mass = 3
[[joint]]
name = "thread"
type = "screw"
between = ["ground", "nut"]
at = [0, 0, 0.5]
axis = [0, 0, 1]
pitch = 1.5
[observables]
angle = "thread.angle"
z = "thread.displacement"
fx = "thread.force.x"
fz = "thread.force.z"
tz = "thread.torque.z"
"""

# A carrier in general motion on a universal joint, with a wheel and a slider on it, and a screw on the wheel: all
# coordinates of the carrier follow the wheel.
TRAIN = """\
[dynamics]
gravity = [1.5, -2, -9.81]
[[body]]
name = "carrier"
inertia = [2, 1.5, 1.8]
mass = 3
com = [0.2, 0.1, 0.3]
[[body]]
name = "wheel"
inertia = [[0.3, 0.02, 0], [0.02, 0.4, 0.01], [0, 0.01, 0.5]]
mass = 1.5
position = [1, 0, 0.2]
[[body]]
name = "pinion"
inertia = [0.2, 0.3, 0.25]
mass = 1.2
com = [0.05, 0, 0.1]
position = [0.5, 0.7, 0.1]
orientation = { axis = [1, 2, 0], angle = 0.5 }
[[body]]
name = "rack"
inertia = [0.1, 0.2, 0.15]
mass = 0.8
position = [0.3, -0.5, 0.4]
[[body]]
name = "nut"
inertia = [0.1, 0.1, 0.2]
mass = 0.6
position = [1.4, 0.2, 0.3]
[[joint]]
name = "drive"
type = "gear"
of = ["axle", "shaft"]
ratio = "-3/2"
[[joint]]
name = "mount"
type = "revolute"
between = ["ground", "carrier"]
at = [0, 0, 0]
axis = [1, 0.3, 0]
[[joint]]
name = "axle"
type = "revolute"
between = ["carrier", "wheel"]
at = [1, 0, 0.2]
axis = [0.2, 0.1, 1]
[[joint]]
name = "shaft"
type = "revolute"
between = ["carrier", "pinion"]
at = [0.5, 0.7, 0.1]
axis = [0, 1, 1]
[[joint]]
name = "guide"
type = "prismatic"
between = ["carrier", "rack"]
at = [0.3, -0.5, 0.4]
axis = [1, -1, 0.5]
[[joint]]
name = "teeth"
type = "rack"
of = ["shaft", "guide"]
radius = 0.3
[[joint]]
name = "thread"
type = "screw"
between = ["wheel", "nut"]
at = [1.3, 0, 0.2]
axis = [1, 0, 0.4]
pitch = -1.1
[observables]
"""


class Motions(MechanismTest):
    def accelerated(self, text, torque_inertia, observables):
        """Angle and rate of constant acceleration after the time 2, many turns later."""
        row = self.last_row(text + "[observables]\n" + "".join(f'{k} = "{v}"\n' for k, v in observables.items()), *FINE)
        acceleration = torque_inertia
        self.assertGreater(abs(row["turned"]), 4 * math.pi)
        # Bodies in space turn through a tenth of a radian per step: lobatto(4) leaves 1e-9 of 30 radians.
        self.assertAlmostEqual(row["turned"], acceleration * 2, delta=1e-8)
        self.assertAlmostEqual(row["rate"], acceleration * 2, delta=1e-8)
        return row

    def test_two_wheels_in_mesh_have_one_inertia(self):
        inertia, ratio, torque = (0.3, 0.5), -1.5, 20.0
        acceleration = torque / (inertia[0] + ratio**2 * inertia[1])
        for planar in (False, True):
            with self.subTest(planar=planar):
                text = (driven(torque) + wheel("a", inertia[0], 0, planar) + wheel("b", inertia[1], 1, planar) +
                        coupling("gear", "mesh", "a_hinge", "b_hinge", "ratio = '-3/2'"))
                torques = "mesh.torque.z"
                row = self.accelerated(text, acceleration, {"turned": "a_hinge.angle", "second": "b_hinge.angle", "rate": "a_hinge.rate",
                                                            "other": "b_hinge.rate", "mesh_torque": torques})
                self.assertAlmostEqual(row["second"], ratio * row["turned"], delta=100 * EPSILON * 40)
                self.assertAlmostEqual(row["other"], ratio * row["rate"], delta=1000 * EPSILON * 40)
                # On the second wheel, from the teeth of the first one.
                self.assertAlmostEqual(row["mesh_torque"], inertia[1] * ratio * acceleration, delta=1e-7)

    def test_a_screw_falls_with_the_inertia_of_its_turns(self):
        m, inertia, pitch, g = 3.0, 0.2, 1.5, 9.81
        a = -m * g / (m + inertia * (2 * math.pi / pitch)**2)
        row = self.last_row(SCREW, *FINE)
        self.assertAlmostEqual(row["z"], a * 2, delta=1e-8)
        self.assertGreater(abs(row["angle"]), 8 * math.pi)
        self.assertAlmostEqual(row["angle"], row["z"] * 2 * math.pi / pitch, delta=1e-11)
        self.assertAlmostEqual(row["fz"], m * (g + a), delta=1e-6)
        self.assertAlmostEqual(row["tz"], inertia * a * 2 * math.pi / pitch, delta=1e-6)
        self.assertAlmostEqual(row["fx"], 0, delta=1e-10)

    def test_a_pinion_moves_its_rack(self):
        inertia, mass, radius, torque = 0.3, 2.0, -0.25, 7.0
        a = torque / (inertia + mass * radius**2)
        text = (driven(torque) + wheel("a", inertia, 0) + slider("r", mass, [3, 0, 4]) +
                coupling("rack", "teeth", "a_hinge", "r_guide", f"radius = {radius}"))
        row = self.accelerated(text, a, {"turned": "a_hinge.angle", "rate": "a_hinge.rate", "x": "r_guide.displacement",
                                         "fx": "teeth.force.x", "fz": "teeth.force.z"})
        self.assertAlmostEqual(row["x"], radius * row["turned"], delta=1e-12)
        np.testing.assert_allclose([row["fx"], row["fz"]], mass * radius * a * np.array([0.6, 0.8]), rtol=0, atol=1e-7)

    def test_a_planet_on_a_carrier_turns_as_willis_says(self):
        # The sun stands still: relative to the carrier the planet turns z_sun/z_planet times the turn of the carrier.
        carrier, planet, mass, radius, ratio, torque = 0.8, 0.1, 2.0, 0.6, 24 / 18, 20.0
        text = driven(torque, "a_hinge") + wheel("a", carrier, 0, planar=True) + f"""\
[[body]]
name = "planet"
planar = true
inertia = {planet}
mass = {mass}
position = [{radius}, 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["a", "planet"]
at = [{radius}, 0]
zero = 0.7
""" + coupling("gear", "mesh", "a_hinge", "pin", "ratio = '24/18'")
        a = torque / (carrier + mass * radius**2 + planet * (1 + ratio)**2)
        row = self.accelerated(text, a, {"turned": "a_hinge.angle", "rate": "a_hinge.rate", "planet_angle": "pin.angle"})
        self.assertAlmostEqual(row["planet_angle"], 0.7 + ratio * row["turned"], delta=1e-12)

    def test_the_jaws_of_a_gripper_move_alike(self):
        # The right jaw mimics the left one, which a motor moves; then both swing on a spring between them.
        jaws = slider("left", 2, [1, 0, 0], (-1, 0, 0)) + slider("right", 3, [1, 0, 0], (1, 0, 0))
        mimic = coupling("mimic", "jaws", "left_guide", "right_guide", "factor = -1\noffset = 0")
        moved = jaws.replace("axis = [1, 0, 0]\n", 'axis = [1, 0, 0]\nmotion = "0.5*t^2"\n', 1) + mimic
        row = self.last_row(moved + '[observables]\nx = "right_guide.displacement"\nf = "jaws.force.x"\nm = "left_guide.force.x"\n', *FINE)
        self.assertAlmostEqual(row["x"], -2, delta=1e-13)
        self.assertAlmostEqual(row["f"], -3, delta=1e-11)
        self.assertAlmostEqual(row["m"], 2 + 3, delta=1e-11)       # the motor moves both
        spring = '[[spring]]\nbetween = ["left.r", "right.r"]\nstiffness = 10\nlength = 1.5\n'
        row = self.last_row(jaws + mimic + spring + '[observables]\nx = "left_guide.displacement"\n', *FINE)
        # x'' (2 + 3) = 2*10*(2 - 2 x - 1.5): about 0.25 with the frequency sqrt(40/5).
        self.assertAlmostEqual(row["x"], 0.25 * (1 - math.cos(math.sqrt(8) * 2)), delta=1e-10)

    def test_a_mimic_has_an_offset(self):
        text = (driven(8) + wheel("a", 0.3, 0) + wheel("b", 0.5, 1).replace("axis = [0, 0, 1]\n", "axis = [0, 0, 1]\nzero = 0.25\n") +
                coupling("mimic", "same", "a_hinge", "b_hinge", "offset = 0.25"))
        row = self.accelerated(text, 8 / 0.8, {"turned": "a_hinge.angle", "rate": "a_hinge.rate", "second": "b_hinge.angle"})
        self.assertAlmostEqual(row["second"], row["turned"] + 0.25, delta=1e-12)
        start = self.refused(self.write(text.replace("offset = 0.25", "offset = 0.5")), "--method", "rattle", "--step", "0.1",
                             "--steps", "1", status=2)
        self.assertIn("same.factor", start)


class Reactions(MechanismTest):
    def test_balance_every_body_by_newton_and_euler(self):
        mechanism = Mechanism(TRAIN.replace("[observables]\n", ""))
        names = {"joints": mechanism.joints + mechanism.couplings}
        formulas = reaction_formulas(type("All", (), names))
        text = with_observables(TRAIN, state_formulas(mechanism) | formulas)
        for steps in (1, 400):
            with self.subTest(steps=steps):
                row = self.last_row(text, "--method", "rattle", "--step", "0.002", "--steps", steps)
                state = self.state(row, mechanism)
                bound = 16 * EPSILON * max(mechanism.condition(state), 10)
                self.assertLess(bound, 1e-7, "otherwise the test says nothing")
                wrenches = {joint["name"]: tuple(self.vector(row, f"reaction_{joint['name']}_{part}") for part in ("force", "torque"))
                            for joint in names["joints"]}
                self.assertLess(mechanism.imbalance(state, wrenches).max(), bound)
                self.assertGreater(np.linalg.norm(wrenches["drive"][1]), 1e-2)
                wrenches["drive"] = (wrenches["drive"][0], 0 * wrenches["drive"][1])
                self.assertGreater(mechanism.imbalance(state, wrenches).max(), 1e-3)

    def test_energy_and_constraints_stay(self):
        model = self.write(TRAIN.replace("[observables]\n", ""))
        energies = []
        for step, steps in (("0.004", "1000"), ("0.002", "2000")):
            run = self.run_json(model, "--method", "rattle", "--step", step, "--steps", steps)
            self.assertLess(run["constraint"]["max"], 1e-12)
            energies.append(run["energy"]["max_error"])
        self.assertTrue(3.4 < energies[0] / energies[1] < 4.6, energies)        # order 2


class Circles(MechanismTest):
    THREE = wheel("a", 0.3, 0) + wheel("b", 0.5, 1) + wheel("c", 0.4, 2)

    def meshes(self, *ratios):
        pairs = (("a", "b"), ("b", "c"), ("c", "a"))
        return "".join(coupling("gear", f"{p}{q}", f"{p}_hinge", f"{q}_hinge", f"ratio = {ratio}") for (p, q), ratio in zip(pairs, ratios))

    def test_of_gears_that_contradict_each_other_are_named(self):
        self.refused_model(self.THREE + self.meshes(-1, -1, -1), "--method", "rattle", "--step", "0.1", "--steps", "1",
                           says=["the couplings ab, bc, ca form a circle", "multiply to -1 instead of 1", "can move"])

    def test_of_gears_that_agree_are_redundant(self):
        text = driven(20) + self.THREE + self.meshes(-2, -0.5, 1) + '[observables]\nturned = "a_hinge.angle"\n'
        row = self.last_row(text, *FINE)
        self.assertAlmostEqual(row["turned"], 20 / (0.3 + 4 * 0.5 + 0.4) * 2, delta=1e-8)
        check = self.libration("check", self.write(text))
        self.assertEqual(check.status, 0, check)
        self.assertIn("redundant", check.stdout)

    def test_of_mimics_with_offsets_are_named(self):
        text = self.THREE + coupling("mimic", "one", "a_hinge", "b_hinge") + coupling("mimic", "two", "b_hinge", "a_hinge", "offset = 0.5")
        self.refused_model(text, says=["the couplings one, two form a circle that contradicts itself", "by 0.5"])

    def test_a_parameter_can_close_a_circle_badly(self):
        text = "[parameters]\nr = 1.0\n" + self.THREE + self.meshes(-2, -0.5, '"r"')
        self.refused(self.write(text), "--set", "r=2", "--method", "rattle", "--step", "0.1", says=["multiply to 2"])


    def test_long_chains_are_followed_in_no_time(self):
        # In the order in which a search that looks at all couplings for each joint takes cubic time: 77 s, now 0.5 s.
        n = 1600
        wheels = f"""\
[[body]]
name = "w[i]"
for = "i in 0..{n}"
planar = true
mass = 1
inertia = 1
position = ["i", 0]
[[joint]]
name = "h[i]"
for = "i in 0..{n}"
type = "revolute"
between = ["ground", "w[i]"]
at = ["i", 0]
"""
        gear = '[[joint]]\nname = "g{0}"\ntype = "gear"\nof = ["h[{0}]", "h[{1}]"]\nratio = -1\n'
        text = wheels + "".join(gear.format(i, i - 1) for i in range(1, n + 1))
        self.refused_model(text + coupling("gear", "last", "h[0]", f"h[{n}]", "ratio = -1"),
                           says=[f"the couplings g{n}, g{n - 1}, ", f"g{n - 7}, {n - 8} more, last form a circle", "multiply to -1 instead of 1"])


class Frames(MechanismTest):
    """The angle between two frames is that of their x axes, so that gears do not start at zero."""

    FRAME = "frames = { f = { at = [0, 0, 0], axis = [0, 0, 1], x = [1, 0, 0] } }\n"

    def mesh(self, angle):
        return (f"""\
[[body]]
name = "a"
mass = 1
inertia = [1, 2, 2.5]
orientation = {{ axis = [0, 0, 1], angle = {angle} }}
omega = [0, 0, 3]
{self.FRAME}
[[body]]
name = "base"
mass = 1
inertia = [1, 2, 2.5]
{self.FRAME}
[[joint]]
name = "weld"
type = "fixed"
between = ["ground", "base"]
at = [0, 0, 0]
[[joint]]
name = "in"
type = "revolute"
between = ["base.f", "a.f"]
""" + wheel("b", 1.5, 2).replace("mass", "omega = [0, 0, -6]\nmass") + coupling("gear", "mesh", "in", "b_hinge", "ratio = -2") +
            slider("r", 1, [1, 0, 0]).replace("mass", "velocity = [0.75, 0, 0]\nmass") + coupling("rack", "teeth", "in", "r_guide", "radius = 0.25") +
            '[observables]\nturned = "in.angle"\nsecond = "b_hinge.angle"\nthird = "r_guide.displacement"\n')

    def test_gears_and_racks_hold_where_the_frames_are(self):
        # A turn that is just less than half a one stays what it is when the assembly is through.
        for angle in (0.5, -2.0, 3.14159):
            with self.subTest(angle=angle):
                text = self.mesh(angle)
                start = self.run_json(self.write(text + "[run]\nmethod = 'rattle'\nstep = 0.01\nsteps = 0\n"))["start"]
                # The start is used as it is: rounded sines and cosines of an angle miss by as much.
                self.assertLess(start["q"] or 0, 10 * EPSILON, start)
                row = self.last_row(text, *FINE)
                self.assertAlmostEqual(row["turned"], angle + 6, delta=1e-8)
                self.assertAlmostEqual(row["second"], -12, delta=1e-8)
                self.assertAlmostEqual(row["third"], 1.5, delta=1e-8)

    def test_the_turn_of_a_frame_can_be_a_parameter(self):
        text = "[parameters]\nphi = 0.5\n" + self.mesh('"phi"')
        row = self.last_row(text, *FINE, "--set", "phi=1.25")
        self.assertAlmostEqual(row["turned"], 7.25, delta=1e-8)
        self.assertAlmostEqual(row["second"], -12, delta=1e-8)


class Machinery(MechanismTest):
    def test_resumed_runs_and_generated_code_have_the_same_bits(self):
        model = self.write(TRAIN.replace("[observables]\n", ""))
        for method in ("rattle", "lobatto(3)", "spark(2)", "compose(rattle, yoshida4)"):
            with self.subTest(method=method):
                run = ["--method", method, "--step", "0.01", "--every", "5"]
                whole = self.run_json(model, *run, "--steps", "200", "--out", "whole.h5", "--overwrite", "--backend", "interpreted")
                self.run_json(model, *run, "--steps", "70", "--out", "part.h5", "--overwrite", "--backend", "interpreted")
                resumed = self.run_json("--resume", "part.h5", "--steps", "200")
                results = [resumed]
                if os.environ.get("CI") == "true" or self.libration("doctor").stdout.count("LLVM"):
                    results.append(self.run_json(model, *run, "--steps", "200", "--backend", "generated"))
                for result in results:
                    for key in ("q", "p", "energy", "constraint"):
                        self.assertEqual(result[key], whole[key], key)

    def test_members_of_an_ensemble_count_their_own_turns(self):
        text = "[parameters]\ntau = 20.0\n" + driven("tau") + wheel("a", 0.3, 0) + wheel("b", 0.5, 1) + coupling(
            "gear", "mesh", "a_hinge", "b_hinge", "ratio = -1.5")
        model = self.write(text)
        run = ["--method", "rattle", "--step", "0.005", "--steps", "400"]
        result = self.libration("ensemble", model, *run, "--vary", "tau = linspace(5, 20)", "--count", "13", "--out", "e.h5")
        self.assertEqual(result.status, 0, result)
        with h5py.File(self.dir / "e.h5") as file:
            final = file["ensemble/final/q"][()]
        for member, tau in ((0, 5.0), (7, 13.75), (12, 20.0)):
            self.assertEqual(final[member].tolist(), self.run_json(model, *run, "--set", f"tau={tau}")["q"], tau)

    def test_gradients_pass_through_couplings(self):
        text = "[parameters]\nI = 0.5\n" + driven(20) + wheel("a", 0.3, 0) + wheel("b", '"I"', 1) + coupling(
            "gear", "mesh", "a_hinge", "b_hinge", "ratio = -1.5") + '[observables]\nturned = "a_hinge.angle"\n'
        result = self.libration("gradient", self.write(text), "--loss", "turned", "--by", "I", *FINE, "--json")
        self.assertEqual(result.status, 0, result)
        # a = tau t^2/2/(I_1 + r^2 I)
        exact = -20 * 2 * 2.25 / (0.3 + 2.25 * 0.5)**2
        self.assertAlmostEqual(float(result.json["gradient"]["I"]), exact, delta=1e-7 * abs(exact))


class Messages(MechanismTest):
    def test_say_what_to_do(self):
        wheels = wheel("a", 0.3, 0) + wheel("b", 0.5, 1) + slider("s", 1, [1, 0, 0])
        ball = '[[body]]\nname = "d"\ninertia = [1, 1, 1]\nmass = 1\n[[joint]]\nname = "ball"\ntype = "spherical"\n' \
               'between = ["ground", "d"]\nat = [0, 0, 0]\n'
        for block, words in (
                (coupling("gear", "g", "a_hinge", "b_hing", "ratio = 2"), "there is no joint 'b_hing': did you mean 'b_hinge'?"),
                (ball + coupling("gear", "g", "a_hinge", "ball", "ratio = 2"), "neither an angle nor a displacement"),
                (coupling("gear", "g", "a_hinge", "b_hinge"), "needs the key 'ratio'"),
                (coupling("gear", "g", "a_hinge", "b_hinge", "ratio = 0"), "the ratio of the gear 'g' is 0"),
                (coupling("rack", "g", "a_hinge", "s_guide", "radius = 0"), "the radius of the rack 'g' is 0"),
                (coupling("mimic", "g", "a_hinge", "b_hinge", "factor = 0"), "the factor of the mimic 'g' is 0"),
                (coupling("gear", "g", "a_hinge", "s_guide", "ratio = 2"), "s_guide.displacement is a displacement"),
                (coupling("rack", "g", "s_guide", "a_hinge", "radius = 2"), "name a revolute joint, then a prismatic one"),
                (coupling("gear", "g", "a_hinge", "a_hinge", "ratio = 2"), "couples a_hinge.angle with itself"),
                (coupling("gear", "g", "a_hinge", "b_hinge", "ratio = 2\noffset = 1"), "unknown key 'offset'"),
                (coupling("gear", "g", "a_hinge", "b_hinge", "ratio = 'a_hinge.angle'"), "a_hinge"),
                (coupling("geer", "g", "a_hinge", "b_hinge", "ratio = 2"), "unknown"),
                ('[[joint]]\nname = "g"\ntype = "gear"\nbetween = ["a", "b"]\nratio = 2\n', "between")):
            self.refused_model(wheels + block, says=[words])
        self.refused_model(SCREW.replace("pitch = 1.5\n", ""), says=["needs the key 'pitch'"])
        self.refused_model(SCREW.replace("pitch = 1.5\n", "pitch = 0\n"), says=["the pitch of the screw 'thread' is 0"])
        self.refused_model(SCREW.replace('"screw"', '"cylindrical"'), says=["pitch"])


if __name__ == "__main__":
    unittest.main()
