"""`libration doctor`: what this build and this machine have."""

import os
import re

import program
from program import ProgramTest


class Doctor(ProgramTest):
    def test_says_what_there_is(self):
        result = self.libration("doctor")
        self.assertEqual((result.status, result.stderr), (0, ""))
        version = self.libration("--version").stdout.strip()
        self.assertTrue(result.stdout.startswith(version), result.stdout)
        for label in ("compiler", "HDF5", "threads", "memory", "instruction sets", "generated code"):
            self.assertRegex(result.stdout, rf"(?m)^  {label} +\S")

    def test_in_json_agrees_with_the_machine_and_with_runs(self):
        found = self.libration("doctor", "--json").json
        self.assertEqual(f"libration {found['version']}\n", self.libration("--version").stdout)
        self.assertRegex(found["hdf5"], r"^\d+\.\d+\.\d+")
        self.assertEqual(found["threads"], len(os.sched_getaffinity(0)))
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertAlmostEqual(found["memory_gib"], pages / 2**30, delta=0.01)
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = set(re.search(r"(?m)^flags\s*: (.*)$", file.read()).group(1).split())
        for name, flag in (("SSE2", "sse2"), ("AVX", "avx"), ("FMA", "fma"), ("AVX2", "avx2"), ("AVX-512", "avx512f")):
            self.assertEqual(name in found["instruction_sets"], flag in flags, name)
        self.assertEqual(found["fused_multiply_add"], "fma" in flags)
        # Code that is said to be available is made, and none where it is not.
        run = self.libration("run", "pendulum", "--steps", "1000", "--backend", "generated", "--quiet")
        code = found["generated_code"]
        self.assertEqual(code["available"], code["reason"] is None)
        self.assertEqual(code["available"], bool(re.search(r"(?m)^  code +generated", run.stdout)), run.stdout)

    def test_without_its_module_says_so_and_what_to_do(self):
        # The program looks for the module beside itself.
        alone = self.dir / "libration"
        alone.write_bytes(open(program.LIBRATION, "rb").read())
        alone.chmod(0o755)
        before, program.LIBRATION = program.LIBRATION, str(alone)
        try:
            result, found = self.libration("doctor"), self.libration("doctor", "--json").json["generated_code"]
        finally:
            program.LIBRATION = before
        self.assertEqual(result.status, 0)
        self.assertFalse(found["available"])
        self.assertIn("results are bitwise identical", result.stdout)
