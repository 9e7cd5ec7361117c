"""The reference solutions of mechanisms against Newton's and Euler's equations, without the library.

tests/files/mechanisms/reference.json comes from programs in minimal coordinates (angles of hinges) with 60 digits: extrapolation of the
midpoint rule with two step sizes, or closed forms. Here the model files are read, and accelerations and wrenches are computed from bodies
and joints in space. Both agree to round-off, for states, accelerations and reactions; neither knows the other.

    PYTHONPATH=tests/independent python3 -B -m unittest -v test_mechanisms
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # matrices of order forty: threads only cost time

import copy
import json
import math
import pathlib
import unittest

import numpy as np

from newton_euler import Mechanism

ROOT = pathlib.Path(__file__).parents[2]
FILES = ROOT / "tests/files/mechanisms"
SAME_MODEL = {"four-bar-at-rest": "problems/spatial-four-bar.toml"}
EPSILON = np.finfo(float).eps


def text_of(name):
    path = ROOT / SAME_MODEL.get(name, f"problems/{name}.toml")
    return (path if path.exists() else FILES / f"{name}.toml").read_text(encoding="utf-8")


def references():
    return json.loads((FILES / "reference.json").read_text(encoding="utf-8"))


def numbers(value):
    return np.array([numbers(item) for item in value]) if isinstance(value, list) else float(value)


def state_of(mechanism, record):
    """The references of planar bodies have the angle since the start instead of that of the frame."""
    state = {}
    for name, body in record["bodies"].items():
        Q = numbers(body["Q"])
        if mechanism.bodies[name].planar:
            Q = Q @ mechanism.bodies[name].frame
        state[name] = (numbers(body["r"]), Q, numbers(body["v"]), numbers(body["omega"]))
    return state


def tolerance(mechanism, state, size):
    """Accelerations and multipliers solve a system with this condition, from numbers with an error of half a unit of round-off each; a
    few operations on each make it ten."""
    return 10 * EPSILON * max(mechanism.condition(state), 10) * size


def disagreements(name, record):
    """What differs by more than round-off."""
    mechanism = Mechanism(text_of(name))
    state, found = state_of(mechanism, record), []
    accelerations = mechanism.accelerations(state)
    largest = max(np.abs(vector).max() for pair in accelerations.values() for vector in pair)
    bound = tolerance(mechanism, state, largest)
    for body, values in record["bodies"].items():
        if np.abs(accelerations[body][0] - numbers(values["a"])).max() > bound:
            found.append(f"acceleration of {body}")
        if np.abs(state[body][1].T @ accelerations[body][1] - numbers(values["omega_dot"])).max() > bound:
            found.append(f"angular acceleration of {body}")
    wrenches = mechanism.wrenches(state, float(record["length"]))
    largest = max(np.abs(part).max() for wrench in wrenches.values() for part in wrench[:2])
    bound = tolerance(mechanism, state, largest)
    for joint, values in record["reactions"].items():
        for part, key in enumerate(("force", "torque")):
            if np.abs(wrenches[joint][part] - numbers(values[key])).max() > bound:
                found.append(f"{key} of {joint}")
        if "components" in values:
            theirs = sorted(component["determined"] for component in values["components"])
            if theirs != sorted(bool(component[3]) for component in wrenches[joint][2]):
                found.append(f"what is determined at {joint}")
    return found


class TheReferences(unittest.TestCase):
    def test_agree_with_newton_and_euler(self):
        for name, records in references().items():
            for record in records:
                with self.subTest(name, t=record["time"]):
                    self.assertEqual(disagreements(name, record), [])

    def test_start_where_the_model_files_start(self):
        for name, records in references().items():
            if name == "four-bar-at-rest":
                continue
            mechanism = Mechanism(text_of(name))
            state = state_of(mechanism, records[0])
            for body, start in mechanism.start().items():
                for ours, theirs in zip(start, state[body]):
                    with self.subTest(name, body=body):
                        # Products of three numbers, none of them above 30.
                        np.testing.assert_allclose(ours, theirs, rtol=0, atol=100 * EPSILON)

    def test_conserve_the_energy(self):
        for name, records in references().items():
            energies = [float(record["energy"]) for record in records if "energy" in record]
            with self.subTest(name):
                np.testing.assert_allclose(energies, energies[:1] * len(energies), rtol=4 * EPSILON, atol=4 * EPSILON)

    def test_a_changed_number_is_found(self):
        for name, records in references().items():
            record = records[-1]
            body, joint = next(iter(record["bodies"])), next(iter(record["reactions"]))
            changes = ((record["reactions"][joint]["force"], ("reactions", joint, "force")),
                       (record["bodies"][body]["a"], ("bodies", body, "a")))
            for values, path in changes:
                k = int(np.argmax(np.abs(numbers(values))))
                if float(values[k]) == 0:
                    continue
                falsified = copy.deepcopy(record)
                falsified[path[0]][path[1]][path[2]][k] = str(float(values[k]) * (1 + 1e-6))
                with self.subTest(name, path=path):
                    self.assertNotEqual(disagreements(name, falsified), [])


class TheModels(unittest.TestCase):
    REDUNDANT = {"door": 5, "spatial-four-bar": 3, "bennett": 3}
    MOBILITY = {"door": 1, "spatial-four-bar": 1, "bennett": 1, "rod-pendulum": 1, "double-pendulum-rods": 2, "gimbal": 3,
                "spatial-slider-crank": 1, "five-bar": 2, "slider-crank-driven": 0, "four-bar-full": 1,
                "four-bar-six-digits": 0, "a02": 1}

    def test_have_the_mobility_that_their_comments_claim(self):
        for name, mobility in self.MOBILITY.items():
            mechanism = Mechanism(text_of(name))
            rows = mechanism.equations(mechanism.start())[2]
            rank = np.linalg.matrix_rank(rows, 1e-9)
            with self.subTest(name):
                self.assertEqual(rows.shape[1] - rank, mobility)
                if name in self.REDUNDANT:
                    self.assertEqual(len(rows) - rank, self.REDUNDANT[name])

    def test_six_digits_miss_by_little(self):
        mechanism = Mechanism(text_of("four-bar-six-digits"))
        rows = mechanism.equations(mechanism.start())[2]
        self.assertAlmostEqual(np.linalg.svd(rows, compute_uv=False)[-1] * 1e7, 4.23, places=2)

    def test_start_with_velocities_that_the_joints_allow(self):
        for name in self.MOBILITY:
            mechanism = Mechanism(text_of(name))
            if any("motion" in joint for joint in mechanism.joints):
                continue
            rows = mechanism.equations(mechanism.start())[2]
            state = mechanism.start()
            speeds = np.concatenate([np.concatenate([v, Q @ omega]) for _, Q, v, omega in state.values()])
            with self.subTest(name):
                self.assertLess(np.abs(rows @ speeds).max(), 100 * EPSILON)

    def test_full_tensors_and_principal_axes_are_the_same_mechanism(self):
        principal, full = (Mechanism(text_of(name)) for name in ("spatial-four-bar", "four-bar-full"))
        one, two = (m.wrenches(m.start(), 1.0) for m in (principal, full))
        for joint in one:
            for part in range(2):
                np.testing.assert_allclose(one[joint][part], two[joint][part], rtol=0, atol=1000 * EPSILON * 30)


class TheRodPendulum(unittest.TestCase):
    def test_pulls_with_five_halves_of_its_weight_at_most(self):
        # Along the rod 5/2 m g cos(a), across it m g sin(a)/4, with a from the downward vertical.
        for record in references()["rod-pendulum"]:
            angle = float(record["minimal"]["rod"]) + math.pi / 2
            along, across = 2.5 * 9.81 * math.cos(angle), 9.81 / 4 * math.sin(angle)
            force = numbers(record["reactions"]["hinge"]["force"])
            rod = numbers(record["bodies"]["rod"]["Q"])[:, 0]
            self.assertAlmostEqual(force @ rod, -along, delta=100 * EPSILON * 30)
            self.assertAlmostEqual(np.linalg.norm(force - force @ rod * rod), abs(across), delta=100 * EPSILON * 30)


class TheFourBarAtRest(unittest.TestCase):
    def test_shares_its_loads_by_the_stated_length(self):
        by_length = {round(float(record["length"]), 3): record for record in references()["four-bar-at-rest"]}
        self.assertEqual(set(by_length), {0.1, 1.0, 1.006})
        forces = {length: numbers(record["reactions"]["crank_pin"]["force"]) for length, record in by_length.items()}
        norms = {length: np.linalg.norm(force) for length, force in forces.items()}
        self.assertAlmostEqual(norms[1.0], 15.0228760789, places=9)
        self.assertAlmostEqual(norms[0.1], 15.103384041, places=9)
        # Along the axis only: the rest is determined.
        axis = np.array([2, -1, 2]) / 3
        difference = forces[1.0] - forces[0.1]
        self.assertLess(np.linalg.norm(np.cross(difference, axis)), 100 * EPSILON * 15)
        self.assertGreater(abs(difference @ axis), 0.1)


if __name__ == "__main__":
    unittest.main()
