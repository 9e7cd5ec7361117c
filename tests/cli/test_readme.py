"""What the README and the guides tell a newcomer to type works as it stands, and their pictures are the program's own."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

from program import ProgramTest

SOURCES = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])
README = (SOURCES / "README.md").read_text(encoding="utf-8")
MOST_LINES = 110


def commands_of(text):
    return [shlex.split(line, comments=True) for line in text.splitlines() if line.startswith("    libration ")]


class TheReadme(ProgramTest):
    def setUp(self):
        super().setUp()
        model = re.search(r"```toml\n(.*?)```", README, re.S).group(1)
        (self.dir / "pendulum.toml").write_text(model)

    def test_shows_a_model_that_is_sound(self):
        result = self.libration("check", "pendulum.toml")
        self.assertEqual(result.status, 0, result)

    def test_shows_commands_that_run_in_their_order(self):
        commands = commands_of(README)
        self.assertGreaterEqual(len(commands), 4)
        for command in commands:
            result = self.libration(*command[1:])
            self.assertEqual(result.status, 0, (command, result))

    def test_names_pages_and_pictures_that_exist(self):
        targets = re.findall(r"\]\(([^)#]+)\)", README) + re.findall(r'src="([^"]+)"', README)
        self.assertGreaterEqual(len(targets), 7)
        for target in targets:
            self.assertTrue((SOURCES / target).exists(), target)

    def test_fits_on_a_few_screens(self):
        self.assertLessEqual(len(README.splitlines()), MOST_LINES)

    def test_has_the_pictures_that_the_program_draws(self):
        result = self.libration("reproduce", str(SOURCES / "docs/images/readme.toml"), "--out", "gallery")
        self.assertEqual(result.status, 0, result)
        for number, name in enumerate(["pendulum-path", "energy-error"], start=1):
            drawn = (self.dir / f"gallery/items/own-readme-{number}.svg").read_bytes()
            self.assertEqual(drawn, (SOURCES / f"docs/images/{name}.svg").read_bytes(), name)


class EveryPage(unittest.TestCase):
    def test_shows_commands_that_a_shell_takes(self):
        shown = 0
        for page in (SOURCES / "README.md", *sorted((SOURCES / "docs").glob("*.md"))):
            text = page.read_text(encoding="utf-8").replace("\\\n", " ")
            commands = re.findall(r"(?m)^    (libration .+)$", text)
            shown += len(commands)
            for command in commands:
                with self.subTest(f"{page.name}: {command}"):
                    parsed = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
                    self.assertEqual(parsed.returncode, 0, parsed.stderr)
        self.assertGreater(shown, 40)


class TheGuides(ProgramTest):
    def check_commands(self, page, fewest):
        commands = commands_of((SOURCES / "docs" / page).read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(commands), fewest)
        for command in commands:
            result = self.libration(*command[1:])
            self.assertEqual(result.status, 0, (command, result))

    def test_on_step_sizes_shows_commands_that_run(self):
        self.check_commands("step-size.md", 6)

    def test_on_methods_shows_commands_that_run(self):
        self.check_commands("methods.md", 2)

    def test_on_run_files_shows_commands_that_run(self):
        self.check_commands("run-files.md", 2)

    def test_name_pages_that_exist(self):
        for page in sorted((SOURCES / "docs").glob("*.md")):
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / target).exists(), (page.name, target))
