"""`libration analyse`: numbers of a recorded run as text and as JSON, its figures, and what it refuses."""

import subprocess
import time
import xml.etree.ElementTree as tree

import program
from program import PENDULUM, ProgramTest


class Analyse(ProgramTest):
    def record(self, *arguments, name="run.h5"):
        """Records a run of the pendulum and returns what `run --json` says of it."""
        return self.run_json("pendulum", "--step", "0.01", "--steps", "500", *arguments, "--out", name)

    def analyse(self, *arguments):
        result = self.libration("analyse", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def test_summary_agrees_with_what_the_run_itself_has_seen(self):
        run = self.record()
        report = self.analyse("run.h5", "--what", "summary")
        self.assertEqual(list(report), ["file", "model", "method", "analyses"])
        self.assertEqual((report["file"], report["model"], report["method"]), ("run.h5", "pendulum", "rattle"))
        (summary,) = report["analyses"]
        self.assertEqual(list(summary), ["what", "verdict", "numbers", "warnings"])
        self.assertEqual((summary["what"], summary["warnings"]), ("summary", []))
        numbers = summary["numbers"]
        self.assertEqual((numbers["rows"], numbers["steps"], numbers["t_first"]), (501, 500, 0))
        self.assertEqual(numbers["t_last"], run["t"])
        self.assertEqual(numbers["energy_initial"], run["energy"]["initial"])
        self.assertEqual(numbers["energy_error_max"], run["energy"]["max_error"])
        self.assertEqual(abs(numbers["energy_error_last"]), run["energy"]["final_error"])
        self.assertEqual(numbers["constraint_max"], run["constraint"]["max"])
        self.assertEqual(numbers["hidden_max"], run["constraint"]["hidden_max"])

    def test_is_the_summary_where_nothing_is_asked_for(self):
        self.record()
        self.assertEqual(self.analyse("run.h5"), self.analyse("run.h5", "--what", "summary"))

    def test_text_has_verdict_and_a_table_of_names_values_and_meanings(self):
        self.record()
        result = self.libration("analyse", "run.h5")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^run\.h5  pendulum, rattle$")
        self.assertRegex(result.stdout, r"(?m)^summary  501 states from t = 0 to 5; ")
        self.assertRegex(result.stdout, r"(?m)^  rows +501  recorded states$")
        value = self.analyse("run.h5")["analyses"][0]["numbers"]["energy_error_max"]
        self.assertRegex(result.stdout, rf"(?m)^  energy_error_max +{value:.8g}  maximum ")

    def test_plot_is_one_page_and_is_replaced_on_request_only(self):
        self.record()
        self.analyse("run.h5", "--plot", "a.svg")
        drawn = (self.dir / "a.svg").read_bytes()
        page = tree.fromstring(drawn)
        panels = [group for group in page.iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "panel"]
        self.assertEqual(len(panels), 1)
        self.refused("run.h5", "--plot", "a.svg", command="analyse", says=["a.svg", "--overwrite"])
        result = self.libration("analyse", "run.h5", "--plot", "a.svg", "--overwrite")
        self.assertIn("Figure: a.svg", result.stdout)
        self.assertEqual((self.dir / "a.svg").read_bytes(), drawn)
        self.refused("run.h5", "--plot", "a.png", command="analyse", says=["--plot a.png", ".svg"])
        self.assertEqual(self.libration("analyse", "run.h5", "--plot", "no/where.svg").status, 3)

    def test_of_a_run_that_stopped_or_failed_takes_the_rows_until_then(self):
        self.record("--stop-if", "t > 1", name="stopped.h5")
        numbers = self.analyse("stopped.h5")["analyses"][0]["numbers"]
        self.assertLess(numbers["rows"], 200)
        self.assertGreater(numbers["t_last"], 1)
        # The weight grows until a step of Newton's method fails.
        text = PENDULUM.replace("g*y", "g*y*exp(4*t)").replace("steps = 10", "steps = 100000")
        result = self.libration("run", self.write(text), "--out", "failed.h5", "--quiet")
        self.assertEqual(result.status, 1, result)
        self.assertGreater(self.analyse("failed.h5")["analyses"][0]["numbers"]["rows"], 100)

    def test_of_a_run_that_is_being_made_takes_the_rows_of_this_moment(self):
        going = subprocess.Popen([program.LIBRATION, "run", "pendulum", "--steps", "2000000000", "--every", "100",
                                  "--out", "going.h5", "--quiet"], cwd=self.dir, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            limit = time.monotonic() + program.TIME_LIMIT
            result = self.libration("analyse", "going.h5", "--json")
            def rows():
                return result.json["analyses"][0]["numbers"]["rows"] if result.status == 0 else 0
            while rows() < 2 and time.monotonic() < limit:
                time.sleep(0.05)
                result = self.libration("analyse", "going.h5", "--json")
            self.assertIsNone(going.poll(), "the run must still be going on")
        finally:
            going.kill()
            going.wait()
        self.assertEqual(result.status, 0, result)
        self.assertGreater(rows(), 1)
        self.assertEqual(self.libration("analyse", "going.h5").status, 0, "also after a kill")

    def test_list_names_every_analysis_with_its_options_and_so_does_the_help(self):
        listed = self.libration("analyse", "--list", "--json").json["analyses"]
        names = [record["name"] for record in listed]
        self.assertIn("summary", names)
        self.assertEqual(len(names), len(set(names)), "each is there once")
        for arguments in (["--list"], ["--help"]):
            text = self.libration("analyse", *arguments).stdout
            for record in listed:
                self.assertEqual(list(record), ["name", "summary", "options"])
                self.assertRegex(text, rf"(?m)^  {record['name']} ")
                for option in record["options"]:
                    self.assertRegex(text, rf"(?m)^    {option['name']} ")

    def test_unknown_analysis_or_option_gets_a_suggestion(self):
        self.record()
        self.refused("run.h5", "--what", "sumary", command="analyse", says=["'sumary'", "did you mean 'summary'?"])
        self.refused("run.h5", "--what", "summary,", command="analyse", says=["''", "--list"])
        self.refused("run.h5", "--what", "summary,summary", command="analyse", says=["twice"])
        self.refused("run.h5", "--option", "x=1", command="analyse", says=["'summary'", "no option 'x'"])
        for text in ("x", "=1"):
            self.refused("run.h5", "--option", text, command="analyse", says=[f"--option {text}", "NAME=VALUE"])
        self.refused("run.h5", "--whta", "summary", command="analyse", says=["did you mean '--what'?"])

    def test_of_every_analysis_refuses_an_option_that_it_does_not_know(self):
        self.record()
        for record in self.libration("analyse", "--list", "--json").json["analyses"]:
            for option in record["options"]:
                with self.subTest(f"{record['name']} {option['name']}"):
                    self.refused("run.h5", "--what", record["name"], "--option", option["name"] + "x=1",
                                 command="analyse", says=[f"'{option['name']}x'"])

    def test_what_is_no_recorded_run_is_status_3_with_the_reason(self):
        self.refused("none.h5", status=3, command="analyse", says=["none.h5", "No such file"])
        self.record(name="run.csv")
        (self.dir / "run.csv").rename(self.dir / "run.txt")
        self.refused("run.txt", status=3, command="analyse", says=["run.txt: not an HDF5 file", "--out FILE.h5"])
        result = self.libration("ensemble", "pendulum", "--count", "3", "--vary", "g = uniform(0.9, 1.1)", "--steps", "5",
                                "--out", "many.h5", "--quiet")
        self.assertEqual(result.status, 0, result)
        self.refused("many.h5", status=3, command="analyse", says=["many.h5", "ensemble", "--out FILE.h5"])
        self.refused(command="analyse", says=["FILE.h5 is missing", "--list"])

    def test_of_a_single_state_is_a_summary_and_nothing_else(self):
        self.run_json("pendulum", "--steps", "0", "--out", "one.h5")
        self.assertEqual(self.analyse("one.h5")["analyses"][0]["numbers"]["rows"], 1)
        for record in self.libration("analyse", "--list", "--json").json["analyses"][1:]:
            self.refused("one.h5", "--what", record["name"], command="analyse", says=["1 recorded state,", record["name"]])

    def test_of_a_run_that_goes_backward(self):
        self.run_json("pendulum", "--step", "-0.1", "--steps", "200", "--out", "back.h5")
        (drift,) = self.analyse("back.h5", "--what", "drift", "--option", "of=2*t")["analyses"]
        self.assertTrue(drift["verdict"].startswith("linear: 2*t drifts steadily over 20 units"), drift["verdict"])
        (growth,) = self.analyse("back.h5", "--what", "error-growth")["analyses"]
        self.assertTrue(growth["verdict"].startswith("linear"), growth["verdict"])
