"""The installed package, imported from its prefix, runs a model, with generated code where it can be made."""

import os
import pathlib
import sys

import libration as lb

prefix = pathlib.Path(sys.argv[1]).resolve()
assert prefix in pathlib.Path(lb.__file__).resolve().parents, lb.__file__

# Without AVX2 and FMA no code can be made; with them, an installed package that cannot find its module is broken.
code = os.environ["GENERATES_CODE"] == "1" and {"avx2", "fma"} <= set(pathlib.Path("/proc/cpuinfo").read_text().split())
run = lb.load("pendulum").run("rattle", step=0.01, steps=2000, backend="generated" if code else "interpreted")
# RATTLE has order two: see main.cpp.
assert 0 < run.summary["energy"]["max_error"] < 100 * 0.01**2, run.summary["energy"]
print("libration", lb.__version__, "from Python:", run.summary["backend"])
assert run.summary["backend"]["name"].startswith("generated" if code else "interpreted"), run.summary["backend"]
