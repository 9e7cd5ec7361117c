"""Help, registries, colours, progress and locale: what a newcomer sees before and while the program runs."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import program
from program import ProgramTest

# What the help of the program lists.
COMMANDS = re.findall(r"(?m)^  ([a-z]+) ", subprocess.run([program.LIBRATION, "--help"], capture_output=True, text=True,
                                                          check=True).stdout.split("Subcommands:")[1].split("Examples:")[0])
ESCAPE = "\x1b["


def in_terminal(arguments, directory, columns=80, **variables):
    """Runs the program with stdout and stderr on one pseudo-terminal and returns (status, all that it showed)."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    child = subprocess.Popen([program.LIBRATION, *arguments], cwd=directory, stdin=subprocess.DEVNULL, stdout=follower,
                             stderr=follower, env=program.environment(TERM="xterm", **variables))
    os.close(follower)
    shown = b""
    limit = time.monotonic() + program.TIME_LIMIT
    while time.monotonic() < limit:
        if not select.select([leader], [], [], 0.5)[0]:
            continue
        try:
            block = os.read(leader, 65536)
        except OSError:  # the program has closed the terminal
            break
        if not block:
            break
        shown += block
    os.close(leader)
    if child.poll() is None and time.monotonic() >= limit:
        child.kill()
    return child.wait(), shown.decode("utf-8")


