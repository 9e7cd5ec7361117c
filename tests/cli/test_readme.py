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


def lines_of(text):
    """Lines of commands, those that end in a backslash joined with the next."""
    return [line.strip() for line in text.replace("\\\n", " ").splitlines() if re.match(" {4,}libration ", line)]


def commands_of(text):
    return [shlex.split(line, comments=True) for line in lines_of(text)]


def status_of(line):
    """What the comment of a command announces; success otherwise."""
    announced = re.search(r"#.*exit status (\d)", line)
    return int(announced.group(1)) if announced else 0


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
    def check_commands(self, text):
        model = re.search(r"```toml\n(.*?)```", text, re.S)
        (self.dir / "pendulum.toml").write_text(model.group(1) if model else "")
        table = re.search(r"```csv\n(.*?)```", text, re.S)
        (self.dir / "measured.csv").write_text(table.group(1) if table else "")
        # A model whose file the text names.
        for name, model in re.findall(r"`([\w-]+\.toml)`:\n\n```toml\n(.*?)```", text, re.S):
            (self.dir / name).write_text(model)
        for line in lines_of(text):
            result = self.libration(*shlex.split(line, comments=True)[1:])
            self.assertEqual(result.status, status_of(line), (line, result))

    def test_show_commands_that_run_in_their_order(self):
        pages = {page.name: page.read_text(encoding="utf-8") for page in sorted((SOURCES / "docs").glob("*.md"))}
        del pages["papers.md"]  # its commands reproduce all papers, which has tests of its own
        self.assertGreaterEqual(sum(len(lines_of(text)) for text in pages.values()), 60)
        for name, text in pages.items():
            with self.subTest(name):
                self.setUp()
                self.check_commands(text)

    def test_name_pages_that_exist(self):
        for page in sorted((SOURCES / "docs").glob("*.md")):
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / target).exists(), (page.name, target))
