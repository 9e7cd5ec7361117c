"""Mechanisms from bodies and joints: the program against references and balances that share nothing with it.

tests/independent/test_mechanisms.py says where the references come from, and checks them without the program.
"""

import csv
import json
import re
import sys

import numpy as np
from program import SOURCE_DIR, ProgramTest

sys.path.insert(0, str(SOURCE_DIR / "tests/independent"))
from newton_euler import Mechanism  # noqa: E402

FILES = SOURCE_DIR / "tests/files/mechanisms"
REFERENCES = json.loads((FILES / "reference.json").read_text(encoding="utf-8"))
EPSILON = np.finfo(float).eps
SPATIAL = ("bennett", "door", "gimbal", "spatial-four-bar", "spatial-slider-crank")
VECTORS = {"origin": "{0}.at(0, 0, 0)", "x": "{0}.at(1, 0, 0)", "y": "{0}.at(0, 1, 0)", "z": "{0}.at(0, 0, 1)",
           "r": "{0}.r", "v": "v_{0}.r", "omega": "{0}.omega"}


def problem_text(name):
    return (SOURCE_DIR / "problems" / f"{name}.toml").read_text(encoding="utf-8")


def without_certificate(text):
    return text.split("\n[certify]")[0] + "\n"


def with_observables(text, observables):
    """They follow the title of the section, which every problem here has."""
    lines = "".join(f'{name} = "{formula}"\n' for name, formula in observables.items())
    assert text.count("[observables]\n") == 1
    return without_certificate(text).replace("[observables]\n", "[observables]\n" + lines)


def state_formulas(mechanism):
    return {f"state_{body}_{key}_{c}": formula.format(body) + f".{c}"
            for body in mechanism.bodies for key, formula in VECTORS.items() for c in "xyz"}


def reaction_formulas(mechanism):
    return {f"reaction_{joint['name']}_{part}_{c}": f"{joint['name']}.{part}.{c}"
            for joint in mechanism.joints for part in ("force", "torque") for c in "xyz"}


class MechanismTest(ProgramTest):
    def last_row(self, text, *arguments):
        self.write(text)
        result = self.libration("run", "model.toml", *arguments, "--every", "1000000", "--out", "run.csv", "--overwrite")
        self.assertEqual(result.status, 0, result)
        with open(self.dir / "run.csv", newline="", encoding="utf-8") as file:
            return {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}

    @staticmethod
    def vector(row, name):
        return np.array([row[f"{name}_{c}"] for c in "xyz"])

    def state(self, row, mechanism):
        state = {}
        for body in mechanism.bodies:
            part = {key: self.vector(row, f"state_{body}_{key}") for key in VECTORS}
            Q = np.array([part[axis] - part["origin"] for axis in "xyz"]).T
            state[body] = (part["r"], Q, part["v"], part["omega"])
        return state

    def reactions(self, row, mechanism):
        return {joint["name"]: tuple(self.vector(row, f"reaction_{joint['name']}_{part}") for part in ("force", "torque"))
                for joint in mechanism.joints}


