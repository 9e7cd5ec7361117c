"""Joints in which a sphere or a circle rolls on a plane, against closed forms; reactions by Newton and Euler; families."""

import math
import unittest

import numpy as np
from test_mechanisms import EPSILON, MechanismTest, reaction_formulas, state_formulas, with_observables

from newton_euler import Mechanism

G = 9.81


def ball(velocity, omega, more="", mass=2.0, radius=0.5, at=(0, 0, 0.5)):
    moment = 0.4 * mass * radius**2
    return f"""\
[[body]]
name = "ball"
mass = {mass}
inertia = [{moment}, {moment}, {moment}]
position = {list(map(float, at))}
velocity = {list(map(float, velocity))}
omega = {list(map(float, omega))}
""" + more


def contact(plane, at, normal, more=""):
    return f"""\
[[joint]]
name = "contact"
type = "rolling"
between = ["{plane}", "ball"]
at = {list(map(float, at))}
on = {list(map(float, normal))}
radius = 0.5
{more}"""


FORCE = "[observables]\n" + "".join(f'f{c} = "contact.force.{c}"\nm{c} = "contact.torque.{c}"\np{c} = "contact.point.{c}"\n' for c in "xyz")


class Spheres(MechanismTest):
    """spark(4) has order 6. The center of a homogeneous ball does not notice how the ball is turned: it moves along a polynomial,
    or in a circle of the rate w = 0.5, for which (w h)^6 is 2e-16. What is left is the round-off of 200 steps."""
    OPTIONS = ("--method", "spark(4)", "--step", "0.005", "--steps", "200")

    def vectors(self, row):
        return tuple(np.array([row[f"{part}{c}"] for c in "xyz"]) for part in ("f", "m", "p"))

    def test_a_homogeneous_ball_on_an_incline_falls_along_a_parabola(self):
        n, m, R = np.array([0.6, 0, 0.8]), 2.0, 0.5
        start, v = R * n, np.array([0.4, 0.7, -0.3])          # along the plane
        row = self.last_row(f"[dynamics]\ngravity = [0, 0, -{G}]\n" +
                            ball(v, np.cross(n, v) / R, contact("ground", [4, 1, -3], n) + FORCE, at=start), *self.OPTIONS)
        g = np.array([0, 0, -G])
        along = g - (g @ n) * n
        np.testing.assert_allclose([row[f"ball.r.{c}"] for c in "xyz"], start + v + 5 / 7 * along / 2, rtol=0, atol=1000 * EPSILON)
        force, torque, point = self.vectors(row)
        # Of a state on the constraints the reaction is exact up to the rounding of the equations.
        np.testing.assert_allclose(force, -m * (g @ n) * n - 2 / 7 * m * along, rtol=0, atol=1000 * EPSILON * m * G)
        np.testing.assert_array_equal(torque, 0)
        np.testing.assert_allclose(point, [row[f"ball.r.{c}"] for c in "xyz"] - R * n, rtol=0, atol=8 * EPSILON)

    def test_a_ball_on_a_turntable_runs_in_circles_with_two_sevenths_of_its_rate(self):
        # v' = 2/7 Omega z x v. The friction is m v'. [Earnshaw 1844]
        spin, m, R = 1.75, 2.0, 0.5
        r, v = np.array([1.0, 0.4]), np.array([0.2, 0.3])
        omega = [(spin * r[0] - v[1]) / R, (v[0] + spin * r[1]) / R, 0.3]
        table = f"""\
[dynamics]
gravity = [0, 0, -{G}]
[[body]]
name = "table"
mass = 1
inertia = [1, 1, 2]
omega = [0, 0, {spin}]
[[joint]]
name = "motor"
type = "revolute"
between = ["ground", "table"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "{spin}*t"
"""
        row = self.last_row(table + ball([*v, 0], omega, contact("table", [0, 0, 0], [0, 0, 1]) + FORCE, at=[*r, R]),
                            *self.OPTIONS)
        w = 2 / 7 * spin
        center = r + np.array([-v[1], v[0]]) / w
        turn = np.array([[math.cos(w), -math.sin(w)], [math.sin(w), math.cos(w)]])
        np.testing.assert_allclose([row["ball.r.x"], row["ball.r.y"]], center + turn @ (r - center), rtol=0, atol=1000 * EPSILON)
        force, torque, _ = self.vectors(row)
        np.testing.assert_allclose(force, [*(m * w * np.array([[0, -1], [1, 0]]) @ turn @ v), m * G], rtol=0, atol=1000 * EPSILON * m * G)
        np.testing.assert_array_equal(torque, 0)

    def test_an_eccentric_ball_has_its_center_at_the_origin_of_its_frame(self):
        text = f"[dynamics]\ngravity = [0, 0, -{G}]\n" + ball([0, 0, 0], [0, 0, 0], contact("ground", [0, 0, 0], [0, 0, 1]))
        text = text.replace("position", "com = [0.1, 0, 0]\nposition")
        middle = self.last_row(text + '[observables]\nheight = "ball.at(0, 0, 0).z"\nlow = "ball.r.z"\n', *self.OPTIONS)
        self.assertAlmostEqual(middle["height"], 0.5, delta=8 * EPSILON)
        self.assertLess(middle["low"], 0.5 - 1e-3)       # its center of mass swings down
        run = self.run_json("model.toml", *self.OPTIONS)
        self.assertTrue(run["energy"]["conserved"])


