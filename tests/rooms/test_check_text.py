"""scripts/check_text catches options of the command line in texts of the library and of its bindings,
and idioms that are not technical English, and nothing else."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(os.environ["LIBRATION_SOURCE_DIR"]) / "scripts" / "check_text"


class CheckText(unittest.TestCase):
    def check(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", str(SCRIPT), folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def test_an_option_in_a_text_of_the_library_is_caught(self):
        for name in ("src/io/a.cpp", "include/libration/io/a.hpp", "python/core/a.cpp"):
            status, messages = self.check(name, 'int a;\nauto b = "give --step H";\n')
            self.assertEqual(status, 1, name)
            self.assertIn(f"{name}:2: an option of the command line", messages)
        self.assertEqual(self.check("src/io/a.cpp", 'auto b = "--" + name;\n')[0], 1)
        self.assertEqual(self.check("python/libration/_a.py", 'def a():\n    """What --json prints."""\n')[0], 1)

    def test_what_is_no_option_is_left_alone(self):
        for name, text in (
            ("src/io/a.cpp", 'auto b = "give `step = H`";\n'), ("src/io/a.cpp", "// what --step does\nint a = b-- - --c;\n"),
            ("src/request/a.cpp", 'auto b = "--" + name;\n'), ("apps/libration/a.cpp", 'auto b = "give --step H";\n'),
            ("src/io/a.cpp", 'auto b = "x -- y";\n'),
        ):
            self.assertEqual(self.check(name, text), (0, ""), text)

    def test_an_idiom_is_caught_also_where_a_line_breaks(self):
        for name, text, place, idiom in (
            ("src/io/a.cpp", 'int a;\nauto b = "write one trajectory a line";\n', 2, "trajectory a line"),
            ("lab/a.hpp", 'auto b = "the method that is named "\n         "is no one-step method";\n', 1, "is no one-step"),
            ("apps/a.cpp", 'auto b = "steps choose "\n         "their length";\n', 1, "choose their length"),
            ("papers/recipes/a.toml", 'text = """\nbounded on the way\nthe way\nback"""\n', 3, "the way back"),
            ("problems/a.toml", "# Stormer's method,\n# of which nobody\n", 1, "Stormer"),
        ):
            status, messages = self.check(name, text)
            self.assertEqual(status, 1, text)
            self.assertIn(f"{name}:{place}: '{idiom}' is not technical English", messages)

    def test_good_english_and_comments_and_other_files_pass(self):
        for name, text in (
            ("src/io/a.cpp", 'auto b = "there is no number of that name";\n'), ("src/io/a.cpp", "// one row a line\nint a;\n"),
            ("src/io/a.cpp", 'auto b = "libration run henon-heiles";\n'), ("tests/a.cpp", 'auto b = "one row a line";\n'),
            ("lab/a.cpp", '#include "poincare.hpp"\nauto b = "two forces act on a line";\n'),
        ):
            self.assertEqual(self.check(name, text), (0, ""), text)


if __name__ == "__main__":
    unittest.main()
