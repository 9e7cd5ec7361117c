"""Points that stay on a line or a plane of another body: known motions, reactions by Newton and Euler."""

import math
import unittest

import numpy as np
from test_mechanisms import EPSILON, MechanismTest, reaction_formulas, state_formulas, with_observables

from newton_euler import Mechanism

# A bead on a straight wire that turns at a constant rate: r'' = w^2 r.
BEAD = {
    True: """\
[[body]]
name = "wire"
planar = true
inertia = 1
mass = 1
omega = 1.5
[[body]]
name = "bead"
planar = true
inertia = 0.3
mass = 2
position = [0.5, 0]
velocity = [0, 0.75]
[[joint]]
name = "motor"
type = "revolute"
between = ["ground", "wire"]
at = [0, 0]
motion = "1.5*t"
[[joint]]
name = "slot"
type = "point-on-line"
between = ["wire", "bead"]
at = [0.5, 0]
axis = [2, 0]
""",
    False: """\
[[body]]
name = "wire"
inertia = [1, 1, 2]
mass = 1
omega = [0, 0, 1.5]
[[body]]
name = "bead"
inertia = [0.3, 0.4, 0.2]
mass = 2
position = [0.5, 0, 0]
velocity = [0, 0.75, 0]
omega = [1, 2, 3]
[[joint]]
name = "motor"
type = "revolute"
between = ["ground", "wire"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "1.5*t"
[[joint]]
name = "slot"
type = "point-on-line"
between = ["wire", "bead"]
at = [0.5, 0, 0]
axis = [2, 0, 0]
"""}

# A body with its center on an inclined plane that is fixed, in general rotation.
INCLINE = """\
[dynamics]
gravity = [0, 0, -9.81]
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
velocity = [0.4, 0.1, -0.3]
omega = [0.5, -2, 1]
[[joint]]
name = "floor"
type = "point-on-plane"
between = ["ground", "b"]
at = [0, 0, 0]
normal = [3, 0, 4]
"""

# All in motion: the line turns with its body, and the plane with the body on the line.
CHAIN = """\
[dynamics]
gravity = [0.3, -0.2, -9.81]
[[body]]
name = "arm"
inertia = [1, 1.25, 0.75]
mass = 3
com = [0.3, 0.1, 0]
omega = [0, 0, 2]
[[body]]
name = "rider"
inertia = [0.4, 0.5, 0.3]
mass = 2
position = [1, 0.5, 0.2]
orientation = { axis = [1, 2, 0], angle = 0.4 }
velocity = [-1, 2, 0]
omega = [0, 0, 2]
[[body]]
name = "load"
inertia = [0.2, 0.3, 0.25]
mass = 1
position = [1, 1, 1]
velocity = [-2, 2, 0]
omega = [0, 0, 2]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "wire"
type = "point-on-line"
between = ["arm", "rider"]
at = [1.1, 0.7, 0.1]
axis = [1, 0.5, 0.3]
[[joint]]
name = "plate"
type = "point-on-plane"
between = ["rider", "load"]
at = [1.2, 1, 0.9]
normal = [1, -0.3, 2]
[observables]
"""


