"""Angles that count turns: continuous over many turns, in every formula, for every method, across stops and restarts."""

import csv
import math
import os
import unittest

import h5py
import numpy
import scipy.integrate

import program
from program import ProgramTest
from test_backend import has_code

# A bead on a circle at a torsion spring, which counts turns, and in gravity.
CIRCLE = """\
[parameters]
k = 0.2
w = 12
a = 0
[coordinates]
q = ["x", "y"]
[angles]
turn = { sine = "y", cosine = "x", start = "a" }
[dynamics]
mass = 1
potential = "k/2*turn^2 + y"
constraints = ["x^2 + y^2 - 1"]
[observables]
rate = "v_turn"
[initial]
q = [1, 0]
v = [0, "w"]
"""

# The same with the angle as the coordinate.
ANGLE = """\
[parameters]
k = 0.2
w = 12
[coordinates]
q = ["turn"]
[dynamics]
mass = 1
potential = "k/2*turn^2 + sin(turn)"
[initial]
q = [0]
v = ["w"]
"""

# Fifty turns there: w/sqrt(k) = 50 * 2 pi, after a quarter of the period.
FIFTY = ("--set", "k=(0.12/pi)^2", "--set", "w=12")

# Order of the method in all variables at the nodes, from its record, and a step small enough for it to show: with bdf(2)
# the terms of second and of third order cancel at 0.006.
METHODS = {"rattle": (2, 0.008), "shake": (2, 0.008), "compose(rattle, yoshida4)": (4, 0.008), "lobatto(3)": (4, 0.008),
           "spark(3)": (4, 0.008), "dirac-gauss(2)": (4, 0.008), "multistep(4)": (4, 0.008), "bdf(2)": (2, 0.002)}


def exact(t, k=0.2, w=12.0, phi=0.0):
    """The angle and its rate, to 1e-12, by another program."""
    done = scipy.integrate.solve_ivp(lambda _, z: [z[1], -k * z[0] - math.cos(z[0])], (0, t), [phi, w], method="DOP853",
                                     rtol=1e-13, atol=1e-13)
    return done.y[:, -1]


class AngleTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.circle = self.write(CIRCLE, "circle.toml")

    def column(self, name, column):
        with open(self.dir / name, encoding="utf-8") as file:
            return numpy.array([float(row[column]) for row in csv.DictReader(file)])


