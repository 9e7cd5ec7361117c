"""`libration ensemble`: many runs at once, each with the bits of `libration run`."""

import signal
import subprocess
import time

import h5py
import numpy

from program import LIBRATION, PENDULUM, OSCILLATOR, ProgramTest, environment

COUNT = 21


# Two arms, whose second axis deviates from the first one by eps, or by nothing if that is below `snap`.
ALIGNED = """\
[parameters]
eps = 0
[[body]]
name = "a"
mass = 1
inertia = [1, 2, 2.5]
com = [0.5, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [1, 2, 2.5]
com = [0.5, 0, 0]
position = [1, 0, 0]
[[joint]]
name = "j1"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "j2"
type = "revolute"
between = ["a", "b"]
at = [1, 0, 0]
axis = [0, "eps", 1]
[assembly]
snap = 1e-3
[dynamics]
gravity = [0, -9.81, 0]
[run]
step = 0.01
"""


class EnsembleTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.write(PENDULUM)

    def ensemble_json(self, *arguments, status=0):
        result = self.libration("ensemble", *arguments, "--json", "--quiet")
        self.assertEqual(result.status, status, result)
        return result.json

    def content(self, name):
        """All datasets and attributes of a file, as text that can be compared."""
        found = {}

        def visit(path, item):
            if isinstance(item, h5py.Dataset):
                found[path] = (item.shape, item[()].tobytes() if item.dtype != object else [*item[()]])

        with h5py.File(self.dir / name) as file:
            file.visititems(visit)
            for key, value in file.attrs.items():
                found["@" + key] = value
        return found


