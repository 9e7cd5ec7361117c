"""scripts/check_rooms accepts a tree in order and catches every kind of planted bad include."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(os.environ["LIBRATION_SOURCE_DIR"]) / "scripts" / "check_rooms"

GOOD = {
    "include/libration/libration.hpp": "#include <libration/model/model.hpp>\n#include <libration/io/json.hpp>\n",
    "include/libration/kit/dual.hpp": "#include <cmath>\n",
    "include/libration/kit/map.hpp": "#include <libration/kit/dual.hpp>\n#include <libration/model/model.hpp>\n",
    "include/libration/model/model.hpp": "#include <cmath>\n",
    "include/libration/methods/rattle.hpp": "#include <libration/model/model.hpp>\n",
    "src/methods/stages.hpp": "#include <libration/kit/map.hpp>\n",
    "include/libration/io/json.hpp": "#include <libration/version.hpp>\n",
    "src/model/toml.cpp": "#include <libration/model/model.hpp>\n#include <toml++/toml.h>\n",
    "src/io/json.cpp": '#include "hdf5_handle.hpp"\n#include <nlohmann/json.hpp>\n',
    "src/io/hdf5_handle.hpp": "#include <hdf5.h>\n",
    "lab/include/libration/analysis/order.hpp": "#include <libration/methods/rattle.hpp>\n",
    "lab/analysis/order.cpp": '#include <Eigen/Dense>\n#include "methods/stages.hpp"\n',
    "lab/analysis/json.cpp": "#include <nlohmann/json.hpp>\n",
    "papers/gallery/page.cpp": "#include <libration/analysis/order.hpp>\n",
    "apps/libration/main.cpp": "#include <libration/libration.hpp>\n#include <CLI/CLI.hpp>\n",
    "tests/unit/io.cpp": "#include <libration/libration.hpp>\n#include <nlohmann/json.hpp>\n",
}


class CheckRooms(unittest.TestCase):
    def check(self, planted):
        """Exit status and messages for the good tree with some files replaced or added."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **planted}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", str(SCRIPT), folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def assert_caught(self, name, text, line, words):
        status, messages = self.check({name: text})
        self.assertEqual(status, 1, f"not caught: {text!r} in {name}")
        self.assertIn(f"{name}:{line}: ", messages)
        self.assertIn(words, messages)
        self.assertEqual(len(messages.splitlines()), 1, messages)

    def test_a_tree_in_order_passes(self):
        self.assertEqual(self.check({}), (0, ""))

    def test_a_header_may_not_include_a_later_room(self):
        self.assert_caught("include/libration/model/bad.hpp", "#pragma once\n#include <libration/methods/rattle.hpp>\n",
                           2, "model comes before methods")

    def test_a_source_may_not_include_a_later_room(self):
        self.assert_caught("src/scalar/bad.cpp", '#include "libration/io/json.hpp"\n', 1, "scalar comes before io")

    def test_a_private_header_of_a_later_room_is_caught(self):
        self.assert_caught("src/methods/bad.cpp", '#include "../io/hdf5_handle.hpp"\n', 1, "methods comes before io")

    def test_products_point_one_way(self):
        self.assert_caught("src/io/bad.cpp", "#include <libration/analysis/order.hpp>\n", 1, "io comes before analysis")
        self.assert_caught("lab/plot/bad.cpp", '#include "../../papers/gallery/page.cpp"\n', 1, "plot comes before gallery")

    def test_a_room_belongs_to_one_product(self):
        self.assert_caught("lab/methods/bad.cpp", "\n", 1, "in no room")

    def test_a_public_header_includes_public_headers_only(self):
        for name in "<libration/kit/dual.hpp>", '"methods/stages.hpp"':
            self.assert_caught("include/libration/methods/bad.hpp", f"#include {name}\n", 1, "is a public header")

    def test_the_kit_includes_nothing_private(self):
        self.assert_caught("include/libration/kit/state.hpp", '#include "methods/stages.hpp"\n', 1, "is a kit header")

    def test_public_headers_are_counted(self):
        many = {f"include/libration/text/header{k}.hpp": "\n" for k in range(100)}
        status, messages = self.check(many)
        self.assertEqual(status, 1)
        self.assertRegex(messages, r"1\d\d public headers; \d\d are enough")

    def test_names_of_public_headers_are_shown_by_a_shared_library(self):
        self.assert_caught("include/libration/text/bad.hpp", "\nnamespace libration {\n}\n", 1, "would not show")

    def test_spaces_in_the_directive_hide_nothing(self):
        self.assert_caught("src/scalar/bad.cpp", "\n  #  include<libration/io/json.hpp>\n", 2, "scalar comes before io")

    def test_nobody_inside_includes_the_umbrella(self):
        self.assert_caught("src/io/bad.cpp", "#include <libration/libration.hpp>\n", 1, "nothing inside the library")

    def test_the_library_does_not_include_the_program(self):
        self.assert_caught("src/io/bad.cpp", '#include "../../apps/libration/main.cpp"\n', 1, "may not include apps/")

    def test_an_unknown_room_is_caught(self):
        self.assert_caught("src/cellar/bad.cpp", "\n", 1, "in no room")

    def test_an_include_of_an_unknown_room_is_caught(self):
        self.assert_caught("src/io/bad.cpp", "#include <libration/cellar/wine.hpp>\n", 1, "in no room")

    def test_methods_and_manifold_include_no_eigen(self):
        for room in "methods", "manifold":
            self.assert_caught(f"src/{room}/bad.cpp", "#include <Eigen/Dense>\n", 1, "no Eigen")

    def test_a_second_source_with_a_heavy_header_is_caught(self):
        self.assert_caught("src/model/zzz.cpp", "#include <toml++/toml.h>\n", 1, "toml++ is included by one .cpp")
        self.assert_caught("src/io/zzz.cpp", "#include <nlohmann/json.hpp>\n", 1, "nlohmann/json is included by one")
        self.assert_caught("apps/libration/zzz.cpp", "#include <CLI/App.hpp>\n", 1, "CLI11 is included by one .cpp")

    def test_a_header_with_a_heavy_header_is_caught(self):
        status, messages = self.check({"include/libration/model/zzz.hpp": "#include <toml++/toml.h>\n"})
        self.assertEqual(status, 1)
        self.assertIn("include/libration/model/zzz.hpp:1: toml++ is included by one .cpp of a product, never by a header", messages)

    def test_cli11_stays_in_the_program(self):
        status, messages = self.check({"src/text/bad.cpp": "#include <CLI/CLI.hpp>\n"})
        self.assertEqual(status, 1)
        self.assertIn("src/text/bad.cpp:1: CLI11 is included in apps/ only", messages)

    def test_hdf5_stays_in_io(self):
        for header in "hdf5.h", "H5Fpublic.h", "hdf5/serial/hdf5.h":
            self.assert_caught("lab/plot/bad.cpp", f"#include <{header}>\n", 1, "HDF5 is included in src/io/ only")


if __name__ == "__main__":
    unittest.main()
