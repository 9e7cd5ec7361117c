"""Families of constraints over nested ranges and over tables of indices."""

import csv
import math
import random

from program import ProgramTest

# Points that hang from the origin on rods of length 1; `bonds` says who hangs on whom, point 0 on the origin.
HANGING = """\
[parameters]
n = {n}
x0 = [{x}]
y0 = [{y}]
bonds = [
{bonds}]

[points]
r = {{ count = "n", dimension = 2, mass = 1 }}

[[energy]]
for = "i in 0..n-1"
term = "r[i].y"

[[constraint]]
name = "hook"
equation = "norm2(r[{root}]) - 1"

[[constraint]]
name = "bond"
for = "(i, j) in bonds"
equation = "norm2(r[i] - r[j]) - 1"

[initial.r]
for = "i in 0..n-1"
q = ["x0[i]", "y0[i]"]

[run]
method = "rattle"
step = "1/2^10"
steps = 100
"""


def hanging(parents, angles, number):
    """A tree of rods: rod k goes from point parents[k] to point k, whose name in the file is number[k]."""
    n = len(parents)
    x, y = [0.0] * n, [0.0] * n
    for k in range(n):
        base = (x[parents[k]], y[parents[k]]) if k > 0 else (0.0, 0.0)
        x[k], y[k] = base[0] + math.sin(angles[k]), base[1] - math.cos(angles[k])
    names = sorted(range(n), key=lambda k: number[k])
    return HANGING.format(n=n, x=", ".join(repr(x[k]) for k in names), y=", ".join(repr(y[k]) for k in names),
                          bonds="".join(f"    [{number[parents[k]]}, {number[k]}],\n" for k in range(1, n)),
                          root=number[0])


class TablesOfBonds(ProgramTest):
    def compare(self, parents):
        """Numbers of points are names: the same motion, whatever they are, but for round-off."""
        generator = random.Random(4)
        angles = [generator.uniform(-0.5, 0.5) for _ in parents]
        number = list(range(len(parents)))
        plain = self.run_json(self.write(hanging(parents, angles, number), "plain.toml"))
        generator.shuffle(number)
        other = self.run_json(self.write(hanging(parents, angles, number), "renumbered.toml"))
        self.assertEqual((other["status"], len(other["lambda"])), ("completed", len(parents)))
        # Hundred steps amplify the round-off of sums of a hundred numbers, 1e-14, by less than ten thousand.
        for k, name in enumerate(number):
            for c in (0, 1):
                self.assertAlmostEqual(other["q"][2 * name + c], plain["q"][2 * k + c], delta=1e-10)

    def test_of_a_renumbered_chain_give_the_motion_of_the_chain(self):
        self.compare([max(k - 1, 0) for k in range(120)])

    def test_of_a_random_tree_give_the_same_motion_under_other_numbers(self):
        generator = random.Random(3)
        self.compare([generator.randrange(max(k, 1)) for k in range(120)])

    def test_are_part_of_a_recorded_run(self):
        text = hanging([max(k - 1, 0) for k in range(90)], [0.1] * 90, list(range(90)))
        whole = self.run_json(self.write(text), "--steps", "20")
        self.run_json(self.write(text), "--steps", "10", "--out", "a.h5")
        (self.dir / "model.toml").unlink()
        again = self.run_json("--resume", "a.h5", "--steps", "20")
        self.assertEqual(again["q"], whole["q"])
        changed = self.write(text.replace("[0, 1],", "[0, 2],"), "changed.toml")
        self.refused(changed, "--resume", "a.h5", "--steps", "30", says=["was written for the model"])


class Csv(ProgramTest):
    def test_names_with_two_indices_stay_in_one_column(self):
        result = self.run_json("net", "--steps", "2", "--out", "a.csv")
        with open(self.dir / "a.csv", newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        self.assertEqual({len(row) for row in rows}, {1 + 3 * 72 + 44 + 3 + 3})
        self.assertEqual(float(rows[-1]["lambda_across[3,4]"]), result["lambda"][3 * 5 + 4])
        self.assertEqual(rows[-1]["corner_z"], rows[-1]["r[23].z"])
