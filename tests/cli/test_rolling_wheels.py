"""Wheels that roll on a plane: a disk in a circle, the bicycle, wheels of one axle, a cart."""

import math
import unittest

import numpy as np
from test_mechanisms import EPSILON, MechanismTest, problem_text, without_certificate
from test_rolling_joints import FORCE, G

WHEEL = """\
[parameters]
lean = {lean}
R = 0.5
m = 3.0
A = 0.2
C = 0.35
[dynamics]
gravity = [0, 0, -9.81]
[[body]]
name = "wheel"
mass = "m"
inertia = ["A", "C", "A"]
position = [0, 0, "R*sin(lean)"]
orientation = {{ axis = [1, 0, 0], angle = "pi/2 - lean" }}
velocity = {velocity}
omega = {omega}
[[joint]]
name = "contact"
type = "rolling"
between = ["ground", "wheel"]
at = [0, 0, 0]
on = [0, 0, 1]
radius = "R"
axis = [0, "sin(lean)", "cos(lean)"]
"""


def steady_disk(lean, precession, R=0.5, m=3.0, A=0.2, C=0.35):
    """The component of the angular velocity along the axle with which a disk rolls in a circle.

    With the axle u at the angle `lean` to the vertical z, forward f = u x z/sin(lean), and w = (z - cos(lean) u)/sin(lean) from
    the contact to the center: v = R spin f, its derivative a = W R spin z x f, and the angular momentum about the center C spin u +
    A W sin(lean) w turns about z with the precession W. The force m a + m g z acts at -R w.
    """
    c, s = math.cos(lean), math.sin(lean)
    return c * (A * precession**2 * s - m * G * R) / ((C + m * R**2) * precession * s)


class Disks(MechanismTest):
    def test_a_disk_rolls_in_a_circle_as_its_gyroscopic_moment_says(self):
        lean, W, R, m = 1.1, 2.0, 0.5, 3.0
        c, s = math.cos(lean), math.sin(lean)
        spin = steady_disk(lean, W)
        u, z = np.array([0, s, c]), np.array([0, 0, 1])
        f, w = np.cross(u, z) / s, (z - c * u) / s
        v, omega = R * spin * f, spin * u + W * s * w
        turn = np.array([[1, 0, 0], [0, s, c], [0, -c, s]])       # its rows are the axes of the wheel in the world
        steps, h = 200, 0.005
        text = WHEEL.format(lean=lean, velocity=v.tolist(), omega=(turn @ omega).tolist())
        row = self.last_row(text + FORCE, "--method", "spark(4)", "--step", repr(h), "--steps", steps)
        t = steps * h
        Rz = np.array([[math.cos(W * t), -math.sin(W * t), 0], [math.sin(W * t), math.cos(W * t), 0], [0, 0, 1]])
        a = W * np.cross(z, v)
        center = np.array([0, 0, R * s]) + np.cross(z, v) / W      # of the circle
        # Order 6 with the rate 3.3: (w h)^6/100 is 2e-13. The force follows the angular velocity with factors below 100.
        np.testing.assert_allclose([row[f"wheel.r.{k}"] for k in "xyz"], center + Rz @ (np.array([0, 0, R * s]) - center),
                                   rtol=0, atol=1e-12)
        force = np.array([row[f"f{k}"] for k in "xyz"])
        np.testing.assert_allclose(force, Rz @ (m * a + m * G * z), rtol=0, atol=1e-10)
        np.testing.assert_array_equal([row[f"m{k}"] for k in "xyz"], 0)
        np.testing.assert_allclose([row[f"p{k}"] for k in "xyz"],
                                   center + Rz @ (np.array([0, 0, R * s]) - R * w - center), rtol=0, atol=1e-12)

    def test_the_bicycle_moves_as_with_its_constraints_written_by_hand(self):
        by_hand = without_certificate(problem_text("bicycle"))
        head, rest = by_hand.split("[dynamics.constraints]")
        joints = "".join(f"""\
[[joint]]
name = "{wheel}_contact"
type = "rolling"
between = ["ground", "{wheel}_wheel.hub"]
at = [0, 0, 0]
on = [0, 0, -1]
radius = "{wheel}_radius"
""" for wheel in ("rear", "front"))
        with_joints = head + rest[rest.index("[[body]]"):].replace("[observables]", joints + "[observables]")
        rows = [self.last_row(text, "--method", "spark(5)", "--steps", "100") for text in (by_hand, with_joints)]
        # The same motion, but not the same velocities within a step: order 8. With steps of 0.02 the lean differs by 5e-13 (and
        # with the order 4 of spark(3) by 7e-8), so that 2e-15 and the round-off of 100 steps are left.
        for name in ("lean", "steer", "lean_speed", "steer_speed", "path_x", "path_y", "energy"):
            self.assertAlmostEqual(rows[0][name], rows[1][name], delta=1000 * EPSILON * max(1, abs(rows[0][name])), msg=name)
        check = self.libration("check", self.write(with_joints), "--json").json
        self.assertEqual(check["mobility"], 3)
        self.assertTrue(check["ok"])

    def test_wheels_of_one_axle_slide_sideways_or_are_redundant(self):
        text = """\
[dynamics]
gravity = [0, 0, -9.81]
[[body]]
name = "axle"
mass = 5
inertia = [0.3, 0.2, 0.3]
position = [0, 0, 0.4]
velocity = [1.5, 0, 0]
omega = [0, 3.75, 0]
[[joint]]
for = "i in 1..2"
name = "wheel[i]"
type = "rolling"
between = ["ground", "axle.hub{index}"]
at = [0, 0, 0]
on = [0, 0, 1]
radius = 0.4
"""
        one = text.replace('inertia', 'frames = { hub1 = { at = [0, 0.5, 0], axis = [0, 1, 0] }, hub2 = { at = [0, -0.5, 0], axis = [0, 1, 0] } }\ninertia')
        joints = one[one.index("[[joint]]"):]
        single = "".join(joints.replace('for = "i in 1..2"\n', "").replace("wheel[i]", f"wheel{i}").replace("{index}", str(i))
                         for i in (1, 2))
        bodies = one[:one.index("[[joint]]")]
        says = self.refused_model(bodies + single, "--step", "0.01", "--steps", "1", says=["wheel1.slip[2], wheel2.slip[2]", "slides = true"])
        self.assertIn("linearly dependent", says)
        free = single[::-1].replace("\n", "\neurt = sedils\n", 1)[::-1]
        self.assertIn("slides = true", free)
        run = self.run_json(self.write(bodies + free), "--step", "0.01", "--steps", "100")
        self.assertEqual(run["method"], "spark(3)")
        check = self.libration("check", "model.toml", "--json").json
        # Forward; both wheels turn with the axle, so that it cannot turn about the vertical.
        self.assertEqual(check["mobility"], 1)


