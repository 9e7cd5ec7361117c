"""A run that was stopped, killed or extended ends in the bits of a run that never was."""

import contextlib
import signal
import subprocess
import time

import h5py
import numpy

import program
from program import PENDULUM, ProgramTest

# Long enough that a signal after some hundredths of a second meets the stepping loop (about 1 Mstep/s), short enough
# that four methods and their references stay far below the minute that all of these tests may take.
STEPS = 600_000
EVERY = 1_000
METHODS = {"rattle": "pendulum", "shake": "pendulum", "verlet": "kepler", "leapfrog": "kepler"}

# Only what the clock says may differ, and who makes the steps: a short rest does not repay compiling.
CLOCK = ("seconds", "setup_seconds", "backend")


def without_clock(result):
    return {key: value for key, value in result.items() if key not in CLOCK}


def contents(path):
    """All recorded datasets of a trajectory as raw bytes by name; checkpoints and journal are the writer's own."""
    found = {}

    def keep(name, thing):
        if isinstance(thing, h5py.Dataset) and name.startswith(("run/", "particles/")):
            found[name] = (thing.shape, numpy.asarray(thing[()]).tobytes())

    with h5py.File(path, "r") as file:
        file.visititems(keep)
    return found


class ResumeTest(ProgramTest):
    def test_a_resumed_run_still_stops_where_it_was_to_stop(self):
        condition = ["--step", "0.01", "--stop-if", "y < -0.5"]
        whole = self.run_json("pendulum", *condition, "--steps", "1000")
        self.assertEqual(whole["status"], "stopped")
        self.run_json("pendulum", *condition, "--steps", "50", "--out", "part.h5")
        resumed = self.run_json("--resume", "part.h5", "--steps", "1000")
        self.assertEqual((resumed["status"], resumed["steps"], resumed["q"]), ("stopped", whole["steps"], whole["q"]))
        self.assertLess(resumed["steps"], 1000)

    def arguments(self, method, out, steps=STEPS):
        return ["run", METHODS[method], "--method", method, "--step", "0.01", "--steps", str(steps)] + [
            "--every", str(EVERY), "--monitor", "10", "--out", out, "--json", "--quiet"]

    def start(self, arguments):
        child = subprocess.Popen([program.LIBRATION, *arguments], cwd=self.dir, env=program.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.reap, child)
        return child

    def reap(self, child):
        if child.poll() is None:
            child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()

    def wait_for_file(self, name):
        """Until the run has made its file, a signal would meet the set-up and not the run. The bytes are looked at without
        HDF5, whose lock would get in the way of the writer."""
        limit = time.monotonic() + program.TIME_LIMIT
        path = self.dir / name
        while not (path.exists() and path.read_bytes()[:4] == b"\x89HDF"):
            self.assertLess(time.monotonic(), limit, f"the run did not make {name}")
            time.sleep(0.001)
        time.sleep(0.05)

    def stopped_soon(self, arguments, number):
        """The result of a run that would last for ever, stopped by a signal as soon as the program can take it."""
        for delay in (0.2, 1, 5):
            child = self.start(arguments)
            time.sleep(delay)
            child.send_signal(number)
            out, err = child.communicate(timeout=program.TIME_LIMIT)
            if child.returncode != -number:  # otherwise the machine had not even loaded it: wait longer
                return program.Result(child.returncode, out.decode(), err.decode())
        self.fail("the program did not start within five seconds")

    def rows_of_killed(self, name):
        """t and q of a killed file. A kill in the moment of (re)opening leaves HDF5's mark, which needs swmr=True."""
        try:
            file = h5py.File(self.dir / name, "r")
        except OSError:
            file = h5py.File(self.dir / name, "r", swmr=True)
        with file:
            return file["run/t"][()], file["run/q"][()]

    def uninterrupted(self, method, steps=STEPS):
        result = self.libration(*self.arguments(method, "whole.h5", steps))
        self.assertEqual(result.status, 0, result)
        return without_clock(result.json), contents(self.dir / "whole.h5")

    def resume(self, *more):
        result = self.libration("run", "--resume", "cut.h5", "--json", "--quiet", *more)
        self.assertEqual(result.status, 0, result)
        return result

    def assert_same_run(self, result, whole):
        self.assertEqual(without_clock(result.json), whole[0])
        found = contents(self.dir / "cut.h5")
        self.assertEqual(sorted(found), sorted(whole[1]))
        for name, data in whole[1].items():
            self.assertEqual(found[name], data, f"{name} differs from that of the run that was not interrupted")


