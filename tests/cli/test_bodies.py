"""Rigid bodies: refusals that point at the fault, names in every output, conditions."""

import csv

import h5py
from bad_models import BadModelTest, changed

TOP = """\
[parameters]
depth = 1.0

[[body]]
name = "top"
inertia = [2, 1.5, 1]
fixed = true

[dynamics]
potential = "depth*top.Q[3,3]"

[observables]
Lz = "top.L.z"
w = "top.quaternion.w"
push = "lambda_top.rigid[1,2]"
invariants = ["Lz"]

[initial.top]
Q = [[1, 0, 0], [0, "cos(1)", "-sin(1)"], [0, "sin(1)", "cos(1)"]]
omega = [0.3, -0.2, 2]

[run]
method = "rattle"
step = 0.01
steps = 20
"""

NAMES = [f"top.Q[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
ROWS = [f"lambda_top.rigid[{i},{j}]" for i, j in ((1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3))]


class ABadBody(BadModelTest):
    def test_has_moments_that_no_body_has(self):
        for inertia, says in (("[1, 1, 3]", ["no body", "I_3 is larger than I_1 + I_2"]),
                              ("[1, -1, 1]", ["I_2", "positive"]), ("[1, 1]", ["2 entries"])):
            with self.subTest(inertia):
                self.points_at(changed("[2, 1.5, 1]", inertia, TOP), inertia, *says)

    def test_lacks_a_mass_or_has_a_misspelt_key(self):
        self.points_at(changed("fixed = true\n", "", TOP), 'top"', "needs a mass", "fixed = true")
        self.points_at(changed("fixed", "fixd", TOP), "fixd", "unknown key 'fixd'", "did you mean 'fixed'?")
        self.points_at(changed("fixed = true", "mass = -1", TOP), "-1", "the mass of top is -1")

    def test_is_asked_for_parts_that_it_does_not_have_there(self):
        for formula, word, says in (("top.omega.x", "omega", "velocities"), ("top.L.z", "L.z", "momenta"),
                                    ("top.omegaa", "omegaa", "did you mean 'omega'?"),
                                    ("top.Q[1,4]", "Q[1,4]", "from 1 to 3"), ("top.r.x", "r.x", "fixed at the origin")):
            with self.subTest(formula):
                text = changed('"depth*top.Q[3,3]"', f'"depth*{formula}"', TOP)
                at = text[: text.index("depth*")].count(word) + 1
                self.points_at(text, word, says, occurrence=at)

    def test_does_not_go_with_a_hamiltonian(self):
        text = changed('potential = "depth*top.Q[3,3]"', 'hamiltonian = "p_top.Q[1,1]^2"', TOP)
        self.points_at(text, "p_top", "bodies have their own kinetic energy")

    def test_is_mirrored_or_has_a_zero_quaternion(self):
        matrix = TOP[TOP.index("Q = [["):TOP.index("omega = ")]
        mirror = "[[1, 0, 0], [0, 1, 0], [0, 0, -1]]"
        self.points_at(changed(matrix, f"Q = {mirror}\n", TOP), mirror, "determinant -1", "reflection")
        zero = "[0, 0, 0, 0]"
        self.points_at(changed(matrix, f"quaternion = {zero}\n", TOP), zero, "not a rotation")

    def test_that_is_not_quite_orthogonal_can_be_projected(self):
        text = changed("[[1, 0, 0]", "[[1.0001, 0, 0]", TOP)
        self.refused(self.write(text), says=["orientation of the body top is not a rotation", "--project"])
        result = self.libration("run", self.write(text), "--project", "--json")
        self.assertEqual(result.status, 0, result)
        self.assertLess(result.json["constraint"]["max"], 1e-14)


class ABody(BadModelTest):
    def test_has_its_names_in_every_output(self):
        model = self.write(TOP)
        for file in ("a.csv", "a.h5"):
            result = self.libration("run", model, "--out", file, "--json")
            self.assertEqual(result.status, 0, result)
        with open(self.dir / "a.csv", encoding="ascii", newline="") as file:
            header, *rows = csv.reader(file)
        states = [letter + name for letter in ("", "p_", "v_") for name in NAMES]
        self.assertEqual(header, ["t", *states, *ROWS, "energy", "constraint", "hidden", "Lz", "w", "push"])
        self.assertTrue(all(len(row) == len(header) for row in rows))
        last = dict(zip(header, rows[-1]))
        self.assertEqual([float(last[name]) for name in NAMES], result.json["q"])
        self.assertEqual(last["push"], last["lambda_top.rigid[1,2]"])
        with h5py.File(self.dir / "a.h5", "r") as file:
            self.assertEqual(list(file["run/q"][-1]), result.json["q"])
            self.assertEqual(file["run/lambda"].shape[1], 6)

    def test_can_stop_a_run_and_is_resumed(self):
        model = self.write(TOP)
        whole = self.libration("run", model, "--json").json
        stopped = self.libration("run", model, "--stop-if", "top.at(0, 0, 1).x < -0.01 or norm(top.omega) > 9", "--json").json
        self.assertLess(stopped["t"], whole["t"])
        self.libration("run", model, "--steps", 7, "--out", "a.h5")
        resumed = self.libration("run", model, "--resume", "a.h5", "--steps", 20, "--json")
        self.assertEqual((resumed.status, resumed.json["q"]), (0, whole["q"]), resumed)

    def test_is_shown_by_check(self):
        result = self.libration("check", self.write(TOP), "--json")
        self.assertTrue(result.json["ok"], result)
        self.assertEqual((result.json["dimension"], result.json["constraints"], result.json["rank"]), (9, 6, 6))
