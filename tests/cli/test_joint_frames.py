"""Joints between frames: rows that are sines vanish half a turn off, too, but joints start as the frames describe them."""

import math
import unittest

from test_mechanisms import EPSILON, MechanismTest

START = ("--step", "0.01", "--steps", "0")
SHORT = ("--step", "0.01", "--steps", "10")
# Cosines of frames that the assembly aligned to round-off.
ROUNDING = 100 * EPSILON


class Planar(MechanismTest):
    def frames(self, kind, x, angle=0, more=""):
        return f"""\
[[body]]
name = "base"
planar = true
mass = 1
inertia = 1
angle = 0.25
frames = {{ f = {{ at = [0.5, 0], x = [1, 0] }} }}
[[body]]
name = "arm"
planar = true
mass = 1
inertia = 1
position = ["0.5*cos(0.25)", "0.5*sin(0.25)"]
angle = {angle}
frames = {{ f = {{ at = [0, 0]{x} }} }}
[[joint]]
name = "ground"
type = "revolute"
between = ["ground", "base"]
at = [0, 0]
[[joint]]
name = "j"
type = "{kind}"
between = ["base.f", "arm.f"]
{more}
[observables]
between = "arm.angle - base.angle"
""".replace('name = "ground"', 'name = "foot"', 1)

    def test_a_hinge_has_the_angle_of_the_x_axes(self):
        for x, angle, expected in ((", x = [0, 2]", 0, math.pi / 2 - 0.25), (", x = [-1, -1]", 3, 3 - 0.75 * math.pi - 0.25), ("", 1, 0.75)):
            with self.subTest(x=x, angle=angle):
                row = self.last_row(self.frames("revolute", x, angle, "zero = 0.5") + 'angle = "j.angle"\n', *START)
                self.assertAlmostEqual(row["angle"], expected + 0.5, delta=ROUNDING)

    def test_a_weld_keeps_the_x_axes_parallel(self):
        for x, expected in ((", x = [0, 1]", -math.pi / 2), ("", 0)):
            row = self.last_row(self.frames("fixed", x), *START)
            self.assertAlmostEqual(row["between"], expected, delta=ROUNDING)

    def test_a_motion_turns_the_bodies_to_where_it_starts(self):
        row = self.last_row(self.frames("revolute", ", x = [0, 1]", more='motion = "2 + t"') + 'angle = "j.angle"\n', *SHORT)
        self.assertAlmostEqual(row["angle"], 2.1, delta=ROUNDING)
        self.assertAlmostEqual(row["between"], 2.1 - math.pi / 2, delta=ROUNDING)


if __name__ == "__main__":
    unittest.main()
