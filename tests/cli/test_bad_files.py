"""Outputs that cannot be written, and files that cannot be resumed."""

import random
import resource
import signal
import subprocess
import tempfile

import h5py

import program
from program import PENDULUM, ProgramTest


class AnOutput(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.write(PENDULUM)

    def test_below_a_regular_file_or_in_no_directory_is_status_3(self):
        for name in ("model.toml/a.h5", "model.toml/a.csv", "nowhere/a.h5", "nowhere/a.csv"):
            with self.subTest(name):
                self.refused(self.model, "--out", name, status=3, says=[name, "directory"])

    def test_that_exists_is_refused_and_kept(self):
        for name in ("a.h5", "a.csv"):
            with self.subTest(name):
                self.run_json(self.model, "--out", name)
                before = (self.dir / name).read_bytes()
                self.refused(self.model, "--out", name, says=[name, "--overwrite"])
                self.assertEqual((self.dir / name).read_bytes(), before)
                result = self.run_json(self.model, "--out", name, "--overwrite", "--steps", "3")
                self.assertEqual(result["steps"], 3)
                self.assertNotEqual((self.dir / name).read_bytes(), before)

    def test_that_would_be_overwritten_survives_a_refusal(self):
        for name in ("a.h5", "a.csv"):
            with self.subTest(name):
                self.run_json(self.model, "--out", name)
                before = (self.dir / name).read_bytes()
                self.refused(self.model, "--out", name, "--overwrite", "--step", "0")
                self.refused("pendulum", "--out", name, "--overwrite", "--method", "verlet")
                self.assertEqual((self.dir / name).read_bytes(), before)

    def test_that_is_a_directory_is_refused_before_the_run(self):
        for name in ("d.h5", "d.csv"):
            with self.subTest(name):
                (self.dir / name).mkdir()
                result = self.libration("run", self.model, "--out", name, "--overwrite", "--quiet")
                self.assertEqual((result.status, result.stdout), (3, ""), result)
                self.assertEqual(self.files(), ["model.toml"])

    def with_little_room(self, name):
        """A run whose files may not grow beyond 100 blocks of 512 bytes: a full disk, for root too."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (51200, 51200))

        done = subprocess.run([program.LIBRATION, "run", "pendulum", "--steps", "20000", "--out", name, "--json"],
                              cwd=self.dir, env=program.environment(), capture_output=True, preexec_fn=limit,
                              timeout=program.TIME_LIMIT, check=False)
        return program.Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_csv_on_a_full_disk_is_status_3_and_leaves_nothing_under_its_name(self):
        result = self.with_little_room("a.csv")
        self.assertEqual((result.status, result.stdout), (3, ""), result)
        self.assertIn("a.csv", result.stderr)
        self.assertEqual(self.files(), ["model.toml"])

    def test_hdf5_on_a_full_disk_is_status_3_and_leaves_a_file_that_can_be_resumed(self):
        result = self.with_little_room("a.h5")
        self.assertEqual((result.status, result.stdout), (3, ""), result)
        self.assertIn("a.h5", result.stderr)
        resumed = self.libration("run", "--resume", "a.h5", "--json", "--quiet")
        self.assertEqual(resumed.status, 0, resumed)
        whole = self.run_json("pendulum", "--steps", "20000")
        self.assertEqual(resumed.json["q"], whole["q"])

    @staticmethod
    def status_into_full_device(*arguments):
        with open("/dev/full", "wb") as full, tempfile.TemporaryDirectory() as directory:
            return subprocess.run([program.LIBRATION, *arguments], stdout=full, stderr=subprocess.DEVNULL,
                                  cwd=directory, timeout=program.TIME_LIMIT, check=False).returncode

    def test_standard_output_that_cannot_be_written_is_status_3(self):
        for arguments in (["run", "pendulum", "--steps", "3", "--json"], ["run", "pendulum", "--steps", "3"],
                          ["methods", "--json"], ["problems"], ["check", "pendulum", "--json"]):
            with self.subTest(arguments):
                self.assertEqual(self.status_into_full_device(*arguments), 3)


class AFileToResume(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.run_json("model.toml", "--out", "whole.h5")
        self.whole = (self.dir / "whole.h5").read_bytes()

    def test_that_is_truncated_is_status_3_and_not_touched(self):
        for length in (1, 8, 96, 500, 2048, len(self.whole) // 2, len(self.whole) - 1):
            with self.subTest(length):
                cut = self.dir / "cut.h5"
                cut.write_bytes(self.whole[:length])
                self.refused("--resume", "cut.h5", status=3, says=["cut.h5"])
                self.assertEqual(cut.read_bytes(), self.whole[:length])

    def test_that_is_empty_or_text_or_missing_is_status_3_and_says_how_to_mend_it(self):
        (self.dir / "empty.h5").write_bytes(b"")
        (self.dir / "text.h5").write_text("hello " * 1000)
        self.refused("--resume", "empty.h5", status=3, says=["empty.h5", "empty", "--overwrite"])
        self.refused("--resume", "text.h5", status=3, says=["text.h5", "not an HDF5 file", "--out"])
        self.refused("--resume", "missing.h5", status=3, says=["missing.h5", "No such file"])
        self.refused("--resume", "model.toml", status=3, says=["model.toml"])
        self.refused("--resume", ".", status=3, says=["directory"])

    def test_that_was_written_by_another_program_is_status_3(self):
        with h5py.File(self.dir / "other.h5", "w") as file:
            file["run/t"] = [1.0, 2.0]
        self.refused("--resume", "other.h5", status=3, says=["other.h5", "not a libration trajectory"])

    def string_heap(self):
        """The bytes where HDF5 keeps strings of variable length: the one part of a file that it does not protect by checksums.
        Damage to its structure can end in a crash inside HDF5 1.10 itself (docs/decisions/0006)."""
        found = set()
        at = self.whole.find(b"GCOL\x01\0\0\0")
        while at >= 0:
            found.update(range(at, at + int.from_bytes(self.whole[at + 8:at + 16], "little")))
            at = self.whole.find(b"GCOL\x01\0\0\0", at + 1)
        self.assertTrue(found)
        return found

    def test_that_has_flipped_bits_outside_the_string_heap_never_crashes_or_hangs(self):
        random.seed(1)  # the same damage each time
        places = sorted(set(range(len(self.whole))) - self.string_heap())
        for trial in range(60):
            damaged = bytearray(self.whole)
            for _ in range(random.choice((1, 1, 4))):
                damaged[random.choice(places)] ^= 1 << random.randrange(8)
            (self.dir / "bad.h5").write_bytes(damaged)
            done = subprocess.run([program.LIBRATION, "run", "--resume", "bad.h5", "--steps", "30", "--json", "--quiet"],
                                  cwd=self.dir, capture_output=True, timeout=10, check=False)
            self.assertIn(done.returncode, (0, 2, 3), f"trial {trial}: {done}")