class AStoppedRun(ResumeTest):
    def stopped_and_resumed(self, method, number, delays):
        # How fast the machine is decides only whether the signal comes in time; if it does not, a longer run is tried.
        for steps in (STEPS, 5 * STEPS, 25 * STEPS):
            if self.stop_and_resume(method, number, delays, steps):
                return
            (self.dir / "cut.h5").unlink()
            (self.dir / "whole.h5").unlink()
        self.fail("every run was over before the signal came")

    def stop_and_resume(self, method, number, delays, steps):
        """False if the run was over before it could be stopped."""
        # Without --quiet: the hint how to continue is a part of what is tested.
        child = self.start(self.arguments(method, "cut.h5", steps)[:-1])
        self.wait_for_file("cut.h5")
        stops = 0
        for delay in delays:
            time.sleep(delay)
            child.send_signal(number)
            out, err = child.communicate(timeout=program.TIME_LIMIT)
            if child.returncode == -number:  # it came before main(), while the program was still being loaded
                child = self.start(["run", "--resume", "cut.h5", "--json"])
                continue
            self.assertEqual(child.returncode, 0, err)
            result = program.Result(child.returncode, out.decode(), err.decode())
            if result.json["status"] == "completed":
                break
            stops += 1
            self.assertEqual(result.json["status"], "stopped")
            self.assertLess(result.json["steps"], steps)
            self.assertIn("--resume cut.h5", result.stderr)
            with h5py.File(self.dir / "cut.h5", "r") as file:
                self.assertEqual(file.attrs["status"], "stopped")
                self.assertEqual(len(file["run/t"]), len(file["run/q"]))
            child = self.start(["run", "--resume", "cut.h5", "--json"])
        else:
            child.communicate(timeout=program.TIME_LIMIT)
        whole = self.uninterrupted(method, steps)
        self.assert_same_run(self.resume(), whole)
        return stops > 0

    def test_rattle_stopped_by_ctrl_c_and_resumed_equals_the_whole_run(self):
        self.stopped_and_resumed("rattle", signal.SIGINT, (0.0, 0.05, 0.08))

    def test_shake_stopped_by_sigterm_and_resumed_equals_the_whole_run(self):
        self.stopped_and_resumed("shake", signal.SIGTERM, (0.01, 0.05, 0.03))

    def test_verlet_stopped_by_ctrl_c_and_resumed_equals_the_whole_run(self):
        self.stopped_and_resumed("verlet", signal.SIGINT, (0.0, 0.02))

    def test_leapfrog_stopped_by_sigterm_and_resumed_equals_the_whole_run(self):
        self.stopped_and_resumed("leapfrog", signal.SIGTERM, (0.0, 0.02))

    def test_a_stopped_run_without_file_says_how_it_could_have_been_continued(self):
        result = self.stopped_soon(["run", "pendulum", "--steps", "2000000000", "--json"], signal.SIGINT)
        self.assertEqual((result.status, result.json["status"]), (0, "stopped"))
        self.assertIn("--out FILE.h5", result.stderr)

    def test_a_stopped_run_leaves_no_csv_that_looks_complete_or_a_valid_one(self):
        result = self.stopped_soon(["run", "pendulum", "--steps", "2000000000", "--every", "1000", "--out", "a.csv", "--json"],
                                   signal.SIGTERM).json
        rows = (self.dir / "a.csv").read_text().splitlines()
        self.assertEqual([float(x) for x in rows[-1].split(",")[1:3]], result["q"])
        self.assertEqual(self.files(), ["a.csv"])


