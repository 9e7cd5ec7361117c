"""What the files of machines say, against balances and closed forms, without the library.

    PYTHONPATH=tests/independent python3 -B -m unittest -v test_machines
"""

import math
import pathlib
import re
import unittest

import numpy as np

from machines import HOLY, WHIPPLE, delta_platform, jansen_leg, whipple
from statics import Statics

PROBLEMS = pathlib.Path(__file__).parents[2] / "problems"
EPSILON = np.finfo(float).eps


class Vehicle(unittest.TestCase):
    def setUp(self):
        self.statics = Statics((PROBLEMS / "vehicle.toml").read_text(encoding="utf-8"))
        self.wheels = [name for name in self.statics.bodies if name.endswith("_wheel")]

    def test_stands_where_it_is_drawn(self):
        springs, tyres, rest = self.statics.loads(self.wheels)
        # Round-off of a solution with 200 unknowns.
        self.assertLess(rest, 200 * EPSILON)
        of = {name: self.statics.scalar(name) for name in
              ("front_spring", "rear_spring", "front_length", "rear_length", "tyre", "front_free", "rear_free")}
        for k, axle in enumerate(("front", "front", "rear", "rear")):
            ends = self.statics.document["spring"][k]["between"]
            length = self.statics.length(ends) + springs[k] / of[axle + "_spring"]
            self.assertAlmostEqual(length, of[axle + "_length"], delta=1e-14)
            self.assertAlmostEqual(0.3 + tyres[k] / of["tyre"], of[axle + "_free"], delta=1e-14)

    def test_loads_its_axles_by_the_lever(self):
        _, tyres, _ = self.statics.loads(self.wheels)
        masses = {name: body.mass for name, body in self.statics.bodies.items()}
        weight = 9.81 * sum(masses.values())
        x = sum(mass * self.statics.centers[name][0] for name, mass in masses.items()) / sum(masses.values())
        front, rear = weight * (1.4 + x) / 2.6 / 2, weight * (1.2 - x) / 2.6 / 2
        np.testing.assert_allclose(tyres, [front, front, rear, rear], rtol=1e-12)


class Bicycle(unittest.TestCase):
    def test_has_the_published_eigenvalues(self):
        for speed, published in WHIPPLE.items():
            # 14 digits after the point are printed; the largest eigenvalue of a matrix with entries of 1000 loses some.
            np.testing.assert_allclose(whipple(speed), published, rtol=0, atol=1e-12)


class Leg(unittest.TestCase):
    def test_has_the_holy_numbers(self):
        ends = dict(b=("pivot", "top"), c=("pivot", "knee"), d=("pivot", "back"), e=("top", "back"), f=("back", "heel"),
                    g=("knee", "heel"), h=("heel", "foot"), i=("knee", "foot"), j=("tip", "top"), k=("tip", "knee"))
        for theta in np.linspace(0, 6, 7):
            leg = jansen_leg(theta)
            for name, (one, two) in ends.items():
                self.assertAlmostEqual(abs(leg[one] - leg[two]), HOLY[name], delta=1e-12)

    def test_walks_in_the_range_of_the_file(self):
        toe = np.array([jansen_leg(theta)["foot"] for theta in np.linspace(0, 2 * math.pi, 3601)])
        text = (PROBLEMS / "strandbeest.toml").read_text(encoding="utf-8")
        printed = [float(number) for number in re.findall(r"-0\.\d{6}", text)]
        # Six digits; between two of the angles an extreme differs by 4e-7 at most.
        for value in (toe.real.min(), toe.real.max(), toe.imag.min(), toe.imag.max()):
            self.assertLess(min(abs(number - value / 100) for number in printed), 1e-6)


class DeltaRobot(unittest.TestCase):
    def test_starts_below_the_center(self):
        np.testing.assert_allclose(delta_platform([0, 0, 0]), [0, 0, -0.48], rtol=0, atol=10 * EPSILON)
        np.testing.assert_allclose(delta_platform([0.3] * 3)[:2], 0, atol=10 * EPSILON)


if __name__ == "__main__":
    unittest.main()
