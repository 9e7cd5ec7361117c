"""Springs, dampers, motors and tables in joints, and families of them, against closed forms."""

import math
import unittest

import numpy as np
from test_mechanisms import EPSILON, MechanismTest

INERTIA = 2.0


def disc(planar, omega=0.0):
    """On a hinge through its center of mass; in space about an oblique axis of a body with equal moments."""
    if planar:
        return f"""\
[[body]]
name = "disc"
planar = true
mass = 3
inertia = {INERTIA}
omega = {omega}
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "disc"]
at = [0, 0]
"""
    axis = np.array([1.0, 2, 2]) / 3
    return f"""\
[[body]]
name = "disc"
mass = 3
inertia = [{INERTIA}, {INERTIA}, {INERTIA}]
omega = {(omega * axis).tolist()}
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "disc"]
at = [0, 0, 0]
axis = [1, 2, 2]
turns = true
"""


OBSERVED = '[observables]\nphi = "hinge.angle"\nrate = "hinge.rate"\n'


class Hinges(MechanismTest):
    # Order 6: (w h)^6 is 2e-12 with the rates w below 1.2 here.
    OPTIONS = ("--method", "spark(4)", "--step", "0.01", "--steps", "300")

    def check(self, text, phi, rate):
        row = self.last_row(text + OBSERVED, *self.OPTIONS)
        self.assertAlmostEqual(row["phi"], phi, delta=1e-11)
        self.assertAlmostEqual(row["rate"], rate, delta=1e-11)

    def test_with_a_torsion_spring_and_a_damper_oscillate_as_damped_oscillators(self):
        k, c, rest, start, t = 2.5, 0.6, 0.4, 0.9, 3.0
        loads = f'[[spring]]\njoint = "hinge"\nstiffness = {k}\nangle = {rest}\n[[damper]]\njoint = "hinge"\ncoefficient = {c}\n'
        decay = c / (2 * INERTIA)
        w = math.sqrt(k / INERTIA - decay**2)
        # phi - rest = e^(-d t) (a cos w t + b sin w t), a = -rest, b = (start + d a)/w
        a = -rest
        b = (start + decay * a) / w
        value = math.exp(-decay * t) * (a * math.cos(w * t) + b * math.sin(w * t))
        slope = -decay * value + math.exp(-decay * t) * w * (b * math.cos(w * t) - a * math.sin(w * t))
        for planar in (True, False):
            with self.subTest(planar=planar):
                self.check(disc(planar, start) + loads, rest + value, slope)

    def test_with_a_motor_that_loses_torque_with_its_rate_approach_its_free_speed(self):
        stall, free, t = 1.5, 4.0, 3.0
        motor = f'[[forces]]\nname = "motor"\nclass = "driving"\njoint = "hinge"\nvalue = "{stall}*(1 - hinge.rate/{free})"\n'
        T = INERTIA * free / stall
        for planar in (True, False):
            with self.subTest(planar=planar):
                self.check(disc(planar) + motor, free * (t - T * (1 - math.exp(-t / T))), free * (1 - math.exp(-t / T)))

    def test_with_a_torque_from_a_table_have_its_integral_as_rate(self):
        # Linear pieces whose ends are nodes: Lobatto's rules of four nodes integrate them exactly.
        table = '[tables]\ntorque = { x = [0, 1, 2, 4], y = [0, 3, -1, 1] }\n'
        motor = '[[forces]]\nname = "motor"\nclass = "driving"\njoint = "hinge"\nvalue = "interp(torque, t)"\n'
        rate = (1.5 + 1 + -0.5) / INERTIA           # to t = 3, where the torque is 0
        # The double integral of a + b s over s from 0 to h is a h^2/2 + b h^3/6.
        first = 3 / 6
        second = first + 1.5 + 3 / 2 - 4 / 6
        third = second + 2.5 - 1 / 2 + 1 / 6
        for planar in (True, False):
            with self.subTest(planar=planar):
                self.check(table + disc(planar) + motor, third / INERTIA, rate)

    def test_follow_a_table_with_the_torque_of_its_second_derivative(self):
        # A not-a-knot spline is a cubic polynomial if its points are on one.
        times = [0, 0.5, 1.25, 2, 3, 3.5]
        place = lambda t: 0.2 * t - 0.3 * t**2 + 0.15 * t**3
        table = f"[tables]\nprofile = {{ x = {times}, y = {[place(t) for t in times]}, kind = 'cubic' }}\n"
        for planar in (True, False):
            with self.subTest(planar=planar):
                # "motion" stands in the block of the joint, which is the last one.
                text = table + disc(planar, 0.2) + 'motion = "interp(profile, t)"\n' + OBSERVED
                text += "".join(f'm{c} = "hinge.torque.{c}"\n' for c in "xyz")
                row = self.last_row(text, "--method", "rattle", "--step", "0.01", "--steps", "300", "--project")
                self.assertAlmostEqual(row["phi"], place(3), delta=1e-12)
                self.assertAlmostEqual(row["rate"], 0.2 - 0.6 * 3 + 0.45 * 9, delta=1e-12)
                axis = np.array([0, 0, 1] if planar else [1 / 3, 2 / 3, 2 / 3])
                np.testing.assert_allclose([row[f"m{c}"] for c in "xyz"], INERTIA * (-0.6 + 0.9 * 3) * axis, rtol=0, atol=1e-11)

    def test_of_a_slide_follow_a_table_too(self):
        text = """\
[tables]
profile = { x = [0, 1, 2, 3], y = [0, 1, 4, 9], kind = "cubic" }
[[body]]
name = "b"
planar = true
mass = 3
inertia = 1
[[joint]]
name = "slide"
type = "prismatic"
between = ["ground", "b"]
at = [0, 0]
axis = [3, 4]
motion = "interp(profile, t)"
[observables]
fx = "slide.force.x"
"""
        row = self.last_row(text, "--method", "rattle", "--step", "0.01", "--steps", "150")
        self.assertAlmostEqual(row["b.r.y"], 0.8 * 1.5**2, delta=1e-13)
        self.assertAlmostEqual(row["fx"], 3 * 2 * 0.6, delta=1e-11)