HOOP = """\
[dynamics]
gravity = [0, -9.81]
[[body]]
name = "hoop"
planar = true
mass = 2
inertia = 0.5
position = [{x}, {y}]
velocity = [{vx}, {vy}]
omega = {omega}
[[joint]]
name = "contact"
type = "rolling"
between = ["{ground}", "hoop"]
at = [0, 0]
on = {on}
radius = 0.5
"""


class Planar(MechanismTest):
    def test_a_hoop_rolls_down_an_incline_with_half_the_acceleration(self):
        n, speed, R, m = np.array([0.6, 0.8]), 0.75, 0.5, 2.0
        down = np.array([0.8, -0.6])
        at = R * n
        row = self.last_row(HOOP.format(x=at[0], y=at[1], vx=speed * down[0], vy=speed * down[1], omega=-speed / R, ground="ground",
                                        on=[3, 4]) +
                            '[observables]\nfx = "contact.force.x"\nfy = "contact.force.y"\nturning = "contact.torque.z"\n',
                            "--method", "spark(3)", "--step", "0.01", "--steps", "100")
        a = G * 0.6 / 2
        # Positions and the angle are polynomials of degree 2, which the method integrates exactly: round-off.
        np.testing.assert_allclose([row["hoop.r.x"], row["hoop.r.y"]], at + (speed + a / 2) * down, rtol=0, atol=1000 * EPSILON)
        self.assertAlmostEqual(row["hoop.angle"], -(speed + a / 2) / R, delta=1000 * EPSILON)
        np.testing.assert_allclose([row["fx"], row["fy"]], m * G * 0.8 * n - m * a * down, rtol=0, atol=1000 * EPSILON * m * G)
        self.assertEqual(row["turning"], 0)

    def test_a_hoop_rolls_on_a_cart(self):
        # The cart M carries the hoop, both start at rest; a force pushes the cart: (M + m/2) A = F, the hoop follows with A/2.
        text = """\
[[body]]
name = "cart"
planar = true
mass = 3
inertia = 1
[[joint]]
name = "rails"
type = "prismatic"
between = ["ground", "cart"]
at = [0, 0]
axis = [1, 0]
[[forces]]
name = "push"
class = "driving"
joint = "rails"
value = 8
""" + HOOP.format(x=0.3, y=0.5, vx=0, vy=0, omega=0, ground="cart", on=[0, 1])
        row = self.last_row(text + '[observables]\nfx = "contact.force.x"\n', "--step", "0.01", "--steps", "100")
        A = 8 / (3 + 2 / 2)
        self.assertAlmostEqual(row["cart.r.x"], A / 2, delta=1000 * EPSILON)
        self.assertAlmostEqual(row["hoop.r.x"], 0.3 + A / 4, delta=1000 * EPSILON)
        self.assertAlmostEqual(row["fx"], 2 * A / 2, delta=1000 * EPSILON)


