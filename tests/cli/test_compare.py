"""Work and precision: a table for people, an object for programs, a figure."""

import math
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from json import loads

from program import LIBRATION, ProgramTest

ROW = {"method", "step", "steps", "error_q", "error_p", "error_lambda", "energy_error", "evaluations", "seconds",
       "status"}
PENDULUM = ["double-pendulum", "--methods", "rattle,compose(rattle, suzuki4),lobatto(3)", "--duration", "2"]

# The rod is released from the unstable side, and steps of the size of a period fail.
ROD = """
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "100*y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
v = [0, 0]
"""


# Off the circle, and not along it.
ROUGH = """
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0.3]
v = [0.5, 0.5]
[run]
step = 0.02
duration = 3
"""

# Both rods horizontal: the pendulum turns over. Two runs of order 14 separate like exp(0.3 t).
CHAOS = ["double-pendulum", "--set", "theta1=pi/2", "--set", "theta2=pi/2", "--methods", "rattle,lobatto(3)"]


class Compare(ProgramTest):
    def compare(self, *arguments, status=0):
        result = self.libration("compare", *arguments, "--json", "--quiet")
        self.assertEqual((result.status, result.stderr), (status, ""), result)
        return result.json

    def test_errors_show_the_orders(self):
        json = self.compare(*PENDULUM, "--steps-list", "0.1,0.05,0.025")
        self.assertEqual(set(json), {"model", "duration", "shortened_from", "horizon", "compared_at", "complete",
                                     "reference", "rows"})
        self.assertEqual((json["model"], json["duration"]), ("double-pendulum", 2))
        self.assertEqual((json["shortened_from"], json["horizon"], json["compared_at"], json["complete"]),
                         (None, None, 2, True))
        self.assertLessEqual({"method", "accuracy"}, set(json["reference"]))
        self.assertLess(json["reference"]["accuracy"], 1e-16)
        orders = {"rattle": 2, "compose(rattle, suzuki4)": 4, "lobatto(3)": 4}
        self.assertEqual([row["method"] for row in json["rows"]], [name for name in orders for _ in range(3)])
        for row in json["rows"]:
            self.assertEqual(set(row), ROW)
            self.assertEqual(set(row["evaluations"]), {"force", "constraint", "jacobian", "newton_iterations",
                                                       "factorizations"})
            self.assertEqual((row["status"], row["steps"] * row["step"]), ("completed", 2))
            self.assertGreater(row["seconds"], 0)
        for name, order in orders.items():
            rows = [row for row in json["rows"] if row["method"] == name]
            self.assertEqual([row["steps"] for row in rows], [20, 40, 80])
            for key in ("error_q", "error_p", "error_lambda", "energy_error"):
                # Steps are not infinitely small: the measured order of a regular motion is off by less than a half.
                self.assertAlmostEqual(math.log2(rows[1][key] / rows[2][key]), order, delta=0.5, msg=(name, key))

    def test_as_a_table_has_a_row_for_every_step_and_the_accuracy_of_the_reference(self):
        result = self.libration("compare", *PENDULUM, "--steps-list", "0.05,0.1", "--quiet")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^double-pendulum  over t = 2$")
        self.assertRegex(result.stdout, r"(?m)^  method +step +steps +error q +error p +lambda +energy +forces +"
                                        r"constr\. +seconds$")
        number = r"\d\.\d\de-\d\d +"
        for name in ("rattle", r"compose\(rattle, suzuki4\)", r"lobatto\(3\)"):
            self.assertRegex(result.stdout, rf"(?m)^  {name} +0\.1 +20 +({number}){{4}}[\d,]+ +[\d,]+ +[\d.e-]+\n"
                                            rf" +0\.05 +40 +({number}){{4}}")
        self.assertRegex(result.stdout, r"against lobatto\(8\) with \d+ steps in quadruple precision, accurate to \de-\d+")

    def test_finds_methods_steps_and_duration_by_itself(self):
        for model, first in (("double-pendulum", "rattle"), ("kepler", "verlet")):
            json = self.compare(model)
            names = list(dict.fromkeys(row["method"] for row in json["rows"]))
            self.assertEqual((names[0], len(names)), (first, 4))
            self.assertEqual({row["status"] for row in json["rows"]}, {"completed"})
            steps = [row["steps"] for row in json["rows"]]
            self.assertEqual(steps, 4 * [steps[0] * finer for finer in (1, 2, 4, 8, 16)])
            step = {"double-pendulum": 0.01, "kepler": 0.02}[model]
            self.assertAlmostEqual(json["rows"][3]["step"] / step, 1, delta=0.01)

    def test_counts_the_work_of_the_same_run(self):
        (row,) = self.compare("double-pendulum", "--methods", "lobatto(3)", "--steps-list", "0.1",
                              "--duration", "2")["rows"]
        run = self.run_json("double-pendulum", "--method", "lobatto(3)", "--step", "0.1", "--steps", "20")
        self.assertEqual(row["evaluations"], run["evaluations"])
        self.assertEqual(row["energy_error"], run["energy"]["max_error"])

    def test_keeps_the_rows_of_runs_that_fail(self):
        model = self.write(ROD)
        arguments = [model, "--methods", "rattle", "--duration", "4"]
        table = self.libration("compare", *arguments, "--steps-list", "4,0.01")
        self.assertEqual(table.status, 0, table)
        self.assertRegex(table.stdout, r"(?m)^  rattle +4 +1  failed at step 1$")
        failed, good = self.compare(*arguments, "--steps-list", "4,0.01")["rows"]
        self.assertEqual((failed["status"], failed["error_q"], failed["failure"]["step"]), ("failed", None, 1))
        self.assertEqual(good["status"], "completed")
        self.assertLess(good["error_q"], 0.1)
        (row,) = self.compare(*arguments, "--steps-list", "4", "--plot", "none.svg", status=1)["rows"]
        self.assertEqual(row["status"], "failed")
        self.assertEqual(self.files(), [model])

    def test_draws_one_line_a_method(self):
        for by in ("evaluations", "seconds"):
            result = self.libration("compare", *PENDULUM, "--steps-list", "0.1,0.05", "--plot", f"{by}.svg",
                                    "--plot-by", by)
            self.assertEqual(result.status, 0, result)
            self.assertIn(f"{by}.svg", result.stdout)
            text = "".join(ElementTree.parse(self.dir / f"{by}.svg").getroot().itertext())
            for words in ("rattle", "compose(rattle, suzuki4)", "lobatto(3)", "relative error",
                          "force evaluations" if by == "evaluations" else "seconds"):
                self.assertIn(words, text)
        self.assertEqual(self.files(), ["evaluations.svg", "seconds.svg"])

    def test_replaces_a_figure_only_when_told(self):
        (self.dir / "work.svg").write_text("mine")
        arguments = ["pendulum", "--methods", "rattle", "--steps-list", "0.1", "--plot", "work.svg"]
        self.refused(*arguments, command="compare", says=["work.svg exists", "--overwrite"])
        self.assertEqual((self.dir / "work.svg").read_text(), "mine")
        self.assertEqual(self.libration("compare", *arguments, "--overwrite").status, 0)
        self.assertIn("<svg", (self.dir / "work.svg").read_text())

    def test_refuses_what_cannot_be_compared(self):
        for arguments, says in ((["pendulum", "--methods", "rattle,verlet"], ["without constraints", "suitable methods: "]),
                                (["pendulum", "--methods", "ratle"], ["did you mean 'rattle'"]),
                                (["pendulum", "--methods", "rattle,,lobatto(3)"], ["empty item"]),
                                (["pendulum", "--methods", "rattle,rattle"], ["given twice"]),
                                (["pendulum", "--methods", "compose(rattle, suzuki4"], ["')'"]),
                                (["pendullum"], ["pendulum"]),
                                ([], ["MODEL is missing"]),
                                (["pendulum", "--steps-list", "0.1,0.3", "--duration", "1"],
                                 ["0.3 does not divide", "0.333333333333 would (3 steps)"]),
                                (["pendulum", "--steps-list", "0.1,x"], ["--steps-list x"]),
                                (["pendulum", "--steps-list", "0.1,"], ["--steps-list"]),
                                (["pendulum", "--steps-list", "-0.1"], ["positive"]),
                                (["pendulum", "--duration", "0"], ["positive"]),
                                (["pendulum", "--set", "nonsense=1"], ["nonsense"]),
                                (["pendulum", "--plot", "work.png"], [".svg"]),
                                (["pendulum", "--plot-by", "seconds"], ["--plot FILE.svg"]),
                                (["pendulum", "--plot", "a.svg", "--plot-by", "joules"], ["evaluations or seconds"]),
                                ([self.write(ROD)], ["--steps-list"]),
                                ([self.write(ROUGH, "rough.toml")], ["do not satisfy", "--project"])):
            with self.subTest(arguments):
                self.refused(*arguments, command="compare", says=says)

    def test_shows_progress_unless_told_not_to(self):
        arguments = ["compare", "pendulum", "--methods", "rattle", "--steps-list", "0.1,0.05", "--duration", "5"]
        shown = self.libration(*arguments)
        self.assertEqual(shown.status, 0)
        # The reference is a run, too.
        self.assertRegex(shown.stderr.splitlines()[-1], r"^100\.0 %  3 runs  done in ")
        self.assertNotIn("steps/s", shown.stderr)
        self.assertEqual(self.libration(*arguments, "--quiet").stderr, "")
        longer = self.libration("compare", "double-pendulum", "--methods", "lobatto(4)", "--duration", "300")
        lines = longer.stderr.splitlines()
        self.assertTrue(any(re.search(r"run [1-6] of 6: (reference|lobatto\(4\), step 0\.\d+)  .* left$", line)
                            for line in lines), longer)
        percent = [float(line.split("%")[0]) for line in lines]
        self.assertEqual(percent, sorted(percent))

    def test_ends_with_the_rows_that_there_are_when_interrupted(self):
        # The second run makes a hundred million steps.
        process = subprocess.Popen([LIBRATION, "compare", "double-pendulum", "--methods", "rattle", "--steps-list",
                                    "0.1,1e-6", "--duration", "100", "--json"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process:
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("stopped; ", errors)
        json = loads(output)
        self.assertIs(json["complete"], False)
        self.assertLess(len(json["rows"]), 2)

    def test_takes_the_duration_of_the_model(self):
        json = self.compare("pendulum", "--methods", "rattle")
        self.assertEqual((json["duration"], json["shortened_from"]), (100, None))
        # Whole steps of all sizes fit into it.
        json = self.compare("pendulum", "--methods", "rattle", "--steps-list", "0.3,0.2")
        self.assertAlmostEqual(json["duration"], 99.6)
        self.assertIsNone(json["shortened_from"])

    def test_shortens_a_duration_that_would_take_long_and_says_so(self):
        model = self.write(ROD + "[run]\nstep = 0.01\nduration = 1e9\n")
        table = self.libration("compare", model, "--methods", "rattle", "--steps-list", "0.05,0.02").stdout
        shown = re.search(r"over t = (\S+)\n  shortened from 1e\+09 to (\S+) to keep the comparison short; "
                          r"--duration 1000000000 compares all of it", table)
        self.assertTrue(shown, table)
        self.assertAlmostEqual(float(shown[1]) / float(shown[2]), 1, delta=1e-5)
        self.assertTrue(1e2 < float(shown[1]) < 1e8, table)
        whole = self.compare("kepler", "--duration", "1000", "--methods", "verlet", "--steps-list", "0.1")
        self.assertEqual((whole["duration"], whole["shortened_from"]), (1000, None))

    def test_compares_positions_of_a_chaotic_motion_while_they_are_known(self):
        arguments = [*CHAOS, "--steps-list", "0.04,0.02", "--duration", "160"]
        json = self.compare(*arguments)
        self.assertIsNone(json["shortened_from"])
        # Round-off, 1e-16, grows to 1e-3 within 30/0.3 units of time.
        self.assertTrue(70 < json["horizon"] < 140, json)
        self.assertTrue(json["horizon"] / 4 <= json["compared_at"] < json["horizon"] * 0.7, json)
        self.assertLess(json["reference"]["accuracy"], 1e-7)
        self.assertEqual({row["steps"] * row["step"] for row in json["rows"]}, {160})
        coarse, fine = (row for row in json["rows"] if row["method"] == "lobatto(3)")
        # Of order 4 still, where it is compared; at the end errors are as large as the motion, and so is their quotient 1.
        self.assertAlmostEqual(math.log2(coarse["error_q"] / fine["error_q"]), 4, delta=0.5)
        run = self.run_json(*CHAOS[:5], "--method", "lobatto(3)", "--step", "0.02", "--duration", "160")
        self.assertEqual(fine["energy_error"], run["energy"]["max_error"])  # over the whole duration
        table = self.libration("compare", *arguments, "--plot", "work.svg").stdout
        self.assertIn(f"error at t = {json['compared_at']:.6g}<", (self.dir / "work.svg").read_text())
        self.assertIn(f"chaotic: positions cannot be compared after t = {json['horizon']:.6g}; they are compared at "
                      f"t = {json['compared_at']:.6g}, energies over the whole duration.", table)
        self.assertIn(f"Relative errors at t = {json['compared_at']:.6g} against", table)

    def test_knows_no_horizon_of_a_regular_motion(self):
        for model, duration in (("double-pendulum", 400), ("henon-heiles", 1000), ("kepler", 400)):
            with self.subTest(model):
                method = "rattle" if model == "double-pendulum" else "verlet"
                json = self.compare(model, "--methods", method, "--steps-list", "0.05", "--duration", duration)
                self.assertEqual((json["horizon"], json["compared_at"]), (None, duration))
                table = self.libration("compare", model, "--methods", method, "--steps-list", "0.05", "--duration",
                                       duration).stdout
                self.assertNotIn("chaotic", table)
                self.assertIn("at the final time", table)

    def test_starts_where_a_projected_run_starts(self):
        model = self.write(ROUGH)
        json = self.compare(model, "--methods", "rattle", "--steps-list", "0.1", "--project")
        self.assertEqual((json["start"]["how"], json["start"]["q_name"]), ("projected", "x"))
        self.assertLess(json["reference"]["accuracy"], 1e-12)
        (row,) = json["rows"]
        run = self.run_json(model, "--method", "rattle", "--step", "0.1", "--duration", "3", "--project")
        self.assertEqual((row["evaluations"], row["energy_error"]), (run["evaluations"], run["energy"]["max_error"]))
        self.assertEqual(json["start"], run["start"])
        self.assertIn("start projected: moved q by at most 0.0422 (x)",
                      self.libration("compare", model, "--methods", "rattle", "--project").stdout)

    def test_knows_no_multipliers_where_constraints_are_redundant(self):
        json = self.compare("door", "--methods", "rattle", "--steps-list", "0.04,0.02", "--duration", "1")
        self.assertEqual([row["error_lambda"] for row in json["rows"]], [None, None])
        self.assertLess(json["rows"][1]["error_q"], json["rows"][0]["error_q"] / 3)
