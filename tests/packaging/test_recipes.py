"""Recipes for other package managers name the version and the dependencies of the build, and options that it has.

None of those package managers is here. The recipe of Spack runs with a recording of its directives in Spack's place, that of conda is
read as YAML, that of Homebrew as text (scripts/package has Ruby check its syntax), and the container file by its instructions.
"""

import os
import pathlib
import re
import sys
import types
import unittest

import yaml

SOURCE = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])

# What scripts/packages calls it, and its names for conda, Homebrew and Spack. None: the package manager brings it, or the
# build can do without.
NAMES = {
    "g++": ('${{ compiler("cxx") }}', None, "cxx"),
    "cmake": ("cmake", "cmake", "cmake"),
    "ninja-build": ("ninja", "ninja", None),
    "ccache": (None, None, None),
    "pkg-config": ("pkg-config", "pkgconf", "pkgconfig"),
    "make": (None, None, None),
    "libfmt-dev": ("fmt", "fmt", "fmt"),
    "libcli11-dev": ("cli11", "cli11", "cli11"),
    "libtomlplusplus-dev": ("tomlplusplus", "tomlplusplus", "tomlplusplus"),
    "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json", "nlohmann-json"),
    "libhdf5-dev": ("hdf5", "hdf5", "hdf5"),
    "libsleef-dev": ("sleef", "sleef", "sleef"),
    "$llvm": ("llvmdev", "llvm@19", "llvm"),
    "python3": ("python", "python@3.13", "python"),
    "python3-dev": (None, None, None),
    "python3-numpy": ("numpy", "numpy", "py-numpy"),
    "pybind11-dev": ("pybind11", "pybind11", "py-pybind11"),
}


def text_of(name):
    return (SOURCE / name).read_text(encoding="utf-8")


def needed(manager):
    """The names of what scripts/packages installs for the program and the Python package."""
    script = text_of("scripts/packages")
    debian = [each for group in ("program", "python") for each in re.search(rf'(?m)^{group}="([^"]*)"', script)[1].split()]
    return sorted(name for each in debian if (name := NAMES[each][manager]) is not None)


def version():
    return re.search(r"project\(libration\s+VERSION\s+([0-9.]+)", text_of("CMakeLists.txt"))[1]


def options_of_the_build():
    files = [SOURCE / "CMakeLists.txt", *(SOURCE / "cmake").glob("*.cmake")]
    return set(re.findall(r"(?:option|set)\((LIBRATION_\w+)", "".join(path.read_text(encoding="utf-8") for path in files)))


def least_of_the_build(what):
    """The oldest version that the CMake files accept."""
    return re.search({"cmake": r"cmake_minimum_required\(VERSION ([0-9.]+)", "python": r"find_package\(Python ([0-9.]+)",
                      "pybind11": r"set\(pybind11_wanted ([0-9.]+)\)"}[what],
                     text_of("CMakeLists.txt") + text_of("python/CMakeLists.txt"))[1]


