"""Items of the papers: the table, the gallery, interruption, and recipes that must fail."""

import html.parser
import json
import pathlib
import re
import signal
import subprocess
import time
import urllib.parse
import xml.etree.ElementTree

import program
from program import ProgramTest

# Built in, done in a moment, with figures.
FAST_ITEM = "001-fig3.1"

RECIPE = """\
title = "A pendulum <at> rest & in motion"
place = "nowhere"
setting = "The pendulum, `rattle`."

[[run]]
name = "a"
model = "pendulum"
method = "rattle"
step = 0.01
steps = STEPS

[[check]]
what = "the time at the end"
value = "a.t"
expected = EXPECTED
relative = 1e-12
why = "round-off"

[[figure]]
title = "Orbit"
x.label = "x"
y.label = "y"
series = [{ run = "a", x = "x", y = "y", to = 10 }]
"""

# Long enough that a signal meets it (about a million steps a second), short enough to be waited for.
LONG_RUN = 500_000

# What is changed in the recipe of a built-in item: a step, a coefficient of the method, a step again.
WRONG = {
    "001-fig3.1": ("step = 0.02\n", "step = 0.022\n"),
    "000-explosion": ("multistep(6, -0.1, 0.4)", "multistep(6, -0.2, 0.4)"),
    "002-table1": ("7.416298709205488/25", "7.416298709205488/24"),
}


def recipe(steps=100, expected=None):
    return RECIPE.replace("STEPS", str(steps)).replace("EXPECTED", str(steps / 100 if expected is None else expected))


