"""CSV files: velocities, and analyses of them."""

import csv

from program import PENDULUM, ProgramTest

CHAIN = ["chain", "--set", "n=3", "--step", "0.01", "--steps", "80"]


class Columns(ProgramTest):
    def test_of_velocities_are_those_of_json_to_the_bit(self):
        model = self.write(PENDULUM.replace("mass = 1.0", "mass = 2.0"))  # else velocities are momenta
        result = self.run_json(model, "--steps", "50", "--out", "a.csv")
        with open(self.dir / "a.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertNotEqual(result["v"], result["p"])
        for letter in ("v", "p"):
            self.assertEqual([float(rows[-1][f"{letter}_{name}"]) for name in ("x", "y")], result[letter])


class Analyses(ProgramTest):
    def analysed(self, *arguments):
        result = self.libration("analyse", *arguments, "--json")
        self.assertEqual(result.status, 0, result)
        return result.json

    def both(self, model, *more, what="summary,drift,portrait", options=()):
        for name in ("a.h5", "a.csv"):
            self.run_json(*model, "--out", name, "--overwrite")
        of_file = self.analysed("a.h5", "--what", what, *options)
        of_table = self.analysed("a.csv", "--what", what, *options, *more)
        return of_file, of_table

    def same_numbers(self, of_file, of_table):
        for one, other in zip(of_file["analyses"], of_table["analyses"], strict=True):
            wanted = {name: value for name, value in one["numbers"].items() if name != "steps"}
            self.assertEqual(other["numbers"], wanted, one["what"])
            self.assertGreater(len(wanted), 0)

    def test_that_need_states_only_give_the_numbers_of_the_hdf5_file(self):
        model = self.write(PENDULUM.replace('["x^2 + y^2 - l^2"]', '{ rod = "x^2 + y^2 - l^2" }').replace(
            "[run]", '[observables]\nheight = "y + 1"\n\n[run]'))
        for of in ("energy", "v_x*x + lambda_rod - height", "p_y^2 + t"):
            with self.subTest(of):
                of_file, of_table = self.both([model, "--steps", "300"], what="summary,drift",
                                              options=["--option", f"of={of}", "--option", "from=0.5"])
                self.same_numbers(of_file, of_table)
        self.assertEqual((of_table["model"], of_table["method"]), (None, None))
        text = self.libration("analyse", "a.csv", "--what", "drift,portrait", "--plot", "a.svg")
        self.assertEqual(text.status, 0, text)
        self.assertIn("a.svg", self.files())

    def test_work_without_named_constraints(self):
        self.same_numbers(*self.both(["triple-pendulum", "--steps", "100"], what="drift",
                                     options=["--option", "of=lambda_1 + lambda_3"]))

    def test_that_need_the_model_take_it(self):
        of_file, of_table = self.both(["toda", "--steps", "100"], "--model", "toda", what="toda,averages")
        self.same_numbers(of_file, of_table)
        self.assertEqual((of_table["model"], of_table["method"]), ("toda", None))
        self.refused("a.csv", "--what", "averages", command="analyse", says=["'averages'", "model", "--model MODEL"])
        self.refused("a.csv", "--what", "averages", "--model", "pendulum", command="analyse", says=["a.csv", "'x'"])
        self.refused("a.csv", "--set", "n=2", command="analyse", says=["--model"])
        self.refused("a.h5", "--model", "toda", command="analyse", says=["a.h5", "omit --model"])

    def test_of_names_that_only_a_model_has_need_it(self):
        self.run_json(*CHAIN, "--out", "a.csv")
        self.refused("a.csv", command="analyse", says=["r[0].x", "give the model that was run"])
        found = self.analysed("a.csv", "--model", "chain", "--set", "n=3", "--what", "drift", "--option", "of=r[2].y")
        self.assertEqual(found["analyses"][0]["what"], "drift")
        self.refused("a.csv", "--model", "chain", "--set", "n=4", command="analyse", says=["missing", "r[3].x"])

    def test_that_integrate_again_say_what_to_do(self):
        self.run_json("pendulum", "--steps", "20", "--out", "a.csv")
        for what in ("lyapunov", "poincare", "error-growth", "modified-energy", "transport"):
            with self.subTest(what):
                self.refused("a.csv", "--what", what, "--model", "pendulum", command="analyse",
                             says=[what, "method", "--out FILE.h5"])

    def test_of_damaged_files_name_the_line(self):
        self.run_json("pendulum", "--steps", "20", "--out", "a.csv")
        text = (self.dir / "a.csv").read_text()
        lines = text.splitlines(keepends=True)
        damaged = {
            "cut": ("".join(lines[:7]) + lines[7][:20], ["line 8", "columns"]),
            "word": (text.replace(lines[4], lines[4].replace(",", ",oops,", 1)), ["line 5", "'oops'", "'x'"]),
            "more": (text.replace(lines[4], lines[4].replace("\n", ",1\n")), ["line 5", "columns"]),
            "blank": ("".join(lines[:3]) + "\n" + "".join(lines[3:]), ["line 4"]),
            "former": (text.replace("v_x,v_y,", ""), ["line 1", "'v_x'", "'lambda_rod'"]),
            "other": ("a,b\n1,2\n", ["line 1", "'t'"]),
            "binary": ("\0\1\2", ["line 1"]),
            "empty": ("", ["empty"]),
        }
        for name, (content, says) in damaged.items():
            with self.subTest(name):
                self.write(content, "b.csv")
                self.refused("b.csv", command="analyse", status=3, says=["b.csv", *says])
        self.refused("missing.csv", command="analyse", status=3, says=["missing.csv", "No such file"])
        self.write(lines[0], "b.csv")
        self.refused("b.csv", command="analyse", says=["no states"])
        self.run_json("pendulum", "--steps", "400", "--event", "x", "--events-out", "e.csv")
        self.refused("e.csv", command="analyse", says=["events", "not a run"])
        self.write(text.replace("\n", "\r\n"), "b.csv")  # from another system
        self.assertEqual(self.analysed("b.csv")["analyses"], self.analysed("a.csv")["analyses"])
