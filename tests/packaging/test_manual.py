"""Manual pages and completions name every command and every option that the help names, and complete what they should."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

LIBRATION = os.environ["LIBRATION"]


def program(*arguments):
    return subprocess.run([LIBRATION, *arguments], capture_output=True, text=True, check=True).stdout


def options_of(text):
    """Of a help: --help and what else stands at the beginning of a line."""
    return {"--help", *re.findall(r"(?m)^  (--[a-z-]+)", text)}


COMMANDS = re.findall(r"(?m)^  ([a-z]+) ", program("--help").split("Subcommands:")[1].split("Examples:")[0])
OPTIONS = {command: options_of(program(command, "--help")) for command in COMMANDS}


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.share = pathlib.Path(cls.folder.name, "share")
        program("help", "--write", str(cls.share))

    def page(self, name):
        return (self.share / "man" / "man1" / f"{name}.1").read_text(encoding="utf-8").replace("\\-", "-")

    def test_the_help_was_understood(self):
        self.assertLessEqual({"run", "ensemble", "certify", "help"}, set(COMMANDS))
        self.assertLessEqual({"--method", "--stop-if", "--json"}, OPTIONS["run"])

    def test_there_is_a_page_for_every_command_and_no_other(self):
        pages = {path.name for path in (self.share / "man" / "man1").iterdir()}
        self.assertEqual(pages, {"libration.1", *(f"libration-{command}.1" for command in COMMANDS)})
        listed = re.findall(r"(?m)^\.BR libration-([a-z]+) \(1\)$", self.page("libration"))
        self.assertEqual(listed, COMMANDS)

    def test_a_page_names_every_option_of_its_command_and_no_other(self):
        for command in COMMANDS:
            named = re.findall(r"(?m)^\.TP\n(?:\\fB-h\\fP, )?\\fB(--[a-z-]+)\\fP", self.page(f"libration-{command}"))
            self.assertEqual(set(named), OPTIONS[command], command)

    def test_a_page_says_of_an_option_what_the_help_says(self):
        # Words, without fonts and spaces.
        def plain(text):
            text = re.sub(r"\\f[BIP]", "", text).replace("\\(aq", "'").replace("\\(ti", "~").replace("\\(ha", "^")
            return re.sub(r"\s+", "", text)

        for command in COMMANDS:
            page = plain(self.page(f"libration-{command}"))
            options = program(command, "--help").split("\nOptions:\n")[1].split("\n\n")[0]
            for entry in re.split(r"\n(?=  -)", options)[1:]:
                self.assertIn(plain(entry), page.replace(".TP", ""), command)

    def test_pages_have_the_examples_and_the_exit_status_of_the_help(self):
        for command in COMMANDS:
            page, text = self.page(f"libration-{command}"), program(command, "--help")
            for line in text.split("Examples:\n")[1].split("\n\n")[0].splitlines():
                self.assertIn(line.strip(), page.replace("\\(ti", "~").replace("\\(ha", "^"))
            self.assertEqual("Exit status: " in text, ".SH EXIT STATUS\n" in page)

    def test_option_tables_are_those_of_help(self):
        self.assertEqual((self.share / "doc" / "libration" / "options.md").read_text(encoding="utf-8"),
                         program("help", "--markdown"))

    def test_a_place_that_cannot_be_written_is_an_error(self):
        file = pathlib.Path(self.folder.name, "file")
        file.write_text("")
        result = subprocess.run([LIBRATION, "help", "--write", str(file)], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot create", result.stderr)
        both = subprocess.run([LIBRATION, "help", "run", "--write", str(file)], capture_output=True, text=True, check=False)
        self.assertEqual((both.returncode, both.stderr.splitlines()[0]),
                         (2, "error: --write writes the pages of all commands; omit COMMAND and --markdown"))


class Completions(unittest.TestCase):
    """Of each shell: what it offers for a line whose last word is being typed. Shells that are not there are told of by
    LIBRATION_SHELLS: bash is everywhere, `make package` has all three."""

    shells = os.environ.get("LIBRATION_SHELLS", "bash").split()
    # The compadd below does not see what zsh's own _files adds.
    shells_with_files = [shell for shell in shells if shell != "zsh"]
    setUpClass = Manual.__dict__["setUpClass"]

    def offered(self, shell, line):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("mine.toml", "other.txt", "run.h5"):
                pathlib.Path(folder, name).touch()
            pathlib.Path(folder, "sub").mkdir()
            done = subprocess.run(getattr(self, shell)(line), cwd=folder, capture_output=True, text=True, timeout=60,
                                  check=False, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""), (shell, line))
        return {re.sub(r"/$", "", word.split("\t")[0]) for word in done.stdout.splitlines() if word}

    def bash(self, line):
        file = self.share / "bash-completion" / "completions" / "libration"
        return ["bash", "--norc", "-uc", f"""
            source '{file}'
            complete -p libration >/dev/null
            words=$1
            # Bash itself splits at blanks and at = outside of quotes.
            [[ $words == *'"'* ]] && COMP_WORDS=(${{words%%\\"*}} "\\"${{words#*\\"}}") || COMP_WORDS=(${{words//=/ = }})
            [[ $words == *' ' || $words == *= ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _libration
            printf '%s\\n' "${{COMPREPLY[@]}}" """, "bash", line]

    def fish(self, line):
        file = self.share / "fish" / "vendor_completions.d" / "libration.fish"
        return ["fish", "--no-config", "-c", f"source '{file}'; complete -C $argv[1]", line]

    def zsh(self, line):
        # The completion system works in an interactive shell only; that one runs in a terminal of its own, and a
        # compadd that prints what it is given stands for the menu.
        script = f"""
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PS1= PS2= ; stty -echo; fpath=('{self.share}/zsh/site-functions' \\$fpath)"
            zpty -w z "autoload -U compinit; compinit -u -D; setopt no_list_beep; LISTMAX=10000"
            zpty -w z "compadd() {{ [[ \\$* == *-O* || \\$* == *-A* || \\$* == *-D* ]] && {{ builtin compadd \\"\\$@\\"; return }}; \\
                local -a found; builtin compadd -O found \\"\\$@\\"; \\
                for each in \\$found; do print -r -- \\"<<\\$each>>\\"; done; builtin compadd \\"\\$@\\" }}"
            zpty -w z "bindkey '^I' complete-word; zle -C finish complete-word _finish; _finish() {{ print '<<<end>>>'; compstate[list]= compstate[insert]= }}; bindkey '^X' finish"
            zpty -w z "print ready\\"\\"now"
            zpty -r z answer $'*readynow*'
            zpty -w -n z "$1"$'\\t'$'\\x18'
            zpty -r z answer $'*<<<end>>>*'
            zpty -d z
            print -r -- "$answer" | tr -d '\\r' | sed -n 's/.*<<\\([^<>]*\\)>>$/\\1/p'
        """
        return ["zsh", "-f", "-c", script, "zsh", line]

    def test_commands_are_completed(self):
        for shell in self.shells:
            self.assertLessEqual(set(COMMANDS), self.offered(shell, "libration "), shell)
            self.assertEqual(self.offered(shell, "libration re"), {"reproduce"}, shell)

    def test_every_option_of_every_command_is_completed(self):
        for shell in self.shells:
            for command in COMMANDS:
                found = {word.rstrip("=") for word in self.offered(shell, f"libration {command} --")}
                self.assertEqual(found, OPTIONS[command], (shell, command))

    def test_problems_and_model_files_are_completed(self):
        for shell in self.shells:
            problems = {line.split()[0] for line in program("problems").splitlines()[1:] if line[:1].isalpha()} - {"Run"}
            found = self.offered(shell, "libration run ")
            self.assertLessEqual(problems, found, shell)
            if shell in self.shells_with_files:
                self.assertIn("mine.toml", found, shell)
            self.assertEqual(found & {"other.txt", "run.h5"}, set(), shell)
            self.assertEqual(self.offered(shell, "libration run --step 0.1 --project kepler-"), {"kepler-sphere"}, shell)
            self.assertIn("pendulum", self.offered(shell, "libration multistep 6 --watch pend"), shell)

    def test_methods_are_completed_with_their_parameters(self):
        for shell in self.shells:
            self.assertEqual(self.offered(shell, "libration run pendulum --method rat"), {"rattle"}, shell)
            self.assertEqual(self.offered(shell, "libration certify dirac"), {"dirac-gauss(1)", "dirac-gauss(2)"}, shell)
            self.assertIn("pendulum", self.offered(shell, "libration certify rattle pend"), shell)
            self.assertIn("lobatto-c", self.offered(shell, "libration tableau lob"), shell)

    def test_words_files_and_directories_are_completed(self):
        for shell in self.shells:
            self.assertEqual(self.offered(shell, "libration run --adaptive "), {"reversible", "standard"}, shell)
            if shell in self.shells_with_files:
                self.assertEqual(self.offered(shell, "libration analyse run"), {"run.h5"}, shell)
                self.assertEqual(self.offered(shell, "libration run --resume "), {"run.h5", "sub"}, shell)
                self.assertEqual(self.offered(shell, "libration reproduce --out "), {"sub"}, shell)
            self.assertIn("000-fig2", self.offered(shell, "libration reproduce 001 000-"), shell)
            self.assertIn("run", self.offered(shell, "libration help "), shell)
            self.assertEqual(self.offered(shell, "libration doctor x"), set(), shell)

    def test_what_is_special_to_bash(self):
        self.assertEqual(self.offered("bash", "libration run --method=rat"), {"rattle"})
        self.assertEqual(self.offered("bash", "libration run --adaptive="), {"reversible", "standard"})
        self.assertEqual(self.offered("bash", "libration run --set g=1 kepler-"), {"kepler-sphere"})
        self.assertEqual(self.offered("bash", 'libration compare pendulum --methods "rattle, lep'), set())
        self.assertEqual(self.offered("bash", 'libration compare pendulum --methods "rattle, leap'), {"rattle, leapfrog"})
        self.assertEqual(self.offered("bash", 'libration run pendulum --method "compose(v'), {"compose(verlet, kahanli8)"})
        self.assertEqual(self.offered("bash", "libration analyse run.h5 --what drift,por"), {"drift,portrait"})


if __name__ == "__main__":
    unittest.main()
