"""Tables of values in model files: from a file, in runs that are resumed elsewhere, in checks and certificates."""

import shutil

from program import ProgramTest

# The rows of the file lie on nodes of the run; the force is 0, 5, 0 at t = 0, 1, 2, and 0 after it.
PUSHED = """\
[tables]
profile = {{ {table} }}

[coordinates]
q = ["x"]

[dynamics]
mass = 1

[initial]
q = [0]

[[forces]]
name = "push"
class = "driving"
on = {{ x = "interp(profile, t)" }}

[run]
method = "spark(3)"
step = "1/64"
steps = 256
"""

SPRING = """\
[tables]
spring = { x = [-4, -2, 0, 2, 4], y = [16, 4, 0, 4, 16], kind = "%s" }

[coordinates]
q = ["x"]

[dynamics]
mass = 1
potential = "interp(spring, x)"

[initial]
q = [1]

[run]
method = "verlet"
step = 0.05
duration = 10
"""

# The only point of the table within the run is at t = 900, after the window of the orders.
LATE = """\
[tables]
late = { x = [-2, -1, 900, 2000], y = [0, 0, 0, 1], kind = "%s" }

[coordinates]
q = ["x"]

[dynamics]
mass = 1
potential = "-cos(x) - x*interp(late, t)"

[initial]
q = [1]

[run]
method = "verlet"
step = 0.05
duration = 1000
"""


class Tables(ProgramTest):
    def pushed(self, table='file = "torque.csv"'):
        return self.write(PUSHED.format(table=table), "models/push.toml")

    def torque(self, text="t,torque\n0,0\n1,5\n2,0\n"):
        self.write(text, "models/torque.csv")

    def test_from_a_file_drive_a_run_to_its_known_end(self):
        self.torque()
        result = self.run_json(self.pushed())
        self.assertAlmostEqual(result["q"][0], 15, delta=1e-12)
        self.assertAlmostEqual(result["v"][0], 5, delta=1e-12)

    def test_from_a_file_give_the_bits_of_values_in_the_model(self):
        self.torque()
        from_file = self.run_json(self.pushed())
        inline = self.run_json(self.pushed('x = [0, 1, 2], y = [0, 5, 0], kind = "linear"'))
        self.assertEqual(from_file["q"], inline["q"])

    def test_give_the_same_bits_in_generated_code_and_without(self):
        self.torque("".join(f"{k / 7!r} {(k * k) % 11}\n" for k in range(60)))
        path = self.pushed('file = "torque.csv", kind = "cubic"')
        for model in (path, self.write((SPRING % "cubic").replace("q = [1]", "q = [3]"))):
            ends = [self.run_json(model, "--backend", backend)["q"] for backend in ("interpreted", "generated")]
            self.assertEqual(ends[0], ends[1])

    def test_give_the_same_bits_in_all_lanes_of_an_ensemble(self):
        model = self.write((SPRING % "cubic").replace("y = [16, 4, 0, 4, 16]", "y = [16, 3, 0, 4, 15]"))
        ends = []
        for backend in ("interpreted", "generated"):
            result = self.libration("ensemble", model, "--vary", "x = linspace(1, 3)", "--count", "11", "--backend", backend,
                                    "--json", "--quiet")
            self.assertEqual(result.status, 0, result)
            ends.append([one["q"] for one in result.json["trajectories"]])
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0][10], self.run_json(model, "--set", "x=3")["q"])
        self.assertEqual(len({end[0] for end in ends[0]}), 11)

    def test_belong_to_the_file_of_a_run(self):
        self.torque()
        model = self.pushed()
        whole = self.run_json(model)
        self.run_json(model, "--steps", "100", "--out", "run.h5")
        shutil.rmtree(self.dir / "models")
        resumed = self.run_json("--resume", "run.h5", "--steps", "256")
        self.assertEqual(resumed["q"], whole["q"])

    def test_pass_the_check_of_derivatives(self):
        for kind in ("linear", "cubic"):
            result = self.libration("check", self.write(SPRING % kind))
            self.assertEqual(result.status, 0, result)

    def test_are_named_by_certificates_where_their_points_are_passed(self):
        for kind in ("linear", "cubic"):
            result = self.libration("certify", "verlet", self.write(LATE % kind))
            self.assertIn("interp(late, t) changes at t = 90", result.stdout, result)

    def test_that_are_wrong_are_shown_with_file_and_line(self):
        self.torque("0,0\n1,5\n0.5,0\n")
        self.refused(self.pushed(), says=["models/torque.csv:3:1", "x must increase from row to row, and 0.5 follows 1"])
        self.torque()
        self.refused(self.pushed('file = "torqe.csv"'), says=["cannot read the table models/torqe.csv", "push.toml:2:"])