# A wheel leans on a plate that hangs on a ball joint and moves, and a ball with its center of mass elsewhere rolls on the other
# side of the plate.
MOVING = """\
[dynamics]
gravity = [0.3, -0.2, -9.81]
[[body]]
name = "plate"
inertia = [1, 1.25, 0.75]
mass = 3
com = [0.3, 0.1, 0]
orientation = { axis = [1, 2, 0.5], angle = 0.3 }
omega = [0.4, -0.3, 0.5]
frames = { top = { at = [0.2, -0.3, 0.1], axis = [0.1, 0.2, 1] } }
[[body]]
name = "wheel"
inertia = [0.2, 0.35, 0.25]
mass = 2
com = [0.02, 0.05, -0.03]
position = [0.6, 0.2, 0.7]
orientation = { axis = [1, 0, 0.3], angle = 0.4 }
velocity = [0.5, -0.4, 0.2]
omega = [0.3, 1.5, 0.4]
[[body]]
name = "ball"
inertia = [0.2, 0.3, 0.25]
mass = 1
com = [0.03, 0, 0.04]
position = [-0.2, 0.4, -0.6]
velocity = [0.2, 0.3, 0.1]
omega = [1, -2, 0.5]
[[joint]]
name = "hinge"
type = "spherical"
between = ["ground", "plate"]
at = [0, 0, 0]
[[joint]]
name = "rim"
type = "rolling"
between = ["plate.top", "wheel"]
radius = 0.5
axis = [0.2, 1, 0.3]
[[joint]]
name = "below"
type = "rolling"
between = ["plate", "ball"]
at = [0, 0.1, -0.2]
on = [0.2, 0.1, -1]
radius = 0.3
[assembly]
[observables]
"""


class Reactions(MechanismTest):
    def test_balance_every_body_by_newton_and_euler(self):
        mechanism = Mechanism(MOVING.replace("[assembly]\n[observables]\n", ""))
        text = with_observables(MOVING, state_formulas(mechanism) | reaction_formulas(mechanism))
        for steps in (1, 100):
            with self.subTest(steps=steps):
                row = self.last_row(text, "--project", "--method", "spark(3)", "--step", "0.002", "--steps", steps)
                state = self.state(row, mechanism)
                bound = 16 * EPSILON * max(mechanism.condition(state), 10)
                self.assertLess(bound, 1e-7, "otherwise the test says nothing")
                wrenches = self.reactions(row, mechanism)
                self.assertLess(mechanism.imbalance(state, wrenches).max(), bound)
                self.assertGreater(np.linalg.norm(wrenches["rim"][0]), 0.1)
                self.assertGreater(np.linalg.norm(wrenches["below"][0]), 0.1)

    def test_energy_is_conserved_and_constraints_stay_at_round_off(self):
        run = self.run_json(self.write(MOVING.replace("[observables]\n", "")), "--project", "--method", "spark(3)", "--step", "0.002",
                            "--steps", "500")
        self.assertTrue(run["energy"]["conserved"])
        self.assertLess(run["constraint"]["max"], 1e-12)
        self.assertLess(run["constraint"]["hidden_max"], 1e-12)


class Families(MechanismTest):
    def test_of_balls_move_as_written_one_by_one(self):
        body = """\
[[body]]
for = "i in 1..3"
name = "ball[i]"
mass = "i"
inertia = ["0.1*i", "0.1*i", "0.1*i"]
position = ["i", 0, 0.5]
velocity = ["0.3*i", 0, 0]
omega = [0, "0.6*i", 0]
"""
        joint = """\
[[joint]]
for = "i in 1..3"
name = "contact[i]"
type = "rolling"
between = ["ground", "ball[i]"]
at = [0, 0, 0]
on = [0, 0.6, 0.8]
radius = "0.5 + 0*i"
"""
        joint = joint.replace("[0, 0.6, 0.8]", "[0, 0, 1]")
        head = f"[dynamics]\ngravity = [1, 2, -{G}]\n"
        observed = '[observables]\n' + "".join(f'f{i} = "contact[{i}].force.y"\nl{i} = "lambda_contact[{i}].slip[1]"\n' for i in (1, 2, 3))
        family = self.last_row(head + body + joint + observed, "--step", "0.01", "--steps", "50")
        each = "".join(joint.replace('for = "i in 1..3"\n', "").replace("[i]", f"[{i}]").replace("*i", f"*{i}") for i in (1, 2, 3))
        single = self.last_row(head + body + each + observed, "--step", "0.01", "--steps", "50")
        self.assertEqual(family, single)
        for i in (1, 2, 3):          # m a - f = m g with a = m R^2 g/(m R^2 + I)
            share = 0.1 / (0.25 + 0.1)
            self.assertAlmostEqual(family[f"f{i}"], -i * 2 * share, delta=1e-12)
        self.assertEqual(self.libration("check", self.write(head + body + joint), "--json").json["mobility"], 9)


if __name__ == "__main__":
    unittest.main()