class Turns(AngleTest):
    def angle(self, *arguments):
        self.run_json(self.circle, *arguments, "--out", "run.csv", "--overwrite")
        return self.column("run.csv", "turn")

    def test_are_counted_like_a_coordinate(self):
        # Each method against the exact angle: halving the step divides the error by 2^order, and if one turn were lost,
        # the force of the spring would be wrong by 2 pi k, whatever the step.
        end = exact(4.0)
        self.assertGreater(exact(3.0)[0], 4 * math.pi)
        for method, (order, largest) in METHODS.items():
            with self.subTest(method):
                errors = []
                for step in (largest, largest / 2):
                    angle = self.angle("--method", method, "--step", str(step), "--duration", "4")
                    errors.append(abs(angle[-1] - end[0]))
                    # Nowhere a jump: |rate| <= w + 1 here.
                    self.assertLess(numpy.abs(numpy.diff(angle)).max(), 13.5 * step)
                self.assertLess(errors[0], 0.1)
                # Between the powers of order - 1/2 and order + 3/2: the next order of the error has a share, too.
                self.assertGreater(errors[0] / errors[1], 2 ** (order - 0.5), errors)

    def test_are_counted_with_adaptive_steps(self):
        angle = self.angle("--method", "lobatto(3)", "--adaptive", "reversible", "--tol", "1e-6", "--step", "0.01", "--duration", "4")
        t = self.column("run.csv", "t")[-1]
        self.assertLess(abs(angle[-1] - exact(t)[0]), 1e-3)
        self.assertGreater(angle.max(), 4 * math.pi)

    def test_conserve_the_energy_over_fifty_turns_there_and_back(self):
        quarter = 0.5 * math.pi / (0.12 / math.pi)
        run = self.run_json(self.circle, *FIFTY, "--method", "rattle", "--step", "0.01", "--duration", str(3 * quarter),
                            "--out", "run.csv", "--every", "10")
        angle = self.column("run.csv", "turn")
        # Rattle conserves v^2/2 + h^2 v^4/24 + U in free rotation, by which the energy changes as the bead slows down; half
        # as much for gravity. A turn that is lost costs 2 pi k phi = 2.8.
        self.assertLess(run["energy"]["max_error"], 1.5 * 0.01**2 * 12**4 / 24)
        self.assertGreater(angle.max(), 2 * math.pi * 49)
        self.assertLess(angle.min(), -2 * math.pi * 49)
        self.assertLess(numpy.abs(numpy.diff(angle)).max(), 1.3)

    def test_go_back_with_negative_steps(self):
        angle = self.angle("--method", "rattle", "--step=-0.01", "--duration=-3")
        self.assertLess(abs(angle[-1] - -exact(3.0)[0]) , 40)  # the way back is another one: gravity
        there = self.angle("--method", "lobatto(4)", "--step", "-0.01", "--duration", "-2")
        self.assertLess(there[-1], -4 * math.pi)
        self.assertLess(numpy.diff(there).max(), 0)

    def test_start_where_the_model_says(self):
        plain = self.angle("--step", "0.01", "--method", "rattle", "--steps", "10")
        other = self.angle("--step", "0.01", "--method", "rattle", "--steps", "10", "--set", "a=6*pi - 1", "--set",
                           "k=0")
        free = self.angle("--step", "0.01", "--method", "rattle", "--steps", "10", "--set", "k=0")
        self.assertEqual(plain[0], 0)
        # The branch that is nearest to the start: adding 6 pi rounds once.
        numpy.testing.assert_allclose(other, free + 6 * math.pi, rtol=0, atol=2e-15 * 20)

    def test_have_rates(self):
        self.angle("--step", "0.01", "--method", "lobatto(3)", "--steps", "200")
        x, y, v_x, v_y = (self.column("run.csv", name) for name in ("x", "y", "v_x", "v_y"))
        numpy.testing.assert_allclose(self.column("run.csv", "rate"), x * v_y - y * v_x, rtol=1e-14)

    def test_that_a_step_cannot_count_are_reported(self):
        # A free rotor: 12*0.2 is more than a quarter of a turn; 12*0.5236 is a whole one, which the nodes do not show.
        rotor = self.write("""\
[coordinates]
q = ["phi"]
[angles]
turn = { sine = "sin(phi)", cosine = "cos(phi)" }
[dynamics]
mass = 1
potential = "0"
[initial]
q = [0]
v = [12]
""", "rotor.toml")
        for method in ("verlet", "lobatto(2)", "leapfrog"):
            for step in ("0.2", "0.5236"):
                with self.subTest(method=method, step=step):
                    run = self.run_json(rotor, "--method", method, "--step", step, "--steps", "5", status=1)
                    self.assertEqual((run["status"], run["failure"]["kind"]), ("failed", "turns"))
                    self.assertIn("too large to count turns: it turns the angle turn by", run["failure"]["message"])
            self.run_json(rotor, "--method", method, "--step", "0.06", "--steps", "500", "--out", "run.csv", "--overwrite")
            phi = self.column("run.csv", "phi")
            numpy.testing.assert_allclose(self.column("run.csv", "turn"), phi, rtol=1e-14, atol=1e-14)
        # A quarter of a turn is for all steps by which nodes are late.
        self.run_json(rotor, "--method", "verlet", "--step", "0.12", "--steps", "5")
        self.run_json(rotor, "--method", "leapfrog", "--step", "0.12", "--steps", "5", status=1)