class Reactions(MechanismTest):
    def test_balance_every_body_by_newton_and_euler(self):
        for name in SPATIAL:
            mechanism = Mechanism(without_certificate(problem_text(name)))
            text = with_observables(problem_text(name), state_formulas(mechanism) | reaction_formulas(mechanism))
            for steps in (1, 50):
                with self.subTest(name, steps=steps):
                    row = self.last_row(text, "--steps", steps)
                    state = self.state(row, mechanism)
                    # The multipliers come from a system with this condition, solved in double precision.
                    bound = 16 * EPSILON * max(mechanism.condition(state), 10)
                    self.assertLess(bound, 1e-7, "otherwise the test says nothing")
                    self.assertLess(mechanism.imbalance(state, self.reactions(row, mechanism)).max(), bound)

    def test_a_missing_reaction_is_found(self):
        mechanism = Mechanism(without_certificate(problem_text("gimbal")))
        text = with_observables(problem_text("gimbal"), state_formulas(mechanism) | reaction_formulas(mechanism))
        row = self.last_row(text, "--steps", 1)
        state, wrenches = self.state(row, mechanism), self.reactions(row, mechanism)
        wrenches["spin"] = (wrenches["spin"][0], 0 * wrenches["spin"][1])
        self.assertGreater(mechanism.imbalance(state, wrenches).max(), 1e-3)

    def test_that_are_not_unique_have_the_least_norm_for_the_stated_length(self):
        for name, length in (("door", 1.4), ("spatial-four-bar", 1.0), ("spatial-four-bar", 0.1)):
            mechanism = Mechanism(without_certificate(problem_text(name)))
            text = with_observables(problem_text(name), state_formulas(mechanism) | reaction_formulas(mechanism))
            row = self.last_row(text.replace("[dynamics]\n", f"[dynamics]\nlength = {length}\n"), "--steps", 1)
            state = self.state(row, mechanism)
            theirs = mechanism.wrenches(state, length)
            largest = max(np.abs(part).max() for wrench in theirs.values() for part in wrench[:2])
            bound = 16 * EPSILON * max(mechanism.condition(state), 10) * largest
            for joint, wrench in self.reactions(row, mechanism).items():
                with self.subTest(name, length=length, joint=joint):
                    np.testing.assert_allclose(wrench, theirs[joint][:2], rtol=0, atol=bound)

    def test_of_the_rod_pendulum_are_those_of_the_closed_form(self):
        formulas = {"force_x": "hinge.force.x", "force_y": "hinge.force.y", "rate": "hinge.rate"}
        row = self.last_row(with_observables(problem_text("rod-pendulum"), formulas), "--steps", 100)
        # Along the rod its weight and the centripetal force of its center, across it a quarter of the weight, all upward.
        along = np.array([np.cos(row["angle"]), np.sin(row["angle"])])
        across = np.array([-along[1], along[0]])
        expected = (9.81 * along[1] - row["rate"]**2 / 2) * along + 9.81 / 4 * across[1] * across
        np.testing.assert_allclose([row["force_x"], row["force_y"]], expected, rtol=0, atol=1000 * EPSILON * 25)


class DeadPoints(MechanismTest):
    def test_say_at_a_dead_point_what_moves_nearby(self):
        """The seven bodies of Andrews' mechanism start where the crank turns and nothing else has a velocity."""
        result = self.libration("check", FILES / "a03.toml", "--json").json
        self.assertEqual(result["immobile"], [])
        self.assertEqual(result["at_dead_point"], ["K3", "K4", "K5", "K6", "K7"])
        text = self.libration("check", FILES / "a03.toml").stdout
        self.assertIn("at a dead point, without velocity at this position: K3, K4, K5, K6, K7", text)

    def test_judge_a_motor_by_all_directions_of_motion(self):
        """21 coordinates: of multiples of the golden ratio each coordinate saw one in 21, nearly the same each time."""
        self.assertNotIn("removes energy", self.libration("check", FILES / "a03.toml").stderr)
        text = (FILES / "a03.toml").read_text()
        braking = text.replace('class = "driving"', 'class = "dissipative"')
        self.assertNotEqual(braking, text)
        self.assertIn("dissipative but adds energy", self.libration("check", self.write(braking)).stderr)