class Families(MechanismTest):
    BODIES = """\
[parameters]
n = 4
k = "1 + i/2"
[[body]]
for = "i in 1..n"
name = "disc[i]"
planar = true
mass = 1
inertia = "1 + i/10"
position = ["i", 0]
omega = "0.3*i"
[[joint]]
for = "i in 1..n"
name = "hinge[i]"
type = "revolute"
between = ["ground", "disc[i]"]
at = ["i", 0]
"""

    @staticmethod
    def one_by_one(block, first, last):
        """The block without `for`, with every index as a number."""
        texts = []
        for i in range(first, last + 1):
            text = block.replace(f'for = "i in {first}..n"\n', "")
            for formula, number in (("[i-1]", f"[{i - 1}]"), ("[i]", f"[{i}]"), ("*i", f"*{i}")):
                text = text.replace(formula, number)
            texts.append(text)
        return "".join(texts)

    def test_of_torsion_springs_and_dampers_are_those_written_one_by_one(self):
        spring = '[[spring]]\nfor = "i in 1..n"\njoint = "hinge[i]"\nstiffness = "k[i]"\nangle = "0.1*i"\n'
        damper = '[[damper]]\nfor = "i in 1..n"\nname = "oil"\njoint = "hinge[i]"\ncoefficient = "0.1*i"\n'
        singles = self.one_by_one(spring, 1, 4) + self.one_by_one(damper.replace('name = "oil"\n', ""), 1, 4)
        options = ("--method", "spark(4)", "--step", "0.01", "--steps", "200")
        rows = [self.last_row(self.BODIES + loads, *options) for loads in (spring + damper, singles)]
        for i in range(1, 5):
            inertia, k, c, rest = 1 + i / 10, 1 + i / 2, 0.1 * i, 0.1 * i
            decay = c / (2 * inertia)
            w = math.sqrt(k / inertia - decay**2)
            a, b = -rest, (0.3 * i - decay * rest) / w
            angle = rest + math.exp(-2 * decay) * (a * math.cos(2 * w) + b * math.sin(2 * w))
            self.assertAlmostEqual(rows[0][f"disc[{i}].angle"], angle, delta=1e-10)    # (w h)^6 = 4e-12 in 200 steps
        for name, value in rows[0].items():
            self.assertAlmostEqual(value, rows[1][name], delta=200 * 8 * EPSILON * max(1, abs(value)), msg=name)

    ROW = """\
[parameters]
n = 5
k = "20 + i"
[[body]]
for = "i in 0..n"
name = "cell[i]"
mass = "1 + i/10"
inertia = [0.2, 0.3, 0.25]
position = ["i", 0, 0]
frames = { left = { at = [-0.5, 0, 0] }, right = { at = [0.5, 0, 0] } }
velocity = [0, "0.1*i", 0.2]
omega = ["0.2*i", 0.1, -0.3]
"""
    BUSHING = """\
[[bushing]]
for = "i in 1..n"
between = ["cell[i-1].right", "cell[i].left"]
stiffness = ["k[i]", "30*i", 40]
rotational_stiffness = ["3*i", 2, 2]
damping = [0.1, "0.2*i", 0.3]
rotational_damping = "0.01*i"
"""

    def test_of_bushings_are_those_written_one_by_one(self):
        single = self.one_by_one(self.BUSHING, 1, 5)
        self.assertNotIn("i]", single)
        options = ("--method", "spark(3)", "--step", "0.01", "--steps", "100")
        family, one_by_one = (self.last_row(self.ROW + text, *options) for text in (self.BUSHING, single))
        self.assertEqual(family.keys(), one_by_one.keys())
        # One force adds the same numbers in another order than five: the rounding of 100 steps.
        for name, value in family.items():
            self.assertAlmostEqual(value, one_by_one[name], delta=100 * 50 * EPSILON * max(1, abs(value)), msg=name)
        springs = "\n".join(line for line in self.BUSHING.splitlines() if "damping" not in line) + "\n"
        options = ("--method", "lobatto(3)", "--step", "0.01", "--steps", "100")
        rows = [self.last_row(self.ROW + text, *options) for text in (springs, self.one_by_one(springs, 1, 5))]
        self.assertEqual(rows[0], rows[1])          # without dampers the models are the same

    def test_of_bushings_transmit_vibrations_as_a_chain(self):
        # n masses between walls with stiffnesses k along x: the first mode 2 sqrt(k/m) sin(pi/(2 (n + 1))).
        n, k, m = 6, 50.0, 1.5
        mode = [math.sin(math.pi * i / (n + 1)) for i in range(1, n + 1)]
        text = f"""\
[parameters]
n = {n}
[[body]]
for = "i in 1..n"
name = "mass[i]"
planar = true
mass = {m}
inertia = 1
position = ["i", 0]
velocity = ["sin(pi*i/(n + 1))", 0]
[[bushing]]
for = "i in 2..n"
name = "mount"
between = ["mass[i-1]", "mass[i]"]
at = ["i - 0.5", 0]
stiffness = ["{k} + 0*i", 1]
[[bushing]]
between = ["ground", "mass[1]"]
at = [0, 0]
stiffness = [{k}, 1]
[[bushing]]
between = ["mass[n]", "ground"]
at = ["n + 1", 0]
stiffness = [{k}, 1]
"""
        w = 2 * math.sqrt(k / m) * math.sin(math.pi / (2 * (n + 1)))
        row = self.last_row(text, "--method", "lobatto(4)", "--step", "0.01", "--steps", "200")
        for i, part in enumerate(mode, start=1):
            self.assertAlmostEqual(row[f"mass[{i}].r.x"] - i, part * math.sin(2 * w) / w, delta=1e-10)   # (w h)^6 = 4e-9/1e4

    def test_of_bushings_name_the_member_that_is_wrong(self):
        self.refused_model(self.ROW + self.BUSHING.replace('"k[i]"', '"3 - i"').replace("[[bushing]]", '[[bushing]]\nname = "mount"'),
                           "--step", "0.1", "--steps", "1", says=["the bushing 'mount[4]'", "is -1"])
        self.refused_model(self.ROW + self.BUSHING.replace("cell[i-1]", "cell[i+1]"), "--step", "0.1", "--steps", "1", says=["cell[6]"])
        self.refused_model(self.ROW + self.BUSHING.replace("i in 1..n", "i in 1..v_n"), "--step", "0.1", "--steps", "1", says=["range"])


if __name__ == "__main__":
    unittest.main()