class Links(html.parser.HTMLParser):
    """All that a page leads to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src")]


class ReproduceTest(ProgramTest):
    def reproduce(self, *arguments, status=0):
        result = self.libration("reproduce", *arguments)
        self.assertEqual(result.status, status, result)
        return result

    def check_pages(self, directory="g"):
        """Every page is well formed, and every link leads to a file of the gallery."""
        root = (self.dir / directory).resolve()
        pages = sorted(root.rglob("*.html"))
        for page in pages:
            text = page.read_text(encoding="utf-8")
            xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
            self.assertIn('<meta name="viewport" content="width=device-width, initial-scale=1"/>', text, "a telephone does not shrink it")
            self.assertNotIn("<script", text)
            links = Links()
            links.feed(text)
            self.assertTrue(links.found)
            for link in links.found:
                self.assertNotRegex(link, r"^(\w+:|/)", "from the disk, without a network")
                target = (page.parent / urllib.parse.unquote(link)).resolve()
                self.assertTrue(target.is_file(), f"{page} leads to {link}")
                self.assertTrue(target.is_relative_to(root))
        for figure in root.rglob("*.svg"):
            xml.etree.ElementTree.parse(figure)
        for file in (*pages, *root.rglob("*.svg"), *root.rglob("*.css")):
            names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", file.read_text(encoding="utf-8"))  # names of languages, not places
            self.assertNotRegex(names, r"https?:|@import|@font-face|url\((?!#)|src\s*=\s*[\"']//", f"{file} refers to a network")
        for item in root.rglob("*.json"):
            json.loads(item.read_text(encoding="utf-8"))
        return [str(page.relative_to(root)) for page in pages]

    def stamps(self, directory="g"):
        return {str(path): path.stat().st_mtime_ns for path in (self.dir / directory).rglob("*") if path.is_file()}

    def text(self, name):
        return (self.dir / name).read_text(encoding="utf-8")


class Items(ReproduceTest):
    def test_are_listed_with_title_and_place_and_not_run(self):
        shown = self.reproduce("--list").stdout
        for name in (pathlib.Path(path).stem for path in program.SOURCE_DIR.glob("papers/recipes/*.toml")):
            self.assertRegex(shown, rf"(?m)^  {re.escape(name)} +\S")
        self.assertIn("Fig. 3.1", shown)
        one = self.reproduce("001", "--list", "--json").json["items"]
        self.assertEqual({item["paper"] for item in one}, {"001"})
        self.assertEqual(self.files(), [])

    def test_are_computed_and_judged_and_nothing_is_written_without_out(self):
        shown = self.reproduce(FAST_ITEM, "--quick").stdout
        self.assertRegex(shown, rf"{FAST_ITEM} .*reproduced +[0-9.]+\n")
        self.assertIn("1 of 1 items: 1 reproduced", shown)
        self.assertEqual(self.files(), [])

    def test_as_json_are_what_the_contract_says(self):
        result = self.reproduce(FAST_ITEM, "002-table1", "--quick", "--json")
        items = result.json["items"]
        self.assertEqual([item["id"] for item in items], [FAST_ITEM, "002-table1"])
        for item in items:
            self.assertLessEqual({"id", "paper", "printed", "measured", "tolerance", "verdict", "seconds"}, item.keys())
            self.assertIn(item["verdict"], ("reproduced", "corrected"))
            self.assertTrue(all(check["passed"] and check["rows"] for check in item["checks"]))
            self.assertTrue(item["quick"])
        self.assertIn(FAST_ITEM, result.stderr, "the table goes to standard error")
        self.assertEqual(self.reproduce(FAST_ITEM, "--quick", "--json", "--quiet").stderr, "")

    def test_of_three_recipes_with_a_wrong_step_or_coefficient_fail(self):
        for name, (right, wrong) in WRONG.items():
            with self.subTest(name):
                self.reproduce(name, "--quick")
                text = (program.SOURCE_DIR / "papers" / "recipes" / f"{name}.toml").read_text(encoding="utf-8")
                self.assertIn(right, text)
                self.write(text, "right.toml")
                self.write(text.replace(right, wrong), "wrong.toml")
                self.reproduce("right.toml", "--quick")
                result = self.reproduce("wrong.toml", "--quick", "--json", status=1)
                self.assertEqual(result.json["items"][0]["verdict"], "FAILED")
                self.assertIsNone(result.json["items"][0]["fault"], "it fails by its numbers")

    def test_that_fail_are_told_with_what_was_measured_and_what_had_to_come_out(self):
        self.write(recipe(expected=2), "mine.toml")
        shown = self.reproduce("mine.toml", "--out", "g", status=1).stdout
        self.assertIn("FAILED mine", shown)
        self.assertIn("the time at the end", shown)
        self.assertRegex(shown, r"measured 1(\.0+)?, must be 2 \+- 2")
        self.assertIn("FAILED", self.text("g/items/own-mine.html"))
        self.check_pages()
        self.assertNotIn("reused", self.reproduce("mine.toml", "--out", "g", status=1).stdout,
                         "what failed is tried again")


class BadUsage(ReproduceTest):
    def test_is_refused_with_a_suggestion(self):
        for name, says in (("001-fig31", ["'001-fig31'", "did you mean '001-fig3.1'?"]), ("01", ["'01'"]),
                           ("005", ["'005'"]), ("fig2", ["'fig2'", "--list"])):
            with self.subTest(name):
                self.refused(name, command="reproduce", says=says)
                self.refused(FAST_ITEM, name, "--out", "g", command="reproduce", says=says)
        self.refused("mine.toml", command="reproduce", status=3, says=["mine.toml"])
        self.refused("--again", command="reproduce", says=["--out"])
        self.refused("--list", "--out", "g", command="reproduce", says=["--out"])
        for threads in ("0", "-1", "x", "100000"):
            self.refused(FAST_ITEM, "--threads", threads, command="reproduce", says=["--threads"])
        self.write(recipe().replace("steps = 100", "stepps = 100"), "typo.toml")
        self.refused("typo.toml", "--out", "g", command="reproduce", says=["stepps"])

    def test_leaves_a_directory_alone_that_is_no_gallery(self):
        self.write("years of work", "thesis/thesis.tex")
        self.refused(FAST_ITEM, "--out", "thesis", command="reproduce", says=["thesis", "empty"])
        self.refused(FAST_ITEM, "--out", "thesis/thesis.tex", command="reproduce", says=["thesis.tex"])
        self.refused(FAST_ITEM, "--out", "", command="reproduce")

    def test_a_directory_that_cannot_be_made_is_status_3(self):
        self.refused(FAST_ITEM, "--out", "/dev/null/g", command="reproduce", status=3)


class AGallery(ReproduceTest):
    def test_has_a_page_for_the_item_its_paper_and_the_summary(self):
        shown = self.reproduce(FAST_ITEM, "--quick", "--out", "g").stdout
        self.assertIn("g/index.html", shown)
        pages = self.check_pages()
        self.assertEqual(pages, ["index.html", f"items/{FAST_ITEM}.html", "paper-001.html"])
        page = self.text(f"g/items/{FAST_ITEM}.html")
        for part in ("reproduced", f"libration reproduce {FAST_ITEM} --quick", "libration run kepler", "../models/kepler.toml",
                     f"{FAST_ITEM}-1.svg", "independent program"):
            self.assertIn(part, page)
        self.assertIn(f"items/{FAST_ITEM}.html", self.text("g/index.html"))
        source = (program.SOURCE_DIR / "papers" / "recipes" / f"{FAST_ITEM}.toml").read_text(encoding="utf-8")
        self.assertEqual(self.text(f"g/items/{FAST_ITEM}.toml"), source)

    def test_typesets_formulas_and_equations(self):
        self.reproduce(FAST_ITEM, "--quick", "--out", "g")
        page = xml.etree.ElementTree.fromstring(self.text(f"g/items/{FAST_ITEM}.html").removeprefix("<!DOCTYPE html>\n"))
        xhtml = "{http://www.w3.org/1999/xhtml}"
        self.assertEqual([e for e in page.iter(f"{xhtml}merror")], [])
        rows = [row for table in page.iter(f"{xhtml}mtable") if table.get("class") == "equations" for row in table]
        said = ["".join(row.itertext()).replace(" ", "") for row in rows]
        # H and q' = H_p, p' = -H_q of the Kepler problem: one line for each of two coordinates and two momenta.
        self.assertEqual(len(said), 5, said)
        self.assertTrue(said[0].startswith("H="), said)
        # Outside of formulas and code no text is left that is written like a formula.
        for e in page.iter():
            if e.tag in (f"{xhtml}math", f"{xhtml}code"):
                tail = e.tail
                e.clear()
                e.tail = tail
        self.assertNotRegex("".join(page.find(f"{xhtml}body").itertext()), r"\w\^|\b[a-z] = [-\d]")

    def test_gives_commands_and_models_that_run(self):
        self.reproduce(FAST_ITEM, "--quick", "--out", "g")
        page = xml.etree.ElementTree.fromstring(
            self.text(f"g/items/{FAST_ITEM}.html").removeprefix("<!DOCTYPE html>\n"))
        lines = "\n".join(code.text for code in page.iter("{http://www.w3.org/1999/xhtml}code") if code.text).splitlines()
        commands = [line for line in lines if line.startswith("libration run ")]
        self.assertTrue(commands)
        for command in commands:
            done = subprocess.run(command.replace("libration", f"'{program.LIBRATION}'", 1) + " --quiet --json", shell=True,
                                  cwd=self.dir / "g" / "models", capture_output=True, timeout=program.TIME_LIMIT, check=False)
            self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.libration("check", "g/models/kepler.toml").status, 0)

    def test_takes_over_what_is_finished_and_touches_nothing(self):
        self.write(recipe(), "mine.toml")
        self.reproduce(FAST_ITEM, "mine.toml", "--quick", "--out", "g")
        before = self.stamps()
        result = self.reproduce(FAST_ITEM, "mine.toml", "--quick", "--out", "g", "--json")
        self.assertIn("2 items reused from g; --again recomputes them", result.stderr)
        self.assertEqual([item["verdict"] for item in result.json["items"]], ["reproduced"] * 2)
        self.assertEqual(self.stamps(), before)
        again = self.reproduce(FAST_ITEM, "mine.toml", "--quick", "--out", "g", "--again")
        self.assertNotIn("reused", again.stdout)
        after = self.stamps()
        for name in (f"g/items/{FAST_ITEM}.json", "g/items/own-mine.json"):
            self.assertGreater(after[str(self.dir / name)], before[str(self.dir / name)])

    def test_repeats_an_item_whose_recipe_or_mode_has_changed(self):
        self.write(recipe(), "mine.toml")
        self.reproduce("mine.toml", "--out", "g")
        self.assertNotIn("reused", self.reproduce("mine.toml", "--out", "g", "--quick").stdout)
        self.write(recipe(200), "mine.toml")
        self.assertNotIn("reused", self.reproduce("mine.toml", "--out", "g", "--quick").stdout)
        self.assertIn("reused", self.reproduce("mine.toml", "--out", "g", "--quick").stdout)

    def test_grows_with_every_call(self):
        self.write(recipe(), "mine.toml")
        self.reproduce("mine.toml", "--out", "g")
        self.reproduce(FAST_ITEM, "--quick", "--out", "g")
        index = self.text("g/index.html")
        self.assertLess(index.index(f"items/{FAST_ITEM}.html"), index.index("items/own-mine.html"))
        self.assertIn("own.html", self.check_pages())


class AnInterruption(ReproduceTest):
    def interrupted(self, number):
        """Two short items and a long one; the signal comes when the short ones are there. Returns (status, stderr)."""
        for name, steps in (("one", 100), ("two", 200), ("long", LONG_RUN)):
            self.write(recipe(steps).split("[[figure]]", maxsplit=1)[0], f"{name}.toml")
        child = subprocess.Popen([program.LIBRATION, *self.ARGUMENTS], cwd=self.dir, env=program.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        limit = time.monotonic() + program.TIME_LIMIT
        while not all((self.dir / f"g/items/own-{name}.json").exists() for name in ("one", "two")):
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.002)
        child.send_signal(number)
        _, errors = child.communicate(timeout=program.TIME_LIMIT)
        self.assertFalse((self.dir / "g/items/own-long.json").exists(), "it was over before the signal came")
        return child.returncode, errors.decode("utf-8")

    ARGUMENTS = ("reproduce", "one.toml", "two.toml", "long.toml", "--out", "g", "--threads", "2")

    def continued(self):
        self.check_pages()
        self.assertIn("not done yet", self.text("g/index.html"))
        before = self.stamps("g/items")
        result = self.libration(*self.ARGUMENTS)
        self.assertEqual(result.status, 0, result)
        self.assertIn("2 items reused", result.stdout)
        self.assertIn("3 of 3 items: 3 reproduced", result.stdout)
        self.check_pages()
        self.assertNotIn("not done yet", self.text("g/index.html"))
        after = self.stamps("g/items")
        for name in ("one", "two"):
            path = str(self.dir / f"g/items/own-{name}.json")
            self.assertEqual(after[path], before[path], "what was finished is not touched")

    def test_by_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(self):
        status, errors = self.interrupted(signal.SIGINT)
        self.assertEqual(status, 1, errors)
        self.assertIn("2 of 3 items are done", errors)
        self.assertIn("libration reproduce one.toml two.toml long.toml --out g", errors)
        self.continued()

    def test_by_a_kill_leaves_whole_files_and_can_be_continued(self):
        self.interrupted(signal.SIGKILL)
        self.continued()