class Motions(MechanismTest):
    """Lobatto's method of order 4 with two step sizes: what Richardson's extrapolation leaves is smaller than a tenth of the error
    of the finer one, so that the reference must be there. An error of the reference, or of the model, is not."""

    ANGLES = {"bennett": ({"first": "first.angle"}, "0.25", 0.01),
              "door": ({"angle": "lower.angle"}, "1.0", 0.02),
              "rod-pendulum": ({"rod": "hinge.angle"}, "0.5", 0.02),
              "double-pendulum-rods": ({"upper": "a", "lower": "b"}, "0.5", 0.005),
              "gimbal": ({"outer": "mount.angle", "inner": "pivot.angle", "spin": "spin.angle"}, "0.5", 0.01),
              "spatial-four-bar": ({"crank": "crank_bearing.angle", "rocker": "rocker_bearing.angle"}, "0.5", 0.01),
              "spatial-slider-crank": ({"crank": "bearing.angle", "slider": "slider.r.x"}, "0.25", 0.0025),
              "five-bar": ({"left_crank": "left.angle", "right_crank": "right.angle"}, "0.25", 0.01)}

    # Of the IFToMM library, to the times that it states; closed forms, and a run in quadruple precision in seven angles. The
    # linkages pass two singular positions on each turn.
    BENCHMARKS = {("a01", 1): ("lobatto(3)", "10", 0.01, {"x": "-0.275087462576116860", "y": "-0.961419205099125064"}),
                  ("a02", 2): ("lobatto(3)", "10", 0.01, {"x": "0.328458111540815379", "y": "0.944518538178600962"}),
                  ("a02-any-size", 40): ("lobatto(3)", "10", 0.01, {"x": "0.180512226686728390", "y": "0.983572740582311575"}),
                  ("a03", 1): ("spark(3)", "0.05", 1e-4, {"angle": "33.825867766954517332"})}

    def check_convergence(self, text, method, time, step, exact):
        coarse, fine = (self.last_row(text, "--method", method, "--step", h, "--duration", time) for h in (step, step / 2))
        for column, value in exact.items():
            with self.subTest(column):
                change = fine[column] - coarse[column]
                # Order 4: the error of the finer run is a fifteenth of the change.
                left = fine[column] + change / 15 - float(value)
                self.assertLess(abs(change), 1e-3, "otherwise the step sizes are too large")
                self.assertLess(abs(left), abs(change) / 15 / 4 + 1e-10)

    def test_agree_with_the_references(self):
        for name, (formulas, time, step) in self.ANGLES.items():
            record = next(r for r in REFERENCES[name] if r["time"] == time)
            # Names of observables are there already.
            plain = {f"final_{key}": formula for key, formula in formulas.items() if not re.fullmatch("[ab]", formula)}
            exact = {f"final_{key}" if f"final_{key}" in plain else formula: record["minimal"][key]
                     for key, formula in formulas.items()}
            with self.subTest(name):
                self.check_convergence(with_observables(problem_text(name), plain), "lobatto(3)", time, step, exact)

    def test_agree_with_the_library_of_benchmark_problems(self):
        for (name, size), (method, time, step, exact) in self.BENCHMARKS.items():
            with self.subTest(name):
                text = (FILES / f"{name}.toml").read_text(encoding="utf-8").replace("\nn = 2\n", f"\nn = {size}\n")
                self.check_convergence(text, method, time, step, exact)

    def test_of_bennetts_linkage_keep_the_relation_of_its_angles(self):
        row = self.last_row(problem_text("bennett"), "--steps", 500)
        # Round-off of the constraints, 1e-14, times the derivative of the relation, at most 6/2 for each angle.
        self.assertLess(abs(row["relation"]), 1e-12)

    def test_with_a_motor_follow_it(self):
        text = (FILES / "slider-crank-driven.toml").read_text(encoding="utf-8")
        record = next(r for r in REFERENCES["slider-crank-driven"] if r["time"] == "0.5")
        row = self.last_row(text, "--duration", "0.5")
        # No degree of freedom is left: positions are those of the constraints, and so is the torque.
        self.assertAlmostEqual(row["position"], float(record["minimal"]["slider"]), delta=1e-12)

    def test_of_another_description_of_the_inertia_are_the_same(self):
        full = (FILES / "four-bar-full.toml").read_text(encoding="utf-8")
        rows = [self.last_row(text, "--steps", 100) for text in (problem_text("spatial-four-bar"), full)]
        # The same mechanism in other coordinates: RATTLE commutes with them up to round-off and the tolerance of Newton's method.
        self.assertAlmostEqual(rows[0]["crank_angle"], rows[1]["crank_angle"], delta=1e-10)


class Assembly(MechanismTest):
    def test_closes_a_rough_loop_where_geometry_says_and_keeps_what_is_held(self):
        text = (FILES / "four-bar-rough.toml").read_text(encoding="utf-8")
        row = self.last_row(text, "--step", "1e-9", "--steps", "1")
        # Rates are below 10, so that one step changes angles by less than 1e-8.
        for name, exact in (("crank", np.pi / 3), ("coupler", 0.464579554313372216), ("rocker", 1.45301164323952539)):
            with self.subTest(name):
                self.assertAlmostEqual(row[name + "_angle"], exact, delta=2e-8)


