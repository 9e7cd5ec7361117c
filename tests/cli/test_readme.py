"""What the README tells a newcomer to type works as it stands."""

import os
import pathlib
import re
import shlex

from program import ProgramTest

README = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"], "README.md").read_text()


class TheReadme(ProgramTest):
    def setUp(self):
        super().setUp()
        model = re.search(r"```toml\n(.*?)```", README, re.S).group(1)
        (self.dir / "pendulum.toml").write_text(model)

    def commands(self):
        return [shlex.split(line, comments=True) for line in README.splitlines() if line.startswith("    libration ")]

    def test_shows_a_model_that_is_sound(self):
        result = self.libration("check", "pendulum.toml")
        self.assertEqual(result.status, 0, result)

    def test_shows_commands_that_run_in_their_order(self):
        commands = self.commands()
        self.assertGreaterEqual(len(commands), 4)
        for command in commands:
            result = self.libration(*command[1:])
            self.assertEqual(result.status, 0, (command, result))

    def test_names_pages_that_exist(self):
        for target in re.findall(r"\]\(([^)#]+)\)", README):
            self.assertTrue(pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"], target).exists(), target)
