"""Builds the wheel of the Python package: what `pip install .` calls (PEP 517 and 660), with CMake and nothing else.

Setting `-C build-dir=DIR`, or LIBRATION_WHEEL_BUILD_DIR: a CMake build directory of this tree that is built already,
for the interpreter that runs this; only what is installed from it is packed then. Otherwise the build directory is
build/wheel-cpXY in the tree, which makes a second build quick.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((TREE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
Settings = Mapping[str, str] | None


class BuildError(Exception):
    """What pip prints when the package cannot be built."""


# --- names and metadata -----------------------------------------------------------------------------------------------


def version() -> str:
    text = (TREE / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(libration\s+VERSION\s+([0-9.]+)", text)
    if found is None:
        raise BuildError("CMakeLists.txt states no version")
    return found.group(1)


def python_tag() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def wheel_tag() -> str:
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python_tag()}-{python_tag()}{sys.abiflags}-{platform}"


def metadata() -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {PROJECT['name']}",
        f"Version: {version()}",
        f"Summary: {PROJECT['description']}",
        f"License: {PROJECT['license']['text']}",
        f"Requires-Python: {PROJECT['requires-python']}",
    ]
    lines += [f"Classifier: {each}" for each in PROJECT["classifiers"]]
    lines += [f"Requires-Dist: {each}" for each in PROJECT["dependencies"]]
    for extra, needs in PROJECT["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {each}; extra == "{extra}"' for each in needs]
    readme = (TREE / PROJECT["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def dist_info() -> dict[str, bytes]:
    """The files of NAME-VERSION.dist-info, without RECORD."""
    wheel = f"Wheel-Version: 1.0\nGenerator: libration\nRoot-Is-Purelib: false\nTag: {wheel_tag()}\n"
    return {
        "METADATA": metadata().encode(),
        "WHEEL": wheel.encode(),
        "LICENSE": (TREE / "LICENSE").read_bytes(),
    }


def dist_info_name() -> str:
    return f"{PROJECT['name']}-{version()}.dist-info"


# --- building ---------------------------------------------------------------------------------------------------------


def call(*command: str | Path) -> None:
    """Runs a command of the build; its output is pip's, which shows it on failure or with -v."""
    if shutil.which(str(command[0])) is None:
        raise BuildError(f"{command[0]} is not installed; on Debian `scripts/packages program python` installs all "
                         "that the build needs")
    done = subprocess.run([str(part) for part in command], cwd=TREE, check=False)
    if done.returncode != 0:
        raise BuildError(f"failed with status {done.returncode}: {' '.join(str(part) for part in command)}")


def build(settings: Settings) -> Path:
    """The build directory, with the package built in it."""
    given = (settings or {}).get("build-dir") or os.environ.get("LIBRATION_WHEEL_BUILD_DIR")
    if given:
        directory = Path(given).resolve()
    else:
        directory = TREE / "build" / f"wheel-{python_tag()}"
        # -U: an earlier call may have been made from an environment that is gone.
        call("cmake", "--preset", "release", "-B", directory,
             "-UPython_*", "-U_Python_*", f"-DPython_EXECUTABLE={sys.executable}", "-DLIBRATION_PYTHON_MODULE=ON",
             "-DLIBRATION_TESTS=OFF", "-DLIBRATION_APP=OFF", "-DBUILD_SHARED_LIBS=OFF")
        call("cmake", "--build", directory, "--target", "libration-python", "--parallel", str(os.cpu_count() or 2))
    core = directory / "python" / "libration" / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))
    if not core.exists():
        raise BuildError(f"{directory} was not built for {sys.executable}: there is no {core.name} in it")
    return directory


def installed(directory: Path) -> dict[str, bytes]:
    """The files of the package, by the names that they have in a wheel."""
    with tempfile.TemporaryDirectory(prefix="libration-wheel-") as staging:
        call("cmake", "--install", directory, "--component", "python", "--prefix", staging)
        core = next(Path(staging).rglob("_core.*.so"))
        package = core.parent
        return {
            f"libration/{path.relative_to(package).as_posix()}": path.read_bytes()
            for path in sorted(package.rglob("*"))
            if path.is_file()
        }


# --- writing ----------------------------------------------------------------------------------------------------------


def write_wheel(folder: str, files: Mapping[str, bytes]) -> str:
    """Writes the wheel with its RECORD and returns its name. Equal contents give equal bytes."""
    info = dist_info_name()
    contents = {**files, **{f"{info}/{name}": data for name, data in dist_info().items()}}
    record = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for name, data in contents.items()
    ]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"{PROJECT['name']}-{version()}-{wheel_tag()}.whl"
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if path.endswith(".so") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return name


def sources() -> Iterator[str]:
    """What belongs to the source distribution: all that git knows or would add; without git all but what is built."""
    listing = subprocess.run(["git", "-C", str(TREE), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=False) if (TREE / ".git").exists() else None
    if listing is not None and listing.returncode == 0:
        names = listing.stdout.decode().split("\0")
    else:
        names = [path.relative_to(TREE).as_posix() for path in TREE.rglob("*")]
    for name in sorted(set(names)):
        built = name.startswith("build/") or "__pycache__" in name
        if name and not built and name != "PKG-INFO" and (TREE / name).is_file():
            yield name


# --- what pip calls ---------------------------------------------------------------------------------------------------


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    folder = Path(metadata_directory, dist_info_name())
    folder.mkdir()
    for name, data in dist_info().items():
        (folder / name).write_bytes(data)
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    return write_wheel(wheel_directory, installed(build(config_settings)))


def build_editable(wheel_directory: str, config_settings: Settings = None,
                   metadata_directory: str | None = None) -> str:
    """A wheel that points to the build tree, where the sources of the package are linked."""
    path = build(config_settings) / "python"
    return write_wheel(wheel_directory, {"_libration.pth": f"{path}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    top = f"{PROJECT['name']}-{version()}"
    with tarfile.open(Path(sdist_directory, f"{top}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        information = tarfile.TarInfo(f"{top}/PKG-INFO")
        text = metadata().encode()
        information.size = len(text)
        archive.addfile(information, BytesIO(text))
        for name in sources():
            archive.add(TREE / name, f"{top}/{name}", recursive=False)
    return f"{top}.tar.gz"
