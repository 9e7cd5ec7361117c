"""scripts/check_text catches options of the command line in texts of the library and of its bindings, and nothing else."""

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


if __name__ == "__main__":
    unittest.main()
