"""Events in HDF5 files: all that --json says of them, also after a restart."""

import gzip
import os
import pathlib
import signal
import subprocess
import time

import h5py
import numpy as np

from program import LIBRATION, ProgramTest

FILES = pathlib.Path(__file__).parents[1] / "files"
CLOCK = {"seconds", "setup_seconds", "backend"}
EVENTS = ["--event", "side: x1", "--event", "deep: y2 + 1.9 falling"]


class EventFiles(ProgramTest):
    def events_of(self, name):
        with h5py.File(self.dir / name) as file:
            return {key: dataset[()] for key, dataset in file["events"].items()}

    def same_events(self, one, other):
        one, other = self.events_of(one), self.events_of(other)
        self.assertEqual(set(one), set(other))
        for key, values in one.items():
            self.assertEqual(values.tobytes(), other[key].tobytes(), key)
            self.assertEqual(values.shape, other[key].shape, key)

    def test_hold_the_states_of_json(self):
        result = self.run_json("double-pendulum", "--steps", "900", *EVENTS, "--out", "a.h5", "--every", "50", "--full")
        states = result["event_states"]
        self.assertGreater(len(states), 4)
        found = self.events_of("a.h5")
        self.assertEqual(set(found), {"event", "rising", "step", "t", "q", "p", "v", "lambda", "energy", "constraint",
                                      "hidden"})
        with h5py.File(self.dir / "a.h5") as file:
            self.assertEqual(file.attrs["format"], "libration-trajectory 3")
            names = list(file["events/event"].attrs["names"])
            self.assertEqual(list(file["events/q"].attrs["names"]), ["x1", "y1", "x2", "y2"])
        self.assertEqual([names[k] for k in found["event"]], [state["name"] for state in states])
        self.assertEqual({state["name"] for state in states}, {"side", "deep"})
        for key in ("t", "q", "p", "v", "lambda"):
            self.assertEqual(found[key].tolist(), [state[key] for state in states], key)
        self.assertEqual([value == 1 for value in found["rising"]], [state["rising"] for state in states])
        step = np.floor(found["t"] / result["step"])
        self.assertEqual(found["step"].tolist(), step.astype(int).tolist())
        self.assertLess(found["constraint"].max(), 1e-14)

    def test_are_absent_where_the_run_has_no_events_and_empty_where_none_happened(self):
        self.run_json("pendulum", "--steps", "10", "--out", "none.h5")
        with h5py.File(self.dir / "none.h5") as file:
            self.assertNotIn("events", file)
        self.run_json("pendulum", "--steps", "10", "--event", "y - 5", "--out", "never.h5")
        self.assertEqual(self.events_of("never.h5")["t"].shape, (0,))

    def test_of_a_resumed_run_are_those_of_an_uninterrupted_one(self):
        # To the end; stopped after the interruption, and before it; ended by an event.
        conditions = (([], 900), (["--stop-if", "t > 11 and x2 < 0"], 560), (["--stop-if", "y2 < -1.95"], 42),
                      (["--event", "end: t - 13.017 terminal"], 651))
        for method in ("rattle", "shake", "lobatto(3)", "multistep(4)"):
            for number, (condition, most) in enumerate(conditions):
                with self.subTest(f"{method} {condition}"):
                    base = ["double-pendulum", "--method", method, "--step", "0.02", *EVENTS, *condition, "--every", "7"]
                    whole, part = f"{method}{number}.h5", f"{method}{number}-part.h5"
                    wanted = self.run_json(*base, "--steps", "900", "--out", whole, "--full")
                    self.assertEqual(wanted["status"], "completed" if most == 900 else "stopped")
                    self.assertTrue(most - 45 < wanted["steps"] <= most + 45, wanted["steps"])
                    self.run_json(*base, "--steps", "211", "--out", part)
                    resumed = self.run_json("--resume", part, "--steps", "900", "--full", "--events-out", f"{part}.csv")
                    self.assertEqual({k: v for k, v in resumed.items() if k not in CLOCK},
                                     {k: v for k, v in wanted.items() if k not in CLOCK})
                    self.same_events(whole, part)
                    self.run_json(*base, "--steps", "900", "--events-out", f"{whole}.csv")
                    self.assertEqual((self.dir / f"{part}.csv").read_text(), (self.dir / f"{whole}.csv").read_text())

    def test_of_a_run_that_was_killed_go_on_from_its_checkpoint(self):
        base = ["double-pendulum", "--method", "rattle", "--step", "0.01", *EVENTS, "--every", "1000", "--quiet"]
        self.assertEqual(self.libration("run", *base, "--steps", "400000", "--out", "whole.h5").status, 0)
        with subprocess.Popen([LIBRATION, "run", *base, "--steps", "400000000", "--out", "killed.h5"], cwd=self.dir,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            end = time.monotonic() + 60
            while time.monotonic() < end:  # until it is on its way
                try:
                    if len(self.events_of("killed.h5")["t"]) > 1000:
                        break
                except (OSError, KeyError):
                    pass
                time.sleep(0.05)
            os.kill(running.pid, signal.SIGKILL)
        with h5py.File(self.dir / "killed.h5") as file:
            self.assertEqual(file.attrs["status"], "running")
        # Longer than it was meant to be is allowed, shorter is not: it is resumed, and stopped, by a time limit.
        self.assertEqual(self.libration("run", "--resume", "killed.h5", "--quiet", "--time-limit", "2s").status, 0)
        killed, whole = self.events_of("killed.h5"), self.events_of("whole.h5")
        common = min(len(killed["t"]), len(whole["t"]))
        self.assertGreater(common, 1000)
        for key, values in killed.items():
            self.assertEqual(values[:common].tobytes(), whole[key][:common].tobytes(), key)

    def test_that_are_lost_are_lost_again_in_a_resumed_run(self):
        lost = self.run_json("pendulum", "--event", "log(x + 0.5)", "--event", "side: x", "--duration", "5", "--out", "a.h5", status=1)
        self.assertEqual((lost["failure"]["kind"], lost["failure"]["step"]), ("event", 224))
        again = self.run_json("--resume", "a.h5", status=1)
        self.assertEqual({k: v for k, v in again.items() if k not in CLOCK}, {k: v for k, v in lost.items() if k not in CLOCK})

    def test_of_a_file_of_the_format_before_are_not_there_and_nobody_says_that_none_happened(self):
        (self.dir / "old.h5").write_bytes(gzip.decompress((FILES / "run_of_format_2.h5.gz").read_bytes()))
        self.refused("--resume", "old.h5", "--events-out", "e.csv", says=["--events-out", "earlier version"])
        result = self.run_json("--resume", "old.h5", "--steps", "1000")
        self.assertEqual(result["events"]["side"]["count"], 3)
        self.assertIsNone(result["event_states"])
