"""Output at given times and events, as a user asks for them."""

import csv
import math

import h5py

from program import OSCILLATOR, PENDULUM, ProgramTest

PERIOD = 7.416298709205487673735401388781  # of `pendulum`


class Times(ProgramTest):
    def rows(self, name):
        with open(self.dir / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_are_recorded_and_nothing_else(self):
        self.run_json("pendulum", "--duration", "10", "--at", "0.5,pi,2:0.5:3,9.995", "--out", "a.csv")
        rows = self.rows("a.csv")
        self.assertEqual([float(row["t"]) for row in rows], [0.5, 2, 2.5, 3, math.pi, 9.995])
        for row in rows:
            self.assertLess(float(row["constraint"]), 1e-15)
            self.assertLess(float(row["hidden"]), 4e-15)
        self.run_json("pendulum", "--duration", "10", "--at", "0.5,pi,2:0.5:3,9.995", "--out", "a.h5")
        with h5py.File(self.dir / "a.h5") as file:
            self.assertEqual(list(file["run/t"][()]), [float(row["t"]) for row in rows])
            self.assertEqual(list(file["run/step"][()]), [50, 200, 250, 300, 314, 999])
            self.assertEqual(list(file["run/q"][()][:, 0]), [float(row["x"]) for row in rows])

    def test_change_no_bit_of_the_result(self):
        plain = self.run_json("double-pendulum", "--steps", "500")
        other = self.run_json("double-pendulum", "--steps", "500", "--at", "0:0.0123:5", "--out", "a.csv",
                              "--event", "x1", "--event", "lambda_rod1 - 0.5")
        for key in ("q", "p", "v", "lambda", "energy", "constraint", "evaluations", "t", "steps"):
            self.assertEqual(plain[key], other[key], key)
        self.assertEqual(set(other) - set(plain), {"events", "event_states"})

    def test_go_back_with_negative_steps(self):
        self.run_json("pendulum", "--step=-0.01", "--duration=-3", "--at", "-2:0.5:-1", "--out", "a.csv")
        self.assertEqual([float(row["t"]) for row in self.rows("a.csv")], [-1, -1.5, -2])

    def test_go_on_in_a_resumed_file(self):
        times = ["--at", "0.005:0.03:5", "--event", "x", "--event", "low: y + 0.9 falling"]
        whole = self.run_json("pendulum", "--steps", "500", *times, "--out", "whole.h5")
        self.run_json("pendulum", "--steps", "200", *times, "--out", "part.h5")
        resumed = self.run_json("--resume", "part.h5", "--steps", "500")
        self.assertEqual(resumed["events"], whole["events"])
        self.assertGreater(whole["events"]["event1"]["count"], 0)
        with h5py.File(self.dir / "whole.h5") as one, h5py.File(self.dir / "part.h5") as two:
            self.assertEqual(one["run/t"][()].tolist(), two["run/t"][()].tolist())
            self.assertEqual(one["run/q"][()].tolist(), two["run/q"][()].tolist())
            self.assertEqual(len(one["run/t"]), 167)
        self.refused("--resume", "part.h5", "--at", "1,2", says=["--at", "0.005:0.03:5"])
        self.refused("--resume", "part.h5", "--event", "y", says=["--event"])

    def test_that_make_no_sense_are_refused(self):
        model = self.write(PENDULUM)
        for text, says in (
            (" ", ["missing"]), ("1,,2", ["missing"]), ("x", ["'x'", "constant"]), ("1:2", ["first:step:last"]),
            ("0:0:1", ["0"]), ("0:-1:1", ["-1"]), ("1/0", ["finite"]), ("0.01;0.02", ["0.01;0.02"]), ("5", ["t = 5", "0.1"]),
            ("-1,0.05", ["t = -1"]), ("0:1e-12:1", ["1e8"]),
        ):
            with self.subTest(text):
                self.refused(model, f"--at={text}", "--out", "a.csv", says=says)
        self.refused(model, "--at", "0.05", says=["--out"])
        self.refused(model, "--at", "0.05", "--every", "2", "--out", "a.csv", says=["--at", "--every"])
        result = self.libration("run", model, "--at", "0.05,7", "--out", "a.csv", "--quiet")
        self.assertEqual(result.status, 0, result)
        self.assertIn("warning: 1 of the 2 output times", result.stderr)


class Events(ProgramTest):
    def test_are_counted_and_listed(self):
        result = self.run_json("pendulum", "--method", "lobatto(8)", "--step", "0.1", "--duration", "15",
                               "--event", "bottom: x", "--event", "x rising", "--events-out", "e.csv")
        self.assertEqual(list(result["events"]), ["bottom", "event2"])
        self.assertEqual(result["events"]["bottom"]["count"], 4)
        self.assertEqual(result["events"]["event2"]["count"], 2)
        self.assertAlmostEqual(result["events"]["bottom"]["first"], PERIOD / 4, delta=1e-12 * PERIOD)
        self.assertAlmostEqual(result["events"]["event2"]["last"], 7 * PERIOD / 4, delta=1e-12 * PERIOD)
        states = result["event_states"]
        self.assertEqual([state["name"] for state in states],
                         ["bottom", "bottom", "event2", "bottom", "bottom", "event2"])
        with open(self.dir / "e.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["name", "rising", "t", "x", "y", "p_x", "p_y", "v_x", "v_y", "lambda_rod",
                                         "energy", "constraint", "hidden"])
        for row, state in zip(rows, states, strict=True):
            self.assertEqual((row["name"], float(row["t"]), float(row["x"])),
                             (state["name"], state["t"], state["q"][0]))
            self.assertEqual(row["rising"], "1" if state["rising"] else "0")
            self.assertEqual([float(row["v_x"]), float(row["v_y"])], state["v"])
            self.assertAlmostEqual(float(row["lambda_rod"]), 1.5, delta=1e-10)

    def test_of_the_model_end_its_run(self):
        model = self.write(OSCILLATOR.replace("steps = 10", "steps = 1000") +
                           '\n[[events]]\nname = "zero"\nwhen = "x"\nterminal = true\n')
        result = self.run_json(model, "--method", "gauss(4)")
        self.assertEqual(result["status"], "stopped")
        self.assertEqual(result["t"], 1.625)
        self.assertAlmostEqual(result["events"]["zero"]["first"], math.pi / 2, delta=1e-12)
        text = self.libration("run", model, "--method", "gauss(4)", "--quiet").stdout
        self.assertIn("1 event, first at t = 1.5707963", text)

    def test_that_never_happen_are_a_warning(self):
        result = self.libration("run", "pendulum", "--duration", "1", "--event", "high: y - 2", "--quiet")
        self.assertEqual(result.status, 0, result)
        self.assertIn("warning: the event high never occurred", result.stderr)
        self.assertIn("stayed in [-2.4", result.stderr)

    def test_that_never_happen_are_named_as_they_were_written(self):
        """The formula of an angle in space fills pages."""
        for text in ("spin.angle - 20*pi", "spin.angle > 100"):
            options = ("--event", f"turn: {text}") if "-" in text else ("--stop-if", text, "--event", "turn: spin.angle - 9*pi")
            result = self.libration("run", "gimbal", "--duration", "0.1", *options, "--quiet")
            self.assertEqual(result.status, 0, result)
            self.assertLess(len(result.stderr), 400)
            self.assertRegex(result.stderr, r"its value spin.angle - \d+\*pi stayed in")

    def test_that_are_many_need_full(self):
        arguments = ["henon-heiles", "--duration", "6000", "--event", "x"]
        self.assertIsNone(self.run_json(*arguments)["event_states"])
        full = self.run_json(*arguments, "--full")
        self.assertEqual(len(full["event_states"]), full["events"]["event1"]["count"])

    def test_that_make_no_sense_are_refused(self):
        model = self.write(PENDULUM)
        for text, says in ((" ", ["missing"]), ("rising", ["missing"]), ("x rising falling", ["rising or falling"]),
                           ("z", ["z"]), ("x +", ["--event", "x +", "found the end"]), ("a b: x", ["'a b'"]), ("log(-x)", ["not a number"]),
                           ("y > 1 rising", ["condition", "y - 1"])):
            with self.subTest(text):
                self.refused(model, f"--event={text}", "--out", "a.h5", says=says)
        self.refused(model, "--event", "a: x", "--event", "a: y", says=["'a'"])
        self.refused(model, "--events-out", "e.csv", says=["--event"])
        self.refused(model, "--event", "x", "--events-out", "e.txt", says=[".csv"])
        self.refused(model, "--event", "x", "--events-out", "e.csv", "--out", "e.csv", says=["same name"])
        self.write("kept", "e.csv")
        self.refused(model, "--event", "x", "--events-out", "e.csv", says=["--overwrite"])
        self.assertEqual((self.dir / "e.csv").read_text(encoding="utf-8"), "kept")

    def test_whose_value_is_lost_fail(self):
        result = self.run_json("pendulum", "--event", "log(x + 0.5)", status=1)
        self.assertEqual(result["failure"]["kind"], "event")
        self.assertIn("not a number at t = 2.2", result["failure"]["message"])


class Sections(ProgramTest):
    def test_lie_in_their_plane_and_on_their_energy(self):
        self.run_json("henon-heiles", "--method", "compose(verlet, kahanli8)", "--step", "0.2", "--duration", "500",
                      "--event", "x rising", "--events-out", "s.csv")
        with open(self.dir / "s.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 70)
        for row in rows:
            self.assertLess(abs(float(row["x"])), 2e-15)
            self.assertGreater(float(row["p_x"]), 0)
            self.assertLess(abs(float(row["energy"]) - 1 / 12), 1e-10)