class AKilledRun(ResumeTest):
    def killed_and_resumed(self, method, delays):
        whole = self.uninterrupted(method, 3 * STEPS)
        child = self.start(self.arguments(method, "cut.h5", 3 * STEPS))
        self.wait_for_file("cut.h5")
        # Checkpoints are seconds apart; a clean stop first puts one in the middle, where the kills then fall back to.
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=program.TIME_LIMIT)
        if child.returncode != -signal.SIGINT:  # otherwise it came while the program was still starting
            stopped = program.Result(child.returncode, out.decode(), err.decode()).json
            self.assertIn(stopped["status"], ("stopped", "completed"))
        child = self.start(["run", "--resume", "cut.h5", "--json", "--quiet"])
        for delay in delays:
            time.sleep(delay)
            child.kill()
            child.communicate()
            t, q = self.rows_of_killed("cut.h5")
            self.assertTrue(numpy.all(numpy.diff(t) > 0))
            self.assertTrue(numpy.all(numpy.isfinite(q)))
            child = self.start(["run", "--resume", "cut.h5", "--json", "--quiet"])
        child.communicate(timeout=program.TIME_LIMIT)
        self.assert_same_run(self.resume(), whole)

    def test_rattle_killed_again_and_again_and_resumed_equals_the_whole_run(self):
        self.killed_and_resumed("rattle", (0.0, 0.013, 0.041, 0.007, 0.09))

    def test_leapfrog_killed_again_and_again_and_resumed_equals_the_whole_run(self):
        self.killed_and_resumed("leapfrog", (0.011, 0.002, 0.023))

    def test_shake_killed_while_every_step_is_recorded_equals_the_whole_run(self):
        arguments = ["run", "pendulum", "--method", "shake", "--steps", "60000", "--json", "--quiet"]
        whole = self.libration(*arguments, "--out", "whole.h5")
        child = self.start([*arguments, "--out", "cut.h5"])
        self.wait_for_file("cut.h5")
        for delay in (0.0, 0.02, 0.005):
            time.sleep(delay)
            child.kill()
            child.communicate()
            t, _ = self.rows_of_killed("cut.h5")
            self.assertTrue(numpy.all(numpy.diff(t) > 0))
            child = self.start(["run", "--resume", "cut.h5", "--json", "--quiet"])
        child.communicate(timeout=program.TIME_LIMIT)
        self.assert_same_run(self.resume(), (without_clock(whole.json), contents(self.dir / "whole.h5")))

    def test_the_file_of_a_killed_run_is_readable_as_it_lies(self):
        child = self.start(self.arguments("rattle", "cut.h5", 10**9))
        self.wait_for_file("cut.h5")
        time.sleep(1)  # past the creation, well into the run
        child.kill()
        child.communicate()
        with h5py.File(self.dir / "cut.h5", "r") as file:
            self.assertGreater(len(file["run/t"]), 0)
            self.assertEqual(file.attrs["status"], "running")