class Recorded:
    """A recipe of Spack, run with these directives."""

    def __init__(self, path):
        self.calls = []
        package = types.ModuleType("spack.package")
        names = ("license", "version", "variant", "depends_on", "extends", "requires")
        for name in names:
            setattr(package, name, self.directive(name))
        package.when = lambda condition: self
        package.__all__ = [*names, "when"]
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage, cmake.generator = type("CMakePackage", (), {}), self.directive("generator")
        modules = {"spack": types.ModuleType("spack"), "spack.package": package, cmake.__name__: cmake}
        for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
            modules[name] = types.ModuleType(name)
        before = dict(sys.modules)
        sys.modules.update(modules)
        try:
            scope = {}
            exec(compile(path.read_text(encoding="utf-8"), path, "exec"), scope)
        finally:
            sys.modules.clear()
            sys.modules.update(before)
        self.recipe = scope["Libration"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def directive(self, name):
        return lambda *arguments, **options: self.calls.append((name, arguments, options))

    def first_arguments(self, *names):
        return [arguments[0] for name, arguments, _ in self.calls if name in names]

    def arguments_of_cmake(self):
        recipe = self.recipe()
        recipe.define = lambda name, value: f"-D{name}={value}"
        recipe.define_from_variant = lambda name, variant: f"-D{name}=[{variant}]"
        python = types.SimpleNamespace(command=types.SimpleNamespace(path="/python"))
        recipe.spec = type("Spec", (dict,), {"satisfies": lambda self, condition: True})(python=python)
        return recipe.cmake_args()


class Recipes(unittest.TestCase):
    def setUp(self):
        self.conda = yaml.safe_load(text_of("packaging/conda-forge/recipe.yaml"))
        self.homebrew = text_of("packaging/homebrew/libration.rb")
        self.spack = Recorded(SOURCE / "packaging/spack/package.py")

    def test_versions_are_that_of_the_build(self):
        self.assertEqual(self.conda["context"]["version"], version())
        self.assertEqual(re.search(r'url "[^"]*-([0-9.]+)\.tar\.gz"', self.homebrew)[1], version())
        self.assertEqual(self.spack.first_arguments("version"), [version()])
        self.assertTrue(self.spack.recipe.url.endswith(f"-{version()}.tar.gz"))

    def test_conda_names_what_the_build_needs(self):
        named = [each for kind in self.conda["requirements"].values() for each in kind]
        plain = {each if each.startswith("${{") else each.split()[0] for each in named}
        self.assertEqual(sorted(plain - {'${{ stdlib("c") }}'}), needed(0))

    def test_homebrew_names_what_the_build_needs(self):
        self.assertEqual(sorted(re.findall(r'(?m)^  depends_on "([^"]+)"', self.homebrew)), needed(1))
        self.assertIn("  depends_on :linux\n", self.homebrew)  # libquadmath
        self.assertIn("  depends_on arch: :x86_64\n", self.homebrew)

    def test_spack_names_what_the_build_needs(self):
        named = [re.match(r"[\w-]+", each)[0] for each in self.spack.first_arguments("depends_on", "extends")]
        self.assertEqual(sorted(named), needed(2))
        self.assertIn("platform=linux", self.spack.first_arguments("requires"))
        self.assertEqual(self.spack.first_arguments("generator"), ["ninja"])

    def test_oldest_versions_are_those_of_the_build(self):
        conda = [each for kind in self.conda["requirements"].values() for each in kind]
        spack = self.spack.first_arguments("depends_on", "extends")
        cmake, python, pybind11 = map(least_of_the_build, ("cmake", "python", "pybind11"))
        self.assertLessEqual({f"cmake >={cmake}", f"python >={python}", f"pybind11 >={pybind11}"}, set(conda))
        self.assertLessEqual({f"cmake@{cmake}:", f"python@{python}:", f"py-pybind11@{pybind11}:"}, set(spack))
        numpy = re.search(r'"numpy>=([0-9.]+)"', text_of("pyproject.toml"))[1]
        self.assertIn(f"numpy >={numpy}", conda)
        self.assertIn(f"py-numpy@{numpy}:", spack)
        # find_package of CMake rejects LLVM outside of this range.
        first, last = re.search(r"no LLVM (\d+) to (\d+)", text_of("cmake/CodeModule.cmake")).groups()
        self.assertIn(f"llvmdev >={first},<{int(last) + 1}", conda)
        self.assertIn(f"llvm@{first}:{last}", spack)

    def test_options_exist_in_the_build(self):
        spack = " ".join(self.spack.arguments_of_cmake())
        for recipe in (" ".join(self.conda["build"]["script"]), self.homebrew, spack):
            named = set(re.findall(r"-D(LIBRATION_\w+)", recipe))
            self.assertLessEqual({"LIBRATION_PYTHON_MODULE", "LIBRATION_TESTS"}, named)
            self.assertLessEqual(named, options_of_the_build())
            self.assertRegex(recipe, r"-DPython_EXECUTABLE=\S")

    def test_keys_of_conda_are_those_of_the_format(self):
        self.assertEqual(self.conda["schema_version"], 1)
        self.assertEqual(set(self.conda), {"schema_version", "context", "package", "source", "build", "requirements", "tests", "about"})
        self.assertLessEqual(set(self.conda["requirements"]), {"build", "host", "run"})
        self.assertTrue((SOURCE / self.conda["about"]["license_file"]).is_file())
        self.assertTrue((SOURCE / "packaging/conda-forge" / self.conda["source"]["path"] / "CMakeLists.txt").is_file())


class Container(unittest.TestCase):
    def setUp(self):
        whole = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text_of("packaging/Containerfile")))
        self.stages = [[line.split(maxsplit=1) for line in stage.strip().split("\n")] for stage in re.split(r"(?m)^(?=FROM )", whole) if stage]

    def test_both_stages_start_from_the_debian_of_the_packages(self):
        self.assertEqual([stage[0][1].split()[0] for stage in self.stages], ["debian:12-slim"] * 2)

    def test_the_last_stage_installs_packages_that_are_built(self):
        built = set(re.findall(r"(?m)^Package: (\S+)", text_of("packaging/debian/control")))
        copied = [words for instruction, words in self.stages[-1] if instruction == "COPY"]
        self.assertEqual(len(copied), 1)
        self.assertEqual(set(re.findall(r"/build/packages/([\w-]+)_\*\.deb", copied[0])), {"libration", "python3-libration"})
        self.assertLessEqual({"libration", "python3-libration"}, built)

    def test_the_container_is_the_program(self):
        self.assertIn(["ENTRYPOINT", '["libration"]'], self.stages[-1])


if __name__ == "__main__":
    unittest.main()
