"""Expected values of the recipes, recomputed by short programs that use nothing of Libration.

Each program is derived from the paper named at its head. A recomputed value must agree with the recipe within the
tolerance of the recipe itself. By hand, all of it or one program:

    PYTHONPATH=tests/independent python3 -B -m unittest -v test_independent
    PYTHONPATH=tests/independent python3 -B -c "import pendulum_bdf; print(pendulum_bdf.values())"
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # matrices of order ten: threads only cost time

import copy
import functools
import importlib
import pathlib
import unittest

from recipe_checks import disagreement, expected_value, find_check, named, read_recipes, split_name

PROGRAMS = ("multistep_formulas", "triple_pendulum", "bodies_on_the_sphere", "heavy_top", "stormer_verlet",
            "verlet_molecules", "pendulum_tables", "pendulum_bdf", "runge_kutta_coefficients", "double_pendulum",
            "charged_particle", "squeezing_values", "squeezing_adaptive", "stiff_spring_pendulum")
PAPERS = {"000": "ConsoleHairerLubich2013", "001": "HairerLubichWanner2003", "002": "Reich1996", "003": "Jay1996",
          "004": "Jay1998"}
LEAST_VALUES = 60               # of all papers, of checks whose tolerance rests on a program outside the repository
LEAST_VALUES_OF_A_PAPER = 10


@functools.cache
def values_of(program):
    return importlib.import_module(program).values()


@functools.cache
def recipes():
    return read_recipes()


def all_values():
    return {name: value for program in PROGRAMS for name, value in values_of(program).items()}


def falsified(check, index):
    """The check with one expected value doubled, or 1 instead of 0."""
    result = copy.deepcopy(check)
    key = "expected" if "expected" in check else "printed"
    wrong = 2 * expected_value(check, index) or 1.0
    if isinstance(result[key], list):
        result[key][index] = wrong
    else:
        result[key] = wrong
    return result


class RecomputedValues(unittest.TestCase):
    """One test per program is added below."""


def agrees_with_the_recipes(program):
    def test(self):
        values = values_of(program)
        self.assertTrue(values)
        for name, value in values.items():
            with self.subTest(value=name):
                self.assertIsNone(disagreement(recipes(), name, value))
    return test


for name_of_program in PROGRAMS:
    setattr(RecomputedValues, f"test_{name_of_program}", agrees_with_the_recipes(name_of_program))


class Coverage(unittest.TestCase):
    def test_enough_values_of_independent_programs_are_compared(self):
        cited = [name for name in all_values() if "independent" in find_check(recipes(), name)["why"]]
        self.assertGreaterEqual(len(cited), LEAST_VALUES)

    def test_enough_checks_are_compared(self):
        checks = {split_name(name)[:2] for name in all_values()
                  if "independent" in find_check(recipes(), name)["why"]}
        self.assertGreaterEqual(len(checks), LEAST_VALUES)

    def test_every_paper_is_covered(self):
        for prefix, paper in PAPERS.items():
            with self.subTest(paper=paper):
                self.assertGreaterEqual(sum(name.startswith(prefix) for name in all_values()), LEAST_VALUES_OF_A_PAPER)

    def test_no_value_is_named_twice(self):
        self.assertEqual(len(all_values()), sum(len(values_of(program)) for program in PROGRAMS))

    def test_every_program_of_the_directory_is_run(self):
        directory = pathlib.Path(__file__).parent
        sources = {path.stem: path.read_text(encoding="utf-8") for path in directory.glob("*.py")}
        with_values = {program for program, source in sources.items() if "\ndef values():" in source}
        self.assertEqual(with_values, set(PROGRAMS))

    def test_programs_are_independent_and_name_their_paper(self):
        for program in PROGRAMS:
            with self.subTest(program=program):
                source = pathlib.Path(importlib.import_module(program).__file__).read_text(encoding="utf-8")
                self.assertNotRegex(source, r"import (libration|subprocess)|from libration")
                self.assertRegex(source.split('"""')[1], "|".join(PAPERS.values()))


class TheComparisonCanFail(unittest.TestCase):
    def test_a_falsified_expected_value_is_found(self):
        for name, value in all_values().items():
            with self.subTest(value=name):
                item, _, index = split_name(name)
                check = falsified(find_check(recipes(), name), index)
                self.assertIsNotNone(disagreement({item: {"check": [check]}}, name, value))

    def test_a_check_that_does_not_exist_is_an_error(self):
        for item, what in (("002-table1", "no such check"), ("no-such-recipe", "the period")):
            with self.subTest(item=item), self.assertRaises(LookupError):
                disagreement(recipes(), *named(item, what, [1.0]).popitem())

    def test_an_index_beyond_the_list_is_an_error(self):
        with self.assertRaises(LookupError):
            disagreement(recipes(), *named("002-table1", "Yoshida", [1.0], first=3).popitem())

    def test_a_beginning_that_fits_two_checks_is_an_error(self):
        with self.assertRaises(LookupError):
            disagreement(recipes(), *named("001-fig1.5", "first step of both methods", [0.0]).popitem())


if __name__ == "__main__":
    unittest.main()