class Checks(MechanismTest):
    def test_count_what_can_move_and_what_is_redundant(self):
        for name, mobility, redundant in (("door", 1, 5), ("spatial-four-bar", 1, 3), ("bennett", 1, 3), ("gimbal", 3, 0),
                                          ("five-bar", 2, 0)):
            with self.subTest(name):
                result = self.libration("check", name, "--json")
                self.assertEqual(result.status, 0, result)
                self.assertEqual(result.json["mobility"], mobility)
                self.assertEqual(result.json["constraints"] - result.json["rank"], redundant)
                self.assertEqual(bool(result.json["redundant"]), redundant > 0)

    def test_refuse_every_bad_model_and_name_the_fault(self):
        says = {"contradicting-joints": ["first", "second"], "axis-of-length-zero": ["hinge", "axis"],
                "axis-of-length-zero-by-parameter": ["hinge", "axis"], "parallel-axes-of-universal": ["fork", "parallel"],
                "massless-free-body": ["arm", "mass"], "massless-body-on-hinge": ["arm"],
                "loop-that-cannot-close": ["middle"], "hold-that-cannot-be-kept": ["first.angle"],
                "joint-with-itself": ["hinge", "itself"], "joint-of-the-ground-with-itself": ["hinge", "itself"],
                "unknown-point": ["arm", "eey"], "unknown-body": ["amr", "arm"], "unknown-type": ["revolut", "revolute"],
                "two-joints-of-one-name": ["hinge"], "joint-named-as-a-body": ["arm"], "negative-inertia": ["I_2"],
                "impossible-inertia": ["arm", "no body"], "impossible-tensor": ["arm", "no body"],
                "inertia-not-symmetric": ["arm", "symmetric"], "planar-and-spatial": ["hinge", "planar"],
                "reflection": ["arm", "determinant"], "loop-with-wrong-velocity": ["hinge"],
                "contradicting-motions": ["hinge", "second"], "redundant-refused": ["lower", "upper"]}
        later = {"singular-on-the-way"}
        files = {path.stem for path in (FILES / "bad").glob("*.toml")}
        self.assertEqual(files, set(says) | later)
        for name, words in says.items():
            with self.subTest(name):
                result = self.libration("run", FILES / "bad" / f"{name}.toml", "--steps", "1", "--step", "0.01")
                self.assertIn(result.status, (1, 2) if name == "contradicting-motions" else (2,), result)
                for word in words:
                    self.assertIn(word, result.stderr)

    def test_a_singular_position_on_the_way_ends_the_run_there(self):
        path = FILES / "bad/singular-on-the-way.toml"
        self.assertEqual(self.libration("check", path).status, 0)
        result = self.libration("run", path, "--json")
        self.assertEqual(result.status, 1, result)
        self.assertAlmostEqual(result.json["failure"]["t"], 1.0, delta=0.02)

    def test_a_slender_body_may_hang_on_a_ball_joint(self):
        self.assertEqual(self.libration("check", FILES / "slender-body-on-ball.toml").status, 0)

    def test_axes_with_six_digits_are_named_and_snapped(self):
        rough = self.libration("check", FILES / "four-bar-six-digits.toml")
        self.assertEqual(rough.status, 2, rough)
        self.assertIn("snap", rough.stderr)
        snapped = self.libration("check", FILES / "four-bar-snapped.toml", "--json")
        self.assertEqual((snapped.status, snapped.json["mobility"]), (0, 1), snapped)
        exact = problem_text("spatial-four-bar").replace("speed = 5.5", "speed = 0.0")
        text = (FILES / "four-bar-snapped.toml").read_text(encoding="utf-8")
        rows = [self.last_row(model, "--steps", 100) for model in (exact, text)]
        # Axes differ by 2.5e-6, and the motion by some times that after half a unit of time.
        self.assertAlmostEqual(rows[0]["crank_angle"], rows[1]["crank_angle"], delta=1e-4)
