"""Bushings: equilibrium, oscillations in six directions, conservation laws, dissipation, all against closed forms."""

import csv
import math
import unittest

import numpy as np

from program import ProgramTest

EPSILON = np.finfo(float).eps
VECTORS = {"origin": "{0}.at(0, 0, 0)", "x": "{0}.at(1, 0, 0)", "y": "{0}.at(0, 1, 0)", "z": "{0}.at(0, 0, 1)",
           "r": "{0}.r", "v": "v_{0}.r", "omega": "{0}.omega"}

# All moments of inertia are equal, so that every axis through the center is a principal one; the frame is oblique.
MASS, INERTIA = 4.0, 2.0
ALONG, ABOUT = np.array([3.0, 4.0, 5.0]), np.array([1.0, 2.0, 3.5])


def seated(velocity, omega):
    return f"""\
[[body]]
name = "b"
inertia = [{INERTIA}, {INERTIA}, {INERTIA}]
mass = {MASS}
frames = {{ seat = {{ axis = [1, 2, 3], x = [1, 0, 0] }} }}
position = [1, 2, 3]
velocity = {list(map(float, velocity))}
omega = {list(map(float, omega))}
[[bushing]]
between = ["ground", "b.seat"]
stiffness = {ALONG.tolist()}
rotational_stiffness = {ABOUT.tolist()}
"""


def seat_axes():
    axis = np.array([1.0, 2, 3]) / math.sqrt(14)
    first = np.array([1.0, 0, 0]) - axis[0] * axis
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first), axis])


def pair(more=""):
    """Two bodies that are free, with a bushing between places of both; the second one turns fast."""
    return """\
[[body]]
name = "a"
inertia = [2, 1.5, 1]
mass = 3
frames = { seat = { at = [0.5, 0.2, 0], axis = [0, 1, 1] } }
velocity = [0.1, -0.2, 0.3]
omega = [0.3, 0.2, -0.4]
[[body]]
name = "b"
inertia = [1, 1.2, 0.8]
com = [0.1, 0, 0.2]
mass = 2
frames = { foot = { at = [-0.4, 0, 0.1], axis = [0, 0, 1], x = [1, 1, 0] } }
position = [1, 0.3, 0]
orientation = { axis = [1, 1, 0], angle = 0.4 }
velocity = [-0.3, 0.5, 0.2]
omega = [2, -1, 1.5]
[[bushing]]
name = "mount"
between = ["a.seat", "b.foot"]
stiffness = [30, 40, 50]
rotational_stiffness = [5, 2, 9]
""" + more


def cartesian(bodies, planar=False):
    axes = "xy" if planar else "xyz"
    return "[observables]\n" + "".join(
        f'state_{body}_{key}_{c} = "{formula.format(body)}.{c}"\n'
        for body in bodies for key, formula in VECTORS.items() for c in axes)


def agm(a, b):
    for _ in range(40):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