class Help(ProgramTest):
    def test_shows_examples_for_the_program_and_every_command(self):
        for arguments in ([], *([command] for command in COMMANDS)):
            with self.subTest(arguments):
                for flag in ("--help", "-h"):
                    result = self.libration(*arguments, flag)
                    self.assertEqual((result.status, result.stderr), (0, ""))
                    self.assertIn("Examples:", result.stdout)
                    examples = result.stdout.split("Examples:")[1]
                    self.assertIn(f"libration {' '.join(arguments)}".strip(), examples,
                                  "the examples are those of the command itself")

    def test_of_run_names_every_option_and_the_exit_status(self):
        text = self.libration("run", "--help").stdout
        for option in ("--method", "--step", "--duration", "--steps", "--set", "--out", "--every", "--monitor",
                       "--project", "--overwrite", "--resume", "--json", "--full", "--quiet", "--adaptive", "--tol",
                       "--estimator", "--backend"):
            self.assertIn(option, text)
        self.assertRegex(text, r"Exit status: 0 .*1 .*2 .*3 ")

    def test_promises_no_option_that_does_not_exist_yet(self):
        text = self.libration("run", "--help").stdout
        self.assertNotIn("--report", text)

    def test_of_a_command_is_what_help_shows(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertEqual(self.libration("help", command).stdout, self.libration(command, "--help").stdout)
        self.assertEqual(self.libration("help").stdout, self.libration("--help").stdout)
        wrong = self.libration("help", "rnu")
        self.assertEqual((wrong.status, wrong.stderr), (2, "error: unknown command 'rnu': did you mean 'run'?\n"))

    def test_of_the_program_lists_every_command(self):
        self.assertLessEqual({"run", "ensemble", "certify", "compare", "multistep", "tableau", "analyse", "reproduce",
                              "check", "methods", "problems", "help"}, set(COMMANDS))

    def test_in_markdown_has_a_row_for_every_option(self):
        text = self.libration("help", "--markdown").stdout
        for command in COMMANDS:
            part = text.split(f"## libration {command}\n")[1].split("## libration ")[0]
            for option in re.findall(r"(?m)^  (--[a-z-]+)", self.libration("help", command).stdout):
                self.assertIn(f"| `{option}` |", part, command)
        self.assertNotIn("`step`", text, "no reference is left untold")

    def test_version_is_the_name_and_three_numbers(self):
        result = self.libration("--version")
        self.assertEqual(result.status, 0)
        self.assertRegex(result.stdout, r"^libration \d+\.\d+\.\d+\n$")

    def test_is_shown_without_command_with_status_2(self):
        result = self.libration()
        self.assertEqual(result.status, 2)
        self.assertIn("Examples:", result.stdout + result.stderr)


class Examples(ProgramTest):
    """What the help tells a user to type works as it stands, in a shell."""

    def setUp(self):
        super().setUp()
        self.write(program.PENDULUM, "my-model.toml")
        self.write("g\n0.9\n1.1\n", "values.csv")
        self.write("t,x\n0.5,0.6\n1,0.2\n", "measured.csv")
        self.write((program.SOURCE_DIR / "papers" / "recipes" / "001-fig3.1.toml").read_text(encoding="utf-8"), "my-recipe.toml")
        (self.dir / "bin").mkdir()
        (self.dir / "bin" / "libration").symlink_to(os.path.abspath(program.LIBRATION))

    def typed(self, line):
        """The status, or nothing where it is still computing after a few seconds, and what it said."""
        path = f"{self.dir / 'bin'}{os.pathsep}{os.environ['PATH']}"
        with subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=self.dir, env=program.environment(PATH=path),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
            try:
                said = child.communicate(timeout=2)[1]
            except subprocess.TimeoutExpired:
                child.kill()
                return None, ""
            return child.returncode, said.decode("utf-8")

    def examples(self, *command):
        text = self.libration(*command, "--help").stdout.split("Examples:\n")[1]
        lines = []
        for line in text.splitlines():
            if not line.startswith("  libration "):
                break
            lines.append(re.split(r"\s{2,}", line.strip())[0])
        return lines

    def interrupt_an_ensemble(self, out):
        """Leaves one that can be resumed: it is stopped as soon as its first batch is in the journal."""
        command = [program.LIBRATION, "ensemble", "pendulum", "--vary", "g = uniform(0.9, 1.1)", "--count", "300", "--steps",
                   "30000", "--monitor", "0", "--threads", "1", "--out", out, "--overwrite"]
        journal, limit = self.dir / f"{out}.part", time.monotonic() + program.TIME_LIMIT
        with subprocess.Popen(command, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            begun = 0
            while time.monotonic() < limit and child.poll() is None:
                size = journal.stat().st_size if journal.exists() else 0
                if begun and size > begun:
                    break
                begun = begun or size
                time.sleep(0.002)
            child.terminate()
        self.assertTrue(journal.exists())

    def test_of_every_command_work_in_a_shell(self):
        tried = finished = 0
        for command in COMMANDS:
            for line in self.examples(command):
                tried += 1
                with self.subTest(line):
                    if line == "libration ensemble --resume e.h5":
                        self.interrupt_an_ensemble("e.h5")
                    status, said = self.typed(line)
                    self.assertIn(status, (0, None), said)
                    finished += status == 0
        self.assertGreater(tried, 35)
        self.assertGreater(finished, 20, "most of them are quick")

    def test_of_the_program_work_in_a_shell(self):
        self.typed("libration run pendulum --out run.h5")
        lines = [line.replace("COMMAND", "run") for line in self.examples()]
        self.assertGreater(len(lines), 8)
        for line in lines:
            with self.subTest(line):
                self.assertIn(self.typed(line)[0], (0, None))


class Registries(ProgramTest):
    def test_methods_have_the_keys_of_the_contract(self):
        result = self.libration("methods", "--json")
        self.assertEqual((result.status, set(result.json)), (0, {"methods"}))
        records = {record["spec"]: record for record in result.json["methods"]}
        self.assertLessEqual({"verlet", "leapfrog", "shake", "rattle"}, set(records))
        for record in records.values():
            self.assertLessEqual({"spec", "parameters", "examples", "order", "symmetric", "symplectic", "explicit", "needs",
                                  "reference"}, set(record))
            self.assertIsInstance(record["order"], int)
            self.assertIn(record["symmetric"], (True, False))
            self.assertIn(record["explicit"], (True, False))
            self.assertTrue(record["reference"])
        self.assertTrue(records["rattle"]["symplectic"])

    def test_problems_have_the_keys_of_the_contract(self):
        result = self.libration("problems", "--json")
        self.assertEqual((result.status, set(result.json)), (0, {"problems"}))
        records = {record["name"]: record for record in result.json["problems"]}
        for record in records.values():
            self.assertLessEqual({"name", "dimension", "constraints", "source"}, set(record))
        self.assertEqual((records["triple-pendulum"]["dimension"], records["triple-pendulum"]["constraints"]), (6, 3))
        self.assertEqual((records["kepler"]["dimension"], records["kepler"]["constraints"]), (2, 0))
        files = {path.stem for path in (program.SOURCE_DIR / "problems").glob("*.toml")}
        self.assertEqual(set(records), files)

    def test_tables_have_a_row_for_every_record(self):
        for command, key, name in (("methods", "methods", "spec"), ("problems", "problems", "name")):
            table = self.libration(command)
            self.assertEqual((table.status, table.stderr), (0, ""))
            for record in self.libration(command, "--json").json[key]:
                self.assertRegex(table.stdout, rf"(?m)^{re.escape(record[name])} ")

    def test_table_of_methods_has_columns_that_do_not_touch(self):
        # Names of families are long, and so may be the range of their orders.
        table = self.libration("methods").stdout.splitlines()
        order, symmetric = table[0].index("order"), table[0].index("symmetric")
        rows = [row for row in table[1:] if not row.startswith(" ")]
        records = self.libration("methods", "--json").json["methods"]
        self.assertEqual([row[:order].strip() for row in rows], [record["spec"] for record in records])
        for row, record in zip(rows, records):
            self.assertEqual(row[order - 2:order], "  ")
            self.assertRegex(row[order:symmetric], r"^(\d+|\d+-\d+|\d+ or more|2?[sk]([+-]\d)?(, [sk] = \d-\d+)?) +$")
        # Lobatto IIIB with two stages is the midpoint rule and symplectic, with three it is not.
        self.assertRegex("\n".join(rows), r"(?m)^lobatto-b\(s\) +2s-2, s = 2-40 +yes +some ")

    def test_order_of_a_family_is_that_of_all_its_members(self):
        orders = {record["spec"]: record["family"]["order"] for record in self.libration("methods", "--json").json["methods"]}
        self.assertEqual(orders["rattle"], "2")
        self.assertEqual(orders["respa(n)"], "2")
        self.assertEqual(orders["constrain(BASE)"], "1-2")
        self.assertEqual(orders["compose(BASE, SCHEME)"], "4 or more")
        self.assertEqual(orders["multistep(k, a1, ..., beta=B)"], "k")
        self.assertEqual(orders["lobatto(s)"], "2s-2, s = 2-40")
        for family, text in orders.items():
            found = re.fullmatch(r"(2?)([sk])([+-]\d)?, \2 = (\d+)-(\d+)", text)
            if found is None:
                continue
            slope, rest, low, high = int(found[1] or 1), int(found[3] or 0), int(found[4]), int(found[5])
            name = family.split("(")[0]
            for number in (low, low + 1, high):
                with self.subTest(f"{name}({number})"):
                    claimed = self.libration("methods", f"{name}({number})", "--json").json["order"]
                    self.assertEqual(claimed, slope * number + rest)
            self.assertEqual(self.libration("methods", f"{name}({high + 1})").status, 2)

    def test_every_method_listed_runs_on_a_problem_it_is_made_for(self):
        names = [problem["name"] for problem in self.libration("problems", "--json").json["problems"]]
        # Small ones of each kind first; a problem that the method does not accept is refused at once, with status 2.
        first = ["pendulum", "kepler", "sprung-pendulum", "fpu", "abc-flow"]
        names = first + [name for name in names if name not in first]
        for record in self.libration("methods", "--json").json["methods"]:
            example = record["examples"][0]
            with self.subTest(example):
                self.assertTrue(example.startswith(record["spec"].split("(")[0]))
                for problem in names:
                    result = self.libration("run", problem, "--method", example, "--steps", "2", "--json", "--quiet")
                    if result.status != 2:
                        break
                    self.assertIn("suitable methods", result.stderr)
                self.assertEqual(result.status, 0, result)
                self.assertEqual((result.json["method"], result.json["order"]), (example, record["order"]))

    def test_one_method_is_shown_with_all_that_it_claims(self):
        text = self.libration("methods", "compose(rattle, kahanli8)").stdout
        for words in ("compose(rattle, kahanli8)", "order             8", "symmetric, symplectic", "needs", "reference"):
            self.assertIn(words, text)
        self.assertIn("examples", self.libration("methods", "lobatto").stdout)
        record = self.libration("methods", "lobatto(3)", "--json").json
        self.assertEqual((record["spec"], record["order"], record["symplectic"]), ("lobatto(3)", 4, True))
        doubtful = self.libration("methods", "multistep(6, -0.1, 0.4)", "--json").json
        self.assertIn("--force accepts it anyway", doubtful["constrained"]["doubt"])
        self.refused("ratle", command="methods", says=["'ratle'", "did you mean 'rattle'?"])
        self.refused("lobatto(99)", command="methods", says=["from 2 to 40"])

    def test_one_problem_is_printed_as_its_file(self):
        for name in ("pendulum", "chain"):
            file = (program.SOURCE_DIR / "problems" / f"{name}.toml").read_text(encoding="utf-8")
            self.assertEqual(self.libration("problems", name).stdout, file)
            self.assertEqual(self.libration("problems", name, "--json").json["text"], file)
        self.write(self.libration("problems", "pendulum").stdout, "mine.toml")
        self.assertEqual(self.run_json("mine.toml")["q"], self.run_json("pendulum")["q"])
        self.refused("pendulm", command="problems", says=["'pendulm'", "did you mean 'pendulum'?"])

    def test_needs_of_a_method_are_what_it_refuses_models_for(self):
        needs = {record["spec"]: record["needs"] for record in self.libration("methods", "--json").json["methods"]}
        self.assertIn("separable H", needs["shake"])
        self.assertIn("constraints", needs["shake"])
        self.assertIn("split potential", needs["respa(n)"])
        self.assertNotIn("separable H", needs["rattle"])
        self.assertNotIn("no constraints", needs["rattle"])


class Colours(ProgramTest):
    calls = (["methods"], ["problems"], ["check", "pendulum"], ["run", "pendulum", "--steps", "3"], ["rnu"])

    def test_are_absent_in_files_and_pipes(self):
        for call in self.calls:
            with self.subTest(call):
                result = self.libration(*call, env=program.environment(TERM="xterm", CLICOLOR_FORCE=None))
                self.assertNotIn("\x1b", result.stdout + result.stderr)

    def test_are_used_on_a_terminal(self):
        for call in self.calls:
            with self.subTest(call):
                self.assertIn(ESCAPE, in_terminal(call, self.dir)[1])

    def test_are_absent_on_a_terminal_with_no_color(self):
        for call in self.calls:
            with self.subTest(call):
                shown = in_terminal(call, self.dir, NO_COLOR="1")[1]
                self.assertNotRegex(shown, r"\x1b\[[0-9;]*m")

    def test_never_get_into_json(self):
        status, shown = in_terminal(["run", "pendulum", "--steps", "3", "--json", "--quiet"], self.dir)
        self.assertEqual(status, 0)
        self.assertNotIn("\x1b", shown)


class Progress(ProgramTest):
    # At about a microsecond an interpreted step this runs for more than a second, long enough for the bar to move.
    long_run = ["run", "pendulum", "--backend", "interpreted", "--steps", "1000000", "--monitor", "0", "--json"]

    def test_is_plain_lines_when_standard_error_is_no_terminal(self):
        result = self.libration(*self.long_run)
        self.assertEqual(result.status, 0)
        self.assertNotIn("\r", result.stderr)
        self.assertNotIn("\x1b", result.stderr)
        self.assertTrue(result.stderr.endswith("\n"))
        self.assertRegex(result.stderr.splitlines()[-1], r"100\.0 %.*steps/s.*done in")
        self.assertLess(len(result.stderr.splitlines()), 20)

    def test_is_a_bar_with_rate_and_remaining_time_on_a_terminal(self):
        status, shown = in_terminal(self.long_run, self.dir)
        self.assertEqual(status, 0)
        self.assertIn("\r", shown)
        self.assertRegex(shown, r"\d %.*steps/s.*left")
        self.assertRegex(shown, r"100\.0 %.*done in[^\n]*\n", "the bar ends with a line of its own")

    def test_fits_into_a_narrow_terminal(self):
        # A line that wraps cannot be written over, and the bar would fill the screen.
        short_run = [word.replace("interpreted", "generated") for word in self.long_run]  # with a rate of more digits
        for columns, words in ((80, self.long_run), (60, self.long_run), (40, self.long_run), (40, short_run)):
            with self.subTest(columns):
                out = f"{columns}{words[3]}.csv"
                status, shown = in_terminal(words[:-1] + ["--out", out, "--every", "1000"], self.dir, columns=columns)
                self.assertEqual(status, 0)
                bars = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", bar) for bar in re.split(r"[\r\n]", shown) if "steps/s" in bar]
                self.assertTrue(bars)
                self.assertLessEqual(max(map(len, bars)), columns)

    def test_is_absent_with_quiet(self):
        status, shown = in_terminal(["run", "pendulum", "--steps", "1000", "--json", "--quiet"], self.dir)
        self.assertEqual(status, 0)
        self.assertTrue(shown.startswith("{"), shown[:80])


class Locale(ProgramTest):
    def test_with_a_decimal_comma_changes_no_number(self):
        # Where the locale is not installed, the program must at least run as if it were not set.
        arguments = ["run", "pendulum", "--step", "0.025", "--steps", "4", "--json", "--quiet"]
        plain = self.libration(*arguments).json
        for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "no_SUCH.locale"):
            with self.subTest(name):
                env = program.environment(LC_ALL=name, LANG=name)
                other = self.libration(*arguments, env=env)
                self.assertEqual((other.status, other.stderr), (0, ""))
                for key in ("q", "p", "lambda", "t", "step", "energy"):
                    self.assertEqual(other.json[key], plain[key])
                self.libration("run", "pendulum", "--steps", "4", "--out", f"{name}.csv", "--quiet", env=env)
                self.assertIn("0.01,", (self.dir / f"{name}.csv").read_text())