class Output(AngleTest):
    def test_is_found_at_given_times(self):
        run = self.run_json(self.circle, "--method", "lobatto(4)", "--step", "0.01", "--duration", "4", "--at", "0.005:0.1:4",
                            "--out", "run.csv")
        self.assertEqual(run["status"], "completed")
        t, angle = self.column("run.csv", "t"), self.column("run.csv", "turn")
        for n in (5, 17, 38):
            self.assertLess(abs(angle[n] - exact(t[n])[0]), 1e-6)

    def test_finds_events_at_ten_turns(self):
        for method in ("rattle", "lobatto(3)", "shake"):
            with self.subTest(method):
                run = self.run_json(self.circle, *FIFTY, "--method", method, "--step", "0.01", "--duration", "12",
                                    "--event", "ten: turn - 20*pi terminal", "--out", "run.csv", "--overwrite")
                self.assertEqual(run["events"]["ten"]["count"], 1)
                # Rattle turns by asin(h v), too fast by (h v)^2/6; the spring has slowed the bead down a little.
                t = run["events"]["ten"]["first"]
                self.assertLess(abs(exact(t, (0.12 / math.pi) ** 2, 12)[0] - 20 * math.pi), 20 * math.pi * 0.12**2 / 6)
                self.assertEqual(run["status"], "stopped")

    def test_marks_poincare_sections(self):
        self.run_json(self.circle, "--method", "rattle", "--step", "0.01", "--duration", "4", "--out", "run.h5")
        result = self.libration("analyse", "run.h5", "--what", "poincare", "--option", "event=turn - 2*pi", "--option",
                                "x=x", "--option", "y=turn", "--json")
        self.assertEqual(result.status, 0, result)
        numbers = result.json["analyses"][0]["numbers"]
        self.assertEqual(numbers["crossings"], 1)
        # Some units in the last place of an angle of one turn.
        self.assertLess(numbers["section"], 1e-14)

    def test_stops_where_a_condition_says(self):
        run = self.run_json(self.circle, "--method", "rattle", "--step", "0.01", "--duration", "9", "--stop-if",
                            "turn > 4*pi")
        self.assertEqual(run["status"], "stopped")
        self.assertLess(abs(exact(run["t"])[0] - 4 * math.pi), 0.13)

    def test_agrees_between_files(self):
        for name in ("a.csv", "a.h5"):
            self.run_json(self.circle, "--method", "rattle", "--step", "0.01", "--duration", "4", "--every", "7", "--out", name)
        with h5py.File(self.dir / "a.h5") as file:
            values = file["run/observables/turn"][()]
        self.assertEqual(values.tolist(), self.column("a.csv", "turn").tolist())


class Restarts(AngleTest):
    def test_go_on_in_any_turn(self):
        for method in ("rattle", "shake", "multistep(4)", "bdf(2)", "lobatto(3)"):
            run = ["--method", method, "--step", "0.01", "--every", "5"]
            whole = self.run_json(self.circle, *run, "--steps", "800", "--out", "whole.h5", "--overwrite")
            for steps in (37, 333, 700):
                with self.subTest(method=method, steps=steps):
                    part = f"part-{steps}-{method[:4]}.h5"
                    self.run_json(self.circle, *run, "--steps", str(steps), "--out", part)
                    resumed = self.run_json("--resume", part, "--steps", "800")
                    for key in ("q", "p", "energy", "constraint"):
                        self.assertEqual(resumed[key], whole[key], key)
                    with h5py.File(self.dir / "whole.h5") as one, h5py.File(self.dir / part) as two:
                        self.assertEqual(one["run/observables/turn"][()].tolist(), two["run/observables/turn"][()].tolist())

    def test_go_on_between_events(self):
        events = ["--method", "rattle", "--step", "0.01", "--event", "one: turn - 4*pi"]
        whole = self.run_json(self.circle, *events, "--steps", "600", "--out", "whole.h5")
        self.run_json(self.circle, *events, "--steps", "150", "--out", "part.h5")
        self.assertEqual(self.run_json("--resume", "part.h5", "--steps", "600")["events"], whole["events"])
        self.assertGreater(whole["events"]["one"]["count"], 0)