class BushingTest(ProgramTest):
    def rows(self, text, *arguments):
        self.write(text)
        result = self.libration("run", "model.toml", *arguments, "--out", "run.csv", "--overwrite")
        self.assertEqual(result.status, 0, result)
        with open(self.dir / "run.csv", newline="", encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    @staticmethod
    def state(row, body):
        part = {key: np.array([row[f"state_{body}_{key}_{c}"] for c in "xyz"]) for key in VECTORS}
        Q = np.array([part[axis] - part["origin"] for axis in "xyz"]).T
        return part["r"], Q, part["v"], Q @ part["omega"]


class Oscillations(BushingTest):
    def test_along_each_axis_are_harmonic(self):
        # Linear: r = v/omega sin(omega t). lobatto(4) has order 6; with omega h < 0.05 its error over 10 periods is below
        # 60 (omega h)^6 / 1e4 < 1e-10.
        for axis, stiffness in zip(seat_axes(), ALONG):
            omega = math.sqrt(stiffness / MASS)
            period = 2 * math.pi / omega
            last = self.rows(seated(axis, [0, 0, 0]) + cartesian("b"), "--method", "lobatto(4)", "--step",
                             repr(10.25 * period / 1640), "--steps", "1640", "--every", "1640")[-1]
            r, Q, v, spin = self.state(last, "b")
            np.testing.assert_allclose(r - [1, 2, 3], axis / omega, atol=1e-10)
            np.testing.assert_allclose(v, np.zeros(3), atol=1e-10)
            np.testing.assert_allclose(Q, np.eye(3), atol=1e-13)
            np.testing.assert_allclose(spin, np.zeros(3), atol=1e-13)

    def test_about_each_axis_are_those_of_a_pendulum(self):
        # I angle'' = -c sin(angle): small ones have the frequency sqrt(c/I), large ones pi/2 divided by the arithmetic-geometric
        # mean of 1 and cos(amplitude/2) as a quarter of a period in the unit 1/sqrt(c/I).
        for axis, stiffness in zip(seat_axes(), ABOUT):
            for amplitude in (1e-4, 2.0, 3.0):
                omega = math.sqrt(stiffness / INERTIA)
                quarter = math.pi / 2 / omega / agm(1, math.cos(amplitude / 2))
                speed = 2 * omega * math.sin(amplitude / 2)
                last = self.rows(seated([0, 0, 0], speed * axis) + cartesian("b"), "--method", "lobatto(4)", "--step",
                                 repr(5 * quarter / 1000), "--steps", "1000", "--every", "1000")[-1]
                r, Q, v, spin = self.state(last, "b")
                # One period and a quarter: at rest at the amplitude, turned about the axis.
                np.testing.assert_allclose(spin, np.zeros(3), atol=1e-9)
                # Near the turning point above, round-off in the other directions grows.
                np.testing.assert_allclose(Q @ axis, axis, atol=1e-10)
                self.assertAlmostEqual(math.acos((np.trace(Q) - 1) / 2) if amplitude > 1 else
                                       np.linalg.norm(Q - Q.T) / math.sqrt(8), amplitude, delta=1e-9)
                np.testing.assert_allclose(r, [1, 2, 3], atol=1e-12)

    def test_of_planar_bodies(self):
        text = """\
[[body]]
name = "b"
planar = true
inertia = 2
mass = 4
frames = { seat = { x = [3, 4] } }
angle = 0.3
velocity = %s
omega = %s
[[bushing]]
between = ["ground", "b.seat"]
stiffness = [3, 5]
rotational_stiffness = 2
"""
        turned = math.atan2(4, 3) + 0.3
        for stiffness, direction in ((3, (math.cos(turned), math.sin(turned))), (5, (-math.sin(turned), math.cos(turned)))):
            omega = math.sqrt(stiffness / 4)
            last = self.rows(text % (list(direction), 0), "--method", "lobatto(4)", "--step",
                             repr(2.5 * math.pi / omega / 200), "--steps", "200", "--every", "200")[-1]
            np.testing.assert_allclose([last["b.r.x"], last["b.r.y"]], np.array(direction) / omega, atol=1e-10)
            self.assertAlmostEqual(last["b.angle"], 0.3, delta=1e-12)
        quarter = math.pi / 2 / agm(1, math.cos(1))      # sqrt(c/I) = 1
        last = self.rows(text % ([0, 0], 2 * math.sin(1)), "--method", "lobatto(4)", "--step", repr(quarter / 200), "--steps",
                         "200", "--every", "200")[-1]
        self.assertAlmostEqual(last["b.angle"], 2.3, delta=1e-10)
        self.assertAlmostEqual(last["v_b.angle"], 0, delta=1e-10)


class Equilibrium(BushingTest):
    def test_under_gravity_off_the_center(self):
        # The seat of the ground is that of a heavy body that is fixed. The weight at the distance s from the foot turns the
        # body by b: c sin(b) = m g s cos(b) about the z axis of the seat, and shifts the foot by m g/k_y.
        m, g, c, k, s = 2.0, 9.81, 30.0, 400.0, 0.7
        b = math.atan2(-m * g * s, c)
        foot = -m * g / k
        text = f"""\
[dynamics]
gravity = [0, -{g}, 0]
[[body]]
name = "floor"
inertia = [1, 1, 1]
mass = 1
frames = {{ seat = {{}} }}
[[joint]]
name = "screws"
type = "fixed"
between = ["ground", "floor"]
at = [0, 0, 0]
[[body]]
name = "b"
inertia = [1, 1.2, 0.8]
mass = {m}
com = [{s}, 0, 0]
frames = {{ foot = {{}} }}
position = [0, {foot!r}, 0]
orientation = {{ axis = [0, 0, 1], angle = {b!r} }}
[[bushing]]
between = ["floor.seat", "b.foot"]
stiffness = [300, {k}, 500]
rotational_stiffness = [40, 50, {c}]
[observables]
up = "screws.force.y"
moment = "screws.torque.z"
""" + cartesian(["b"]).replace("[observables]\n", "")
        rows = self.rows(text, "--method", "rattle", "--step", "0.01", "--steps", "100", "--every", "100")
        r, _, v, spin = self.state(rows[-1], "b")
        # In 100 steps of 0.01 an imbalance of F moves the body by F/m t^2/2: forces are of the size 20.
        np.testing.assert_allclose(r, [s * math.cos(b), foot + s * math.sin(b), 0], atol=100 * EPSILON)
        np.testing.assert_allclose(np.concatenate([v, spin]), np.zeros(6), atol=1000 * EPSILON)
        # The floor carries both weights; the bushing's force acts at the foot, above the point of the joint.
        self.assertAlmostEqual(rows[-1]["up"], (m + 1) * g, delta=1e-12 * m * g)
        self.assertAlmostEqual(rows[-1]["moment"], m * g * s * math.cos(b), delta=1e-12 * m * g)


class Conservation(BushingTest):
    INERTIAS = {"a": (3.0, np.diag([2, 1.5, 1])), "b": (2.0, np.diag([1, 1.2, 0.8]))}

    def momenta(self, row):
        linear, angular = np.zeros(3), np.zeros(3)
        for name, (mass, inertia) in self.INERTIAS.items():
            r, Q, v, omega = self.state(row, name)
            linear += mass * v
            angular += mass * np.cross(r, v) + Q @ inertia @ Q.T @ omega
        return np.concatenate([linear, angular])

    def test_of_momentum_and_energy_without_dampers(self):
        deviations = []
        for step in (0.01, 0.005):
            rows = self.rows(pair() + cartesian("ab"), "--method", "rattle", "--step", repr(step), "--steps", repr(round(20 / step)))
            momenta = np.array([self.momenta(row) for row in rows])
            # The force on one body is minus that on the other: symplectic methods keep both momenta to round-off, which
            # grows with the root of the number of steps.
            np.testing.assert_allclose(momenta, np.tile(momenta[0], (len(rows), 1)), atol=200 * EPSILON * math.sqrt(len(rows)))
            energies = np.array([row["energy"] for row in rows])
            deviations.append(np.max(np.abs(energies - energies[0])))
            # Without drift: the second half is as near as the first one.
            half = len(rows) // 2
            self.assertLess(np.max(np.abs(energies[half:] - energies[0])), 1.5 * np.max(np.abs(energies[:half] - energies[0])))
        self.assertGreater(deviations[0] / deviations[1], 3.5)       # order 2
        self.assertLess(deviations[0] / deviations[1], 4.5)

    def test_dampers_take_energy_and_no_momentum(self):
        text = pair("damping = [1, 0.5, 0.2]\nrotational_damping = 0.3\n") + cartesian("ab")
        rows = self.rows(text, "--method", "spark(4)", "--step", "0.02", "--steps", "300", "--every", "3")
        momenta = np.array([self.momenta(row) for row in rows])
        np.testing.assert_allclose(momenta, np.tile(momenta[0], (len(rows), 1)), atol=1e-9)     # order 6
        energies = np.array([row["energy"] for row in rows])
        self.assertTrue(np.all(np.diff(energies) < 0), np.max(np.diff(energies)))
        # At the end both turn together, as one body.
        rows += self.rows(text, "--method", "spark(2)", "--step", "0.05", "--steps", "1600", "--every", "1600")
        (_, Qa, _, wa), (_, _, _, wb) = self.state(rows[-1], "a"), self.state(rows[-1], "b")
        self.assertGreater(np.linalg.norm(wa), 0.1)
        self.assertLess(np.linalg.norm(wa - wb), 5e-3 * np.linalg.norm(self.state(rows[0], "b")[3]))

    def test_the_power_of_dampers_is_that_of_their_formula(self):
        damping, turning = np.array([1, 0.5, 0.2]), np.array([0.3, 0.6, 0.1])
        text = pair(f"damping = {damping.tolist()}\nrotational_damping = {turning.tolist()}\n") + cartesian("ab")
        rows = self.rows(text, "--method", "spark(4)", "--step", "0.001", "--steps", "4")
        (ra, Qa, va, wa), (rb, Qb, vb, wb) = (self.state(rows[2], name) for name in "ab")
        foot = rb + Qb @ (np.array([-0.4, 0, 0.1]) - [0.1, 0, 0.2])
        # An axis without x has its directions from Duff's formula: across (0, 1, 1)/sqrt(2).
        axis = np.array([0, 1, 1]) / math.sqrt(2)
        a = -1 / (1 + axis[2])
        frame = Qa @ np.array([[1, 0, 0], [0, 1 + axis[1]**2 * a, -axis[1]], axis]).T
        # As seen from the first body: the velocity of the foot against the point of the first body that is there.
        speed = vb + np.cross(wb, foot - rb) - va - np.cross(wa, foot - ra)
        power = -damping @ (frame.T @ speed)**2 - turning @ (frame.T @ (wb - wa))**2
        slope = (rows[0]["energy"] - 8 * rows[1]["energy"] + 8 * rows[3]["energy"] - rows[4]["energy"]) / 0.012
        self.assertAlmostEqual(slope, power, delta=1e-6 * abs(power))      # difference quotient of order 4, round-off / h


class Messages(BushingTest):
    BODY = '[[body]]\nname = "b"\ninertia = [1, 1, 1]\nmass = 1\n[[bushing]]\n'

    def test_of_bushings_say_what_to_do(self):
        planar = self.BODY.replace("inertia = [1, 1, 1]", "inertia = 1\nplanar = true")
        for text, words in (
                (self.BODY + 'between = ["b", "b"]\nat = [0, 0, 0]\nstiffness = 1', "between the body b and itself"),
                (self.BODY + 'between = ["ground", "ground"]\nat = [0, 0, 0]\nstiffness = 1', "the ground and itself"),
                (self.BODY + 'between = ["ground", "c"]\nat = [0, 0, 0]\nstiffness = 1', "there is no body 'c'"),
                (self.BODY + 'between = ["ground", "b.foot"]\nstiffness = 1', "the body b has no point 'foot'"),
                (self.BODY + 'between = ["ground", "b"]\nstiffness = 1', "needs the key 'at'"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]', "neither stiffness nor damping"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstiffness = [1, 2]', "one for all axes, or 3"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstiffness = [1, -2, 3]', "is -2"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstiffness = 1\ndamping = -1', "'damping' of"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstiffness = "b.r.x"', "b.r.x"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\ndamping = 1\npart = "stiff"', "needs an energy"),
                (self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstifness = 1', "stiffness"),
                (planar + 'between = ["ground", "b"]\nat = [0, 0]\nrotational_stiffness = [1, 2, 3]', "it is one")):
            self.refused_model(text + "\n", says=[words])

    def test_a_parameter_that_becomes_negative_is_refused(self):
        model = '[parameters]\nk = 1\n' + self.BODY + 'between = ["ground", "b"]\nat = [0, 0, 0]\nstiffness = ["k", 1, 1]\n'
        self.refused(self.write(model), "--set", "k=-1", "--method", "rattle", "--step", "1", says=["'stiffness' of the bushing"])


if __name__ == "__main__":
    unittest.main()