class AnEnsemble(EnsembleTest):
    def test_has_in_each_trajectory_the_bits_of_a_run_with_set(self):
        for threads in (1, 3):
            got = self.ensemble_json(self.model, "--count", COUNT, "--vary", "g = uniform(0.5, 2)", "--steps", 100,
                                     "--seed", 7, "--monitor", 10, "--threads", threads)
            self.assertEqual(got["completed"], COUNT)
            self.assertTrue(got["in_lanes"])
            self.assertIn("lanes", got["backend"]["name"])
            for trajectory in got["trajectories"]:
                g = trajectory["varied"]["g"]
                self.assertTrue(0.5 <= g <= 2)
                run = self.run_json(self.model, "--set", f"g={g!r}", "--steps", 100, "--monitor", 10)
                self.assertEqual(trajectory["q"], run["q"])
                self.assertEqual(trajectory["p"], run["p"])
                self.assertEqual(trajectory["energy_error_max"], run["energy"]["max_error"])

    def test_runs_members_alone_whose_joints_are_aligned_otherwise(self):
        """`snap` aligns the axes of some members and not of others: their formulas are not those of a lane."""
        model = self.write(ALIGNED, "aligned.toml")
        values = [0, 0, 0.1, 0.0005, 0.0004, 0.05, 0, 0.2, 0.3]
        self.write("eps\n" + "".join(f"{eps}\n" for eps in values), "eps.csv")
        for base in ("0", "0.1"):
            with self.subTest(base):
                self.write(ALIGNED.replace("eps = 0", f"eps = {base}"), "aligned.toml")
                got = self.ensemble_json(model, "--from", "eps.csv", "--steps", 20)
                self.assertEqual([t["varied"]["eps"] for t in got["trajectories"]], values)
                for trajectory in got["trajectories"]:
                    run = self.run_json(model, "--set", f"eps={trajectory['varied']['eps']!r}", "--steps", 20)
                    self.assertEqual((trajectory["status"], trajectory["q"]), (run["status"], run["q"]))

    def test_varies_starts_and_takes_tables(self):
        model = self.write(OSCILLATOR, "oscillator.toml")
        self.write("x, p_x\n1, 0\n\n0.5,+0.25\n-2,1e-3\n", "values.csv")
        got = self.ensemble_json(model, "--from", "values.csv")
        self.assertEqual([t["varied"] for t in got["trajectories"]],
                         [{"x": 1, "p_x": 0}, {"x": 0.5, "p_x": 0.25}, {"x": -2, "p_x": 0.001}])
        changed = self.write(OSCILLATOR.replace("q = [1]", "q = [0.5]").replace("p = [0]", "p = [0.25]"), "other.toml")
        self.assertEqual(got["trajectories"][1]["q"], self.run_json(changed)["q"])
        self.assertEqual(got["trajectories"][0]["q"], self.run_json(model)["q"])

    def test_takes_tables_as_other_programs_write_them(self):
        model = self.write(OSCILLATOR)
        self.write("x, p_x\n0.5,0.25\n1,0\n", "values.csv")
        plain = self.ensemble_json(model, "--from", "values.csv")
        self.write('\ufeff"x","p_x"\r\n"0.5",0.25\r\n1,0\r\n', "values.csv")
        self.assertEqual(self.ensemble_json(model, "--from", "values.csv")["trajectories"], plain["trajectories"])

    def test_writes_results_statistics_and_trajectories(self):
        got = self.ensemble_json(self.model, "--count", COUNT, "--vary", "g = uniform(0.5, 2)", "--steps", 100,
                                 "--monitor", 30, "--out", "e.h5", "--trajectories", "--every", 25)
        self.assertEqual(self.files(), ["e.h5", self.model])
        with h5py.File(self.dir / "e.h5") as file:
            self.assertEqual(file["ensemble/varied/g"][:].tolist(), [t["varied"]["g"] for t in got["trajectories"]])
            self.assertEqual(file["ensemble/final/q"][:].tolist(), [t["q"] for t in got["trajectories"]])
            self.assertEqual(set(file["ensemble/status"].asstr()[:]), {"completed"})
            self.assertEqual(file["statistics/time"][:].tolist(), got["statistics"]["t"])
            self.assertEqual(len(got["statistics"]["t"]), 5)  # 0, 30, 60, 90, 100
            self.assertEqual(file["statistics/q/mean"][:, 0].tolist(), got["statistics"]["of"]["x"]["mean"])
            frames = file["trajectories/q"][:]
            self.assertEqual(frames.shape, (COUNT, 5, 2))
            numpy.testing.assert_array_equal(frames[:, -1], file["ensemble/final/q"][:])
            # Median and quantiles are those of numpy.
            numpy.testing.assert_allclose(
                file["statistics/q/quantiles"][-1],
                numpy.percentile(frames[:, -1], file["statistics/percents"][:], axis=0), rtol=1e-14, atol=1e-15)
            numpy.testing.assert_allclose(file["statistics/q/deviation"][-1], frames[:, -1].std(axis=0, ddof=1),
                                          rtol=1e-12)
            self.assertEqual(file.attrs["vary"], "g = uniform(0.5, 2)")
            self.assertIn("potential", file.attrs["model_text"])
            g = float(file["ensemble/varied/g"][4])
        self.libration("run", self.model, "--set", f"g={g!r}", "--steps", 100, "--out", "r.h5", "--every", 25)
        with h5py.File(self.dir / "r.h5") as file:
            numpy.testing.assert_array_equal(file["run/q"][:], frames[4])

    def test_reports_trajectories_that_fail_and_keeps_the_others(self):
        model = self.write(OSCILLATOR.replace('"x^2/2"', '"x^2/2 + d*sqrt(2 - x)"').replace(
            "[coordinates]", "[parameters]\nd = 0\n[coordinates]"), "edge.toml")
        self.write("p_x,d\n0,0\n9,1e-3\n0.1,0\n", "values.csv")
        got = self.ensemble_json(model, "--from", "values.csv", "--steps", 50, "--out", "e.h5", status=1)
        self.assertEqual((got["completed"], got["failed"]), (2, 1))
        self.assertEqual(got["failures"][0]["trajectory"], 1)
        self.assertEqual(got["failures"][0]["kind"], "not-finite")
        self.assertLess(got["trajectories"][1]["q"][0], 2)
        with h5py.File(self.dir / "e.h5") as file:
            self.assertEqual(file["ensemble/failures/trajectory"][:].tolist(), [1])
        text = self.libration("ensemble", model, "--from", "values.csv", "--steps", 50, "--quiet")
        self.assertEqual(text.status, 1)
        self.assertIn("1 of 3 trajectories failed", text.stdout)
        self.assertIn("trajectory 1, step", text.stdout)


class AnInterruptedEnsemble(EnsembleTest):
    arguments = ("--count", 200, "--vary", "g = uniform(0.5, 2)", "--steps", 3000, "--trajectories", "--every", 1000)

    def interrupt(self, number):
        """Starts it and sends a signal once batches have been written."""
        with subprocess.Popen(
                [LIBRATION, "ensemble", self.model, *map(str, self.arguments), "--out", "e.h5", "--quiet"],
                cwd=self.dir, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            journal = self.dir / "e.h5.part"
            deadline = time.monotonic() + 50
            while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size > 100000):
                time.sleep(0.002)
            process.send_signal(number)
            _, errors = process.communicate(timeout=50)
        return process.returncode, errors.decode()

    def test_continues_to_the_same_content(self):
        self.ensemble_json(self.model, *self.arguments, "--out", "whole.h5")
        for number in (signal.SIGKILL, signal.SIGINT):
            with self.subTest(number):
                status, errors = self.interrupt(number)
                self.assertTrue((self.dir / "e.h5.part").exists(), "it ended before the signal")
                if number == signal.SIGINT:
                    self.assertEqual(status, 0)
                    self.assertIn("libration ensemble --resume e.h5", errors)
                self.refused(self.model, *self.arguments, "--out", "e.h5", command="ensemble", says=["--resume"])
                got = self.ensemble_json("--resume", "e.h5", "--threads", 1)
                self.assertTrue(got["complete"])
                self.assertLess(got["trajectory_steps"], 200 * 3000, "finished batches are not computed again")
                self.assertEqual(self.content("e.h5"), self.content("whole.h5"))
                self.assertFalse((self.dir / "e.h5.part").exists())
                (self.dir / "e.h5").unlink()

    def test_that_was_cut_off_or_damaged_in_a_record_drops_it(self):
        self.ensemble_json(self.model, *self.arguments, "--out", "whole.h5")
        self.interrupt(signal.SIGKILL)
        journal = self.dir / "e.h5.part"
        whole = bytearray(journal.read_bytes())
        whole[10000] ^= 1  # and one that is damaged is dropped with those behind it
        journal.write_bytes(whole[:-5])
        self.ensemble_json("--resume", "e.h5")
        self.assertEqual(self.content("e.h5"), self.content("whole.h5"))
        self.refused("--resume", "e.h5", command="ensemble", says=["complete"])