class Backends(AngleTest):
    @unittest.skipUnless(os.environ.get("CI") == "true" or has_code(), "no code can be generated here")
    def test_give_the_same_bits(self):
        for method in ("rattle", "shake", "lobatto(3)", "spark(2)", "compose(rattle, yoshida4)", "multistep(4)", "dirac-gauss(2)"):
            for monitor in ("0", "1"):
                with self.subTest(method=method, monitor=monitor):
                    results = []
                    for backend in ("interpreted", "generated"):
                        run = self.run_json(self.circle, "--method", method, "--step", "0.01", "--steps", "800",
                                            "--backend", backend, "--monitor", monitor)
                        if backend == "generated":
                            self.assertTrue(run["backend"]["name"].startswith("generated"), run["backend"])
                        results.append({k: v for k, v in run.items() if k not in ("seconds", "setup_seconds", "backend")})
                    self.assertEqual(*results)

    def test_run_in_lanes_as_alone(self):
        result = self.libration("ensemble", self.circle, "--method", "rattle", "--step", "0.01", "--steps", "700", "--count",
                                "13", "--vary", "w = linspace(8, 14)", "--out", "e.h5")
        self.assertEqual(result.status, 0, result)
        with h5py.File(self.dir / "e.h5") as file:
            final = file["ensemble/final/q"][()]
        for member, w in ((0, 8.0), (7, 11.5), (12, 14.0)):
            alone = self.run_json(self.circle, "--method", "rattle", "--step", "0.01", "--steps", "700", "--set", f"w={w}")
            self.assertEqual(final[member].tolist(), alone["q"], w)


class Gradients(AngleTest):
    def test_are_those_of_the_angle(self):
        # By differences of the exact solution of the other problem.
        at = lambda k, w: exact(2.0, k, w)[0] ** 2
        by_k = (at(0.2001, 12) - at(0.1999, 12)) / 2e-4
        by_w = (at(0.2, 12.001) - at(0.2, 11.999)) / 2e-3
        for loss in ("turn^2", "(turn)^2"):
            result = self.libration("gradient", self.circle, "--loss", loss, "--by", "k,w", "--method", "lobatto(5)",
                                    "--step", "0.01", "--duration", "2", "--json")
            self.assertEqual(result.status, 0, result)
            found = result.json
            # Differences: h^2 f'''/6, with all scales near 1.
            self.assertLess(abs(found["gradient"]["k"] / by_k - 1), 1e-4)
            self.assertLess(abs(found["gradient"]["w"] / by_w - 1), 1e-4)
            self.assertLess(abs(found["loss"] - at(0.2, 12)), 1e-6)


class BadAngles(AngleTest):
    def test_are_refused(self):
        for bad, says in (
            ('turn = "y"', ["turn", "sine", "cosine"]),
            ('turn = { sine = "y" }', ["cosine"]),
            ('turn = { sine = "y", cosine = "x", begin = 0 }', ["begin"]),
            ('turn = { sine = "v_y", cosine = "x" }', ["v_y"]),
            ('turn = { sine = "y", cosine = "x", start = "x" }', ["x"]),
            ('turn = { sine = "y", cosine = "x", start = "1/a" }', ["turn", "finite"]),
            ('x = { sine = "y", cosine = "x" }', ["'x'", "coordinate"]),
            ('energy = { sine = "y", cosine = "x" }', ["energy"]),
        ):
            with self.subTest(bad):
                self.refused_model(CIRCLE.replace('turn = { sine = "y", cosine = "x", start = "a" }', bad), says=says)

    def test_cannot_be_used_where_coordinates_cannot(self):
        self.refused_model(CIRCLE.replace('mass = 1', 'mass = 1').replace('v = [0, "w"]', 'v = [0, "turn"]'), says=["turn"])


if __name__ == "__main__":
    unittest.main()
