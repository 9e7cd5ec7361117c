"""`pip install .` makes a package that runs, from the source tree alone and without a network.

What is compiled comes from the build tree of these tests (LIBRATION_WHEEL_BUILD_DIR); the rest is what every user gets:
an isolated build by our backend, a wheel, its installation into a fresh environment.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

SOURCE_DIR = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])
BUILD_DIR = pathlib.Path(os.environ["LIBRATION_WHEEL_BUILD_DIR"])
TIME_LIMIT = 300

CHECK = """
import json, libration as lb
run = lb.load("pendulum").run("rattle", step=0.01, steps=10)
print(json.dumps({"file": lb.__file__, "version": lb.__version__, "q": run.q[-1].tolist(), "json": run.summary["q"]}))
"""


def call(*command: str | pathlib.Path, directory: pathlib.Path) -> str:
    # Nothing of the test's own environment may help: the package must be found where pip put it.
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    done = subprocess.run([str(part) for part in command], cwd=directory, env=environment, capture_output=True,
                          text=True, timeout=TIME_LIMIT, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Environment:
    """A virtual environment with the system's numpy, made for one test."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        call(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder, directory=folder.parent)

    def python(self, *arguments: str) -> str:
        return call(self.folder / "bin" / "python", *arguments, directory=self.folder)

    def pip(self, *arguments: str | pathlib.Path) -> str:
        # Installing pip into the environment takes longer than all the rest.
        return call(sys.executable, "-m", "pip", "--python", self.folder / "bin" / "python", *arguments,
                    directory=self.folder)

    def files(self) -> set[pathlib.Path]:
        return set(self.folder.rglob("*"))


@pytest.fixture
def environment(tmp_path: pathlib.Path) -> Environment:
    return Environment(tmp_path / "v")


def test_an_installed_package_runs_a_model_and_is_removed_without_a_trace(environment: Environment) -> None:
    before = environment.files()
    environment.pip("install", "--no-index", SOURCE_DIR)
    result = json.loads(environment.python("-c", CHECK))
    assert pathlib.Path(result["file"]).is_relative_to(environment.folder)
    assert result["q"] == result["json"]
    shown = environment.pip("show", "libration")
    assert f"Version: {result['version']}" in shown
    assert "Requires: numpy" in shown
    environment.pip("uninstall", "--yes", "libration")
    assert environment.files() - before == set()


def test_an_editable_installation_imports_the_sources(environment: Environment) -> None:
    environment.pip("install", "--no-index", "--editable", SOURCE_DIR)
    result = json.loads(environment.python("-B", "-c", CHECK))
    assert pathlib.Path(result["file"]).resolve() == SOURCE_DIR / "python" / "libration" / "__init__.py"


def test_a_wheel_holds_the_package_and_nothing_else(tmp_path: pathlib.Path) -> None:
    call(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w", tmp_path, SOURCE_DIR,
         directory=tmp_path)
    wheel = next(tmp_path.glob("libration-*.whl"))
    major, minor = sys.version_info[:2]
    assert f"-cp{major}{minor}-cp{major}{minor}-linux_" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    sources = {f"libration/{path.name}" for path in (SOURCE_DIR / "python" / "libration").iterdir() if path.is_file()}
    assert sources <= set(names)
    assert {name for name in names if name.startswith("libration/") and name.endswith(".pyc")} == set()
    needs = re.findall(r"(?m)^Requires-Dist: (numpy[^;\n]*)$", zipfile.ZipFile(wheel).read(next(
        name for name in names if name.endswith(".dist-info/METADATA"))).decode())
    assert needs == ["numpy>=1.24"]  # any newer one, too: see test_core_binary.py
    beside = {name.split("/")[0] for name in names}
    assert beside == {"libration", f"{wheel.name.split('-cp')[0]}.dist-info"}
    with_code = (BUILD_DIR / "liblibration-llvm.so").exists()
    assert ("libration/liblibration-llvm.so" in names) == with_code


def test_a_source_distribution_holds_what_the_build_reads(tmp_path: pathlib.Path) -> None:
    script = "import sys, build_backend; print(build_backend.build_sdist(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-B", "-c", script, str(tmp_path)], cwd=SOURCE_DIR / "python",
                          capture_output=True, text=True, timeout=TIME_LIMIT, check=True)
    archive = tarfile.open(tmp_path / done.stdout.strip())
    top = done.stdout.strip().removesuffix(".tar.gz")
    names = {name.removeprefix(f"{top}/") for name in archive.getnames()}
    assert {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "python/build_backend.py",
            "python/core/module.cpp", "src/scalar/elementary.cpp", "problems/pendulum.toml"} <= names
    assert not any(name.startswith(("build/", ".git/")) for name in names)


def test_a_build_for_another_interpreter_is_refused(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-B", "-c", "import build_backend; build_backend.build_wheel('.')"],
                          cwd=SOURCE_DIR / "python", env={**os.environ, "LIBRATION_WHEEL_BUILD_DIR": str(tmp_path)},
                          capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    assert done.returncode != 0
    assert "was not built for" in done.stderr
