"""Gradients: a list for people, an object for programs, refusals that say what to do."""

import math
import os
import signal
import subprocess
import time

from program import LIBRATION, ProgramTest

KEYS = {"model", "loss", "gradient", "method", "step", "steps", "mode", "stored_every", "why_forward", "tangent_growth", "digits",
        "seconds", "run_seconds", "setup_seconds", "backend", "compiled_steps", "adaptive"}
PENDULUM = ["pendulum", "--loss", "x^2 + v_y", "--step", "0.02", "--steps", "100"]


class Gradient(ProgramTest):
    def gradient(self, *arguments):
        result = self.libration("gradient", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def refusal(self, *arguments, status=2):
        result = self.libration("gradient", *arguments)
        self.assertEqual(result.status, status, result)
        return result.stderr

    def test_both_modes_give_the_slope_of_the_loss(self):
        backward = self.gradient(*PENDULUM)
        self.assertEqual(set(backward), KEYS)
        self.assertEqual((backward["mode"], backward["why_forward"], backward["steps"]), ("backward", None, 100))
        self.assertEqual(list(backward["gradient"]), ["g", "l", "m"])
        forward = self.gradient(*PENDULUM, "--mode", "forward")
        self.assertEqual(forward["mode"], "forward")
        change = 1e-6
        for name, slope in backward["gradient"].items():
            self.assertAlmostEqual(forward["gradient"][name], slope, delta=1e-12)
            more, less = (self.gradient(*PENDULUM, "--set", f"{name}={1 + sign*change}")["loss"] for sign in (1, -1))
            # Third derivatives are of the order of 10, the loss is known to 1e-15 or so.
            self.assertAlmostEqual((more - less) / (2 * change), slope, delta=1e-8)

    def test_names_are_parameters_and_initial_values(self):
        found = self.gradient("kepler", "--loss", "x", "--by", "v_y, e,x", "--step", "0.05", "--steps", "20")
        self.assertEqual(list(found["gradient"]), ["v_y", "e", "x"])

    def test_the_list_for_people_has_the_same_numbers(self):
        slope = self.gradient(*PENDULUM, "--by", "g")["gradient"]["g"]
        text = self.libration("gradient", *PENDULUM, "--by", "g").stdout
        self.assertIn(f"{slope:.17g}", text)
        self.assertIn("digits left", text)
        self.assertIn("backward, along states stored every 100 steps", text)

    def test_a_method_that_cannot_go_back_says_why(self):
        found = self.gradient(*PENDULUM, "--method", "bdf(2)")
        self.assertEqual(found["mode"], "forward")
        self.assertIn("bdf(2) is not symplectic", found["why_forward"])

    def test_measurements_are_read_from_a_file(self):
        rows = '# swing\nt,x,"atan2(y, x)",sd_x\n0.5, 0.6,-0.5,0.1\n0.25,nan,-0.1,0.1\n\n1.013,0.2,,0.2\n'
        options = ["pendulum", "--data", self.write(rows, "measured.csv"), "--step", "0.02", "--by", "g,l"]
        found = self.gradient(*options)
        self.assertEqual(set(found), KEYS | {"measured"})
        # Until the last measured time.
        self.assertEqual((found["measured"], found["steps"], found["mode"]), (4, 51, "backward"))
        # The same from states that a run shows.
        self.libration("run", "pendulum", "--step", "0.02", "--steps", "51", "--at", "0.25,0.5,1.013", "--out", "seen.csv")
        names, *lines = (self.dir / "seen.csv").read_text(encoding="utf-8").splitlines()
        states = [dict(zip(names.split(","), map(float, line.split(",")))) for line in lines]
        angles = [math.atan2(state["y"], state["x"]) for state in states]
        squares = ((angles[0] + 0.1)**2 + ((states[1]["x"] - 0.6)/0.1)**2 + (angles[1] + 0.5)**2
                   + ((states[2]["x"] - 0.2)/0.2)**2)
        self.assertAlmostEqual(found["loss"], squares, delta=1e-13*squares)
        change = 1e-6
        for name, slope in found["gradient"].items():
            more, less = (self.gradient(*options, "--set", f"{name}={1 + sign*change}")["loss"] for sign in (1, -1))
            # Of a loss of 100 with third derivatives of 1000.
            self.assertAlmostEqual((more - less)/(2*change), slope, delta=1e-7)
        self.assertIn("sum of squares over 4 values", self.libration("gradient", *options).stdout)

    def test_tables_that_are_no_measurements_are_explained(self):
        def said(text, *more, status=2):
            return self.refusal("pendulum", "--step", "0.1", "--data", self.write(text, "bad.csv"), *more, status=status)

        self.assertIn("line 3: 'fast' in the column 'x' is not a number", said("t,x\n0,1\n1,fast\n", status=3))
        self.assertIn("line 2: 1 values for 2 columns", said("t,x\n0\n", status=3))
        self.assertIn("the table has no column 't' of times; its columns are time, x", said("time,x\n0,1\n"))
        self.assertIn("two columns are named 'x'", said("t,x,x\n0,1,2\n"))
        self.assertIn("no column 'xx': did you mean 'x'?", said("t,x,sd_xx\n0,1,2\n"))
        self.assertIn("unknown name 'xx'", said("t,xx\n0,1\n"))
        self.assertIn("the table has no rows", said("t,x\n"))
        self.assertIn("the table has no column of values", said("t\n1\n"))
        self.assertIn("the file is empty", said("", status=3))
        self.assertIn("all cells are empty", said("t,x\n0,\n1,nan\n"))
        self.assertIn("the time of row 2 is not a finite number", said("t,x\n0,1\n,1\n"))
        self.assertIn("the value of x at t = 1 is infinite", said("t,x\n1,inf\n"))
        self.assertIn("the standard deviation sd_x at t = 1 is 0", said("t,x,sd_x\n1,1,0\n"))
        self.assertIn("the standard deviation sd_x at t = 1 is nan", said("t,x,sd_x\n1,1,\n"))
        self.assertIn("there is a value at t = 2, but the run goes from t = 0 to t = 1", said("t,x\n2,1\n", "--duration", "1"))
        self.assertIn("there is a value at t = -1, before the start of the run at t = 0", said("t,x\n-1,1\n"))
        self.assertIn("--data: the column 'abs(y)' has no derivative at t = 0, where abs(y)", said("t,abs(y)\n0,1\n"))
        self.assertIn("--loss and --data exclude each other", said("t,x\n1,1\n", "--loss", "x"))
        self.assertIn("nothing.csv: No such file", self.refusal("pendulum", "--data", "nothing.csv", status=3))

    def test_integrals_and_events(self):
        options = ["pendulum", "--step", "0.01", "--duration", "3", "--by", "g"]
        found = self.gradient(*options, "--loss", "integral(1) + 0*x")
        self.assertAlmostEqual(found["loss"], 3, delta=1e-13)  # a sum of 301 terms
        event = ["--event", "bottom: x falling"]
        found = self.gradient(*options, *event, "--loss", "at(bottom, t)")
        # The time is proportional to 1/sqrt(g); rattle is of order 2.
        self.assertAlmostEqual(found["gradient"]["g"], -found["loss"]/2, delta=1e-4)
        self.assertIn("the event bottom does not occur",
                      self.refusal(*options[:-4], "--duration", "0.5", *event, "--loss", "at(bottom, t)"))

    def test_mistakes_are_named(self):
        self.assertIn("the loss is missing; give --loss EXPR", self.refusal("pendulum"))
        self.assertIn("--by gg: the model has no parameter 'gg'", self.refusal(*PENDULUM, "--by", "gg"))
        self.assertIn("a name is missing", self.refusal(*PENDULUM, "--by", "g,,l"))
        self.assertIn("choose auto, backward or forward", self.refusal(*PENDULUM, "--mode", "sideways"))
        self.assertIn("let --project move them", self.refusal("triple-pendulum", "--loss", "x3", "--steps", "5"))
        self.assertIn("use --mode forward", self.refusal(*PENDULUM, "--mode", "backward", "--method", "bdf(2)"))

    def test_no_digit_left_is_a_failure(self):
        chaos = ["henon-heiles", "--set", "H0=1/6", "--loss", "x", "--by", "y0", "--step", "0.1", "--steps", "20000"]
        self.assertIn("no correct digit is left", self.refusal(*chaos, status=1))
        result = self.libration("gradient", *chaos, "--json")
        self.assertEqual(result.status, 1)
        self.assertIsNone(result.json["gradient"])
        self.assertEqual(result.json["failure"]["kind"], "gradient")

    def test_a_stopped_gradient_is_continued_by_the_same_command(self):
        command = ["double-pendulum", "--loss", "x2*v_y1", "--by", "g,m1", "--step", "0.001", "--steps", "60000"]
        whole = self.gradient(*command)
        file = str(self.dir / "kept")
        stops, limit = 0, 0.01  # less than it takes to compile the steps
        while True:
            result = self.libration("gradient", *command, "--json", "--checkpoint", file, "--time-limit", f"{limit}s")
            limit *= 1.5
            self.assertEqual(result.status, 0, result)
            if result.stdout:
                break
            stops += 1
            self.assertIn(f"stopped; the same command continues from {file}", result.stderr)
        self.assertGreater(stops, 0)
        times = {"seconds", "run_seconds", "setup_seconds"}
        self.assertEqual({name: x for name, x in result.json.items() if name not in times},
                         {name: x for name, x in whole.items() if name not in times})
        other = self.refusal(*command[:-1], "60001", "--checkpoint", file)
        self.assertIn("steps was 60000, it is 60001 now", other.replace("--", "").replace("`", ""))

    def test_a_signal_stops_a_gradient_with_a_file(self):
        command = ["gradient", "double-pendulum", "--loss", "x2", "--by", "g", "--step", "0.001", "--steps", "100000000"]
        file = str(self.dir / "kept")
        for patience in (0.2, 2, 20):  # before it listens, a signal ends the program at once
            program = subprocess.Popen([LIBRATION, *command, "--checkpoint", file],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(patience)
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=100)
            if program.returncode != -signal.SIGTERM:
                break
        self.assertEqual(program.returncode, 0, errors)
        self.assertIn("the same command continues from", errors)
        self.assertTrue(os.path.getsize(file) > 0)

    def test_second_derivatives_are_those_along_a_direction(self):
        found = self.gradient(*PENDULUM, "--hessian-along", "g=1,l=-0.5")
        self.assertEqual(set(found), KEYS | {"hessian_product"})
        change = 1e-4
        more, less = (self.gradient(*PENDULUM, "--set", f"g={1 + sign*change}", "--set", f"l={1 - sign*change/2}")
                      for sign in (1, -1))
        for name, product in found["hessian_product"].items():
            # Fourth derivatives are of the order of 100, gradients are known to 1e-15.
            self.assertAlmostEqual((more["gradient"][name] - less["gradient"][name]) / (2 * change), product, delta=1e-6)
        text = self.libration("gradient", *PENDULUM, "--hessian-along", "g=1").stdout
        self.assertIn("H v", text)
