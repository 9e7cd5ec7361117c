"""Loops compiled for AVX2 and FMA and plain loops give the same bits; on a processor without, both runs are plain."""

import program
from program import ProgramTest

STEPS = 50
PROBLEMS = {
    "chain": ["--set", "n=130"],
    "tree": [],
    "ring": [],
    "net": [],
    "cloth": [],
    "polymer": [],
    "triple-pendulum": [],
}


class TunedAndPlainCode(ProgramTest):
    def assert_same(self, a, b):
        """Not assertEqual for the dictionaries: to show how thousands of numbers differ takes it minutes."""
        self.assertEqual([key for key in a if a[key] != b.get(key)], [], "these differ")
        self.assertEqual(sorted(a), sorted(b))

    def result(self, plain, *arguments):
        env = program.environment(LIBRATION_PLAIN_CODE="1" if plain else None)
        if not plain:
            env.pop("LIBRATION_PLAIN_CODE", None)
        result = self.libration("run", *arguments, "--steps", STEPS, "--json", "--full", "--quiet", env=env)
        self.assertEqual(result.status, 0, result)
        return {key: value for key, value in result.json.items() if key not in ("seconds", "setup_seconds")}

    def test_every_number_of_a_run_is_the_same(self):
        for method in ("rattle", "shake"):
            for problem, size in PROBLEMS.items():
                with self.subTest(problem, method=method):
                    tuned = self.result(False, problem, *size, "--method", method)
                    self.assertEqual(tuned["steps"], STEPS)
                    self.assertTrue(tuned["q"] and tuned["p"] and tuned["lambda"])
                    self.assert_same(self.result(True, problem, *size, "--method", method), tuned)

    def test_larger_linkages_with_whole_blocks_of_lanes_too(self):
        for problem, size in {"tree": ["n=200"], "ring": ["n=200"], "net": ["n=15", "m=15"], "polymer": ["n=200"],
                              "cloth": ["n=15", "m=15"]}.items():
            with self.subTest(problem):
                arguments = [problem, *(word for pair in size for word in ("--set", pair))]
                self.assert_same(self.result(True, *arguments), self.result(False, *arguments))