class Motions(MechanismTest):
    OPTIONS = ("--method", "lobatto(4)", "--step", "0.005", "--steps", "200")

    def test_a_bead_on_a_turning_wire_leaves_by_the_hyperbolic_cosine(self):
        w, t, m = 1.5, 1.0, 2.0
        for planar, text in BEAD.items():
            with self.subTest(planar=planar):
                row = self.last_row(text + """[observables]
r = "slot.displacement + 0.5"
speed = "slot.speed"
fx = "slot.force.x"
fy = "slot.force.y"
""", *self.OPTIONS)
                # Order 6: (w h)^6 is 2e-13.
                self.assertAlmostEqual(row["r"], 0.5 * math.cosh(w * t), delta=1e-12)
                self.assertAlmostEqual(row["speed"], 0.5 * w * math.sinh(w * t), delta=1e-12)
                across = 2 * m * w * row["speed"]                       # Coriolis
                np.testing.assert_allclose([row["fx"], row["fy"]], across * np.array([-math.sin(w * t), math.cos(w * t)]),
                                           rtol=0, atol=1e-11)

    def test_a_bead_follows_a_motion_along_its_wire(self):
        row = self.last_row(BEAD[True].replace('axis = [2, 0]\n', 'axis = [2, 0]\nmotion = "t^2"\n') +
                            '[observables]\nr = "slot.displacement + 0.5"\nalong = "slot.force.x*cos(1.5*t) + slot.force.y*sin(1.5*t)"\n',
                            *self.OPTIONS)
        self.assertAlmostEqual(row["r"], 1.5, delta=1e-14)
        self.assertAlmostEqual(row["along"], 2 * (2 - 1.5**2 * 1.5), delta=1e-11)

    def test_a_center_on_an_inclined_plane_falls_along_it(self):
        row = self.last_row(INCLINE + """[observables]
fx = "floor.force.x"
fy = "floor.force.y"
fz = "floor.force.z"
""", *self.OPTIONS)
        n = np.array([0.6, 0, 0.8])
        g = np.array([0, 0, -9.81])
        along = g - (g @ n) * n
        np.testing.assert_allclose([row[f"b.r.{c}"] for c in "xyz"], np.array([0.4, 0.1, -0.3]) + along / 2, rtol=0, atol=1e-13)
        np.testing.assert_allclose([row["fx"], row["fy"], row["fz"]], -3 * (g @ n) * n, rtol=0, atol=1e-12)


class Reactions(MechanismTest):
    def test_balance_every_body_by_newton_and_euler(self):
        mechanism = Mechanism(CHAIN.replace("[observables]\n", ""))
        text = with_observables(CHAIN, state_formulas(mechanism) | reaction_formulas(mechanism))
        for steps in (1, 300):
            with self.subTest(steps=steps):
                row = self.last_row(text, "--project", "--method", "rattle", "--step", "0.005", "--steps", steps)
                state = self.state(row, mechanism)
                bound = 16 * EPSILON * max(mechanism.condition(state), 10)
                self.assertLess(bound, 1e-7, "otherwise the test says nothing")
                wrenches = self.reactions(row, mechanism)
                self.assertLess(mechanism.imbalance(state, wrenches).max(), bound)
                self.assertGreater(np.linalg.norm(wrenches["plate"][0]), 0.1)

    def test_stay_at_round_off_of_constraints(self):
        run = self.run_json(self.write(CHAIN.replace("[observables]\n", "")), "--project", "--method", "rattle", "--step", "0.002",
                            "--steps", "2000")
        self.assertLess(run["constraint"]["max"], 1e-12)


class Messages(MechanismTest):
    def test_say_what_is_missing_or_too_much(self):
        body = '[[body]]\nname = "b"\ninertia = [1, 1, 1]\nmass = 1\nframes = { bore = { at = [0, 0, 1] } }\n[[joint]]\nname = "j"\n'
        for joint, words in (
                ('type = "point-on-line"\nbetween = ["ground", "b"]\nat = [0, 0, 0]', "needs the key 'axis'"),
                ('type = "point-on-plane"\nbetween = ["ground", "b"]\nat = [0, 0, 0]\naxis = [0, 0, 1]', "write 'normal'"),
                ('type = "point-on-plane"\nbetween = ["ground", "b"]\nat = [0, 0, 0]\nnormal = [0, 0, 0]', "length zero"),
                ('type = "point-on-line"\nbetween = ["b.bore", "ground"]\naxis = [1, 0, 0]', "superfluous key 'axis'"),
                ('type = "point-on-line"\nbetween = ["ground", "b"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\nzero = 1', "superfluous key 'zero'")):
            self.refused_model(body + joint + "\n", "--method", "rattle", "--step", "0.1", "--steps", "1", says=[words])
        rod = body.replace("[1, 1, 1]", "[0, 1, 1]")
        self.refused_model(rod + 'type = "point-on-line"\nbetween = ["b", "ground"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n',
                           says=["nothing determines the rotation of b"])


if __name__ == "__main__":
    unittest.main()
