"""`libration new`: a model file to start from."""

import re

from program import ProgramTest


class New(ProgramTest):
    def test_writes_a_model_that_checks_and_runs(self):
        result = self.libration("new", "swing")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        self.assertEqual(self.files(), ["swing.toml"])
        for command in ("libration check swing.toml", "libration run swing.toml"):
            self.assertIn(command, result.stdout, "it says what to do next")
        self.assertIn("ready to run", self.libration("check", "swing.toml").stdout)
        run = self.run_json("swing.toml")
        self.assertEqual((run["model"], run["status"]), ("swing", "completed"))
        # A constrained model: an unconstrained one would show zeros here without being solved.
        self.assertEqual(len(run["lambda"]), 2)
        self.assertLess(run["constraint"]["max"], 1e-14)

    def test_its_comments_are_true(self):
        """What is commented out works when the comment signs are removed."""
        self.libration("new", "swing")
        text = (self.dir / "swing.toml").read_text(encoding="utf-8")
        without = re.sub(r"(?m)^# (?=\[\[|[a-z]+ = )", "", text)
        self.assertEqual(text.count("\n# [["), 2)
        self.write(without.replace('method = "rattle"', 'method = "spark(3)"'), "all.toml")
        run = self.run_json("all.toml", "--duration", "5")
        # Friction takes energy out, and the pendulum passes its lowest position on the way.
        self.assertLess(run["energy"]["final"], run["energy"]["initial"] - 0.1)
        self.assertEqual(list(run["events"]), ["lowest"])
        self.assertGreater(run["events"]["lowest"]["count"], 0)
        set_option = re.search(r"--set (\S+)`", text).group(1)
        self.assertEqual(self.libration("check", "swing.toml", "--set", set_option).status, 0)

    def test_adds_the_ending_once(self):
        self.assertEqual(self.libration("new", "swing.toml").status, 0)
        self.assertEqual(self.files(), ["swing.toml"])
        self.assertIn('name = "swing"', (self.dir / "swing.toml").read_text(encoding="utf-8"))

    def test_refuses_an_existing_file_and_leaves_it_alone(self):
        self.write("mine", "swing.toml")
        self.refused("swing", command="new", says=["swing.toml exists", "choose another name"])
        self.assertEqual((self.dir / "swing.toml").read_text(encoding="utf-8"), "mine")
        (self.dir / "link.toml").symlink_to("nowhere.toml")
        self.refused("link", command="new", says=["link.toml exists"])
        self.assertFalse((self.dir / "nowhere.toml").exists())

    def test_refuses_what_is_not_a_name_for_a_file(self):
        for name in ("a/b", "../swing", "/swing", "", ".toml", ".hidden", "two words", 'quote"', "back\\slash", "new\nline", "50%",
                     "$HOME", "é"):
            with self.subTest(name):
                self.refused(name, command="new", says=["libration new my-model"])
                self.assertEqual(self.files(), [])

    def test_starts_from_a_problem(self):
        result = self.libration("new", "my-top", "--from", "heavy-top", "--json")
        self.assertEqual(result.json, {"name": "my-top", "file": "my-top.toml"})
        problem = self.libration("problems", "heavy-top").stdout
        self.assertEqual((self.dir / "my-top.toml").read_text(encoding="utf-8"),
                         problem.replace('name = "heavy-top"', 'name = "my-top"'))
        self.assertNotEqual(problem.count('name = "heavy-top"'), 0)
        self.refused("other", "--from", "hevy-top", command="new", says=["did you mean 'heavy-top'"])

    def test_starts_from_every_problem(self):
        names = [problem["name"] for problem in self.libration("problems", "--json").json["problems"]]
        for name in names:
            with self.subTest(name):
                self.assertEqual(self.libration("new", f"my-{name}", "--from", name).status, 0)
                self.assertIn(f'name = "my-{name}"', (self.dir / f"my-{name}.toml").read_text(encoding="utf-8"))

    def test_says_when_it_cannot_write(self):
        self.refused("x" * 300, command="new", status=3, says=["cannot write"])