# Two wheels of their own on an axle whose middle is the center of mass, and a caster without friction.
CART = """\
[parameters]
R = 0.1
b = 0.3
rate = [0, 5, 8]                      # of the wheels 1 and 2
yaw = 0.5                             # R (8 - 5)/(2 b)
[dynamics]
gravity = [0, 0, -9.81]
[[body]]
name = "base"
mass = 5
inertia = [0.3, 0.4, 0.5]
position = [0, 0, "R"]
velocity = ["R*(rate[1] + rate[2])/2", 0, 0]
omega = [0, 0, "yaw"]
points = { caster = [-0.4, 0, "-R"] }
[[body]]
for = "i in 1..2"
name = "wheel[i]"
mass = 1
inertia = [0.005, 0.008, 0.005]
position = [0, "b*(3 - 2*i)", "R"]
velocity = ["R*rate[i]", 0, 0]
omega = [0, "rate[i]", "yaw"]
[[joint]]
for = "i in 1..2"
name = "axle[i]"
type = "revolute"
between = ["base", "wheel[i]"]
at = [0, "b*(3 - 2*i)", "R"]
axis = [0, 1, 0]
[[joint]]
name = "support"
type = "point-on-plane"
between = ["ground", "base.caster"]
at = [0, 0, 0]
normal = [0, 0, 1]
""" + "".join(f"""\
[[joint]]
name = "contact[{i}]"
type = "rolling"
between = ["ground", "wheel[{i}]"]
at = [0, 0, 0]
on = [0, 0, 1]
radius = "R"
axis = [0, 1, 0]
slides = {slides}
""" for i, slides in ((1, "false"), (2, "true")))


class Carts(MechanismTest):
    def test_with_two_wheels_of_their_own_drive_in_circles(self):
        row = self.last_row(CART, "--method", "spark(4)", "--step", "0.01", "--steps", "100")
        speed, yaw = 0.65, 0.5
        # Order 6 with the rate 8 of a wheel: (w h)^6/1000 is 3e-10.
        np.testing.assert_allclose([row["base.r.x"], row["base.r.y"]], speed / yaw * np.array([math.sin(yaw), 1 - math.cos(yaw)]),
                                   rtol=0, atol=1e-9)
        check = self.libration("check", "model.toml", "--json").json
        self.assertEqual(check["mobility"], 2)
        # Without sliding, the sideways rows of both wheels are one.
        self.refused_model(CART.replace("slides = true", "slides = false"), "--step", "0.01", "--steps", "1",
                           says=["contact[1].slip[2], contact[2].slip[2]", "slides = true"])


if __name__ == "__main__":
    unittest.main()