class BadInput(EnsembleTest):
    def bad(self, *arguments, says=(), status=2):
        return self.refused(*arguments, command="ensemble", says=says, status=status)

    def test_of_the_variations(self):
        for text, says in (
                ("gg = uniform(0, 1)", "did you mean 'g'"), ("g = uniform(2, 1)", "smaller number first"),
                ("g = unifrom(0, 1)", "did you mean 'uniform'"), ("g = uniform(0, nan)", "'nan'"),
                ("g = uniform(0, 1/0)", "finite"), ("g", "uniform(a, b)"), ("g = 3", "distribution"),
                ("p_y = uniform(0, z)", "'z'"), ("g = normal(0, -1)", "negative")):
            with self.subTest(text):
                self.bad(self.model, "--count", 3, "--vary", text, "--out", "e.h5", says=[says])
        self.bad(self.model, "--count", 3, "--vary", "g = uniform(0, 1)", "--vary", "g = uniform(0, 2)",
                 says=["'g'", "twice"])
        self.bad("chain", "--count", 3, "--vary", "n = uniform(3, 9)", says=["'n'", "cannot be varied"])
        self.bad(self.model, "--count", 3, "--vary", "g = uniform(0, 1)", "--set", "g=2", says=["set and varied"])

    def test_of_a_step_or_a_length_that_would_differ(self):
        vary = ["--count", 2, "--vary", "omega = linspace(1, 10)"]
        self.bad("harmonic-oscillator", *vary, says=["--step"])
        self.bad("harmonic-oscillator", *vary, "--step", 0.01, says=["--duration"])
        got = self.libration("ensemble", "harmonic-oscillator", *vary, "--step", 0.01, "--steps", 100, "--json", "--quiet")
        self.assertEqual(got.json["completed"], 2)

    def test_of_counts_and_options(self):
        vary = ("--vary", "g = uniform(0.5, 1)")
        self.bad(self.model, *vary, says=["--count"])
        self.bad(self.model, "--count", 3, says=["--vary"])
        self.bad(self.model, "--count", 0, *vary, says=["at least 1"])
        self.bad(self.model, "--count", -1, *vary, says=["at least 1"])
        self.bad(self.model, "--count", 10**12, *vary, says=["GiB"])
        self.bad(self.model, "--count", 3, *vary, "--trajectories", says=["--out"])
        self.bad(self.model, "--count", 3, *vary, "--every", 3, says=["--trajectories"])
        self.bad(self.model, "--count", 3, *vary, "--out", "e.csv", says=[".h5"])
        self.bad(self.model, "--count", 3, *vary, "--threads", 0, says=["--threads"])
        self.bad(self.model, "--count", 3, *vary, "--backend", "fast", says=["interpreted"])
        self.bad(self.model, "--count", 3, *vary, "--method", "verlet", says=["constraints"])
        self.bad("--resume", "e.h5", "--count", 3, says=["--resume"])
        self.bad("--resume", "e.h5", status=3, says=["e.h5"])
        self.bad(says=["MODEL is missing"])

    def test_of_starts_none_of_which_is_one(self):
        self.bad(self.model, "--count", 3, "--vary", "y = uniform(0.5, 1)", "--out", "e.h5",
                 says=["none of the 3", "--project"])

    def test_of_tables(self):
        for text, says in (
                ("", "empty"), ("g\n", "no values"), ("g\n1,2\n", "line 2"), ("g\n1\nx\n", "line 3"),
                ("g,\n1,2\n", "line 1"), ("g\n\n1\nnan\n", "line 4"), ("gg\n1\n", "did you mean 'g'"),
                ("g,g\n1,1\n", "twice")):
            with self.subTest(text):
                self.write(text, "values.csv")
                self.bad(self.model, "--from", "values.csv", says=[says])
        self.write("g\n1\n2\n", "values.csv")
        self.bad(self.model, "--from", "values.csv", "--count", 3, says=["2 trajectories"])
        self.bad(self.model, "--from", "values.csv", "--vary", "g = uniform(0, 1)", says=["not both"])
        self.bad(self.model, "--from", "none.csv", status=3, says=["none.csv"])


if __name__ == "__main__":
    import unittest

    unittest.main()