class AnExtendedRun(ResumeTest):
    def test_a_finished_run_made_longer_equals_the_long_run_for_every_method(self):
        for method in METHODS:
            with self.subTest(method), contextlib.ExitStack() as stack:
                stack.callback(lambda: [(self.dir / n).unlink(missing_ok=True) for n in ("cut.h5", "whole.h5")])
                whole = self.uninterrupted(method, 5000)
                short = self.libration(*self.arguments(method, "cut.h5", 2000))
                self.assertEqual(short.status, 0, short)
                self.assert_same_run(self.resume("--steps", "5000"), whole)

    def test_the_last_row_of_a_short_run_goes_when_it_is_no_multiple_of_every(self):
        whole = self.uninterrupted("rattle", 5000)
        self.libration(*self.arguments("rattle", "cut.h5", 1500))
        self.assert_same_run(self.resume("--steps", "5000"), whole)

    def test_a_longer_duration_counts_from_the_start_of_the_run(self):
        whole = self.uninterrupted("verlet", 5000)
        self.libration(*self.arguments("verlet", "cut.h5", 2000))
        self.assert_same_run(self.resume("--duration", "50"), whole)

    def test_extending_twice_equals_the_long_run(self):
        whole = self.uninterrupted("shake", 4000)
        self.libration(*self.arguments("shake", "cut.h5", 1))
        self.resume("--steps", "1777")
        self.assert_same_run(self.resume("--steps", "4000"), whole)

    def test_a_run_of_no_steps_can_be_made_longer(self):
        whole = self.uninterrupted("leapfrog", 3000)
        self.libration(*self.arguments("leapfrog", "cut.h5", 0))
        self.assert_same_run(self.resume("--steps", "3000"), whole)

    def test_projected_initial_values_are_resumed_to_the_same_bits(self):
        model = self.write(PENDULUM.replace("q = [1, 0]", "q = [1, 0.1]"))
        whole = self.run_json(model, "--project", "--steps", "50", "--out", "whole.h5")
        self.run_json(model, "--project", "--steps", "20", "--out", "cut.h5")
        self.assert_same_run(self.resume("--steps", "50"), (without_clock(whole), contents(self.dir / "whole.h5")))

    def test_parameters_that_were_set_are_kept_by_the_file(self):
        whole = self.run_json("chain", "--set", "n=4", "--set", "g=1/3", "--steps", "50", "--out", "whole.h5")
        self.run_json("chain", "--set", "n=4", "--set", "g=1/3", "--steps", "20", "--out", "cut.h5")
        self.assert_same_run(self.resume("--steps", "50"), (without_clock(whole), contents(self.dir / "whole.h5")))

    def test_large_linkages_are_resumed_to_the_same_bits(self):
        for problem, size in {"net": ["n=12", "m=12"], "chain": ["n=1000"]}.items():
            for method in ("rattle", "shake"):
                with self.subTest(problem, method=method), contextlib.ExitStack() as stack:
                    stack.callback(lambda: [(self.dir / n).unlink(missing_ok=True) for n in ("cut.h5", "whole.h5")])
                    arguments = [problem, *(word for pair in size for word in ("--set", pair)), "--method", method,
                                 "--step", "0.002"]
                    whole = self.run_json(*arguments, "--steps", "40", "--out", "whole.h5")
                    self.run_json(*arguments, "--steps", "13", "--out", "cut.h5")
                    again = self.resume("--steps", "40").json
                    # Not assertEqual: to show how thousands of numbers differ takes it minutes.
                    self.assertTrue(without_clock(again) == without_clock(whole), "the results differ")
                    self.assertTrue(contents(self.dir / "cut.h5") == contents(self.dir / "whole.h5"), "the files differ")

    def test_a_model_file_that_is_gone_is_not_needed(self):
        model = self.write(PENDULUM)
        self.run_json(model, "--steps", "20", "--out", "cut.h5")
        (self.dir / model).unlink()
        self.assertEqual(self.resume("--steps", "30").json["steps"], 30)


class AFinishedRun(ResumeTest):
    def setUp(self):
        super().setUp()
        self.model = self.write(PENDULUM)
        self.first = without_clock(self.run_json(self.model, "--out", "cut.h5"))

    def test_returns_its_result_with_status_0(self):
        self.assertEqual(without_clock(self.resume().json), self.first)

    def test_is_not_changed_by_being_read(self):
        before = contents(self.dir / "cut.h5")
        self.resume()
        self.assertEqual(contents(self.dir / "cut.h5"), before)

    def test_accepts_its_own_model_and_options_again(self):
        result = self.libration("run", self.model, "--resume", "cut.h5", "--method", "rattle", "--step", "1e-2",
                                "--steps", "10", "--every", "1", "--monitor", "1", "--json", "--quiet")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(without_clock(result.json), self.first)

    def test_refuses_options_that_disagree_and_names_both_values(self):
        for arguments, says in (
            (["--method", "shake"], ["shake", "rattle"]),
            (["--step", "0.02"], ["0.02", "0.01"]),
            (["--every", "7"], ["7", "1"]),
            (["--monitor", "7"], ["7", "1"]),
            (["--project"], ["--project"]),
            (["--steps", "9"], ["10", "9"]),
            (["--duration", "0.05"], ["10", "5"]),
            (["--set", "g=2"], ["--set"]),
            (["--out", "other.h5"], ["--out"]),
        ):
            with self.subTest(arguments):
                self.refused("--resume", "cut.h5", *arguments, says=says)
        self.assertEqual(without_clock(self.resume().json), self.first)

    def test_refuses_another_model(self):
        self.refused("pendulum", "--resume", "cut.h5", says=["rod", "pendulum"])
        changed = self.write(PENDULUM.replace("g = 1.0", "g = 2.0"), "changed.toml")
        self.refused(changed, "--resume", "cut.h5", says=["changed.toml"])
