"""Machines of many bodies: the program against closed forms and balances that share nothing with it (tests/independent/machines.py)."""

import csv
import sys

import numpy as np
from program import SOURCE_DIR, ProgramTest

sys.path.insert(0, str(SOURCE_DIR / "tests/independent"))
from machines import WHIPPLE, delta_platform, jansen_leg  # noqa: E402

EPSILON = np.finfo(float).eps


def problem(name):
    return SOURCE_DIR / "problems" / f"{name}.toml"


class MachineTest(ProgramTest):
    def rows(self, *arguments):
        self.run_json(*arguments, "--out", "run.csv", "--overwrite")
        with open(self.dir / "run.csv", newline="", encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


class Vehicle(MachineTest):
    def test_stands_still_where_its_springs_carry_it(self):
        row = self.rows(problem("vehicle"), "--set", "bump=0", "--set", "steer=0", "--steps", "20")[-1]
        # Forces of 5000 with a round-off of some units act on 1361.6 for a tenth of a second.
        for name, value in (("heave", 0.55), ("roll", 0), ("pitch", 0)):
            self.assertAlmostEqual(row[name], value, delta=1e-12)
        self.assertAlmostEqual(row["tyre_forces"], 1361.6 * 9.81, delta=200000 * 4e-12)

    def test_moves_alike_with_both_matrices_of_newtons_method(self):
        text = problem("vehicle").read_text(encoding="utf-8")
        full = self.write(text.replace("[run]", '[spark]\nnewton = "full"\n\n[run]'))
        one, two = (self.run_json(model, "--steps", "4") for model in (problem("vehicle"), full))
        for key, bound in (("q", 1e-13), ("p", 1e-12), ("lambda", 1e-11)):
            first, second = np.array(one[key]), np.array(two[key])
            # Round-off of the largest entry, times the condition of a step: forces are 1/h times less certain than momenta.
            np.testing.assert_allclose(first, second, rtol=0, atol=bound * max(1, np.abs(first).max()))

    def test_has_the_order_of_the_method_in_q_p_and_multipliers(self):
        """240 coordinates with dampers: a certificate in quadruple precision would take hours."""
        ends = [self.run_json(problem("vehicle"), "--method", "spark(3)", "--step", 0.00625 / 2**k, "--duration", 0.1,
                              "--monitor", 0, "--full") for k in range(5)]
        for name in ("q", "p", "lambda"):
            values = [np.array(end[name]) for end in ends]
            changes = [np.abs(one - next_one).max() for one, next_one in zip(values, values[1:])]
            orders = np.log2(np.array(changes[:-1]) / changes[1:])
            # Terms of the next order are a few percent of the changes; of the multipliers, with stiff tyres, a tenth.
            with self.subTest(name, orders=orders):
                np.testing.assert_allclose(orders, 4, rtol=0, atol=0.3 if name == "lambda" else 0.05)

    def test_loses_the_energy_that_its_dampers_take(self):
        rest = ("--set", "bump=0", "--set", "steer=0", "--set", "speed=0", "--set", "front_free=0.35")
        missing = []
        for steps in (20, 40):
            rows = self.rows(problem("vehicle"), *rest, "--step", 0.1 / steps, "--steps", steps)
            power = np.array([row["power"] for row in rows])
            work = 0.1 / steps / 3 * (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum())
            missing.append(rows[-1]["energy"] + work - rows[0]["energy"])
        # Method and quadrature are of order 4: 16 up to terms of higher order. The work is 185 J; what a damper does would stay.
        self.assertLess(abs(missing[1]), 0.1)
        self.assertGreater(abs(missing[0] / missing[1]), 8)

    def test_has_its_degrees_of_freedom(self):
        check = self.libration("check", problem("vehicle"), "--json").json
        self.assertEqual((check["mobility"], check["constraints"], check["rank"]), (14, 226, 226))


class Bicycle(MachineTest):
    NAMES = ("lean", "steer", "lean_speed", "steer_speed")

    def eigenvalues(self, speed):
        """Two small motions, sampled at three times, give the propagator of lean and steer over a tenth of a second."""
        samples = []
        for lean, steer in (("1e-5", "0"), ("0", "1e-4")):
            initial = ("--set", f"speed={speed}", "--set", f"lean_rate={lean}", "--set", f"steer_rate={steer}")
            rows = self.rows(problem("bicycle"), *initial, "--method", "spark(4)", "--step", "0.005", "--steps", "40")
            samples.append(np.array([[rows[k][name] for name in self.NAMES] for k in (0, 20, 40)]))
        before = np.array([motion[k] for k in (0, 1) for motion in samples]).T
        after = np.array([motion[k] for k in (1, 2) for motion in samples]).T
        propagator = after @ np.linalg.inv(before)
        return np.sort_complex(np.log(np.linalg.eigvals(propagator).astype(complex)) / 0.1)

    def test_has_the_published_eigenvalues_of_weave_capsize_and_castering(self):
        for speed, published in WHIPPLE.items():
            with self.subTest(speed):
                # The motions are odd in their size s: terms of s^2 = 1e-9 remain, and round-off of 1e-15/s; the condition of the
                # samples is 200. With h |lambda| = 0.1, order 6 leaves 1e-9 of the largest eigenvalue, 20.
                np.testing.assert_allclose(self.eigenvalues(speed), published, rtol=0, atol=1e-6)

    def test_keeps_its_energy_and_its_wheels_on_the_ground(self):
        errors = []
        for step in ("0.02", "0.01"):
            run = self.run_json(problem("bicycle"), "--step", step, "--duration", "0.4")
            self.assertTrue(run["energy"]["conserved"])
            self.assertLess(run["constraint"]["max"], 1e-13)
            errors.append(run["energy"]["max_error"])
        # Order 4.
        self.assertGreater(errors[0] / errors[1], 12)


class DeltaRobot(MachineTest):
    def test_is_where_three_spheres_meet_and_does_not_turn(self):
        for row in self.rows(problem("delta-robot"), "--steps", "40")[::10]:
            platform = delta_platform([row[f"angle{k}"] for k in (1, 2, 3)])
            # Constraints hold to a few units of round-off; the condition of the spheres is below 10.
            np.testing.assert_allclose([row["x"], row["y"], row["z"]], platform, rtol=0, atol=1e-13)
            self.assertLess(row["turned"], 1e-12)

    def test_stays_on_its_axis_if_the_drives_agree(self):
        row = self.rows(problem("delta-robot"), "--set", "spread=0", "--steps", "40")[-1]
        self.assertLess(row["z"], -0.481)
        np.testing.assert_allclose([row["x"], row["y"]], 0, atol=1e-12)

    def test_carries_six_redundant_constraints(self):
        check = self.libration("check", problem("delta-robot"), "--json").json
        self.assertEqual((check["mobility"], check["constraints"] - check["rank"]), (3, 6))


class Strandbeest(MachineTest):
    def test_sets_its_toe_where_the_circles_meet(self):
        rows = self.rows(problem("strandbeest"), "--duration", "1", "--every", "40")
        self.assertGreater(len(rows), 9)
        for row in rows:
            toe = jansen_leg(row["crank_angle"])["foot"] / 100
            # Constraints hold to a few units of round-off; each of the four triangles amplifies that by less than three.
            self.assertAlmostEqual(complex(row["toe_x"], row["toe_y"]), toe, delta=1e-13)

    def test_follows_its_crank(self):
        row = self.rows(problem("strandbeest"), "--duration", "1")[-1]
        self.assertAlmostEqual(row["crank_angle"], 2 * np.pi, delta=1e-13)


class Wheelset(MachineTest):
    def test_has_klingels_wavelength_for_every_conicity(self):
        for conicity in (0.05, 0.25):
            changes = ("--set", "offset=1e-4", "--set", f"conicity={conicity}")
            row = self.rows(problem("wheelset"), *changes, "--method", "spark(4)", "--step", "0.02", "--steps", "15")[-1]
            # Phases of 65 and 146 degrees. Terms of the third power of the displacement remain, and the start is closed to 1e-16.
            self.assertLess(abs(row["klingel"]), 0.9e-4)
            self.assertAlmostEqual(row["lateral"], row["klingel"], delta=1e-11)


class Excavator(MachineTest):
    def test_has_cylinders_that_are_sides_of_triangles(self):
        row = self.rows(problem("excavator"), "--steps", "200")[-1]
        self.assertGreater(abs(row["boom_angle"]), 0.1)
        for name, u2, v2, start2, sign in (("boom", 0.41, 3.65, 3.7, 1), ("stick", 2.81, 0.29, 1.96, -1)):
            twice = 2 * np.sqrt(u2 * v2)
            angle = np.arccos((u2 + v2 - start2) / twice) + sign * row[name + "_angle"]
            length = np.sqrt(u2 + v2 - twice * np.cos(angle))
            # Lengths and constraints up to four, with some units of round-off.
            self.assertAlmostEqual(row[name + "_length"], length - np.sqrt(start2), delta=1e-13)
