"""Work and precision: a table for people, an object for programs, a figure."""

import math
import xml.etree.ElementTree as ElementTree

from program import ProgramTest

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


class Compare(ProgramTest):
    def compare(self, *arguments, status=0):
        result = self.libration("compare", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (status, ""), result)
        return result.json

    def test_errors_show_the_orders(self):
        json = self.compare(*PENDULUM, "--steps-list", "0.1,0.05,0.025")
        self.assertEqual(set(json), {"model", "duration", "reference", "rows"})
        self.assertEqual((json["model"], json["duration"]), ("double-pendulum", 2))
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
        result = self.libration("compare", *PENDULUM, "--steps-list", "0.05,0.1")
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
            self.assertEqual([row["steps"] for row in json["rows"]], 4 * [50, 100, 200, 400, 800])
            self.assertEqual({row["status"] for row in json["rows"]}, {"completed"})

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
                                ([self.write(ROD)], ["--steps-list"])):
            with self.subTest(arguments):
                self.refused(*arguments, command="compare", says=says)
