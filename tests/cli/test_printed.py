"""Falsified printed numbers are noticed: by measurement where the papers are right, by a second copy of the numbers everywhere.

A copy of a recipe gets one more check for each falsified number, so that one run of the item judges all of them.
"""

import decimal
import json
import re
import tomllib

import program
from program import ProgramTest

RECIPES = program.SOURCE_DIR / "papers" / "recipes"
COPY = program.SOURCE_DIR / "tests" / "cli" / "printed_numbers.toml"

# Reproduced, but some of the falsifications agree with what is measured as well, for these reasons. The second copy notices them.
WIDE = {
    ("000-comparison", "multistep, h = 0.0125: forces"): "the paper counts one force per step and no starter",
    ("000-comparison", "composition, h = 0.15: forces"): "0.15 does not divide 2000",
    ("000-explosion", "step at which the run fails (the paper: about 130, whatever the step size)"): "about 130",
    ("003-fig5.8", "orders, h = 0.025 to 0.0125: projected Gauss"): "printed with one digit, 2; 1.8 for 1.82 would be right",
    ("001-ex4.6", "f = 1/(1 - t): the smallest term of the series is that with h^2k, 2k ="): "approaches 2 pi R/h",
}


def read(text):
    """Decimal numbers keep their digits: 0.10 is not 0.1."""
    return tomllib.loads(text, parse_float=decimal.Decimal)


def written(value):
    """The TOML text of a printed value."""
    if isinstance(value, list):
        return "[" + ", ".join(written(x) for x in value) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def is_number(printed):
    return not isinstance(printed, str)


def printed_numbers(text):
    """What a recipe says that the paper prints, as far as there are digits in it: by the name of the check."""
    found = {}
    for check in read(text)["check"]:
        quick = check.get("quick") or {}
        for name, printed in ((check["what"], check["printed"]), (f"{check['what']} (--quick)", quick.get("printed", ""))):
            if re.search(r"\d", written(printed)):
                assert name not in found, f"two checks are called {name}"
                found[name] = written(printed)
    return found


def falsified(number):
    """Two units of the last printed digit and ten per cent, up and down; of an expression, ten per cent."""
    if isinstance(number, str):
        return [f"({number})*1.1", f"({number})*0.9"]
    number = decimal.Decimal(number)
    unit = decimal.Decimal((0, (1,), number.as_tuple().exponent))
    changed = [number + 2 * unit, number - 2 * unit]
    return changed + [number * decimal.Decimal("1.1"), number * decimal.Decimal("0.9")] if number else changed


def with_one_changed(printed):
    """Every falsification of a number or of a list of them, one number at a time."""
    numbers = printed if isinstance(printed, list) else [printed]
    for k, number in enumerate(numbers):
        for wrong in falsified(number):
            yield numbers[:k] + [wrong] + numbers[k + 1:]


class Recipe:
    """The text of a recipe, its checks apart."""

    def __init__(self, path):
        self.name = path.stem
        self.text = path.read_text(encoding="utf-8")
        parts = re.split(r"(?m)^(?=\[\[)", self.text)
        self.head = "".join(part for part in parts if not part.startswith(("[[check]]", "[[figure]]")))
        self.blocks = [part for part in parts if part.startswith("[[check]]")]
        self.checks = [read(block)["check"][0] for block in self.blocks]

    def numeric(self):
        return [(k, check) for k, check in enumerate(self.checks) if is_number(check["printed"])]

    def needs_full_run(self):
        """Some numbers are compared only at the end of the full run."""
        quick = [check.get("quick", {}) for _, check in self.numeric()]
        return any(change is False or "printed" in change for change in quick)

    def block(self, k, printed):
        """Check k with something else in `printed`."""
        text, count = re.subn(r"(?m)^printed = .*$", lambda _: f"printed = {written(printed)}", self.blocks[k])
        assert count == 1, f"{self.name}: printed is not one line"
        return text

    def with_checks(self, more):
        return self.head + "".join(self.blocks) + "".join(more)


ALL = [Recipe(path) for path in sorted(RECIPES.glob("*.toml"))]
NUMERIC = [recipe for recipe in ALL if recipe.numeric()]


class PrintedNumbers(ProgramTest):
    def judged(self, recipe, more):
        """Whether each of the additional checks holds; those of the recipe itself must."""
        self.write(recipe.with_checks(more), "copy.toml")
        options = [] if recipe.needs_full_run() else ["--quick"]
        result = self.libration("reproduce", "copy.toml", "--json", "--quiet", "--threads", "1", *options)
        self.assertIn(result.status, (0, 1), result)
        item = result.json["items"][0]
        self.assertIsNone(item["fault"])
        own = len(item["checks"]) - len(more)
        self.assertEqual([check["what"] for check in item["checks"][:own] if not check["passed"]], [])
        passed = [check["passed"] for check in item["checks"][own:]]
        self.assertEqual(result.status, 0 if all(passed) else 1, "a check that does not hold fails the item")
        return passed

    def test_of_what_is_reproduced_are_noticed_by_measurement(self):
        tried, unnoticed = 0, set()
        for recipe in NUMERIC:
            with self.subTest(recipe.name):
                wrong = [(check, recipe.block(k, printed)) for k, check in recipe.numeric()
                         for printed in with_one_changed(check["printed"])
                         if check.get("kind", "reproduced") == "reproduced"]
                tried += len(wrong)
                passed = self.judged(recipe, [block for _, block in wrong])
                unnoticed |= {(recipe.name, check["what"]) for (check, _), holds in zip(wrong, passed) if holds}
        self.assertGreater(tried, 350)
        self.assertEqual(unnoticed, set(WIDE))

    def test_of_what_is_corrected_are_noticed_when_they_become_right(self):
        tried = 0
        for recipe in NUMERIC:
            wrong = []
            for k, check in recipe.numeric():
                if check.get("kind") in ("corrected", "not-reproduced"):
                    printed = check["printed"] if isinstance(check["printed"], list) else [check["printed"]]
                    right = check["expected"] if isinstance(check["expected"], list) else [check["expected"]]
                    wrong += [recipe.block(k, printed[:n] + [right[n]] + printed[n + 1:]) for n in range(len(printed))]
            if wrong:
                tried += len(wrong)
                self.assertEqual(self.judged(recipe, wrong), [False] * len(wrong), recipe.name)
        self.assertEqual(tried, 25)

    def test_are_those_of_the_second_copy(self):
        copy = {name: {what: written(printed) for what, printed in numbers.items()}
                for name, numbers in read(COPY.read_text(encoding="utf-8")).items()}
        self.maxDiff = None
        self.assertEqual({recipe.name: numbers for recipe in ALL if (numbers := printed_numbers(recipe.text))}, copy)

    def test_differ_from_the_second_copy_when_one_is_falsified(self):
        copy = read(COPY.read_text(encoding="utf-8"))
        tried = 0
        for recipe in NUMERIC:
            for k, check in recipe.numeric():
                for printed in with_one_changed(check["printed"]):
                    tried += 1
                    text = recipe.text.replace(recipe.blocks[k], recipe.block(k, printed))
                    self.assertNotEqual(printed_numbers(text)[check["what"]], written(copy[recipe.name][check["what"]]))
        self.assertGreater(tried, 440)


if __name__ == "__main__":
    program.unittest.main()
